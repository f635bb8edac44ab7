// mesh_edges.h: finds edges, hinges and distances along a mesh, for the builders of objects.
#pragma once
#include "core/memory.h"

// An edge of a triangle mesh with its opposite corners: c and d are the far corners of its one or two triangles (-1:
// none).
typedef struct hinge
{
    int32_t a, b, c, d;
} hinge;

typedef struct mesh_edges
{
    hinge *edges; // in the order of (a, b), a < b
    int64_t count, capacity;
} mesh_edges;

// Fails if three triangles share an edge.
pl_result mesh_edges_of_triangles(memory *m, const int32_t *triangles, int64_t count, mesh_edges *out);
pl_result mesh_edges_of_tets(memory *m, const int32_t *tets, int64_t count, mesh_edges *out);
void mesh_edges_free(memory *m, mesh_edges *e);

// For every vertex: finds its nearest source along the edges, and the distance; -1 and 0 if none can be reached.
pl_result mesh_nearest(memory *m, const float *x, int32_t vertices, const mesh_edges *edges, const int32_t *sources,
                       int count, int32_t *nearest, float *distance);
