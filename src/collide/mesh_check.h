// mesh_check.h: is a triangle mesh fit to collide with? Faults are named: which vertex, triangle or edge, and what would do.
//   any mesh     finite coordinates, corners that exist, three different corners a triangle, no triangle without area
//   a solid      besides: every edge has two triangles that run along it in opposite directions, and the volume is positive
// Vertices at the very same place count as one (files split them for the sake of normals and textures).
#pragma once
#include "core/memory.h"

#define MESH_FARTHEST 1e9f // coordinates [m]: beyond, squares of squares leave float's range

typedef struct mesh_view
{
    const char *name; // for messages: the shape, in words
    const float *x;   // 3 a vertex
    const int32_t *triangle;
    int64_t vertices, triangles;
} mesh_view;

pl_result mesh_check(memory *m, const mesh_view *mesh, int solid);
// The first part of it: there are triangles, not too many, coordinates are finite, corners exist.
pl_result mesh_check_numbers(const mesh_view *mesh);
// Has a triangle no area, or a height of no more than `least_height` over its longest side? That side starts at corner `*side`.
int mesh_is_flat(const mesh_view *mesh, int64_t triangle, double least_height, int *side);

// weld[i]: the first vertex that lies where i lies. `weld` has room for every vertex.
pl_result mesh_weld(memory *m, const mesh_view *mesh, int32_t *weld);

// Half edges in the order of (lower end, higher end): the two of a closed mesh's edge lie side by side.
typedef struct half_edge
{
    int32_t low, high; // welded
    int32_t at;        // 3 triangle + corner where it starts
    int32_t falls;     // 1: it runs from high to low
} half_edge;

// `halves` has room for 3 a triangle.
void mesh_sort_edges(const mesh_view *mesh, const int32_t *weld, half_edge *halves);
// The same for a mesh that must be closed: open and torn edges fail, and contradictory ones if it must be wound all one way.
// from: the numbers that the triangles have in messages; NULL: their own.
pl_result mesh_match_edges(const mesh_view *mesh, const int32_t *weld, half_edge *halves, int wound,
                           const int32_t *from);
pl_result mesh_pair_edges(const mesh_view *mesh, const int32_t *weld, half_edge *halves);

// For every half edge (3 triangle + corner where it starts) the next one on the same edge, round and round: itself where the
// mesh ends. Any mesh will do; corners need not turn the same way. `beside` has room for 3 a triangle.
pl_result mesh_rings(memory *m, const mesh_view *mesh, int32_t *beside);
