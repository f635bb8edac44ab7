// mesh_edges.c: finds edges by sorting, and nearest sources by Dijkstra's algorithm. Ties are broken by number, so that
// the results are unique.
#include "author/mesh_edges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct half
{
    int32_t a, b, far;
} half;

static int compare_halves(const void *p, const void *q)
{
    const half *a = p, *b = q;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    if (a->b != b->b)
        return a->b < b->b ? -1 : 1;
    return (a->far > b->far) - (a->far < b->far);
}

static half half_of(int32_t a, int32_t b, int32_t far) { return a < b ? (half){a, b, far} : (half){b, a, far}; }

// Sorts the half edges and joins equal ones. `limit`: the most that may be equal, or 0 for any number.
static pl_result join_halves(memory *m, half *halves, int64_t count, int limit, mesh_edges *out)
{
    qsort(halves, (size_t)count, sizeof *halves, compare_halves);
    pl_result result = array_reserve(m, &out->edges, &out->capacity, count, sizeof *out->edges);
    out->count = 0;
    for (int64_t i = 0; result == PL_OK && i < count;)
    {
        int64_t end = i + 1;
        while (end < count && halves[end].a == halves[i].a && halves[end].b == halves[i].b)
            end++;
        if (limit && end - i > limit)
            return fail(PL_ERROR_ARGUMENT,
                        "mesh: the edge from vertex %d to %d belongs to %lld triangles; at most 2 may share one",
                        halves[i].a, halves[i].b, (long long)(end - i));
        out->edges[out->count++] =
            (hinge){halves[i].a, halves[i].b, halves[i].far, end - i > 1 ? halves[i + 1].far : -1};
        i = end;
    }
    return result;
}

pl_result mesh_edges_of_triangles(memory *m, const int32_t *triangles, int64_t count, mesh_edges *out)
{
    void *block = NULL;
    size_t bytes = 3 * (size_t)count * sizeof(half);
    pl_result result = memory_resize(m, &block, 0, bytes);
    if (result != PL_OK)
        return result;
    half *halves = block;
    for (int64_t t = 0; t < count; t++)
        for (int i = 0; i < 3; i++)
            halves[3 * t + i] =
                half_of(triangles[3 * t + i], triangles[3 * t + (i + 1) % 3], triangles[3 * t + (i + 2) % 3]);
    result = join_halves(m, halves, 3 * count, 2, out);
    memory_free(m, block, bytes);
    return result;
}

pl_result mesh_edges_of_tets(memory *m, const int32_t *tets, int64_t count, mesh_edges *out)
{
    static const int pairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    void *block = NULL;
    size_t bytes = 6 * (size_t)count * sizeof(half);
    pl_result result = memory_resize(m, &block, 0, bytes);
    if (result != PL_OK)
        return result;
    half *halves = block;
    for (int64_t t = 0; t < count; t++)
        for (int i = 0; i < 6; i++)
            halves[6 * t + i] = half_of(tets[4 * t + pairs[i][0]], tets[4 * t + pairs[i][1]], -1);
    result = join_halves(m, halves, 6 * count, 0, out);
    memory_free(m, block, bytes);
    return result;
}

void mesh_edges_free(memory *m, mesh_edges *e) { array_free(m, &e->edges, &e->capacity, sizeof *e->edges); }

// ---- Dijkstra ------------------------------------------------------------------------------------------------------

typedef struct entry
{
    float distance;
    int32_t vertex, source;
} entry;

typedef struct search
{
    const float *x;
    entry *heap;
    int64_t heap_count;
    int32_t *start, *neighbour; // edges by vertex
} search;

// Orders by distance, then by vertex, then by source.
static bool before(entry a, entry b)
{
    if (a.distance != b.distance)
        return a.distance < b.distance;
    return a.vertex != b.vertex ? a.vertex < b.vertex : a.source < b.source;
}

static void heap_push(search *s, entry e)
{
    int64_t i = s->heap_count++;
    while (i > 0 && before(e, s->heap[(i - 1) / 2]))
    {
        s->heap[i] = s->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    s->heap[i] = e;
}

static entry heap_pop(search *s)
{
    entry top = s->heap[0], last = s->heap[--s->heap_count];
    int64_t i = 0;
    for (;;)
    {
        int64_t child = 2 * i + 1;
        if (child >= s->heap_count)
            break;
        if (child + 1 < s->heap_count && before(s->heap[child + 1], s->heap[child]))
            child++;
        if (!before(s->heap[child], last))
            break;
        s->heap[i] = s->heap[child];
        i = child;
    }
    s->heap[i] = last;
    return top;
}

static float apart(const float *x, int32_t a, int32_t b)
{
    float d[3];
    for (int c = 0; c < 3; c++)
        d[c] = x[3 * (size_t)a + (size_t)c] - x[3 * (size_t)b + (size_t)c];
    return sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static void list_neighbours(search *s, int32_t vertices, const mesh_edges *edges)
{
    for (int64_t i = 0; i < edges->count; i++)
    {
        s->start[edges->edges[i].a + 1]++;
        s->start[edges->edges[i].b + 1]++;
    }
    for (int32_t v = 0; v < vertices; v++)
        s->start[v + 1] += s->start[v];
    for (int64_t i = 0; i < edges->count; i++)
    {
        s->neighbour[s->start[edges->edges[i].a]++] = edges->edges[i].b;
        s->neighbour[s->start[edges->edges[i].b]++] = edges->edges[i].a;
    }
    memmove(s->start + 1, s->start, (size_t)vertices * sizeof *s->start);
    s->start[0] = 0;
}

pl_result mesh_nearest(memory *m, const float *x, int32_t vertices, const mesh_edges *edges, const int32_t *sources,
                       int count, int32_t *nearest, float *distance)
{
    size_t heap_bytes = (size_t)(2 * edges->count + count) * sizeof(entry);
    size_t start_bytes = ((size_t)vertices + 1) * sizeof(int32_t),
           neighbour_bytes = 2 * (size_t)edges->count * sizeof(int32_t);
    size_t bytes = heap_bytes + start_bytes + neighbour_bytes + 1;
    void *block = NULL;
    pl_result result = memory_resize(m, &block, 0, bytes);
    if (result != PL_OK)
        return result;
    search s = {.x = x, .heap = block};
    s.start = (int32_t *)((char *)block + heap_bytes);
    s.neighbour = s.start + vertices + 1;
    list_neighbours(&s, vertices, edges);
    for (int32_t v = 0; v < vertices; v++)
    {
        nearest[v] = -1;
        distance[v] = 0.0f;
    }
    for (int i = 0; i < count; i++)
        heap_push(&s, (entry){0.0f, sources[i], sources[i]});
    while (s.heap_count)
    {
        entry e = heap_pop(&s);
        if (nearest[e.vertex] >= 0)
            continue;
        nearest[e.vertex] = e.source;
        distance[e.vertex] = e.distance;
        for (int32_t k = s.start[e.vertex]; k < s.start[e.vertex + 1]; k++)
            if (nearest[s.neighbour[k]] < 0)
                heap_push(&s, (entry){e.distance + apart(x, e.vertex, s.neighbour[k]), s.neighbour[k], e.source});
    }
    memory_free(m, block, bytes);
    return PL_OK;
}
