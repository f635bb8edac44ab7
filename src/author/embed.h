// embed.h: binds the vertices of a visual mesh to what is simulated: each vertex follows a tetrahedron, or the nearest
// of a set of centres.
//   in a tetrahedron   x = sum over its corners of weight x corner; the weights sum to 1, and a negative weight means
//   outside
//   on centres         weights fall to 0 at the nearest centre that is not used, so that they vary smoothly in space
#pragma once
#include "author/solid.h"

enum
{
    EMBED_MOST = 16 // centres per vertex
};

// For each of `count` points (3 floats each): finds the tetrahedron that contains it, else the one behind the nearest
// triangle of the surface, and 4 weights. `t` has its surface. If several contain it, takes the one in which it lies
// deepest; then the first.
pl_result embed_in_tets(memory *m, const pl_tets *t, const float *x, int64_t count, int32_t *tet, float *weight);

// For each point: finds its k nearest of `centres` (3 floats each), nearest first, ties by number, and k weights that
// sum to 1: (1 - d^2/R^2)^2, normalized, with R the distance of the next centre. If there are fewer centres than k, the
// remaining entries name the first one with weight 0.
pl_result embed_on_centres(memory *m, const float *centre, int64_t centres, int k, const float *x, int64_t count,
                           int32_t *index, float *weight);
