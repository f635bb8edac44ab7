// embed.c: finds the tetrahedron that contains a point, with a grid of cells that lists the tetrahedra whose boxes
// overlap each cell.
#include "author/embed.h"

#include <math.h>

typedef struct tet_cells
{
    double low[3], cell;
    int32_t size[3];
    int64_t cells, entries;
    int32_t *start, *list; // the tetrahedra of cell i: list[start[i]] to list[start[i + 1] - 1]
} tet_cells;

static void box_of_tet(const pl_tets *t, int64_t i, double low[3], double high[3])
{
    for (int c = 0; c < 4; c++)
        for (int k = 0; k < 3; k++)
        {
            double a = (double)t->vertices[3 * (int64_t)t->tets[4 * i + c] + k];
            low[k] = c == 0 || a < low[k] ? a : low[k];
            high[k] = c == 0 || a > high[k] ? a : high[k];
        }
}

// Chooses cells of the average size of a tetrahedron's box.
static void lay_cells(const pl_tets *t, tet_cells *g)
{
    double high[3] = {0.0, 0.0, 0.0}, sum = 0.0, cells;
    for (int64_t i = 0; i < t->tet_count; i++)
    {
        double a[3], b[3], widest = 0.0;
        box_of_tet(t, i, a, b);
        for (int k = 0; k < 3; k++)
        {
            widest = fmax(widest, b[k] - a[k]);
            g->low[k] = i == 0 ? a[k] : fmin(g->low[k], a[k]);
            high[k] = i == 0 ? b[k] : fmax(high[k], b[k]);
        }
        sum += widest;
    }
    g->cell = fmax(sum / (double)t->tet_count, 1e-30);
    for (;; g->cell *= 2.0)
    {
        cells = 1.0;
        for (int k = 0; k < 3; k++)
            cells *= floor((high[k] - g->low[k]) / g->cell) + 1.0;
        if (cells <= 8.0 * (double)t->tet_count + 1000.0)
            break;
    }
    for (int k = 0; k < 3; k++)
        g->size[k] = (int32_t)(floor((high[k] - g->low[k]) / g->cell) + 1.0);
    g->cells = (int64_t)g->size[0] * g->size[1] * g->size[2];
}

// Returns the cell along an axis; -1: outside.
static int64_t cell_along(const tet_cells *g, int axis, double x)
{
    double a = floor((x - g->low[axis]) / g->cell);
    return a < 0.0 || !(a < (double)g->size[axis]) ? -1 : (int64_t)a;
}

// Counts the entries of each cell (fill 0), or writes them (fill 1).
static void enter(const pl_tets *t, tet_cells *g, int fill)
{
    for (int64_t i = 0; i < t->tet_count; i++)
    {
        double low[3], high[3];
        int64_t from[3], to[3];
        box_of_tet(t, i, low, high);
        for (int k = 0; k < 3; k++)
        {
            from[k] = cell_along(g, k, low[k]);
            to[k] = cell_along(g, k, high[k]);
        }
        for (int64_t z = from[2]; z <= to[2]; z++)
            for (int64_t y = from[1]; y <= to[1]; y++)
                for (int64_t x = from[0]; x <= to[0]; x++)
                {
                    int32_t *at = &g->start[(z * g->size[1] + y) * g->size[0] + x + (fill ? 0 : 1)];
                    if (fill)
                        g->list[*at] = (int32_t)i;
                    *at += 1;
                }
    }
}

static pl_result open_cells(memory *m, const pl_tets *t, tet_cells *g)
{
    *g = (tet_cells){0};
    lay_cells(t, g);
    pl_result result = take_items(m, &g->start, g->cells + 1, sizeof *g->start);
    if (result != PL_OK)
        return result;
    enter(t, g, 0);
    for (int64_t i = 0; i < g->cells; i++)
        g->start[i + 1] += g->start[i];
    g->entries = g->start[g->cells];
    result = take_items(m, &g->list, g->entries, sizeof *g->list);
    if (result != PL_OK)
        return result;
    enter(t, g, 1);
    for (int64_t i = g->cells; i > 0; i--) // filling has moved each start to its end
        g->start[i] = g->start[i - 1];
    g->start[0] = 0;
    return PL_OK;
}

static void close_cells(memory *m, tet_cells *g)
{
    drop_items(m, &g->start, g->cells + 1, sizeof *g->start);
    drop_items(m, &g->list, g->entries, sizeof *g->list);
}

// Computes the barycentric weights of x in a tetrahedron and returns the smallest.
static double weigh(const pl_tets *t, int32_t tet, const double x[3], double w[4])
{
    double p[4][3];
    for (int i = 0; i < 4; i++)
        widen(t->vertices + 3 * (int64_t)t->tets[4 * (int64_t)tet + i], p[i]);
    double all_of_it = box_product(p[0], p[1], p[2], p[3]);
    w[1] = box_product(p[0], x, p[2], p[3]) / all_of_it;
    w[2] = box_product(p[0], p[1], x, p[3]) / all_of_it;
    w[3] = box_product(p[0], p[1], p[2], x) / all_of_it;
    w[0] = 1.0 - w[1] - w[2] - w[3];
    return fmin(fmin(w[0], w[1]), fmin(w[2], w[3]));
}

// Returns the tetrahedron of x's cell in which x lies deepest; -1: it lies in none of them.
static int32_t holder(const pl_tets *t, const tet_cells *g, const double x[3])
{
    int64_t at[3];
    int32_t best = -1;
    double deepest = -1e-9, w[4];
    for (int k = 0; k < 3; k++)
        if ((at[k] = cell_along(g, k, x[k])) < 0)
            return -1;
    int64_t cell = (at[2] * g->size[1] + at[1]) * g->size[0] + at[0];
    for (int32_t i = g->start[cell]; i < g->start[cell + 1]; i++)
    {
        double least_of_them = weigh(t, g->list[i], x, w);
        if (least_of_them > deepest)
        {
            deepest = least_of_them;
            best = g->list[i];
        }
    }
    return best;
}

pl_result embed_in_tets(memory *m, const pl_tets *t, const float *x, int64_t count, int32_t *tet, float *weight)
{
    if (t->tet_count < 1 || t->triangle_count < 1)
        return fail(
            PL_ERROR_ARGUMENT,
            "embedding: there are no tetrahedra, or their surface is not known; give tetrahedra and their surface");
    mesh_view skin = {"embedding", t->vertices, t->triangles, t->vertex_count, t->triangle_count};
    bvh tree = {0};
    tet_cells cells = {0};
    pl_result result = bvh_build(m, &skin, 0, &tree);
    if (result == PL_OK)
        result = open_cells(m, t, &cells);
    for (int64_t i = 0; result == PL_OK && i < count; i++)
    {
        const float *p = x + 3 * i;
        double at[3], w[4];
        widen(p, at);
        if (!(fabsf(p[0]) <= MESH_FARTHEST && fabsf(p[1]) <= MESH_FARTHEST && fabsf(p[2]) <= MESH_FARTHEST))
        {
            result = fail(PL_ERROR_ARGUMENT, "embedding: vertex %lld is at (%g, %g, %g); keep within %g m",
                          (long long)i, at[0], at[1], at[2], (double)MESH_FARTHEST);
            break;
        }
        tet[i] = holder(t, &cells, at);
        if (tet[i] < 0)
            tet[i] = t->owners[tree.id[bvh_nearest(&tree, vec_of(p[0], p[1], p[2]), 8.0f * MESH_FARTHEST).slot]];
        weigh(t, tet[i], at, w);
        for (int k = 0; k < 4; k++)
            weight[4 * i + k] = (float)w[k];
    }
    close_cells(m, &cells);
    bvh_free(m, &tree);
    return result;
}
