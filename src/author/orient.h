// orient.h: turns the triangles of a closed mesh all one way, shell by shell, and then outwards. A shell within a shell is a
// cavity, and is turned inwards; one within that is a solid again.
#pragma once
#include "author/solid.h"

typedef struct orientation
{
    int32_t *shell; // of each triangle: what hangs together over edges
    int8_t *turned; // 1: the triangle has been turned
    int32_t shells;
    int64_t triangles;
} orientation;

// Vertices at the same place must be one. from: the triangles' numbers in messages. Edges without two triangles and
// one-sided shells are refused. `triangle` are the view's.
pl_result orient_alike(memory *m, const mesh_view *mesh, int32_t *triangle, const int32_t *from, orientation *out);
// For a mesh that does not cross itself.
pl_result orient_outwards(memory *m, const mesh_view *mesh, int32_t *triangle, orientation *o);
void orient_drop(memory *m, orientation *o);
