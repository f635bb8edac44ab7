// double_pendulum.c: the tip of a double pendulum against Runge-Kutta, beside the same method in double precision.
#include "accuracy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define GRAVITY 9.81f
#define ANGLE 1.2

// ---- the reference: angles, angular velocities -----------------------------------------------------------------------

static void derive(const double y[4], double out[4])
{
    double g = (double)GRAVITY, a = y[0], b = y[1], u = y[2], v = y[3], d = a - b, under = 3.0 - cos(2.0 * d);
    out[0] = u, out[1] = v;
    out[2] = (-3.0 * g * sin(a) - g * sin(a - 2.0 * b) - 2.0 * sin(d) * (v * v + u * u * cos(d))) / under;
    out[3] = 2.0 * sin(d) * (2.0 * u * u + 2.0 * g * cos(a) + v * v * cos(d)) / under;
}

static void along(const double *y, double h, const double *k, double *out)
{
    for (int i = 0; i < 4; i++)
        out[i] = y[i] + h * k[i];
}

static void runge_kutta(double *y, double h)
{
    double k[4][4], t[4];
    derive(y, k[0]), along(y, 0.5 * h, k[0], t);
    derive(t, k[1]), along(y, 0.5 * h, k[1], t);
    derive(t, k[2]), along(y, h, k[2], t);
    derive(t, k[3]);
    for (int i = 0; i < 4; i++)
        y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
}

// ---- the same method in double precision -----------------------------------------------------------------------------

typedef struct twin
{
    double x[3][2], v[3][2], x0[3][2], x1[3][2], v1[3][2];
    int order, steps;
} twin;

static void solve_link(twin *t, int a, int b)
{
    double dx = t->x[a][0] - t->x[b][0], dy = t->x[a][1] - t->x[b][1], len = hypot(dx, dy);
    double wa = a == 0 ? 0.0 : 1.0, wb = 1.0, s = (1.0 - len) / (len * (wa + wb));
    t->x[a][0] += wa * s * dx, t->x[a][1] += wa * s * dy;
    t->x[b][0] -= wb * s * dx, t->x[b][1] -= wb * s * dy;
}

static void twin_step(twin *t, double h)
{
    bool second = t->order == 2 && t->steps++ > 0;
    for (int i = 1; i < 3; i++)
        for (int c = 0; c < 2; c++)
        {
            double x = t->x[i][c], a = c ? -(double)GRAVITY : 0.0;
            double to = second ? x + (x - t->x0[i][c]) / 3.0 + h * (8.0 * t->v[i][c] - 2.0 * t->v1[i][c]) / 9.0 +
                                     4.0 / 9.0 * h * h * a
                               : x + h * t->v[i][c] + h * h * a;
            t->x1[i][c] = t->x0[i][c], t->x0[i][c] = x, t->x[i][c] = to;
        }
    solve_link(t, 0, 1);
    solve_link(t, 1, 2);
    for (int i = 1; i < 3; i++)
        for (int c = 0; c < 2; c++)
        {
            t->v1[i][c] = t->v[i][c];
            t->v[i][c] = second ? (1.5 * t->x[i][c] - 2.0 * t->x0[i][c] + 0.5 * t->x1[i][c]) / h
                                : (t->x[i][c] - t->x0[i][c]) / h;
        }
}

// ---- the table ---------------------------------------------------------------------------------------------------------

static void run(int order, int substeps, double *ours, double *theirs)
{
    pl_world *w = make_world(substeps, 1, order);
    twin t = {.order = order};
    double y[4] = {ANGLE, ANGLE, 0.0, 0.0}, x[3];
    for (int i = 0; i < 3; i++)
    {
        int p = add_particle(w, i * sin(ANGLE), -i * cos(ANGLE), 0.0, i ? 1.0 : 0.0);
        place_of(w, p, x);
        t.x[i][0] = x[0], t.x[i][1] = x[1];
    }
    link_particles(w, 0, 1, 1.0, 0.0);
    link_particles(w, 1, 2, 1.0, 0.0);
    *ours = *theirs = 0.0;
    for (int frame = 0; frame < 120; frame++)
    {
        step_frames(w, 1);
        for (int i = 0; i < substeps; i++)
            twin_step(&t, 1.0 / 60.0 / substeps);
        for (int i = 0; i < 200; i++)
            runge_kutta(y, 1.0 / 60.0 / 200.0);
        place_of(w, 2, x);
        double tip[2] = {sin(y[0]) + sin(y[1]), -cos(y[0]) - cos(y[1])};
        *ours = fmax(*ours, hypot(x[0] - tip[0], x[1] - tip[1]));
        *theirs = fmax(*theirs, hypot(t.x[2][0] - tip[0], t.x[2][1] - tip[1]));
    }
    pl_world_destroy(w);
}

void check_double_pendulum(bool brief)
{
    printf("| double pendulum, substeps | BDF1: error of the tip in 2 s [mm] | in double | BDF2 | in double |\n"
           "| --- | --- | --- | --- | --- |\n");
    for (int substeps = 10; substeps <= (brief ? 160 : 640); substeps *= 2)
    {
        double ours[2], theirs[2];
        for (int order = 1; order <= 2; order++)
            run(order, substeps, &ours[order - 1], &theirs[order - 1]);
        printf("| %d | %.3f | %.3f | %.4f | %.4f |\n", substeps, 1e3 * ours[0], 1e3 * theirs[0], 1e3 * ours[1],
               1e3 * theirs[1]);
    }
    printf("\n");
}
