// neighbour_arrays.h: the answer to a neighbour_query on the device (neighbours/query.h), and what its search needs there. A client's
// arrays begin with these. The list is the CPU's (neighbours/list.h), entry for entry: the same places, rows and order.
#pragma once
#include "backend/cuda/device.h"

#include <cuda_runtime.h>

// While a list is made: noted by one kernel, acted on by the next.
enum list_note
{
    NOTED_COLLIDERS,      // a cell or a block has too many to be counted
    NOTED_MANY,           // there are more entries than an int32_t counts
    NOTED_SHAPE_CONTACTS, // contacts with shapes do not fit
    LIST_NOTES,
};

struct neighbour_arrays
{
    neighbour_state *search; // how the search went
    int32_t items;           // particles that are asked for
    // by place: sorted by cells
    uint64_t *key_in, *key;
    int32_t *value_in, *value; // value: slots
    float4 *spot;              // position, own reach
    int32_t *count,
        *start;     // entries of each row, and where the rows begin: items + 1. Half lists: then the same for all
                    // entries that name a place, as owner or as neighbour
    int32_t *found; // the first `notes` neighbours of each place, noted while they are counted: the first of all
                    // places, then the second ...
    int32_t notes;
    int32_t key_bits; // that are sorted
    // cells that are counted
    int32_t
        crowded; // 1: some cells hold many, or there are too many cells: particles are sorted by bits of their keys instead
    int32_t collider_set;             // what is many
    int32_t table;                    // cells that there is memory for
    int32_t *bounds;                  // of cells: three least, three greatest
    int32_t *noted;                   // list_note
    int32_t *cell_count, *cell_first; // for each cell: how many particles, and the first place
    int32_t *arrived;                 // cell by cell, in the order in which threads came
    unsigned long long *stretch;      // prefix_sums.h
    // rows
    int32_t pair_room;          // entries that there is memory for
    int32_t *owner, *neighbour; // places; owner: half lists only
};
