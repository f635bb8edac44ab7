// body_lattice.h: a body whose particles lie on a lattice, held together by overlapping regions (kernels/lattice_match.h).
#pragma once
#include "author/build.h"

// Which cell of the lattice each particle lies in, 3 numbers for each.
pl_result lattice_cells(memory *m, const pl_samples *s, float spacing, int32_t **cells, int64_t *capacity);
void build_lattice(build *b, const int32_t *cells, int count, float region, float stiffness);
