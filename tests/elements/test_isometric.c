// Isometric bending: nothing on any flat or rigidly moved shape, the known energy on a folded one.
#include "elements/kernel.h"

static const kernel *const k = &kernels[PL_KIND_ISOMETRIC];

static void flat_and_moved_costs_nothing(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int sample = 0; sample < 100; sample++)
    {
        point p[4];
        float param[PL_MAX_PARAMS];
        shake(p, 0.0f, &seed);
        k->rest(p, param);
        near_to("flat", (double)value_of(k, p, param), 0.0, 1e-5);
        for (int i = 0; i < 4; i++) // turned out of the plane, and far away
            p[i] = point_of(100.0f + p[i].z, 0.6f * p[i].x - 0.8f * p[i].y, 0.8f * p[i].x + 0.6f * p[i].y, 1);
        near_to("moved", (double)value_of(k, p, param), 0.0, 1e-4);
    }
}

// Two triangles of base 1 and height 1, folded by t: K = sqrt(3/(A + B)) times the sum of cotangents times ...
// Written out: with c, d over the middle of the edge, k_c = k_d = -2 cot, K = k_c (c + d - a - b), |c + d - a - b| = 2 sin(t/2).
static void the_fold_by_hand(void **state)
{
    (void)state;
    point p[4] = {point_of(0, 0, 0, 1), point_of(1, 0, 0, 1), point_of(0.5f, 1, 0, 1), point_of(0.5f, -1, 0, 1)};
    float param[PL_MAX_PARAMS];
    k->rest(p, param);
    double cotangent = 0.5, scale = sqrt(3.0 / 1.0); // each triangle's angle at the edge has tangent 2; areas 0.5 + 0.5
    near_to("k_c", (double)param[2], -scale * 2 * cotangent, 1e-5);
    near_to("k_d", (double)param[3], -scale * 2 * cotangent, 1e-5);
    near_to("k_a", (double)param[0], scale * 2 * cotangent, 1e-5);
    double fold = 0.5;
    p[2] = point_of(0.5f, (float)cos(fold), (float)sin(fold), 1);
    near_to("C", (double)value_of(k, p, param), scale * 2.0 * sin(fold / 2.0), 1e-5);
}

static void unbends(void **state)
{
    (void)state;
    point p[4] = {point_of(0, 0, 0, 1), point_of(1, 0, 0, 1), point_of(0.5f, 1, 0, 1), point_of(0.5f, -1, 0, 1)};
    float param[PL_MAX_PARAMS], lambda = 0.0f;
    k->rest(p, param);
    p[2].z = 0.3f;
    visit_once(k, p, param, &(softness){0}, &lambda, MODE_XPBD);
    near_to("C", (double)value_of(k, p, param), 0.0, 1e-5); // linear: one visit
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_and_moved_costs_nothing),
        cmocka_unit_test(the_fold_by_hand),
        cmocka_unit_test(unbends),
    };
    return cmocka_run_group_tests_name("isometric", tests, NULL, NULL);
}
