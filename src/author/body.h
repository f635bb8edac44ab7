// body.h: what bodies are made of, in the mesh's frame: found once, placed as often as is wanted.
#pragma once
#include "model/world.h"

typedef struct matter
{
    pl_samples samples; // rigid, jelly, plastic
    pl_tets tets;       // soft; a balloon is its mesh
} matter;

// One body where `def` says.
pl_result body_build(pl_world *w, const pl_body_def *def, const matter *m, pl_id *object);
