// rigid_fused.cu: runs the per-particle stages (per_particle.h) of the particles of rigid bodies together with the
// bodies' shape matching (shape_match_block.h). Neither changes a particle outside the body. So where every body is one
// chunk, a thread block takes a body and runs all of these stages with only its own barriers in between. Further blocks
// take the particles that belong to no body.
//
//   prediction, planes of shapes, warm start -> shape matching                | colours of pairs |
//   shape contacts -> shape matching -> velocities, lost angular momentum given back, displacement
#define SOLID_KINDS 3
#include "backend/cuda/shape_match_block.h"
#include "backend/cuda/per_particle.h"

// Finds the thread's particle that belongs to no body; false if there is none. The particles that collide come first,
// by sorted index, then the other slots.
static __device__ __forceinline__ bool find_loose(const state &s, const list_arrays &l, bool in_cell_order,
                                                  per_particle_prefetch<4> *me)
{
    const packed_clusters *c = &s.clusters;
    int64_t i = first_item() - (int64_t)c->chunks * blockDim.x, sorted_count = in_cell_order ? l.items : 0;
    int32_t others = sorted_count && l.items == l.live ? l.live : 0;
    if (i >= sorted_count + s.slots - others)
        return false;
    me->sorted_index = i < sorted_count ? (int32_t)i : -1;
    me->slot = i < sorted_count ? l.value[i] : others + (int32_t)(i - sorted_count);
    return __ldg(c->slot_start + me->slot) == __ldg(c->slot_start + me->slot + 1) &&
           !(sorted_count && i >= sorted_count && me->slot < l.live &&
             is_free_particle(s.slot[SLOT_COLLISION], me->slot));
}

static __device__ __forceinline__ void find_member(const state &s, const list_arrays &l, bool in_cell_order,
                                                   uint32_t member, per_particle_prefetch<4> *me)
{
    me->slot = (int32_t)(member / 4);
    if (in_cell_order && me->slot < l.live && is_free_particle(s.slot[SLOT_COLLISION], me->slot))
        me->sorted_index = l.sorted_index_of[me->slot];
}

// Prefetches what the thread reads, in the order in which it reads it.
template <bool Opens>
static __device__ __forceinline__ void ask_for_it(const state &s, const launch_args &g,
                                                  const per_particle_prefetch<4> &me)
{
    size_t i = 4 * (size_t)me.slot;
    ask_for(s.slot[SLOT_D] + i);
    ask_for(s.slot[SLOT_X] + i);
    if (Opens)
        for (int e = 0; e < 4 && me.from + e < me.upto; e++)
            ask_for(s.pairs.lambda[0] + 4 * (size_t)(me.entry[e] >> 1));
    if (me.first < me.last)
        ask_for(s.shape_contacts.lambda[0] + 4 * (size_t)me.first);
    ask_for(s.slot[SLOT_NORMAL] + i);
    ask_for(s.slot[SLOT_V] + i);
    if (!Opens)
        ask_for(s.slot[SLOT_BUILD] + i);
}

// Prefetches the shapes near the particle, which no kernel writes.
static __device__ __forceinline__ void look_at_shapes(const state &s, const launch_args &g,
                                                      const per_particle_prefetch<4> &me)
{
    for (int32_t k = me.first; k < me.last && k < me.first + 2; k++)
    {
        int32_t shape = s.shape_contacts.shape[k];
        const solid *near = s.solids + shape;
        const placement *pose = s.placements + (size_t)shape * (size_t)s.placement_step + g.substep;
        ask_for(s.shape_contacts.part + k);
        for (unsigned b = 0; b < sizeof *near; b += 32)
            ask_for((const char *)near + b);
        for (unsigned b = 0; b < 2 * sizeof *pose; b += 32)
            ask_for((const char *)pose + b);
    }
}

// Prefetches the shapes and the pairs of the particle from the lists, which were built by an earlier kernel.
template <bool Shapes, bool Opens>
static __device__ __forceinline__ void look_at_lists(const state &s, const list_arrays &l, const launch_args &g,
                                                     per_particle_prefetch<4> &me)
{
    if (Shapes)
        me.near(&l);
    if (Shapes && Opens)
        look_at_shapes(s, g, me);
    if (Opens && g.per_particle & PER_PARTICLE_WARM && me.sorted_index >= 0)
        me.pairs(&l);
}

// The per-particle stages after shape matching, for the particles of a chunk or of no body. All threads of a block call
// it.
template <bool Shapes>
static __device__ __forceinline__ void end_bodies(const state &s, const list_arrays &l, const launch_args &g,
                                                  per_particle_prefetch<4> &me, const held_member &m, bool mine,
                                                  bool body, match_room *room)
{
    const packed_clusters *c = &s.clusters;
    if (mine)
        run_per_particle<Shapes, 4>(&s, &l, g, g.after & BODIES_AFTER, me);
    if (mine && body && g.after & PER_PARTICLE_TURN)
        match_spin_member(&s, c, &room->held.pose, m.k);
    if (mine)
        run_per_particle<Shapes, 4>(&s, &l, g, g.after & BODIES_AT_LAST, me);
    if (g.after & PER_PARTICLE_FARTHEST)
        raise_of_block<false>(g.maxima ? g.maxima->far : s.now->far, way_of_slot(s, me.slot, mine).far, room->part);
    if (mine && g.after & PER_PARTICLE_CHECK)
        check(MUTABLE_STATE(s), &g, me.slot, me.slot + 1);
}

// Opens: the kernel may be a substep's first.
template <bool Shapes, bool Opens>
static __global__ void __launch_bounds__(MATCH_CHUNK)
    run_bodies(const __grid_constant__ state s, const __grid_constant__ list_arrays l,
               const __grid_constant__ launch_args g)
{
    __shared__ match_room room;
    const packed_clusters *c = &s.clusters;
    int32_t chunk = (int32_t)blockIdx.x, cluster = 0;
    bool body = chunk < c->chunks, in_cell_order = ((g.per_particle | g.after) & PER_PARTICLE_IN_CELL_ORDER) != 0;
    look_at(s);
    if (!g.late)
        allow_next_kernel();
    per_particle_asking ask;
    if (Opens)
        ask.open(s, l, g);
    per_particle_prefetch<4> me = {0, -1};
    held_member m;
    bool active = substep_is_active(s.now, g), mine = false; // if the substep is not active, there may be no list
    if (body)
    {
        cluster = __ldg(c->chunk_cluster + chunk);
        int32_t k = __ldg(c->chunk_start + chunk) + (int32_t)threadIdx.x;
        mine = active && k < __ldg(c->chunk_start + chunk + 1);
        m.load(s, k, mine);
        copy_words(&room.held.body, c->body + cluster);
        if (mine)
            find_member(s, l, in_cell_order, m.member, &me);
    }
    else if (active)
        mine = find_loose(s, l, in_cell_order, &me);
    if (mine)
        look_at_lists<Shapes, Opens>(s, l, g, me);
    wait_for_previous_writes();
    if (mine)
        ask_for_it<Opens>(s, g, me);
    stamp_time(g);
    if (g.late)
        allow_next_kernel();
    if (!substep_is_active(s.now, g) || (Opens && !ask.holds(s, l, g)))
        return;
    if (body)
        take_pose(s, chunk, cluster, &room);
    if (Opens && mine && g.faces)
        store_points(g.faces + 4 * (size_t)me.slot, load_points(s.slot[SLOT_NORMAL] + 4 * (size_t)me.slot));
    if (Opens && mine && g.lead)
        lead_per_particle(&s, g, me.slot);
    if (mine)
        run_per_particle<Shapes, 4>(&s, &l, g, g.per_particle & (Opens ? BODIES_BEFORE : PER_PARTICLE_SHAPE_CONTACTS),
                                    me);
    if (body)
    {
        m.faced = Opens && g.faces ? g.faces : m.faced;
        __syncthreads();
        match_whole(s, g, chunk, cluster, m, mine, &room);
    }
    if (g.after)
        end_bodies<Shapes>(s, l, g, me, m, mine, body, &room);
}

// ---- launches ------------------------------------------------------------------------------------------------------

bool launch_bodies(device *d, const launch_args *g, bool early, device_error *why)
{
    const packed_clusters *c = &d->captured.clusters;
    int64_t loose = d->captured.slots;
    if ((g->per_particle | g->after) & PER_PARTICLE_IN_CELL_ORDER && d->lists.items < d->lists.live)
        loose += d->lists.items;
    int threads = (c->widest + 31) / 32 * 32;
    int64_t blocks = c->chunks + (loose + threads - 1) / threads;
    bool opens = g->lead || g->per_particle & BODIES_OPEN,
         shapes = (g->per_particle | g->after) & PER_PARTICLE_OF_SHAPES;
    auto *kernel = opens ? (shapes ? run_bodies<true, true> : run_bodies<false, true>)
                         : (shapes ? run_bodies<true, false> : run_bodies<false, false>);
    return start(why, d->stream, early, threads * blocks, threads, 0, kernel, d->captured, d->lists, *g);
}
