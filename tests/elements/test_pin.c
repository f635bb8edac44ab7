// A pin's target moves evenly through the frame.
#include "elements/kernel.h"

static void the_target_travels(void **state)
{
    (void)state;
    const float param[6] = {2, 3, 4, 1, 0, -2};
    for (int i = 0; i <= 4; i++)
    {
        float ahead = (float)i / 4.0f;
        point p[1] = {point_of(2.0f - ahead, 3.0f, 4.0f + 2.0f * ahead, 1)};
        row c;
        eval_pin(p, param, ahead, &c);
        near_to("C", (double)c.value, 0.0, 1e-6);
    }
}

static void pulls_to_the_target(void **state)
{
    (void)state;
    const float param[6] = {1, 2, 3, 0, 0, 0};
    point p[1] = {point_of(4, 6, 3, 0.1f)};
    float lambda = 0.0f;
    near_to("C", (double)visit_once(&kernels[PL_KIND_PIN], p, param, &(softness){0}, &lambda, MODE_XPBD), 5.0, 1e-6);
    near_to("x", (double)p[0].x, 1.0, 1e-6);
    near_to("y", (double)p[0].y, 2.0, 1e-6);
    near_to("lambda", (double)lambda, -50.0, 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_target_travels), cmocka_unit_test(pulls_to_the_target)};
    return cmocka_run_group_tests_name("pin", tests, NULL, NULL);
}
