// patches.h: finds the patches of a mesh of tetrahedra: groups that share up to eight vertices and one volume
// (elements/patch_volume.h).
#pragma once
#include "core/memory.h"
#include "pliant/pliant.h"

// x: 3 numbers for each vertex. Every tetrahedron is in one patch. Fails if a tetrahedron is flat or inside out, or if
// there are fewer than eight vertices.
pl_result find_patches(memory *m, const float *x, int32_t vertices, const int32_t *tets, int64_t count,
                       pl_patches *out);
void patches_drop(memory *m, pl_patches *p);
