// repair.c: repairs triangle meshes, in an order in which each repair makes the next possible. Vertices and triangles
// keep their first numbers to the end, so that messages use the user's numbers.
#include "author/repair.h"
#include "author/crossing.h"
#include "author/mesh_build.h"
#include "author/orient.h"
#include "author/points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct repair
{
    mesh_view view; // of the arrays below
    int32_t *triangle, *from, *to;
    int64_t room; // capacity of triangle (3 numbers each) and from
    mesh_repairs done;
} repair;

// ---- merging -------------------------------------------------------------------------------------------------------

// Sets to[i] to the lowest vertex that stays and is near enough to i; to itself if there is none.
static pl_result find_near(memory *m, const mesh_view *v, double tolerance, int32_t *to)
{
    if (tolerance == 0.0)
        return mesh_weld(m, v, to);
    double low[3], high[3];
    point_grid g;
    mesh_box(v, low, high);
    pl_result result = point_grid_open(m, low, tolerance, v->vertices, &g);
    if (result != PL_OK)
        return result;
    for (int32_t i = 0; result == PL_OK && i < v->vertices; i++)
    {
        int32_t near = point_grid_near(&g, v->x, v->x + 3 * (int64_t)i, tolerance);
        to[i] = near < 0 ? i : near;
        if (near < 0)
            result = point_grid_add(m, &g, v->x, i);
    }
    point_grid_close(m, &g);
    return result;
}

static pl_result check_some(const repair *r)
{
    if (r->view.triangles > 0)
        return PL_OK;
    return fail(PL_ERROR_ARGUMENT, "%s: no triangle has an area; give a mesh that encloses something", r->view.name);
}

static pl_result merge(memory *m, repair *r)
{
    pl_result result = find_near(m, &r->view, r->done.tolerance, r->to);
    if (result != PL_OK)
        return result;
    for (int64_t i = 0; i < r->view.vertices; i++)
        r->done.merged += r->to[i] != i;
    int64_t kept = 0;
    for (int64_t t = 0; t < r->view.triangles; t++)
    {
        int32_t c[3];
        for (int i = 0; i < 3; i++)
            c[i] = r->to[r->triangle[3 * t + i]];
        if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0])
            continue;
        memcpy(r->triangle + 3 * kept, c, sizeof c);
        r->from[kept++] = r->from[t];
    }
    r->done.collapsed = r->view.triangles - kept;
    r->view.triangles = kept;
    return check_some(r);
}

// ---- duplicate triangles -------------------------------------------------------------------------------------------

typedef struct ranked
{
    int32_t v[3]; // ascending
    int32_t flipped, at;
} ranked;

static int compare_ranked(const void *p, const void *q)
{
    const ranked *a = p, *b = q;
    for (int k = 0; k < 3; k++)
        if (a->v[k] != b->v[k])
            return a->v[k] < b->v[k] ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

static ranked rank(const int32_t *c, int32_t at)
{
    int lowest = c[0] < c[1] && c[0] < c[2] ? 0 : c[1] < c[2] ? 1 : 2;
    int32_t a = c[lowest], b = c[(lowest + 1) % 3], d = c[(lowest + 2) % 3];
    return b < d ? (ranked){{a, b, d}, 0, at} : (ranked){{a, d, b}, 1, at};
}

// Among triangles with the same corners, those of opposite orientation cancel in pairs; of the rest, one stays.
static void mark_doubles(const ranked *all_of_them, int64_t count, int8_t *gone)
{
    for (int64_t i = 0, end; i < count; i = end)
    {
        int64_t balance = 0;
        for (end = i; end < count && memcmp(all_of_them[end].v, all_of_them[i].v, sizeof all_of_them[i].v) == 0; end++)
            balance += all_of_them[end].flipped ? -1 : 1;
        for (int64_t k = i; k < end; k++)
        {
            int stays = balance != 0 && all_of_them[k].flipped == (balance < 0);
            gone[all_of_them[k].at] = (int8_t)!stays;
            balance = stays ? 0 : balance; // only the first one stays
        }
    }
}

static pl_result drop_doubles(memory *m, repair *r)
{
    ranked *all_of_them = NULL;
    int8_t *gone = NULL;
    int64_t n = r->view.triangles, kept = 0;
    pl_result result = take_items(m, &all_of_them, n, sizeof *all_of_them);
    if (result == PL_OK)
        result = take_items(m, &gone, n, sizeof *gone);
    if (result == PL_OK)
    {
        for (int32_t t = 0; t < n; t++)
            all_of_them[t] = rank(r->triangle + 3 * (int64_t)t, t);
        qsort(all_of_them, (size_t)n, sizeof *all_of_them, compare_ranked);
        mark_doubles(all_of_them, n, gone);
        for (int64_t t = 0; t < n; t++)
        {
            if (gone[t])
                continue;
            memmove(r->triangle + 3 * kept, r->triangle + 3 * t, 3 * sizeof(int32_t));
            r->from[kept++] = r->from[t];
        }
        r->done.doubled = n - kept;
        r->view.triangles = kept;
    }
    drop_items(m, &all_of_them, n, sizeof *all_of_them);
    drop_items(m, &gone, n, sizeof *gone);
    return result == PL_OK ? check_some(r) : result;
}

// ---- slivers -------------------------------------------------------------------------------------------------------

typedef struct sliver_work
{
    half_edge *halves;
    int32_t *self, *twin; // twin: for the half edge that starts at 3 triangle + corner, the start of the opposite one
    int8_t *touched;
} sliver_work;

static int edge_exists(const half_edge *halves, int64_t count, int32_t a, int32_t b)
{
    int32_t low_end = a < b ? a : b, high_end = a < b ? b : a;
    int64_t low = 0, high = count;
    while (low < high)
    {
        int64_t middle = (low + high) / 2;
        const half_edge *h = &halves[middle];
        if (h->low < low_end || (h->low == low_end && h->high < high_end))
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && halves[low].low == low_end && halves[low].high == high_end;
}

// Flips an edge: a sliver a b c, with c near its longest side a b, and its neighbour b a d become a d c and d b c. The
// surface moves by at most the sliver's height. Returns 1 if done.
static int flip_edge(repair *r, sliver_work *w, int64_t t, int side)
{
    int32_t at = (int32_t)(3 * t + side), across = w->twin[at], other = across / 3;
    int32_t a = r->triangle[at], b = r->triangle[3 * t + (side + 1) % 3], c = r->triangle[3 * t + (side + 2) % 3];
    int32_t d = r->triangle[3 * other + (across % 3 + 2) % 3];
    if (w->touched[t] || w->touched[other] || c == d || edge_exists(w->halves, 3 * r->view.triangles, c, d))
        return 0;
    memcpy(r->triangle + 3 * t, (int32_t[]){a, d, c}, 3 * sizeof(int32_t));
    memcpy(r->triangle + 3 * (int64_t)other, (int32_t[]){d, b, c}, 3 * sizeof(int32_t));
    w->touched[t] = w->touched[other] = 1;
    return 1;
}

// Does one pass over the slivers. Returns the number of flipped edges; *left: a sliver that remains, -1: none.
static int64_t flip_edges(repair *r, sliver_work *w, int64_t *left)
{
    int64_t count = 3 * r->view.triangles, done = 0;
    mesh_sort_edges(&r->view, w->self, w->halves);
    for (int64_t i = 0; i < count; i += 2)
    {
        w->twin[w->halves[i].at] = w->halves[i + 1].at;
        w->twin[w->halves[i + 1].at] = w->halves[i].at;
    }
    memset(w->touched, 0, (size_t)r->view.triangles);
    *left = -1;
    for (int64_t t = 0; t < r->view.triangles; t++)
    {
        int side;
        if (w->touched[t] || !mesh_is_flat(&r->view, t, r->done.tolerance, &side))
            continue;
        *left = *left < 0 ? t : *left;
        done += flip_edge(r, w, t, side);
    }
    return done;
}

static pl_result drop_slivers(memory *m, repair *r)
{
    sliver_work w = {0};
    int64_t n = r->view.triangles, left = -1;
    pl_result result = take_items(m, &w.halves, 3 * n, sizeof *w.halves);
    if (result == PL_OK)
        result = take_items(m, &w.twin, 3 * n, sizeof *w.twin);
    if (result == PL_OK)
        result = take_items(m, &w.touched, n, sizeof *w.touched);
    if (result == PL_OK)
        result = take_items(m, &w.self, r->view.vertices, sizeof *w.self);
    for (int64_t v = 0; result == PL_OK && v < r->view.vertices; v++)
        w.self[v] = (int32_t)v;
    for (int pass = 0; result == PL_OK && pass < 32; pass++)
    {
        int64_t flipped = flip_edges(r, &w, &left);
        r->done.slivers += flipped;
        if (flipped == 0)
            break;
    }
    drop_items(m, &w.halves, 3 * n, sizeof *w.halves);
    drop_items(m, &w.twin, 3 * n, sizeof *w.twin);
    drop_items(m, &w.touched, n, sizeof *w.touched);
    drop_items(m, &w.self, r->view.vertices, sizeof *w.self);
    if (result != PL_OK || left < 0)
        return result;
    const int32_t *c = r->triangle + 3 * left;
    const float *x = r->view.x + 3 * (int64_t)c[0];
    return fail(PL_ERROR_ARGUMENT,
                "%s: triangle %d (vertices %d, %d, %d), near (%g, %g, %g), is a sliver that flipping edges cannot "
                "remove; remesh that place",
                r->view.name, r->from[left], c[0], c[1], c[2], (double)x[0], (double)x[1], (double)x[2]);
}

// ---- the whole repair ----------------------------------------------------------------------------------------------

static pl_result check_crossing(memory *m, repair *r)
{
    mesh_crossing c;
    pl_result result = find_crossing(m, &r->view, &c);
    return result == PL_OK ? refuse_crossing(&r->view, &c, r->from) : result;
}

// Counts a shell that was flipped as a whole once, and other flipped triangles one by one.
static pl_result count_turned(memory *m, repair *r, const orientation *o)
{
    int64_t *flipped = NULL;
    pl_result result = take_items(m, &flipped, 2 * (int64_t)o->shells, sizeof *flipped);
    if (result != PL_OK)
        return result;
    for (int64_t t = 0; t < o->triangles; t++)
    {
        flipped[2 * o->shell[t]] += o->flipped[t];
        flipped[2 * o->shell[t] + 1]++;
    }
    for (int32_t s = 0; s < o->shells; s++)
    {
        int whole = flipped[2 * s] == flipped[2 * s + 1];
        r->done.shells += whole;
        r->done.flipped += whole ? 0 : flipped[2 * s];
    }
    drop_items(m, &flipped, 2 * (int64_t)o->shells, sizeof *flipped);
    return PL_OK;
}

static pl_result mend(memory *m, repair *r)
{
    orientation o = {0};
    pl_result result = merge(m, r);
    if (result == PL_OK)
        result = drop_doubles(m, r);
    if (result == PL_OK)
        result = orient_alike(m, &r->view, r->triangle, r->from, &o);
    if (result == PL_OK)
        result = drop_slivers(m, r);
    if (result == PL_OK)
        result = check_crossing(m, r);
    if (result == PL_OK)
        result = orient_outwards(m, &r->view, r->triangle, &o);
    if (result == PL_OK)
        result = count_turned(m, r, &o);
    orient_drop(m, &o);
    return result;
}

// Builds the result as a mesh of its own.
static pl_result finish(memory *m, const repair *r, pl_mesh *out)
{
    mesh_build b;
    pl_result result = mesh_build_open(m, r->view.vertices, r->view.triangles, &b);
    if (result != PL_OK)
        return result;
    memcpy(b.mesh.vertices, r->view.x, 12 * (size_t)r->view.vertices);
    memcpy(b.mesh.triangles, r->triangle, 12 * (size_t)r->view.triangles);
    b.mesh.vertex_count = (int)r->view.vertices;
    b.mesh.triangle_count = (int)r->view.triangles;
    result = mesh_compact(m, &b.mesh, r->to);
    mesh_view v = view_of(&b.mesh, r->view.name);
    if (result == PL_OK)
        result = mesh_check(m, &v, 1);
    if (result == PL_OK)
        *out = b.mesh;
    else
        mesh_drop(m, &b.mesh);
    return result;
}

pl_result mesh_repair(memory *m, const mesh_view *mesh, double tolerance, pl_mesh *out, mesh_repairs *done)
{
    repair r = {.view = *mesh, .room = mesh->triangles};
    *done = (mesh_repairs){0};
    *out = (pl_mesh){0};
    pl_result result = mesh_check_numbers(mesh);
    if (result != PL_OK)
        return result;
    double low[3], high[3], size[3];
    mesh_box(mesh, low, high);
    sub3(high, low, size);
    double diagonal = sqrt(dot3(size, size));
    r.done.tolerance = tolerance < 0.0 ? 1e-6 * diagonal : tolerance;
    if (!(r.done.tolerance <= 0.1 * diagonal))
        return fail(PL_ERROR_ARGUMENT,
                    "%s: the tolerance is %g m, the mesh is %g m large; give a tenth of that or less", mesh->name,
                    r.done.tolerance, diagonal);
    result = take_items(m, &r.triangle, r.room, 3 * sizeof *r.triangle);
    if (result == PL_OK)
        result = take_items(m, &r.from, r.room, sizeof *r.from);
    if (result == PL_OK)
        result = take_items(m, &r.to, mesh->vertices, sizeof *r.to);
    if (result == PL_OK)
    {
        memcpy(r.triangle, mesh->triangle, 12 * (size_t)r.room);
        for (int64_t t = 0; t < r.room; t++)
            r.from[t] = (int32_t)t;
        r.view.triangle = r.triangle;
        result = mend(m, &r);
    }
    if (result == PL_OK)
        result = finish(m, &r, out);
    if (result == PL_OK)
        *done = r.done;
    drop_items(m, &r.triangle, r.room, 3 * sizeof *r.triangle);
    drop_items(m, &r.from, r.room, sizeof *r.from);
    drop_items(m, &r.to, mesh->vertices, sizeof *r.to);
    return result;
}

int mesh_repairs_tell(const char *name, const mesh_repairs *d, int number, char *text, size_t size)
{
    const struct
    {
        int64_t count;
        const char *one, *many;
    } lines[REPAIR_LINES] = {
        {d->merged, "vertex was merged with another at the same place",
         "vertices were merged with others at the same place"},
        {d->collapsed, "triangle without a side was removed", "triangles without a side were removed"},
        {d->doubled, "triangle that lay there twice was removed", "triangles that lay there twice were removed"},
        {d->slivers, "triangle without a height was taken out by flipping an edge",
         "triangles without a height were taken out by flipping an edge"},
        {d->flipped, "triangle was flipped to match its neighbours",
         "triangles were flipped to match their neighbours"},
        {d->shells, "shell was inside out and has been flipped", "shells were inside out and have been flipped"}};
    if (number < 0 || number >= REPAIR_LINES || lines[number].count == 0)
        return 0;
    int used = snprintf(text, size, "%s: %lld %s", name, (long long)lines[number].count,
                        lines[number].count == 1 ? lines[number].one : lines[number].many);
    if (number == 0 && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, ", within %g m", d->tolerance);
    return 1;
}
