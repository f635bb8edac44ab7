// visit.cu: the colours of pairs. Blocks of a colour touch nothing in common, so the order among them is free; inside a block, pairs
// are visited one after the other, as on a CPU (visit_pairs in stages/contact_items.h).
//
// A few lanes of a warp take a block: each holds one pair and what it reads. Whoever presses first, in the block's order, has its turn;
// the others learn what it has moved, and look again whether they press. So all loads of a block are under way at once, and pairs
// that do not touch cost nothing but their load.
#include "cuda/inside.h"
#include "stages/contact_items.h"
#include "stages/orient_items.h"
#include "stages/stabilise_items.h"

// One lane's pair.
struct held_pair
{
    uint32_t ia, ib;
    point a, b;
    vec a0, b0;
    float reach;
    grip hands;
    outset from;
    hold h;
    bool live, near_by, ready; // near_by: a0 and b0 are there; ready: what `prepare` finds is, too

    // Ahead: what a turn would look up and divide by is found before the turns, by all lanes at once. A large scene has better things to do
    // with the registers.
    template <bool Ahead>
    __device__ __forceinline__ void load(const state *s, const packed_pairs *p, size_t k, bool mine)
    {
        ia = mine ? p->index[0][k] : 0, ib = mine ? p->index[1][k] : 0;
        reach = mine ? p->reach[k] : CONTACT_NOTHING;
        h.normal = 0.0f;
        if (mine)
            h = load_hold(p->lambda, k);
        a = load_points(s->slot[SLOT_X] + ia);
        b = load_points(s->slot[SLOT_X] + ib);
        live = mine && contact_live(a, b, reach, h.normal);
        near_by = live;
        ready = Ahead && live && !s->clusters.count; // bodies have faces, which turn
        if (live)
            load_start(s);
        if (ready)
            prepare(s, p, k, vec_of(0.0f, 0.0f, 0.0f));
    }

    __device__ __forceinline__ void load_start(const state *s)
    {
        a0 = at(load_points(s->slot[SLOT_X0] + ia));
        b0 = at(load_points(s->slot[SLOT_X0] + ib));
    }

    __device__ __forceinline__ void prepare(const state *s, const packed_pairs *p, size_t k, vec face)
    {
        size_t m = p->material_step ? k : 0;
        hands.stick = p->stick[m], hands.slide = p->slide[m];
        from = contact_outset(a, b, a0, b0, face, reach, pair_give(s, &ia, &ib));
    }

    __device__ __forceinline__ void visit(const state *s, const packed_pairs *p, size_t k)
    {
        if (!near_by)
            load_start(s);
        stance f = pair_facing(s, &ia, &ib, sub(at(a), at(b)), reach);
        if (!ready)
            prepare(s, p, k, f.face);
        vec push = contact_visit(a, b, a0, b0, f, from, reach, hands, pair_give(s, &ia, &ib), &h);
        store_hold(p->lambda, k, h);
        pushed(&a, push);
        pulled(&b, push);
        store_points(s->slot[SLOT_X] + ia, a);
        store_points(s->slot[SLOT_X] + ib, b);
        live = false;
    }
};

static __device__ __forceinline__ point from_lane(point p, int lane, int lanes)
{
    p.x = __shfl_sync(0xffffffffu, p.x, lane, lanes);
    p.y = __shfl_sync(0xffffffffu, p.y, lane, lanes);
    p.z = __shfl_sync(0xffffffffu, p.z, lane, lanes);
    return p; // the inverse mass is the same in every copy of a particle
}

// What the lane whose turn it was has moved.
static __device__ __forceinline__ void learn(held_pair &mine, int lane, int turn, bool moved, int lanes)
{
    uint32_t ja = __shfl_sync(0xffffffffu, mine.ia, turn, lanes), jb = __shfl_sync(0xffffffffu, mine.ib, turn, lanes);
    point a = from_lane(mine.a, turn, lanes), b = from_lane(mine.b, turn, lanes);
    if (!moved || lane <= turn)
        return;
    bool touched = mine.ia == ja || mine.ia == jb || mine.ib == ja || mine.ib == jb;
    if (mine.ia == ja || mine.ia == jb)
    {
        point to = mine.ia == ja ? a : b;
        mine.a.x = to.x, mine.a.y = to.y, mine.a.z = to.z;
    }
    if (mine.ib == ja || mine.ib == jb)
    {
        point to = mine.ib == ja ? a : b;
        mine.b.x = to.x, mine.b.y = to.y, mine.b.z = to.z;
    }
    if (touched)
        mine.live = contact_live(mine.a, mine.b, mine.reach, mine.h.normal);
}

// The pairs that the lanes of a block hold, in their order.
template <int Lanes>
static __device__ __forceinline__ void take_turns(const state *s, const packed_pairs *p, held_pair &mine, size_t k,
                                                  int lane, int first_lane)
{
    for (int from = 0;;)
    {
        unsigned all = __ballot_sync(0xffffffffu, mine.live && lane >= from);
        if (!all)
            break;
        unsigned bits = all >> first_lane & (unsigned)((1ull << Lanes) - 1);
        int turn = bits ? __ffs((int)bits) - 1 : 0;
        if (bits && lane == turn)
            mine.visit(s, p, k);
        __syncwarp();
        learn(mine, lane, turn, bits != 0, Lanes);
        from = bits ? turn + 1 : Lanes;
    }
}

// Lanes: how many of a warp take a block. All lanes of the warp walk together.
template <int Lanes>
static __global__ void __launch_bounds__(128)
    run_pairs(const __grid_constant__ state s, const __grid_constant__ list_arrays l, const __grid_constant__ job g)
{
    const int lane = (int)threadIdx.x % Lanes, first_lane = (int)(threadIdx.x & 31) / Lanes * Lanes;
    fall_in();
    stamp_time(g);
    if (!its_turn(s.now, g))
        return;
    const packed_pairs *p = &s.pairs;
    int32_t end = g.range[1];
    for (int64_t warp = first_item() / 32; g.range[0] + warp * (32 / Lanes) < end; warp += all_items() / 32)
    {
        int32_t block = g.range[0] + (int32_t)warp * (32 / Lanes) + first_lane / Lanes;
        int32_t row = block < end ? l.block_start[block] : 0, last = block < end ? l.block_start[block + 1] : 0;
        for (; __any_sync(0xffffffffu, row < last); row += Lanes)
        {
            held_pair mine;
            mine.load<(Lanes > 4)>(&s, p, (size_t)(row + lane), row + lane < last);
            take_turns<Lanes>(&s, p, mine, (size_t)(row + lane), lane, first_lane);
        }
    }
}

// What is rare: a thread takes a block.
typedef void row_fn(const state *s, const packed_pairs *p, size_t k);

template <row_fn *Row>
static __global__ void __launch_bounds__(THREADS)
    run_rows(const __grid_constant__ state s, const __grid_constant__ list_arrays l, const __grid_constant__ job g)
{
    fall_in();
    stamp_time(g);
    if (!its_turn(s.now, g))
        return;
    int32_t begin = g.range[0], end = g.range[1];
    EACH(int32_t, i, end - begin)
    {
        for (int32_t row = l.block_start[begin + i]; row < l.block_start[begin + i + 1]; row++)
            Row(&s, &s.pairs, (size_t)row);
    }
}

bool launch_pairs(device *d, const job *g, bool early, device_error *why)
{
    // Colours are nearly equal; a block has several pairs. Where that is not so, a thread takes more than one block.
    int64_t blocks = (int64_t)d->lists.pair_room / 48 + 64;
    if (g->op == OP_ORIENT_PAIRS)
        return start(why, d->stream, early, blocks, THREADS, 0, run_rows<orient_pair>, d->captured, d->lists, *g);
    if (g->op != OP_PAIRS)
        return start(why, d->stream, early, blocks, THREADS, 0,
                     g->op == OP_PAIRS_BOUNCE ? run_rows<bounce_pair> : run_rows<part_pair>, d->captured, d->lists, *g);
    // A small scene leaves lanes idle anyway; in a large one they have better things to do than to wait for their turn.
    int lanes = blocks < 4000 ? 32 : blocks < 60000 ? 16 : 4;
    return start(why, d->stream, early, blocks * lanes, 128, 0,
                 lanes == 32   ? run_pairs<32>
                 : lanes == 16 ? run_pairs<16>
                               : run_pairs<4>,
                 d->captured, d->lists, *g);
}
