// stage_common.h: what every file of stages needs. A stage is a function that processes the items [begin, end), on
// every backend. A CPU worker passes a long range and processes LANES items at a time; a CUDA thread passes one item.
// Only the distribution of ranges differs between backends.
#pragma once
#include "kernels/displacement.h"
#include "model/state.h"
#include "plan/stage.h"

#include <string.h>

#if defined(__CUDACC__)
#define STAGE_FN static __device__ __forceinline__
#else
#define STAGE_FN PL_UNIT
#endif

// On a GPU the loads of several loop iterations are issued before the first is used.
#if defined(__CUDA_ARCH__)
#define FOUR_AT_ONCE _Pragma("unroll 4")
#define SIXTEEN_AT_ONCE _Pragma("unroll 16")
#else
#define FOUR_AT_ONCE
#define SIXTEEN_AT_ONCE
#endif

// Reports an event to the host. All writers store 1, so their order does not matter.
PL_FN void flag_up(int32_t *flag)
{
#if defined(__CUDACC__)
    atomicExch(flag, 1);
#else
    __atomic_store_n(flag, 1, __ATOMIC_RELAXED);
#endif
}

// Atomic maximum of numbers that are not negative: their bits sort as integers do, so the order does not matter.
PL_FN void raise_to(float *most_so_far, float a)
{
    int32_t bits;
    memcpy(&bits, &a, sizeof bits);
#if defined(__CUDACC__)
    atomicMax((int32_t *)most_so_far, bits);
#else
    int32_t *to = (int32_t *)(void *)most_so_far, seen = __atomic_load_n(to, __ATOMIC_RELAXED);
    while (bits > seen && !__atomic_compare_exchange_n(to, &seen, bits, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
#endif
}

PL_FN float greatest(f32 a)
{
    float lanes[LANES], r = 0.0f;
    store(lanes, a);
    for (int i = 0; i < LANES; i++)
        r = lanes[i] > r ? lanes[i] : r;
    return r;
}

// The position of a particle relative to an origin near it, with its displacement; i: 4 * slot.
PL_FN vec slot_from(const state *s, size_t i, vec origin)
{
    return add(sub(at(load_points(s->slot[SLOT_X] + i)), origin), at(load_points(s->slot[SLOT_D] + i)));
}

// Position and inverse mass of a particle between two substeps; i: 4 * slot.
PL_FN point slot_at(const state *s, size_t i)
{
    point x = load_points(s->slot[SLOT_X] + i);
    x.w = load_points(s->slot[SLOT_D] + i).w;
    return x;
}

// BDF2 needs a history; without one the substep is of first order.
PL_FN bool second_order(const state *s) { return s->second && s->now->smooth > 0; }
