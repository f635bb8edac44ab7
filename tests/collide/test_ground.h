// test_ground.h: a triangle mesh with its tree and neighbours, as a shape has them.
#pragma once
#include "convex_twin.h"
#include "collide/manifold_mesh.h"

typedef struct test_ground
{
    test_mesh mesh;
    bvh b;
    int32_t *beside;
} test_ground;

static inline test_ground open_ground(memory *m, test_mesh mesh, int solid)
{
    test_ground g = {.mesh = mesh};
    mesh_view v = view(&g.mesh);
    good(bvh_build(m, &v, solid, &g.b));
    int32_t *rings = malloc(sizeof(int32_t) * 3 * (size_t)mesh.triangles),
            *slot = malloc(sizeof(int32_t) * (size_t)mesh.triangles);
    g.beside = malloc(sizeof(int32_t) * 3 * (size_t)mesh.triangles);
    good(mesh_rings(m, &v, rings));
    for (int s = 0; s < mesh.triangles; s++)
        slot[g.b.id[s]] = s;
    for (int h = 0; h < 3 * mesh.triangles; h++)
        g.beside[3 * slot[h / 3] + h % 3] = 3 * slot[rings[h] / 3] + rings[h] % 3;
    g.b.beside = g.beside;
    free(rings);
    free(slot);
    return g;
}

static inline void drop_ground(memory *m, test_ground *g)
{
    bvh_free(m, &g->b);
    free(g->beside);
    drop_mesh(&g->mesh);
}
