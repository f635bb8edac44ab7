// test_fluid_diffusion.c: dye spreads in a fluid as the diffusion equation says, is kept, stays between its bounds whatever
// the diffusivity, keeps to its phase, and neither threads, lanes nor snapshots change it; so does the heat of a liquid.
#include "fluid.h"

#include <string.h>

#define SPACING 0.05
#define FRAME (1.0 / 60.0)

static pl_fluid_def inky(float dye, float diffusivity)
{
    pl_fluid_def def = pl_default_fluid_def();
    def.spacing = (float)SPACING;
    def.dye = dye, def.diffusivity = diffusivity;
    def.jitter = 0.0f; // nothing moves
    return def;
}

// Two blocks of 0.7 m beside each other, which meet at x = 0.7 m.
static pl_world *two_blocks(pl_fluid_def left, pl_fluid_def right, int threads, int lanes)
{
    pl_world_def w = pl_default_world_def();
    pl_world *world = NULL;
    pl_id id;
    w.settings.substeps = 4, w.settings.iterations = 1;
    w.settings.gravity = (pl_vec3){0.0f, 0.0f, 0.0f};
    w.threads = threads, w.lanes = lanes;
    good(pl_world_create(&w, &world));
    left.size = right.size = (pl_vec3){0.7f, 0.5f, 0.5f};
    right.origin.x = 0.7f;
    good(pl_add_fluid(world, &left, &id));
    good(pl_add_fluid(world, &right, &id));
    return world;
}

static float *dyes(const pl_world *world)
{
    int count = pl_particle_end(world);
    float *dye = malloc((size_t)count * sizeof *dye);
    good(pl_get_dye(world, 0, count, dye));
    return dye;
}

static double total(const pl_world *world)
{
    float *dye = dyes(world);
    double sum = 0.0;
    for (int i = 0; i < pl_particle_end(world); i++)
        sum += (double)dye[i];
    free(dye);
    return sum;
}

// A step becomes 1/2 erfc(x/sqrt(4 D t)); particles at the outer sides have fewer neighbours and do not count.
static void a_step_spreads_as_the_equation_says(void **state)
{
    (void)state;
    const float diffusivity = 0.02f;
    pl_world *world = two_blocks(inky(1.0f, diffusivity), inky(0.0f, diffusivity), 1, 0);
    double before = total(world);
    steps(world, 30, FRAME);
    int count = pl_particle_end(world), counted = 0;
    float *x = positions(world, count), *dye = dyes(world);
    double squares = 0.0, largest = 0.0;
    for (int i = 0; i < count; i++)
    {
        double off = (double)x[3 * i] - 0.7, wanted = 0.5 * erfc(off / sqrt(4.0 * (double)diffusivity * 0.5));
        if (fabs((double)x[3 * i + 1] - 0.25) > 0.1 || fabs((double)x[3 * i + 2] - 0.25) > 0.1)
            continue;
        double error = fabs((double)dye[i] - wanted);
        squares += error * error, counted++;
        largest = error > largest ? error : largest;
    }
    print_message("%d particles: deviation from erf %.4f (rms), %.4f (largest); dye kept to %.1e\n", counted,
                  sqrt(squares / counted), largest, total(world) / before - 1.0);
    assert_true(sqrt(squares / counted) < 0.01 && largest < 0.03);
    near("dye", total(world), before, 1e-6 * before);
    free(x), free(dye);
    pl_world_destroy(world);
}

// The share of a pair is the mean of the two, so dye goes into a fluid without a diffusivity too, and is kept.
static void any_diffusivity_keeps_dye_within_bounds(void **state)
{
    (void)state;
    static const float values[][2] = {{1e6f, 1e6f}, {1e6f, 0.0f}, {1e-3f, 5.0f}};
    for (int k = 0; k < 3; k++)
    {
        pl_fluid_def left = inky(1.0f, values[k][0]), right = inky(0.25f, values[k][1]);
        left.jitter = right.jitter = 0.3f;
        pl_world *world = two_blocks(left, right, 2, 0);
        pl_settings s = pl_world_settings(world);
        s.gravity = (pl_vec3){0.0f, -9.81f, 0.0f};
        good(pl_world_set_settings(world, &s));
        add_tank(world, (pl_vec3){-0.3f, 0.0f, 0.0f}, 2.0, 0.5);
        double before = total(world);
        steps(world, 30, FRAME);
        float *dye = dyes(world), low = 2.0f, high = -1.0f;
        for (int i = 0; i < pl_particle_end(world); i++)
            low = dye[i] < low ? dye[i] : low, high = dye[i] > high ? dye[i] : high;
        print_message("%g and %g m^2/s: %.5f to %.5f, kept to %.1e\n", (double)values[k][0], (double)values[k][1],
                      (double)low, (double)high, total(world) / before - 1.0);
        assert_true(low > 0.25f - 1e-5f && high < 1.0f + 1e-5f);
        near("dye", total(world), before, 1e-5 * before);
        free(dye);
        pl_world_destroy(world);
    }
}

static void dye_stays_in_its_phase(void **state)
{
    (void)state;
    pl_fluid_def oil = inky(0.0f, 0.02f);
    oil.phase = 1;
    pl_world *world = two_blocks(inky(1.0f, 0.02f), oil, 1, 0);
    steps(world, 10, FRAME);
    float *dye = dyes(world);
    int count = pl_particle_end(world);
    for (int i = 0; i < count; i++)
        near("dye", (double)dye[i], i < count / 2 ? 1.0 : 0.0, 1e-6);
    free(dye);
    pl_world_destroy(world);
}

static void nothing_changes_the_bits(void **state)
{
    (void)state;
    static const int lanes[] = {1, 4, 8, 16};
    float *first = NULL;
    for (int i = 0; i < 4; i++)
    {
        pl_world_def def = pl_default_world_def();
        pl_world *trial = NULL;
        def.lanes = lanes[i];
        if (pl_world_create(&def, &trial) != PL_OK)
            continue; // this build or machine does not have that width
        pl_world_destroy(trial);
        pl_world *world = two_blocks(inky(1.0f, 0.01f), inky(0.0f, 0.03f), i == 0 ? 1 : 3, lanes[i]);
        steps(world, 5, FRAME);
        if (i)
            world = saved_and_loaded(world);
        steps(world, 5, FRAME);
        float *dye = dyes(world);
        if (first)
            assert_memory_equal(dye, first, (size_t)pl_particle_end(world) * sizeof *dye);
        else
            first = dye;
        if (dye != first)
            free(dye);
        pl_world_destroy(world);
    }
    free(first);
}

// A frame that fails leaves the dye as it was.
static void a_failed_frame_keeps_the_dye(void **state)
{
    (void)state;
    pl_world *world = two_blocks(inky(1.0f, 0.01f), inky(0.0f, 0.03f), 1, 0);
    float at[3] = {5.0f, 5.0f, 5.0f}, wild[3] = {3e38f, 0.0f, 0.0f};
    add_particles(world, 1, at, NULL);
    steps(world, 3, FRAME);
    float *before = dyes(world);
    good(pl_set(world, PL_ATTRIBUTE_VELOCITY, pl_particle_end(world) - 1, 1, wild));
    assert_int_equal(pl_world_step(world, (float)FRAME), PL_ERROR_DIVERGED);
    float *after = dyes(world);
    assert_memory_equal(before, after, (size_t)pl_particle_end(world) * sizeof *before);
    free(before), free(after);
    pl_world_destroy(world);
}

// Heat between two gases of different diffusivity is kept; a liquid with a temperature falls with g (1 - b T).
static void heat_uses_the_same_exchange(void **state)
{
    (void)state;
    pl_world *world = two_blocks(inky(0.0f, 0.0f), inky(0.0f, 0.0f), 1, 0);
    pl_settings s = pl_world_settings(world);
    s.gravity = (pl_vec3){0.0f, -9.81f, 0.0f};
    good(pl_world_set_settings(world, &s));
    int count = pl_particle_end(world);
    for (int k = 0; k < 2; k++)
    {
        pl_gas_def heat = pl_default_gas_def();
        pl_id id = pl_object_of_particle(world, k ? count - 1 : 0);
        heat.temperature = k ? 0.0f : 100.0f, heat.diffusivity = k ? 1e-3f : 0.02f;
        heat.weight = 1.0f, heat.drag = 0.0f, heat.expansion = 2e-3f;
        good(pl_set_gas(world, id, &heat));
    }
    steps(world, 15, FRAME);
    float *t = malloc((size_t)count * sizeof *t);
    double sum = 0.0, crossed = 0.0, p[3], l[3];
    good(pl_get_gas(world, 0, count, t));
    for (int i = 0; i < count; i++)
        sum += (double)t[i], crossed += i >= count / 2 ? (double)t[i] : 0.0;
    pl_world_momentum(world, p, l);
    double mass = 1000.0 * SPACING * SPACING * SPACING * count, wanted = -9.81 * 0.25 * (1.0 - 0.5 * 2e-3 * 100.0);
    print_message("heat kept to %.1e, %.3f of it crossed; speed %.4f m/s, wanted %.4f\n", sum / (50.0 * count) - 1.0,
                  crossed / sum, p[1] / mass, wanted);
    near("heat", sum, 50.0 * count, 1e-4 * count);
    assert_true(crossed > 0.01 * sum);
    near("speed", p[1] / mass, wanted, 1e-4 * fabs(wanted));
    free(t);
    pl_world_destroy(world);
}

static void bad_values_are_refused(void **state)
{
    (void)state;
    pl_world *world = two_blocks(inky(1.0f, 0.0f), inky(0.0f, 0.0f), 1, 0);
    pl_fluid_def def = inky(1.5f, 0.0f);
    pl_id id;
    refused_for(pl_add_fluid(world, &def, &id), "dye");
    def = inky(0.5f, -1.0f);
    refused_for(pl_set_fluid(world, 0, 1, &def), "diffusivity");
    float dye[2] = {0.5f, 2.0f}, at[3] = {5.0f, 5.0f, 5.0f}, value;
    refused_for(pl_set_dye(world, 0, 2, dye), "dye");
    good(pl_get_dye(world, 0, 1, &value));
    near("a refused dye", (double)value, 1.0, 0.0);
    int last = pl_particle_end(world);
    add_particles(world, 1, at, NULL);
    refused_for(pl_set_dye(world, last, 1, dye), "not of a fluid");
    refused_for(pl_get_dye(world, last, 2, dye), "there are");
    pl_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_step_spreads_as_the_equation_says),
                                       cmocka_unit_test(any_diffusivity_keeps_dye_within_bounds),
                                       cmocka_unit_test(dye_stays_in_its_phase),
                                       cmocka_unit_test(nothing_changes_the_bits),
                                       cmocka_unit_test(a_failed_frame_keeps_the_dye),
                                       cmocka_unit_test(heat_uses_the_same_exchange),
                                       cmocka_unit_test(bad_values_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
