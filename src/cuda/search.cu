// search.cu: who is near whom, found on the device as the CPU finds it (collide/grid.c):
//
//   sort by cells (cells.cu) -> count neighbours, sum up, fill; then blocks.cu
//
// Integers alone decide every order, sorts are stable, and what threads do at once does not touch: the lists are the CPU's, pair for
// pair. Room is fixed beforehand; a list that does not fit sets `trouble`, and whatever follows does nothing.
#include "cuda/sums.h"

#include "collide/cells.h"
#include "neighbours/query.h"
#include "stages/contact_items.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

// ---- neighbours ----------------------------------------------------------------------------------------------------

enum
{
    ROW_LANES = 8, // CELL_ROWS of them look
    ROWS_APART = 1 << 15,
};

// Where the rows of cells begin that a block's particles look at: they lie close together, so the block narrows them down first.
struct stretches
{
    int32_t from[CELL_ROWS], to[CELL_ROWS];
};

static __device__ __forceinline__ void narrow(const list_arrays &l, int32_t first, int32_t last, stretches *out)
{
#if defined(__CUDA_ARCH__)
    __syncthreads();
    if (threadIdx.x < 2 * CELL_ROWS)
    {
        int row = (int)threadIdx.x % CELL_ROWS;
        bool end = threadIdx.x >= CELL_ROWS;
        int32_t at = first_key(l.key, 0, l.colliders, row_key(l.now->bits, l.key[end ? last : first], row) - 1);
        (end ? out->to : out->from)[row] = at;
    }
    __syncthreads();
#else
    (void)first, (void)last;
    for (int row = 0; row < CELL_ROWS; row++)
        out->from[row] = 0, out->to[row] = l.colliders;
#endif
}

// The places of a row of cells that come after a place, in their order.
template <class Look>
static __device__ __forceinline__ void each_in_row(const list_arrays &l, const stretches &near, int32_t i, int row,
                                                   Look look)
{
    uint64_t middle = row_key(l.now->bits, l.key[i], row);
    if (l.crowded)
    {
        int32_t j = row == 0 ? i + 1 : first_key(l.key, near.from[row], near.to[row], middle - 1);
        for (; j < l.colliders && l.key[j] <= middle + 1; j++)
            look(j);
        return;
    }
    int32_t number = cell_number(l.now, middle);
    for (int32_t cell = row == 0 ? number : number - 1; cell <= number + 1; cell++)
    {
        int32_t count = l.cell_count[cell], first = count ? l.cell_first[cell] : 0;
        for (int32_t j = row == 0 && cell == number ? i + 1 : first; j < first + count; j++)
            look(j);
    }
}

// The neighbours of a particle that come after it, in the CPU's order: row by row, each from its beginning.
template <class Found>
static __device__ __forceinline__ void each_neighbour(const state &s, const list_arrays &l, const stretches &near,
                                                      int32_t i, int from_row, int to_row, Found found)
{
    neighbour_query c = {s.slot[SLOT_BUILD], s.slot[SLOT_GRAIN], s.slot[SLOT_REST],  NULL, l.colliders, 1.0f,
                         l.radius,           l.now->margin,      NEIGHBOURS_CONTACT, 0};
    float4 me = l.spot[i];
    float reach = me.w + c.margin;
    for (int row = from_row; row < to_row; row++)
        each_in_row(l, near, i, row, [&](int32_t j) {
            float4 you = l.spot[j];
            if (spots_near(&me.x, &you.x, reach) && neighbours_allowed(&c, l.value[i], l.value[j]))
                found(j);
        });
}

static __device__ __forceinline__ void note_found(const list_arrays &l, int32_t i, int32_t k, int32_t j)
{
    if (k < FOUND_AT_ONCE)
        l.found[(size_t)k * (size_t)l.colliders + (size_t)i] = j;
    atomicAdd(l.count + l.colliders + 1 + j, 1);
}

static __device__ __forceinline__ void note_count(const list_arrays &l, int32_t i, int32_t found)
{
    l.count[i] = found;
    atomicAdd(l.count + l.colliders + 1 + i, found);
}

// A thread looks at all rows of a place.
static __global__ void __launch_bounds__(WIDE)
    count_pairs(const __grid_constant__ state s, const __grid_constant__ list_arrays l)
{
    fall_in();
    __shared__ stretches near;
    if (halted(l))
        return;
    for (int64_t base = (int64_t)blockIdx.x * blockDim.x; base < l.colliders; base += all_items())
    {
        int64_t last = base + blockDim.x < l.colliders ? base + blockDim.x : l.colliders;
        int32_t i = (int32_t)(base + threadIdx.x), found = 0;
        if (l.crowded)
            narrow(l, (int32_t)base, (int32_t)last - 1, &near);
        if (i >= last)
            continue;
        each_neighbour(s, l, near, i, 0, CELL_ROWS, [&](int32_t j) { note_found(l, i, found++, j); });
        note_count(l, i, found);
    }
}

// Where there are few places, a lane looks at a row: once to count, and once more when it knows what comes before.
static __global__ void __launch_bounds__(WIDE)
    count_rows(const __grid_constant__ state s, const __grid_constant__ list_arrays l)
{
    fall_in();
    const stretches none = {};
    int row = (int)threadIdx.x % ROW_LANES;
    if (halted(l))
        return;
    for (int64_t base = 0; base < l.colliders; base += all_items() / ROW_LANES)
    {
        int64_t place = base + first_item() / ROW_LANES;
        bool mine = place < l.colliders;
        int32_t i = mine ? (int32_t)place : 0, found = 0, all = 0, before = 0;
        int last = mine && row < CELL_ROWS ? row + 1 : row;
        each_neighbour(s, l, none, i, row, last, [&](int32_t) { found++; });
        for (int k = 0; k < CELL_ROWS; k++)
        {
            int32_t other = __shfl_sync(0xffffffffu, found, k, ROW_LANES);
            before += k < row ? other : 0;
            all += other;
        }
        each_neighbour(s, l, none, i, row, last, [&](int32_t j) { note_found(l, i, before++, j); });
        if (mine && row == 0)
            note_count(l, i, all);
    }
}

struct first_sum
{
    list_arrays l;
    const int32_t *count;
    __device__ __forceinline__ int64_t size() const { return halted(l) ? 0 : 2 * ((int64_t)l.colliders + 1); }
    __device__ __forceinline__ void put(int32_t k, tally before, int32_t, bool) const { l.first[k] = (int32_t)before; }
    __device__ __forceinline__ bool skips(int64_t, int64_t) const { return false; }
};

// A list that does not fit sets `trouble`: all threads find that out for themselves.
static __device__ __forceinline__ bool size_pairs(const list_arrays &l)
{
    int32_t pairs = l.first[l.colliders];
    bool fits = pairs >= 0 && pairs <= l.pair_room;
    if (first_item() == 0)
    {
        l.now->pairs = pairs;
        if (!fits)
            l.now->trouble = LISTS_SHORT;
    }
    return fits;
}

enum
{
    FILL_ROOM = 16 * WIDE, // pairs of a block's places that are put side by side before they are written
};

static __device__ __forceinline__ void put_found(const list_arrays &l, int32_t p, int32_t i, int32_t j)
{
    uint64_t key = block_key(l.key[i], l.key[j], l.now->bits);
    l.one[p] = i;
    l.other[p] = j;
    if (l.crowded)
        put_block_key(l, l.block_in, p, key), l.order_in[p] = p;
    else
        enter_block(l, p, block_number(key, l.now));
}

// A block writes the pairs of its places side by side. Who has more neighbours than were noted looks for them once more.
static __global__ void __launch_bounds__(WIDE)
    fill_pairs(const __grid_constant__ state s, const __grid_constant__ list_arrays l)
{
    fall_in();
    __shared__ int32_t other[FILL_ROOM];
    __shared__ uint8_t one[FILL_ROOM];
    if (halted(l) || !size_pairs(l))
        return;
    for (int64_t base = (int64_t)blockIdx.x * blockDim.x; base < l.colliders; base += all_items())
    {
        int64_t last = base + blockDim.x < l.colliders ? base + blockDim.x : l.colliders;
        int32_t i = (int32_t)(base + threadIdx.x), from = l.first[base], all = l.first[last] - from;
        bool near_by = all <= FILL_ROOM;
        int32_t first = i < last ? l.first[i] : 0, count = i < last ? l.first[i + 1] - first : 0;
        for (int32_t k = 0; k < count && count <= FOUND_AT_ONCE; k++)
        {
            int32_t j = l.found[(size_t)k * (size_t)l.colliders + (size_t)i];
            if (near_by)
                other[first - from + k] = j, one[first - from + k] = (uint8_t)threadIdx.x;
            else
                put_found(l, first + k, i, j);
        }
        if (count > FOUND_AT_ONCE)
        {
            stretches whole;
            for (int row = 0; row < CELL_ROWS; row++)
                whole.from[row] = 0, whole.to[row] = l.colliders;
            int32_t k = first;
            each_neighbour(s, l, whole, i, 0, CELL_ROWS, [&](int32_t j) {
                if (near_by)
                    other[k - from] = j, one[k - from] = (uint8_t)threadIdx.x;
                else
                    put_found(l, k, i, j);
                k++;
            });
        }
        __syncthreads();
        for (int32_t k = (int32_t)threadIdx.x; near_by && k < all; k += (int32_t)blockDim.x)
            put_found(l, from + k, (int32_t)base + one[k], other[k]);
        __syncthreads();
    }
}

// ---- all of it -----------------------------------------------------------------------------------------------------

bool sort_blocks(device *d, cudaStream_t stream, device_error *why)
{
    const list_arrays &l = d->lists;
    size_t bytes = d->scratch_bytes;
    if (l.key_bits + 3 > 32)
        return sort_items(d, stream, l.block_in, l.block, l.order_in, l.order, l.pair_room, l.key_bits + 3, why);
    TRY(cub::DeviceRadixSort::SortPairs(d->scratch, bytes, (const uint32_t *)l.block_in, (uint32_t *)l.block,
                                        l.order_in, l.order, l.pair_room, 0, l.key_bits + 3, stream),
        "sorting");
    return true;
}

bool sort_within(region scratch, cudaStream_t stream, const uint64_t *key, uint64_t *key_out, const int32_t *value,
                 int32_t *value_out, int32_t count, int bits, device_error *why)
{
    TRY(cub::DeviceRadixSort::SortPairs(scratch.at, scratch.bytes, key, key_out, value, value_out, count, 0, bits,
                                        stream),
        "sorting");
    return true;
}

bool sort_items(device *d, cudaStream_t stream, const uint64_t *key, uint64_t *key_out, const int32_t *value,
                int32_t *value_out, int32_t count, int bits, device_error *why)
{
    region scratch = {(char *)d->scratch, d->scratch_bytes};
    return sort_within(scratch, stream, key, key_out, value, value_out, count, bits, why);
}

size_t scratch_for(int32_t colliders, int32_t pairs, int32_t slots)
{
    size_t most = 0, bytes = 0;
    const uint64_t *key = NULL;
    uint64_t *keys = NULL;
    const int32_t *value = NULL;
    int32_t *values = NULL, all = pairs > colliders ? pairs : colliders, scans = all + all / 4;
    scans = scans > 2 * colliders + 2 ? scans : 2 * colliders + 2;
    scans = scans > slots + 1 ? scans : slots + 1;
    cub::DeviceRadixSort::SortPairs(NULL, bytes, key, keys, value, values, all, 0, 64);
    most = bytes;
    cub::DeviceScan::ExclusiveSum(NULL, bytes, value, values, scans);
    most = bytes > most ? bytes : most;
    cub::DeviceScan::InclusiveSum(NULL, bytes, value, values, scans);
    return (bytes > most ? bytes : most) + 4096;
}

bool sum_through(device *d, cudaStream_t stream, const int32_t *from, int32_t *to, int32_t count, device_error *why)
{
    size_t bytes = d->scratch_bytes;
    TRY(cub::DeviceScan::InclusiveSum(d->scratch, bytes, from, to, count, stream), "summing");
    return true;
}

bool sum_up(device *d, cudaStream_t stream, const int32_t *from, int32_t *to, int32_t count, device_error *why)
{
    size_t bytes = d->scratch_bytes;
    TRY(cub::DeviceScan::ExclusiveSum(d->scratch, bytes, from, to, count, stream), "summing");
    return true;
}

bool find_neighbours(device *d, cudaStream_t stream, bool resume, device_error *why)
{
    const list_arrays &l = d->lists;
    const state &s = d->captured;
    if (!sort_places(d, stream, resume, why))
        return false;
    bool few = !l.crowded && l.colliders < ROWS_APART;
    return !l.colliders || (start(why, stream, true, (few ? ROW_LANES : 1) * (int64_t)l.colliders, WIDE, 0,
                                  few ? count_rows : count_pairs, s, l) &&
                            sum_all(stream, first_sum{l, l.count}, 2 * ((int64_t)l.colliders + 1), l.stretch, why) &&
                            start(why, stream, true, l.colliders, WIDE, 0, fill_pairs, s, l));
}
