// contact_pair.h: one contact pair per lane, and the order in which the lanes of a block of pairs solve them
// (solve_contacts.cu, solve_contacts_one_kernel.cu).
//
// The result of a pair depends on the earlier pairs of its block that share a particle with it, and on the pairs that
// those depend on. A pair may be solved once every earlier active pair that it depends on is done. All active pairs
// that wait for no other active pair are solved in one round, so that the result is the one of the block's order, bit
// for bit. The pairs that depend on them then read the new displacements and test again whether they are active.
//
// The pairs and their dependencies are read before the previous kernel has finished. That is safe because nothing
// between two list builds writes block_start, ranges, index and dependencies, and no kernel starts early before a list
// is complete. Multipliers must be read after the wait.
#pragma once
#include "backend/cuda/device_internal.h"
#include "stages/contact_stages.h"

enum
{
    PAIR_THREADS = 128,
    // From this many lanes per block on, dependencies are found when the lists are made (find_dependencies).
    DEPENDENCIES_LISTED = 16,
};
#define NOBODY 0xffffffffu

static __device__ __forceinline__ int colour_of(const list_arrays &l, int32_t block)
{
    int colour = 0;
    for (int c = 1; c < PAIR_COLOURS; c++)
        colour += block >= l.ranges[c];
    return colour;
}

// One lane's pair.
struct held_pair
{
    // read before the previous kernel has finished
    bool mine;
    uint32_t ia, ib;
    unsigned before; // bit mask of the lanes it depends on
    // Where the block keeps the pair's particles in shared memory: at the entry of the first lane that has them.
    int at_a, at_b;

    vec x, low; // a - b at the substep's start, and of their low parts
    point a, b; // displacements, inverse masses
    float reach;
    contact_lambda h;
    faces by;
    friction mu;
    float wanted;
    // live: the pair is active. seen: what look_up reads is there.
    bool live, seen;

    // The block's rows from `row` up to `last`, one per lane. All lanes of the warp must call it.
    template <int Lanes> __device__ __forceinline__ void open(const list_arrays &l, int32_t row, int32_t last, int lane)
    {
        name(l, row, last, lane);
        if (Lanes < DEPENDENCIES_LISTED)
            find_dependencies<Lanes>(row, last, lane);
        else if (mine)
        {
            int2 known = l.dependencies[row + lane];
            before = (unsigned)known.x;
            at_a = known.y & 0xff, at_b = known.y >> 8;
        }
    }

    __device__ __forceinline__ void name(const list_arrays &l, int32_t row, int32_t last, int lane)
    {
        mine = row + lane < last;
        ia = mine ? l.pairs.index[0][row + lane] : NOBODY, ib = mine ? l.pairs.index[1][row + lane] : NOBODY;
        before = 0;
        at_a = at_b = -1;
    }

    template <int Lanes> __device__ __forceinline__ void find_dependencies(int32_t row, int32_t last, int lane)
    {
        for (int j = 0; j < Lanes && __any_sync(0xffffffffu, row + j < last); j++)
        {
            uint32_t ja = __shfl_sync(0xffffffffu, ia, j, Lanes), jb = __shfl_sync(0xffffffffu, ib, j, Lanes);
            unsigned others = __shfl_sync(0xffffffffu, before, j, Lanes);
            bool has_a = ia == ja || ia == jb, has_b = ib == ja || ib == jb;
            if (j < lane && (has_a || has_b))
                before |= others | 1u << j;
            if (has_a && at_a < 0)
                at_a = 2 * j + (ia == jb);
            if (has_b && at_b < 0)
                at_b = 2 * j + (ib == jb);
        }
    }

    // ahead: loads with the displacements what the solve will need, even if the pair may stay inactive. In a large
    // scene, or a long block of which most pairs are inactive, that would waste memory bandwidth. active: the substep
    // is active.
    __device__ __forceinline__ void load(const state *s, const packed_pairs *p, size_t k, int lane, bool turn,
                                         bool ahead, float4 *room)
    {
        live = seen = false;
        if (!mine)
            return;
        x = pair_start(s, &ia, &ib);
        a = load_points(s->slot[SLOT_D] + ia);
        b = load_points(s->slot[SLOT_D] + ib);
        reach = p->reach[k];
        h = load_lambda(p->lambda, k);
        if (ahead)
            look_up(s, p, k);
        if (at_a == 2 * lane)
            room[at_a] = make_float4(a.x, a.y, a.z, a.w);
        if (at_b == 2 * lane + 1)
            room[at_b] = make_float4(b.x, b.y, b.z, b.w);
        if (turn)
            press(s, p, k);
    }

    __device__ __forceinline__ void look_up(const state *s, const packed_pairs *p, size_t k)
    {
        low = low_between(load_points(s->slot[SLOT_X] + ia), load_points(s->slot[SLOT_X] + ib));
        by = pair_faces(s, &ia, &ib);
        mu = pair_friction(p, k);
        wanted = pair_wanted(s, p, k, &ia, &ib, by, add(x, low));
        seen = true;
    }

    // Tests whether the pair is active.
    __device__ __forceinline__ void press(const state *s, const packed_pairs *p, size_t k)
    {
        live = contact_live(pair_now(x, a, b), reach, h.normal);
        if (live && !seen)
            look_up(s, p, k);
    }

    __device__ __forceinline__ void visit(const state *s, const packed_pairs *p, size_t k, float4 *room)
    {
        contact_way o = pair_way(x, low, a, b);
        stance f = pair_solving(s, by, o, reach);
        vec push = contact_visit(o, a.w + b.w, wanted, f, reach, mu, pair_softness(s, by), &h);
        pushed(&a, push);
        pulled(&b, push);
        room[at_a] = make_float4(a.x, a.y, a.z, a.w);
        room[at_b] = make_float4(b.x, b.y, b.z, b.w);
        store_lambda(p->lambda, k, h);
        live = false;
    }

    __device__ __forceinline__ void keep(const state *s) const
    {
        store_points(s->slot[SLOT_D] + ia, a);
        store_points(s->slot[SLOT_D] + ib, b);
    }

    // Reads the current displacements of both particles.
    __device__ __forceinline__ void learn(const float4 *room)
    {
        float4 x = room[at_a], y = room[at_b];
        a.x = x.x, a.y = x.y, a.z = x.z;
        b.x = y.x, b.y = y.y, b.z = y.z;
    }
};

// Solves the pairs that the lanes of a block hold. An inactive pair can become active only when a pair it depends on is
// solved, so it is tested again only then. Keep: displacements are written back to memory at once.
template <int Lanes, bool Keep>
static __device__ __forceinline__ void solve_in_order(const state *s, const packed_pairs *p, held_pair &mine, size_t k,
                                                      int first_lane, float4 *room)
{
    const unsigned all = (unsigned)((1ull << Lanes) - 1);
    for (unsigned press; (press = __ballot_sync(0xffffffffu, mine.live)) != 0;)
    {
        bool turn = mine.live && !(mine.before & press >> first_lane);
        if (turn)
            mine.visit(s, p, k, room);
        if (turn && Keep)
            mine.keep(s);
        unsigned had = __ballot_sync(0xffffffffu, turn) >> first_lane & all;
        __syncwarp();
        if (mine.mine && mine.before & had)
        {
            mine.learn(room);
            mine.press(s, p, k);
        }
        __syncwarp();
    }
}
