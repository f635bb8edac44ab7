// labels: slow
// The scene `cover` as it comes.
#include "physics/cover.h"

static void as_it_comes(void **state)
{
    (void)state;
    no_cloth_inside_a_box(NULL, 0, 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_it_comes)};
    return cmocka_run_group_tests_name("cover", tests, NULL, NULL);
}
