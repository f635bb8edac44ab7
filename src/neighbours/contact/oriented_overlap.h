// oriented_overlap.h: declares how far particles overlap at present, also those that have a rotation of their own. By
// slots, with poses that have been pulled.
#pragma once
#include "model/world.h"

bool has_orientation(const pl_world *w, int32_t slot); // it has a rotation of its own

typedef struct meeting_now
{
    pl_vec3 normal, point; // from the second to the first; where they meet
    float overlap, reach;  // reach: of both, along the normal
} meeting_now;
meeting_now meet_now(const pl_world *w, int32_t a, int32_t b);

typedef struct reach_now
{
    float far;
    pl_vec3 tip; // where it reaches so far, from its middle
} reach_now;
reach_now reach_towards(const pl_world *w, int32_t slot, pl_vec3 n);
