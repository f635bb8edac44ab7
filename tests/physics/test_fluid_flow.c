// test_fluid_flow.c: water that flows: a collapsing column against the experiments of Koshizuka and Oka (1996) and of Martin
// and Moyce (1952), and the period of a column that swings in a U-shaped channel.
// long: too
#include "fluid.h"
#include "support/long.h"

static const double pi = 3.14159265358979;

// ---- a dam breaks --------------------------------------------------------------------------------------------------

#define WIDTH 0.146 // m: of the column; it is twice as high

// The experiments, of columns twice as high as wide: t sqrt(2 g/L) and z/L.
static const struct experiment
{
    const char *name;
    int count;
    double time[15], front[15];
} experiments[] = {
    {"Koshizuka and Oka (1996)",
     8,
     {0.381, 0.769, 1.153, 1.537, 1.935, 2.323, 2.719, 3.096},
     {1.111, 1.252, 1.505, 1.892, 2.241, 2.615, 3.003, 3.624}},
    {"Martin and Moyce (1952), 2.25 inches wide",
     15,
     {0.41, 0.84, 1.19, 1.43, 1.63, 1.83, 1.98, 2.20, 2.32, 2.51, 2.65, 2.83, 2.98, 3.11, 3.33},
     {1.11, 1.22, 1.44, 1.67, 1.89, 2.11, 2.33, 2.56, 2.78, 3.00, 3.22, 3.44, 3.67, 3.89, 4.11}},
};

// The gates of the experiments open in a finite time, and their floors have friction: their columns start later than ours.
#define GATE 0.25 // in the unit of `time`

static double front(const pl_world *world, int count, double spacing)
{
    float *x = positions(world, count), *density = malloc((size_t)count * sizeof *density);
    double most = 0.0;
    good(pl_get_fluid(world, 0, count, density, NULL));
    for (int i = 0; i < count; i++)
        if (density[i] > 350.0f && (double)x[3 * i] > most) // single drops do not count
            most = (double)x[3 * i];
    free(x);
    free(density);
    return (most + 0.5 * spacing) / WIDTH;
}

// reached: the front after each frame of a duration.
static void compare_fronts(const struct experiment *e, const double *reached, double frame)
{
    double worst = 0.0, squares = 0.0;
    for (int row = 0; row < e->count; row++)
    {
        double at = (e->time[row] - GATE) / frame;
        int k = (int)at;
        double z = reached[k] + (at - k) * (reached[k + 1] - reached[k]), off = z / e->front[row] - 1.0;
        print_message("t %.3f: front %.3f, experiment %.3f (%+.1f %%)\n", e->time[row], z, e->front[row], 100.0 * off);
        worst = fmax(worst, fabs(off)), squares += off * off / e->count;
    }
    print_message("%s: at most %.1f %% off, rms %.1f %%\n", e->name, 100.0 * worst, 100.0 * sqrt(squares));
    below("deviation of the front", worst, 0.10);
}

static void a_dam_breaks(void **state)
{
    (void)state;
    const int n = is_long() ? 20 : 10, size[3] = {n, 2 * n, is_long() ? 8 : 4};
    const double spacing = WIDTH / n, unit = sqrt(2.0 * 9.81 / WIDTH), dt = 1.0 / 120.0;
    pl_world *world = water_world(5, 2, 9.81);
    add_water(world, spacing, (pl_vec3){0.0f, 0.0f, 0.0f}, size);
    add_tank(world, (pl_vec3){0.0f, 0.0f, 0.0f}, 6.0 * WIDTH, spacing * size[2]);
    enum
    {
        FRAMES = 36,
    };
    int count = pl_particle_count(world);
    double reached[FRAMES + 1] = {1.0};
    for (int frame = 1; frame <= FRAMES; frame++)
    {
        steps(world, 1, dt);
        reached[frame] = front(world, count, spacing);
    }
    for (int k = 0; k < 2; k++)
        compare_fronts(&experiments[k], reached, dt * unit);
    pl_world_destroy(world);
}

// ---- a U-shaped channel --------------------------------------------------------------------------------------------

#define SPACING 0.02
#define GAP (8.0 * SPACING) // the width of the channel
#define BEND (1.5 * GAP)    // the radius of its middle
#define DEPTH (4.0 * SPACING)
#define LEG (12.0 * SPACING) // the mean height of the water in the legs

// Fills rings below and columns above; the left one is higher by `more`, the right one lower.
static int fill_channel(float *x, double more)
{
    int count = 0, rows = (int)(GAP / SPACING + 0.5), layers = (int)(DEPTH / SPACING + 0.5);
    for (int k = 0; k < layers; k++)
        for (int i = 0; i < rows; i++)
        {
            double r = BEND - 0.5 * GAP + (i + 0.5) * SPACING, z = (k + 0.5) * SPACING - 0.5 * DEPTH;
            int around = (int)(pi * r / SPACING + 0.5);
            for (int a = 0; a < around; a++, count++)
            {
                double angle = pi * (a + 0.5) / around;
                x[3 * count] = (float)(-r * cos(angle)), x[3 * count + 1] = (float)(-r * sin(angle));
                x[3 * count + 2] = (float)z;
            }
            for (int side = -1; side <= 1; side += 2)
                for (int j = 0; j < (int)((LEG - side * more) / SPACING + 0.5); j++, count++)
                {
                    x[3 * count] = (float)(side * r), x[3 * count + 1] = (float)((j + 0.5) * SPACING);
                    x[3 * count + 2] = (float)z;
                }
        }
    return count;
}

static void add_capsule(pl_world *world, double radius, bool inside)
{
    pl_shape_def def = pl_default_shape_def();
    def.kind = PL_SHAPE_CAPSULE;
    def.position = (pl_vec3){0.0f, 1.0f, 0.0f};
    def.length = 2.0f, def.radius = (float)radius, def.inside = inside;
    good(pl_add_shape(world, &def, NULL));
}

// Half of the difference of the levels.
static double level(const pl_world *world, int count)
{
    float *x = positions(world, count);
    int more = 0;
    for (int i = 0; i < count; i++)
        if (x[3 * i + 1] > 0.0f)
            more += x[3 * i] < 0.0f ? 1 : -1;
    free(x);
    return 0.5 * more * SPACING * SPACING * SPACING / (GAP * DEPTH);
}

// Half of the oscillations cross zero downwards, half upwards: the times between three crossings are a period.
static void water_swings(void **state)
{
    (void)state;
    static float x[3 * 20000];
    pl_world *world = water_world(10, 2, 9.81);
    pl_fluid_def def = pl_default_fluid_def();
    def.spacing = (float)SPACING, def.position = x, def.count = fill_channel(x, 0.2 * LEG), def.smoothing = 0.002f;
    good(pl_add_fluid(world, &def, NULL));
    add_capsule(world, BEND + 0.5 * GAP, true);
    add_capsule(world, BEND - 0.5 * GAP, false);
    add_plane(world, (pl_vec3){0.0f, 0.0f, (float)(-0.5 * DEPTH)}, 0.0, 0.0, 1.0);
    add_plane(world, (pl_vec3){0.0f, 0.0f, (float)(0.5 * DEPTH)}, 0.0, 0.0, -1.0);
    double crossing[8], before = level(world, def.count), length = pi * BEND + 2.0 * LEG;
    double wanted = 2.0 * pi * sqrt(length / (2.0 * 9.81));
    int crossings = 0, most = is_long() ? 5 : 3;
    for (int frame = 0; frame < 600 && crossings < most; frame++)
    {
        steps(world, 1, 1.0 / 60.0);
        double now = level(world, def.count);
        if ((before > 0.0) != (now > 0.0))
            crossing[crossings++] = (frame + before / (before - now)) / 60.0;
        before = now;
    }
    assert_int_equal(crossings, most);
    double period = 2.0 * (crossing[most - 1] - crossing[0]) / (most - 1);
    print_message("%d particles: period %.4f s, theory %.4f s (%+.1f %%)\n", def.count, period, wanted,
                  100.0 * (period / wanted - 1.0));
    near("period", period / wanted, 1.0, 0.03);
    pl_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_dam_breaks), cmocka_unit_test(water_swings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
