// solve_contacts_one_kernel.cu: solves all colours of pairs of a small scene in one kernel. Eight kernels in sequence
// cost more than the work itself. Also, a block need not wait for a whole colour, but only for the earlier blocks that
// share a particle with it.
//
// A particle is in at most one block of a colour, so its displacement passes from block to block in the order of the
// colours; `colours` says in which colours it is. Each block reads the displacements of its particles from where the
// previous blocks wrote them (`handoff`), solves its pairs (contact_pair.h), and writes the displacements there for the
// next block. The first block of a particle reads it from SLOT_D, and the last one writes it back there. A handoff
// holds the displacement and the number of blocks that have had it, in one access of 16 bytes, so that the two need no
// further memory ordering (handoff.h). Between two launches all these numbers are 0.
//
// Warps claim blocks in the order of the colours. So the first unfinished block has always been claimed and waits for
// no other block: the kernel terminates however few warps fit on the device.
#include "backend/cuda/handoff.h"
#include "backend/cuda/contact_pair.h"

enum
{
    ONE_KERNEL_LANES = 32, // one warp per block
    ONE_KERNEL_BLOCKS = PAIR_THREADS / ONE_KERNEL_LANES,
    // Largest capacity of pairs. Beyond it blocks would wait for free warps, which they do not with one kernel per
    // colour.
    ONE_KERNEL_PAIRS = 1 << 20,
    ONE_KERNEL_CROWD = 4, // thread blocks per multiprocessor
};

#if defined(__CUDA_ARCH__)
#define TWO_AT_ONCE _Pragma("unroll 2")
#define APART __noinline__ // rarely called: inlined, it would take registers from the common case
#else
#define TWO_AT_ONCE
#define APART
#endif

// ---- handoff -------------------------------------------------------------------------------------------------------

// A particle that is passed from block to block.
struct handed_particle
{
    uint32_t index;
    unsigned had; // number of blocks that have had it
    bool mine, last;

    __device__ __forceinline__ void open(const list_arrays &l, uint32_t i, bool is_first, int colour)
    {
        unsigned in = is_first ? l.colours[i / 4] : 0;
        index = i;
        mine = is_first;
        had = (unsigned)__popc(in & ((1u << colour) - 1));
        last = in >> (colour + 1) == 0;
    }

    // Reads the displacement. False: the block before has not passed it on yet.
    __device__ __forceinline__ bool take(const state *s, const list_arrays &l, point *p) const
    {
        if (had)
            return get_handoff(l.handoff + index / 4, had, p);
        *p = load_points(s->slot[SLOT_D] + index);
        return true;
    }

    // Passes the displacement on to the next block, or, from the last one, writes it back to SLOT_D.
    __device__ __forceinline__ void hand_on(const state *s, const list_arrays &l, point p) const
    {
        if (last)
            store_points(s->slot[SLOT_D] + index, p);
        if (!last || had)
            put_handoff(l.handoff + index / 4, p, last ? 0 : had + 1);
    }
};

// Waits for both displacements. All lanes wait together.
static __device__ __forceinline__ void take_both(const state *s, const list_arrays &l, const handed_particle &a,
                                                 point *pa, const handed_particle &b, point *pb)
{
    bool have_a = !a.mine || a.take(s, l, pa), have_b = !b.mine || b.take(s, l, pb);
    while (__any_sync(0xffffffffu, !have_a || !have_b))
    {
        if (!have_a)
            have_a = a.take(s, l, pa);
        if (!have_b)
            have_b = b.take(s, l, pb);
    }
}

// ---- blocks --------------------------------------------------------------------------------------------------------

// Blocks with more pairs than lanes. While such a block has its particles, their displacements are in SLOT_D. The first
// end in the block that names a particle takes it and passes it on.
static __device__ __forceinline__ handed_particle end_of(const list_arrays &l, uint32_t index, bool in, int32_t row,
                                                         int side, int colour)
{
    handed_particle b;
    in = in && l.first_end[2 * (size_t)index + (size_t)colour] == 2 * row + side;
    b.open(l, index, in, colour);
    return b;
}

// Both ends of a row of such a block. `mine` is set if the end is the first to name its particle.
static __device__ __forceinline__ void ends_of(const list_arrays &l, int32_t row, int32_t last, int colour, int lane,
                                               handed_particle *a, handed_particle *b)
{
    held_pair mine;
    mine.name(l, row, last, lane);
    *a = end_of(l, mine.ia, mine.mine, row + lane, 0, colour);
    *b = end_of(l, mine.ib, mine.mine, row + lane, 1, colour);
}

// Copies the particle's displacement to SLOT_D if it has been passed on. False: not yet.
static __device__ __forceinline__ bool fetch(const state &s, const list_arrays &l, const handed_particle &b)
{
    if (!b.mine || !b.had)
        return true;
    point p;
    p.w = s.slot[SLOT_D][b.index + 3];
    bool there = b.take(&s, l, &p);
    if (there)
        store_points(s.slot[SLOT_D] + b.index, p);
    return there;
}

static __device__ __forceinline__ void take_long_block(const state &s, const list_arrays &l, int32_t start,
                                                       int32_t last, int colour, int lane)
{
    bool all;
    do
    {
        all = true;
        TWO_AT_ONCE
        for (int32_t row = start; row < last; row += ONE_KERNEL_LANES)
        {
            handed_particle a, b;
            ends_of(l, row, last, colour, lane, &a, &b);
            all &= (int)fetch(s, l, a) & (int)fetch(s, l, b);
        }
    }
    while (__any_sync(0xffffffffu, !all));
    __syncwarp();
}

static __device__ __forceinline__ void give_long_block(const state &s, const list_arrays &l, int32_t start,
                                                       int32_t last, int colour, int lane)
{
    TWO_AT_ONCE
    for (int32_t row = start; row < last; row += ONE_KERNEL_LANES)
    {
        handed_particle a, b;
        ends_of(l, row, last, colour, lane, &a, &b);
        if (a.mine)
            a.hand_on(&s, l, load_points(s.slot[SLOT_D] + a.index));
        if (b.mine)
            b.hand_on(&s, l, load_points(s.slot[SLOT_D] + b.index));
    }
    __syncwarp();
}

// Returns the first group of rows in which a pair is active at the current displacements. Those before it have nothing
// to solve.
static __device__ __forceinline__ int32_t first_pressing(const state &s, const list_arrays &l, int32_t start,
                                                         int32_t last, int lane)
{
    const packed_pairs *p = &s.pairs;
    int32_t found = last;
    TWO_AT_ONCE
    for (int32_t row = start; row < last; row += ONE_KERNEL_LANES)
    {
        size_t k = (size_t)(row + lane < last ? row + lane : row);
        uint32_t ia = p->index[0][k], ib = p->index[1][k];
        vec apart =
            pair_now(pair_start(&s, &ia, &ib), load_points(s.slot[SLOT_D] + ia), load_points(s.slot[SLOT_D] + ib));
        if (contact_live(apart, p->reach[k], load_normal(p->lambda, k)) && row < found)
            found = row;
    }
    while (start < last && !__any_sync(0xffffffffu, found == start))
        start += ONE_KERNEL_LANES;
    return start;
}

static __device__ APART void run_long_block(const state &s, const list_arrays &l, int32_t start, int32_t last,
                                            int colour, int lane, float4 *room)
{
    take_long_block(s, l, start, last, colour, lane);
    for (int32_t row = first_pressing(s, l, start, last, lane); row < last; row += ONE_KERNEL_LANES)
    {
        size_t k = (size_t)(row + lane);
        held_pair mine;
        mine.open<ONE_KERNEL_LANES>(l, row, last, lane);
        mine.load(&s, &s.pairs, k, lane, true, false, room);
        __syncwarp();
        solve_in_order<ONE_KERNEL_LANES, true>(&s, &s.pairs, mine, k, 0, room);
    }
    // The next block that has a particle may write it too: what was written here must be visible first.
    __threadfence();
    __syncwarp();
    give_long_block(s, l, start, last, colour, lane);
}

static __device__ __forceinline__ void put_room(float4 *to, point p) { *to = make_float4(p.x, p.y, p.z, p.w); }

static __device__ __forceinline__ point from_room(float4 q)
{
    point p = {q.x, q.y, q.z, q.w};
    return p;
}

static __device__ __forceinline__ void run_block(const state &s, const list_arrays &l, held_pair &mine,
                                                 handed_particle a, handed_particle b, size_t k, float4 *room)
{
    const packed_pairs *p = &s.pairs;
    mine.live = mine.seen = false;
    if (mine.mine)
    {
        mine.x = pair_start(&s, &mine.ia, &mine.ib);
        mine.a.w = s.slot[SLOT_D][mine.ia + 3], mine.b.w = s.slot[SLOT_D][mine.ib + 3];
        mine.reach = p->reach[k];
        mine.h = load_lambda(p->lambda, k);
        mine.look_up(&s, p, k);
    }
    point pa = {}, pb = {};
    take_both(&s, l, a, &pa, b, &pb);
    pa.w = mine.a.w, pb.w = mine.b.w;
    if (a.mine)
        put_room(room + mine.at_a, pa);
    if (b.mine)
        put_room(room + mine.at_b, pb);
    __syncwarp();
    if (mine.mine)
    {
        mine.learn(room);
        mine.press(&s, p, k);
    }
    __syncwarp();
    solve_in_order<ONE_KERNEL_LANES, false>(&s, p, mine, k, 0, room);
    if (a.mine)
        a.hand_on(&s, l, from_room(room[mine.at_a]));
    if (b.mine)
        b.hand_on(&s, l, from_room(room[mine.at_b]));
    __syncwarp();
}

// Claims the next blocks for a thread block and returns the first. *end: the end of all blocks. All threads get the
// same.
static __device__ __forceinline__ int32_t claim(const state &s, const launch_args &g, int32_t *end)
{
    __shared__ int32_t first, limit;
    __syncthreads();
    if (threadIdx.x == 0)
    {
        bool active = substep_is_active(s.now, g); // if not, there may be no list
        limit = active ? g.range[PAIR_COLOURS] : 0;
        first = active ? g.range[0] + atomicAdd(g.claims, (int32_t)ONE_KERNEL_BLOCKS) : 0;
    }
    __syncthreads();
    *end = limit;
    return first;
}

static __global__ void __launch_bounds__(PAIR_THREADS, ONE_KERNEL_CROWD)
    run_contacts_one_kernel(const __grid_constant__ state s, const __grid_constant__ list_arrays l,
                            const __grid_constant__ launch_args g)
{
    __shared__ float4 rooms[2 * PAIR_THREADS];
    const int lane = (int)threadIdx.x % ONE_KERNEL_LANES, warp = (int)threadIdx.x / ONE_KERNEL_LANES;
    float4 *room = rooms + 2 * ((int)threadIdx.x - lane);
    bool waited = false, active = true;
    int32_t end;
    for (int32_t block; active && (block = claim(s, g, &end)) < end;)
    {
        block += warp;
        int32_t row = block < end ? l.block_start[block] : 0, last = block < end ? l.block_start[block + 1] : 0;
        int colour = colour_of(l, block);
        held_pair mine;
        handed_particle a, b;
        mine.open<ONE_KERNEL_LANES>(l, row, last, lane);
        a.open(l, mine.ia, mine.mine && mine.at_a == 2 * lane, colour);
        b.open(l, mine.ib, mine.mine && mine.at_b == 2 * lane + 1, colour);
        if (!waited)
        {
            wait_for_previous_writes();
            // Not earlier: blocks of the next kernel would take space from blocks that wait for each other.
            allow_next_kernel();
            stamp_time(g);
            active = substep_is_active(s.now, g);
            waited = true;
        }
        if (active && last - row > ONE_KERNEL_LANES)
            run_long_block(s, l, row, last, colour, lane, room);
        else if (active && row < last)
            run_block(s, l, mine, a, b, (size_t)(row + lane), room);
    }
    if (waited)
        return;
    wait_for_previous_writes();
    allow_next_kernel();
    stamp_time(g);
}

// ---- launches ------------------------------------------------------------------------------------------------------

// With long lists, as of falling or flowing particles, most blocks have more pairs than lanes, and one kernel per
// colour is faster.
bool contacts_one_kernel_fits(const list_arrays *l)
{
    return l->pair_room <= ONE_KERNEL_PAIRS && l->pair_room <= 8 * (int64_t)l->items + 2048 && !debug->colour_lanes;
}

int contacts_one_kernel_joins(const device *d, const stage *from, int64_t left)
{
    bool all = from->op == OP_PAIRS && fuse_colours(from, left) == PAIR_COLOURS;
    return all && !contacts_are_oriented(d) && d->lists.handoff && d->claims_used < d->claims_room ? PAIR_COLOURS : 0;
}

// Takes memory for the claim counters of a frame, those of solve_links_one_kernel.cu included.
bool ready_contacts_one_kernel(device *d, const plan *p, device_error *why)
{
    int64_t colours = 0;
    for (int64_t i = 0; i < p->count; i++)
        colours += p->stages[i].op == OP_PAIRS;
    // Twice, for the speculative and the checked version of the frame.
    size_t kernels = 2 * (d->link_kernels + (d->lists.handoff ? (size_t)(colours / PAIR_COLOURS) : 0));
    size_t bytes = kernels * sizeof *d->claims, room = d->claims_room * sizeof *d->claims;
    void *claims = d->claims;
    bool grown = grow(&claims, &room, bytes, why);
    d->claims = (int32_t *)claims;
    d->claims_room = room / sizeof *d->claims;
    return grown;
}

bool clear_claims(device *d, device_error *why)
{
    d->claims_used = 0;
    if (d->claims_room)
        TRY(cudaMemsetAsync(d->claims, 0, d->claims_room * sizeof *d->claims, d->stream), "capturing");
    return true;
}

bool launch_contacts_one_kernel(device *d, launch_args *g, bool early, device_error *why)
{
    int64_t most = (int64_t)d->about.multiProcessorCount * ONE_KERNEL_CROWD,
            blocks = d->lists.pair_room / ONE_KERNEL_BLOCKS + 1;
    g->claims = d->claims + d->claims_used++;
    return start(why, d->stream, early, (blocks < most ? blocks : most) * PAIR_THREADS, PAIR_THREADS, 0,
                 run_contacts_one_kernel, d->captured, d->lists, *g);
}
