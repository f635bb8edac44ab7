// labels: long
// timeout: 7200
// The scene `pile` with 40 substeps: at its end no body has sunk into another, soft ones neither.
#include "physics/pile.h"

static void bodies_keep_out_of_each_other(void **state)
{
    (void)state;
    static const char *const sets[] = {"substeps=40"};
    depths d = measure(sets, 1);
    below("depth of rigid bodies in boxes, radii", d.rigid, HOLLOW + 0.05);
    below("depth of others, radii", d.soft, HOLLOW + 0.2);
    below("overlap of two particles, diameters", 1.0 - 0.5 * d.apart, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bodies_keep_out_of_each_other)};
    return cmocka_run_group_tests_name("pile, 40 substeps", tests, NULL, NULL);
}
