// visuals.h: meshes that ride on objects. They take no part in the simulation.
#pragma once
#include "model/members.h"
#include "pliant/pliant.h"

enum
{
    VISUAL_NEAR = 4, // particles that carry a vertex
};

// Where a visual ends in the arrays of all; the one before it says where it begins.
typedef struct visual_ends
{
    int32_t vertex, triangle, bone;
    int32_t first; // particle number of its first bone
    int32_t plain; // vertices are weighted sums of particles
} visual_ends;

typedef struct visuals
{
    int64_t count;
#define MODEL_VISUALS MODEL_MEMBER
#include "model/columns.def"
} visuals;

typedef struct visual_mesh
{
    int vertices, triangles;
    const float *position; // NULL: plain
    const int32_t *carrier;
    const float *weight;
    const int32_t *triangle;
} visual_mesh;

pl_result visuals_add(pl_world *w, pl_id object, const visual_mesh *mesh, pl_id *id); // what it names has been checked
