// repair.h: makes a triangle mesh fit to become a solid, where that is safe, and says what it did; or says what is wrong, and where.
#pragma once
#include "author/solid.h"

typedef struct mesh_repairs
{
    int64_t merged;    // vertices that became one with another
    int64_t collapsed; // triangles that lost an edge by that
    int64_t doubled;   // triangles that lay there twice, or back to back
    int64_t slivers;   // triangles without a height, taken out by turning an edge
    int64_t turned;    // triangles turned to suit their neighbours
    int64_t shells;    // shells turned whole
    double tolerance;  // [m]
} mesh_repairs;

enum
{
    REPAIR_LINES = 6
};

// tolerance [m]: what counts as the same place, and how far the surface may move; below 0: a millionth of the mesh's size. On
// failure `out` is empty. Vertices that no triangle uses go, without a word.
pl_result mesh_repair(memory *m, const mesh_view *mesh, double tolerance, pl_mesh *out, mesh_repairs *done);
// Line `number` of what was done, as a sentence; 0 if that has not happened.
int mesh_repairs_tell(const char *name, const mesh_repairs *done, int number, char *text, size_t size);
