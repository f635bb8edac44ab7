// mesh.h: edges, hinges and distances along a mesh, for those who make objects out of one.
#pragma once
#include "core/memory.h"

// An edge of a triangle mesh with what lies across it: c and d are the far corners of its one or two triangles (-1: none).
typedef struct hinge
{
    int32_t a, b, c, d;
} hinge;

typedef struct mesh_edges
{
    hinge *edges; // in the order of (a, b), a < b
    int64_t count, capacity;
} mesh_edges;

// Fails on an edge that three triangles share.
pl_result mesh_edges_of_triangles(memory *m, const int32_t *triangles, int64_t count, mesh_edges *out);
pl_result mesh_edges_of_tets(memory *m, const int32_t *tets, int64_t count, mesh_edges *out);
void mesh_edges_free(memory *m, mesh_edges *e);

// For every vertex its nearest source along the edges, and how far that is; -1 and 0 where none can be reached.
pl_result mesh_nearest(memory *m, const float *x, int32_t vertices, const mesh_edges *edges, const int32_t *sources,
                       int count, int32_t *nearest, float *distance);
