// neighbours.h: the neighbour search on the device (neighbours/query.h). It makes a list for any Client
// (neighbour_cells.h) as the CPU does (neighbours/search.c):
//
//   sort by cells (neighbour_cells.h) -> count neighbours -> prefix sums -> fill
//
// A transposed list keeps what was stored while neighbours were counted (packed_neighbours in model/state.h); only the
// neighbours beyond that are filled in.
//
// Only integers decide the order, sorts are stable, and concurrent threads write to different addresses, so the list
// equals the CPU's entry for entry. Memory is allocated beforehand; a list that does not fit sets `trouble`, and the
// kernels that follow do nothing.
#pragma once
#include "backend/cuda/neighbour_cells.h"

enum
{
    ROWS_APART = 1 << 15,  // with fewer particles, each lane searches one row of cells
    FILL_ROOM = 16 * WIDE, // entries that a thread block collects in shared memory before it writes them
    AT_ONCE = 4,           // candidates
};

template <class Client> struct rows_of
{
    // The rows of cells that are searched: from FIRST to CELL_ROWS - 1.
    static constexpr int FIRST = Client::FULL ? 1 - CELL_ROWS : 0;
    static constexpr int COUNT = CELL_ROWS - FIRST;
    static constexpr int WIDTH = Client::FULL ? 16 : 8; // lanes for the rows: a power of two
};

template <class Client> static __device__ __forceinline__ uint64_t middle_of(const int *bits, uint64_t key, int row)
{
    return Client::FULL ? row_key_around(bits, key, row) : row_key(bits, key, row);
}

// The range of sorted indices to search for each row of cells, for all sorted indices of a thread block together: these
// lie close to each other.
template <class Client> struct row_ranges
{
    int32_t from[rows_of<Client>::COUNT], to[rows_of<Client>::COUNT];
};

template <class Client>
static __device__ __forceinline__ void all_ranges(const neighbour_arrays &l, row_ranges<Client> *out)
{
    for (int k = 0; k < rows_of<Client>::COUNT; k++)
        out->from[k] = 0, out->to[k] = l.items;
}

template <class Client>
static __device__ __forceinline__ void narrow(const neighbour_arrays &l, int32_t first, int32_t last,
                                              row_ranges<Client> *out)
{
#if defined(__CUDA_ARCH__)
    constexpr int COUNT = rows_of<Client>::COUNT;
    __syncthreads();
    if (threadIdx.x < 2 * COUNT)
    {
        int k = (int)threadIdx.x % COUNT, row = rows_of<Client>::FIRST + k;
        bool end = threadIdx.x >= COUNT;
        uint64_t middle = middle_of<Client>(l.search->bits, l.key[end ? last : first], row);
        (end ? out->to : out->from)[k] = first_key(l.key, 0, l.items, middle - 1);
    }
    __syncthreads();
#else
    (void)first, (void)last;
    all_ranges<Client>(l, out);
#endif
}

// Calls look(j, end) for the sorted indices in a row of cells, in order; in a half list only for those after sorted
// index i. A call is for AT_ONCE of them, but none from `end` on.
template <class Client, class Look>
static __device__ __forceinline__ void each_in_row(const neighbour_arrays &l, const row_ranges<Client> &near, int32_t i,
                                                   int row, Look look)
{
    uint64_t middle = middle_of<Client>(l.search->bits, l.key[i], row);
    bool later = !Client::FULL && row == 0;
    if (l.crowded)
    {
        int k = row - rows_of<Client>::FIRST;
        int32_t j = later ? i + 1 : first_key(l.key, near.from[k], near.to[k], middle - 1);
        for (; j < l.items && l.key[j] <= middle + 1; j++)
            look(j, j + 1);
        return;
    }
    // The particles of three cells in a row lie side by side.
    const int32_t number = cell_number(l.search, middle), *count = l.cell_count + number;
    int32_t before = later ? 0 : count[-1], here = count[0], after = count[1];
    if (before + here + after == 0)
        return;
    int32_t first = l.cell_first[before ? number - 1 : here ? number : number + 1], end = first + before + here + after;
    for (int32_t j = later ? i + 1 : first; j < end; j += AT_ONCE)
        look(j, end);
}

// Calls found(j) for the neighbours of sorted index i in the CPU's order: row by row, each from its beginning.
template <class Client, class Found>
static __device__ __forceinline__ void each_neighbour(const Client &c, const row_ranges<Client> &near, int32_t i,
                                                      int from_row, int to_row, Found found)
{
    const neighbour_arrays &l = c.list();
    const neighbour_query ask = c.query();
    float4 me = l.sphere[i];
    float reach = me.w + ask.margin;
    if (me.x == HIDDEN_AT)
        return;
    // Four candidates are read at once: what is found is written, and no read of a later one could pass that.
    for (int row = from_row; row < to_row; row++)
        each_in_row<Client>(l, near, i, row, [&](int32_t j, int32_t end) {
            float4 you[AT_ONCE];
            for (int k = 0; k < AT_ONCE; k++)
                you[k] = l.sphere[j + k < end ? j + k : j];
            for (int k = 0; k < AT_ONCE; k++)
                if (j + k < end && spheres_near(&me.x, &you[k].x, reach) && (!Client::FULL || j + k != i) &&
                    (!neighbours_paired(&ask) || neighbours_allowed(&ask, l.value[i], l.value[j + k])))
                    found(j + k);
        });
}

// ---- counting ------------------------------------------------------------------------------------------------------

template <class Client>
static __device__ __forceinline__ void note_found(const neighbour_arrays &l, int32_t i, int32_t k, int32_t j)
{
    if (k < l.notes && Client::TRANSPOSED)
        l.found[4 * ((size_t)(k / 4) * (size_t)l.items + (size_t)i) + (size_t)(k % 4)] = j;
    else if (k < l.notes)
        l.found[(size_t)k * (size_t)l.items + (size_t)i] = j;
    if (!Client::FULL)
        atomicAdd(l.count + l.items + 1 + j, 1);
}

template <class Client>
static __device__ __forceinline__ void note_count(const neighbour_arrays &l, int32_t i, int32_t found)
{
    if (Client::TRANSPOSED)
        l.many[i] = found;
    l.count[i] = Client::TRANSPOSED ? (found > l.notes ? found - l.notes : 0) : found;
    if (!Client::FULL)
        atomicAdd(l.count + l.items + 1 + i, found);
}

// Collects the neighbours of a particle in a transposed list, to write four at once.
struct four_found
{
    int4 last; // the last four, the latest in w

    __device__ __forceinline__ void add(const neighbour_arrays &l, int32_t i, int32_t k, int32_t j)
    {
        last = make_int4(last.y, last.z, last.w, j);
        if (k % 4 == 3 && k < l.notes)
            ((int4 *)l.found)[(size_t)(k / 4) * (size_t)l.items + (size_t)i] = last;
    }
    // The last ones, of `found` in all.
    __device__ __forceinline__ void end(const neighbour_arrays &l, int32_t i, int32_t found)
    {
        int left = found % 4;
        for (int k = left; k < 4 && left; k++)
            last = make_int4(last.y, last.z, last.w, 0);
        if (left && found < l.notes)
            ((int4 *)l.found)[(size_t)(found / 4) * (size_t)l.items + (size_t)i] = last;
    }
};

// Counts neighbours: a thread searches all rows of cells around one particle.
template <class Client> static __global__ void __launch_bounds__(WIDE) count_pairs(const __grid_constant__ Client c)
{
    wait_for_previous_kernel();
    __shared__ row_ranges<Client> near;
    const neighbour_arrays &l = c.list();
    if (halted(l))
        return;
    for (int64_t base = (int64_t)blockIdx.x * blockDim.x; base < l.items; base += all_items())
    {
        int64_t last = base + blockDim.x < l.items ? base + blockDim.x : l.items;
        int32_t i = (int32_t)(base + threadIdx.x), found = 0;
        if (l.crowded)
            narrow<Client>(l, (int32_t)base, (int32_t)last - 1, &near);
        if (i >= last)
            continue;
        four_found four = {};
        each_neighbour(c, near, i, rows_of<Client>::FIRST, CELL_ROWS, [&](int32_t j) {
            if (Client::TRANSPOSED)
                four.add(l, i, found++, j);
            else
                note_found<Client>(l, i, found++, j);
        });
        if (Client::TRANSPOSED)
            four.end(l, i, found);
        note_count<Client>(l, i, found);
    }
}

// Counts neighbours where there are few particles: a lane searches one row of cells, once to count, and once more
// to store what it finds after the counts of the rows before are known.
template <class Client> static __global__ void __launch_bounds__(WIDE) count_rows(const __grid_constant__ Client c)
{
    wait_for_previous_kernel();
    constexpr int ROW_LANES = rows_of<Client>::WIDTH, COUNT = rows_of<Client>::COUNT;
    const row_ranges<Client> none = {};
    const neighbour_arrays &l = c.list();
    int lane = (int)threadIdx.x % ROW_LANES, row = rows_of<Client>::FIRST + lane;
    if (halted(l))
        return;
    for (int64_t base = 0; base < l.items; base += all_items() / ROW_LANES)
    {
        int64_t sorted_index = base + first_item() / ROW_LANES;
        bool mine = sorted_index < l.items;
        int32_t i = mine ? (int32_t)sorted_index : 0, found = 0, all = 0, before = 0;
        int last = mine && lane < COUNT ? row + 1 : row;
        each_neighbour(c, none, i, row, last, [&](int32_t) { found++; });
        for (int k = 0; k < COUNT; k++)
        {
            int32_t other = __shfl_sync(0xffffffffu, found, k, ROW_LANES);
            before += k < lane ? other : 0;
            all += other;
        }
        each_neighbour(c, none, i, row, last, [&](int32_t j) { note_found<Client>(l, i, before++, j); });
        if (mine && lane == 0)
            note_count<Client>(l, i, all);
    }
}

// Prefix sums (prefix_sums.h) that find where each row of the list begins.
struct start_sum
{
    neighbour_arrays l;
    const int32_t *count;
    int64_t sums;
    __device__ __forceinline__ int64_t size() const { return halted(l) ? 0 : sums; }
    __device__ __forceinline__ void put(int32_t k, tally before, int32_t here, bool) const
    {
        uint32_t from = (uint32_t)before, many = (uint32_t)INT32_MAX;
        l.start[k] = (int32_t)from;
        if (k < l.items && from <= many &&
            from + (uint32_t)here > many) // the sum exceeds INT32_MAX at exactly one index
            l.noted[NOTED_MANY] = 1;
    }
    __device__ __forceinline__ bool skips(int64_t, int64_t) const { return false; }
};

// ---- filling -------------------------------------------------------------------------------------------------------

// Checks whether the list fits; if not, sets `trouble`. Every thread computes the same result.
static __device__ __forceinline__ bool size_pairs(const neighbour_arrays &l)
{
    int32_t pairs = l.noted[NOTED_MANY] ? -1 : l.start[l.items];
    bool fits = pairs >= 0 && pairs <= l.pair_room;
    if (first_item() == 0)
    {
        l.search->pairs = pairs;
        if (!fits)
            l.search->trouble = LISTS_SHORT;
    }
    return fits;
}

template <class Client>
static __device__ __forceinline__ void put_found(const Client &c, int32_t p, int32_t i, int32_t j)
{
    const neighbour_arrays &l = c.list();
    if (!Client::FULL)
        l.owner[p] = i;
    l.neighbour[p] = j;
    c.put(p, i, j);
}

// A thread block collects the entries of its sorted indices in shared memory and writes them side by side. A sorted
// index with more neighbours than were stored while counting searches for them again.
template <class Client> static __global__ void __launch_bounds__(WIDE) fill_pairs(const __grid_constant__ Client c)
{
    wait_for_previous_kernel();
    __shared__ int32_t other[FILL_ROOM];
    __shared__ uint8_t one[FILL_ROOM];
    const neighbour_arrays &l = c.list();
    if (halted(l) || !size_pairs(l))
        return;
    for (int64_t base = (int64_t)blockIdx.x * blockDim.x; base < l.items; base += all_items())
    {
        int64_t last = base + blockDim.x < l.items ? base + blockDim.x : l.items;
        int32_t i = (int32_t)(base + threadIdx.x), from = l.start[base], all = l.start[last] - from;
        bool near_by = all <= FILL_ROOM;
        int32_t first = i < last ? l.start[i] : 0, count = i < last ? l.start[i + 1] - first : 0;
        auto put = [&](int32_t p, int32_t j) {
            if (near_by)
                other[p - from] = j, one[p - from] = (uint8_t)threadIdx.x;
            else
                put_found(c, p, i, j);
        };
        for (int32_t k = 0; k < count && count <= l.notes; k++)
            put(first + k, l.found[(size_t)k * (size_t)l.items + (size_t)i]);
        if (count > l.notes)
        {
            row_ranges<Client> whole;
            all_ranges<Client>(l, &whole);
            int32_t p = first;
            each_neighbour(c, whole, i, rows_of<Client>::FIRST, CELL_ROWS, [&](int32_t j) { put(p++, j); });
        }
        __syncthreads();
        for (int32_t k = (int32_t)threadIdx.x; near_by && k < all; k += (int32_t)blockDim.x)
            put_found(c, from + k, (int32_t)base + one[k], other[k]);
        __syncthreads();
    }
}

// The same for a transposed list: searches again for the particles with more neighbours than were stored.
template <class Client> static __global__ void __launch_bounds__(WIDE) fill_rest(const __grid_constant__ Client c)
{
    wait_for_previous_kernel();
    const neighbour_arrays &l = c.list();
    if (halted(l) || !size_pairs(l) || l.start[l.items] == 0)
        return;
    row_ranges<Client> whole;
    all_ranges<Client>(l, &whole);
    EACH(int32_t, i, l.items)
    if (l.count[i])
    {
        int32_t k = -l.notes, first = l.start[i];
        each_neighbour(c, whole, i, rows_of<Client>::FIRST, CELL_ROWS, [&](int32_t j) {
            if (k >= 0)
                l.neighbour[first + k] = j;
            k++;
        });
    }
}

// ---- launches ------------------------------------------------------------------------------------------------------

// Launches the whole search. open_cells must have run before. items: the number of threads that the client's open()
// needs. scratch: memory for CUB.
template <class Client>
static bool make_neighbours(device *d, const Client &c, int64_t items, region scratch, cudaStream_t stream,
                            device_error *why)
{
    const neighbour_arrays &l = c.list();
    if (!sort_by_cell(d, c, items, scratch, stream, why))
        return false;
    bool few = !l.crowded && l.items < ROWS_APART;
    int64_t sums = (Client::FULL ? 1 : 2) * ((int64_t)l.items + 1), lanes = few ? rows_of<Client>::WIDTH : 1;
    return !l.items ||
           (start(why, stream, true, lanes * l.items, WIDE, 0, few ? count_rows<Client> : count_pairs<Client>, c) &&
            sum_all(stream, start_sum{l, l.count, sums}, sums, l.stretch, why) &&
            start(why, stream, true, l.items, WIDE, 0, Client::TRANSPOSED ? fill_rest<Client> : fill_pairs<Client>, c));
}
