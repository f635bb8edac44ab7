// test_fluid_solids.c: fluids and what is solid: water and grains that strike each other keep their common momentum, and a
// cup of thin triangles that is shaken and turned does not leak.
// long: too
#include "fluid.h"
#include "support/long.h"

#define SPACING 0.02

// ---- momentum ------------------------------------------------------------------------------------------------------

// A ball of water flies into a wall of heavy and light grains.
static pl_world *splash(int threads, int lanes)
{
    enum
    {
        SIDE = 10,
    };
    pl_world_def def = pl_default_world_def();
    def.settings.substeps = 8, def.settings.iterations = 2;
    def.settings.gravity = (pl_vec3){0.0f, 0.0f, 0.0f};
    def.threads = threads, def.lanes = lanes;
    pl_world *world = NULL;
    good(pl_world_create(&def, &world));
    pl_fluid_def ball = pl_default_fluid_def();
    ball.form = PL_FLUID_BALL;
    ball.size = (pl_vec3){0.16f, 0.16f, 0.16f};
    ball.origin = (pl_vec3){-0.2f, -0.08f, -0.08f};
    ball.velocity = (pl_vec3){2.0f, 0.0f, 0.0f};
    good(pl_add_fluid(world, &ball, NULL));
    float x[3 * SIDE * SIDE], mass[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++)
    {
        x[3 * i] = 0.0f;
        x[3 * i + 1] = (float)(SPACING * (i % SIDE - 4.5)), x[3 * i + 2] = (float)(SPACING * (i / SIDE - 4.5));
        mass[i] = i % 3 ? 0.002f : 0.02f;
    }
    add_grains(world, SIDE * SIDE, x, mass, 0.45 * SPACING);
    return world;
}

static void water_pushes_grains(void **state)
{
    (void)state;
    static const int lanes[] = {1, 8};
    uint64_t first = 0;
    for (int i = 0; i < 2; i++)
    {
        pl_world *world = splash(i + 1, lanes[i]);
        double p0[3], l0[3], p[3], l[3], lost = 0.0;
        pl_world_momentum(world, p0, l0);
        steps(world, 20, 1.0 / 60.0);
        pl_world_momentum(world, p, l);
        for (int k = 0; k < 3; k++)
            lost += (p[k] - p0[k]) * (p[k] - p0[k]);
        pl_vec3 v = velocity_of(world, pl_particle_count(world) - 45);
        print_message("momentum lost %.1e, a grain goes on with %.2f m/s\n", sqrt(lost) / p0[0], (double)v.x);
        below("momentum lost", sqrt(lost) / p0[0], 1e-5);
        assert_true(v.x > 0.5f && v.x < 4.0f);
        first = first ? first : pl_world_hash(world);
        assert_int_equal(pl_world_hash(world), first);
        pl_world_destroy(world);
    }
}

// ---- a cup ---------------------------------------------------------------------------------------------------------

#define HALF 0.08 // m: half of the width of the cup
#define HIGH 0.2

static pl_id add_cup(pl_world *world)
{
    static const float s = (float)HALF, h = (float)HIGH;
    const float vertices[] = {-s, 0, -s, s, 0, -s, s, 0, s, -s, 0, s, -s, h, -s, s, h, -s, s, h, s, -s, h, s};
    static const int32_t triangles[] = {0, 1, 2, 0, 2, 3, 0, 1, 5, 0, 5, 4, 1, 2, 6,
                                        1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
    pl_shape_def def = pl_default_shape_def();
    def.kind = PL_SHAPE_MESH;
    def.two_sided = true;
    def.vertices = vertices, def.vertex_count = 8, def.triangles = triangles, def.triangle_count = 10;
    pl_id id;
    good(pl_add_shape(world, &def, &id));
    return id;
}

static void a_shaken_cup_holds_water(void **state)
{
    (void)state;
    pl_world *world = water_world(8, 2, 9.81);
    add_water(world, SPACING, (pl_vec3){(float)-HALF, 0.0f, (float)-HALF}, (int[]){8, 6, 8});
    pl_id cup = add_cup(world);
    int count = pl_particle_count(world), outside = 0, frames = is_long() ? 1200 : 60;
    double at = 0.0;
    for (int frame = 0; frame < frames; frame++)
    {
        double t = frame / 60.0, turn = 0.15 * sin(3.0 * t);
        at = 0.02 * sin(9.0 * t);
        pl_quat q = {0.0f, (float)sin(0.5 * turn), 0.0f, (float)cos(0.5 * turn)};
        good(pl_move_shape(world, cup, (pl_vec3){(float)at, 0.0f, 0.0f}, q));
        steps(world, 1, 1.0 / 60.0);
    }
    float *x = positions(world, count);
    double turn = 0.15 * sin(3.0 * (frames - 1) / 60.0), c = cos(turn), s = sin(turn);
    for (int i = 0; i < count; i++)
    {
        double u = (double)x[3 * i] - at, v = (double)x[3 * i + 2], a = c * u - s * v, b = s * u + c * v;
        outside += x[3 * i + 1] < 0.0f || (fabs(a) > HALF || fabs(b) > HALF);
    }
    free(x);
    pl_fluid_totals totals = pl_world_fluid(world);
    print_message("%d of %d outside, compression %.2f %%, at most %.2f %%\n", outside, count,
                  100.0 * totals.compression_mean, 100.0 * totals.compression_max);
    assert_int_equal(outside, 0);
    below("compression", totals.compression_mean, 0.02);
    pl_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(water_pushes_grains),
                                       cmocka_unit_test(a_shaken_cup_holds_water)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
