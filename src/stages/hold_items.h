// hold_items.h: the multipliers of a contact, where they lie.
#pragma once
#include "constraints/contact.h"
#include "stages/items.h"

// The four multipliers of a contact: in columns, so that lanes lie side by side; for a CUDA thread, which takes one contact at a
// time from anywhere, the four lie together.
#if defined(__CUDACC__)

PL_FN f32 load_normal(float *const *lambda, size_t k) { return lambda[0][4 * k]; }

PL_FN hold load_hold(float *const *lambda, size_t k)
{
    point p = load_points(lambda[0] + 4 * k);
    hold h = {p.x, vec_of(p.y, p.z, p.w)};
    return h;
}

PL_FN void store_hold(float *const *lambda, size_t k, hold h)
{
    point p = {h.normal, h.tangent.x, h.tangent.y, h.tangent.z};
    store_points(lambda[0] + 4 * k, p);
}

#else

PL_FN f32 load_normal(float *const *lambda, size_t k) { return load(lambda[0] + k); }

PL_FN hold load_hold(float *const *lambda, size_t k)
{
    hold h = {load(lambda[0] + k), vec_of(load(lambda[1] + k), load(lambda[2] + k), load(lambda[3] + k))};
    return h;
}

PL_FN void store_hold(float *const *lambda, size_t k, hold h)
{
    store(lambda[0] + k, h.normal);
    store(lambda[1] + k, h.tangent.x);
    store(lambda[2] + k, h.tangent.y);
    store(lambda[3] + k, h.tangent.z);
}

#endif

PL_FN hold pick_hold(i32 mask, hold a, hold b)
{
    hold h = {pick(mask, a.normal, b.normal),
              vec_of(pick(mask, a.tangent.x, b.tangent.x), pick(mask, a.tangent.y, b.tangent.y),
                     pick(mask, a.tangent.z, b.tangent.z))};
    return h;
}
