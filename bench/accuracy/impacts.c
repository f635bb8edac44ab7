// impacts.c: what elastic impacts keep of their energy: oblique ones, a gas, rows of balls that touch, a ball on a floor.
#include "accuracy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void make_elastic(pl_world *w, bool weightless)
{
    const pl_material m = {.restitution = 1.0f};
    pl_settings s = pl_world_settings(w);
    good(pl_set_material(w, 0, &m));
    if (weightless)
        s.gravity = (pl_vec3){0.0f, 0.0f, 0.0f};
    good(pl_world_set_settings(w, &s));
}

static int add_ball(pl_world *w, const double at[3], const double v[3], double radius, double mass)
{
    int i = add_particle(w, at[0], at[1], at[2], mass);
    float r = (float)radius, speed[3] = {(float)v[0], (float)v[1], (float)v[2]};
    good(pl_set(w, PL_ATTRIBUTE_RADIUS, i, 1, &r));
    good(pl_set(w, PL_ATTRIBUTE_VELOCITY, i, 1, speed));
    return i;
}

static const double still[3] = {0.0, 0.0, 0.0};

// ---- two balls -----------------------------------------------------------------------------------------------------

typedef struct oblique
{
    double worst, mean; // of the energy's change
    double angle;       // the largest error of the direction in which the struck ball leaves [rad]
} oblique;

// A ball of 1 kg strikes one of `mass` kg at rest; offset: how far off its centre, in parts of the sum of the radii.
static oblique strike(int substeps, int order, double offset, double mass, double speed, double away)
{
    enum
    {
        PHASES = 32,
    };
    oblique r = {0};
    for (int k = 0; k < PHASES; k++)
    {
        const double radius = 0.05, reach = 2.0 * radius, h = 1.0 / 60.0 / substeps;
        pl_world *w = make_world(substeps, 1, order);
        make_elastic(w, true);
        // They touch in the k-th part of a substep.
        double far = reach * sqrt(1.0 - offset * offset) + speed * h * (7.0 + (k + 0.5) / PHASES);
        const double at[3] = {away, away, away}, from[3] = {away - far, away + offset * reach, away};
        const double v[3] = {speed, 0.0, 0.0};
        int a = add_ball(w, from, v, radius, 1.0), b = add_ball(w, at, still, radius, mass);
        double before = motion_of(w).kinetic;
        step_frames(w, 5);
        double off = motion_of(w).kinetic / before - 1.0;
        float u[3];
        good(pl_get(w, PL_ATTRIBUTE_VELOCITY, b, 1, u));
        double angle = fabs(atan2((double)-u[1], (double)u[0]) - asin(offset));
        r.worst = fabs(off) > fabs(r.worst) ? off : r.worst;
        r.mean += off / PHASES;
        r.angle = fmax(r.angle, angle);
        (void)a;
        pl_world_destroy(w);
    }
    return r;
}

static void print_oblique(bool brief)
{
    static const double offsets[] = {0.0, 0.25, 0.5, 0.75, 0.9, 0.95};
    printf(
        "| two elastic balls, 2 m/s, 32 phases of a substep: offset/(sum of radii) | energy, worst [%%] | mean [%%] | "
        "direction, worst [degrees] | masses 1 : 10, worst [%%] | 100 m away, worst [%%] | BDF2, worst [%%] "
        "|\n| --- | --- | --- | --- | --- | --- | --- |\n");
    for (int substeps = 20; substeps <= (brief ? 20 : 80); substeps *= 4)
        for (size_t k = 0; k < sizeof offsets / sizeof *offsets; k++)
        {
            oblique o = strike(substeps, 1, offsets[k], 1.0, 2.0, 0.0);
            printf("| %.2f, %d substeps | %+.5f | %+.5f | %.2f | %+.5f | %+.5f | %+.5f |\n", offsets[k], substeps,
                   100.0 * o.worst, 100.0 * o.mean, o.angle * 57.29578,
                   100.0 * strike(substeps, 1, offsets[k], 10.0, 2.0, 0.0).worst,
                   100.0 * strike(substeps, 1, offsets[k], 1.0, 2.0, 100.0).worst,
                   100.0 * strike(substeps, 2, offsets[k], 1.0, 2.0, 0.0).worst);
        }
    printf("\n");
}

// ---- a gas ---------------------------------------------------------------------------------------------------------

typedef struct gas
{
    int substeps, iterations, order;
    double radius, away;
    bool mixed; // masses from 1 to 27, radii as their cube roots
} gas;

static void add_walls(pl_world *w, double half, double away)
{
    for (int i = 0; i < 6; i++)
    {
        pl_shape_def wall = pl_default_shape_def();
        double at[3] = {away, away, away}, side = i % 2 ? half : -half;
        const float s = 0.70710678f;
        const pl_quat turns[6] = {{0, 0, -s, s}, {0, 0, s, s}, {0, 0, 0, 1}, {1, 0, 0, 0}, {s, 0, 0, s}, {-s, 0, 0, s}};
        at[i / 2] += side;
        wall.kind = PL_SHAPE_PLANE;
        wall.position = (pl_vec3){(float)at[0], (float)at[1], (float)at[2]};
        wall.rotation = turns[i];
        good(pl_add_shape(w, &wall, NULL));
    }
}

static double part_of_1(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return (double)((x ^ x >> 16) >> 8) / 16777216.0;
}

// Returns the change of the kinetic energy of 343 balls in a box of 2 m in 5 s.
static double gas_loses(gas g)
{
    pl_world *w = make_world(g.substeps, g.iterations, g.order);
    make_elastic(w, true);
    for (int i = 0; i < 343; i++)
    {
        const double at[3] = {g.away + 0.25 * (i % 7 - 3), g.away + 0.25 * (i / 7 % 7 - 3),
                              g.away + 0.25 * (i / 49 - 3)};
        double v[3], size = g.mixed ? 1.0 + i % 3 : 1.0;
        for (int c = 0; c < 3; c++)
            v[c] = 4.0 * part_of_1((uint32_t)(3 * i + c + 1)) - 2.0;
        add_ball(w, at, v, g.radius * (g.mixed ? 0.5 : 1.0) * size, size * size * size);
    }
    add_walls(w, 1.0, g.away);
    double before = motion_of(w).kinetic;
    step_frames(w, 300);
    double after = motion_of(w).kinetic;
    pl_world_destroy(w);
    return after / before - 1.0;
}

static void print_gas(bool brief)
{
    static const gas gases[] = {
        {20, 1, 1, 0.05, 0.0, false},  {10, 1, 1, 0.05, 0.0, false}, {40, 1, 1, 0.05, 0.0, false},
        {80, 1, 1, 0.05, 0.0, false},  {20, 2, 1, 0.05, 0.0, false}, {20, 4, 1, 0.05, 0.0, false},
        {20, 1, 2, 0.05, 0.0, false},  {80, 4, 2, 0.05, 0.0, false}, {20, 1, 1, 0.05, 0.0, true},
        {20, 1, 1, 0.05, 100.0, true}, {20, 1, 1, 0.02, 0.0, false}, {20, 1, 1, 0.1, 0.0, false},
    };
    printf("| gas of 343 elastic balls in a box, 5 s | kinetic energy [%%] |\n| --- | --- |\n");
    for (size_t k = 0; k < (brief ? 1 : sizeof gases / sizeof *gases); k++)
    {
        const gas *g = gases + k;
        printf("| %d x %d, BDF%d, radius %g m%s%s | %+.3f |\n", g->substeps, g->iterations, g->order, g->radius,
               g->mixed ? ", masses 1 : 8 : 27" : "", g->away > 0.0 ? ", 100 m away" : "", 100.0 * gas_loses(*g));
        fflush(stdout);
    }
    printf("\n");
}

// ---- rows ----------------------------------------------------------------------------------------------------------

// A ball strikes a row of balls that touch, `gap` m apart. Returns the energy, and that of the ball at the far end.
static void strike_row(int count, int substeps, int iterations, double gap, const double along[3], double out[2])
{
    const double radius = 0.05, speed = 2.0;
    pl_world *w = make_world(substeps, iterations, 1);
    make_elastic(w, true);
    double v[3];
    for (int c = 0; c < 3; c++)
        v[c] = speed * along[c];
    for (int i = 0; i <= count; i++)
    {
        double at[3], far = i * (2.0 * radius + gap) - (i ? 0.0 : 0.1);
        for (int c = 0; c < 3; c++)
            at[c] = far * along[c];
        add_ball(w, at, i ? still : v, radius, 1.0);
    }
    step_frames(w, 60);
    float u[3];
    good(pl_get(w, PL_ATTRIBUTE_VELOCITY, count, 1, u));
    const double last[3] = {(double)u[0], (double)u[1], (double)u[2]};
    out[0] = motion_of(w).kinetic / (0.5 * speed * speed);
    out[1] = length3(last) * length3(last) / (speed * speed);
    pl_world_destroy(w);
}

// A ball strikes a triangle of 15 that touch. Returns the energy.
static double break_rack(int substeps)
{
    const double radius = 0.05, v[3] = {5.0, 0.0, 0.0}, from[3] = {-0.3, 0.004, 0.0};
    pl_world *w = make_world(substeps, 1, 1);
    make_elastic(w, true);
    add_ball(w, from, v, radius, 1.0);
    for (int row = 0; row < 5; row++)
        for (int i = 0; i <= row; i++)
        {
            const double at[3] = {1.7320508 * radius * row, radius * (2.0 * i - row), 0.0};
            add_ball(w, at, still, radius, 1.0);
        }
    step_frames(w, 60);
    double energy = motion_of(w).kinetic / 12.5;
    pl_world_destroy(w);
    return energy;
}

static void print_rows(bool brief)
{
    static const double ways[3][3] = {{1.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}, {0.577350269, 0.577350269, 0.577350269}};
    static const char *const names[3] = {"along x", "against x", "diagonal"};
    printf("| a ball strikes balls that touch | energy [%%] | of it in the ball at the far end [%%] |\n| --- | --- | "
           "--- |\n");
    for (int count = 2; count <= (brief ? 2 : 20); count = count == 2 ? 5 : 4 * count)
        for (int k = 0; k < 3; k++)
            for (int iterations = 1; iterations <= (brief ? 1 : 4); iterations *= 4)
            {
                double r[2];
                strike_row(count, 20, iterations, 0.0, ways[k], r);
                printf("| row of %d, %s, 20 x %d | %.2f | %.2f |\n", count, names[k], iterations, 100.0 * r[0],
                       100.0 * r[1]);
            }
    printf("| triangle of 15, 20 x 1 | %.2f | |\n", 100.0 * break_rack(20));
    printf("\n");
}

// ---- a floor -------------------------------------------------------------------------------------------------------

// Drops a ball from 1 m and returns its energy after 10 s, as a part of that at the start.
static double drop(int substeps, int order, pl_shape_kind kind)
{
    pl_world *w = make_world(substeps, 1, order);
    make_elastic(w, false);
    const double at[3] = {0.0, 1.05, 0.0};
    int i = add_ball(w, at, still, 0.05, 1.0);
    pl_shape_def floor = pl_default_shape_def();
    floor.kind = kind;
    floor.half = (pl_vec3){2.0f, 1.0f, 2.0f};
    floor.position.y = kind == PL_SHAPE_BOX ? -1.0f : 0.0f;
    good(pl_add_shape(w, &floor, NULL));
    step_frames(w, 600);
    double x[3];
    place_of(w, i, x);
    double energy = (motion_of(w).kinetic + 9.81 * (x[1] - 0.05)) / 9.81;
    pl_world_destroy(w);
    return energy;
}

static void print_drop(void)
{
    printf("| an elastic ball dropped from 1 m, 10 s | energy [%%] |\n| --- | --- |\n");
    for (int substeps = 10; substeps <= 80; substeps *= 2)
        for (int order = 1; order <= 2; order++)
            printf("| %d substeps, BDF%d | %.2f |\n", substeps, order, 100.0 * drop(substeps, order, PL_SHAPE_PLANE));
    printf("\n");
}

void check_impacts(bool brief)
{
    print_oblique(brief);
    print_gas(brief);
    print_rows(brief);
    print_drop();
}
