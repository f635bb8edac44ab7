// cache.h: declares how queries bring the cache of a world up to date (model/query_data.h).
#pragma once
#include "query/tree.h"

// Updates what a query of these targets (pl_cast_target) needs, and gets the arrays that it reads. `trees` receives a bit
// for each tree (query_tree_kind) that may be searched; items without a tree are tested one by one. Several threads may
// query one world at a time.
pl_result query_prepare(const pl_world *w, int targets, unsigned *trees);
void queries_forget(pl_world *w); // after the world was replaced: nothing of the cache holds any more
void queries_free(pl_world *w);

// The shape of a body or the world as a probe of distances; x is in its frame.
surface_distance part_probe(const query_part *p, vec x, float reach);
