// stuffing.c: the lattice, its cuts and its moved points. A place in it is three whole numbers, all even or all odd, in halves of
// the spacing; a long edge goes two along one axis, a short one goes one along all three.
#include "author/stuffing.h"

#include <math.h>
#include <string.h>

#define WAYS 14

static const int ways[WAYS][3] = {{2, 0, 0},  {-2, 0, 0},  {0, 2, 0},   {0, -2, 0},  {0, 0, 2},
                                  {0, 0, -2}, {1, 1, 1},   {-1, 1, 1},  {1, -1, 1},  {-1, -1, 1},
                                  {1, 1, -1}, {-1, 1, -1}, {1, -1, -1}, {-1, -1, -1}}; // long ones first
static int back(int way) { return way < 6 ? way ^ 1 : 19 - way; }

typedef struct lattice
{
    const solid_field *field;
    double origin[3], spacing;
    int32_t size[3]; // cells; each has a point of even places, its lower corner, and one of odd places, its middle
    int64_t points;
    double *depth;   // at each point: how deep inside, negative outside; far from the surface only the sign is right
    int8_t *sign;    // 1 inside, -1 outside, 0 on the surface
    int32_t *extra;  // inside, with cuts: the number of its block of cuts; on the surface: of its moved place. -1: none
    int32_t *number; // the point's vertex, -1: none yet
    double *cut;     // WAYS a block: how far along the edge, from the inner end, in parts; -1: no cut
    int32_t *cut_number;
    int64_t blocks, cut_capacity, number_capacity;
    double *moved; // 3 each
    int64_t moves, moved_capacity;

    float *x;
    int32_t *tet;
    int64_t vertices, x_capacity, tets, tet_capacity;
} lattice;

static int64_t point_at(const lattice *l, const int p[3])
{
    for (int k = 0; k < 3; k++)
        if (p[k] < 0 || p[k] >= 2 * l->size[k])
            return -1;
    return 2 * (((int64_t)(p[2] >> 1) * l->size[1] + (p[1] >> 1)) * l->size[0] + (p[0] >> 1)) + (p[0] & 1);
}

static void place_of(const lattice *l, int64_t point, int p[3])
{
    int64_t cell = point / 2;
    int odd = (int)(point % 2);
    p[0] = (int)(cell % l->size[0]) * 2 + odd;
    p[1] = (int)(cell / l->size[0] % l->size[1]) * 2 + odd;
    p[2] = (int)(cell / l->size[0] / l->size[1]) * 2 + odd;
}

static int64_t step(const lattice *l, const int p[3], int way)
{
    const int q[3] = {p[0] + ways[way][0], p[1] + ways[way][1], p[2] + ways[way][2]};
    return point_at(l, q);
}

static void position(const lattice *l, const int p[3], double x[3])
{
    for (int k = 0; k < 3; k++)
        x[k] = l->origin[k] + 0.5 * l->spacing * (double)p[k];
}

// ---- the lattice ---------------------------------------------------------------------------------------------------

// Around the solid's middle, with two layers of cells to spare.
static pl_result lay_out(const char *name, const solid_field *field, double spacing, lattice *l)
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
            "%s: tetrahedra %g m apart need a lattice of %.3g points; the limit is %.3g: a spacing of %.2g m would do",
            name, spacing, points, (double)STUFFING_LIMIT, fits);
    }
    for (int k = 0; k < 3; k++)
        l->size[k] = (int32_t)cells[k];
    l->points = (int64_t)points;
    l->spacing = spacing;
    l->field = field;
    return PL_OK;
}

// From a point that is deep inside or far outside, the next ones in the row have the same sign: they are leapt over.
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
        place_of(l, point, p);
        position(l, p, x);
        l->depth[point] = -l->field->value(l->field->user, x);
        left = fabs(l->depth[point]);
    }
}

static void sample(lattice *l)
{
    double far = 0.0;
    for (int k = 0; k < 3; k++)
        far = fmax(far, fmax(fabs(l->field->low[k]), fabs(l->field->high[k])));
    double leap = 1.01 * l->spacing + 1e-5 * far; // what an edge can reach, and float's rounding
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

// Where the edge from a (inside) to b (outside) meets the surface, as a part of its length: false position, made fast by halving
// the end that stays (the Illinois way).
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
    place_of(l, point, p);
    position(l, p, a);
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
        const int q[3] = {p[0] + ways[way][0], p[1] + ways[way][1], p[2] + ways[way][2]};
        position(l, q, b);
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

// Moves a point to the nearest of the cuts that come too near to it, if there is one. Its other cuts are then none.
static pl_result warp(memory *m, lattice *l, int64_t point)
{
    int p[3], best = -1;
    double near = 1e30, part = 0.0;
    place_of(l, point, p);
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
    position(l, p, x);
    for (int k = 0; k < 3; k++)
        x[k] += part * 0.5 * l->spacing * (double)ways[best][k];
    return move_to(m, l, point, x);
}

static pl_result cut_and_warp(memory *m, lattice *l)
{
    pl_result result = PL_OK;
    for (int64_t i = 0; result == PL_OK && i < l->points; i++)
    {
        int p[3];
        double x[3];
        place_of(l, i, p);
        position(l, p, x);
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

// ---- tetrahedra ----------------------------------------------------------------------------------------------------

typedef struct cell_corners
{
    int place[4][3];
    int64_t point[4];
} cell_corners;

static int way_between(const int a[3], const int b[3])
{
    for (int way = 0; way < WAYS; way++)
        if (a[0] + ways[way][0] == b[0] && a[1] + ways[way][1] == b[1] && a[2] + ways[way][2] == b[2])
            return way;
    return -1;
}

static void describe(const lattice *l, const cell_corners *at, stuffing_cell *c)
{
    for (int i = 0; i < 4; i++)
    {
        const int *p = at->place[i];
        c->sign[i] = l->sign[at->point[i]];
        c->odd[i] = ((p[0] >> 1) + (p[1] >> 1) + (p[2] >> 1)) & 1;
        position(l, p, c->x[i]);
    }
    for (int i = 0; i < 4; i++)
        for (int k = 0; c->sign[i] > 0 && k < 4; k++)
        {
            if (c->sign[k] >= 0)
                continue;
            int64_t block = l->extra[at->point[i]];
            double t = l->cut[WAYS * block + way_between(at->place[i], at->place[k])];
            for (int d = 0; d < 3; d++)
                c->cut[i][k][d] = c->x[i][d] + t * (c->x[k][d] - c->x[i][d]);
        }
    for (int i = 0; i < 4; i++)
        if (c->sign[i] == 0)
            memcpy(c->x[i], l->moved + 3 * (int64_t)l->extra[at->point[i]], sizeof c->x[i]);
}

static pl_result vertex_of(memory *m, lattice *l, const cell_corners *at, const stuffing_cell *c, stuffing_corner v,
                           int32_t *out)
{
    int32_t *number = &l->number[at->point[v.a]];
    if (v.a != v.b)
        number = &l->cut_number[WAYS * (int64_t)l->extra[at->point[v.a]] + way_between(at->place[v.a], at->place[v.b])];
    if (*number < 0)
    {
        pl_result result = array_reserve(m, &l->x, &l->x_capacity, l->vertices + 1, 3 * sizeof *l->x);
        if (result != PL_OK)
            return result;
        const double *x = v.a == v.b ? c->x[v.a] : c->cut[v.a][v.b];
        for (int k = 0; k < 3; k++)
            l->x[3 * l->vertices + k] = (float)x[k];
        *number = (int32_t)l->vertices++;
    }
    *out = *number;
    return PL_OK;
}

static pl_result fill_cell(memory *m, lattice *l, const cell_corners *at)
{
    stuffing_cell c;
    stuffing_corner t[STUFFING_MOST][4];
    describe(l, at, &c);
    int count = stuff_cell(&c, t);
    pl_result result = array_reserve(m, &l->tet, &l->tet_capacity, l->tets + count, 4 * sizeof *l->tet);
    for (int i = 0; result == PL_OK && i < count; i++)
    {
        for (int k = 0; result == PL_OK && k < 4; k++)
            result = vertex_of(m, l, at, &c, t[i][k], l->tet + 4 * l->tets + k);
        l->tets++;
    }
    return result;
}

// The middles of two neighbouring cells of the cubic lattice make a tetrahedron with each edge of the face between them.
static pl_result fill_face(memory *m, lattice *l, const int middle[3], int axis)
{
    static const int ring[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    cell_corners at;
    pl_result result = PL_OK;
    memcpy(at.place[0], middle, sizeof at.place[0]);
    memcpy(at.place[1], middle, sizeof at.place[1]);
    at.place[1][axis] += 2;
    for (int side = 0; result == PL_OK && side < 4; side++)
    {
        int inside = 0, there = 1;
        for (int i = 0; i < 2; i++)
        {
            int *p = at.place[2 + i];
            p[axis] = middle[axis] + 1;
            p[u] = middle[u] + ring[(side + i) % 4][0];
            p[v] = middle[v] + ring[(side + i) % 4][1];
        }
        for (int i = 0; i < 4; i++)
        {
            at.point[i] = point_at(l, at.place[i]);
            there &= at.point[i] >= 0;
            inside |= at.point[i] >= 0 && l->sign[at.point[i]] > 0;
        }
        if (there && inside)
            result = fill_cell(m, l, &at);
    }
    return result;
}

static pl_result fill(memory *m, const char *name, lattice *l)
{
    pl_result result = PL_OK;
    for (int64_t i = 1; result == PL_OK && i < l->points; i += 2)
    {
        int p[3];
        place_of(l, i, p);
        for (int axis = 0; result == PL_OK && axis < 3; axis++)
            result = fill_face(m, l, p, axis);
    }
    if (result == PL_OK && l->tets == 0)
        return fail(PL_ERROR_ARGUMENT, "%s: no point of a lattice with the spacing %g m lies inside; take a finer one",
                    name, l->spacing);
    return result;
}

pl_result stuff_solid(memory *m, const char *name, const solid_field *field, double spacing, pl_tets *out)
{
    lattice l = {0};
    *out = (pl_tets){0};
    if (!(spacing > 0.0 && spacing < 1e30))
        return fail(PL_ERROR_ARGUMENT, "%s: the spacing of the tetrahedra is %g m; give a positive number", name,
                    spacing);
    pl_result result = lay_out(name, field, spacing, &l);
    if (result == PL_OK)
        result = take_items(m, &l.depth, l.points, sizeof *l.depth);
    if (result == PL_OK)
        result = take_items(m, &l.sign, l.points, sizeof *l.sign);
    if (result == PL_OK)
        result = take_items(m, &l.extra, l.points, sizeof *l.extra);
    if (result == PL_OK)
        result = take_items(m, &l.number, l.points, sizeof *l.number);
    if (result == PL_OK)
    {
        sample(&l);
        result = cut_and_warp(m, &l);
    }
    if (result == PL_OK)
        result = fill(m, name, &l);
    if (result == PL_OK)
        result = trim_items(m, &l.x, &l.x_capacity, l.vertices, 3 * sizeof *l.x);
    if (result == PL_OK)
        result = trim_items(m, &l.tet, &l.tet_capacity, l.tets, 4 * sizeof *l.tet);
    if (result == PL_OK)
        *out = (pl_tets){.vertex_count = (int)l.vertices, .tet_count = (int)l.tets, .vertices = l.x, .tets = l.tet};
    else
    {
        array_free(m, &l.x, &l.x_capacity, 3 * sizeof *l.x);
        array_free(m, &l.tet, &l.tet_capacity, 4 * sizeof *l.tet);
    }
    drop_items(m, &l.depth, l.points, sizeof *l.depth);
    drop_items(m, &l.sign, l.points, sizeof *l.sign);
    drop_items(m, &l.extra, l.points, sizeof *l.extra);
    drop_items(m, &l.number, l.points, sizeof *l.number);
    array_free(m, &l.cut, &l.cut_capacity, sizeof *l.cut);
    array_free(m, &l.cut_number, &l.number_capacity, sizeof *l.cut_number);
    array_free(m, &l.moved, &l.moved_capacity, sizeof *l.moved);
    return result;
}
