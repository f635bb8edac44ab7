// contact_blocks.cu: turns pairs into rows, in the order of (colour, block, pair), as neighbours/contact/pairs.c does.
// The CPU puts 16 blocks side by side for its lanes; here blocks follow each other. Multipliers are carried over from
// the old list (carry_multipliers.cu). Pairs are sorted by block as particles are sorted by cell (neighbour_cells.h).
#include "backend/cuda/prefix_sums.h"

#include "neighbours/cells.h"
#include "stages/contact_stages.h"

// ---- carried multipliers -------------------------------------------------------------------------------------------

static __device__ __forceinline__ const float4 *find_carried(const list_arrays &l, int32_t slot, int32_t other)
{
    for (int32_t i = l.carry_first[slot], last = i + l.carry_count[slot]; i < last; i++)
        if (l.carry_other[i] == other)
            return l.carry_lambda + i;
    return NULL;
}

// Gives unused entries behind the pairs the largest key, so that they are sorted last.
static __global__ void close_block_keys(const __grid_constant__ list_arrays l)
{
    wait_for_previous_kernel();
    if (halted(l))
        return;
    EACH(int32_t, k, l.pair_room - l.search->pairs)
    {
        put_block_key(l, l.block_in, l.search->pairs + k, ~(uint64_t)0);
        l.order_in[l.search->pairs + k] = 0;
    }
}

// ---- blocks --------------------------------------------------------------------------------------------------------

static __global__ void find_heads(const __grid_constant__ list_arrays l)
{
    wait_for_previous_kernel();
    if (halted(l))
        return;
    EACH(int32_t, q, l.pair_room)
    l.head[q] = q < l.search->pairs && (q == 0 || block_key_at(l, q) != block_key_at(l, q - 1));
}

static __global__ void find_blocks(const __grid_constant__ list_arrays l)
{
    wait_for_previous_kernel();
    if (halted(l))
        return;
    const int *bits = l.search->bits;
    int colour_at = bits[0] + bits[1] + bits[2];
    int32_t *colour_block = l.ranges, pairs = l.search->pairs;
    if (pairs == 0 && first_item() <= PAIR_COLOURS)
        colour_block[first_item()] = 0;
    EACH(int32_t, q, pairs)
    {
        int colour = (int)(block_key_at(l, q) >> colour_at),
            before = q ? (int)(block_key_at(l, q - 1) >> colour_at) : -1;
        int32_t block = l.block_of[q] - 1;
        l.row_of[l.order[q]] = q;
        if (l.head[q])
        {
            l.block_start[block] = q;
            for (int c = before + 1; c <= colour; c++)
                colour_block[c] = block;
        }
        if (q == pairs - 1)
        {
            l.block_start[block + 1] = pairs;
            for (int c = colour + 1; c <= PAIR_COLOURS; c++)
                colour_block[c] = block + 1;
        }
    }
}

// Prefix sum over the blocks: finds the first row of each block, numbers the blocks that have pairs, and finds the
// range of these of each colour.
struct block_sum
{
    list_arrays l;
    const int32_t *count;
    __device__ __forceinline__ int64_t size() const
    {
        return halted(l) ? 0 : PAIR_COLOURS * (int64_t)blocks_of_colour(l.search);
    }
    __device__ __forceinline__ void put(int32_t k, tally before, int32_t here, bool last) const
    {
        int32_t colour = blocks_of_colour(l.search);
        int32_t row = (int32_t)before, block = (int32_t)(before >> 32);
        if (here)
            l.block_first[k] = l.block_start[block] = row;
        if (k % colour == 0)
            l.ranges[k / colour] = block;
        if (last)
        {
            block += here > 0;
            l.block_start[block] = row + here;
            l.ranges[PAIR_COLOURS] = block;
        }
        look_crowded(l, here);
    }
    // A range without pairs may be skipped, unless a colour begins in it or it is the last.
    __device__ __forceinline__ bool skips(int64_t from, int64_t to) const
    {
        int64_t colour = blocks_of_colour(l.search);
        return from % colour != 0 && from / colour == (to - 1) / colour && to < size();
    }
};

static __global__ void enter_blocks(const __grid_constant__ list_arrays l)
{
    wait_for_previous_kernel();
    if (halted(l) || tell_crowded(l))
        return;
    EACH(int32_t, p, l.search->pairs)
    l.order[l.block_first[block_at(l, p)] + l.order_in[p]] = p;
}

// A pair's row. A block has few pairs, so each pair counts those before it. If the pairs were sorted by key, the row is
// known.
static __device__ __forceinline__ int32_t row_at(const list_arrays &l, int32_t p)
{
    if (l.crowded)
        return l.row_of[p];
    int32_t block = block_at(l, p), first = l.block_first[block], last = first + l.block_count[block], row = first;
    for (int32_t k = first; k < last; k++)
        row += l.order[k] < p;
    return l.row_of[p] = row;
}

// ---- rows ----------------------------------------------------------------------------------------------------------

static __device__ __forceinline__ void put_friction(const list_arrays &l, size_t row, int a, int b)
{
    material_values g = material_lookup(&l.materials, a, b);
    float left = rolling_share(g.rolling);
    l.pairs.stick[row] = g.stick * left, l.pairs.slide[row] = g.slide * left, l.pairs.bounce[row] = g.bounce;
}

// Writes the rows, pair after pair in the order of the sorted indices, so that reads are close together and only the
// writes are scattered. A particle's entries begin with the rows that it owns; the rows of other owners are appended in
// no fixed order (order_entries sorts them).
static __global__ void put_pairs(const __grid_constant__ state s, const __grid_constant__ list_arrays l)
{
    wait_for_previous_kernel();
    if (halted(l))
        return;
    const float *collision = s.slot[SLOT_COLLISION];
    const int32_t *start = l.start + l.items + 1;
    int32_t pairs = l.search->pairs;
    EACH(int32_t, i, l.handoff ? PAIR_COLOURS * l.slots : 0) // cleared here, filled by note_dependencies
    l.first_end[i] = INT32_MAX, l.colours[i / PAIR_COLOURS] = 0;
    EACH(int32_t, p, pairs)
    {
        int32_t q = row_at(l, p), i = l.owner[p], j = l.neighbour[p];
        size_t row = (size_t)q;
        int32_t a = l.value[i], b = l.value[j];
        l.entry[start[i] - pairs + p - l.start[i]] = 2 * q;
        l.entry[start[j] - pairs + l.start[j + 1] - l.start[j] + atomicAdd(l.cursor + j, 1)] = 2 * q + 1;
        l.pairs.index[0][row] = 4 * (uint32_t)a;
        l.pairs.index[1][row] = 4 * (uint32_t)b;
        l.pairs.reach[row] = l.sphere[i].w + l.sphere[j].w;
        if (!l.one_material)
            put_friction(l, row, material_of(collision, a), material_of(collision, b));
        float sign = 1.0f; // the tangential multiplier is relative to the first particle
        const float4 *old = find_carried(l, a, b);
        if (!old)
        {
            old = find_carried(l, b, a);
            sign = -1.0f;
        }
        float4 none = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        bool lasts = old && (s.contact.bouncy || old->x > 0.0f); // without restitution there are no impacts
        ((float4 *)l.pairs.lambda[0])[row] =
            lasts ? make_float4(old->x, sign * old->y, sign * old->z, sign * old->w) : none;
    }
    if (l.one_material && first_item() == 0 && l.items)
    {
        int m = material_of(collision, l.collider[0]);
        put_friction(l, 0, m, m);
    }
}

// Sorts each particle's entries by row: they were written in no fixed order. One warp per particle: each lane counts
// the entries that are less than its own.
static __global__ void __launch_bounds__(WIDE) order_entries(const __grid_constant__ list_arrays l)
{
    wait_for_previous_kernel();
    if (halted(l))
        return;
    const int32_t *start = l.start + l.items + 1;
    int32_t pairs = l.search->pairs;
#if defined(__CUDA_ARCH__)
    const int lanes = 32, lane = (int)(threadIdx.x & 31);
#else
    const int lanes = 1, lane = 0;
#endif
    for (int64_t i = first_item() / lanes; i < l.items; i += all_items() / lanes)
    {
        int32_t *list = l.entry + (start[i] - pairs), count = start[i + 1] - start[i];
        if (count > lanes && lane == 0)
            for (int32_t k = 1; k < count; k++)
            {
                int32_t e = list[k], at = k;
                for (; at > 0 && list[at - 1] > e; at--)
                    list[at] = list[at - 1];
                list[at] = e;
            }
#if defined(__CUDA_ARCH__)
        if (count > lanes)
            continue;
        int32_t mine = lane < count ? list[lane] : INT32_MAX, before = 0;
        for (int k = 0; k < count; k++)
            before += __shfl_sync(0xffffffffu, mine, k) < mine;
        __syncwarp();
        if (lane < count)
            list[before] = mine;
#endif
    }
}

// ---- search --------------------------------------------------------------------------------------------------------

static bool sort_crowded(device *d, cudaStream_t stream, int64_t pairs, device_error *why)
{
    const list_arrays &l = d->lists;
    return start(why, stream, true, pairs, WIDE, 0, close_block_keys, l) && sort_blocks(d, stream, why) &&
           start(why, stream, true, pairs, WIDE, 0, find_heads, l) &&
           sum_through(d, stream, l.head, l.block_of, l.pair_room, why) &&
           start(why, stream, true, pairs, WIDE, 0, find_blocks, l);
}

bool search_pairs(device *d, cudaStream_t stream, bool resume, device_error *why)
{
    const list_arrays &l = d->lists;
    const state &s = d->captured;
    if (!find_neighbours(d, stream, resume, why))
        return false;
    if (!l.items)
        return true;
    int64_t pairs = spread(d, l.pair_room);
    if (l.crowded ? !sort_crowded(d, stream, pairs, why)
                  : !sum_all(stream, block_sum{l, l.block_count}, table_room(l), l.stretch, why) ||
                        !start(why, stream, true, pairs, WIDE, 0, enter_blocks, l))
        return false;
    return start(why, stream, true, pairs, WIDE, 0, put_pairs, s, l) && note_dependencies(d, stream, why) &&
           start(why, stream, true, spread(d, 32 * (int64_t)l.items), WIDE, 0, order_entries, l);
}
