// contact_items.h: contacts of particles, all of them; who presses, and how far everyone has come.
#pragma once
#include "stages/pair_items.h"
#include "stages/touch_items.h"

// A contact that presses may begin or cease to hold at any time: second order has no history to trust.
PL_FN void any_pressing(state *s, const int32_t *row, int32_t step, float *const *lambda, int32_t begin, int32_t end)
{
    int found = 0;
    for (int32_t r = row[begin]; r < row[end]; r++)
        for (size_t k = (size_t)r * (size_t)step, last = k + PAD; k < last; k += LANES)
            found |= anywhere(load_normal(lambda, k) != 0.0f);
    if (found)
        flag_up(&s->now->event);
}

STAGE_FN void pairs_event(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    any_pressing(s, s->pairs.groups.row, s->pairs.step, s->pairs.lambda, begin, end);
}

STAGE_FN void touch_event(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    any_pressing(s, s->touches.groups.row, PAD, s->touches.lambda, begin, end);
}

// The greater of two numbers that are not negative: their bits sort as integers do, so the order of meeting does not matter.
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

STAGE_FN void farthest(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    f32 moved = splat(0.0f), speed = splat(0.0f);
    for (int32_t k = begin; k < end; k += LANES)
    {
        size_t i = 4 * (size_t)k;
        point x = load_points(s->slot[SLOT_X] + i), from = load_points(s->slot[SLOT_BUILD] + i);
        moved = most(square(sub(at(x), at(from))), moved);
        speed = most(square(at(load_points(s->slot[SLOT_V] + i))), speed);
    }
    raise_to(&s->now->moved, greatest(moved));
    raise_to(&s->now->speed, greatest(speed));
}
