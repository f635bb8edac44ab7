// cut.c: cuts objects with a blade. Two neighbouring cells come apart when the line between their centres passes
// through the blade. So the cut runs along the edges of the mesh (faces of tetrahedra) nearest to the blade, and
// nothing is remeshed. Links that belong to no cell break where the blade passes through them.
#include "edit/tear.h"
#include "model/world.h"

typedef struct blade_plane
{
    double corner[3], u[3], v[3], normal[3];
    double uu, uv, vv, det;
} blade_plane;

// Checks a blade and computes its normal and the dot products of its sides.
static pl_result prepare_blade(const pl_blade *b, blade_plane *k)
{
    const float *from[3] = {&b->corner.x, &b->u.x, &b->v.x};
    double *to[3] = {k->corner, k->u, k->v};
    if (!finite3(b->corner) || !finite3(b->u) || !finite3(b->v))
        return fail(PL_ERROR_ARGUMENT, "cut: corner, u and v of the blade must be finite");
    for (int i = 0; i < 9; i++)
        to[i / 3][i % 3] = (double)from[i / 3][i % 3];
    k->uu = k->uv = k->vv = 0.0;
    for (int c = 0; c < 3; c++)
    {
        k->normal[c] = k->u[(c + 1) % 3] * k->v[(c + 2) % 3] - k->u[(c + 2) % 3] * k->v[(c + 1) % 3];
        k->uu += k->u[c] * k->u[c], k->uv += k->u[c] * k->v[c], k->vv += k->v[c] * k->v[c];
    }
    k->det = k->uu * k->vv - k->uv * k->uv;
    if (!(k->det > 1e-12 * k->uu * k->vv))
        return fail(
            PL_ERROR_ARGUMENT,
            "cut: the blade has no area: u is (%g, %g, %g) and v is (%g, %g, %g); they must span a parallelogram",
            k->u[0], k->u[1], k->u[2], k->v[0], k->v[1], k->v[2]);
    return PL_OK;
}

// Does the segment from a to b pass through the parallelogram of the blade?
static bool through(const blade_plane *k, const double *a, const double *b)
{
    double from = 0.0, to = 0.0, along[2] = {0};
    for (int c = 0; c < 3; c++)
    {
        from += k->normal[c] * (a[c] - k->corner[c]);
        to += k->normal[c] * (b[c] - k->corner[c]);
    }
    if ((from < 0.0) == (to < 0.0))
        return false;
    double t = from / (from - to);
    for (int c = 0; c < 3; c++)
    {
        double at = a[c] + t * (b[c] - a[c]) - k->corner[c];
        along[0] += at * k->u[c];
        along[1] += at * k->v[c];
    }
    double p = (along[0] * k->vv - along[1] * k->uv) / k->det, q = (along[1] * k->uu - along[0] * k->uv) / k->det;
    return p >= 0.0 && p <= 1.0 && q >= 0.0 && q <= 1.0;
}

// Computes the mean position of some particles.
static void middle(const pl_world *w, const int32_t *point, int points, double *at)
{
    for (int c = 0; c < 3; c++)
    {
        at[c] = 0.0;
        for (int k = 0; k < points; k++)
            at[c] += (double)w->state.slot[SLOT_X][4 * (size_t)w->numbers.slot_of[point[k]] + (size_t)c] / points;
    }
}

static bool cut_between(const void *user, const pl_world *w, const cell *a, const cell *b)
{
    double from[3], to[3];
    middle(w, a->point, a->points, from);
    middle(w, b->point, b->points, to);
    return through(user, from, to);
}

// For each particle number: the side of the blade's plane it is on, and whether it is a corner of a cell that crosses
// the plane.
enum
{
    FAR_SIDE = 1,
    ACROSS = 2,
};

static void find_sides(const pl_world *w, const blade_plane *k, int32_t *side)
{
    for (int32_t n = 0; n < w->numbers.end; n++)
    {
        double way = 0.0;
        for (int c = 0; c < 3 && w->numbers.slot_of[n] >= 0; c++)
            way += k->normal[c] *
                   ((double)w->state.slot[SLOT_X][4 * (size_t)w->numbers.slot_of[n] + (size_t)c] - k->corner[c]);
        side[n] = way < 0.0 ? FAR_SIDE : 0;
    }
}

static void mark_across(int32_t *side, const int32_t *index, int64_t count, int points)
{
    for (int64_t i = 0; i < count; i++, index += points)
    {
        int32_t all = FAR_SIDE, any = 0;
        for (int c = 0; c < points; c++)
            all &= side[index[c]], any |= side[index[c]];
        for (int c = 0; (any & FAR_SIDE) != all && c < points; c++)
            side[index[c]] |= ACROSS;
    }
}

// If the plane lies between the centres of two neighbouring cells, at least one of the cells crosses it. So only
// corners of such cells can split.
static void find_across(const pl_world *w, int32_t *side)
{
    mark_across(side, w->faces.index, w->faces.count, 3);
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        if (incidence_rank(kind) > 0)
            mark_across(side, w->rows[kind].index, w->rows[kind].count, facts_of(kind)->info.arity);
}

// Breaks links that belong to no cell where the blade passes through them. numbers: the particle numbers that have a
// side; later ones were created by the cut.
static pl_result cut_links(pl_world *w, const blade_plane *k, const int32_t *side, int32_t numbers, int32_t object)
{
    pl_result result = PL_OK;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        for (int64_t i = 0; facts_of(kind)->info.arity == 2 && result == PL_OK && i < w->rows[kind].count; i++)
        {
            const int32_t *end = w->rows[kind].index + 2 * i;
            cell *cells;
            int32_t count;
            double a[3], b[3];
            if (end[0] < numbers && end[1] < numbers && !((side[end[0]] ^ side[end[1]]) & FAR_SIDE))
                continue;
            middle(w, end, 1, a);
            middle(w, end + 1, 1, b);
            if ((object && object_at(w, end[0]) != object) || !through(k, a, b))
                continue;
            result = incidence_cells(w, end[0], &cells, &count);
            if (result == PL_OK && count == 0)
                result = tear_row(w, kind, i);
        }
    return result;
}

// Splits the vertices and breaks the links that the blade separates, and counts them.
static pl_result cut(pl_world *w, int32_t object, const blade_plane *k, int *cuts)
{
    tear *t = &w->tear;
    int64_t before = t->splits + t->broken;
    int32_t end = w->numbers.end;
    pl_result result = tear_begin(w);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &t->side, &t->side_capacity, end, sizeof *t->side);
    if (result == PL_OK)
    {
        find_sides(w, k, t->side);
        find_across(w, t->side);
    }
    for (int32_t n = 0; result == PL_OK && n < end; n++)
    {
        bool split;
        if (w->numbers.slot_of[n] < 0 || !(t->side[n] & ACROSS) || (object && object_at(w, n) != object))
            continue;
        result = tear_vertex(w, n, cut_between, k, &split);
    }
    if (result == PL_OK)
        result = cut_links(w, k, t->side, end, object);
    *cuts = (int)(t->splits + t->broken - before);
    return result == PL_OK && *cuts ? tear_end(w) : result;
}

pl_result pl_cut(pl_world *w, pl_id object, const pl_blade *blade, int *cuts)
{
    NEED(w);
    NEED(blade);
    PLAIN_ROUNDING;
    blade_plane k;
    int done = 0;
    pl_result result = prepare_blade(blade, &k);
    if (result == PL_OK && object.index && !id_find(w, object, ID_OBJECT, "cut"))
        result = PL_ERROR_ARGUMENT;
    if (result == PL_OK)
        result = memory_guard(&w->memory);
    if (result != PL_OK)
        return result;
    result = cut(w, (int32_t)object.index, &k, &done);
    tear_settle(w, result);
    world_changed(w, true);
    if (cuts)
        *cuts = result == PL_OK ? done : 0;
    return result;
}
