// body_lattice.h: finds the lattice cells of a body whose particles lie on a lattice and are held together by
// overlapping regions (kernels/lattice_match.h).
#pragma once
#include "author/build.h"

// Returns the cell of the lattice that each particle lies in, 3 numbers for each.
pl_result lattice_cells(memory *m, const pl_samples *s, float spacing, int32_t **cells, int64_t *capacity);
void build_lattice(build *b, const int32_t *cells, int count, float region, float stiffness);
