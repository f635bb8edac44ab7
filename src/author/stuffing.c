// stuffing.c: turns the cells of the lattice, one by one, into tetrahedra. See stuffing.h.
#include "author/lattice.h"

#include <string.h>

typedef struct cell_corners
{
    int place[4][3];
    int64_t point[4];
} cell_corners;

static int way_between(const int a[3], const int b[3])
{
    for (int way = 0; way < WAYS; way++)
        if (a[0] + lattice_ways[way][0] == b[0] && a[1] + lattice_ways[way][1] == b[1] &&
            a[2] + lattice_ways[way][2] == b[2])
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
        lattice_position(l, p, c->x[i]);
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

// Fills a face: the centres of two neighbouring cells of the cubic lattice make a tetrahedron with each edge of the
// face between them.
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
            at.point[i] = lattice_point(l, at.place[i]);
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
        lattice_coordinates(l, i, p);
        for (int axis = 0; result == PL_OK && axis < 3; axis++)
            result = fill_face(m, l, p, axis);
    }
    if (result == PL_OK && l->tets == 0)
        return fail(PL_ERROR_ARGUMENT,
                    "%s: no point of a lattice with the spacing %g m lies inside; use a smaller spacing", name,
                    l->spacing);
    return result;
}

pl_result stuff_solid(memory *m, const char *name, const solid_field *field, double spacing, pl_tets *out)
{
    lattice l = {0};
    *out = (pl_tets){0};
    if (!(spacing > 0.0 && spacing < 1e30))
        return fail(PL_ERROR_ARGUMENT, "%s: the spacing of the tetrahedra is %g m; give a positive number", name,
                    spacing);
    pl_result result = lattice_lay_out(name, field, spacing, &l);
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
        lattice_sample(&l);
        result = lattice_cut(m, &l);
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
