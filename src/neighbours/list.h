// list.h: the answer to a neighbour_query on the CPU.
//
// Particles are sorted by (cell, slot), cells by z, then y, then x (neighbours/cells.h). A particle's index in that order is its place.
// The list is in compressed rows: the neighbours of place i are neighbour[start[i]] to neighbour[start[i + 1] - 1], all of them
// places, in ascending order. The list does not depend on the number of threads. The cells are bounded only by 21 bits an axis;
// beyond that a build fails with a message. A list that outgrows its memory is searched again with more, so none is ever cut short.
#pragma once
#include "neighbours/cells.h"
#include "core/radix_sort.h"
#include "core/memory.h"
#include "neighbours/query.h"

typedef struct neighbour_list
{
    // the particles, by place
    int32_t count;
    sortable_items sorted; // key: cell, value: slot
    float *spot;           // 4 floats: position, own reach
    // the rows
    int32_t *start;     // count + 1
    int32_t *neighbour; // places
    int32_t *owner;     // half lists: for each entry the place whose row it is in, always less than `neighbour`
    int64_t pairs;      // entries

    float cell;     // side of a cell
    int32_t low[3]; // the least cell, less one
    int bits[3];    // of a cell's coordinates, counted from `low`

    // scratch
    int32_t *part;  // for each part of the places: bounds of its cells, then its number of entries
    int32_t *found; // for each part `room` entries
    int64_t room;   // entries of a part
    bool fits;      // no part has more
    int64_t sorted_capacity[SORTABLE_ARRAYS], spot_capacity, start_capacity, owner_capacity, neighbour_capacity,
        part_capacity, found_capacity;
} neighbour_list;

// Entries of a list, at the most. Those of a half list become rows of several columns that an int32_t counts.
static inline int32_t neighbours_most(bool full) { return full ? INT32_MAX - 1 : INT32_MAX / 8; }

// Finds cells, `count` and `sorted`, and no neighbours.
pl_result neighbours_sort(neighbour_list *l, memory *m, const neighbour_query *q, const parallel *hands);
pl_result neighbours_build(neighbour_list *l, memory *m, const neighbour_query *q, const parallel *hands);
void neighbours_free(neighbour_list *l, memory *m);

// Room for a list of so many places and entries that is copied from another backend.
pl_result neighbours_reserve(neighbour_list *l, memory *m, int64_t places, int64_t pairs);

// Why particles cannot be sorted into cells of this size; for every backend. bits: of a cell's coordinates.
pl_result neighbours_too_far(float cell);
pl_result neighbours_too_wide(const int *bits, float cell);
pl_result neighbours_too_many(bool full);
