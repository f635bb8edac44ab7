// solve_contacts.cu: solves the contact pairs, with one kernel for each colour. Blocks of a colour have no particle in
// common, so that their order is free. Inside a block, pairs are solved in the block's order, as on a CPU (visit_pairs
// in stages/contact_stages.h). Several lanes of a warp take a block: each holds one pair and what it reads, so that all
// loads of a block are in flight at once, and an inactive pair costs only its load.
#include "backend/cuda/contact_pair_rows.h"

enum
{
    PAIRS_CROWD = 5, // thread blocks per multiprocessor: the most without spilled registers
};

// Lanes: how many lanes of a warp take a block. All lanes of the warp iterate together.
template <int Lanes>
static __global__ void __launch_bounds__(PAIR_THREADS, PAIRS_CROWD)
    run_pairs(const __grid_constant__ state s, const __grid_constant__ list_arrays l,
              const __grid_constant__ launch_args g)
{
    __shared__ float4 rooms[2 * PAIR_THREADS];
    const int lane = (int)threadIdx.x % Lanes, first_lane = (int)(threadIdx.x & 31) / Lanes * Lanes;
    float4 *room = rooms + 2 * ((int)threadIdx.x - lane);
    const packed_pairs *p = &s.pairs;
    allow_next_kernel();
    bool active = substep_is_active(s.now, g); // if not, there may be no list
    int32_t begin = active ? g.range[0] : 0, end = active ? g.range[1] : 0;
    int32_t block = begin + (int32_t)(first_item() / Lanes), stride = (int32_t)(all_items() / Lanes);
    int32_t row = block < end ? l.block_start[block] : 0, last = block < end ? l.block_start[block + 1] : 0;
    held_pair mine;
    mine.open<Lanes>(l, row, last, lane);
    wait_for_previous_writes();
    stamp_time(g);
    active = substep_is_active(s.now, g);
    while (__any_sync(0xffffffffu, row < last))
    {
        size_t k = (size_t)(row + lane);
        mine.load(&s, p, k, lane, active, Lanes > 16 && last - row <= Lanes, room);
        __syncwarp();
        solve_in_order<Lanes, true>(&s, p, mine, k, first_lane, room);
        row += Lanes;
        if (!__any_sync(0xffffffffu, row < last))
        {
            block += stride;
            row = block < end ? l.block_start[block] : 0, last = block < end ? l.block_start[block + 1] : 0;
        }
        mine.open<Lanes>(l, row, last, lane);
    }
}

// Records the colours in which a particle has pairs, and its first end (2 * row + 0 or 1) in each
// (solve_contacts_one_kernel.cu).
static __device__ __forceinline__ void note_end(const list_arrays &l, uint32_t index, int colour, int32_t end)
{
    atomicOr(l.colours + index / 4, 1u << colour);
    atomicMin(l.first_end + (2 * (size_t)index + (size_t)colour), end);
}

// When the lists are made: finds the dependencies between the pairs of each block.
template <int Lanes>
static __global__ void __launch_bounds__(PAIR_THREADS) find_dependencies(const __grid_constant__ list_arrays l)
{
    wait_for_previous_kernel();
    const int lane = (int)threadIdx.x % Lanes;
    int32_t end = halted(l) ? 0 : l.ranges[PAIR_COLOURS], stride = (int32_t)(all_items() / Lanes);
    for (int32_t block = (int32_t)(first_item() / Lanes); __any_sync(0xffffffffu, block < end); block += stride)
    {
        int32_t row = block < end ? l.block_start[block] : 0, last = block < end ? l.block_start[block + 1] : 0;
        int colour = colour_of(l, block);
        for (; __any_sync(0xffffffffu, row < last); row += Lanes)
        {
            held_pair mine;
            mine.name(l, row, last, lane);
            mine.find_dependencies<Lanes>(row, last, lane);
            if (mine.mine)
                l.dependencies[row + lane] = make_int2((int)mine.before, mine.at_a | mine.at_b << 8);
            if (mine.mine && l.handoff && mine.at_a == 2 * lane)
                note_end(l, mine.ia, colour, 2 * (row + lane));
            if (mine.mine && l.handoff && mine.at_b == 2 * lane + 1)
                note_end(l, mine.ib, colour, 2 * (row + lane) + 1);
        }
    }
}

// Lanes per block. In a small scene idle lanes cost nothing; in a large one lanes must not wait for each other.
static int lanes_for(const list_arrays *l)
{
    int64_t blocks = (int64_t)l->pair_room / 48 + 64;
    if (debug->colour_lanes) // for tests; solve_contacts_one_kernel.cu is then not used
        return debug->colour_lanes >= 32 ? 32 : debug->colour_lanes >= 16 ? 16 : 4;
    return l->handoff || blocks < 4000 ? 32 : blocks < 60000 ? 16 : 4;
}

bool dependencies_listed(const list_arrays *l) { return lanes_for(l) >= DEPENDENCIES_LISTED; }

bool note_dependencies(device *d, cudaStream_t stream, device_error *why)
{
    const list_arrays &l = d->lists;
    return !dependencies_listed(&l) || start(why, stream, true, spread(d, l.pair_room), PAIR_THREADS, 0,
                                             lanes_for(&l) == 32 ? find_dependencies<32> : find_dependencies<16>, l);
}

bool launch_pairs(device *d, const launch_args *g, bool early, device_error *why)
{
    // Assumes colours of nearly equal size, and several pairs per block. Where that is wrong, a thread takes more than
    // one block.
    int64_t blocks = (int64_t)d->lists.pair_room / 48 + 64;
    if (contacts_are_oriented(d))
        return launch_oriented_pairs(d, g, early, why);
    if (g->op != OP_PAIRS)
        return launch_rows(d, g, early, why);
    int lanes = lanes_for(&d->lists);
    return start(why, d->stream, early, blocks * lanes, PAIR_THREADS, 0,
                 lanes == 32   ? run_pairs<32>
                 : lanes == 16 ? run_pairs<16>
                               : run_pairs<4>,
                 d->captured, d->lists, *g);
}
