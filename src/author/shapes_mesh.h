// shapes_mesh.h: closed triangle meshes made by code, by name.
#pragma once
#include "author/solid.h"

// As pl_mesh_make, with memory of the caller's. On failure `out` is empty.
pl_result shape_mesh(memory *m, const pl_mesh_def *def, pl_mesh *out);
// The name of shape `number`, NULL beyond the last.
const char *shape_mesh_name(int number);
