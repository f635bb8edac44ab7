// Prediction and velocity update, first and second order, against the formulas in double.
#include "support/support.h"

#include "kernels/predict.h"
#include "kernels/velocity.h"

static point roll(uint64_t *seed, float w)
{
    point p = {dice(seed), dice(seed), dice(seed), w};
    return p;
}

static void formulas(void **state)
{
    (void)state;
    uint64_t seed = 1;
    const double h = 0.01;
    for (int sample = 0; sample < 1000; sample++)
    {
        point x = roll(&seed, 0.5f), x1 = roll(&seed, 0.5f), v = roll(&seed, 0.0f), v1 = roll(&seed, 0.0f),
              new = roll(&seed, 0.5f);
        vec a = {10 * dice(&seed), 10 * dice(&seed), 10 * dice(&seed)};
        double first = (double)x.y + h * (double)v.y + h * h * (double)a.y;
        double second = 4.0 / 3.0 * (double)x.y - (double)x1.y / 3.0 +
                        h * (8.0 / 9.0 * (double)v.y - 2.0 / 9.0 * (double)v1.y) + 4.0 / 9.0 * h * h * (double)a.y;
        near_to("BDF1", (double)predict_first(x, v, a, 0.01f).next.y, first, 3e-7);
        near_to("BDF2", (double)predict_second(x, x1, v, v1, a, 0.01f).next.y, second, 5e-7);
        near_to("w stays", (double)predict_second(x, x1, v, v1, a, 0.01f).next.w, 0.5, 0.0);
        double fade = 0.75;
        x.w = 0.0f; // nothing was rounded off
        near_to("BDF1 velocity", (double)velocity_first(new, x, v, 100.0f, 0.75f).z,
                fade * ((double)new.z - (double)x.z) / h, 1e-4);
        near_to("BDF2 velocity", (double)velocity_second(new, x, x1, v, 100.0f, 0.75f).z,
                fade * (1.5 * (double)new.z - 2.0 * (double)x.z + 0.5 * (double)x1.z) / h, 1e-4);
    }
}

// Mass 0: moved by its velocity, which nothing changes.
static void kinematic(void **state)
{
    (void)state;
    point x = {1, 2, 3, 0}, v = {1, -1, 0.5f, 0}, other = {9, 9, 9, 0};
    vec a = {100, 100, 100};
    for (int order = 0; order < 2; order++)
    {
        point p = (order ? predict_second(x, other, v, other, a, 0.5f) : predict_first(x, v, a, 0.5f)).next;
        assert_true(p.x == 1.5f && p.y == 1.5f && p.z == 3.25f && p.w == 0.0f);
        point u = order ? velocity_second(p, other, other, v, 2.0f, 0.5f) : velocity_first(p, other, v, 2.0f, 0.5f);
        assert_true(u.x == 1.0f && u.y == -1.0f && u.z == 0.5f);
    }
}

// What a prediction rounds off, the velocity has back: to a 500th of the step between two positions, however far from
// the origin, also where the way is less than half a step and the position does not move at all.
static void roundings(void **state)
{
    (void)state;
    uint64_t seed = 2;
    int stays = 0;
    for (int sample = 0; sample < 20000; sample++)
    {
        float size = ldexpf(1.0f, sample % 24 - 8), way = size * ldexpf(1.0f, -12 - sample % 15);
        point x = {size * dice(&seed), size * dice(&seed), size * dice(&seed), 1.0f}, none = {0, 0, 0, 0};
        vec d = {way * dice(&seed), way * dice(&seed), way * dice(&seed)};
        prediction p = predict_by(x, d);
        stays += p.next.x == x.x;
        point x0 = {x.x, x.y, x.z, p.lost}, v = velocity_first(p.next, x0, none, 1.0f, 1.0f);
        const float got[3] = {v.x, v.y, v.z}, meant[3] = {d.x, d.y, d.z}, at[3] = {x.x, x.y, x.z};
        for (int k = 0; k < 3; k++)
        {
            double step = fmax((double)nextafterf(fabsf(at[k]), INFINITY) - (double)fabsf(at[k]), ldexp(1.0, -43));
            if (fabs((double)meant[k]) < fabs((double)at[k])) // else it has all the digits it needs
                below("off", fabs((double)got[k] - (double)meant[k]), step / 500.0 + 1e-7 * fabs((double)meant[k]));
        }
        assert_true(p.lost == p.lost); // no processor may take the bits for a NaN and change them
    }
    assert_true(stays > 1000);
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
        cmocka_unit_test(formulas),  cmocka_unit_test(kinematic), cmocka_unit_test(roundings),
        cmocka_unit_test(free_fall), cmocka_unit_test(damping),
    };
    return cmocka_run_group_tests_name("predict", tests, NULL, NULL);
}
