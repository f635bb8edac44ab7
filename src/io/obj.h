// obj.h: reads triangle meshes from Wavefront OBJ files.
#ifndef PLIANT_IO_OBJ_H
#define PLIANT_IO_OBJ_H

#include "store.h"

#include <pliant/pliant.h>
#include <stdint.h>

struct obj_mesh
{
    float *vertices; // 3 numbers for each
    int32_t *triangles;
    int vertex_count, triangle_count;
};

// Reads `v` and `f` lines (any polygon, cut into a fan; negative numbers count from the end), and skips the rest.
// Messages begin with file:line:column. The mesh lives in the store.
pl_result obj_parse(struct store *store, const char *text, size_t length, const char *file, struct obj_mesh *mesh);

#endif
