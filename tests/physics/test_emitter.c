// test_emitter.c: an emitter gives the volume that its opening and speed say, its jet is the parabola of a falling body and
// keeps its density, its reserve ends and comes back, and neither threads, lanes, snapshots nor failed frames change
// what comes out.
// long: too
#include "fluid.h"
#include "support/long.h"

#define SPACING 0.02
#define FRAME (1.0 / 60.0)

static pl_emitter_def jet_def(pl_vec3 direction, float speed, float radius, int capacity)
{
    pl_emitter_def def = pl_default_emitter_def();
    def.fluid.spacing = (float)SPACING;
    def.direction = direction;
    def.size[0] = radius;
    def.speed = speed;
    def.capacity = capacity;
    return def;
}

static void frames(pl_world *world, int count) { steps(world, count, FRAME); }

// One particle; returns its number.
static int add_particle(pl_world *world)
{
    const float at[3] = {5.0f, 5.0f, 5.0f};
    pl_particles_def def = pl_default_particles_def();
    def.count = 1;
    def.position = at;
    good(pl_add_particles(world, &def, NULL));
    return pl_particle_end(world) - 1;
}

static pl_id add_jet(pl_world *world, const pl_emitter_def *def)
{
    pl_id id;
    good(pl_add_emitter(world, def, &id));
    return id;
}

static pl_emitter_state state_of(const pl_world *world, pl_id jet)
{
    pl_emitter_state s;
    good(pl_get_emitter(world, jet, &s));
    return s;
}

// ---- how much --------------------------------------------------------------------------------------------------------

// Over openings of any size, against the spacing, and over frames of any length.
static void the_volume_is_area_times_speed(void **state)
{
    (void)state;
    static const struct
    {
        pl_nozzle nozzle;
        float size[2], speed;
        double frame;
    } jets[] = {{PL_NOZZLE_DISC, {0.05f, 0.0f}, 1.3f, FRAME},
                {PL_NOZZLE_DISC, {0.011f, 0.0f}, 2.0f, FRAME},
                {PL_NOZZLE_DISC, {0.033f, 0.0f}, 6.0f, 0.005},
                {PL_NOZZLE_RECTANGLE, {0.07f, 0.03f}, 2.5f, FRAME},
                {PL_NOZZLE_RECTANGLE, {0.1f, 0.013f}, 4.0f, 0.02}};
    for (size_t i = 0; i < sizeof jets / sizeof *jets; i++)
    {
        pl_world *world = water_world(4, 1, 9.81);
        pl_emitter_def def = jet_def((pl_vec3){0.0f, -1.0f, 0.2f}, jets[i].speed, jets[i].size[0], 6000);
        def.nozzle = jets[i].nozzle;
        def.size[1] = jets[i].size[1];
        pl_id jet = add_jet(world, &def);
        int count = (int)(0.5 / jets[i].frame);
        steps(world, 5, jets[i].frame);
        pl_emitter_state before = state_of(world, jet);
        steps(world, count, jets[i].frame);
        pl_emitter_state after = state_of(world, jet);
        double wanted = after.area * (double)jets[i].speed * jets[i].frame * count,
               volume = (double)(after.emitted - before.emitted) * after.particle_volume;
        // A layer leaves or does not.
        double layer = after.particle_volume * (double)after.held / 3.0;
        print_message("jet %zu: %.6f m^3, wanted %.6f, %lld particles\n", i, volume, wanted,
                      (long long)(after.emitted - before.emitted));
        near("emitted volume", volume, wanted, 0.01 * wanted + layer);
        assert_int_equal(after.missed, 0);
        pl_world_destroy(world);
    }
}

// A rate sets the speed.
static void a_rate_sets_the_speed(void **state)
{
    (void)state;
    pl_world *world = water_world(4, 1, 0.0);
    pl_emitter_def def = jet_def((pl_vec3){1.0f, 0.0f, 0.0f}, 1.0f, 0.05f, 4000);
    def.rate = 0.01f;
    pl_emitter_state s = state_of(world, add_jet(world, &def));
    near("speed", (double)s.speed, 0.01 / (3.14159265 * 0.05 * 0.05), 1e-5);
    pl_world_destroy(world);
}

// ---- the jet ---------------------------------------------------------------------------------------------------------

// A level jet falls as a body does: y = -g x^2/(2 u^2), in the middle of the jet. Its density stays that of rest.
static void a_level_jet_is_a_parabola(void **state)
{
    (void)state;
    for (int k = is_long() ? 0 : 1; k < 2; k++)
    {
        const double speed = k ? 3.0 : 2.0, g = 9.81;
        pl_world *world = water_world(k ? 6 : 10, 2, g);
        pl_emitter_def def = jet_def((pl_vec3){1.0f, 0.0f, 0.0f}, (float)speed, 0.05f, 6000);
        pl_vec3 at = {k ? 64.0f : 0.0f, 0.0f, 0.0f};
        def.position = at;
        add_jet(world, &def);
        steps(world, 45, FRAME);
        int count = pl_particle_end(world);
        float *x = positions(world, count), *mass = malloc((size_t)count * sizeof *mass);
        good(pl_get(world, PL_ATTRIBUTE_MASS, 0, count, mass));
        for (int slice = 2; slice < (k ? 8 : 6); slice++)
        {
            double from = 0.2 * slice - 0.05, to = 0.2 * slice + 0.05, sum = 0.0, where = 0.0, n = 0.0;
            for (int i = 0; i < count; i++)
            {
                double way = (double)x[3 * i] - (double)at.x;
                if (mass[i] > 0.0f && way >= from && way < to)
                    sum += (double)x[3 * i + 1], where += -0.5 * g * way * way / (speed * speed), n += 1.0;
            }
            print_message("jet at %.1f m: y %.4f, parabola %.4f, %.0f particles\n", 0.2 * slice, sum / n, where / n, n);
            assert_true(n > 20.0);
            near("height of the jet", sum / n, where / n, 0.02 * fabs(where / n) + 0.0005);
        }
        pl_fluid_totals t = pl_world_fluid(world);
        print_message("compression %.3f %%, at most %.2f %%\n", 100.0 * t.compression_mean, 100.0 * t.compression_max);
        below("mean compression", t.compression_mean, 0.005);
        below("largest compression", t.compression_max, 0.04);
        free(x);
        free(mass);
        pl_world_destroy(world);
    }
}

// Without gravity nothing pushes a jet apart, or slows it.
static void a_free_jet_keeps_its_form(void **state)
{
    (void)state;
    pl_world *world = water_world(10, 2, 0.0);
    pl_emitter_def def = jet_def((pl_vec3){0.0f, 0.0f, 1.0f}, 2.0f, 0.05f, 4000);
    add_jet(world, &def);
    steps(world, 30, FRAME);
    int count = pl_particle_end(world);
    float *x = positions(world, count), *v = malloc(3 * (size_t)count * sizeof *v);
    uint8_t *active = malloc((size_t)count);
    good(pl_get(world, PL_ATTRIBUTE_VELOCITY, 0, count, v));
    good(pl_get_active(world, 0, count, active));
    double wide = 0.0, slow = 0.0;
    for (int i = 0; i < count; i++)
    {
        if (!active[i] || x[3 * i + 2] > 0.85f) // the head of a jet ends in nothing
            continue;
        wide = fmax(wide, sqrt((double)(x[3 * i] * x[3 * i] + x[3 * i + 1] * x[3 * i + 1])));
        slow = fmax(slow, fabs((double)v[3 * i + 2] - 2.0));
    }
    print_message("radius of the jet %.4f m, speed off by %.4f m/s\n", wide, slow);
    below("radius of the jet", wide, 0.05);
    below("deviation of the speed", slow, 0.02);
    free(x), free(v), free(active);
    pl_world_destroy(world);
}

// ---- the reserve -----------------------------------------------------------------------------------------------------

// When the reserve is used up, the jet stops; what a drain takes is emitted again, and all that reaches the drain is taken.
static void a_reserve_ends_and_comes_back(void **state)
{
    (void)state;
    pl_world *world = water_world(4, 2, 9.81);
    pl_emitter_def def = jet_def((pl_vec3){0.0f, -1.0f, 0.0f}, 2.0f, 0.03f, 400);
    pl_id jet = add_jet(world, &def), id;
    steps(world, 60, FRAME);
    pl_emitter_state s = state_of(world, jet);
    assert_true(s.reserve < 12 && s.missed > 0 && s.emitted <= 400);
    assert_int_equal(s.emitted + s.held + s.reserve, 400);
    pl_drain_def drain = pl_default_drain_def();
    drain.form = PL_DRAIN_PLANE;
    drain.position = (pl_vec3){0.0f, -1.0f, 0.0f};
    good(pl_add_drain(world, &drain, &id));
    int64_t emitted = s.emitted, taken;
    for (int frame = 0; frame < 120; frame++)
    {
        steps(world, 1, FRAME);
        uint8_t active[400];
        float x[1200];
        good(pl_get_active(world, 0, 400, active));
        good(pl_get(world, PL_ATTRIBUTE_POSITION, 0, 400, x));
        for (int i = 0; i < 400; i++)
            assert_true(!active[i] || x[3 * i + 1] >= -1.0f);
    }
    s = state_of(world, jet);
    good(pl_get_drain(world, id, &taken, NULL));
    assert_true(s.emitted > emitted + 400);
    assert_int_equal(s.drained, taken);
    assert_int_equal(s.emitted - s.drained + s.held + s.reserve, 400);
    assert_int_equal(pl_world_fluid(world).particles, s.emitted - s.drained + s.held);
    pl_world_destroy(world);
}

// Particles end after their lifetime; a closed nozzle is empty.
static void lifetimes_end_and_nozzles_close(void **state)
{
    (void)state;
    pl_world *world = water_world(4, 1, 0.0);
    pl_emitter_def def = jet_def((pl_vec3){0.0f, 1.0f, 0.0f}, 2.0f, 0.03f, 4000);
    def.lifetime = 0.25f;
    def.stop = 0.49;
    pl_id jet = add_jet(world, &def);
    steps(world, 25, FRAME);
    pl_emitter_state s = state_of(world, jet);
    double wanted = s.area * 2.0 * 0.25 / s.particle_volume;
    near("particles that live", (double)(s.emitted - s.aged), wanted, 0.1 * wanted);
    steps(world, 25, FRAME);
    s = state_of(world, jet);
    assert_int_equal(s.reserve, 4000);
    assert_int_equal(s.aged, s.emitted);
    assert_int_equal(pl_world_fluid(world).particles, 0);
    assert_true(pl_world_energy(world).kinetic == 0.0);
    pl_world_destroy(world);
}

// ---- equal bits ------------------------------------------------------------------------------------------------------

static pl_world *busy_world(int threads, int lanes, pl_id *jet)
{
    pl_world_def def = pl_default_world_def();
    def.settings.substeps = 4, def.settings.iterations = 2;
    def.threads = threads, def.lanes = lanes;
    pl_world *world = NULL;
    good(pl_world_create(&def, &world));
    add_plane(world, (pl_vec3){0.0f, -0.3f, 0.0f}, 0.0, 1.0, 0.0);
    pl_emitter_def e = jet_def((pl_vec3){0.5f, -1.0f, 0.0f}, 2.5f, 0.04f, 1500);
    *jet = add_jet(world, &e);
    pl_drain_def drain = pl_default_drain_def();
    drain.position = (pl_vec3){0.5f, -0.3f, 0.0f};
    drain.size = (pl_vec3){0.2f, 0.2f, 1.0f};
    drain.rate = 0.005f;
    good(pl_add_drain(world, &drain, NULL));
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
        pl_id jet;
        def.lanes = lanes[i];
        if (pl_world_create(&def, &trial) != PL_OK)
            continue; // this build or machine does not have that width
        pl_world_destroy(trial);
        pl_world *world = busy_world(i == 0 ? 1 : 3, lanes[i], &jet);
        frames(world, 20);
        if (i) // a snapshot in the middle, and a world that continues from it
        {
            pl_world *other = NULL;
            void *data;
            size_t size;
            good(pl_world_save_memory(world, &data, &size));
            good(pl_world_load_memory(&def, data, size, &other));
            frames(world, 3);
            good(pl_world_restore(world, data, size));
            frames(world, 30);
            uint64_t restored = pl_world_hash(world);
            assert_int_equal(restored, first);
            pl_world_destroy(world);
            pl_free(data);
            world = other;
        }
        frames(world, 30);
        first = first ? first : pl_world_hash(world);
        assert_int_equal(pl_world_hash(world), first);
        pl_world_destroy(world);
    }
}

// A frame that fails leaves the world as it was, the emitter included.
static void a_failed_frame_changes_nothing(void **state)
{
    (void)state;
    pl_id jet;
    pl_world *world = busy_world(1, 0, &jet), *twin = busy_world(1, 0, &jet);
    frames(world, 20);
    frames(twin, 20);
    int one = add_particle(world), other = add_particle(twin);
    const float wild[3] = {3e38f, 0.0f, 0.0f}, still[3] = {0.0f, 0.0f, 0.0f};
    pl_emitter_state before = state_of(world, jet);
    good(pl_set(world, PL_ATTRIBUTE_VELOCITY, one, 1, wild));
    assert_int_equal(pl_world_step(world, (float)FRAME), PL_ERROR_DIVERGED);
    pl_emitter_state after = state_of(world, jet);
    assert_memory_equal(&before, &after, sizeof before);
    good(pl_set(world, PL_ATTRIBUTE_VELOCITY, one, 1, still));
    good(pl_set(twin, PL_ATTRIBUTE_VELOCITY, other, 1, still));
    frames(world, 3);
    frames(twin, 3);
    assert_int_equal(state_of(world, jet).emitted, state_of(twin, jet).emitted);
    pl_world_destroy(world);
    pl_world_destroy(twin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_volume_is_area_times_speed), cmocka_unit_test(a_rate_sets_the_speed),
        cmocka_unit_test(a_level_jet_is_a_parabola),      cmocka_unit_test(a_free_jet_keeps_its_form),
        cmocka_unit_test(a_reserve_ends_and_comes_back),  cmocka_unit_test(lifetimes_end_and_nozzles_close),
        cmocka_unit_test(nothing_changes_the_bits),       cmocka_unit_test(a_failed_frame_changes_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
