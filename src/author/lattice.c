// lattice.c: samples the lattice of stuffing.c: finds the points inside the solid and the cuts of lattice edges with
// the surface, and moves points onto the surface.
#include "author/lattice.h"

#include <math.h>
#include <string.h>

const int lattice_ways[WAYS][3] = {{2, 0, 0},
                                   {-2, 0, 0},
                                   {0, 2, 0},
                                   {0, -2, 0},
                                   {0, 0, 2},
                                   {0, 0, -2},
                                   {1, 1, 1},
                                   {-1, 1, 1},
                                   {1, -1, 1},
                                   {-1, -1, 1},
                                   // Long edges first.
                                   {1, 1, -1},
                                   {-1, 1, -1},
                                   {1, -1, -1},
                                   {-1, -1, -1}};
static int back(int way) { return way < 6 ? way ^ 1 : 19 - way; }

int64_t lattice_point(const lattice *l, const int p[3])
{
    for (int k = 0; k < 3; k++)
        if (p[k] < 0 || p[k] >= 2 * l->size[k])
            return -1;
    return 2 * (((int64_t)(p[2] >> 1) * l->size[1] + (p[1] >> 1)) * l->size[0] + (p[0] >> 1)) + (p[0] & 1);
}

void lattice_coordinates(const lattice *l, int64_t point, int p[3])
{
    int64_t cell = point / 2;
    int odd = (int)(point % 2);
    p[0] = (int)(cell % l->size[0]) * 2 + odd;
    p[1] = (int)(cell / l->size[0] % l->size[1]) * 2 + odd;
    p[2] = (int)(cell / l->size[0] / l->size[1]) * 2 + odd;
}

static int64_t step(const lattice *l, const int p[3], int way)
{
    const int q[3] = {p[0] + lattice_ways[way][0], p[1] + lattice_ways[way][1], p[2] + lattice_ways[way][2]};
    return lattice_point(l, q);
}

void lattice_position(const lattice *l, const int p[3], double x[3])
{
    for (int k = 0; k < 3; k++)
        x[k] = l->origin[k] + 0.5 * l->spacing * (double)p[k];
}

// ---- the lattice ---------------------------------------------------------------------------------------------------

// Centres the lattice on the solid, with two layers of cells to spare.
pl_result lattice_lay_out(const char *name, const solid_field *field, double spacing, lattice *l)
{
    double points = 2.0, cells[3];
    for (int k = 0; k < 3; k++)
    {
        double half = 0.5 * (field->high[k] - field->low[k]) / spacing;
        cells[k] = 2.0 * (floor(half) + 3.0);
        l->origin[k] = 0.5 * (field->high[k] + field->low[k]) - 0.5 * spacing * cells[k];
        points *= cells[k];
    }
    if (!(points <= (double)STUFFING_LIMIT))
    {
        double fits = spacing, left = points;
        for (; left > (double)STUFFING_LIMIT; left /= 1.953125)
            fits *= 1.25;
        return fail(
            PL_ERROR_ARGUMENT,
            "%s: tetrahedra %g m apart need a lattice of %.3g points; the limit is %.3g: use a spacing of %.2g m", name,
            spacing, points, (double)STUFFING_LIMIT, fits);
    }
    for (int k = 0; k < 3; k++)
        l->size[k] = (int32_t)cells[k];
    l->points = (int64_t)points;
    l->spacing = spacing;
    l->field = field;
    return PL_OK;
}

// Samples a row. Points near one that is deep inside or far outside have the same sign, so they are skipped.
static void sample_row(lattice *l, int64_t first, double leap)
{
    double left = 0.0;
    for (int32_t i = 0; i < l->size[0]; i++)
    {
        int64_t point = first + 2 * (int64_t)i;
        left -= l->spacing;
        if (left > leap && i > 0)
        {
            l->depth[point] = l->depth[point - 2];
            continue;
        }
        int p[3];
        double x[3];
        lattice_coordinates(l, point, p);
        lattice_position(l, p, x);
        l->depth[point] = -l->field->value(l->field->user, x);
        left = fabs(l->depth[point]);
    }
}

void lattice_sample(lattice *l)
{
    double far = 0.0;
    for (int k = 0; k < 3; k++)
        far = fmax(far, fmax(fabs(l->field->low[k]), fabs(l->field->high[k])));
    double leap = 1.01 * l->spacing + 1e-5 * far; // the length of an edge, plus the rounding of float
    for (int64_t row = 0; row < l->points; row += 2 * (int64_t)l->size[0])
        for (int odd = 0; odd < 2; odd++)
            sample_row(l, row + odd, leap);
    for (int64_t i = 0; i < l->points; i++)
    {
        l->sign[i] = (int8_t)((l->depth[i] > 0.0) - (l->depth[i] < 0.0));
        l->extra[i] = l->number[i] = -1;
    }
}

// ---- cuts ----------------------------------------------------------------------------------------------------------

// Finds where the edge from a (inside) to b (outside) meets the surface, as a fraction of its length. Regula falsi with
// the Illinois modification, which halves the value at the end that stays.
static double find_cut(const lattice *l, const double a[3], const double b[3], double depth_a, double depth_b)
{
    double t0 = 0.0, t1 = 1.0, f0 = depth_a, f1 = depth_b, t = 0.5;
    int stayed = 0;
    for (int i = 0; i < 24; i++)
    {
        t = t0 + (t1 - t0) * (f0 / (f0 - f1));
        double x[3];
        for (int k = 0; k < 3; k++)
            x[k] = a[k] + t * (b[k] - a[k]);
        double f = -l->field->value(l->field->user, x);
        if (fabs(f) <= 1e-7 * l->spacing || t1 - t0 < 1e-7)
            break;
        if (f > 0.0)
        {
            f1 = stayed > 0 ? 0.5 * f1 : f1;
            t0 = t, f0 = f, stayed = 1;
        }
        else
        {
            f0 = stayed < 0 ? 0.5 * f0 : f0;
            t1 = t, f1 = f, stayed = -1;
        }
    }
    return t;
}

static pl_result cut_point(memory *m, lattice *l, int64_t point)
{
    int p[3];
    double a[3], b[3];
    lattice_coordinates(l, point, p);
    lattice_position(l, p, a);
    for (int way = 0; way < WAYS; way++)
    {
        int64_t other = step(l, p, way);
        if (other < 0 || l->sign[other] >= 0)
            continue;
        if (l->extra[point] < 0)
        {
            pl_result result = array_reserve(m, &l->cut, &l->cut_capacity, WAYS * (l->blocks + 1), sizeof *l->cut);
            if (result != PL_OK)
                return result;
            l->extra[point] = (int32_t)l->blocks++;
            for (int i = 0; i < WAYS; i++)
                l->cut[WAYS * (int64_t)l->extra[point] + i] = -1.0;
        }
        const int q[3] = {p[0] + lattice_ways[way][0], p[1] + lattice_ways[way][1], p[2] + lattice_ways[way][2]};
        lattice_position(l, q, b);
        l->cut[WAYS * (int64_t)l->extra[point] + way] = find_cut(l, a, b, l->depth[point], l->depth[other]);
    }
    return PL_OK;
}

static pl_result move_to(memory *m, lattice *l, int64_t point, const double x[3])
{
    pl_result result = array_reserve(m, &l->moved, &l->moved_capacity, 3 * (l->moves + 1), sizeof *l->moved);
    if (result != PL_OK)
        return result;
    memcpy(l->moved + 3 * l->moves, x, 3 * sizeof *x);
    l->extra[point] = (int32_t)l->moves++;
    l->sign[point] = 0;
    return PL_OK;
}

// Moves a point to the nearest of the cuts that are too near to it, if there is one. Its other cuts are then removed.
static pl_result warp(memory *m, lattice *l, int64_t point)
{
    int p[3], best = -1;
    double near = 1e30, part = 0.0;
    lattice_coordinates(l, point, p);
    for (int way = 0; way < WAYS; way++)
    {
        int64_t other = step(l, p, way);
        if (other < 0 || l->sign[other] != -l->sign[point])
            continue;
        double t = l->sign[point] > 0 ? l->cut[WAYS * (int64_t)l->extra[point] + way]
                                      : 1.0 - l->cut[WAYS * (int64_t)l->extra[other] + back(way)];
        double size = way < 6 ? t : t * 0.8660254037844386;
        if (t < (way < 6 ? ALPHA_LONG : ALPHA_SHORT) && size < near)
            near = size, part = t, best = way;
    }
    if (best < 0)
        return PL_OK;
    double x[3];
    lattice_position(l, p, x);
    for (int k = 0; k < 3; k++)
        x[k] += part * 0.5 * l->spacing * (double)lattice_ways[best][k];
    return move_to(m, l, point, x);
}

pl_result lattice_cut(memory *m, lattice *l)
{
    pl_result result = PL_OK;
    for (int64_t i = 0; result == PL_OK && i < l->points; i++)
    {
        int p[3];
        double x[3];
        lattice_coordinates(l, i, p);
        lattice_position(l, p, x);
        if (l->sign[i] == 0)
            result = move_to(m, l, i, x);
        else if (l->sign[i] > 0)
            result = cut_point(m, l, i);
    }
    for (int64_t i = 0; result == PL_OK && i < l->points; i++)
        if (l->sign[i] != 0)
            result = warp(m, l, i);
    if (result == PL_OK)
        result = array_reserve(m, &l->cut_number, &l->number_capacity, WAYS * l->blocks, sizeof *l->cut_number);
    for (int64_t i = 0; result == PL_OK && i < WAYS * l->blocks; i++)
        l->cut_number[i] = -1;
    return result;
}
