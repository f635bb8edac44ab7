// oriented_overlap.h: computes how far particles overlap at present, with or without a rotation of their own. They are
// named by slot; their positions and poses must have been copied to the host (pull).
#pragma once
#include "model/world.h"

bool has_orientation(const pl_world *w, int32_t slot); // it has a rotation of its own

typedef struct meeting_now
{
    pl_vec3 normal, point; // normal: from the second to the first; point: the contact point
    float overlap, reach;  // reach: the sum of both along the normal [m]
} meeting_now;
meeting_now meet_now(const pl_world *w, int32_t a, int32_t b);

typedef struct reach_now
{
    float far;   // how far the particle extends from its centre along n [m]
    pl_vec3 tip; // its farthest point along n, relative to the centre
} reach_now;
reach_now reach_towards(const pl_world *w, int32_t slot, pl_vec3 n);
