// The angle between two triangles: its size, its sign, the short way round.
#include "elements/kernel.h"

static const kernel *const k = &kernels[PL_KIND_DIHEDRAL];

// Edge along z; c stands at angle 180 degrees in the xy plane, d at `fold` beyond flat.
static void folded(point *p, double fold)
{
    p[0] = point_of(0, 0, 0, 1);
    p[1] = point_of(0, 0, 1, 1);
    p[2] = point_of(-1, 0, 0.5f, 1);
    p[3] = point_of((float)cos(fold), (float)sin(fold), 0.5f, 1);
}

static void measures_the_fold(void **state)
{
    (void)state;
    double sign = 0.0;
    for (int i = -17; i <= 17; i++)
    {
        point p[4];
        const float rest = 0.0f;
        double fold = i * 0.18;
        folded(p, fold);
        double value = (double)value_of(k, p, &rest);
        near_to("the size of the angle", fabs(value), fabs(fold), 1e-6);
        if (i == 1)
            sign = value / fold;
        if (i > 0)
            near_to("the sign", value, sign * fold, 1e-6);
    }
    near_to("a sign", fabs(sign), 1.0, 1e-5);
}

static void goes_the_short_way(void **state)
{
    (void)state;
    point p[4];
    float rest;
    folded(p, 3.0);
    k->rest(p, &rest);
    folded(p, -3.0);
    near_to("from 3 to -3 rad", (double)fabsf(value_of(k, p, &rest)), 6.2831853 - 6.0, 1e-5);
}

static void unfolds_to_flat(void **state)
{
    (void)state;
    point p[4];
    const float rest = 0.0f;
    float lambda = 0.0f;
    folded(p, 0.7);
    for (int i = 0; i < 20; i++)
        visit_once(k, p, &rest, &(softness){0}, &lambda, MODE_XPBD);
    near_to("the angle", (double)value_of(k, p, &rest), 0.0, 1e-5);
}

static void flat_triangles_without_area_are_left_alone(void **state)
{
    (void)state;
    point p[4] = {point_of(0, 0, 0, 1), point_of(0, 0, 1, 1), point_of(0, 0, 2, 1), point_of(1, 0, 0, 1)}, kept[4];
    const float rest = 1.0f;
    float lambda = 0.0f;
    memcpy(kept, p, sizeof p);
    visit_once(k, p, &rest, &(softness){0}, &lambda, MODE_XPBD);
    assert_memory_equal(p, kept, sizeof p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_the_fold),
        cmocka_unit_test(goes_the_short_way),
        cmocka_unit_test(unfolds_to_flat),
        cmocka_unit_test(flat_triangles_without_area_are_left_alone),
    };
    return cmocka_run_group_tests_name("dihedral", tests, NULL, NULL);
}
