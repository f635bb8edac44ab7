// hull.c: builds a convex hull from points: checks them, converts them to integer coordinates, runs quickhull, and
// merges its triangles into faces.
#include "collide/hull.h"
#include "collide/mesh_check.h"
#include "collide/quickhull.h"

#include <math.h>

#define HULL_THINNEST 1e-6 // times the extent: a smaller thickness is rounding error of a plane

typedef struct builder
{
    const char *name;
    const float *x;
    int64_t count;
    double extent;
    int64_t *q;      // 3 for each point
    int32_t *next;   // linked lists of quickhull
    int32_t *number; // 0 for a vertex of the hull, else -1
    quickhull hull;
} builder;

static pl_result check_points(const builder *b)
{
    if (b->count < 4 || !b->x)
        return fail(PL_ERROR_ARGUMENT, "%s: the hull has %lld points; give at least 4, not all in one plane", b->name,
                    (long long)b->count);
    if (b->count > INT32_MAX / 4)
        return fail(PL_ERROR_ARGUMENT, "%s: the hull has %lld points; at most %d", b->name, (long long)b->count,
                    INT32_MAX / 4);
    for (int64_t i = 0; i < 3 * b->count; i++)
        if (!isfinite(b->x[i]) || fabsf(b->x[i]) > MESH_FARTHEST)
            return fail(PL_ERROR_ARGUMENT, "%s: point %lld has the %c coordinate %g; give a finite number within %g m",
                        b->name, (long long)(i / 3), "xyz"[i % 3], (double)b -> x[i], (double)MESH_FARTHEST);
    return PL_OK;
}

// Converts to integer coordinates: the box's low corner at 0, scaled by a power of two, so that most floats stay exact.
static pl_result make_whole(builder *b)
{
    double low[3], scale = 1.0;
    b->extent = 0.0;
    for (int k = 0; k < 3; k++)
    {
        double high = low[k] = (double)b->x[k];
        for (int64_t i = 1; i < b->count; i++)
        {
            double a = (double)b->x[3 * i + k];
            low[k] = a < low[k] ? a : low[k];
            high = a > high ? a : high;
        }
        b->extent = high - low[k] > b->extent ? high - low[k] : b->extent;
    }
    if (!(b->extent > 1e-30))
        return fail(PL_ERROR_ARGUMENT,
                    "%s: all %lld points of the hull lie in one place; give at least 4, not all in one plane", b->name,
                    (long long)b->count);
    double most_of_it = (double)((int64_t)1 << QUICKHULL_BITS) - 1.0;
    while (b->extent * scale > most_of_it)
        scale *= 0.5;
    while (b->extent * scale * 2.0 <= most_of_it)
        scale *= 2.0;
    for (int64_t i = 0; i < b->count; i++)
        for (int k = 0; k < 3; k++)
            b->q[3 * i + k] = (int64_t)floor(((double)b->x[3 * i + k] - low[k]) * scale + 0.5);
    return PL_OK;
}

static void difference(const builder *b, int64_t i, int64_t j, double d[3])
{
    for (int k = 0; k < 3; k++)
        d[k] = (double)b->x[3 * i + k] - (double)b->x[3 * j + k];
}

static void outer(const double a[3], const double b[3], double r[3])
{
    for (int k = 0; k < 3; k++)
        r[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double inner(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Finds four points far from each other: the one with the lowest x, then the farthest from it, from their line and from
// their plane.
static pl_result find_start(const builder *b, int32_t start[4])
{
    double far_off = -1.0, e[3], d[3], n[3], best[3] = {0.0, 0.0, 0.0};
    start[0] = 0;
    for (int64_t i = 0; i < b->count; i++) // the lowest x: certainly on the hull
        if (b->x[3 * i] < b->x[3 * (int64_t)start[0]])
            start[0] = (int32_t)i;
    start[1] = start[2] = start[3] = start[0];
    for (int64_t i = 0; i < b->count; i++)
    {
        difference(b, i, start[0], d);
        if (inner(d, d) > far_off)
        {
            far_off = inner(d, d);
            start[1] = (int32_t)i;
        }
    }
    difference(b, start[1], start[0], e);
    double widest = -1.0;
    for (int64_t i = 0; i < b->count; i++)
    {
        difference(b, i, start[0], d);
        outer(e, d, n);
        if (inner(n, n) > widest)
        {
            widest = inner(n, n);
            start[2] = (int32_t)i;
            for (int k = 0; k < 3; k++)
                best[k] = n[k];
        }
    }
    if (!(sqrt(widest) > HULL_THINNEST * b->extent * sqrt(far_off)))
        return fail(PL_ERROR_ARGUMENT,
                    "%s: all %lld points of the hull lie on one line; give at least 4, not all in one plane", b->name,
                    (long long)b->count);
    double highest = -1.0;
    for (int64_t i = 0; i < b->count; i++)
    {
        difference(b, i, start[0], d);
        double height = fabs(inner(best, d));
        if (height > highest)
        {
            highest = height;
            start[3] = (int32_t)i;
        }
    }
    if (!(highest > HULL_THINNEST * b->extent * sqrt(widest)))
        return fail(PL_ERROR_ARGUMENT,
                    "%s: all %lld points of the hull lie in one plane; a hull needs a thickness above %g m", b->name,
                    (long long)b->count, HULL_THINNEST * b->extent);
    return PL_OK;
}

// ---- merging triangles into faces ----------------------------------------------------------------------------------

// Collects the coplanar neighbours of face f, stores their triangles, and returns the normal of the largest.
static void gather_face(builder *b, int64_t f, hull *out, double normal[3])
{
    quickhull *h = &b->hull;
    double largest = -1.0;
    int64_t seen = 0;
    h->list[seen++] = (int32_t)f;
    h->face[f].mark = 3;
    for (int64_t at = 0; at < seen; at++)
    {
        const hull_face *t = &h->face[h->list[at]];
        double d[3], e[3], n[3];
        difference(b, t->v[1], t->v[0], d);
        difference(b, t->v[2], t->v[0], e);
        outer(d, e, n);
        if (inner(n, n) > largest)
        {
            largest = inner(n, n);
            for (int k = 0; k < 3; k++)
                normal[k] = n[k];
        }
        for (int i = 0; i < 3; i++)
        {
            for (int k = 0; k < 3; k++)
                out->corner[9 * out->triangles + 3 * i + k] = b->x[3 * (int64_t)t->v[i] + k];
            hull_face *beside = &h->face[t->beside[i]];
            int flat = 1;
            for (int k = 0; k < 3; k++)
                flat &= quickhull_side(h, t->v[0], t->v[1], t->v[2], beside->v[k]) == 0;
            if (flat && beside->mark != 3)
            {
                beside->mark = 3;
                h->list[seen++] = t->beside[i];
            }
        }
        out->triangles++;
    }
}

// Puts the plane through the farthest vertex along the normal: no part of the hull is above it.
static void put_plane(const hull *out, const double normal[3], float *plane)
{
    double len = sqrt(inner(normal, normal));
    for (int k = 0; k < 3; k++)
        plane[k] = (float)(normal[k] / len);
    double offset = -1e300;
    for (int64_t i = 0; i < out->vertices; i++)
    {
        const float *v = out->vertex + 3 * i;
        double d = (double)plane[0] * (double)v[0] + (double)plane[1] * (double)v[1] + (double)plane[2] * (double)v[2];
        offset = d > offset ? d : offset;
    }
    plane[3] = (float)offset;
}

static void count_parts(builder *b, hull *out)
{
    quickhull *h = &b->hull;
    for (int64_t i = 0; i < b->count; i++)
        b->number[i] = -1;
    for (int64_t f = 0; f < h->faces; f++)
        for (int i = 0; h->face[f].mark && i < 3; i++)
            b->number[h->face[f].v[i]] = 0;
    for (int64_t f = 0; f < h->faces; f++)
        out->triangles += h->face[f].mark != 0;
    for (int64_t i = 0; i < b->count; i++)
        out->vertices += b->number[i] == 0;
}

static pl_result take(memory *m, void *pointer, int64_t count, size_t item)
{
    int64_t none = 0;
    return array_reserve(m, pointer, &none, count, item);
}

static pl_result put_together(memory *m, builder *b, hull *out)
{
    quickhull *h = &b->hull;
    count_parts(b, out);
    out->planes = out->triangles; // an upper bound for the allocation
    pl_result result = take(m, &out->vertex, out->vertices, 3 * sizeof(float));
    if (result == PL_OK)
        result = take(m, &out->corner, out->triangles, 9 * sizeof(float));
    if (result == PL_OK)
        result = take(m, &out->plane, out->planes, 4 * sizeof(float));
    if (result == PL_OK)
        result = take(m, &out->first, out->planes + 1, sizeof(int32_t));
    if (result == PL_OK)
        result = array_reserve(m, &h->list, &h->list_room, out->triangles, sizeof *h->list);
    if (result != PL_OK)
        return result;

    int64_t room = out->planes, vertices = 0;
    for (int64_t i = 0; i < b->count; i++)
        for (int k = 0; b->number[i] == 0 && k < 3; k++)
            out->vertex[vertices++] = b->x[3 * i + k];
    out->planes = out->triangles = 0;
    for (int64_t f = 0; f < h->faces; f++)
    {
        if (h->face[f].mark != 1)
            continue;
        double normal[3] = {0.0, 1.0, 0.0};
        out->first[out->planes] = (int32_t)out->triangles;
        gather_face(b, f, out, normal);
        put_plane(out, normal, out->plane + 4 * out->planes++);
    }
    out->first[out->planes] = (int32_t)out->triangles;

    void *planes = out->plane, *first = out->first; // shrink the arrays to the faces found
    result = memory_resize(m, &planes, (size_t)room * 4 * sizeof(float), (size_t)out->planes * 4 * sizeof(float));
    out->plane = planes;
    if (result != PL_OK)
    {
        out->planes = room;
        return result;
    }
    result =
        memory_resize(m, &first, (size_t)(room + 1) * sizeof(int32_t), (size_t)(out->planes + 1) * sizeof(int32_t));
    if (result != PL_OK)
        memory_free(m, first, (size_t)(room + 1) * sizeof(int32_t));
    out->first = result == PL_OK ? first : NULL;
    return result;
}

pl_result hull_build(memory *m, const char *name, const float *x, int64_t count, hull *out)
{
    *out = (hull){0};
    builder b = {.name = name, .x = x, .count = count};
    pl_result result = check_points(&b);
    if (result != PL_OK)
        return result;
    void *block = NULL;
    size_t bytes = (size_t)count * (3 * sizeof(int64_t) + 2 * sizeof(int32_t));
    result = memory_resize(m, &block, 0, bytes);
    if (result != PL_OK)
        return result;
    b.q = block;
    b.next = (int32_t *)(b.q + 3 * count);
    b.number = b.next + count;
    b.hull = (quickhull){.q = b.q, .count = count, .next = b.next};
    int32_t start[4];
    result = make_whole(&b);
    if (result == PL_OK)
        result = find_start(&b, start);
    if (result == PL_OK)
        result = quickhull_run(m, &b.hull, start);
    if (result == PL_OK)
        result = put_together(m, &b, out);
    quickhull_free(m, &b.hull);
    memory_free(m, block, bytes);
    if (result != PL_OK)
        hull_free(m, out);
    return result;
}

void hull_free(memory *m, hull *h)
{
    memory_free(m, h->plane, (size_t)h->planes * 4 * sizeof(float));
    memory_free(m, h->first, (size_t)(h->planes + 1) * sizeof(int32_t));
    memory_free(m, h->corner, (size_t)h->triangles * 9 * sizeof(float));
    memory_free(m, h->vertex, (size_t)h->vertices * 3 * sizeof(float));
    *h = (hull){0};
}
