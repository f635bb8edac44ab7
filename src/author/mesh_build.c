// mesh_build.c: builds a mesh vertex by vertex and triangle by triangle, and removes its unused parts.
#include "author/mesh_build.h"

#include <string.h>

pl_result mesh_build_open(memory *m, int64_t vertices, int64_t triangles, mesh_build *b)
{
    *b = (mesh_build){.vertices = vertices, .triangles = triangles};
    pl_result result = take_items(m, &b->mesh.vertices, vertices, 3 * sizeof(float));
    if (result == PL_OK)
        result = take_items(m, &b->mesh.triangles, triangles, 3 * sizeof(int32_t));
    if (result != PL_OK)
        drop_items(m, &b->mesh.vertices, vertices, 3 * sizeof(float));
    return result;
}

int32_t mesh_put(mesh_build *b, double x, double y, double z)
{
    float *p = b->mesh.vertices + 3 * (int64_t)b->mesh.vertex_count;
    p[0] = (float)x;
    p[1] = (float)y;
    p[2] = (float)z;
    return b->mesh.vertex_count++;
}

void mesh_put_triangle(mesh_build *b, int32_t a, int32_t c, int32_t d)
{
    memcpy(b->mesh.triangles + 3 * (int64_t)b->mesh.triangle_count++, (int32_t[]){a, c, d}, 3 * sizeof(int32_t));
}

static int64_t keep_triangles(pl_mesh *mesh, const int32_t *to)
{
    int64_t kept = 0;
    for (int64_t t = 0; t < mesh->triangle_count; t++)
    {
        int32_t c[3];
        for (int i = 0; i < 3; i++)
            c[i] = to[mesh->triangles[3 * t + i]];
        if (c[0] != c[1] && c[1] != c[2] && c[2] != c[0])
            memcpy(mesh->triangles + 3 * kept++, c, sizeof c);
    }
    return kept;
}

pl_result mesh_compact(memory *m, pl_mesh *mesh, const int32_t *to)
{
    int32_t *number;
    pl_result result = take_items(m, &number, mesh->vertex_count, sizeof *number);
    if (result != PL_OK)
        return result;
    int64_t triangles = keep_triangles(mesh, to), vertices = 0, room = mesh->triangle_count;
    for (int64_t i = 0; i < 3 * triangles; i++)
        number[mesh->triangles[i]] = 1;
    for (int64_t v = 0; v < mesh->vertex_count; v++)
        if (number[v])
        {
            memmove(mesh->vertices + 3 * vertices, mesh->vertices + 3 * v, 3 * sizeof(float));
            number[v] = (int32_t)vertices++;
        }
    for (int64_t i = 0; i < 3 * triangles; i++)
        mesh->triangles[i] = number[mesh->triangles[i]];
    drop_items(m, &number, mesh->vertex_count, sizeof *number);
    // Shrinking may fail; the larger block then stays, and the counts with it.
    result = trim_items(m, &mesh->triangles, &room, triangles, 3 * sizeof(int32_t));
    if (result == PL_OK)
        mesh->triangle_count = (int)triangles;
    room = mesh->vertex_count;
    if (result == PL_OK)
        result = trim_items(m, &mesh->vertices, &room, vertices, 3 * sizeof(float));
    if (result == PL_OK)
        mesh->vertex_count = (int)vertices;
    return result;
}
