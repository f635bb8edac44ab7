// surface_pack.cu: packs the pairs of surfaces into rows, in the order of (colour, block, pair), like
// neighbours/surface/surface_pack.c. A CPU puts blocks side by side for its lanes; here they follow each other.
#include "backend/cuda/device_internal.h"
#include "backend/cuda/surface_internal.h"

#include "core/radix_sort.h"
#include "stages/contact_stages.h"

// ---- cells ---------------------------------------------------------------------------------------------------------

static __global__ void open_cells(const __grid_constant__ surface_arrays k)
{
    k.now->widest = k.thickness;
    for (int c = 0; c < 3; c++)
        k.now->low[c] = INT32_MAX, k.now->high[c] = INT32_MIN;
}

static __device__ __forceinline__ void corners_of(const surface_arrays &k, int32_t i, int32_t *corner)
{
    pair_corners(k.triangle, k.edge, k.pull, &k.pair[i], corner);
}

// Finds the largest width of a pair: the size of the cells depends on it.
static __global__ void find_widest(const __grid_constant__ state s, const __grid_constant__ surface_arrays k)
{
    if (halted(k))
        return;
    float widest = 0.0f;
    EACH(int32_t, i, k.now->pairs)
    {
        int32_t corner[4];
        corners_of(k, i, corner);
        float width = pair_width(s.slot[SLOT_SURFACE], corner);
        widest = width > widest ? width : widest;
    }
    if (widest > *(volatile float *)&k.now->widest)
        raise_to(&k.now->widest, widest);
}

static __global__ void find_surface_cells(const __grid_constant__ state s, const __grid_constant__ surface_arrays k)
{
    if (halted(k))
        return;
    double inverse = 1.0 / (double)surface_cell_size(k.now->widest);
    EACH(int32_t, i, k.vertices + k.particles)
    {
        size_t slot = (size_t)(i < k.vertices ? k.vertex[i] : k.particle[i - k.vertices]);
        if (i >= k.vertices && !at_surface(s, (int32_t)slot))
            continue;
        for (size_t c = 0; c < 3; c++)
        {
            int32_t cell = cell_at(s.slot[SLOT_SURFACE][4 * slot + c], inverse);
            k.cell[3 * slot + c] = cell;
            if (cell < *(volatile int32_t *)&k.now->low[c])
                atomicMin(&k.now->low[c], cell);
            if (cell > *(volatile int32_t *)&k.now->high[c])
                atomicMax(&k.now->high[c], cell);
        }
    }
}

// Finds the bits of the cell keys, and whether they fit.
static __global__ void measure_surface_cells(const __grid_constant__ surface_arrays k)
{
    if (halted(k))
        return;
    surface_now *now = k.now;
    int bits = 0;
    for (int c = 0; c < 3; c++)
    {
        bits += now->bits[c] = cell_bits((int64_t)now->high[c] - now->low[c]);
        if (now->high[c] == CELL_MOST)
            now->trouble = SURFACE_FAR;
    }
    if (halted(k))
        return;
    if (bits > KEY_BITS)
        now->trouble = SURFACE_FAR;
    else if (bits > k.key_bits)
        now->trouble = SURFACE_SHORT;
}

// Unused keys sort last. Each corner of a pair also makes an entry, with its slot as the key.
static __global__ void make_surface_keys(const __grid_constant__ surface_arrays k)
{
    if (halted(k))
        return;
    EACH(int32_t, i, k.room)
    {
        bool there = i < k.now->pairs;
        int32_t corner[4] = {k.slots, k.slots, k.slots, k.slots};
        if (there)
            corners_of(k, i, corner);
        k.key_in[i] = there ? surface_block_key(k.cell, corner, k.now->low, k.now->bits) : ~(uint64_t)0;
        k.order_in[i] = i;
        for (int c = 0; c < 4; c++)
        {
            k.entry_key_in[4 * (size_t)i + c] = (uint64_t)corner[c];
            k.entry_in[4 * (size_t)i + c] = 4 * i + c;
        }
    }
}

// ---- blocks --------------------------------------------------------------------------------------------------------

// Marks the first pair of each block.
static __global__ void find_surface_heads(const __grid_constant__ surface_arrays k)
{
    if (halted(k))
        return;
    EACH(int32_t, q, k.room)
    k.head[q] = q < k.now->pairs && (q == 0 || k.key[q] != k.key[q - 1]);
}

// Finds the first row of each block and the first block of each colour.
static __global__ void find_surface_blocks(const __grid_constant__ surface_arrays k)
{
    if (halted(k))
        return;
    const int *bits = k.now->bits;
    int colour_at = bits[0] + bits[1] + bits[2];
    int32_t pairs = k.now->pairs;
    if (pairs == 0 && first_item() <= PAIR_COLOURS)
        k.ranges[first_item()] = 0;
    EACH(int32_t, q, pairs)
    {
        int colour = (int)(k.key[q] >> colour_at), before = q ? (int)(k.key[q - 1] >> colour_at) : -1;
        int32_t block = k.block_of[q] - 1;
        if (k.head[q])
        {
            k.block_start[block] = q;
            for (int c = before + 1; c <= colour; c++)
                k.ranges[c] = block;
        }
        if (q == pairs - 1)
        {
            k.block_start[block + 1] = pairs;
            for (int c = colour + 1; c <= PAIR_COLOURS; c++)
                k.ranges[c] = block + 1;
        }
    }
}

// ---- rows ----------------------------------------------------------------------------------------------------------

static __device__ __forceinline__ float4 find_carried(const surface_arrays &k, const surface_pair &p)
{
    int32_t key = p.mode == SURFACE_VERTEX ? p.a : k.slots + p.a;
    for (int32_t i = k.carry_first[key], last = i + k.carry_count[key]; i < last; i++)
        if (k.carry_other[i] == p.b)
            return k.carry_lambda[i];
    return make_float4(0.0f, 0.0f, 0.0f, 0.0f);
}

static __device__ __forceinline__ void put_nothing(const packed_surface &r, size_t row)
{
    r.reach[row] = r.gap[row] = r.stick[row] = r.slide[row] = r.bounce[row] = 0.0f;
    for (int c = 0; c < 3; c++)
        r.normal[c][row] = 0.0f;
    for (int c = 0; c < 4; c++)
        r.weight[c][row] = 0.0f;
    r.aim[row] = CONTACT_NOTHING;
    r.limit[row] = SURFACE_FREE;
    ((float4 *)r.lambda[0])[row] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
}

static __device__ __forceinline__ void put_pull(const packed_surface &r, size_t row, const surface_pull &pull)
{
    r.weight[0][row] = 1.0f;
    for (int c = 0; c < 3; c++)
    {
        r.normal[c][row] = pull.normal[c];
        r.weight[1 + c][row] = -pull.weight[c];
    }
}

static __global__ void put_surface(const __grid_constant__ state s, const __grid_constant__ surface_arrays k,
                                   const material_table materials)
{
    if (halted(k))
        return;
    const packed_surface &r = k.rows;
    const float *particle = s.slot[SLOT_COLLISION];
    EACH(int32_t, q, k.now->pairs)
    {
        size_t row = (size_t)q;
        int32_t i = k.order[q], corner[4];
        surface_pair p = k.pair[i];
        corners_of(k, i, corner);
        k.row_of[i] = q;
        put_nothing(r, row);
        for (int c = 0; c < 4; c++)
            r.index[c][row] = 4 * (uint32_t)corner[c];
        r.mode[row] = (float)(p.off ? (int)SURFACE_NOTHING : p.mode);
        r.reach[row] = p.reach;
        if (p.mode == SURFACE_UNTANGLE)
            put_pull(r, row, k.pull[p.b]);
        if (p.mode > SURFACE_EDGES || p.off)
            continue;
        material_values friction =
            material_lookup(&materials, material_of(particle, corner[0]), material_of(particle, corner[3]));
        r.stick[row] = friction.stick;
        r.slide[row] = friction.slide;
        r.bounce[row] = friction.bounce;
        ((float4 *)r.lambda[0])[row] = find_carried(k, p);
    }
}

// Lists the rows of each slot in the order of the pairs: the entries are sorted by slot, and the sort is stable.
static __global__ void list_by_slot(const __grid_constant__ surface_arrays k)
{
    if (halted(k))
        return;
    int32_t entries = 4 * k.now->pairs;
    EACH(int32_t, e, entries)
    k.rows.slot_entry[e] = 4 * k.row_of[k.entry[e] >> 2] + (k.entry[e] & 3);
    EACH(int32_t, slot, k.slots + 1)
    {
        int32_t low = 0, high = entries;
        while (low < high)
        {
            int32_t middle = low + (high - low) / 2;
            if (k.entry_key[middle] < (uint64_t)slot)
                low = middle + 1;
            else
                high = middle;
        }
        k.rows.slot_start[slot] = low;
    }
}

static __global__ void close_rows(const __grid_constant__ surface_arrays k)
{
    if (halted(k))
        return;
    k.now->listed = 1;
    k.now->carried = 0;
}

static int slot_bits(int32_t slots)
{
    int bits = 1;
    while (slots >> bits)
        bits++;
    return bits;
}

bool pack_surface(device *d, cudaStream_t stream, device_error *why)
{
    const surface_arrays &k = d->surfaces;
    const state &s = d->captured;
    int64_t pairs = spread(d, k.room), corners = spread(d, (int64_t)k.vertices + k.particles);
    if (!start(why, stream, false, 1, 1, 0, open_cells, k) ||
        !start(why, stream, false, pairs, WIDE, 0, find_widest, s, k) ||
        !start(why, stream, false, corners, WIDE, 0, find_surface_cells, s, k) ||
        !start(why, stream, false, 1, 1, 0, measure_surface_cells, k) ||
        !start(why, stream, false, pairs, WIDE, 0, make_surface_keys, k) ||
        !sort_items(d, stream, k.key_in, k.key, k.order_in, k.order, k.room, k.key_bits + 3, why) ||
        !start(why, stream, false, pairs, WIDE, 0, find_surface_heads, k) ||
        !sum_through(d, stream, k.head, k.block_of, k.room, why))
        return false;
    return start(why, stream, false, pairs, WIDE, 0, find_surface_blocks, k) &&
           start(why, stream, false, pairs, WIDE, 0, put_surface, s, k, d->lists.materials) &&
           sort_items(d, stream, k.entry_key_in, k.entry_key, k.entry_in, k.entry, 4 * k.room, slot_bits(k.slots),
                      why) &&
           start(why, stream, false, spread(d, 4 * (int64_t)k.room), WIDE, 0, list_by_slot, k) &&
           start(why, stream, false, 1, 1, 0, close_rows, k);
}
