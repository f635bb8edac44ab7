// neighbour_arrays.h: a neighbour list on the device, the answer to a neighbour_query (neighbours/query.h), with the
// arrays that its search needs. A client's own arrays derive from this struct. The list equals the CPU's
// (neighbours/list.h) entry for entry: the same sorted indices, rows and order.
#pragma once
#include "backend/cuda/device.h"

#include <cuda_runtime.h>

// Notes about a list under construction: written by one kernel, acted on by the next.
enum list_note
{
    NOTED_CROWDED,        // a cell or a block holds more than crowd_limit
    NOTED_MANY,           // there are more entries than an int32_t can count
    NOTED_SHAPE_CONTACTS, // the contacts with shapes do not fit
    LIST_NOTES,
};

struct neighbour_arrays
{
    neighbour_state *search; // result of the search
    int32_t items;           // particles in the query
    // by sorted index: the index of a particle in the order of (cell, slot)
    uint64_t *key_in, *key;
    int32_t *value_in, *value; // value: slots
    float4 *sphere;            // position, reach of the particle
    // The number of entries of each row, and where each row begins: items + 1 values. In half lists the same follows
    // for all entries that name a particle, as owner or as neighbour.
    int32_t *count, *start;
    // The first `notes` neighbours of each particle, stored while they are counted: the first neighbour of all
    // particles, then the second of all particles, and so on. In a transposed list, where they stay, the first four of
    // all particles, and so on; `many` is the number of neighbours of each particle, and count and start are of those
    // beyond `notes`, a multiple of four.
    int32_t *found, *many;
    int32_t notes;
    int32_t key_bits; // number of key bits that are sorted
    // counting sort by cells
    int32_t crowded; // 1: a cell holds too many particles, or there are too many cells: a radix sort is used instead
    int32_t crowd_limit;              // particles of a cell, or pairs of a block, above which it is crowded
    int32_t table;                    // capacity in cells
    int32_t *bounds;                  // of the occupied cells: three minima, three maxima
    int32_t *noted;                   // by list_note
    int32_t *cell_count, *cell_first; // for each cell: the number of its particles, and its first sorted index
    int32_t *arrived;                 // particles cell by cell, in the order in which the threads arrived
    unsigned long long *stretch;      // see prefix_sums.h
    // rows
    int32_t pair_room;          // capacity in entries
    int32_t *owner, *neighbour; // sorted indices; owner is used by half lists only
};
