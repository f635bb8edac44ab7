// visuals.h: defines visual meshes, which follow the particles of objects. They take no part in the simulation.
#pragma once
#include "model/members.h"
#include "pliant/pliant.h"

enum
{
    VISUAL_NEAR = 4, // particles that carry a vertex
};

// The end of a visual in the arrays of all visuals; the entry before it is its beginning.
typedef struct visual_ends
{
    int32_t vertex, triangle, bone;
    int32_t first; // particle number of its first bone
    int32_t plain; // vertices are plain weighted sums of particles, without rotations
} visual_ends;

typedef struct visuals
{
    int64_t count;
#define MODEL_VISUALS MODEL_MEMBER
#include "model/columns.def"
} visuals;
