// Attributes in and out.
#include "support/support.h"

static void round_trips(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    fill_world(w, 8);
    int count = pl_particle_count(w);
    float *in = malloc(3 * (size_t)count * sizeof *in), *out = malloc(3 * (size_t)count * sizeof *out);
    uint64_t seed = 1;
    for (int what = PL_ATTRIBUTE_POSITION; what <= PL_ATTRIBUTE_CHARGE; what++)
    {
        int width = what == PL_ATTRIBUTE_MASS || what == PL_ATTRIBUTE_CHARGE ? 1 : 3;
        for (int i = 0; i < width * count; i++)
            in[i] = 1.5f + dice(&seed);
        if (what == PL_ATTRIBUTE_MASS)
            in[3] = 0.0f;
        good(pl_set(w, (pl_attribute)what, 0, count, in));
        if (what == PL_ATTRIBUTE_POSITION)
            pl_world_order(w); // a new order in between
        good(pl_get(w, (pl_attribute)what, 0, count, out));
        for (int i = 0; i < width * count; i++)
            near_to("value", (double)out[i], (double)in[i], what == PL_ATTRIBUTE_MASS ? 3e-7 * (double)in[i] : 0.0);
        float part[6];
        good(pl_get(w, (pl_attribute)what, 5, 2, part));
        assert_memory_equal(part, out + 5 * width, 2 * (size_t)width * sizeof(float));
        good(pl_get(w, (pl_attribute)what, count, 0, NULL));
    }
    free(in);
    free(out);
    pl_world_destroy(w);
}

static void force_and_mass_act(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    set_gravity(w, 0.0f);
    int p = add_one(w, 0, 0, 0, 2, NULL), q = add_one(w, 1, 0, 0, 0, NULL);
    const float force[6] = {4, 0, 0, 4, 0, 0};
    good(pl_set(w, PL_ATTRIBUTE_FORCE, p, 2, force));
    good(pl_world_step(w, 0.1f));
    good(pl_world_step(w, 0.1f)); // it acts until it is set anew
    float v[6];
    good(pl_get(w, PL_ATTRIBUTE_VELOCITY, p, 2, v));
    near_to("pushed", (double)v[0], 0.4, 1e-5);
    near_to("held", (double)v[3], 0.0, 0.0);
    const float none[3] = {0}, mass = 1.0f, moving[3] = {0, 3, 0};
    good(pl_set(w, PL_ATTRIBUTE_FORCE, p, 1, none));
    good(pl_set(w, PL_ATTRIBUTE_VELOCITY, q, 1, moving));
    good(pl_world_step(w, 0.1f));
    good(pl_get(w, PL_ATTRIBUTE_VELOCITY, p, 2, v));
    near_to("no force", (double)v[0], 0.4, 1e-5);
    float x[3];
    good(pl_get(w, PL_ATTRIBUTE_POSITION, q, 1, x));
    near_to("a kinematic particle goes its way", (double)x[1], 0.3, 1e-6);
    good(pl_set(w, PL_ATTRIBUTE_MASS, q, 1, &mass)); // let go
    set_gravity(w, -10.0f);
    good(pl_world_step(w, 0.1f));
    good(pl_get(w, PL_ATTRIBUTE_VELOCITY, q, 1, v));
    near_to("it falls now", (double)v[1], 2.0, 1e-5);
    pl_world_destroy(w);
}

// A particle that comes in the middle of a run has no history; BDF2 must not invent one.
static void coming_late_with_bdf2(void **state)
{
    (void)state;
    pl_world *w = make_world(2, 1);
    pl_settings s = pl_world_settings(w);
    s.integrator = PL_INTEGRATOR_BDF2;
    s.gravity = (pl_vec3){0};
    good(pl_world_set_settings(w, &s));
    add_one(w, 0, 0, 0, 1, NULL);
    play(w, 5);
    int late = add_one(w, 100, 0, 0, 1, NULL);
    play(w, 5);
    float x[3];
    good(pl_get(w, PL_ATTRIBUTE_POSITION, late, 1, x));
    near_to("it stays", (double)x[0], 100.0, 1e-4);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips),
        cmocka_unit_test(force_and_mass_act),
        cmocka_unit_test(coming_late_with_bdf2),
    };
    return cmocka_run_group_tests_name("particles", tests, NULL, NULL);
}
