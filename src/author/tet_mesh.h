// tet_mesh.h: computes the surface and the measures of a tetrahedral mesh, and makes one from a triangle mesh.
#pragma once
#include "author/stuffing.h"

// Fills triangles and owners of a mesh that has vertices and tets: the faces that belong to one tetrahedron only,
// outward, in their order.
pl_result tets_find_surface(memory *m, const char *name, pl_tets *t);
void tets_drop(memory *m, pl_tets *t);

typedef struct tets_measure
{
    double volume;            // m^3
    double smallest, largest; // dihedral angles, as cosines
    int64_t inverted;         // tetrahedra without a positive volume
} tets_measure;

tets_measure tets_measure_all(const pl_tets *t);

// The mesh must be a solid. Fails if the spacing is too coarse for it (the surface touches itself, the solid falls
// apart).
pl_result tetrahedralise(memory *m, const mesh_view *mesh, double spacing, pl_tets *out);
