// mesh_check.h: checks whether a triangle mesh can be used for collision. Messages name the vertex, triangle or edge at
// fault and a remedy.
//   any mesh     finite coordinates, existing corners, three different corners a triangle, no triangle without area
//   a solid      also: every edge has two triangles that traverse it in opposite directions, and the volume is positive
// Vertices at exactly the same position count as one (files split them because of normals and textures).
#pragma once
#include "core/memory.h"

#define MESH_FARTHEST 1e9f // coordinates [m]: beyond this, fourth powers leave the range of float

typedef struct mesh_view
{
    const char *name; // for messages: describes the shape
    const float *x;   // 3 for each vertex
    const int32_t *triangle;
    int64_t vertices, triangles;
} mesh_view;

pl_result mesh_check(memory *m, const mesh_view *mesh, int solid);
// The first part of the check: the number of triangles, finite coordinates, existing corners.
pl_result mesh_check_numbers(const mesh_view *mesh);
// Has a triangle no area, or at most the height `least_height` over its longest side? That side starts at corner
// `*side`.
int mesh_is_flat(const mesh_view *mesh, int64_t triangle, double least_height, int *side);

// weld[i]: the first vertex at the position of vertex i. `weld` has room for every vertex.
pl_result mesh_weld(memory *m, const mesh_view *mesh, int32_t *weld);

// Half edges are sorted by (lower end, higher end): the two of an edge of a closed mesh are adjacent.
typedef struct half_edge
{
    int32_t low, high; // welded
    int32_t at;        // 3 triangle + corner where it starts
    int32_t falls;     // 1: it runs from high to low
} half_edge;

// Builds and sorts the half edges. `halves` has room for 3 a triangle.
void mesh_sort_edges(const mesh_view *mesh, const int32_t *weld, half_edge *halves);
// The same for a mesh that must be closed: edges with one triangle or more than two fail, and with `wound` also edges
// whose triangles have inconsistent orientations. from: the numbers of the triangles in messages; NULL: their own.
pl_result mesh_match_edges(const mesh_view *mesh, const int32_t *weld, half_edge *halves, int wound,
                           const int32_t *from);
pl_result mesh_pair_edges(const mesh_view *mesh, const int32_t *weld, half_edge *halves);

// For every half edge (3 triangle + corner where it starts) the next one on the same edge, as a ring: itself at the
// boundary of the mesh. Any mesh is allowed; orientations need not agree. `beside` has room for 3 a triangle.
pl_result mesh_rings(memory *m, const mesh_view *mesh, int32_t *beside);
