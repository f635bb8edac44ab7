// labels: long
// timeout: 7200
// The scene `cover` at full size: a cloth of 40,000 particles over boxes of 64,000.
#include "physics/cover.h"

static void at_full_size(void **state)
{
    (void)state;
    static const char *const sets[] = {"cloth.size=[200,200]", "cloth.radius=0.01", "cloth.stretch.compliance=1e-7",
                                       "body.spacing=0.02", "substeps=20"};
    no_cloth_inside_a_box(sets, 5, 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(at_full_size)};
    return cmocka_run_group_tests_name("cover at full size", tests, NULL, NULL);
}
