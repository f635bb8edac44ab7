// orient.h: orients the triangles of a closed mesh consistently, shell by shell, and then outward. A shell within a
// shell is a cavity and is oriented inward; one within that is a solid again.
#pragma once
#include "author/solid.h"

typedef struct orientation
{
    int32_t *shell;  // of each triangle: triangles connected over edges are one shell
    int8_t *flipped; // 1: the triangle was flipped
    int32_t shells;
    int64_t triangles;
} orientation;

// Makes the orientation of each shell consistent. Vertices at the same place must be welded. from: the numbers of the
// triangles in messages. Fails on edges without two triangles and on one-sided shells. `triangle` is the view's array.
pl_result orient_alike(memory *m, const mesh_view *mesh, int32_t *triangle, const int32_t *from, orientation *out);
// Orients the shells outward. The mesh must not cross itself.
pl_result orient_outwards(memory *m, const mesh_view *mesh, int32_t *triangle, orientation *o);
void orient_drop(memory *m, orientation *o);
