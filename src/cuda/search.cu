// search.cu: who is near whom, found on the device as the CPU finds it (collide/grid.c):
//
//   bounds -> cells, sort -> count neighbours, scan, fill; then blocks.cu
//
// Integers alone decide every order, sorts are stable, and what threads do at once does not touch: the lists are the CPU's, pair for
// pair. Room is fixed beforehand; a list that does not fit sets `trouble`, and whatever follows does nothing.
#include "cuda/inside.h"

#include "collide/cells.h"
#include "collide/crowd.h"
#include "stages/contact_items.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

// ---- cells ---------------------------------------------------------------------------------------------------------

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

// Where everybody is now becomes the place from which they are followed; the least and the greatest cell.
static __global__ void find_bounds(const __grid_constant__ state s, const __grid_constant__ list_arrays l, bool resume)
{
    const float4 *x = (const float4 *)s.slot[SLOT_X];
    float4 *build = (float4 *)s.slot[SLOT_BUILD];
    __shared__ int32_t block_low[3], block_high[3]; // a block's first, so that few meet at one address
    if (threadIdx.x < 3)
        block_low[threadIdx.x] = INT32_MAX, block_high[threadIdx.x] = INT32_MIN;
    __syncthreads();
    int32_t low[3] = {INT32_MAX, INT32_MAX, INT32_MAX}, high[3] = {INT32_MIN, INT32_MIN, INT32_MIN};
    if (!resume)
        EACH(int32_t, i, s.slots)
    build[i] = x[i];
    const float *from = s.slot[resume ? SLOT_BUILD : SLOT_X];
    EACH(int32_t, i, l.colliders)
    {
        for (int a = 0; a < 3; a++)
        {
            int32_t cell = cell_at(from[4 * (size_t)l.collider[i] + a], l.now->inverse);
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
        atomicMin(&l.now->low[threadIdx.x], block_low[threadIdx.x]);
        atomicMax(&l.now->high[threadIdx.x], block_high[threadIdx.x]);
    }
}

// The multipliers are carried by now.
static __global__ void open_cells(const __grid_constant__ list_arrays l)
{
    list_now *now = l.now;
    now->carried = 1;
    now->inverse = 1.0 / (double)cell_size(l.radius, now->margin);
    for (int a = 0; a < 3; a++)
        now->low[a] = INT32_MAX, now->high[a] = INT32_MIN;
}

static __global__ void measure_cells(const __grid_constant__ list_arrays l)
{
    list_now *now = l.now;
    int bits = 0;
    for (int a = 0; a < 3; a++)
    {
        if (now->high[a] == CELL_MOST)
        {
            now->trouble = LISTS_FAR;
            return;
        }
        now->low[a] -= 1;
        bits += now->bits[a] = cell_bits((int64_t)now->high[a] - now->low[a] + 1);
    }
    if (bits > l.key_bits)
        now->trouble = LISTS_SHORT;
}

static __global__ void make_keys(const __grid_constant__ state s, const __grid_constant__ list_arrays l)
{
    if (halted(l))
        return;
    const list_now *now = l.now;
    EACH(int32_t, i, l.colliders)
    {
        const float *x = s.slot[SLOT_BUILD] + 4 * (size_t)l.collider[i];
        int32_t cell[3];
        for (int a = 0; a < 3; a++)
            cell[a] = cell_at(x[a], now->inverse) - now->low[a];
        l.key_in[i] = key_of_cell(cell, now->bits);
        l.value_in[i] = l.collider[i];
    }
}

static __global__ void copy_spots(const __grid_constant__ state s, const __grid_constant__ list_arrays l)
{
    if (halted(l))
        return;
    EACH(int32_t, i, l.colliders)
    {
        const float *x = s.slot[SLOT_BUILD] + 4 * (size_t)l.value[i];
        l.spot[i] = make_float4(x[0], x[1], x[2], s.slot[SLOT_GRAIN][4 * (size_t)l.value[i]]);
        l.cursor[i] = 0;
    }
    EACH(int32_t, k, 2 * (l.colliders + 1))
    l.count[k] = 0;
}

// ---- neighbours ----------------------------------------------------------------------------------------------------

static __device__ __forceinline__ int32_t lower_bound(const uint64_t *key, int32_t low, int32_t high, uint64_t wanted)
{
    while (low < high)
    {
        int32_t middle = low + (high - low) / 2;
        if (key[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

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
        int32_t at = lower_bound(l.key, 0, l.colliders, row_key(l.now->bits, l.key[end ? last : first], row) - 1);
        (end ? out->to : out->from)[row] = at;
    }
    __syncthreads();
#else
    (void)first, (void)last;
    for (int row = 0; row < CELL_ROWS; row++)
        out->from[row] = 0, out->to[row] = l.colliders;
#endif
}

// The neighbours of a particle that come after it, in the CPU's order: row by row, each from its beginning.
template <class Found>
static __device__ __forceinline__ void each_neighbour(const state &s, const list_arrays &l, const stretches &near,
                                                      int32_t i, Found found)
{
    crowd c = {s.slot[SLOT_BUILD], s.slot[SLOT_GRAIN], s.slot[SLOT_REST], NULL, l.colliders, l.radius, l.now->margin};
    float4 me = l.spot[i];
    float reach = me.w + c.margin;
    for (int row = 0; row < CELL_ROWS; row++)
    {
        uint64_t middle = row_key(l.now->bits, l.key[i], row);
        int32_t j = row == 0 ? i + 1 : lower_bound(l.key, near.from[row], near.to[row], middle - 1);
        for (; j < l.colliders && l.key[j] <= middle + 1; j++)
        {
            float4 you = l.spot[j];
            if (spots_near(&me.x, &you.x, reach) && may_touch(&c, l.value[i], l.value[j]))
                found(j);
        }
    }
}

template <class Visit> static __device__ __forceinline__ void each_place(const list_arrays &l, Visit visit)
{
    __shared__ stretches near;
    for (int64_t base = (int64_t)blockIdx.x * blockDim.x; base < l.colliders; base += all_items())
    {
        int64_t last = base + blockDim.x < l.colliders ? base + blockDim.x : l.colliders;
        narrow(l, (int32_t)base, (int32_t)last - 1, &near);
        if (base + threadIdx.x < last)
            visit((int32_t)(base + threadIdx.x), near);
    }
}

static __global__ void __launch_bounds__(WIDE)
    count_pairs(const __grid_constant__ state s, const __grid_constant__ list_arrays l)
{
    if (halted(l))
        return;
    each_place(l, [&](int32_t i, const stretches &near) {
        int32_t found = 0;
        each_neighbour(s, l, near, i, [&](int32_t j) {
            if (found < FOUND_AT_ONCE)
                l.found[(size_t)found * (size_t)l.colliders + (size_t)i] = j;
            found++;
            atomicAdd(l.count + l.colliders + 1 + j, 1);
        });
        l.count[i] = found;
        atomicAdd(l.count + l.colliders + 1 + i, found);
    });
}

static __global__ void size_pairs(const __grid_constant__ list_arrays l)
{
    if (halted(l))
        return;
    l.now->pairs = l.first[l.colliders];
    if (l.now->pairs < 0 || l.now->pairs > l.pair_room)
        l.now->trouble = LISTS_SHORT;
}

enum
{
    FILL_ROOM = 16 * WIDE, // pairs of a block's places that are put side by side before they are written
};

static __device__ __forceinline__ void put_found(const list_arrays &l, int32_t p, int32_t i, int32_t j)
{
    l.one[p] = i;
    l.other[p] = j;
    l.order_in[p] = p;
    put_block_key(l, l.block_in, p, block_key(l.key[i], l.key[j], l.now->bits));
}

// A block writes the pairs of its places side by side. Who has more neighbours than were noted looks for them once more.
static __global__ void __launch_bounds__(WIDE)
    fill_pairs(const __grid_constant__ state s, const __grid_constant__ list_arrays l)
{
    __shared__ int32_t other[FILL_ROOM];
    __shared__ uint8_t one[FILL_ROOM];
    if (halted(l))
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
            each_neighbour(s, l, whole, i, [&](int32_t j) {
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

bool sort_items(device *d, cudaStream_t stream, const uint64_t *key, uint64_t *key_out, const int32_t *value,
                int32_t *value_out, int32_t count, int bits, device_error *why)
{
    size_t bytes = d->scratch_bytes;
    TRY(cub::DeviceRadixSort::SortPairs(d->scratch, bytes, key, key_out, value, value_out, count, 0, bits, stream),
        "sorting");
    return true;
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
    int64_t most = s.slots > l.colliders ? s.slots : l.colliders, places = spread(d, l.colliders);
    // Bounds are joined by whole warps.
    if (!start(why, stream, false, 1, 1, 0, open_cells, l) ||
        !start(why, stream, false, spread(d, most), WIDE, 0, find_bounds, s, l, resume))
        return false;
    return !l.colliders || (start(why, stream, false, 1, 1, 0, measure_cells, l) &&
                            start(why, stream, false, places, WIDE, 0, make_keys, s, l) &&
                            sort_items(d, stream, l.key_in, l.key, l.value_in, l.value, l.colliders, l.key_bits, why) &&
                            start(why, stream, false, places, WIDE, 0, copy_spots, s, l) &&
                            start(why, stream, false, l.colliders, WIDE, 0, count_pairs, s, l) &&
                            sum_up(d, stream, l.count, l.first, 2 * (l.colliders + 1), why) &&
                            start(why, stream, false, 1, 1, 0, size_pairs, l) &&
                            start(why, stream, false, l.colliders, WIDE, 0, fill_pairs, s, l));
}
