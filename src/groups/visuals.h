// visuals.h: declares what other files use of visual meshes.
#pragma once
#include "model/world.h"

typedef struct visual_mesh
{
    int vertices, triangles;
    const float *position; // NULL: plain
    const int32_t *carrier;
    const float *weight;
    const int32_t *triangle;
} visual_mesh;

pl_result visuals_add(pl_world *w, pl_id object, const visual_mesh *mesh, pl_id *id); // the caller has checked the mesh
