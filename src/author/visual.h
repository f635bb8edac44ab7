// visual.h: adds a body's own mesh as a visual, which is displayed in place of its particles.
#pragma once
#include "author/build.h"

// vertices: the positions of the mesh's vertices in the world. They follow `tets` or, if that is NULL, the nearest
// particles.
void build_visual(build *b, const pl_mesh *mesh, const float *vertices, const pl_tets *tets);
