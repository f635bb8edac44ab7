// geometry.c: copies the user's geometry and builds its packed form (geometry.h). The builders of the shapes (hull.c,
// bvh.c, sdf.c, heightfield.c) find and report faults; here their arrays are packed into one block.
#include "collide/geometry.h"
#include "collide/mesh_junctions.h"

#include <math.h>
#include <string.h>

#define ALIGN 64

// ---- the user's arrays ---------------------------------------------------------------------------------------------

static size_t bytes_of(const pl_shape_def *d, size_t part[3])
{
    bool points = d->kind == PL_SHAPE_HULL || d->kind == PL_SHAPE_MESH || d->kind == PL_SHAPE_SDF;
    bool faces = d->kind == PL_SHAPE_MESH || d->kind == PL_SHAPE_SDF, heights = d->kind == PL_SHAPE_HEIGHTFIELD;
    part[0] = points ? 3 * (size_t)d->vertex_count * sizeof(float) : 0;
    part[1] = faces ? 3 * (size_t)d->triangle_count * sizeof(int32_t) : 0;
    part[2] = heights ? (size_t)d->columns * (size_t)d->rows * sizeof(float) : 0;
    return part[0] + part[1] + part[2];
}

size_t geometry_bytes(const pl_shape_def *d)
{
    size_t part[3];
    return bytes_of(d, part);
}

void *geometry_first(const pl_shape_def *d)
{
    return (void *)(uintptr_t)(d->kind == PL_SHAPE_HEIGHTFIELD ? d->heights : d->vertices);
}

pl_result geometry_take(memory *m, pl_shape_def *d)
{
    size_t part[3], bytes = bytes_of(d, part);
    void *block = NULL;
    d->name = NULL;
    d->vertices = d->heights = NULL;
    d->triangles = NULL;
    d->vertex_count = part[0] ? d->vertex_count : 0; // clears what this kind does not use
    d->triangle_count = part[1] ? d->triangle_count : 0;
    d->columns = part[2] ? d->columns : 0;
    d->rows = part[2] ? d->rows : 0;
    pl_result result = bytes ? memory_resize(m, &block, 0, bytes) : PL_OK;
    if (result != PL_OK || !bytes)
        return result;
    if (part[2])
        d->heights = block;
    else
        d->vertices = block;
    if (part[1])
        d->triangles = (const int32_t *)(const void *)((char *)block + part[0]);
    return PL_OK;
}

pl_result geometry_copy(memory *m, const pl_shape_def *from, pl_shape_def *to)
{
    size_t part[3];
    bytes_of(from, part);
    *to = *from;
    pl_result result = geometry_take(m, to);
    char *at = result == PL_OK ? geometry_first(to) : NULL;
    if (at && part[0])
        memcpy(at, from->vertices, part[0]);
    if (at && part[1])
        memcpy(at + part[0], from->triangles, part[1]);
    if (at && part[2])
        memcpy(at, from->heights, part[2]);
    return result;
}

void geometry_forget(memory *m, pl_shape_def *d)
{
    void *first = geometry_first(d);
    if (first)
        memory_free(m, first, geometry_bytes(d));
    d->vertices = d->heights = NULL;
    d->triangles = NULL;
}

// ---- packing the arrays into one block -----------------------------------------------------------------------------

typedef struct piece
{
    const void *from;
    size_t bytes;
} piece;

static pl_result join(memory *m, const geometry *head, const piece *pieces, int count, void **bytes, size_t *size)
{
    geometry g = *head;
    size_t total = (sizeof g + ALIGN - 1) / ALIGN * ALIGN;
    for (int i = 0; i < count; i++)
    {
        g.at[i] = (int64_t)total;
        total += (pieces[i].bytes + ALIGN - 1) / ALIGN * ALIGN;
    }
    g.size = (int64_t)total;
    pl_result result = memory_resize(m, bytes, 0, total);
    if (result != PL_OK)
        return result;
    memcpy(*bytes, &g, sizeof g);
    for (int i = 0; i < count; i++)
        if (pieces[i].bytes)
            memcpy((char *)*bytes + g.at[i], pieces[i].from, pieces[i].bytes);
    *size = total;
    return PL_OK;
}

static pl_result build_hull(memory *m, const char *name, const pl_shape_def *d, void **bytes, size_t *size)
{
    hull h;
    pl_result result = hull_build(m, name, d->vertices, d->vertex_count, &h);
    if (result != PL_OK)
        return result;
    geometry g = {.count = {(int32_t)h.planes, (int32_t)h.triangles, (int32_t)h.vertices}};
    const piece pieces[] = {{h.plane, 4 * (size_t)h.planes * sizeof(float)},
                            {h.corner, 9 * (size_t)h.triangles * sizeof(float)},
                            {h.first, ((size_t)h.planes + 1) * sizeof(int32_t)},
                            {h.vertex, 3 * (size_t)h.vertices * sizeof(float)}};
    result = join(m, &g, pieces, 4, bytes, size);
    hull_free(m, &h);
    return result;
}

static mesh_view view_of(const char *name, const pl_shape_def *d)
{
    return (mesh_view){name, d->vertices, d->triangles, d->vertex_count, d->triangle_count};
}

// Finds neighbours in the order of the tree's triangles. `beside` has room for 3 a triangle, twice.
static pl_result find_neighbours(memory *m, const mesh_view *mesh, const bvh *b, int32_t *beside)
{
    int64_t count = mesh->triangles;
    int32_t *rings = beside + 3 * count;
    void *block = NULL;
    pl_result result = memory_resize(m, &block, 0, (size_t)count * sizeof(int32_t));
    if (result != PL_OK)
        return result;
    int32_t *slot = block;
    result = mesh_rings(m, mesh, rings);
    for (int64_t s = 0; s < count; s++)
        slot[b->id[s]] = (int32_t)s;
    for (int64_t h = 0; result == PL_OK && h < 3 * count; h++)
        beside[3 * (int64_t)slot[h / 3] + h % 3] = 3 * slot[rings[h] / 3] + rings[h] % 3;
    memory_free(m, block, (size_t)count * sizeof(int32_t));
    return result;
}

static pl_result build_mesh(memory *m, const char *name, const pl_shape_def *d, void **bytes, size_t *size)
{
    mesh_view mesh = view_of(name, d);
    bvh b;
    pl_result result = bvh_build(m, &mesh, !d->two_sided, &b);
    if (result != PL_OK)
        return result;
    size_t count = (size_t)b.triangles, room = 6 * count * sizeof(int32_t);
    void *beside = NULL;
    result = memory_resize(m, &beside, 0, room);
    if (result == PL_OK)
        result = find_neighbours(m, &mesh, &b, beside);
    if (result == PL_OK && d->two_sided)
        mesh_junctions(&b, beside);
    geometry g = {.count = {(int32_t)b.triangles, (int32_t)b.nodes, !d->two_sided}};
    const piece pieces[] = {{b.node, (size_t)b.nodes * sizeof *b.node},
                            {b.corner, 9 * count * sizeof(float)},
                            {b.id, count * sizeof(int32_t)},
                            {b.normal, (size_t)b.normals * BVH_NORMALS * sizeof(float)},
                            {beside, 3 * count * sizeof(int32_t)}};
    if (result == PL_OK)
        result = join(m, &g, pieces, 5, bytes, size);
    memory_free(m, beside, room);
    bvh_free(m, &b);
    return result;
}

// The default spacing: a 64th of the mesh's longest side.
static float spacing_of(const pl_shape_def *d)
{
    float longest = 0.0f;
    for (int k = 0; k < 3; k++)
    {
        float low = d->vertices[k], high = low;
        for (int64_t i = 1; i < d->vertex_count; i++)
        {
            float a = d->vertices[3 * i + k];
            low = a < low ? a : low;
            high = a > high ? a : high;
        }
        longest = high - low > longest ? high - low : longest;
    }
    return longest / 64.0f;
}

static pl_result build_sdf(memory *m, const char *name, const pl_shape_def *d, void **bytes, size_t *size)
{
    mesh_view mesh = view_of(name, d);
    pl_result result = mesh_check(m, &mesh, 0);
    if (result != PL_OK)
        return result;
    sdf s;
    sdf_def def = {.spacing = d->spacing != 0.0f ? d->spacing : spacing_of(d), .limit = d->memory_limit};
    def.margin = 2.0f * def.spacing;
    result = sdf_build(m, &mesh, &def, &s);
    if (result != PL_OK)
        return result;
    geometry g = {.count = {s.size[0], s.size[1], s.size[2]},
                  .number = {s.origin[0], s.origin[1], s.origin[2], s.spacing}};
    const piece piece = {s.value, (size_t)s.size[0] * (size_t)s.size[1] * (size_t)s.size[2] * sizeof(float)};
    result = join(m, &g, &piece, 1, bytes, size);
    sdf_free(m, &s);
    return result;
}

static pl_result build_field(memory *m, const char *name, const pl_shape_def *d, void **bytes, size_t *size)
{
    heightfield_def def = {name,
                           d->heights,
                           d->columns,
                           d->rows,
                           {-0.5f * d->spacing * (float)(d->columns - 1), -0.5f * d->spacing * (float)(d->rows - 1)},
                           {d->spacing, d->spacing}};
    heightfield f;
    pl_result result = heightfield_build(m, &def, &f);
    if (result != PL_OK)
        return result;
    geometry g = {.count = {f.size[0], f.size[1]},
                  .number = {f.origin[0], f.origin[1], f.spacing[0], f.spacing[1], f.low, f.high}};
    const piece piece = {f.height, (size_t)f.size[0] * (size_t)f.size[1] * sizeof(float)};
    result = join(m, &g, &piece, 1, bytes, size);
    heightfield_free(m, &f);
    return result;
}

pl_result geometry_build(memory *m, const char *name, const pl_shape_def *def, void **bytes, size_t *size)
{
    *bytes = NULL;
    *size = 0;
    switch (def->kind)
    {
    case PL_SHAPE_HULL:
        return build_hull(m, name, def, bytes, size);
    case PL_SHAPE_MESH:
        return build_mesh(m, name, def, bytes, size);
    case PL_SHAPE_SDF:
        return build_sdf(m, name, def, bytes, size);
    case PL_SHAPE_HEIGHTFIELD:
        return build_field(m, name, def, bytes, size);
    default:
        return PL_OK;
    }
}

// ---- queries -------------------------------------------------------------------------------------------------------

float geometry_reach(const geometry *g, const pl_shape_def *d)
{
    double far = 0.0;
    for (int64_t i = 0; d->vertices && i < d->vertex_count; i++)
    {
        double x = d->vertices[3 * i], y = d->vertices[3 * i + 1], z = d->vertices[3 * i + 2],
               s = x * x + y * y + z * z;
        far = s > far ? s : far;
    }
    if (d->kind == PL_SHAPE_HEIGHTFIELD)
    {
        double x = g->number[0], z = g->number[1], low = fabs((double)g->number[4]), high = fabs((double)g->number[5]);
        double y = low > high ? low : high;
        far = x * x + y * y + z * z;
    }
    return 1.001f * (float)sqrt(far) + d->radius + 1e-3f;
}

static int64_t mesh_triangles(const pl_shape_def *d, float *corners)
{
    for (int64_t i = 0; corners && i < 3 * (int64_t)d->triangle_count; i++)
        memcpy(corners + 3 * i, d->vertices + 3 * (int64_t)d->triangles[i], 3 * sizeof *corners);
    return d->triangle_count;
}

static int64_t hull_triangles(const geometry *g, float *corners)
{
    if (corners)
        memcpy(corners, geometry_array(g, 1), 9 * (size_t)g->count[1] * sizeof *corners);
    return g->count[1];
}

static int64_t field_triangles(const geometry *g, float *corners)
{
    heightfield f = field_of(g);
    int32_t columns = f.size[0] - 1;
    int64_t count = 2 * (int64_t)columns * (f.size[1] - 1);
    for (int64_t i = 0; corners && i < count; i++)
    {
        vec t[3];
        field_triangle(&f, (int32_t)(i / 2 % columns), (int32_t)(i / 2 / columns), (int)(i % 2), t);
        for (int k = 0; k < 3; k++)
        {
            corners[9 * i + 3 * k] = t[k].x;
            corners[9 * i + 3 * k + 1] = t[k].y;
            corners[9 * i + 3 * k + 2] = t[k].z;
        }
    }
    return count;
}

int64_t geometry_triangles(const geometry *g, const pl_shape_def *d, float *corners)
{
    if (!g)
        return 0;
    return d->kind == PL_SHAPE_HULL          ? hull_triangles(g, corners)
           : d->kind == PL_SHAPE_HEIGHTFIELD ? field_triangles(g, corners)
                                             : mesh_triangles(d, corners);
}
