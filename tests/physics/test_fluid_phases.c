// test_fluid_phases.c: fluids of different density and phase: a light layer above a heavy one stays, side by side the heavy
// one flows below the light one, a heavy layer above a light one turns over where it is disturbed, and an interface has a tension.
// long: too
#include "fluid.h"
#include "support/long.h"

#define SPACING 0.01
static const double pi = 3.14159265358979;

enum
{
    WIDE = 16,
    HIGH = 12,
    DEEP = 4,
};

typedef struct pair
{
    double density[2], tension, interface_tension;
    bool beside; // side by side, not one above the other
    double wave; // spacings: so much higher is the interface of layers on the left, and lower on the right
} pair;

// The positions of one of the fluids; returns their number.
static int fill(const pair *p, int fluid, float *x)
{
    int count = 0;
    for (int i = 0; i < WIDE * HIGH * DEEP; i++)
    {
        const double at[3] = {i % WIDE + 0.5, i / WIDE % HIGH + 0.5, i / (WIDE * HIGH) + 0.5};
        double level = 0.5 * HIGH + p->wave * cos(pi * at[0] / WIDE);
        bool second = p->beside ? at[0] > 0.5 * WIDE : at[1] > level;
        for (int k = 0; k < 3 && second == fluid; k++)
            x[3 * count + k] = (float)(SPACING * (at[k] + 0.1 * (double)jitter(i, k)));
        count += second == fluid;
    }
    return count;
}

// Steps a tank with two fluids, and stores the mean heights of both.
static void settle(const pair *p, int frames, double height[2])
{
    static float x[3 * WIDE * HIGH * DEEP];
    pl_world *world = water_world(10, 2, 9.81);
    int count[2];
    for (int i = 0; i < 2; i++)
    {
        pl_fluid_def def = pl_default_fluid_def();
        def.spacing = (float)SPACING, def.density = (float)p->density[i], def.phase = i;
        def.tension = (float)p->tension, def.interface_tension = (float)p->interface_tension;
        def.position = x, def.count = count[i] = fill(p, i, x);
        good(pl_add_fluid(world, &def, NULL));
    }
    add_tank(world, (pl_vec3){0.0f, 0.0f, 0.0f}, SPACING * WIDE, SPACING * DEEP);
    steps(world, frames, 1.0 / 60.0);
    good(pl_get(world, PL_ATTRIBUTE_POSITION, 0, count[0] + count[1], x));
    height[0] = height[1] = 0.0;
    for (int i = 0; i < count[0] + count[1]; i++)
        height[i >= count[0]] += (double)x[3 * i + 1] / count[i >= count[0]] / (SPACING * HIGH);
    print_message("%g and %g kg/m^3, wave %g: heights %.3f and %.3f\n", p->density[0], p->density[1], p->wave,
                  height[0], height[1]);
    pl_world_destroy(world);
}

static void layers_find_their_place(void **state)
{
    (void)state;
    const pair stays = {{1000.0, 800.0}, 0.05, 0.035, false, 0.0}, flows = {{800.0, 1000.0}, 0.05, 0.035, true, 0.0},
               turns = {{800.0, 1000.0}, 0.05, 0.035, false, 2.0}, large = {{500.0, 1000.0}, 0.05, 0.035, false, 2.0};
    double height[2];
    settle(&stays, 60, height);
    near("height of the heavy layer", height[0], 0.25, 0.02);
    near("height of the light layer", height[1], 0.75, 0.02);
    settle(&flows, 90, height);
    assert_true(height[0] > 0.6 && height[1] < 0.4); // from a half each; layers would be at 3/4 and 1/4
    // Turned round, they begin to flow where their interface is not level.
    settle(&turns, 100, height);
    assert_true(height[0] > 0.33 && height[1] < 0.67); // from 1/4 and 3/4
    settle(&large, 60, height);
    assert_true(height[0] > height[1] + 0.1);
    if (!is_long())
        return;
    settle(&turns, 300, height);
    assert_true(height[0] > 0.42 && height[1] < 0.58);
}

// ---- interface -----------------------------------------------------------------------------------------------------

// How far a box of fluid inside another, without gravity, is from a ball: mean distance from its centre over that of a
// ball of the same volume.
static double roundness(double interface_tension)
{
    enum
    {
        SIDE = 16,
        BOX = 8,
    };
    static float x[2][3 * SIDE * SIDE * SIDE];
    pl_world *world = water_world(10, 2, 0.0);
    int count[2] = {0, 0}, low = (SIDE - BOX) / 2;
    for (int i = 0; i < SIDE * SIDE * SIDE; i++)
    {
        int at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE}, inner = 1;
        for (int c = 0; c < 3; c++)
            inner = inner && at[c] >= low && at[c] < low + BOX;
        for (int c = 0; c < 3; c++)
            x[!inner][3 * count[!inner] + c] =
                (float)(SPACING * (at[c] + 0.5 + 0.05 * ((i * 7919 + c * 104729) % 101 / 50.0 - 1.0)));
        count[!inner]++;
    }
    for (int i = 0; i < 2; i++)
    {
        pl_fluid_def def = pl_default_fluid_def();
        def.spacing = (float)SPACING, def.position = x[i], def.count = count[i], def.phase = i;
        def.tension = 1.0f, def.interface_tension = (float)interface_tension;
        good(pl_add_fluid(world, &def, NULL));
    }
    steps(world, 60, 1.0 / 60.0);
    float *now = positions(world, count[0]);
    double centre[3] = {0.0, 0.0, 0.0}, mean = 0.0, ball = 0.75 * cbrt(count[0] * 3.0 / (4.0 * pi)) * SPACING;
    for (int i = 0; i < 3 * count[0]; i++)
        centre[i % 3] += (double)now[i] / count[0];
    for (int i = 0; i < count[0]; i++)
    {
        double square = 0.0;
        for (int c = 0; c < 3; c++)
            square += ((double)now[3 * i + c] - centre[c]) * ((double)now[3 * i + c] - centre[c]);
        mean += sqrt(square) / count[0];
    }
    free(now);
    pl_world_destroy(world);
    print_message("tension of the interface %g: mean distance %.3f of a ball's\n", interface_tension, mean / ball);
    return mean / ball;
}

static void an_interface_contracts(void **state)
{
    (void)state;
    double mixing = roundness(0.0), round = roundness(1.0);
    below("mean distance", round, 1.02);
    assert_true(round < mixing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(layers_find_their_place),
                                       cmocka_unit_test(an_interface_contracts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
