// repair.h: repairs a triangle mesh where that is safe, so that it can become a solid, and reports the repairs;
// otherwise reports what is wrong, and where.
#pragma once
#include "author/solid.h"

typedef struct mesh_repairs
{
    int64_t merged;    // vertices that were merged with another
    int64_t collapsed; // triangles that lost an edge by merging
    int64_t doubled;   // duplicate triangles, or triangles back to back
    int64_t slivers;   // triangles without height, removed by flipping an edge
    int64_t flipped;   // triangles flipped to match their neighbours
    int64_t shells;    // shells flipped as a whole
    double tolerance;  // [m]
} mesh_repairs;

enum
{
    REPAIR_LINES = 6
};

// tolerance [m]: the distance within which vertices are the same, and the limit of the surface's motion; negative: a
// millionth of the mesh's size. On failure `out` is empty. Unused vertices are removed without a report.
pl_result mesh_repair(memory *m, const mesh_view *mesh, double tolerance, pl_mesh *out, mesh_repairs *done);
// Writes line `number` of the report as a sentence; returns 0 if that repair was not made.
int mesh_repairs_tell(const char *name, const mesh_repairs *done, int number, char *text, size_t size);
