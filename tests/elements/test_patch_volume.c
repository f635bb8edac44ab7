// The volume of a patch of eight points: by hand, without a share in shear, and that a visit brings it back.
#include "elements/kernel.h"

static const kernel *const k = &kernels[PL_KIND_PATCH_VOLUME];

static void box(point *p, float x, float y, float z, float lean)
{
    for (int i = 0; i < PATCH_POINTS; i++)
    {
        float up = y * (float)(i >> 1 & 1);
        p[i] = point_of(5.0f + x * (float)(i & 1) + lean * up, 2.0f + up, z * (float)(i >> 2), 1.0f);
    }
}

static void by_hand(void **state)
{
    (void)state;
    point p[PATCH_POINTS];
    float param[PATCH_PARAMS];
    box(p, 2.0f, 3.0f, 4.0f, 0.0f);
    k->rest(p, param);
    near_to("volume", (double)param[PATCH_VOLUME_AT], 24.0, 1e-4);
    box(p, 2.0f, 3.0f, 4.4f, 0.0f);
    near_to("longer by a tenth", (double)value_of(k, p, param), 0.1 * sqrt(24.0), 1e-5);
    box(p, 1.0f, 6.0f, 4.0f, 0.0f);
    near_to("as large in another shape", (double)value_of(k, p, param), 0.0, 1e-5);
    box(p, 2.0f, 3.0f, 4.0f, 0.7f);
    near_to("sheared", (double)value_of(k, p, param), 0.0, 1e-5);
    box(p, 2.0f, 3.0f, -4.0f, 0.0f);
    near_to("turned inside out", (double)value_of(k, p, param), -2.0 * sqrt(24.0), 1e-4);
}

// A point with b = 0 only fills up the eight.
static void fillers_stay(void **state)
{
    (void)state;
    point p[PATCH_POINTS], kept;
    float param[PATCH_PARAMS], lambda = 0.0f;
    box(p, 1.0f, 1.0f, 1.0f, 0.0f);
    k->rest(p, param);
    param[18] = param[19] = param[20] = 0.0f;
    kept = p[7];
    visit_once(k, p, param, &(softness){0}, &lambda, MODE_XPBD);
    assert_true(lambda != 0.0f);
    assert_memory_equal(&kept, &p[7], sizeof kept);
}

static void squashed_comes_back(void **state)
{
    (void)state;
    point p[PATCH_POINTS];
    float param[PATCH_PARAMS], lambda = 0.0f;
    box(p, 1.0f, 1.0f, 1.0f, 0.0f);
    k->rest(p, param);
    box(p, 1.0f, 0.5f, 1.0f, 0.0f);
    for (int i = 0; i < 10; i++)
        visit_once(k, p, param, &(softness){0}, &lambda, MODE_XPBD);
    near_to("C", (double)value_of(k, p, param), 0.0, 1e-6);
    assert_true(lambda > 0.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(fillers_stay),
                                       cmocka_unit_test(squashed_comes_back)};
    return cmocka_run_group_tests_name("patch_volume", tests, NULL, NULL);
}
