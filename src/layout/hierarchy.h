// hierarchy.h: builds and packs the coarse levels of a world with the solver hierarchy.
#pragma once
#include "layout/coarsen.h"
#include "model/world.h"

// The graphs of a world while it is packed: graph[0] is that of its links.
typedef struct hierarchy_graphs
{
    int32_t count;
    length_graph graph[COARSE_LEVELS + 1];
    uint8_t *colour[COARSE_LEVELS + 1]; // of the edges of each coarse one
} hierarchy_graphs;

// Has an edit changed what the levels are made of? Then everything is packed again.
bool hierarchy_stale(const pl_world *w);
// Builds the levels, and sets the sizes of their columns. Without the solver there are none.
pl_result hierarchy_build(pl_world *w, hierarchy_graphs *h);
// Fills the packed columns.
void hierarchy_fill(pl_world *w, const hierarchy_graphs *h);
void hierarchy_graphs_free(pl_world *w, hierarchy_graphs *h);
void hierarchy_free(pl_world *w);
