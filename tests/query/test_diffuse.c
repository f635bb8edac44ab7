// test_diffuse.c: diffuse particles: spray flies along parabolas, bubbles rise and become foam, foam moves with the fluid; there
// are never too many, they change nothing in the world, and neither threads nor lanes change them.
#include "physics/fluid.h"

#include <string.h>

#define FRAME (1.0f / 60.0f)

// Everything that moves makes some.
static pl_diffuse_def eager(int capacity)
{
    pl_diffuse_def def = pl_default_diffuse_def();
    def.capacity = capacity;
    def.air_speed[0] = def.speed[0] = 0.0f, def.air_speed[1] = def.speed[1] = 1e-6f;
    def.lifetime[0] = 100.0f, def.lifetime[1] = 200.0f;
    def.air_drag = 0.0f;
    return def;
}

static pl_diffuse *make(const pl_world *world, const pl_diffuse_def *def)
{
    pl_diffuse *d = NULL;
    good(pl_diffuse_create(world, def, &d));
    return d;
}

static void frame(pl_world *world, pl_diffuse *d)
{
    good(pl_world_step(world, FRAME));
    good(pl_diffuse_step(d, world, FRAME));
}

// A ball of water falls onto the floor.
static pl_world *splash(int threads, int lanes)
{
    pl_world_def w = pl_default_world_def();
    pl_world *world = NULL;
    w.settings.substeps = 6, w.settings.iterations = 2;
    w.threads = threads, w.lanes = lanes;
    good(pl_world_create(&w, &world));
    pl_fluid_def def = pl_default_fluid_def();
    def.form = PL_FLUID_BALL, def.spacing = 0.03f, def.size = (pl_vec3){0.3f, 0.3f, 0.3f};
    def.velocity = (pl_vec3){0.0f, -3.0f, 0.0f};
    good(pl_add_fluid(world, &def, NULL));
    add_plane(world, (pl_vec3){0.0f, -0.3f, 0.0f}, 0.0, 1.0, 0.0);
    return world;
}

static void spray_flies_along_parabolas(void **state)
{
    (void)state;
    pl_world *world = splash(1, 0);
    pl_diffuse_def def = eager(3000);
    pl_diffuse *d = make(world, &def);
    int flown = 0;
    for (int i = 0; i < 12; i++)
    {
        pl_diffuse_points was = pl_diffuse_get(d);
        int count = was.count;
        float *x = malloc(3 * (size_t)(count + 1) * sizeof *x), *v = malloc(3 * (size_t)(count + 1) * sizeof *v);
        memcpy(x, was.position, 3 * (size_t)count * sizeof *x), memcpy(v, was.velocity, 3 * (size_t)count * sizeof *v);
        frame(world, d);
        pl_diffuse_points now = pl_diffuse_get(d);
        bool same = i < 5; // none has hit the floor
        for (int p = 0; same && p < count; p++)
        {
            if (now.kind[p] != PL_DIFFUSE_SPRAY)
                continue;
            const double fall[3] = {0.0, -0.5 * 9.81 * (double)FRAME * (double)FRAME, 0.0};
            for (int c = 0; c < 3; c++)
                near("spray", (double)now.position[3 * p + c],
                     (double)x[3 * p + c] + (double)FRAME * (double)v[3 * p + c] + fall[c], 1e-6);
            flown++;
        }
        for (int p = 0; p < now.count; p++)
            assert_true(now.kind[p] != PL_DIFFUSE_SPRAY || now.position[3 * p + 1] > -0.3f);
        free(x), free(v);
    }
    print_message("%d flights of spray, %d particles\n", flown, pl_diffuse_get(d).count);
    assert_true(flown > 10);
    pl_diffuse_destroy(d);
    pl_world_destroy(world);
}

static double mean_height(const pl_diffuse *d)
{
    pl_diffuse_points p = pl_diffuse_get(d);
    double sum = 0.0;
    for (int i = 0; i < p.count; i++)
        sum += (double)p.position[3 * i + 1];
    return sum / p.count;
}

static void bubbles_rise_and_become_foam(void **state)
{
    (void)state;
    enum
    {
        LAYERS = 10,
    };
    const double a = 0.02;
    pl_world *world = water_world(8, 2, 9.81);
    add_water(world, a, (pl_vec3){0.0f, 0.0f, 0.0f}, (int[]){8, LAYERS, 8});
    add_tank(world, (pl_vec3){0.0f, 0.0f, 0.0f}, 8.0 * a, 8.0 * a);
    steps(world, 5, (double)FRAME);
    pl_diffuse_def def = eager(300);
    pl_diffuse *d = make(world, &def);
    frame(world, d);
    assert_int_equal(pl_diffuse_get(d).count, 300);
    double first = mean_height(d);
    for (int i = 0; i < 30; i++)
        frame(world, d);
    pl_diffuse_points p = pl_diffuse_get(d);
    int foam = 0, low = 0;
    for (int i = 0; i < p.count; i++)
        foam += p.kind[i] == PL_DIFFUSE_FOAM, low += (double)p.position[3 * i + 1] < (LAYERS - 3) * a;
    print_message("mean height %.3f m, later %.3f of %.3f; %d of %d are foam, %d are still deep\n", first,
                  mean_height(d), LAYERS * a, foam, p.count, low);
    assert_int_equal(p.count, 300); // they neither age in that time, nor become more than the capacity
    assert_true(low < p.count / 50 && foam > p.count / 2);
    pl_diffuse_destroy(d);
    pl_world_destroy(world);
}

// In a block that flies without gravity; lone foam dissolves after its time.
static void foam_moves_with_the_fluid(void **state)
{
    (void)state;
    pl_world *world = water_world(4, 1, 0.0);
    pl_fluid_def def = pl_default_fluid_def();
    def.velocity = (pl_vec3){1.0f, 0.5f, 0.0f}, def.size = (pl_vec3){0.16f, 0.16f, 0.16f}, def.jitter = 0.0f;
    good(pl_add_fluid(world, &def, NULL));
    float v[3] = {1.01f, 0.5f, 0.01f};
    for (int i = 0; i < pl_particle_end(world); i += 7)
        good(pl_set(world, PL_ATTRIBUTE_VELOCITY, i, 1, v));
    pl_diffuse_def made = eager(500);
    made.lifetime[0] = 0.2f, made.lifetime[1] = 0.3f;
    pl_diffuse *d = make(world, &made);
    frame(world, d);
    assert_true(pl_diffuse_get(d).count > 100);
    int seen = 0;
    for (int i = 0; i < 5; i++)
    {
        frame(world, d);
        pl_diffuse_points p = pl_diffuse_get(d);
        for (int k = 0; k < p.count; k++)
        {
            if (p.kind[k] != PL_DIFFUSE_FOAM || p.life[k] > 0.29f) // those of this frame have not moved yet
                continue;
            near("vx", (double)p.velocity[3 * k], 1.0, 0.15), near("vy", (double)p.velocity[3 * k + 1], 0.5, 0.15);
            seen++;
        }
    }
    assert_true(seen > 50);
    made.trapped_air = made.wave_crest = 0.0f;
    pl_diffuse_destroy(d);
    pl_world_destroy(world);
}

static void nothing_changes_the_bits(void **state)
{
    (void)state;
    static const int lanes[] = {1, 4, 8, 16};
    pl_diffuse *first = NULL;
    pl_world *kept = NULL;
    pl_diffuse_def def = pl_default_diffuse_def();
    def.capacity = 2000;
    for (int i = 0; i < 4; i++)
    {
        pl_world_def w = pl_default_world_def();
        pl_world *trial = NULL;
        w.lanes = lanes[i];
        if (pl_world_create(&w, &trial) != PL_OK)
            continue; // this build or machine does not have that width
        pl_world_destroy(trial);
        pl_world *world = splash(i == 0 ? 1 : 3, lanes[i]), *alone = splash(1, lanes[i]);
        pl_diffuse *d = make(world, &def);
        for (int k = 0; k < 15; k++)
        {
            frame(world, d);
            good(pl_world_step(alone, FRAME));
        }
        assert_int_equal(pl_world_hash(world), pl_world_hash(alone)); // they change nothing
        pl_world_destroy(alone);
        pl_diffuse_points a = pl_diffuse_get(d), b = pl_diffuse_get(first ? first : d);
        assert_int_equal(a.count, b.count);
        assert_true(a.count > 20);
        assert_memory_equal(a.position, b.position, 3 * (size_t)a.count * sizeof *a.position);
        assert_memory_equal(a.velocity, b.velocity, 3 * (size_t)a.count * sizeof *a.velocity);
        assert_memory_equal(a.life, b.life, (size_t)a.count * sizeof *a.life);
        assert_memory_equal(a.kind, b.kind, (size_t)a.count);
        if (first)
        {
            pl_diffuse_destroy(d);
            pl_world_destroy(world);
        }
        else
            first = d, kept = world;
    }
    print_message("%d diffuse particles\n", pl_diffuse_get(first).count);
    pl_diffuse_destroy(first);
    pl_world_destroy(kept);
}

static void bad_values_are_refused(void **state)
{
    (void)state;
    pl_world *world = water_world(4, 1, 9.81);
    pl_diffuse *d = NULL;
    pl_diffuse_def def = pl_default_diffuse_def();
    def.capacity = 0;
    refused_for(pl_diffuse_create(world, &def, &d), "capacity");
    def = pl_default_diffuse_def();
    def.speed[1] = def.speed[0];
    refused_for(pl_diffuse_create(world, &def, &d), "speed");
    def = pl_default_diffuse_def();
    def.drag = NAN;
    refused_for(pl_diffuse_create(world, &def, &d), "drag");
    assert_null(d);
    def = pl_default_diffuse_def();
    good(pl_diffuse_create(world, &def, &d));
    refused_for(pl_diffuse_step(d, world, 0.0f), "dt");
    good(pl_diffuse_step(d, world, FRAME)); // without any fluid
    assert_int_equal(pl_diffuse_get(d).count, 0);
    pl_diffuse_destroy(d);
    pl_diffuse_destroy(NULL);
    pl_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spray_flies_along_parabolas), cmocka_unit_test(bubbles_rise_and_become_foam),
        cmocka_unit_test(foam_moves_with_the_fluid), cmocka_unit_test(nothing_changes_the_bits),
        cmocka_unit_test(bad_values_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
