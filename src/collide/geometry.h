// geometry.h: the bytes behind a shape of many numbers: checks what the user gave, builds what the stages ask, and lays it out
// without a pointer inside (see solid.h).
#pragma once
#include "collide/solid.h"
#include "pliant/pliant.h"

// What pl_add_shape was given, as its own copy; the def's pointers lead into it.
pl_result geometry_copy(memory *m, const pl_shape_def *from, pl_shape_def *to);
pl_result geometry_take(memory *m, pl_shape_def *def); // room for arrays as long as its counts say
void *geometry_first(const pl_shape_def *def);         // where that begins
size_t geometry_bytes(const pl_shape_def *def);
void geometry_forget(memory *m, pl_shape_def *def);

// name: for messages. `*bytes` is made, aligned to 64, its first bytes are a `geometry`; none for kinds that need none.
pl_result geometry_build(memory *m, const char *name, const pl_shape_def *def, void **bytes, size_t *size);
// No point of it is farther from the shape's origin.
float geometry_reach(const geometry *g, const pl_shape_def *def);
// The surface as triangles, 9 floats each: how many; with `corners`, which has room for them, the corners.
int64_t geometry_triangles(const geometry *g, const pl_shape_def *def, float *corners);
