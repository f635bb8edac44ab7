// neighbour_cells.h: the first half of the neighbour search on the device: sorts particles by (cell, slot), as
// neighbours/sort.c does:
//
//   bounds -> keys, particles of each cell -> first index of each cell -> enter particles into cells -> sorted indices
//
// Threads enter particles into a cell in any order. A cell holds few particles, so each particle then counts those that
// come before it: the order is that of a stable sort, whatever the order of the threads. Where a cell holds many, or
// there are too many cells to count (`crowded`), a radix sort of the keys is used.
//
// A Client is a struct of arguments that kernels take by value. It has these members:
//   FULL                    true for a full list
//   TRANSPOSED              true for a transposed list
//   list()                  its neighbour_arrays
//   query()                 the query, with device pointers; the list is made of these positions
//   moved_from()            positions for the bounds: the query's, or those that open() copies into the query's
//   slot(i)                 slot of particle i, in the order of the query
//   open()                  called by all threads of the first kernel
//   placed(n, i, slot)      called when the sorted index n of particle i is known
//   put(p, i, j)            called for each entry p, a pair of the sorted indices i and j
#pragma once
#include "backend/cuda/prefix_sums.h"

#include "neighbours/cells.h"
#include "core/radix_sort.h"
#include "neighbours/query.h"

// ---- bounds --------------------------------------------------------------------------------------------------------

static __device__ __forceinline__ void join_least(int32_t *to, int32_t a)
{
#if __CUDA_ARCH__ >= 800
    a = __reduce_min_sync(0xffffffffu, a);
    if ((threadIdx.x & 31) == 0)
#endif
        atomicMin(to, a);
}

static __device__ __forceinline__ void join_most(int32_t *to, int32_t a)
{
#if __CUDA_ARCH__ >= 800
    a = __reduce_max_sync(0xffffffffu, a);
    if ((threadIdx.x & 31) == 0)
#endif
        atomicMax(to, a);
}

// Finds the least and the greatest occupied cell along each axis. The bounds are reduced over warps, so whole warps
// must run.
template <class Client> static __global__ void find_bounds(const __grid_constant__ Client c)
{
    wait_for_previous_kernel();
    const neighbour_arrays &l = c.list();
    double inverse = 1.0 / (double)cell_size(c.query().reach, l.search->margin);
    if (first_item() == 0)
        l.search->inverse = inverse;
    __shared__ int32_t block_low[3], block_high[3]; // bounds of a block, to keep atomics on global memory few
    if (threadIdx.x < 3)
        block_low[threadIdx.x] = INT32_MAX, block_high[threadIdx.x] = INT32_MIN;
    __syncthreads();
    int32_t low[3] = {INT32_MAX, INT32_MAX, INT32_MAX}, high[3] = {INT32_MIN, INT32_MIN, INT32_MIN};
    c.open();
    const float *from = c.moved_from();
    EACH(int32_t, i, l.items)
    {
        for (int a = 0; a < 3; a++)
        {
            int32_t cell = cell_at(from[4 * (size_t)c.slot(i) + a], inverse);
            low[a] = cell < low[a] ? cell : low[a];
            high[a] = cell > high[a] ? cell : high[a];
        }
    }
    for (int a = 0; a < 3; a++)
    {
        join_least(&block_low[a], low[a]);
        join_most(&block_high[a], high[a]);
    }
    __syncthreads();
    if (threadIdx.x < 3)
    {
        atomicMin(l.bounds + threadIdx.x, block_low[threadIdx.x]);
        atomicMax(l.bounds + 3 + threadIdx.x, block_high[threadIdx.x]);
    }
}

// ---- keys ----------------------------------------------------------------------------------------------------------

// The box of all occupied cells, with a free layer on either side.
struct cell_box
{
    int32_t low[3];
    int bits[3], all;
    int64_t cells; // or blocks of cells, if there are more of these
    bool far, fits;
};

static __device__ __forceinline__ cell_box box_of(const neighbour_arrays &l)
{
    cell_box b = {};
    b.cells = 1;
    for (int a = 0; a < 3; a++)
    {
        int64_t along = (int64_t)l.bounds[3 + a] - l.bounds[a] + 3;
        b.far |= l.bounds[3 + a] == CELL_MOST;
        b.low[a] = l.bounds[a] - 1;
        b.all += b.bits[a] = cell_bits(along - 1);
        b.cells *= b.cells < (int64_t)1 << 40 ? (along + 1) / 2 * 2 : 1; // beyond 2^40 there are too many in any case
    }
    b.far |= b.all > KEY_BITS;
    b.fits = l.crowded ? b.all <= l.key_bits : b.cells <= l.table;
    return b;
}

static __device__ __forceinline__ void note_box(const neighbour_arrays &l, const cell_box &b)
{
    neighbour_state *s = l.search;
    for (int a = 0; a < 3; a++)
    {
        s->low[a] = b.low[a];
        s->high[a] = l.bounds[3 + a];
        s->bits[a] = b.bits[a];
    }
    s->cells = b.cells;
    if (b.far)
        s->trouble = LISTS_FAR;
    else if (!b.fits)
        s->trouble = LISTS_SHORT;
}

// Equals cell_number, which needs the box in neighbour_state; here the box is not yet stored.
static __device__ __forceinline__ int32_t number_in(const int32_t *cell, const int32_t *bounds)
{
    int32_t row = bounds[3] - bounds[0] + 3, layer = bounds[4] - bounds[1] + 3;
    return (cell[2] * layer + cell[1]) * row + cell[0];
}

// Computes the key of each particle's cell and counts the particles of each cell.
template <class Client> static __global__ void make_keys(const __grid_constant__ Client c)
{
    wait_for_previous_kernel();
    const neighbour_arrays &l = c.list();
    const float *x = c.query().x;
    cell_box b = box_of(l);
    if (first_item() == 0)
        note_box(l, b);
    if (b.far || !b.fits)
        return;
    EACH(int32_t, i, l.items)
    {
        const float *at = x + 4 * (size_t)c.slot(i);
        int32_t cell[3];
        for (int a = 0; a < 3; a++)
            cell[a] = cell_at(at[a], l.search->inverse) - b.low[a];
        l.key_in[i] = key_of_cell(cell, b.bits);
        l.value_in[i] = l.crowded ? i : atomicAdd(l.cell_count + number_in(cell, l.bounds), 1);
    }
}

// ---- sorted indices ------------------------------------------------------------------------------------------------

// Prefix sums (prefix_sums.h) that find the first sorted index of each cell.
struct cell_sum
{
    neighbour_arrays l;
    const int32_t *count;
    __device__ __forceinline__ int64_t size() const
    {
        const neighbour_state *s = l.search;
        return halted(l) ? 0 : (int64_t)cells_along(s, 0) * cells_along(s, 1) * cells_along(s, 2);
    }
    __device__ __forceinline__ void put(int32_t k, tally before, int32_t here, bool) const
    {
        if (here)
            l.cell_first[k] = (int32_t)before;
        look_crowded(l, here);
    }
    __device__ __forceinline__ bool skips(int64_t, int64_t) const { return true; }
};

// Enters the particles into their cells, in the order in which make_keys counted them.
static __global__ void enter_cells(const __grid_constant__ neighbour_arrays l)
{
    wait_for_previous_kernel();
    if (halted(l) || tell_crowded(l))
        return;
    EACH(int32_t, i, l.items)
    l.arrived[l.cell_first[cell_number(l.search, l.key_in[i])] + l.value_in[i]] = i;
}

// Returns the final sorted index of the particle at arrived[q], and stores its key there.
static __device__ __forceinline__ int32_t sorted_index_of(const neighbour_arrays &l, int32_t q)
{
    int32_t i = l.arrived[q], cell = cell_number(l.search, l.key_in[i]);
    int32_t first = l.cell_first[cell], last = first + l.cell_count[cell], sorted_index = first;
    for (int32_t k = first; k < last; k++)
        sorted_index += l.arrived[k] < i;
    l.key[sorted_index] = l.key_in[i];
    return sorted_index;
}

// Stores slot, position and reach at the final sorted index of each particle, and clears the counts of neighbours.
template <class Client> static __global__ void put_sorted(const __grid_constant__ Client c)
{
    wait_for_previous_kernel();
    const neighbour_arrays &l = c.list();
    if (halted(l))
        return;
    const neighbour_query ask = c.query();
    EACH(int32_t, q, l.items)
    {
        int32_t i = l.arrived[q], sorted_index = l.crowded ? q : sorted_index_of(l, q), slot = c.slot(i);
        const float *x = ask.x + 4 * (size_t)slot;
        l.value[sorted_index] = slot;
        float across = neighbours_hidden(&ask, slot) ? HIDDEN_AT : x[0];
        l.sphere[sorted_index] = make_float4(across, x[1], x[2], query_reach(&ask, slot));
        c.placed(sorted_index, i, slot);
    }
    EACH(int32_t, k, (Client::FULL ? 1 : 2) * (l.items + 1))
    l.count[k] = 0;
}

// Launches the sort. items: the number of threads that open() needs. scratch: memory for CUB.
template <class Client>
static bool sort_by_cell(device *d, const Client &c, int64_t items, region scratch, cudaStream_t stream,
                         device_error *why)
{
    const neighbour_arrays &l = c.list();
    int64_t most = items > l.items ? items : l.items, sorted_count = spread(d, l.items);
    if (!start(why, stream, true, spread(d, most), WIDE, 0, find_bounds<Client>, c))
        return false;
    if (!l.items)
        return true;
    if (!start(why, stream, true, sorted_count, WIDE, 0, make_keys<Client>, c))
        return false;
    if (l.crowded ? !sort_within(scratch, stream, l.key_in, l.key, l.value_in, l.arrived, l.items, l.key_bits, why)
                  : !sum_all(stream, cell_sum{l, l.cell_count}, table_room(l), l.stretch, why) ||
                        !start(why, stream, true, sorted_count, WIDE, 0, enter_cells, l))
        return false;
    return start(why, stream, true, sorted_count, WIDE, 0, put_sorted<Client>, c);
}
