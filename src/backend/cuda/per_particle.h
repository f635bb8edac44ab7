// per_particle.h: the stages in which a particle changes only itself, as one kernel with a thread for each particle:
// planes of shapes, warm start, shape contacts, velocity, restitution against shapes, displacement, the check for bad
// values, the next prediction. PER_PARTICLE_STAGES in schedule.h gives their order. per_particle.cu compiles it for all
// shapes, per_particle_simple.cu for simple ones, oriented_contacts.cu for oriented particles, rigid_fused.cu together
// with the shape matching of rigid bodies.
#pragma once
#include "backend/cuda/warm_start.h"
#include "stages/shape_match_spin_stages.h"
#include "stages/stabilise_stages.h"

static __device__ __forceinline__ void look_at(const state &s)
{
#if defined(__CUDA_ARCH__)
    asm volatile("" ::"l"(s.slot[SLOT_X]), "l"(s.slot[SLOT_D]), "l"(s.slot[SLOT_FORCE]), "r"(s.faces.count),
                 "r"(s.field_count), "f"(s.wind.half_density), "r"(s.contact.bouncy), "l"(s.now), "f"(s.h));
#else
    (void)s;
#endif
}

static __device__ __forceinline__ bool pair_presses(const state *s, const list_arrays *l, int32_t sorted_index)
{
    for (int32_t e = l->start[sorted_index]; e < l->start[sorted_index + 1]; e++)
        if (load_normal(s->pairs.lambda, (size_t)l->row_of[e]) != 0.0f)
            return true;
    return false;
}

// Prefetches an address that is read a little later.
static __device__ __forceinline__ void ask_for(const void *p)
{
#if defined(__CUDA_ARCH__)
    asm volatile("prefetch.global.L1 [%0];" ::"l"(p));
#else
    (void)p;
#endif
}

// Raises far[] to the maxima of a warp: the warp reduces them first, then one lane raises each, to keep atomics few.
static __device__ __forceinline__ void raise_far(float *far, const float *one)
{
#if __CUDA_ARCH__ >= 800
    unsigned lane = threadIdx.x & 31, mine = 0;
    UNROLL
    for (unsigned i = 0; i < FAR_COUNT; i++)
    {
        unsigned bits = __reduce_max_sync(0xffffffffu, one[i] > 0.0f ? __float_as_uint(one[i]) : 0u);
        mine = lane == i ? bits : mine;
    }
    if (lane < FAR_COUNT && mine > __float_as_uint(((volatile float *)far)[lane]))
        raise_to(far + lane, __uint_as_float(mine));
#else
    for (int i = 0; i < FAR_COUNT; i++)
        raise_to(far + i, one[i] > 0.0f ? one[i] : 0.0f);
#endif
}

// Raises far[] to the maxima of a thread block. Look: reads the old value first and skips the atomic if it is not
// needed. The read takes a while, but where there are many blocks their atomics would compete for the few addresses.
// All threads must call it. room: 32 floats for each warp.
template <bool Look>
static __device__ __forceinline__ void raise_of_block(float *far, const float *one, float (*room)[32])
{
#if __CUDA_ARCH__ >= 800
    const unsigned lane = threadIdx.x % 32, warps = blockDim.x / 32;
    unsigned mine = 0;
    UNROLL
    for (unsigned i = 0; i < FAR_COUNT; i++)
    {
        unsigned bits = __reduce_max_sync(0xffffffffu, one[i] > 0.0f ? __float_as_uint(one[i]) : 0u);
        mine = lane == i ? bits : mine;
    }
    if (lane < FAR_COUNT)
        room[threadIdx.x / 32][lane] = __uint_as_float(mine);
    __syncthreads();
    if (threadIdx.x >= FAR_COUNT)
        return;
    for (unsigned w = 1; w < warps; w++)
        mine = max(mine, __float_as_uint(room[w][lane]));
    if (mine > (Look ? __float_as_uint(((volatile float *)far)[lane]) : 0u))
        raise_to(far + lane, __uint_as_float(mine));
#else
    (void)room;
    raise_far(far, one);
#endif
}

// Begins the substep. The positions that other threads read do not change.
static __device__ __forceinline__ void lead_per_particle(const state *s, const launch_args &g, int32_t slot)
{
    if (g.lead & PER_PARTICLE_AIR)
        sum_air(const_cast<state *>(s), &g, slot, slot + 1);
    predict(const_cast<state *>(s), &g, slot, slot + 1);
}

// In a speculative frame: checks whether the lists are still valid. Every block checks for itself
// (speculative_frame.cu).
struct per_particle_asking
{
    float shapes, fall;

    // Reads what does not depend on the previous kernel; called before waiting for it.
    __device__ __forceinline__ void open(const state &s, const list_arrays &l, const launch_args &g)
    {
        __shared__ float moved;
        if (!g.tested)
            return;
        if (threadIdx.x < 32)
        {
            float most = shapes_moved(s, l, g.substep);
            if (threadIdx.x == 0)
                moved = most;
        }
        fall = look_ahead(s, l);
        __syncthreads();
        shapes = moved;
    }

    __device__ __forceinline__ bool holds(const state &s, const list_arrays &l, const launch_args &g) const
    {
        if (!g.tested)
            return true;
        bool lists_valid = lists_reach(l, travel_from(&s, g.tested->far, s.h, fall), shapes);
        if (first_item() == 0 && g.stamp)
            g.stamp[-1] = g.stamp[0];
        if (first_item() == 0 && lists_valid)
            *g.cleared = way_now{};
        else if (first_item() == 0)
            s.now->to = g.substep;
        return lists_valid;
    }
};

// Runs a particle's stages. per_particle: the bits of these stages. Shapes: false leaves out contacts with shapes,
// whose geometry takes many registers.
template <bool Shapes, int Warm>
static __device__ __forceinline__ void run_per_particle(const state *s, const list_arrays *l, const launch_args &g,
                                                        uint32_t per_particle, per_particle_prefetch<Warm> &me)
{
    int32_t slot = me.slot, sorted_index = me.sorted_index, first = me.first, last = me.last;
    if (per_particle & PER_PARTICLE_REMEMBER)
        remember(const_cast<state *>(s), &g, slot, slot + 1);
    if (Shapes && per_particle & PER_PARTICLE_PROBE)
        for (int32_t k = first; k < last; k++)
            if (s->shape_contacts.part[k] == 0)
                probe_shape_contact(s, &g, (size_t)k);
#if defined(CONTACTS_TURN)
    if (per_particle & PER_PARTICLE_WARM && sorted_index >= 0)
        warm_start_oriented(s, l, me);
#else
    if (per_particle & PER_PARTICLE_WARM && sorted_index >= 0)
        warm_start_particle(s, l, me);
#endif
    if (Shapes && per_particle & PER_PARTICLE_SHAPE_CONTACT_WARM)
        for (int32_t k = first; k < last; k++)
            warm_shape_contact(s, &s->shape_contacts, (size_t)k);
    if (Shapes && per_particle & PER_PARTICLE_SHAPE_CONTACTS)
        for (int32_t k = first; k < last; k++)
            visit_shape_contact(s, &s->shape_contacts, (size_t)k);
    if (Shapes && per_particle & PER_PARTICLE_GUARD)
        for (int32_t k = first; k < last; k++)
            if (s->shape_contacts.part[k] == 0 && s->solids[s->shape_contacts.shape[k]].kind >= SOLID_MESH)
                guard_shape_contact(s, &g, (size_t)k);
    if (per_particle & PER_PARTICLE_VELOCITY)
        update_velocity(const_cast<state *>(s), &g, slot, slot + 1);
    if (per_particle & PER_PARTICLE_TURN)
        match_turn_slot(s, slot);
    if (Shapes && per_particle & PER_PARTICLE_SHAPE_CONTACT_RELEASE)
        for (int32_t k = first; k < last; k++)
            release_shape_contact(s, &s->shape_contacts, (size_t)k);
    if (Shapes && per_particle & PER_PARTICLE_SHAPE_CONTACT_BOUNCE)
        for (int32_t k = first; k < last; k++)
            bounce_shape_contact(s, &s->shape_contacts, (size_t)k);
    bool presses = per_particle & PER_PARTICLE_PAIRS_EVENT && sorted_index >= 0 && pair_presses(s, l, sorted_index);
    if (Shapes && per_particle & PER_PARTICLE_SHAPE_CONTACT_EVENT)
        for (int32_t k = first; k < last; k++)
            presses |= load_normal(s->shape_contacts.lambda, (size_t)k) != 0.0f;
    if (presses)
        flag_up(&s->now->event);
    if (per_particle & PER_PARTICLE_AIR)
        sum_air(const_cast<state *>(s), &g, slot, slot + 1);
    if (per_particle & PER_PARTICLE_PREDICT)
        predict(const_cast<state *>(s), &g, slot, slot + 1);
    if (Shapes && per_particle & PER_PARTICLE_LIFT)
        for (int32_t k = first; k < last; k++)
            if (s->shape_contacts.part[k] == 0)
                lift_shape_contact(s, &g, (size_t)k);
}

// Returns the displacement of a particle since its list was made, and its speed.
static __device__ __forceinline__ way_now way_of_slot(const state &s, int32_t slot, bool mine)
{
    size_t i = 4 * (size_t)slot;
    point x = load_points(s.slot[SLOT_X] + i), from = load_points(s.slot[SLOT_BUILD] + i);
    way_now way = {};
    if (mine)
        look_far(&s, sub(at(x), at(from)), at(load_points(s.slot[SLOT_V] + i)), way.far);
    return way;
}

// Raises the maxima of displacement and speed and runs the check. All threads of a block must call it.
static __device__ __forceinline__ void end_per_particle(const state &s, const launch_args &g, int32_t slot, bool mine)
{
    if (g.per_particle & PER_PARTICLE_FARTHEST)
    {
        __shared__ float room[WIDE / 32][32];
        way_now way = way_of_slot(s, slot, mine);
        float *far = g.maxima ? g.maxima->far : s.now->far;
        if (blockDim.x > THREADS)
            raise_of_block<true>(far, way.far, room);
        else
            raise_far(far, way.far);
    }
    if (mine && g.per_particle & PER_PARTICLE_CHECK)
        check(MUTABLE_STATE(s), &g, slot, slot + 1);
}

// Threads take the particles that collide by sorted index, so that neighbours in space are neighbours in memory, and
// then the other slots.
template <bool Shapes, int Warm>
static __global__ void __launch_bounds__(WIDE)
    run_per_particle_kernel(const __grid_constant__ state s, const __grid_constant__ list_arrays l,
                            const __grid_constant__ launch_args g)
{
    int64_t i = first_item(),
            sorted_count = g.per_particle & (PER_PARTICLE_WARM | PER_PARTICLE_PAIRS_EVENT) ? l.items : 0;
    // The first slot that may belong to a particle that is not in the list.
    int32_t others = sorted_count && l.items == l.live ? l.live : 0;
    look_at(s);
    if (!g.late)
        allow_next_kernel();
    per_particle_asking ask;
    ask.open(s, l, g);
    // If the substep is not active, there may be no list.
    bool mine = substep_is_active(s.now, g) && i < sorted_count + s.slots - others;
    per_particle_prefetch<Warm> me = {0, -1};
    if (mine && i < sorted_count)
        me.slot = l.value[me.sorted_index = (int32_t)i];
    else if (mine)
        me.slot = others + (int32_t)(i - sorted_count);
    if (mine && Shapes)
        me.near(&l);
    bool warm = mine && g.per_particle & PER_PARTICLE_WARM && me.sorted_index >= 0;
    if (Warm > 1 && warm)
        me.pairs(&l);
    wait_for_previous_writes();
    stamp_time(g);
    if (g.late)
        allow_next_kernel();
    if (!substep_is_active(s.now, g) || !ask.holds(s, l, g))
        return;
    if (Warm == 1 && warm) // a large scene leaves no waiting time in which to read them earlier
        me.pairs(&l);
    int32_t slot = me.slot;
    if (mine && me.sorted_index < 0)
        mine = !(sorted_count && slot < l.live && is_free_particle(s.slot[SLOT_COLLISION], slot));
    if (mine && g.lead)
        lead_per_particle(&s, g, slot);
    if (mine)
        run_per_particle<Shapes, Warm>(&s, &l, g, g.per_particle, me);
    end_per_particle(s, g, slot, mine);
}
