// cells.cu: those that collide, sorted by their cells as the CPU sorts them (collide/grid.c):
//
//   bounds -> keys, how many are in each cell -> where each cell begins -> each into its cell, as they come -> each to its place
//
// A cell has a few: each counts who comes before it, so that the order is the one of a stable sort, whoever came first. Where a cell has
// many, or the cells are too many to be counted (`crowded`), they are sorted bit by bit.
#include "cuda/sums.h"

#include "collide/cells.h"

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
    fall_in();
    double inverse = 1.0 / (double)cell_size(l.radius, l.now->margin);
    if (first_item() == 0)
    {
        l.now->carried = 1; // the multipliers are, by now
        l.now->inverse = inverse;
    }
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
            int32_t cell = cell_at(from[4 * (size_t)l.collider[i] + a], inverse);
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

// The cells from the least to the greatest.
struct cell_box
{
    int32_t low[3];
    int bits[3], all;
    int64_t cells; // or blocks, if these are more
    bool far, fits;
};

static __device__ __forceinline__ cell_box box_of(const list_arrays &l)
{
    cell_box b = {};
    b.cells = 1;
    for (int a = 0; a < 3; a++)
    {
        int64_t along = (int64_t)l.bounds[3 + a] - l.bounds[a] + 3;
        b.far |= l.bounds[3 + a] == CELL_MOST;
        b.low[a] = l.bounds[a] - 1;
        b.all += b.bits[a] = cell_bits(along - 1);
        b.cells *= b.cells < (int64_t)1 << 40 ? (along + 1) / 2 * 2 : 1; // too many in any case
    }
    b.fits = l.crowded ? b.all <= l.key_bits : b.cells <= l.table;
    return b;
}

static __device__ __forceinline__ void note_box(const list_arrays &l, const cell_box &b)
{
    list_now *now = l.now;
    for (int a = 0; a < 3; a++)
    {
        now->low[a] = b.low[a];
        now->high[a] = l.bounds[3 + a];
        now->bits[a] = b.bits[a];
    }
    now->cells = b.cells;
    if (b.far)
        now->trouble = LISTS_FAR;
    else if (!b.fits)
        now->trouble = LISTS_SHORT;
}

// As cell_number finds it when the box has been noted.
static __device__ __forceinline__ int32_t number_in(const int32_t *cell, const int32_t *bounds)
{
    int32_t row = bounds[3] - bounds[0] + 3, layer = bounds[4] - bounds[1] + 3;
    return (cell[2] * layer + cell[1]) * row + cell[0];
}

static __global__ void make_keys(const __grid_constant__ state s, const __grid_constant__ list_arrays l)
{
    fall_in();
    cell_box b = box_of(l);
    if (first_item() == 0)
        note_box(l, b);
    if (b.far || !b.fits)
        return;
    EACH(int32_t, i, l.colliders)
    {
        const float *x = s.slot[SLOT_BUILD] + 4 * (size_t)l.collider[i];
        int32_t cell[3];
        for (int a = 0; a < 3; a++)
            cell[a] = cell_at(x[a], l.now->inverse) - b.low[a];
        uint64_t key = key_of_cell(cell, b.bits);
        l.key_in[i] = key;
        l.value_in[i] = l.crowded ? l.collider[i] : atomicAdd(l.cell_count + number_in(cell, l.bounds), 1);
    }
}

// ---- places --------------------------------------------------------------------------------------------------------

static __device__ __forceinline__ int64_t all_cells(const list_now *now)
{
    return (int64_t)cells_along(now, 0) * cells_along(now, 1) * cells_along(now, 2);
}

struct cell_sum
{
    list_arrays l;
    const int32_t *count;
    __device__ __forceinline__ int64_t size() const { return halted(l) ? 0 : all_cells(l.now); }
    __device__ __forceinline__ void put(int32_t k, tally before, int32_t here, bool) const
    {
        if (here)
            l.cell_first[k] = (int32_t)before;
        look_crowded(l, here);
    }
    __device__ __forceinline__ bool skips(int64_t, int64_t) const { return true; }
};

static __global__ void enter_cells(const __grid_constant__ list_arrays l)
{
    fall_in();
    if (halted(l) || tell_crowded(l))
        return;
    EACH(int32_t, i, l.colliders)
    l.arrived[l.cell_first[cell_number(l.now, l.key_in[i])] + l.value_in[i]] = i;
}

static __device__ __forceinline__ void put_place(const state &s, const list_arrays &l, int32_t place, int32_t slot)
{
    const float *x = s.slot[SLOT_BUILD] + 4 * (size_t)slot;
    l.spot[place] = make_float4(x[0], x[1], x[2], s.slot[SLOT_GRAIN][4 * (size_t)slot]);
    l.cursor[place] = 0;
    if (l.slots <= OWN_FEW)
        l.place_of[slot] = place;
}

static __global__ void put_places(const __grid_constant__ state s, const __grid_constant__ list_arrays l)
{
    fall_in();
    if (halted(l))
        return;
    EACH(int32_t, q, l.colliders)
    {
        if (!l.crowded)
        {
            int32_t i = l.arrived[q];
            uint64_t key = l.key_in[i];
            int32_t cell = cell_number(l.now, key);
            int32_t first = l.cell_first[cell], last = first + l.cell_count[cell], place = first;
            for (int32_t k = first; k < last; k++)
                place += l.arrived[k] < i;
            l.key[place] = key;
            l.value[place] = l.collider[i];
            put_place(s, l, place, l.collider[i]);
        }
        else
            put_place(s, l, q, l.value[q]);
    }
    EACH(int32_t, k, 2 * (l.colliders + 1))
    l.count[k] = 0;
}

bool sort_places(device *d, cudaStream_t stream, bool resume, device_error *why)
{
    const list_arrays &l = d->lists;
    const state &s = d->captured;
    int64_t most = s.slots > l.colliders ? s.slots : l.colliders, places = spread(d, l.colliders);
    // Bounds are joined by whole warps.
    if (!start(why, stream, true, spread(d, most), WIDE, 0, find_bounds, s, l, resume))
        return false;
    if (!l.colliders)
        return true;
    if (!start(why, stream, true, places, WIDE, 0, make_keys, s, l))
        return false;
    if (l.crowded ? !sort_items(d, stream, l.key_in, l.key, l.value_in, l.value, l.colliders, l.key_bits, why)
                  : !sum_all(stream, cell_sum{l, l.cell_count}, table_room(l), l.stretch, why) ||
                        !start(why, stream, true, places, WIDE, 0, enter_cells, l))
        return false;
    return start(why, stream, true, places, WIDE, 0, put_places, s, l);
}
