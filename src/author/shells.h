// shells.h: finds the connected components of a triangle mesh (shells) and of a tetrahedral mesh (pieces), and vertices
// at which a surface touches itself (pinches).
#pragma once
#include "author/solid.h"

typedef struct mesh_shells
{
    int32_t *shell; // of each triangle; shells are numbered by their first triangle
    double *volume; // of each shell, signed by its orientation [m^3]
    int32_t count;
    int64_t triangles; // the capacity of both arrays
} mesh_shells;

// Triangles are connected if they share a vertex or have vertices at the same place.
pl_result shells_find(memory *m, const mesh_view *mesh, mesh_shells *out);
void shells_drop(memory *m, mesh_shells *s);

// Tetrahedra are connected if they share a vertex.
pl_result shells_count_tets(memory *m, const pl_tets *t, int32_t *pieces);

// Returns the first vertex whose triangles do not form one closed fan; -1: none. No two vertices may lie at the same
// place.
pl_result shells_find_pinch(memory *m, const mesh_view *mesh, int32_t *vertex);
