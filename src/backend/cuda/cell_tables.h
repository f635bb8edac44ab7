// cell_tables.h: counting tables for cells and blocks of cells, numbered in the order of their keys. They are filled
// while lists are made (neighbour_cells.h, contact_blocks.cu). If a cell or a block holds too many items, the items are
// sorted by key instead.
#pragma once
#include "backend/cuda/device_internal.h"

// Size of the counting tables of cells and of blocks; 0 if the items are sorted by key instead.
static __host__ __device__ __forceinline__ int64_t table_room(const neighbour_arrays &l)
{
    return l.crowded ? 0 : l.table;
}

// Clears the counters of a search. All threads of a kernel before the search call it.
static __device__ __forceinline__ void open_cells(const neighbour_arrays &l)
{
    EACH(int64_t, k, table_room(l) / 4)
    ((int4 *)l.cell_count)[k] = make_int4(0, 0, 0, 0);
    EACH(int32_t, i, 6)
    l.bounds[i] = i < 3 ? INT32_MAX : INT32_MIN;
    EACH(int32_t, i, LIST_NOTES)
    l.noted[i] = 0;
}

// Cells along an axis, including one empty cell on either side.
static __device__ __forceinline__ int32_t cells_along(const neighbour_state *now, int axis)
{
    return now->high[axis] - now->low[axis] + 2;
}

// Number of a cell from its key: in the order of the keys, without gaps.
static __device__ __forceinline__ int32_t cell_number(const neighbour_state *now, uint64_t key)
{
    int32_t x = (int32_t)(key & (((uint64_t)1 << now->bits[0]) - 1));
    int32_t y = (int32_t)(key >> now->bits[0] & (((uint64_t)1 << now->bits[1]) - 1));
    int32_t z = (int32_t)(key >> (now->bits[0] + now->bits[1]));
    return (z * cells_along(now, 1) + y) * cells_along(now, 0) + x;
}

static __device__ __forceinline__ int32_t blocks_of_colour(const neighbour_state *now)
{
    int32_t all = 1;
    for (int a = 0; a < 3; a++)
        all *= (cells_along(now, a) + 1) / 2;
    return all;
}

// Notes that a cell or a block holds too many items to be counted (more than crowd_limit): the host then has them
// sorted by key. The kernel that sees it only notes it, and the next kernel sets `trouble`, so that no kernel sees
// `trouble` change while it runs.
static __device__ __forceinline__ void look_crowded(const neighbour_arrays &l, int32_t count)
{
    if (count > l.crowd_limit)
        l.noted[NOTED_CROWDED] = 1;
}

static __device__ __forceinline__ bool tell_crowded(const neighbour_arrays &l)
{
    if (!l.noted[NOTED_CROWDED])
        return false;
    l.search->crowded = 1;
    l.search->trouble = LISTS_SHORT;
    return true;
}

// Number of a block among all blocks, in the order of the keys.
static __device__ __forceinline__ int32_t block_number(uint64_t key, const neighbour_state *now)
{
    const int *bits = now->bits;
    int32_t x = (int32_t)(key & (((uint64_t)1 << bits[0]) - 1));
    int32_t y = (int32_t)(key >> bits[0] & (((uint64_t)1 << bits[1]) - 1));
    uint64_t above = key >> (bits[0] + bits[1]);
    int32_t z = (int32_t)(above & (((uint64_t)1 << bits[2]) - 1)), colour = (int32_t)(above >> bits[2]);
    int32_t row = (cells_along(now, 0) + 1) / 2, layer = (cells_along(now, 1) + 1) / 2;
    return colour * blocks_of_colour(now) + (z * layer + y) * row + x;
}

static __device__ __forceinline__ int32_t block_at(const list_arrays &l, int32_t p)
{
    return ((const int32_t *)l.block_in)[p];
}

static __device__ __forceinline__ void enter_block(const list_arrays &l, int32_t p, int32_t block)
{
    ((int32_t *)l.block_in)[p] = block;
    l.order_in[p] = atomicAdd(l.block_count + block, 1);
}

// Block keys are stored in 32 bits where that is enough.
static __device__ __forceinline__ void put_block_key(const list_arrays &l, uint64_t *to, int32_t p, uint64_t key)
{
    if (l.key_bits + 3 > 32)
        to[p] = key;
    else
        ((uint32_t *)to)[p] = (uint32_t)key;
}

static __device__ __forceinline__ uint64_t block_key_at(const list_arrays &l, int32_t q)
{
    return l.key_bits + 3 > 32 ? l.block[q] : ((const uint32_t *)l.block)[q];
}
