// test_fluid.c: water at rest keeps its volume and has the pressure of its depth, a free blob keeps its momentum, nothing
// leaves a closed box, and the bits do not depend on threads and lanes.
// long: too
#include "fluid.h"
#include "support/long.h"

#define SPACING 0.02

// ---- a tank at rest ------------------------------------------------------------------------------------------------

typedef struct tank
{
    int size[3];
    pl_vec3 at;
    double seconds, still; // how long it rests, and the kinetic energy of a kilogram then
    int substeps;
} tank;

typedef struct layer
{
    double pressure;
    int count;
} layer;

enum
{
    LAYERS = 64,
};

// Adds the pressures of the inner particles to their layers.
static void look_at_layers(const pl_world *world, const tank *t, int count, layer *layers)
{
    float *x = positions(world, count), *p = malloc((size_t)count * sizeof *p);
    good(pl_get_fluid(world, 0, count, NULL, p));
    for (int i = 0; i < count; i++)
    {
        double u = ((double)x[3 * i] - (double)t->at.x) / SPACING,
               v = ((double)x[3 * i + 2] - (double)t->at.z) / SPACING;
        int k = (int)(((double)x[3 * i + 1] - (double)t->at.y) / SPACING);
        if (u > 2.0 && u < t->size[0] - 2.0 && v > 2.0 && v < t->size[2] - 2.0 && k >= 0 && k < LAYERS)
            layers[k].pressure += (double)p[i], layers[k].count++;
    }
    free(x);
    free(p);
}

// The pressure over the depth as a line: its slope in units of density times gravity, and the largest deviation from it,
// in pressures at the floor. One layer above the floor to two below the surface.
static void fit_pressure(const tank *t, const layer *layers, double *slope, double *off)
{
    double n = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0, depth = SPACING * t->size[1],
           floor_pressure = 9810.0 * depth;
    for (int k = 1; k < t->size[1] - 2; k++)
    {
        double d = depth - (k + 0.5) * SPACING, p = layers[k].pressure / layers[k].count;
        n += 1.0, sx += d, sy += p, sxx += d * d, sxy += d * p;
    }
    double m = (n * sxy - sx * sy) / (n * sxx - sx * sx), c = (sy - m * sx) / n;
    *slope = m / 9810.0, *off = 0.0;
    for (int k = 1; k < t->size[1] - 2; k++)
    {
        double d = depth - (k + 0.5) * SPACING, p = layers[k].pressure / layers[k].count;
        *off = fmax(*off, fabs(p - m * d - c) / floor_pressure);
    }
}

static void rest(const tank *t)
{
    pl_world *world = water_world(t->substeps, 2, 9.81);
    add_water(world, SPACING, t->at, t->size);
    add_tank(world, t->at, SPACING * t->size[0], SPACING * t->size[2]);
    int count = pl_particle_count(world), frames = (int)(60.0 * t->seconds), look = 20;
    layer layers[LAYERS] = {{0.0, 0}};
    double mean = 0.0, most = 0.0, height = 0.0, slope, off;
    for (int frame = 0; frame < frames; frame++)
    {
        steps(world, 1, 1.0 / 60.0);
        if (frame < frames - look)
            continue;
        pl_fluid_totals totals = pl_world_fluid(world);
        mean += totals.compression_mean / look, most = fmax(most, totals.compression_max);
        look_at_layers(world, t, count, layers);
        float *x = positions(world, count);
        for (int i = 0; i < count; i++)
            height += ((double)x[3 * i + 1] - (double)t->at.y) / count / look;
        free(x);
    }
    fit_pressure(t, layers, &slope, &off);
    double ke = kinetic_each(world), volume = height / (0.5 * SPACING * t->size[1]) - 1.0;
    print_message(
        "%d x %d x %d at %g, %d x 2: compression %.2f %%, at most %.2f %%, volume %+.2f %%, %.1e J/kg, pressure %.3f, "
        "off its line by %.1f %%\n",
        t->size[0], t->size[1], t->size[2], (double)t->at.x, t->substeps, 100.0 * mean, 100.0 * most, 100.0 * volume,
        ke, slope, 100.0 * off);
    below("mean compression", mean, 0.01);
    below("largest compression", most, 0.03);
    near("volume", volume, 0.0, 0.02);
    below("kinetic energy of a kilogram", ke, t->still);
    near("slope of the pressure", slope, 1.0, 0.05);
    below("deviation of the pressure", off, 0.05);
    pl_world_destroy(world);
}

static void water_rests(void **state)
{
    (void)state;
    const tank small = {{8, 10, 8}, {0.0f, 0.0f, 0.0f}, 3.0, 1e-4, 10},
               others[] = {
                   {{8, 10, 8}, {64.0f, 0.0f, 64.0f}, 10.0, 1e-5, 10},
                   {{16, 20, 16}, {0.0f, 0.0f, 0.0f}, 10.0, 1e-5, 10},
                   {{8, 60, 8}, {0.0f, 0.0f, 0.0f}, 10.0, 1e-5, 16}}; // deep: the compression grows with the depth
    rest(&small);
    for (int i = 0; is_long() && i < 3; i++)
        rest(&others[i]);
}

// ---- momentum ------------------------------------------------------------------------------------------------------

// A blob that turns and flies, out of its rest density: it expands, and keeps its momentum.
static void a_free_blob_keeps_its_momentum(void **state)
{
    (void)state;
    pl_world *world = water_world(10, 2, 0.0);
    pl_fluid_def def = pl_default_fluid_def();
    def.form = PL_FLUID_BALL;
    def.size = (pl_vec3){0.2f, 0.2f, 0.2f};
    def.origin = (pl_vec3){-0.1f, -0.1f, -0.1f};
    pl_id id;
    good(pl_add_fluid(world, &def, &id));
    int count = pl_particle_count(world);
    float *x = positions(world, count), *v = malloc(3 * (size_t)count * sizeof *v);
    for (int i = 0; i < count; i++)
    {
        v[3 * i] = 1.0f - 5.0f * x[3 * i + 1], v[3 * i + 1] = 0.3f + 5.0f * x[3 * i], v[3 * i + 2] = -0.2f;
        for (int c = 0; c < 3; c++)
            x[3 * i + c] *= 0.97f;
    }
    good(pl_set(world, PL_ATTRIBUTE_POSITION, 0, count, x));
    good(pl_set(world, PL_ATTRIBUTE_VELOCITY, 0, count, v));
    double p0[3], l0[3], p[3], l[3], lost = 0.0, turned = 0.0, size = 0.0, spin = 0.0;
    pl_world_momentum(world, p0, l0);
    steps(world, is_long() ? 300 : 60, 1.0 / 60.0);
    pl_world_momentum(world, p, l);
    for (int k = 0; k < 3; k++)
    {
        lost += (p[k] - p0[k]) * (p[k] - p0[k]), size += p0[k] * p0[k];
        turned += (l[k] - l0[k]) * (l[k] - l0[k]), spin += l0[k] * l0[k];
    }
    print_message("momentum lost %.1e, angular momentum %.1e\n", sqrt(lost / size), sqrt(turned / spin));
    below("momentum lost", sqrt(lost / size), 1e-5);
    below("angular momentum lost", sqrt(turned / spin), 1e-3);
    free(x);
    free(v);
    pl_world_destroy(world);
}

// ---- nothing leaks -------------------------------------------------------------------------------------------------

static pl_world *sloshing_box(int threads, int lanes)
{
    pl_world_def def = pl_default_world_def();
    def.settings.substeps = 6, def.settings.iterations = 2;
    def.threads = threads, def.lanes = lanes;
    pl_world *world = NULL;
    good(pl_world_create(&def, &world));
    add_water(world, SPACING, (pl_vec3){0.0f, 0.1f, 0.0f}, (int[]){6, 8, 6});
    add_tank(world, (pl_vec3){0.0f, 0.0f, 0.0f}, 0.2, 0.16);
    add_plane(world, (pl_vec3){0.0f, 0.3f, 0.0f}, 0.0, -1.0, 0.0);
    return world;
}

// Gravity turns round: the water strikes every wall.
static void slosh(pl_world *world, int frames)
{
    static const pl_vec3 ways[] = {
        {0.0f, -30.0f, 0.0f}, {30.0f, 0.0f, 0.0f}, {0.0f, 30.0f, 10.0f}, {-30.0f, 0.0f, -30.0f}};
    for (int frame = 0; frame < frames; frame++)
    {
        pl_settings s = pl_world_settings(world);
        s.gravity = ways[frame / 15 % 4];
        good(pl_world_set_settings(world, &s));
        steps(world, 1, 1.0 / 60.0);
    }
}

static void nothing_leaves_a_closed_box(void **state)
{
    (void)state;
    pl_world *world = sloshing_box(1, 0);
    slosh(world, is_long() ? 1200 : 90);
    int count = pl_particle_count(world), outside = 0;
    float *x = positions(world, count);
    for (int i = 0; i < count; i++)
        outside += x[3 * i] < 0.0f || x[3 * i] > 0.2f || x[3 * i + 1] < 0.0f || x[3 * i + 1] > 0.3f ||
                   x[3 * i + 2] < 0.0f || x[3 * i + 2] > 0.16f;
    assert_int_equal(outside, 0);
    free(x);
    pl_world_destroy(world);
}

static void threads_and_lanes_change_nothing(void **state)
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
        pl_world *world = sloshing_box(i == 0 ? 1 : 3, lanes[i]);
        slosh(world, 20);
        first = first ? first : pl_world_hash(world);
        assert_int_equal(pl_world_hash(world), first);
        pl_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(water_rests), cmocka_unit_test(a_free_blob_keeps_its_momentum),
                                       cmocka_unit_test(nothing_leaves_a_closed_box),
                                       cmocka_unit_test(threads_and_lanes_change_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
