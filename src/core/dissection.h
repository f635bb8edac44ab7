// dissection.h: an order of elimination for sparse symmetric matrices that keeps their factors sparse.
//
// Nested dissection: a set of vertices that separates the graph into two halves is eliminated last; each half is treated
// the same. The separator is the middle level of a breadth-first search from a vertex at the graph's rim.
//                                                      George 1973; George and Liu 1978 (automatic nested dissection)
#pragma once
#include "core/memory.h"

// The neighbours of vertex v are neighbour[start[v]] to neighbour[start[v + 1] - 1]; each edge is listed at both ends.
// Writes the vertices to `order`, the first to be eliminated first. The result depends on the graph alone.
pl_result dissect(memory *m, int32_t vertices, const int64_t *start, const int32_t *neighbour, int32_t *order);
