// A tether pulls its particle alone; the anchor feels nothing, however light it is.
#include "elements/kernel.h"

static void only_the_particle_moves(void **state)
{
    (void)state;
    point p[2] = {point_of(3, 0, 4, 0.5f), point_of(0, 0, 0, 10)};
    float rest = 2.5f, lambda = 0.0f;
    visit_once(&kernels[PL_KIND_TETHER], p, &rest, &(softness){0}, &lambda, MODE_XPBD);
    near_to("x", (double)p[0].x, 1.5, 1e-6);
    near_to("z", (double)p[0].z, 2.0, 1e-6);
    near_to("lambda", (double)lambda, -5.0, 1e-5); // 2.5 m over w = 0.5
    assert_true(p[1].x == 0.0f && p[1].y == 0.0f && p[1].z == 0.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_the_particle_moves)};
    return cmocka_run_group_tests_name("tether", tests, NULL, NULL);
}
