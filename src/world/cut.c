// cut.c: blades. Cells whose middles lie on different sides of the blade, the way between them leading through it, come apart; so the cut
// runs along those edges of the mesh (faces of tetrahedra) that are nearest to the blade, and nothing is meshed anew. Links that belong
// to no cell break where the blade goes through them.
#include "world/world.h"

#include <math.h>

typedef struct knife
{
    double corner[3], u[3], v[3], normal[3];
    double uu, uv, vv, det;
} knife;

static pl_result sharpen(const pl_blade *b, knife *k)
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

static bool through(const knife *k, const double *a, const double *b)
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

static pl_result cut_links(pl_world *w, const knife *k, int32_t object)
{
    pl_result result = PL_OK;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        for (int64_t i = 0; facts_of(kind)->info.arity == 2 && result == PL_OK && i < w->rows[kind].count; i++)
        {
            const int32_t *end = w->rows[kind].index + 2 * i;
            cell *cells;
            int32_t count;
            double a[3], b[3];
            middle(w, end, 1, a);
            middle(w, end + 1, 1, b);
            if ((object && object_at(w, end[0]) != object) || !through(k, a, b))
                continue;
            result = web_cells(w, end[0], &cells, &count);
            if (result == PL_OK && count == 0)
                result = tear_row(w, kind, i);
        }
    return result;
}

// Whether a particle may be near the blade at all: it spares most of them the look at their cells.
static bool within_reach(const pl_world *w, const knife *k, int32_t number, double reach)
{
    const float *x = w->state.slot[SLOT_X] + 4 * (size_t)w->numbers.slot_of[number];
    double side = 0.0, size = 0.0;
    for (int c = 0; c < 3; c++)
    {
        side += k->normal[c] * ((double)x[c] - k->corner[c]);
        size += k->normal[c] * k->normal[c];
    }
    return side * side <= reach * reach * size;
}

// The longest way from a particle to a corner of one of its faces.
static double longest_edge(const pl_world *w)
{
    double most = 0.0;
    for (int64_t i = 0; i < 3 * w->faces.count; i++)
    {
        const int32_t *f = w->faces.index + i / 3 * 3;
        const float *a = w->state.slot[SLOT_X] + 4 * (size_t)w->numbers.slot_of[f[i % 3]];
        const float *b = w->state.slot[SLOT_X] + 4 * (size_t)w->numbers.slot_of[f[(i + 1) % 3]];
        double size = 0.0;
        for (int c = 0; c < 3; c++)
            size += ((double)a[c] - (double)b[c]) * ((double)a[c] - (double)b[c]);
        most = size > most ? size : most;
    }
    return sqrt(most);
}

pl_result pl_cut(pl_world *w, pl_id object, const pl_blade *blade, int *cuts)
{
    NEED(w);
    NEED(blade);
    PLAIN_ROUNDING;
    knife k;
    pl_result result = sharpen(blade, &k);
    if (result == PL_OK && object.index && !thing_of(w, object, THING_OBJECT, "cut"))
        result = PL_ERROR_ARGUMENT;
    int64_t before = w->tear.splits + w->tear.broken;
    if (result == PL_OK)
        result = tear_begin(w);
    double reach = result == PL_OK && w->faces.count ? 2.0 * longest_edge(w) : HUGE_VAL;
    int32_t end = w->numbers.end;
    for (int32_t n = 0; result == PL_OK && n < end; n++)
    {
        bool split;
        if (w->numbers.slot_of[n] < 0 || !within_reach(w, &k, n, reach) ||
            (object.index && object_at(w, n) != (int32_t)object.index))
            continue;
        result = tear_vertex(w, n, cut_between, &k, &split);
    }
    if (result == PL_OK)
        result = cut_links(w, &k, (int32_t)object.index);
    int64_t done = w->tear.splits + w->tear.broken - before;
    if (cuts)
        *cuts = (int)done;
    return result == PL_OK && done ? tear_end(w) : result;
}
