// Prediction and velocity update, first and second order, against the formulas in double.
#include "support/support.h"

#include "kernels/predict.h"
#include "kernels/velocity.h"

static vec roll(uint64_t *seed) { return vec_of(dice(seed), dice(seed), dice(seed)); }

static void formulas(void **state)
{
    (void)state;
    uint64_t seed = 1;
    const double h = 0.01;
    for (int sample = 0; sample < 1000; sample++)
    {
        vec d1 = times(0.01f, roll(&seed)), v = roll(&seed), v1 = roll(&seed), a = times(10.0f, roll(&seed)),
            d = roll(&seed);
        double first = h * (double)v.y + h * h * (double)a.y;
        double second = (double)d1.y / 3.0 + h * (8.0 / 9.0 * (double)v.y - 2.0 / 9.0 * (double)v1.y) +
                        4.0 / 9.0 * h * h * (double)a.y;
        near_to("BDF1", (double)predict_first(0.5f, v, a, 0.01f).y, first, 3e-9);
        near_to("BDF2", (double)predict_second(0.5f, d1, v, v1, a, 0.01f).y, second, 5e-9);
        double fade = 0.75;
        near_to("BDF1 velocity", (double)velocity_first(d, 0.01f, 0.75f).z, fade * (double)d.z / h, 1e-4);
        near_to("BDF2 velocity", (double)velocity_second(d, d1, 0.01f, 0.75f).z,
                fade * (1.5 * (double)d.z - 0.5 * (double)d1.z) / h, 1e-4);
    }
}

// A uniform motion keeps its velocity: neither 1/h nor the coefficients of BDF2 change it a little in every substep.
static void uniform(void **state)
{
    (void)state;
    uint64_t seed = 5;
    const vec none = {0, 0, 0};
    for (int order = 0; order < 2; order++)
        for (int sample = 0; sample < 200; sample++)
        {
            float h = 0.001f + 0.0009f * dice(&seed);
            vec start = roll(&seed), v = start, v1 = v, d = times(h, v);
            for (int i = 0; i < 10000; i++)
            {
                vec to = order ? predict_second(1.0f, d, v, v1, none, h) : predict_first(1.0f, v, none, h), old = v;
                v = order ? velocity_second(to, d, h, 1.0f) : velocity_first(to, h, 1.0f);
                d = to, v1 = old;
            }
            near_to("velocity", (double)v.x, (double)start.x, 4e-7 * fabs((double)start.x));
        }
}

// Mass 0: moved by its velocity, which nothing changes.
static void kinematic(void **state)
{
    (void)state;
    vec v = {1, -1, 0.5f}, other = {9, 9, 9}, a = {100, 100, 100};
    point old = {1, -1, 0.5f, 0};
    for (int order = 0; order < 2; order++)
    {
        vec d = order ? predict_second(0.0f, other, v, other, a, 0.5f) : predict_first(0.0f, v, a, 0.5f);
        assert_true(d.x == 0.5f && d.y == -0.5f && d.z == 0.25f);
        point u = velocity_of(0.0f, order ? velocity_second(d, other, 0.5f, 0.5f) : velocity_first(d, 0.5f, 0.5f), old);
        assert_true(u.x == 1.0f && u.y == -1.0f && u.z == 0.5f);
    }
}

// Free fall through a world: both orders have the exact velocity g t, and BDF2 the better position.
static void free_fall(void **state)
{
    (void)state;
    double error[2];
    for (int order = 0; order < 2; order++)
    {
        pl_world *w = make_world(4, 1);
        pl_settings s = pl_world_settings(w);
        s.integrator = order ? PL_INTEGRATOR_BDF2 : PL_INTEGRATOR_BDF1;
        good(pl_world_set_settings(w, &s));
        int p = add_one(w, 0, 0, 0, 1, NULL);
        play(w, 60);
        float x[3], v[3];
        good(pl_get(w, PL_ATTRIBUTE_POSITION, p, 1, x));
        good(pl_get(w, PL_ATTRIBUTE_VELOCITY, p, 1, v));
        error[order] = fabs((double)x[1] + 0.5 * 9.81);
        near_to("velocity", (double)v[1], -9.81, 0.01);
        pl_world_destroy(w);
    }
    below("BDF1's error", error[0], 0.03);
    below("BDF2's error", error[1], 0.2 * error[0]);
}

// dv/dt = -damping v by implicit Euler.
static void damping(void **state)
{
    (void)state;
    pl_world *w = make_world(10, 1);
    pl_settings s = pl_world_settings(w);
    s.gravity = (pl_vec3){0};
    s.damping = 2.0f;
    good(pl_world_set_settings(w, &s));
    int p = add_one(w, 0, 0, 0, 1, NULL);
    float v[3] = {1, 2, 3};
    good(pl_set(w, PL_ATTRIBUTE_VELOCITY, p, 1, v));
    play(w, 30);
    good(pl_get(w, PL_ATTRIBUTE_VELOCITY, p, 1, v));
    near_to("v", (double)v[1], 2.0 * pow(1.0 + 2.0 / 600.0, -300.0), 1e-3);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas),  cmocka_unit_test(uniform), cmocka_unit_test(kinematic),
        cmocka_unit_test(free_fall), cmocka_unit_test(damping),
    };
    return cmocka_run_group_tests_name("predict", tests, NULL, NULL);
}
