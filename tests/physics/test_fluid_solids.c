// test_fluid_solids.c: fluids and what is solid: water and grains that strike each other keep their common momentum, and a
// cup of thin triangles that is shaken and turned does not leak; single grains sink or rise by the volume of a ball, and a
// cloth holds water back that would fit between its particles.
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

// ---- buoyancy ------------------------------------------------------------------------------------------------------

// Single grains in a tank, of 2.5 times and of a tenth of the density of water as balls. With the volume of the space around them
// both would rise.
static void single_grains_sink_or_rise(void **state)
{
    (void)state;
    enum
    {
        EACH = 4,
    };
    const double radius = 0.45 * SPACING, ball = 4.18879 * radius * radius * radius;
    pl_world *world = water_world(10, 2, 9.81);
    add_water(world, SPACING, (pl_vec3){0.0f, 0.0f, 0.0f}, (int[]){8, 9, 8});
    add_tank(world, (pl_vec3){0.0f, 0.0f, 0.0f}, 8.0 * SPACING, 8.0 * SPACING);
    float x[6 * EACH], mass[2 * EACH];
    for (int i = 0; i < 2 * EACH; i++)
    {
        x[3 * i] = (float)(SPACING * (2.0 + 4.0 * (i % 2))),
              x[3 * i + 2] = (float)(SPACING * (2.0 + 4.0 * (i / 2 % 2)));
        x[3 * i + 1] = (float)(SPACING * (i < EACH ? 6.0 : 3.0));
        mass[i] = (float)(ball * (i < EACH ? 2500.0 : 100.0));
    }
    add_grains(world, 2 * EACH, x, mass, radius);
    for (int i = 0; i < 12; i++) // water at rest has an order that holds grains
    {
        pl_settings s = pl_world_settings(world);
        s.gravity = (pl_vec3){i % 2 ? -3.0f : 3.0f, -9.81f, i % 3 ? 1.0f : -2.0f};
        good(pl_world_set_settings(world, &s));
        steps(world, 12, 1.0 / 60.0);
    }
    int first = pl_particle_end(world) - 2 * EACH;
    double heavy = 0.0, light = 0.0;
    good(pl_get(world, PL_ATTRIBUTE_POSITION, first, 2 * EACH, x));
    for (int i = 0; i < 2 * EACH; i++)
        *(i < EACH ? &heavy : &light) += (double)x[3 * i + 1] / EACH / SPACING;
    print_message("in a tank of 9 spacings heavy grains are at %.2f, light ones at %.2f spacings\n", heavy, light);
    assert_true(heavy < 1.0 && light > 7.0);
    pl_world_destroy(world);
}

// ---- a cloth -------------------------------------------------------------------------------------------------------

// A cloth with particles 1.7 spacings apart, held at its border between walls, under falling water.
static void a_cloth_holds_water(void **state)
{
    (void)state;
    enum
    {
        SIDE = 7,
        BORDER = 4 * (SIDE - 1),
    };
    pl_world *world = water_world(10, 2, 9.81);
    pl_cloth_def cloth = pl_default_cloth_def();
    int32_t held[BORDER];
    int borders = 0;
    for (int i = 0; i < SIDE * SIDE; i++)
        if (i / SIDE % (SIDE - 1) == 0 || i % SIDE % (SIDE - 1) == 0)
            held[borders++] = i;
    cloth.columns = cloth.rows = SIDE, cloth.mass = 0.1f, cloth.thickness = 0.01f;
    cloth.origin = (pl_vec3){0.0f, 0.3f, 0.0f}, cloth.u = (pl_vec3){0.204f, 0.0f, 0.0f};
    cloth.v = (pl_vec3){0.0f, 0.0f, 0.204f};
    cloth.stretch.compliance = cloth.shear.compliance = 1e-4f;
    cloth.pinned = held, cloth.pinned_count = borders;
    good(pl_add_cloth(world, &cloth, NULL));
    add_water(world, SPACING, (pl_vec3){0.022f, 0.4f, 0.022f}, (int[]){8, 6, 8});
    pl_vec3 low = {0.01f, -10.0f, 0.01f};
    add_tank(world, low, 0.184, 0.184);
    int count = pl_particle_end(world), through = 0;
    float *x = NULL, sag = 1.0f;
    steps(world, 45, 1.0 / 60.0);
    x = positions(world, count);
    for (int i = 0; i < SIDE * SIDE; i++)
        sag = x[3 * i + 1] < sag ? x[3 * i + 1] : sag;
    for (int i = SIDE * SIDE; i < count; i++)
        through += x[3 * i + 1] < sag;
    print_message("the cloth sags by %.3f m; %d of %d particles went through\n", 0.3 - (double)sag, through,
                  count - SIDE * SIDE);
    assert_int_equal(through, 0);
    assert_true(sag < 0.295f && sag > 0.15f);
    free(x);
    pl_world_destroy(world);
}

// ---- a cup ---------------------------------------------------------------------------------------------------------

#define HALF 0.08 // m: half of the width of the cup
#define HIGH 0.3

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

// The cup is moved along x, and turned about y and then about z.
typedef struct pose
{
    double x, about_y, about_z;
} pose;

static pl_quat rotation_of(const pose *p)
{
    double c = cos(0.5 * p->about_y), s = sin(0.5 * p->about_y), cz = cos(0.5 * p->about_z), sz = sin(0.5 * p->about_z);
    return (pl_quat){(float)(-sz * s), (float)(cz * s), (float)(sz * c), (float)(cz * c)};
}

// A point of the world as the cup sees it.
static void into_cup(const pose *p, const float *x, double q[3])
{
    double cz = cos(p->about_z), sz = sin(p->about_z), c = cos(p->about_y), s = sin(p->about_y);
    double u = (double)x[0] - p->x, v = (double)x[1], a = cz * u + sz * v;
    q[0] = c * a - s * (double)x[2], q[1] = cz * v - sz * u, q[2] = s * a + c * (double)x[2];
}

// Particles that left over the rim may be anywhere. Returns how many are outside without that.
static int leaks(const pl_world *world, const pose *p, int count, bool *over)
{
    float *x = positions(world, count);
    int outside = 0;
    for (int i = 0; i < count; i++)
    {
        double q[3];
        into_cup(p, x + 3 * i, q);
        over[i] |= q[1] > HIGH;
        outside += !over[i] && (q[1] < 0.0 || fabs(q[0]) > HALF || fabs(q[2]) > HALF);
    }
    free(x);
    return outside;
}

static void a_shaken_cup_holds_water(void **state)
{
    (void)state;
    static bool over[8 * 8 * 6];
    pl_world *world = water_world(8, 2, 9.81);
    add_water(world, SPACING, (pl_vec3){(float)-HALF, 0.0f, (float)-HALF}, (int[]){8, 6, 8});
    pl_id cup = add_cup(world);
    int count = pl_particle_count(world), outside = 0, spilt = 0, frames = is_long() ? 3600 : 60;
    memset(over, 0, sizeof over);
    for (int frame = 0; frame < frames; frame++)
    {
        double t = frame / 60.0;
        pose p = {0.03 * sin(12.0 * t), 0.5 * sin(3.0 * t), 0.5 * sin(1.7 * t)}; // up to 4.3 m/s^2
        good(pl_move_shape(world, cup, (pl_vec3){(float)p.x, 0.0f, 0.0f}, rotation_of(&p)));
        steps(world, 1, 1.0 / 60.0);
        outside += leaks(world, &p, count, over);
    }
    for (int i = 0; i < count; i++)
        spilt += over[i];
    pl_fluid_totals totals = pl_world_fluid(world);
    print_message("%d of %d went through, %d over the rim, compression %.2f %%, at most %.2f %%\n", outside, count,
                  spilt, 100.0 * totals.compression_mean, 100.0 * totals.compression_max);
    assert_int_equal(outside, 0);
    below("share that went over the rim", spilt / (double)count, 0.5);
    below("compression", totals.compression_mean, 0.02);
    pl_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_pushes_grains), cmocka_unit_test(single_grains_sink_or_rise),
        cmocka_unit_test(a_cloth_holds_water), cmocka_unit_test(a_shaken_cup_holds_water)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
