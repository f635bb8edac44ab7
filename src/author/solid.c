// solid.c: implements solid.h: arrays of exact size, boxes of meshes, and a mesh as a signed distance field.
#include "author/solid.h"

#include <string.h>

// ---- arrays --------------------------------------------------------------------------------------------------------

pl_result take_items(memory *m, void *data, int64_t count, size_t item)
{
    void *none = NULL;
    int64_t capacity = 0;
    memcpy(data, &none, sizeof none);
    return array_reserve(m, data, &capacity, count, item);
}

void drop_items(memory *m, void *data, int64_t count, size_t item) { array_free(m, data, &count, item); }

pl_result trim_items(memory *m, void *data, int64_t *capacity, int64_t count, size_t item)
{
    void *block;
    memcpy(&block, data, sizeof block);
    pl_result result = PL_OK;
    if (*capacity != count)
        result = memory_resize(m, &block, (size_t)*capacity * item, (size_t)count * item);
    if (result != PL_OK)
        return result;
    *capacity = count;
    memcpy(data, &block, sizeof block);
    return PL_OK;
}

// ---- meshes --------------------------------------------------------------------------------------------------------

double mesh_volume(const mesh_view *mesh)
{
    double sum = 0.0, o[3];
    widen(mesh->x + 3 * (int64_t)mesh->triangle[0], o);
    for (int64_t t = 0; t < mesh->triangles; t++)
    {
        double p[3][3];
        for (int i = 0; i < 3; i++)
            widen(mesh->x + 3 * (int64_t)mesh->triangle[3 * t + i], p[i]);
        sum += box_product(o, p[0], p[1], p[2]);
    }
    return sum / 6.0;
}

// Returns the box of the vertices that triangles use.
void mesh_box(const mesh_view *mesh, double low[3], double high[3])
{
    for (int k = 0; k < 3; k++)
        low[k] = high[k] = (double)mesh->x[3 * (int64_t)mesh->triangle[0] + k];
    for (int64_t i = 0; i < 3 * mesh->triangles; i++)
        for (int k = 0; k < 3; k++)
        {
            double a = (double)mesh->x[3 * (int64_t)mesh->triangle[i] + k];
            low[k] = a < low[k] ? a : low[k];
            high[k] = a > high[k] ? a : high[k];
        }
}

void mesh_drop(memory *m, pl_mesh *mesh)
{
    drop_items(m, &mesh->vertices, mesh->vertex_count, 3 * sizeof(float));
    drop_items(m, &mesh->triangles, mesh->triangle_count, 3 * sizeof(int32_t));
    *mesh = (pl_mesh){0};
}

// ---- a mesh as a distance field ------------------------------------------------------------------------------------

pl_result mesh_field_open(memory *m, const mesh_view *mesh, mesh_field *out)
{
    *out = (mesh_field){.distance = 4.0f * MESH_FARTHEST}; // bounds any distance from the origin
    return bvh_build(m, mesh, 1, &out->tree);
}

surface_distance mesh_field_probe(mesh_field *f, const float x[3])
{
    vec at = vec_of(x[0], x[1], x[2]), way = sub(at, vec_of(f->x[0], f->x[1], f->x[2]));
    // The distance changes by no more than the distance moved; a little is added for rounding.
    float reach = 1.0001f * (magnitude(f->distance) + length(way)) + 1e-5f * reach_of(at);
    bvh_near r = bvh_nearest(&f->tree, at, reach);
    if (r.slot < 0)
        r = bvh_nearest(&f->tree, at, 8.0f * MESH_FARTHEST);
    surface_distance s = bvh_side(&f->tree, at, &r);
    memcpy(f->x, x, sizeof f->x);
    f->distance = s.distance;
    return s;
}

static double mesh_value(void *user, const double x[3])
{
    const float at[3] = {(float)x[0], (float)x[1], (float)x[2]};
    return (double)mesh_field_probe(user, at).distance;
}

solid_field mesh_field_solid(mesh_field *f, const mesh_view *mesh)
{
    solid_field s = {.value = mesh_value, .user = f};
    mesh_box(mesh, s.low, s.high);
    return s;
}

void mesh_field_close(memory *m, mesh_field *f)
{
    bvh_free(m, &f->tree);
    *f = (mesh_field){0};
}
