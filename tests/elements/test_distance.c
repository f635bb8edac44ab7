// distance, distance_min and distance_max on numbers that can be worked out by hand.
#include "elements/kernel.h"

// Masses 1 and 3 at distance 2, rest 1: the light one moves three times as far.
static void by_hand(void **state)
{
    (void)state;
    point p[2] = {point_of(0, 0, 0, 1), point_of(2, 0, 0, 1.0f / 3.0f)};
    float rest = 1.0f, lambda = 0.0f;
    visit_once(&kernels[PL_KIND_DISTANCE], p, &rest, &(softness){0}, &lambda, MODE_XPBD);
    near_to("the light one", (double)p[0].x, 0.75, 1e-6);
    near_to("the heavy one", (double)p[1].x, 1.75, 1e-6);
    near_to("lambda", (double)lambda, -0.75, 1e-6);
}

// Many visits of one soft row end where C = -a lambda, however many there are.
static void compliance_does_not_depend_on_visits(void **state)
{
    (void)state;
    for (int visits = 1; visits <= 64; visits *= 4)
    {
        point p[2] = {point_of(0, 0, 0, 1), point_of(2, 0, 0, 1)};
        float rest = 1.0f, lambda = 0.0f;
        for (int i = 0; i < visits; i++)
            visit_once(&kernels[PL_KIND_DISTANCE], p, &rest, &(softness){.a = 2.0f}, &lambda, MODE_XPBD);
        near_to("length", (double)(p[1].x - p[0].x), 1.5, 1e-6);
        near_to("lambda", (double)lambda, -0.25, 1e-6);
    }
}

static void one_sided(void **state)
{
    (void)state;
    const float rest = 1.0f;
    for (int k = 0; k < 3; k++)
    {
        const int kind = k == 0 ? PL_KIND_DISTANCE : k == 1 ? PL_KIND_DISTANCE_MIN : PL_KIND_DISTANCE_MAX;
        for (int near = 0; near < 2; near++)
        {
            point p[2] = {point_of(0, 0, 0, 1), point_of(0, near ? 0.5f : 2.0f, 0, 1)};
            float lambda = 0.0f;
            visit_once(&kernels[kind], p, &rest, &(softness){0}, &lambda, MODE_XPBD);
            bool acts = kind == PL_KIND_DISTANCE || (kind == PL_KIND_DISTANCE_MIN) == near;
            near_to(kernels[kind].name, (double)(p[1].y - p[0].y), acts ? 1.0 : near ? 0.5 : 2.0, 1e-6);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(compliance_does_not_depend_on_visits),
        cmocka_unit_test(one_sided),
    };
    return cmocka_run_group_tests_name("distance", tests, NULL, NULL);
}
