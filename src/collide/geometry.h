// geometry.h: the data of hulls, meshes, distance fields and height fields: checks the user's arrays, builds what the
// stages need, and packs it without pointers (see solid.h).
#pragma once
#include "collide/solid.h"
#include "pliant/pliant.h"

// Copies the arrays given to pl_add_shape; the pointers of `to` point into the copy.
pl_result geometry_copy(memory *m, const pl_shape_def *from, pl_shape_def *to);
pl_result geometry_take(memory *m, pl_shape_def *def); // allocates arrays of the lengths that the counts give
void *geometry_first(const pl_shape_def *def);         // the start of that block
size_t geometry_bytes(const pl_shape_def *def);
void geometry_forget(memory *m, pl_shape_def *def);

// name: for messages. Allocates `*bytes`, aligned to 64; it begins with a `geometry`. Stays NULL for kinds without
// arrays.
pl_result geometry_build(memory *m, const char *name, const pl_shape_def *def, void **bytes, size_t *size);
// The radius about the shape's origin that contains all of it.
float geometry_reach(const geometry *g, const pl_shape_def *def);
// Returns the number of triangles of the surface; with `corners`, which has room for them, writes 9 floats for each.
int64_t geometry_triangles(const geometry *g, const pl_shape_def *def, float *corners);
