// mesh_build.h: triangle meshes under construction, and taking out what they no longer use.
#pragma once
#include "author/solid.h"

// A mesh under construction: rooms are known beforehand.
typedef struct mesh_build
{
    pl_mesh mesh; // counts are what has been put
    int64_t vertices, triangles;
} mesh_build;

pl_result mesh_build_open(memory *m, int64_t vertices, int64_t triangles, mesh_build *b);
int32_t mesh_put(mesh_build *b, double x, double y, double z);
void mesh_put_triangle(mesh_build *b, int32_t a, int32_t c, int32_t d);
// Vertices i become vertex to[i] (itself or a lower one), unused ones go, and so do triangles of which two corners are one.
pl_result mesh_compact(memory *m, pl_mesh *mesh, const int32_t *to);
