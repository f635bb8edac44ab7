// The volume of a tetrahedron, its sign, and that a visit brings it back.
#include "elements/kernel.h"

static const kernel *const k = &kernels[PL_KIND_TET_VOLUME];

static void by_hand(void **state)
{
    (void)state;
    point p[4] = {point_of(5, 0, 0, 1), point_of(7, 0, 0, 1), point_of(5, 3, 0, 1), point_of(5, 0, 4, 1)};
    float rest;
    k->rest(p, &rest);
    near_to("volume", (double)rest, 4.0, 1e-5);
    point swapped = p[1];
    p[1] = p[2];
    p[2] = swapped;
    near_to("turned inside out", (double)value_of(k, p, &rest), -8.0, 1e-5);
}

static void squashed_comes_back(void **state)
{
    (void)state;
    point p[4] = {point_of(0, 0, 0, 1), point_of(1, 0, 0, 1), point_of(0, 1, 0, 1), point_of(0, 0, 1, 1)};
    float rest, lambda = 0.0f;
    k->rest(p, &rest);
    p[3].z = 0.5f;
    for (int i = 0; i < 10; i++)
        visit_once(k, p, &rest, &(softness){0}, &lambda, MODE_XPBD);
    near_to("C", (double)value_of(k, p, &rest), 0.0, 1e-6);
    assert_true(lambda > 0.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(squashed_comes_back)};
    return cmocka_run_group_tests_name("tet_volume", tests, NULL, NULL);
}
