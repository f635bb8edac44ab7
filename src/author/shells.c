// shells.c: finds connected components with union-find, and pinched vertices.
#include "author/shells.h"

#include "core/union_find.h"

static pl_result open_sets(memory *m, int64_t count, int32_t **set)
{
    pl_result result = take_items(m, set, count, sizeof **set);
    for (int64_t i = 0; result == PL_OK && i < count; i++)
        (*set)[i] = (int32_t)i;
    return result;
}

// ---- shells --------------------------------------------------------------------------------------------------------

// Numbers the shells and sums their volumes. weld: for each vertex the first one at its place.
static void number_shells(const mesh_view *mesh, const int32_t *weld, int32_t *set, int32_t *shell_of_set,
                          mesh_shells *out)
{
    double o[3];
    widen(mesh->x + 3 * (int64_t)mesh->triangle[0], o);
    for (int64_t v = 0; v < mesh->vertices; v++)
        shell_of_set[v] = -1;
    for (int64_t t = 0; t < mesh->triangles; t++)
    {
        const int32_t *c = mesh->triangle + 3 * t;
        int32_t *number = &shell_of_set[union_find(set, weld[c[0]])];
        if (*number < 0)
            *number = out->count++;
        out->shell[t] = *number;
        double p[3][3];
        for (int i = 0; i < 3; i++)
            widen(mesh->x + 3 * (int64_t)c[i], p[i]);
        out->volume[*number] += box_product(o, p[0], p[1], p[2]) / 6.0;
    }
}

pl_result shells_find(memory *m, const mesh_view *mesh, mesh_shells *out)
{
    int32_t *weld = NULL, *set = NULL, *shell_of_set = NULL;
    *out = (mesh_shells){.triangles = mesh->triangles};
    pl_result result = take_items(m, &weld, mesh->vertices, sizeof *weld);
    if (result == PL_OK)
        result = take_items(m, &shell_of_set, mesh->vertices, sizeof *shell_of_set);
    if (result == PL_OK)
        result = take_items(m, &out->shell, mesh->triangles, sizeof *out->shell);
    if (result == PL_OK)
        result = take_items(m, &out->volume, mesh->triangles, sizeof *out->volume);
    if (result == PL_OK)
        result = mesh_weld(m, mesh, weld);
    if (result == PL_OK)
        result = open_sets(m, mesh->vertices, &set);
    if (result == PL_OK)
    {
        for (int64_t i = 0; i < 3 * mesh->triangles; i++)
            union_join(set, weld[mesh->triangle[i]], weld[mesh->triangle[i / 3 * 3]]);
        number_shells(mesh, weld, set, shell_of_set, out);
    }
    else
        shells_drop(m, out);
    drop_items(m, &weld, mesh->vertices, sizeof *weld);
    drop_items(m, &set, mesh->vertices, sizeof *set);
    drop_items(m, &shell_of_set, mesh->vertices, sizeof *shell_of_set);
    return result;
}

void shells_drop(memory *m, mesh_shells *s)
{
    drop_items(m, &s->shell, s->triangles, sizeof *s->shell);
    drop_items(m, &s->volume, s->triangles, sizeof *s->volume);
    *s = (mesh_shells){0};
}

pl_result shells_count_tets(memory *m, const pl_tets *t, int32_t *pieces)
{
    int32_t *set;
    pl_result result = open_sets(m, t->vertex_count, &set);
    *pieces = 0;
    for (int64_t i = 0; result == PL_OK && i < 4 * (int64_t)t->tet_count; i++)
        union_join(set, t->tets[i], t->tets[i / 4 * 4]);
    for (int32_t v = 0; result == PL_OK && v < t->vertex_count; v++)
        *pieces += set[v] == v;
    drop_items(m, &set, t->vertex_count, sizeof *set);
    return result;
}

// ---- pinches -------------------------------------------------------------------------------------------------------

// Finds a pinch. In a closed surface without pinches, walking from triangle to triangle around a vertex, through the
// edges that start there, returns after as many steps as the vertex has triangles. `next` holds, for each corner, the
// corner that follows it; `triangles_at`, for each vertex, the number of its triangles.
static int32_t first_pinch(const mesh_view *mesh, const int32_t *next, const int32_t *first,
                           const int32_t *triangles_at)
{
    for (int64_t v = 0; v < mesh->vertices; v++)
    {
        int32_t at = first[v], steps = 0;
        if (at < 0)
            continue;
        do
        {
            at = next[at];
            steps++;
        }
        while (at >= 0 && at != first[v] && steps <= triangles_at[v]);
        if (at != first[v] || steps != triangles_at[v])
            return (int32_t)v;
    }
    return -1;
}

// Pairs each half edge that leaves a vertex with its twin that arrives there, whose triangle comes next. Returns a
// vertex of an edge that is not shared by exactly two triangles of opposite direction; -1: there is none.
static int32_t link_corners(const half_edge *halves, int64_t count, int32_t *next)
{
    for (int64_t i = 0; i < count; i += 2)
    {
        const half_edge *h = halves + i;
        if (i + 1 >= count || h[0].low != h[1].low || h[0].high != h[1].high || h[0].falls == h[1].falls)
            return h->low;
        if (i + 2 < count && h[2].low == h->low && h[2].high == h->high)
            return h->low;
        for (int k = 0; k < 2; k++)
        {
            int32_t leaves = h[k].at, arrives = h[1 - k].at;
            next[leaves] = arrives / 3 * 3 + (arrives + 1) % 3; // the twin ends where this one starts
        }
    }
    return -1;
}

pl_result shells_find_pinch(memory *m, const mesh_view *mesh, int32_t *vertex)
{
    int64_t corners = 3 * mesh->triangles, block_size = 2 * mesh->vertices + corners;
    half_edge *halves = NULL;
    int32_t *block = NULL, *set = NULL;
    pl_result result = take_items(m, &halves, corners, sizeof *halves);
    if (result == PL_OK)
        result = take_items(m, &block, block_size, sizeof *block);
    if (result == PL_OK)
        result = open_sets(m, mesh->vertices, &set); // no welding: each vertex is its own set
    if (result == PL_OK)
    {
        int32_t *first = block, *triangles_at = block + mesh->vertices, *next = triangles_at + mesh->vertices;
        for (int64_t v = 0; v < mesh->vertices; v++)
            first[v] = -1;
        for (int64_t i = corners - 1; i >= 0; i--)
        {
            first[mesh->triangle[i]] = (int32_t)i;
            triangles_at[mesh->triangle[i]]++;
        }
        mesh_sort_edges(mesh, set, halves);
        *vertex = link_corners(halves, corners, next);
        if (*vertex < 0)
            *vertex = first_pinch(mesh, next, first, triangles_at);
    }
    drop_items(m, &halves, corners, sizeof *halves);
    drop_items(m, &block, block_size, sizeof *block);
    drop_items(m, &set, mesh->vertices, sizeof *set);
    return result;
}
