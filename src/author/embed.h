// embed.h: what is seen follows what is simulated: each vertex of a visual mesh rides in a tetrahedron, or on the nearest of a set of
// centres.
//   in a tetrahedron   x = sum over its corners of weight x corner; the weights sum up to 1, and below 0 is outside
//   on centres         weights fall to 0 at the nearest centre that is left out, so that they change smoothly from place to place
#pragma once
#include "author/solid.h"

enum
{
    EMBED_MOST = 16 // centres a vertex
};

// For each of `count` points (3 floats each) the tetrahedron that holds it, else the one behind the nearest triangle of the
// surface, and 4 weights. `t` has its surface. Of several that hold it, the one it lies deepest in; then the first.
pl_result embed_in_tets(memory *m, const pl_tets *t, const float *x, int64_t count, int32_t *tet, float *weight);

// For each point its k nearest of `centres` (3 floats each), nearest first, equal ones by number, and k weights that sum up to 1:
// (1 - d^2/R^2)^2, R the distance of the next one, made to sum up. Fewer centres than k: the rest names the first, weight 0.
pl_result embed_on_centres(memory *m, const float *centre, int64_t centres, int k, const float *x, int64_t count,
                           int32_t *index, float *weight);
