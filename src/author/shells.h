// shells.h: what hangs together: the shells of a triangle mesh, the pieces of a mesh of tetrahedra, and vertices at which a
// surface touches itself.
#pragma once
#include "author/solid.h"

typedef struct mesh_shells
{
    int32_t *shell; // of each triangle; shells are numbered by their first triangle
    double *volume; // of each shell, as it is wound [m^3]
    int32_t count;
    int64_t triangles; // how many there is room for in both
} mesh_shells;

// Triangles hang together where they share a vertex or vertices at the same place.
pl_result shells_find(memory *m, const mesh_view *mesh, mesh_shells *out);
void shells_drop(memory *m, mesh_shells *s);

// Tetrahedra hang together where they share a vertex.
pl_result shells_count_tets(memory *m, const pl_tets *t, int32_t *pieces);

// The first vertex whose triangles do not form one closed fan, -1: none. No vertices lie at the same place.
pl_result shells_find_pinch(memory *m, const mesh_view *mesh, int32_t *vertex);
