// mesh_check.c: finds faults of a triangle mesh and reports them; welds vertices and pairs edges.
#include "collide/mesh_check.h"

#include <math.h>
#include <stdlib.h>

static const float *vertex(const mesh_view *mesh, int64_t triangle, int corner)
{
    return mesh->x + 3 * (int64_t)mesh->triangle[3 * triangle + corner];
}

static pl_result check_vertices(const mesh_view *mesh)
{
    for (int64_t i = 0; i < mesh->vertices; i++)
        for (int k = 0; k < 3; k++)
        {
            float a = mesh->x[3 * i + k];
            if (!isfinite(a))
                return fail(PL_ERROR_ARGUMENT, "%s: vertex %lld has the %c coordinate %g; give a finite number",
                            mesh->name, (long long)i, "xyz"[k], (double)a);
            if (fabsf(a) > MESH_FARTHEST)
                return fail(PL_ERROR_ARGUMENT, "%s: vertex %lld has the %c coordinate %g; keep within %g m", mesh->name,
                            (long long)i, "xyz"[k], (double)a, (double)MESH_FARTHEST);
        }
    return PL_OK;
}

int mesh_is_flat(const mesh_view *mesh, int64_t triangle, double least_height, int *side)
{
    double e[3][3], n[3], longest = 0.0;
    *side = 0;
    for (int i = 0; i < 3; i++)
    {
        double s = 0.0;
        for (int k = 0; k < 3; k++)
        {
            e[i][k] = (double)vertex(mesh, triangle, (i + 1) % 3)[k] - (double)vertex(mesh, triangle, i)[k];
            s += e[i][k] * e[i][k];
        }
        if (s > longest)
        {
            longest = s;
            *side = i;
        }
    }
    for (int k = 0; k < 3; k++)
        n[k] = e[0][(k + 1) % 3] * e[1][(k + 2) % 3] - e[0][(k + 2) % 3] * e[1][(k + 1) % 3];
    double area = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]); // twice the area
    // A height of 1e-7 of the length is within the rounding of float: the triangle is a line.
    return !(area > 1e-7 * longest && area > least_height * sqrt(longest));
}

static pl_result check_corners(const mesh_view *mesh)
{
    for (int64_t i = 0; i < 3 * mesh->triangles; i++)
        if (mesh->triangle[i] < 0 || mesh->triangle[i] >= mesh->vertices)
            return fail(PL_ERROR_ARGUMENT, "%s: triangle %lld names vertex %d; there are %lld, counted from 0",
                        mesh->name, (long long)(i / 3), mesh->triangle[i], (long long)mesh->vertices);
    return PL_OK;
}

static pl_result check_areas(const mesh_view *mesh)
{
    for (int64_t t = 0; t < mesh->triangles; t++)
    {
        const int32_t *c = mesh->triangle + 3 * t;
        int side;
        if (mesh_is_flat(mesh, t, 0.0, &side))
            return fail(PL_ERROR_ARGUMENT, "%s: triangle %lld (vertices %d, %d, %d) has no area; remove it", mesh->name,
                        (long long)t, c[0], c[1], c[2]);
    }
    return PL_OK;
}

// ---- welding -------------------------------------------------------------------------------------------------------

typedef struct place
{
    float x[3];
    int32_t id;
} place;

static int compare_places(const void *p, const void *q)
{
    const place *a = p, *b = q;
    for (int k = 0; k < 3; k++)
        if (a->x[k] != b->x[k])
            return a->x[k] < b->x[k] ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

static int same_place(const place *a, const place *b)
{
    return a->x[0] == b->x[0] && a->x[1] == b->x[1] && a->x[2] == b->x[2];
}

pl_result mesh_weld(memory *m, const mesh_view *mesh, int32_t *weld)
{
    void *block = NULL;
    size_t bytes = (size_t)mesh->vertices * sizeof(place);
    pl_result result = memory_resize(m, &block, 0, bytes);
    if (result != PL_OK)
        return result;
    place *places = block;
    for (int64_t i = 0; i < mesh->vertices; i++)
        places[i] = (place){{mesh->x[3 * i], mesh->x[3 * i + 1], mesh->x[3 * i + 2]}, (int32_t)i};
    qsort(places, (size_t)mesh->vertices, sizeof *places, compare_places);
    for (int64_t i = 0, first = 0; i < mesh->vertices; i++)
    {
        if (!same_place(&places[first], &places[i]))
            first = i;
        weld[places[i].id] = places[first].id;
    }
    memory_free(m, block, bytes);
    return PL_OK;
}

// ---- edges ---------------------------------------------------------------------------------------------------------

static int compare_halves(const void *p, const void *q)
{
    const half_edge *a = p, *b = q;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    if (a->falls != b->falls)
        return a->falls < b->falls ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

static int32_t number_of(const int32_t *from, const half_edge *h) { return from ? from[h->at / 3] : h->at / 3; }

// Checks the edge that half edges `h` to `h + count - 1` share, and reports its fault.
static pl_result check_edge(const mesh_view *mesh, const half_edge *h, int64_t count, int wound, const int32_t *from)
{
    const float *a = mesh->x + 3 * (int64_t)h->low, *b = mesh->x + 3 * (int64_t)h->high;
    double middle[3];
    for (int k = 0; k < 3; k++)
        middle[k] = 0.5 * ((double)a[k] + (double)b[k]);
    if (count == 1)
        return fail(
            PL_ERROR_ARGUMENT,
            "%s: the mesh is open: the edge from vertex %d to %d, near (%g, %g, %g), belongs to triangle %d alone; a "
            "solid has two triangles at every edge",
            mesh->name, h->low, h->high, middle[0], middle[1], middle[2], number_of(from, h));
    if (count > 2)
        return fail(PL_ERROR_ARGUMENT,
                    "%s: the edge from vertex %d to %d, near (%g, %g, %g), belongs to %lld triangles; a solid has two",
                    mesh->name, h->low, h->high, middle[0], middle[1], middle[2], (long long)count);
    if (wound && h[0].falls == h[1].falls)
        return fail(
            PL_ERROR_ARGUMENT,
            "%s: triangles %d and %d both run along their edge %d-%d the same way, so one of them is inverted; turn "
            "all corners anticlockwise, seen from outside",
            mesh->name, number_of(from, h), number_of(from, h + 1), h->low, h->high);
    return PL_OK;
}

void mesh_sort_edges(const mesh_view *mesh, const int32_t *weld, half_edge *halves)
{
    for (int64_t t = 0; t < mesh->triangles; t++)
        for (int i = 0; i < 3; i++)
        {
            int32_t a = weld[mesh->triangle[3 * t + i]], b = weld[mesh->triangle[3 * t + (i + 1) % 3]];
            halves[3 * t + i] = (half_edge){a < b ? a : b, a < b ? b : a, (int32_t)(3 * t + i), a > b};
        }
    qsort(halves, 3 * (size_t)mesh->triangles, sizeof *halves, compare_halves);
}

// Returns the end of the range of half edges that share an edge with the one at `i`.
static int64_t end_of_edge(const half_edge *halves, int64_t i, int64_t count)
{
    int64_t end = i + 1;
    while (end < count && halves[end].low == halves[i].low && halves[end].high == halves[i].high)
        end++;
    return end;
}

pl_result mesh_match_edges(const mesh_view *mesh, const int32_t *weld, half_edge *halves, int wound,
                           const int32_t *from)
{
    int64_t count = 3 * mesh->triangles;
    mesh_sort_edges(mesh, weld, halves);
    for (int64_t i = 0, end; i < count; i = end)
    {
        end = end_of_edge(halves, i, count);
        pl_result result = check_edge(mesh, halves + i, end - i, wound, from);
        if (result != PL_OK)
            return result;
    }
    return PL_OK;
}

pl_result mesh_pair_edges(const mesh_view *mesh, const int32_t *weld, half_edge *halves)
{
    return mesh_match_edges(mesh, weld, halves, 1, NULL);
}

pl_result mesh_rings(memory *m, const mesh_view *mesh, int32_t *beside)
{
    int64_t count = 3 * mesh->triangles;
    void *block = NULL;
    size_t bytes = (size_t)count * sizeof(half_edge) + (size_t)mesh->vertices * sizeof(int32_t);
    pl_result result = memory_resize(m, &block, 0, bytes);
    if (result != PL_OK)
        return result;
    half_edge *halves = block;
    int32_t *weld = (int32_t *)(halves + count);
    result = mesh_weld(m, mesh, weld);
    if (result == PL_OK)
        mesh_sort_edges(mesh, weld, halves);
    for (int64_t i = 0, end; result == PL_OK && i < count; i = end)
    {
        end = end_of_edge(halves, i, count);
        for (int64_t k = i; k < end; k++)
            beside[halves[k].at] = halves[k + 1 < end ? k + 1 : i].at;
    }
    memory_free(m, block, bytes);
    return result;
}

static pl_result check_volume(const mesh_view *mesh)
{
    double sum = 0.0;
    const float *o = vertex(mesh, 0, 0);
    for (int64_t t = 0; t < mesh->triangles; t++)
    {
        double p[3][3];
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                p[i][k] = (double)vertex(mesh, t, i)[k] - (double)o[k];
        sum += p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) + p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
               p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
    }
    if (sum > 0.0)
        return PL_OK;
    return fail(PL_ERROR_ARGUMENT,
                "%s: the mesh is %s: its volume is %g m^3; turn all corners anticlockwise, seen from outside",
                mesh->name, sum < 0.0 ? "inside out" : "flat", sum / 6.0);
}

static pl_result check_solid(memory *m, const mesh_view *mesh)
{
    void *weld = NULL, *halves = NULL;
    size_t weld_bytes = (size_t)mesh->vertices * sizeof(int32_t);
    size_t half_bytes = 3 * (size_t)mesh->triangles * sizeof(half_edge);
    pl_result result = memory_resize(m, &weld, 0, weld_bytes);
    if (result == PL_OK)
        result = memory_resize(m, &halves, 0, half_bytes);
    if (result == PL_OK)
        result = mesh_weld(m, mesh, weld);
    if (result == PL_OK)
        result = mesh_pair_edges(mesh, weld, halves);
    if (result == PL_OK)
        result = check_volume(mesh);
    memory_free(m, weld, weld_bytes);
    memory_free(m, halves, half_bytes);
    return result;
}

pl_result mesh_check_numbers(const mesh_view *mesh)
{
    if (mesh->triangles < 1 || !mesh->x || !mesh->triangle)
        return fail(PL_ERROR_ARGUMENT, "%s: the mesh has no triangles; give at least one", mesh->name);
    if (mesh->vertices > INT32_MAX || mesh->triangles > INT32_MAX / 4)
        return fail(PL_ERROR_ARGUMENT, "%s: the mesh has %lld vertices and %lld triangles; at most %d and %d",
                    mesh->name, (long long)mesh->vertices, (long long)mesh->triangles, INT32_MAX, INT32_MAX / 4);
    pl_result result = check_vertices(mesh);
    return result == PL_OK ? check_corners(mesh) : result;
}

pl_result mesh_check(memory *m, const mesh_view *mesh, int solid)
{
    pl_result result = mesh_check_numbers(mesh);
    if (result == PL_OK)
        result = check_areas(mesh);
    if (result == PL_OK && solid)
        result = check_solid(m, mesh);
    return result;
}
