// list.h: the neighbour list: the answer to a neighbour_query on the CPU.
//
// Particles are sorted by (cell, slot), cells by z, then y, then x (neighbours/cells.h). A particle's index in that
// order is its sorted index. The list is stored in compressed rows: the neighbours of sorted index i are
// neighbour[start[i]] to neighbour[start[i + 1] - 1]. All of them are sorted indices, in ascending order. The list does
// not depend on the number of threads. Cell coordinates are limited to 21 bits for each axis; beyond that a build fails
// with a message. When a list outgrows its memory, the search is repeated with more memory, so a list is never cut
// short.
#pragma once
#include "neighbours/cells.h"
#include "core/radix_sort.h"
#include "core/memory.h"
#include "neighbours/query.h"

typedef struct neighbour_list
{
    // the particles, indexed by sorted index
    int32_t count;
    sortable_items sorted; // key: cell, value: slot
    float *sphere;         // 4 floats: position, reach of the particle
    float *column;         // the same as four columns of column_size floats
    int64_t column_size;   // the count, and room to load four from any of them
    // the compressed rows
    int32_t *start;     // count + 1
    int32_t *neighbour; // sorted indices
    int32_t *owner;     // half lists: for each entry the sorted index whose row it is in, always less than `neighbour`
    int64_t pairs;      // number of entries

    float cell;     // side of a cell
    int32_t low[3]; // the lowest cell, minus one
    int bits[3];    // bits of each cell coordinate, counted from `low`

    // scratch
    int32_t *part;  // for each part of the sorted indices: the bounds of its cells, later its number of entries
    int32_t *found; // for each part, room for `room` entries
    int64_t room;   // capacity of a part, in entries
    bool fits;      // no part needs more than `room`
    int64_t sorted_capacity[SORTABLE_ARRAYS], sphere_capacity, column_capacity, start_capacity, owner_capacity,
        neighbour_capacity, part_capacity, found_capacity;
} neighbour_list;

// The most entries a list may have. Each entry of a half list becomes a row of several columns, and an int32_t indexes
// the columns.
static inline int32_t neighbours_most(bool full) { return full ? INT32_MAX - 1 : INT32_MAX / 8; }

// Fills in the cells, `count` and `sorted`; finds no neighbours.
pl_result neighbours_sort(neighbour_list *l, memory *m, const neighbour_query *q, const parallel *threads);
// Builds the whole list.
pl_result neighbours_build(neighbour_list *l, memory *m, const neighbour_query *q, const parallel *threads);
void neighbours_free(neighbour_list *l, memory *m);

// Reserves memory for a list of `sorted_count` sorted indices and `pairs` entries that is copied from another backend.
pl_result neighbours_reserve(neighbour_list *l, memory *m, int64_t sorted_count, int64_t pairs);

// Error messages of every backend for particles that cannot be sorted into cells of this size. bits: of the cell
// coordinates.
pl_result neighbours_too_far(float cell);
pl_result neighbours_too_wide(const int *bits, float cell);
pl_result neighbours_too_many(bool full);
