// shapes_mesh.h: makes closed triangle meshes of simple shapes by name.
#pragma once
#include "author/solid.h"

// As pl_mesh_make, with the caller's memory. On failure `out` is empty.
pl_result shape_mesh(memory *m, const pl_mesh_def *def, pl_mesh *out);
// Returns the name of shape `number`, NULL beyond the last.
const char *shape_mesh_name(int number);
