// list_validity.h: tests whether the lists of contacts and of self-collision stay valid for a substep. Frames with
// branches and speculative frames call it before each substep.
#pragma once
#include "backend/cuda/device_internal.h"

#include "stages/list_validity.h"
#include "stages/surface_list_validity.h"

// How far the shapes have moved since the lists were made, at most. One warp calls it, and all lanes get the same
// result. No kernel between two list builds writes what is read here.
static __device__ __forceinline__ float shapes_moved(const state &s, const list_arrays &l, int substep)
{
    float most = 0.0f;
    for (int32_t i = (int32_t)threadIdx.x; i < l.shapes; i += 32)
    {
        const placement *to = s.placements + (size_t)i * (size_t)s.placement_step + substep + 1;
        float moved = placement_moved(l.built + i, to, s.solids[i].reach);
        most = moved > most ? moved : most;
    }
    for (int half = 16; half && l.shapes; half /= 2)
    {
        float other = __shfl_sync(0xffffffffu, most, (int)threadIdx.x ^ half);
        most = other > most ? other : most;
    }
    return most;
}

// Is there a complete list? carried: a list was begun and ran out of memory.
static __device__ __forceinline__ bool lists_stand(const list_now *now)
{
    return !now->stale && now->listed && !now->carried;
}

// shapes: how far the shapes have moved.
static __device__ __forceinline__ bool lists_reach(const list_arrays &l, travel far, float shapes)
{
    margins m = {l.now->search.margin, l.now->shape_contact_margin};
    return lists_hold(far, l.items + l.client_items > 0, l.shapes > 0, m,
                      margins_for(far.stride, l.radius, l.now->sparse), shapes);
}

// Loads the kernel arguments before the wait, because the first access to them is slow.
static __device__ __forceinline__ float look_ahead(const state &s, const list_arrays &l)
{
    float fall = fall_of(&s);
#if defined(__CUDA_ARCH__)
    asm volatile("" ::"l"(s.now), "f"(s.h), "f"(fall), "l"(l.now), "r"(l.items), "f"(l.radius));
#endif
    return fall;
}

static __device__ __forceinline__ bool surface_holds(const state &s, const surface_now *now, const list_now *lists,
                                                     int substep)
{
    return now->made == substep + 1 ||
           (!lists->stale && now->listed && now->crossings == 0 &&
            surface_list_holds(s.now->surface_age, s.h, now->horizon, s.now->drifted, now->margin));
}
