// polyhedron.c: builds polyhedra for contacts: merges the triangles of their hull into faces, finds
// loops and edges, and packs the arrays.
#include "collide/polyhedron.h"
#include "collide/mass_properties.h"

#include <math.h>
#include <string.h>

enum
{
    MOST_TRIANGLES = 2 * POLY_VERTICES - 4,
    NO_FACE = -1,
};

enum merging
{
    MERGE_FLAT,  // triangles in one plane up to POLY_FLAT
    MERGE_EXACT, // triangles in exactly one plane
    MERGE_NONE,
    MERGINGS,
};

typedef struct maker
{
    const hull *h;
    double extent;
    int corner[MOST_TRIANGLES][3];
    int plane[MOST_TRIANGLES];                   // of the hull
    int16_t owner[POLY_VERTICES][POLY_VERTICES]; // the triangle with this directed edge, or NO_FACE
    int face[MOST_TRIANGLES];                    // its face
    int order[MOST_TRIANGLES];
    double area[MOST_TRIANGLES];
    int degree[POLY_VERTICES], number[POLY_VERTICES];
    // the result
    int faces, vertices, edges;
    uint16_t first[POLY_FACES + 1];
    uint8_t loop[2 * POLY_EDGES];
    uint8_t edge[4 * POLY_EDGES];
    float plane_of[4 * POLY_FACES];
    float vertex[3 * POLY_VERTICES];
} maker;

static double height_above(const double n[4], const float *x)
{
    return n[0] * (double)x[0] + n[1] * (double)x[1] + n[2] * (double)x[2] - n[3];
}

static void plane_through(const float *a, const float *b, const float *c, double n[4], double *area)
{
    double d[3], e[3];
    for (int k = 0; k < 3; k++)
        d[k] = (double)b[k] - (double)a[k], e[k] = (double)c[k] - (double)a[k];
    n[0] = d[1] * e[2] - d[2] * e[1];
    n[1] = d[2] * e[0] - d[0] * e[2];
    n[2] = d[0] * e[1] - d[1] * e[0];
    double len = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3; k++)
        n[k] = len > 0.0 ? n[k] / len : 0.0;
    n[3] = n[0] * (double)a[0] + n[1] * (double)a[1] + n[2] * (double)a[2];
    *area = 0.5 * len;
}

static int vertex_at(const hull *h, const float *x)
{
    for (int64_t i = 0; i < h->vertices; i++)
        if (memcmp(h->vertex + 3 * i, x, 3 * sizeof(float)) == 0)
            return (int)i;
    return 0; // cannot happen: corners are vertices
}

static void read_hull(maker *k)
{
    const hull *h = k->h;
    for (int i = 0; i < POLY_VERTICES; i++)
        for (int j = 0; j < POLY_VERTICES; j++)
            k->owner[i][j] = NO_FACE;
    for (int64_t p = 0; p < h->planes; p++)
        for (int t = h->first[p]; t < h->first[p + 1]; t++)
        {
            k->plane[t] = (int)p;
            for (int i = 0; i < 3; i++)
                k->corner[t][i] = vertex_at(h, h->corner + 9 * (int64_t)t + 3 * i);
            for (int i = 0; i < 3; i++)
                k->owner[k->corner[t][i]][k->corner[t][(i + 1) % 3]] = (int16_t)t;
        }
}

// ---- merging -------------------------------------------------------------------------------------------------------

// Largest first: the plane of a large triangle is the most certain one.
static void sort_by_area(maker *k)
{
    int count = (int)k->h->triangles;
    for (int t = 0; t < count; t++)
    {
        double n[4];
        const float *c = k->h->corner + 9 * (int64_t)t;
        plane_through(c, c + 3, c + 6, n, &k->area[t]);
        int at = t;
        while (at > 0 && k->area[k->order[at - 1]] < k->area[t])
        {
            k->order[at] = k->order[at - 1];
            at--;
        }
        k->order[at] = t;
    }
}

static int belongs(const maker *k, enum merging how, int seed, const double n[4], int t)
{
    const float *c = k->h->corner + 9 * (int64_t)t, *plane = k->h->plane + 4 * (int64_t)k->plane[t];
    if (how != MERGE_FLAT)
        return how == MERGE_EXACT && k->plane[t] == k->plane[seed];
    for (int i = 0; i < 3; i++)
        if (fabs(height_above(n, c + 3 * i)) > POLY_FLAT * k->extent)
            return 0;
    return n[0] * (double)plane[0] + n[1] * (double)plane[1] + n[2] * (double)plane[2] > 0.5;
}

static void grow_faces(maker *k, enum merging how)
{
    int count = (int)k->h->triangles, list[MOST_TRIANGLES];
    for (int t = 0; t < count; t++)
        k->face[t] = NO_FACE;
    k->faces = 0;
    for (int o = 0; o < count; o++)
    {
        int seed = k->order[o], seen = 0;
        if (k->face[seed] != NO_FACE)
            continue;
        double n[4], area;
        const float *c = k->h->corner + 9 * (int64_t)seed;
        plane_through(c, c + 3, c + 6, n, &area);
        k->face[seed] = k->faces;
        list[seen++] = seed;
        for (int at = 0; at < seen; at++)
            for (int i = 0; i < 3; i++)
            {
                const int *v = k->corner[list[at]];
                int next = k->owner[v[(i + 1) % 3]][v[i]];
                if (k->face[next] == NO_FACE && belongs(k, how, seed, n, next))
                {
                    k->face[next] = k->faces;
                    list[seen++] = next;
                }
            }
        k->faces++;
    }
}

static int is_border(const maker *k, int t, int i)
{
    const int *v = k->corner[t];
    return k->face[k->owner[v[(i + 1) % 3]][v[i]]] != k->face[t];
}

// Walks around a face; vertices where only two faces meet lie within an edge and are left out. Returns 0 if the border
// is not one simple loop, or has fewer than three corners.
static int walk_face(maker *k, int f, int *end)
{
    int after[POLY_VERTICES], count = (int)k->h->triangles, borders = 0, start = POLY_VERTICES, steps = 0;
    for (int i = 0; i < POLY_VERTICES; i++)
        after[i] = NO_FACE;
    for (int t = 0; t < count; t++)
        for (int i = 0; k->face[t] == f && i < 3; i++)
            if (is_border(k, t, i))
            {
                int from = k->corner[t][i];
                if (after[from] != NO_FACE)
                    return 0;
                after[from] = k->corner[t][(i + 1) % 3];
                borders++;
                if (k->degree[from] >= 3 && from < start)
                    start = from;
            }
    if (start == POLY_VERTICES)
        return 0;
    k->first[f] = (uint16_t)*end;
    for (int v = start; steps == 0 || v != start; v = after[v], steps++)
    {
        if (v == NO_FACE || steps > borders)
            return 0;
        if (k->degree[v] >= 3)
            k->loop[(*end)++] = (uint8_t)v;
    }
    return steps == borders && *end - k->first[f] >= 3;
}

static int find_loops(maker *k)
{
    int count = (int)k->h->triangles, end = 0;
    memset(k->degree, 0, sizeof k->degree);
    for (int t = 0; t < count; t++)
        for (int i = 0; i < 3; i++)
            k->degree[k->corner[t][i]] += is_border(k, t, i);
    for (int f = 0; f < k->faces; f++)
        if (!walk_face(k, f, &end))
            return 0;
    k->first[k->faces] = (uint16_t)end;
    return 1;
}

// Numbers the vertices that are left and lists the edges. Euler's formula tells whether it is a polyhedron.
static int find_edges(maker *k)
{
    int16_t left[POLY_VERTICES][POLY_VERTICES];
    memset(left, -1, sizeof left);
    k->vertices = k->edges = 0;
    for (int i = 0; i < (int)k->h->vertices; i++)
        if (k->degree[i] >= 3)
        {
            memcpy(k->vertex + 3 * k->vertices, k->h->vertex + 3 * (int64_t)i, 3 * sizeof(float));
            k->number[i] = k->vertices++;
        }
    for (int f = 0; f < k->faces; f++)
        for (int i = k->first[f]; i < k->first[f + 1]; i++)
            k->loop[i] = (uint8_t)k->number[k->loop[i]];
    for (int f = 0; f < k->faces; f++)
        for (int i = k->first[f]; i < k->first[f + 1]; i++)
        {
            int next = i + 1 < k->first[f + 1] ? i + 1 : k->first[f];
            left[k->loop[i]][k->loop[next]] = (int16_t)f;
        }
    for (int a = 0; a < k->vertices; a++)
        for (int b = a + 1; b < k->vertices; b++)
        {
            if ((left[a][b] < 0) != (left[b][a] < 0))
                return 0;
            if (left[a][b] < 0)
                continue;
            if (k->edges == POLY_EDGES)
                return 0;
            uint8_t *e = k->edge + 4 * k->edges++;
            e[0] = (uint8_t)a, e[1] = (uint8_t)b;
            e[2] = (uint8_t)left[a][b], e[3] = (uint8_t)left[b][a];
        }
    return k->vertices - k->edges + k->faces == 2;
}

// The plane of a polygon by Newell's sum, through its highest vertex.
static void find_planes(maker *k)
{
    for (int f = 0; f < k->faces; f++)
    {
        int begin = k->first[f], end = k->first[f + 1];
        const float *o = k->vertex + 3 * k->loop[begin];
        double n[4] = {0.0, 0.0, 0.0, 0.0}, offset = -1e300;
        for (int i = begin + 1; i + 1 < end; i++)
        {
            double part[4], area;
            plane_through(o, k->vertex + 3 * k->loop[i], k->vertex + 3 * k->loop[i + 1], part, &area);
            for (int c = 0; c < 3; c++)
                n[c] += area * part[c];
        }
        double len = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int c = 0; c < 3; c++)
            n[c] = (double)(k->plane_of[4 * f + c] = (float)(n[c] / len));
        for (int i = 0; i < k->vertices; i++)
        {
            double d = height_above(n, k->vertex + 3 * i);
            offset = d > offset ? d : offset;
        }
        k->plane_of[4 * f + 3] = (float)offset;
    }
}

static void make_faces(maker *k)
{
    read_hull(k);
    sort_by_area(k);
    for (int how = 0; how < MERGINGS; how++)
    {
        grow_faces(k, (enum merging)how);
        if (find_loops(k) && find_edges(k))
            break; // triangles alone always are a polyhedron
    }
    find_planes(k);
}

// ---- packing -------------------------------------------------------------------------------------------------------

static void measure(const maker *k, double lost, poly_block *b)
{
    mass_properties p = mass_of_hull(1.0, k->h);
    double reach = 0.0, inner = 1e300;
    for (int i = 0; i < k->vertices; i++)
    {
        const float *v = k->vertex + 3 * i;
        double far = (double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] + (double)v[2] * (double)v[2];
        reach = far > reach ? far : reach;
    }
    for (int f = 0; f < k->faces; f++)
    {
        const float *n = k->plane_of + 4 * f;
        double d =
            (double)n[3] - ((double)n[0] * p.centre[0] + (double)n[1] * p.centre[1] + (double)n[2] * p.centre[2]);
        inner = d < inner ? d : inner;
    }
    for (int c = 0; c < 3; c++)
        b->centre[c] = (float)p.centre[c];
    b->reach = 1.000001f * (float)sqrt(reach);
    b->inner = (float)inner;
    b->lost = 1.000001f * (float)lost;
}

static int32_t reserve(int32_t *end, size_t bytes)
{
    int32_t at = *end;
    *end += (int32_t)((bytes + 15) / 16 * 16);
    return at;
}

static pl_result pack(memory *m, const maker *k, double lost, void **bytes, size_t *size)
{
    poly_block b = {.vertices = k->vertices, .faces = k->faces, .edges = k->edges};
    int32_t end = 0;
    size_t loops = k->first[k->faces];
    reserve(&end, sizeof b);
    b.vertex = reserve(&end, 3 * (size_t)k->vertices * sizeof(float));
    b.plane = reserve(&end, 4 * (size_t)k->faces * sizeof(float));
    b.first = reserve(&end, ((size_t)k->faces + 1) * sizeof(uint16_t));
    b.loop = reserve(&end, loops);
    b.edge = reserve(&end, 4 * (size_t)k->edges);
    b.size = end;
    measure(k, lost, &b);
    pl_result result = memory_resize(m, bytes, 0, (size_t)end);
    if (result != PL_OK)
        return result;
    char *to = *bytes;
    memcpy(to, &b, sizeof b);
    memcpy(to + b.vertex, k->vertex, 3 * (size_t)k->vertices * sizeof(float));
    memcpy(to + b.plane, k->plane_of, 4 * (size_t)k->faces * sizeof(float));
    memcpy(to + b.first, k->first, ((size_t)k->faces + 1) * sizeof(uint16_t));
    memcpy(to + b.loop, k->loop, loops);
    memcpy(to + b.edge, k->edge, 4 * (size_t)k->edges);
    *size = (size_t)end;
    return PL_OK;
}

static double extent_of(const hull *h)
{
    double extent = 0.0;
    for (int k = 0; k < 3; k++)
    {
        float low = h->vertex[k], high = low;
        for (int64_t i = 1; i < h->vertices; i++)
        {
            float a = h->vertex[3 * i + k];
            low = a < low ? a : low;
            high = a > high ? a : high;
        }
        extent = (double)high - (double)low > extent ? (double)high - (double)low : extent;
    }
    return extent;
}

pl_result polyhedron_build(memory *m, const char *name, const float *x, int64_t count, int most, void **bytes,
                           size_t *size)
{
    *bytes = NULL;
    *size = 0;
    if (most < 4 || most > POLY_VERTICES)
        return fail(PL_ERROR_ARGUMENT, "%s: a hull of a body has at most %d vertices, but at least 4; not %d", name,
                    POLY_VERTICES, most);
    hull h;
    double lost;
    void *block = NULL;
    pl_result result = hull_build(m, name, x, count, &h);
    if (result != PL_OK)
        return result;
    result = hull_reduce(m, name, &h, most, &lost);
    if (result == PL_OK)
        result = memory_resize(m, &block, 0, sizeof(maker));
    if (result == PL_OK)
    {
        maker *k = block;
        k->h = &h;
        k->extent = extent_of(&h);
        make_faces(k);
        result = pack(m, k, lost, bytes, size);
        memory_free(m, block, sizeof(maker));
    }
    hull_free(m, &h);
    return result;
}

void polyhedron_free(memory *m, void *bytes, size_t size)
{
    if (bytes)
        memory_free(m, bytes, size);
}
