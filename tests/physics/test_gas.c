// test_gas.c: a gas rises by its temperature, drifts with the wind at the speed of balance, keeps its momentum and its
// heat, cools and spreads heat as it should, and neither threads, lanes nor snapshots change it.
// long: too
#include "fluid.h"
#include "support/long.h"

#define SPACING 0.05
#define FRAME (1.0 / 60.0)

// A ball of gas, half a metre wide.
static pl_id add_blob(pl_world *world, const pl_gas_def *gas)
{
    pl_fluid_def def = pl_default_fluid_def();
    pl_id id;
    def.spacing = (float)SPACING;
    def.density = 1.2f;
    def.form = PL_FLUID_BALL;
    def.size = (pl_vec3){0.5f, 0.5f, 0.5f};
    good(pl_add_fluid(world, &def, &id));
    good(pl_set_gas(world, id, gas));
    return id;
}

static pl_gas_def gas_of(float temperature, float drag, float cooling, float diffusivity)
{
    pl_gas_def gas = pl_default_gas_def();
    gas.temperature = temperature, gas.drag = drag, gas.cooling = cooling, gas.diffusivity = diffusivity;
    return gas;
}

static double mean_temperature(const pl_world *world)
{
    int count = pl_particle_end(world);
    float *t = malloc((size_t)count * sizeof *t);
    double sum = 0.0;
    good(pl_get_gas(world, 0, count, t));
    for (int i = 0; i < count; i++)
        sum += (double)t[i];
    free(t);
    return sum / count;
}

static double mean_speed(const pl_world *world, int axis)
{
    double p[3], l[3], mass = 1.2 * SPACING * SPACING * SPACING * pl_particle_end(world);
    pl_world_momentum(world, p, l);
    return p[axis] / mass;
}

// Without drag the momentum is that of the buoyancy, m b T g t; as warm as the air, it floats.
static void a_warm_blob_rises(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++)
    {
        const float temperature = k == 0 ? 100.0f : k == 1 ? 0.0f : -60.0f;
        pl_world *world = water_world(k == 1 ? 10 : 4, 2, 9.81);
        pl_gas_def gas = gas_of(temperature, 0.0f, 0.0f, 0.0f);
        add_blob(world, &gas);
        steps(world, 30, FRAME);
        double wanted = 0.0034 * (double)temperature * 9.81 * 0.5, speed = mean_speed(world, 1);
        print_message("%g K: %.5f m/s, wanted %.5f\n", (double)temperature, speed, wanted);
        near("speed", speed, wanted, 1e-4 * fabs(wanted) + 1e-5);
        near("sideways", mean_speed(world, 0), 0.0, 1e-5);
        pl_world_destroy(world);
    }
}

// With drag it reaches b T g/k above the wind, along v(t) = v (1 - exp(-k t)).
static void drag_ends_the_acceleration(void **state)
{
    (void)state;
    pl_world *world = water_world(6, 2, 9.81);
    pl_gas_def gas = gas_of(200.0f, 4.0f, 0.0f, 0.0f);
    pl_settings s = pl_world_settings(world);
    s.wind.velocity = (pl_vec3){0.5f, 0.0f, 0.0f};
    s.wind.density = 0.0f;
    good(pl_world_set_settings(world, &s));
    add_blob(world, &gas);
    double last = 0.0034 * 200.0 * 9.81 / 4.0;
    steps(world, 15, FRAME);
    near("speed after 0.25 s", mean_speed(world, 1), last * (1.0 - exp(-1.0)), 0.01 * last);
    steps(world, 105, FRAME);
    print_message("terminal speed %.4f m/s, wanted %.4f; with the wind %.4f of 0.5\n", mean_speed(world, 1), last,
                  mean_speed(world, 0));
    near("terminal speed", mean_speed(world, 1), last, 0.01 * last);
    near("speed of the wind", mean_speed(world, 0), 0.5, 0.005);
    pl_world_destroy(world);
}

// Heat that spreads is kept; heat that leaves does so at its rate.
static void heat_is_kept_and_lost(void **state)
{
    (void)state;
    pl_world *world = water_world(4, 2, 9.81);
    pl_gas_def gas = gas_of(100.0f, 1.0f, 0.0f, 5e-3f), cold = gas_of(0.0f, 1.0f, 0.0f, 5e-3f);
    add_blob(world, &gas);
    pl_fluid_def def = pl_default_fluid_def();
    pl_id id;
    def.spacing = (float)SPACING, def.density = 1.2f;
    def.origin = (pl_vec3){0.0f, 0.5f, 0.0f}, def.size = (pl_vec3){0.5f, 0.3f, 0.5f};
    good(pl_add_fluid(world, &def, &id));
    good(pl_set_gas(world, id, &cold));
    int count = pl_particle_end(world), first, cool;
    good(pl_object_range(world, id, &first, &cool));
    double before = mean_temperature(world);
    steps(world, 60, FRAME);
    float *t = malloc((size_t)count * sizeof *t), low = 1e9f, high = -1e9f, gained = 0.0f;
    good(pl_get_gas(world, 0, count, t));
    for (int i = 0; i < count; i++)
    {
        low = t[i] < low ? t[i] : low, high = t[i] > high ? t[i] : high;
        gained += i >= first ? t[i] / (float)cool : 0.0f;
    }
    free(t);
    print_message("heat kept to %.1e; %.2f to %.2f K; the cold half gained %.2f K\n",
                  mean_temperature(world) / before - 1.0, (double)low, (double)high, (double)gained);
    near("heat", mean_temperature(world), before, 1e-5 * before);
    assert_true(low >= 0.0f && high <= 100.0f && gained > 1.0f);
    pl_world_destroy(world);

    world = water_world(10, 1, 0.0);
    gas = gas_of(100.0f, 1.0f, 2.0f, 0.0f);
    add_blob(world, &gas);
    steps(world, 30, FRAME);
    near("temperature after cooling", mean_temperature(world), 100.0 * exp(-1.0), 0.3);
    pl_world_destroy(world);
}

// A spot of heat in a block at rest spreads as the heat equation says: its variance grows by 2 D a second on each axis.
static void heat_spreads_as_the_equation_says(void **state)
{
    (void)state;
    pl_world *world = water_world(4, 1, 0.0);
    const float diffusivity = 0.02f;
    pl_gas_def gas = gas_of(0.0f, 0.0f, 0.0f, diffusivity), hot = gas_of(1000.0f, 0.0f, 0.0f, diffusivity);
    pl_fluid_def def = pl_default_fluid_def();
    pl_id block, spot;
    def.spacing = (float)SPACING, def.density = 1.2f, def.jitter = 0.0f;
    // A plate of hot particles between two blocks of cold ones.
    def.size = (pl_vec3){0.7f, 0.5f, 0.5f};
    good(pl_add_fluid(world, &def, &block));
    good(pl_set_gas(world, block, &gas));
    def.origin = (pl_vec3){0.75f, 0.0f, 0.0f};
    good(pl_add_fluid(world, &def, &block));
    good(pl_set_gas(world, block, &gas));
    def.origin = (pl_vec3){0.7f, 0.0f, 0.0f}, def.size.x = (float)SPACING;
    good(pl_add_fluid(world, &def, &spot));
    hot.expansion = gas.expansion = 0.0f;
    good(pl_set_gas(world, spot, &hot));
    steps(world, 30, FRAME);
    int count = pl_particle_end(world);
    float *t = malloc((size_t)count * sizeof *t), *x = positions(world, count);
    double sum = 0.0, square = 0.0;
    good(pl_get_gas(world, 0, count, t));
    for (int i = 0; i < count; i++)
    {
        double off = (double)x[3 * i] - 0.725;
        if (fabs((double)x[3 * i + 1] - 0.25) > 0.1 || fabs((double)x[3 * i + 2] - 0.25) > 0.1)
            continue; // particles at the surface have fewer neighbours
        sum += (double)t[i], square += (double)t[i] * off * off;
    }
    double variance = square / sum, wanted = 2.0 * (double)diffusivity * 0.5;
    print_message("variance %.5f m^2, wanted %.5f\n", variance, wanted);
    near("variance of the heat", variance, wanted, 0.05 * wanted);
    free(t), free(x);
    pl_world_destroy(world);
}

static pl_world *smoky_world(int threads, int lanes)
{
    pl_world_def def = pl_default_world_def();
    def.settings.substeps = 3, def.settings.iterations = 2;
    def.threads = threads, def.lanes = lanes;
    pl_world *world = NULL;
    pl_id id;
    good(pl_world_create(&def, &world));
    pl_emitter_def e = pl_default_emitter_def();
    e.fluid.spacing = (float)SPACING, e.fluid.density = 1.2f;
    e.direction = (pl_vec3){0.0f, 1.0f, 0.1f};
    e.size[0] = 0.12f, e.speed = 1.0f, e.capacity = 1200, e.lifetime = 0.7f;
    good(pl_add_emitter(world, &e, &id));
    pl_gas_def gas = gas_of(150.0f, 2.0f, 0.5f, 1e-3f);
    good(pl_set_gas(world, id, &gas));
    return world;
}

static void nothing_changes_the_bits(void **state)
{
    (void)state;
    static const int lanes[] = {1, 4, 8, 16};
    uint64_t first = 0;
    for (int i = 0; i < 4; i++)
    {
        pl_world_def def = pl_default_world_def();
        pl_world *trial = NULL;
        def.lanes = lanes[i];
        if (pl_world_create(&def, &trial) != PL_OK)
            continue; // this build or machine does not have that width
        pl_world_destroy(trial);
        pl_world *world = smoky_world(i == 0 ? 1 : 3, lanes[i]);
        steps(world, 25, FRAME);
        if (i)
            world = saved_and_loaded(world);
        steps(world, 30, FRAME);
        first = first ? first : pl_world_hash(world);
        assert_int_equal(pl_world_hash(world), first);
        pl_world_destroy(world);
    }
}

// A frame that fails leaves the temperatures as they were.
static void a_failed_frame_keeps_the_heat(void **state)
{
    (void)state;
    pl_world *world = smoky_world(1, 0);
    float at[3] = {5.0f, 5.0f, 5.0f}, wild[3] = {3e38f, 0.0f, 0.0f};
    add_particles(world, 1, at, NULL);
    steps(world, 40, FRAME);
    int count = pl_particle_end(world);
    float *before = malloc((size_t)count * sizeof *before), *after = malloc((size_t)count * sizeof *after);
    good(pl_get_gas(world, 0, count, before));
    good(pl_set(world, PL_ATTRIBUTE_VELOCITY, count - 1, 1, wild));
    assert_int_equal(pl_world_step(world, (float)FRAME), PL_ERROR_DIVERGED);
    good(pl_get_gas(world, 0, count, after));
    assert_memory_equal(before, after, (size_t)count * sizeof *before);
    free(before), free(after);
    pl_world_destroy(world);
}

static void bad_gases_are_refused(void **state)
{
    (void)state;
    pl_world *world = water_world(4, 1, 9.81);
    pl_gas_def gas = pl_default_gas_def();
    pl_id blob = add_blob(world, &gas);
    gas.drag = -1.0f;
    refused_for(pl_set_gas(world, blob, &gas), "drag");
    gas = pl_default_gas_def();
    gas.temperature = NAN;
    refused_for(pl_set_gas(world, blob, &gas), "temperature");
    gas = pl_default_gas_def();
    float at[3] = {5.0f, 5.0f, 5.0f};
    refused_for(pl_set_gas(world, add_particles(world, 1, at, NULL), &gas), "not a fluid");
    pl_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warm_blob_rises),        cmocka_unit_test(drag_ends_the_acceleration),
        cmocka_unit_test(heat_is_kept_and_lost),    cmocka_unit_test(heat_spreads_as_the_equation_says),
        cmocka_unit_test(nothing_changes_the_bits), cmocka_unit_test(a_failed_frame_keeps_the_heat),
        cmocka_unit_test(bad_gases_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
