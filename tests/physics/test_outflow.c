// test_outflow.c: water leaves a tank with a hole at the speed of Torricelli, a nozzle under water pushes it away without
// an explosion, a fountain keeps its volume, and none of it allocates memory.
// long: too
#include "fluid.h"
#include "support/long.h"

#define SPACING 0.02
#define FRAME (1.0 / 60.0)

static void add_box(pl_world *world, pl_vec3 centre, pl_vec3 half)
{
    pl_shape_def def = pl_default_shape_def();
    pl_id id;
    def.kind = PL_SHAPE_BOX;
    def.position = centre;
    def.half = half;
    good(pl_add_shape(world, &def, &id));
}

// ---- Torricelli ------------------------------------------------------------------------------------------------------

// A tank on a floor of four thick boxes around a square hole. The speed of what has left the hole, at the depth y below the
// water's level, against sqrt(2 g y); the level is that of the volume left in the tank.
// It grows with the hole in spacings and with the substeps: 0.87 for 4 spacings at 10 x 2, 0.92 at 30 x 2.
static void outflow(bool wide)
{
    const int across = wide ? 15 : 11, high = wide ? 20 : 12;
    const double side = across * SPACING, hole = (wide ? 8.0 : 4.0) * SPACING, thick = 0.04, g = 9.81;
    pl_world *world = water_world(wide ? 10 : 30, 2, g);
    const float half = (float)(0.5 * side), in = (float)(0.5 * hole), wall = 0.5f * (half - in) + 0.1f;
    pl_fluid_def water = pl_default_fluid_def();
    pl_id id;
    water.origin = (pl_vec3){-half, 0.0f, -half};
    water.size = (pl_vec3){(float)side, (float)(high * SPACING), (float)side};
    water.smoothing = wide ? 0.01f : 0.003f; // the same in a second
    good(pl_add_fluid(world, &water, &id));
    add_plane(world, (pl_vec3){-half, 0.0f, 0.0f}, 1.0, 0.0, 0.0);
    add_plane(world, (pl_vec3){half, 0.0f, 0.0f}, -1.0, 0.0, 0.0);
    add_plane(world, (pl_vec3){0.0f, 0.0f, -half}, 0.0, 0.0, 1.0);
    add_plane(world, (pl_vec3){0.0f, 0.0f, half}, 0.0, 0.0, -1.0);
    for (int k = -1; k <= 1; k += 2)
    {
        const float s = (float)k, y = (float)(-0.5 * thick), t = (float)(0.5 * thick);
        add_box(world, (pl_vec3){s * (in + wall), y, 0.0f}, (pl_vec3){wall, t, 1.0f});
        add_box(world, (pl_vec3){0.0f, y, s * (in + wall)}, (pl_vec3){in, t, wall});
    }
    pl_drain_def drain = pl_default_drain_def();
    drain.form = PL_DRAIN_PLANE;
    drain.position = (pl_vec3){0.0f, -0.3f, 0.0f};
    good(pl_add_drain(world, &drain, &id));
    int count = pl_particle_count(world);
    double ratio = 0.0, n = 0.0;
    uint8_t *active = malloc((size_t)count);
    float *v = malloc(3 * (size_t)count * sizeof *v);
    for (int frame = 0; frame < 36; frame++)
    {
        steps(world, 1, FRAME);
        if (frame < 18)
            continue; // until the flow is steady
        float *x = positions(world, count);
        good(pl_get(world, PL_ATTRIBUTE_VELOCITY, 0, count, v));
        good(pl_get_active(world, 0, count, active));
        int left = 0;
        for (int i = 0; i < count; i++)
            left += active[i] && x[3 * i + 1] > 0.0f;
        double level = left * SPACING * SPACING * SPACING / (side * side);
        for (int i = 0; i < count; i++)
        {
            double y = (double)x[3 * i + 1];
            if (active[i] && y < -thick && y > -thick - 0.08)
                ratio += -(double)v[3 * i + 1] / sqrt(2.0 * g * (level - y)), n += 1.0;
        }
        free(x);
    }
    print_message("speed of the outflow %.3f of Torricelli's, over %.0f particles\n", ratio / n, n);
    near("speed of the outflow", ratio / n, 1.0, 0.1);
    free(active), free(v);
    pl_world_destroy(world);
}

static void a_hole_lets_water_out_as_torricelli_says(void **state)
{
    (void)state;
    outflow(false);
    if (is_long())
        outflow(true);
}

// ---- a nozzle under water --------------------------------------------------------------------------------------------

// Even with a jitter nothing is thrown about, and the nozzle delivers against the pressure.
static void a_nozzle_under_water_delivers(void **state)
{
    (void)state;
    pl_world *world = water_world(10, 2, 9.81);
    const int size[3] = {10, 10, 10};
    add_water(world, SPACING, (pl_vec3){0.0f, 0.0f, 0.0f}, size);
    add_tank(world, (pl_vec3){0.0f, 0.0f, 0.0f}, SPACING * size[0], SPACING * size[2]);
    pl_emitter_def def = pl_default_emitter_def();
    def.fluid.spacing = (float)SPACING, def.fluid.jitter = 0.1f;
    def.position = (pl_vec3){0.01f, 0.08f, 0.1f}; // half a spacing in front of the wall
    def.direction = (pl_vec3){1.0f, 0.0f, 0.0f};
    def.size[0] = 0.03f, def.speed = 0.5f, def.capacity = 1000;
    pl_id jet;
    good(pl_add_emitter(world, &def, &jet));
    double fast = 0.0, mean = 0.0;
    for (int frame = 0; frame < 40; frame++)
    {
        steps(world, 1, FRAME);
        int count = pl_particle_end(world);
        float *v = malloc(3 * (size_t)count * sizeof *v);
        good(pl_get(world, PL_ATTRIBUTE_VELOCITY, 0, count, v));
        for (int i = 0; i < count; i++)
            fast = fmax(
                fast, sqrt((double)(v[3 * i] * v[3 * i] + v[3 * i + 1] * v[3 * i + 1] + v[3 * i + 2] * v[3 * i + 2])));
        free(v);
        mean = fmax(mean, pl_world_fluid(world).compression_mean);
    }
    pl_emitter_state s;
    good(pl_get_emitter(world, jet, &s));
    double wanted = s.area * 0.5 * 39.0 * FRAME / s.particle_volume;
    print_message("%lld particles, wanted %.0f; fastest %.2f m/s, mean compression at most %.2f %%\n",
                  (long long)s.emitted, wanted, fast, 100.0 * mean);
    near("emitted", (double)s.emitted, wanted, 0.02 * wanted + 8.0);
    below("speed", fast, 2.5);
    below("mean compression", mean, 0.02);
    pl_world_destroy(world);
}

// ---- a fountain ------------------------------------------------------------------------------------------------------

typedef struct ledger
{
    long calls;
} ledger;

static void *count_resize(void *user, void *block, size_t old_size, size_t new_size)
{
    (void)old_size;
    ((ledger *)user)->calls++;
    if (new_size)
        return realloc(block, new_size);
    free(block);
    return NULL;
}

// A pump and a nozzle that share the water of a basin: its volume stays, and after a while nothing is allocated.
static void a_fountain_keeps_its_volume(void **state)
{
    (void)state;
    ledger account = {0};
    pl_world_def def = pl_default_world_def();
    pl_world *world;
    def.threads = 1;
    def.allocator = (pl_allocator){.resize = count_resize, .user = &account};
    def.settings.substeps = 6, def.settings.iterations = 2;
    good(pl_world_create(&def, &world));
    const int size[3] = {16, 4, 16};
    pl_emitter_def e = pl_default_emitter_def();
    e.source = add_water(world, SPACING, (pl_vec3){-0.16f, 0.0f, -0.16f}, size);
    add_tank(world, (pl_vec3){-0.16f, 0.0f, -0.16f}, 0.32, 0.32);
    e.position = (pl_vec3){0.0f, 0.15f, 0.0f};
    e.direction = (pl_vec3){0.0f, 1.0f, 0.0f};
    e.size[0] = 0.02f, e.speed = 1.5f;
    good(pl_add_emitter(world, &e, NULL));
    pl_drain_def drain = pl_default_drain_def();
    pl_emitter_state s;
    good(pl_get_emitter(world, e.source, &s));
    drain.position = (pl_vec3){0.0f, 0.02f, 0.0f};
    drain.size = (pl_vec3){0.32f, 0.04f, 0.32f};
    drain.rate = (float)(s.area * 1.5);
    good(pl_add_drain(world, &drain, NULL));
    double whole = s.capacity * s.particle_volume, least = whole;
    int frames = is_long() ? 3600 : 150;
    steps(world, 90, FRAME);
    long before = 0;
    for (int frame = 0; frame < frames; frame++)
    {
        before = frame == frames - 60 ? account.calls : before;
        steps(world, 1, FRAME);
        least = fmin(least, pl_world_fluid(world).volume);
    }
    good(pl_get_emitter(world, e.source, &s));
    print_message("volume at least %.2f %% of all, %lld emitted, %lld drained, %lld missed, %ld allocations\n",
                  100.0 * least / whole, (long long)s.emitted, (long long)s.drained, (long long)s.missed,
                  account.calls - before);
    assert_true(s.emitted > 300);
    near("volume", least, whole, 0.02 * whole);
    assert_int_equal(account.calls - before, 0);
    pl_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_hole_lets_water_out_as_torricelli_says),
                                       cmocka_unit_test(a_nozzle_under_water_delivers),
                                       cmocka_unit_test(a_fountain_keeps_its_volume)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
