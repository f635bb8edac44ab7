// body.h: declares the particles or tetrahedra of a body in the mesh's frame, which are computed once and placed for
// each copy.
#pragma once
#include "model/world.h"

typedef struct matter
{
    pl_samples samples; // rigid, jelly, plastic
    pl_tets tets;       // soft bodies; a balloon uses its mesh
} matter;

// Adds one body at the position and rotation of `def`.
pl_result body_build(pl_world *w, const pl_body_def *def, const matter *m, pl_id *object);
