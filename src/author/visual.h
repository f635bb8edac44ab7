// visual.h: a body's own mesh, to be seen in place of what it is made of.
#pragma once
#include "author/build.h"

// `vertices` is where the mesh's vertices lie in the world; they ride in tets, or, where that is NULL, on the nearest particles.
void build_visual(build *b, const pl_mesh *mesh, const float *vertices, const pl_tets *tets);
