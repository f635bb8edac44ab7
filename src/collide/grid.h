// grid.h: who is near whom. Particles are sorted by (cell, slot), cells by z, y, x; each particle then looks at those after it
// in its own cell and in the half of the cells around it that come later, or, where `whole` asks for it, at everybody around. The domain has no bounds but those of 21 bits an
// axis; beyond, the build fails with a message. What finds too little room is looked for again with more, so that no list is ever too short.
#pragma once
#include "collide/cells.h"
#include "collide/crowd.h"
#include "collide/radix.h"
#include "core/memory.h"

typedef struct grid
{
    bool
        whole; // of whoever builds it: each pair is listed twice, and a particle's pairs are its neighbours, in the sorted order

    // the particles, sorted
    int32_t count;
    sortable_items sorted; // key: cell, value: slot
    float *spot;           // position, radius
    int32_t *first;        // for each its first pair, and one more at the end
    // the pairs, each with the earlier particle first (of a whole grid: either one); both as places in the sorted order
    int32_t *one, *other;
    int64_t pairs;

    float cell;
    int32_t low[3]; // the least cell, less one
    int bits[3];    // of a cell's coordinates, counted from `low`

    int32_t *part;  // scratch: least and greatest cells of parts, how many pairs they have
    int32_t *found; // scratch: the pairs of parts, each in a room of its own
    int64_t room;
    bool fits;
    int64_t key_capacity[2], value_capacity[2], counts_capacity, spot_capacity, first_capacity, one_capacity,
        other_capacity, part_capacity, found_capacity;
} grid;

pl_result grid_sort(grid *g, memory *m, const crowd *c, const crew *hands); // cells and the sorted order alone
pl_result grid_build(grid *g, memory *m, const crowd *c, const crew *hands);
void grid_free(grid *g, memory *m);
