// contacts_one_kernel.cu: all colours of pairs of a small scene in one kernel. Eight kernels, one after the other, cost more than what they do; and a
// block need not wait for a whole colour, but for the blocks before it that have one of its particles.
//
// A particle is in one block of a colour at the most, so that it goes from block to block by the order of the colours: `colours` says in
// which it is. Each block takes its particles from where the blocks before have put them (`mail`), has its pairs take their turns (contact_pair.h), and
// puts them there for the next; the first block of a particle takes it from where all kernels find it, and the last one puts it back there. A mail is
// the position and how many blocks have had it, in one access of 16 bytes, so that nothing else has to be seen in order (position_handoff.h); between two sweeps
// all mails say 0.
//
// Blocks are claimed in their order, by colours, as warps come free. So the first block that is not done is always somebody's, and waits for
// nobody: the kernel ends however few warps the device has room for.
#include "backend/cuda/position_handoff.h"
#include "backend/cuda/contact_pair.h"

enum
{
    RELAY_LANES = 32, // a warp takes a block
    RELAY_BLOCKS = PAIR_THREADS / RELAY_LANES,
    RELAY_PAIRS = 1 << 20, // there is room for: beyond, blocks wait for warps, and a colour for none
    RELAY_CROWD = 4,       // thread blocks a multiprocessor
};

#if defined(__CUDA_ARCH__)
#define TWO_AT_ONCE _Pragma("unroll 2")
#define APART __noinline__ // it is rare, and would take registers from what is not
#else
#define TWO_AT_ONCE
#define APART
#endif

// ---- mail ----------------------------------------------------------------------------------------------------------

// A particle on its way through the blocks.
struct baton
{
    uint32_t index;
    unsigned had; // by how many blocks
    bool mine, last;

    __device__ __forceinline__ void open(const list_arrays &l, uint32_t i, bool per_particle, int colour)
    {
        unsigned in = per_particle ? l.colours[i / 4] : 0;
        index = i;
        mine = per_particle;
        had = (unsigned)__popc(in & ((1u << colour) - 1));
        last = in >> (colour + 1) == 0;
    }

    __device__ __forceinline__ bool take(const state *s, const list_arrays &l, point *p) const
    {
        if (had)
            return get_handoff(l.handoff + index / 4, had, p);
        *p = load_points(s->slot[SLOT_X] + index);
        return true;
    }

    __device__ __forceinline__ void contact_softness(const state *s, const list_arrays &l, point p) const
    {
        if (last)
            store_points(s->slot[SLOT_X] + index, p);
        if (!last || had)
            put_handoff(l.handoff + index / 4, p, last ? 0 : had + 1);
    }
};

// Waits for both, as all lanes do together.
static __device__ __forceinline__ void take_both(const state *s, const list_arrays &l, const baton &a, point *pa,
                                                 const baton &b, point *pb)
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

// A block of more pairs than there are lanes: its particles are where all kernels find them while it has them. Whoever is the first of the
// block to have a particle takes it and gives it away.
static __device__ __forceinline__ baton end_of(const list_arrays &l, uint32_t index, bool in, int32_t row, int side,
                                               int colour)
{
    baton b;
    in = in && l.first_end[2 * (size_t)index + (size_t)colour] == 2 * row + side;
    b.open(l, index, in, colour);
    return b;
}

// Both ends of a row of such a block, as far as they are the first to have their particles.
static __device__ __forceinline__ void ends_of(const list_arrays &l, int32_t row, int32_t last, int colour, int lane,
                                               baton *a, baton *b)
{
    held_pair mine;
    mine.name(l, row, last, lane);
    *a = end_of(l, mine.ia, mine.mine, row + lane, 0, colour);
    *b = end_of(l, mine.ib, mine.mine, row + lane, 1, colour);
}

// To where all kernels find it, if it is there.
static __device__ __forceinline__ bool fetch(const state &s, const list_arrays &l, const baton &b)
{
    if (!b.mine || !b.had)
        return true;
    point p;
    p.w = s.slot[SLOT_X][b.index + 3];
    bool there = b.take(&s, l, &p);
    if (there)
        store_points(s.slot[SLOT_X] + b.index, p);
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
        for (int32_t row = start; row < last; row += RELAY_LANES)
        {
            baton a, b;
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
    for (int32_t row = start; row < last; row += RELAY_LANES)
    {
        baton a, b;
        ends_of(l, row, last, colour, lane, &a, &b);
        if (a.mine)
            a.contact_softness(&s, l, load_points(s.slot[SLOT_X] + a.index));
        if (b.mine)
            b.contact_softness(&s, l, load_points(s.slot[SLOT_X] + b.index));
    }
    __syncwarp();
}

// The first row of those among which one presses, as all are now: what comes before it has nothing to do.
static __device__ __forceinline__ int32_t first_pressing(const state &s, const list_arrays &l, int32_t start,
                                                         int32_t last, int lane)
{
    const packed_pairs *p = &s.pairs;
    int32_t found = last;
    TWO_AT_ONCE
    for (int32_t row = start; row < last; row += RELAY_LANES)
    {
        size_t k = (size_t)(row + lane < last ? row + lane : row);
        point a = load_points(s.slot[SLOT_X] + p->index[0][k]), b = load_points(s.slot[SLOT_X] + p->index[1][k]);
        if (contact_live(a, b, p->reach[k], load_normal(p->lambda, k)) && row < found)
            found = row;
    }
    while (start < last && !__any_sync(0xffffffffu, found == start))
        start += RELAY_LANES;
    return start;
}

static __device__ APART void run_long_block(const state &s, const list_arrays &l, int32_t start, int32_t last,
                                            int colour, int lane, float4 *room)
{
    take_long_block(s, l, start, last, colour, lane);
    for (int32_t row = first_pressing(s, l, start, last, lane); row < last; row += RELAY_LANES)
    {
        size_t k = (size_t)(row + lane);
        held_pair mine;
        mine.open<RELAY_LANES>(l, row, last, lane);
        mine.load(&s, &s.pairs, k, lane, true, false, room);
        __syncwarp();
        take_turns<RELAY_LANES, true>(&s, &s.pairs, mine, k, 0, room);
    }
    __threadfence(); // who has a particle next may write it, too: not before what was written here
    __syncwarp();
    give_long_block(s, l, start, last, colour, lane);
}

static __device__ __forceinline__ void put_room(float4 *to, point p) { *to = make_float4(p.x, p.y, p.z, p.w); }

static __device__ __forceinline__ point from_room(float4 q)
{
    point p = {q.x, q.y, q.z, q.w};
    return p;
}

static __device__ __forceinline__ void run_block(const state &s, const list_arrays &l, held_pair &mine, baton a,
                                                 baton b, size_t k, float4 *room)
{
    const packed_pairs *p = &s.pairs;
    mine.live = mine.seen = mine.ready = false;
    if (mine.mine)
    {
        mine.a.w = s.slot[SLOT_X][mine.ia + 3], mine.b.w = s.slot[SLOT_X][mine.ib + 3];
        mine.reach = p->reach[k];
        mine.h = load_lambda(p->lambda, k);
        mine.look_up(&s, p, k);
        mine.from = contact_start_of(mine.a, mine.b, mine.d0, mine.wanted);
        mine.ready = true;
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
    take_turns<RELAY_LANES, false>(&s, p, mine, k, 0, room);
    if (a.mine)
        a.contact_softness(&s, l, from_room(room[mine.at_a]));
    if (b.mine)
        b.contact_softness(&s, l, from_room(room[mine.at_b]));
    __syncwarp();
}

// The first of the blocks that a thread block takes next; what is not there begins at `end`. All threads come to the same.
static __device__ __forceinline__ int32_t claim(const state &s, const launch_args &g, int32_t *end)
{
    __shared__ int32_t first, limit;
    __syncthreads();
    if (threadIdx.x == 0)
    {
        bool turn = substep_is_active(s.now, g); // if not, there may be no list
        limit = turn ? g.range[PAIR_COLOURS] : 0;
        first = turn ? g.range[0] + atomicAdd(g.claims, (int32_t)RELAY_BLOCKS) : 0;
    }
    __syncthreads();
    *end = limit;
    return first;
}

static __global__ void __launch_bounds__(PAIR_THREADS, RELAY_CROWD)
    run_relay(const __grid_constant__ state s, const __grid_constant__ list_arrays l,
              const __grid_constant__ launch_args g)
{
    __shared__ float4 rooms[2 * PAIR_THREADS];
    const int lane = (int)threadIdx.x % RELAY_LANES, warp = (int)threadIdx.x / RELAY_LANES;
    float4 *room = rooms + 2 * ((int)threadIdx.x - lane);
    bool waited = false, turn = true;
    int32_t end;
    for (int32_t block; turn && (block = claim(s, g, &end)) < end;)
    {
        block += warp;
        int32_t row = block < end ? l.block_start[block] : 0, last = block < end ? l.block_start[block + 1] : 0;
        int colour = colour_of(l, block);
        held_pair mine;
        baton a, b;
        mine.open<RELAY_LANES>(l, row, last, lane);
        a.open(l, mine.ia, mine.mine && mine.at_a == 2 * lane, colour);
        b.open(l, mine.ib, mine.mine && mine.at_b == 2 * lane + 1, colour);
        if (!waited)
        {
            wait_for_last();
            allow_next_kernel(); // not before: whoever comes in takes room from those that wait for each other
            stamp_time(g);
            turn = substep_is_active(s.now, g);
            waited = true;
        }
        if (turn && last - row > RELAY_LANES)
            run_long_block(s, l, row, last, colour, lane, room);
        else if (turn && row < last)
            run_block(s, l, mine, a, b, (size_t)(row + lane), room);
    }
    if (waited)
        return;
    wait_for_last();
    allow_next_kernel();
    stamp_time(g);
}

// ---- launches ------------------------------------------------------------------------------------------------------

// Where lists are long, as of what falls and flows, most blocks have more pairs than lanes: that is nothing for a relay.
bool relay_fits(const list_arrays *l)
{
    return l->pair_room <= RELAY_PAIRS && l->pair_room <= 8 * (int64_t)l->items + 2048 && !debug->colour_lanes;
}

int relay_joins(const device *d, const stage *from, int64_t left)
{
    bool all = from->op == OP_PAIRS && fuse_colours(from, left) == PAIR_COLOURS;
    return all && !contacts_turn(d) && d->lists.handoff && d->relays < d->relay_room ? PAIR_COLOURS : 0;
}

bool ready_relay(device *d, const plan *p, device_error *why)
{
    int64_t colours = 0;
    for (int64_t i = 0; i < p->count; i++)
        colours += p->stages[i].op == OP_PAIRS;
    size_t kernels = 2 * (d->pass_kernels + (d->lists.handoff ? (size_t)(colours / PAIR_COLOURS) : 0)); // calm and not
    size_t bytes = kernels * sizeof *d->claims, room = d->relay_room * sizeof *d->claims;
    void *claims = d->claims;
    bool grown = grow(&claims, &room, bytes, why);
    d->claims = (int32_t *)claims;
    d->relay_room = room / sizeof *d->claims;
    return grown;
}

bool open_relays(device *d, device_error *why)
{
    d->relays = 0;
    if (d->relay_room)
        TRY(cudaMemsetAsync(d->claims, 0, d->relay_room * sizeof *d->claims, d->stream), "capturing");
    return true;
}

bool launch_relay(device *d, launch_args *g, bool early, device_error *why)
{
    int64_t most = (int64_t)d->about.multiProcessorCount * RELAY_CROWD, blocks = d->lists.pair_room / RELAY_BLOCKS + 1;
    g->claims = d->claims + d->relays++;
    return start(why, d->stream, early, (blocks < most ? blocks : most) * PAIR_THREADS, PAIR_THREADS, 0, run_relay,
                 d->captured, d->lists, *g);
}
