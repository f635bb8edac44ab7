// labels: long
// timeout: 7200
// The scene `pile`: at its end no body has sunk into a box, soft ones neither.
#include "physics/pile.h"

static void bodies_keep_out_of_boxes(void **state)
{
    (void)state;
    depths d = measure(NULL, 0);
    below("depth of rigid bodies in boxes, radii", d.rigid, HOLLOW + 0.05);
    below("depth of others in boxes, radii", d.soft,
          1.0); // a soft body gives way, but no middle of its particles is in a box
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bodies_keep_out_of_boxes)};
    return cmocka_run_group_tests_name("pile", tests, NULL, NULL);
}
