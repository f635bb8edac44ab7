// penetration.h: declares where particles overlap most.
#pragma once
#include <pliant/world.h>

typedef struct deepest_overlap
{
    double overlap;  // m
    double relative; // to the radius, as in pl_penetration
    int a, b;        // particles; b: -1: a shape
    int shape;       // its number in the world; -1: none
    int64_t crossings;
} deepest_overlap;

// Returns whether any particles overlap, or edges of surfaces pass through triangles, at their present positions.
bool penetration_deepest(const pl_world *w, deepest_overlap *out);
