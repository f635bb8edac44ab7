// crossing.h: finds triangles of a mesh that cross each other.
#pragma once
#include "author/solid.h"

typedef struct mesh_crossing
{
    int32_t a, b; // triangles, a < b; -1: none cross
    double at[3]; // a point near the crossing
} mesh_crossing;

// Triangles that only touch, in a point or along a line, do not cross; those that overlap in one plane do. No triangle
// may be degenerate.
pl_result find_crossing(memory *m, const mesh_view *mesh, mesh_crossing *out);

// Returns PL_OK if none cross, else fails. from: the numbers of the triangles in the message; NULL: their own.
pl_result refuse_crossing(const mesh_view *mesh, const mesh_crossing *c, const int32_t *from);

// Returns whether the segment from p to q goes through the triangle. If `strict`, touching its boundary does not count;
// otherwise it does. In both cases both ends must lie clear of its plane.
int segment_crosses(const double *p, const double *q, const double t[3][3], int strict);
