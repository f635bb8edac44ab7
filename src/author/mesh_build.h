// mesh_build.h: builds triangle meshes, and removes vertices and triangles that are no longer used.
#pragma once
#include "author/solid.h"

// A mesh under construction. Its capacity is known beforehand.
typedef struct mesh_build
{
    pl_mesh mesh; // the counts are those of what has been added
    int64_t vertices, triangles;
} mesh_build;

pl_result mesh_build_open(memory *m, int64_t vertices, int64_t triangles, mesh_build *b);
int32_t mesh_put(mesh_build *b, double x, double y, double z);
void mesh_put_triangle(mesh_build *b, int32_t a, int32_t c, int32_t d);
// Replaces vertex i by vertex to[i] (itself or a lower one). Removes unused vertices, and triangles with two equal
// corners.
pl_result mesh_compact(memory *m, pl_mesh *mesh, const int32_t *to);
