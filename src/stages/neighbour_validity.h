// neighbour_validity.h: decides how long a neighbour list stays valid. This is the one rule for every list and every backend.
//
// A list made with a margin holds every pair that can come within its reach as long as no two particles have moved
// relative to each other by more than the margin since it was made. All lists of a world are made at the same time,
// from the positions in SLOT_BUILD. Before each substep the relative motion is bounded from above:
//   d        how far a particle has moved since SLOT_BUILD
//   stride   how far it may move in a substep: 1.25 |v| h + |g| h^2
//   apart    how far two particles may have moved relative to each other by the end of the substep, the lesser of
//              2 (the greatest |d| + the greatest stride)
//              the diagonal of the axis-aligned box of 0, all d and all d + 1.25 v h, plus |g| h^2
// Any two values of d differ by no more than the diagonal of the box that contains them: a particle that falls onto one
// at rest counts once, not twice. A particle that is stopped on its way is in the box at both ends of its path, and 0
// is in the box for particles that do not move. Gravity does not move two falling particles apart, but it moves a
// falling particle away from a fixed one. Velocity that a particle gains from others within the substep is not in the
// box: the quarter that is added to every speed covers it, or it is found one substep late.
//
// A list also becomes invalid when its margin is more than twice what the present speed calls for: most of its pairs
// would never touch. A list that is made without a margin, at the positions at which it is used, is always valid (heat,
// once a frame).
#pragma once
#include "model/state.h"

#define MARGIN_LEAST 0.15f // in radii, like MARGIN_MOST and MARGIN_SPARSE
#define MARGIN_MOST 1.5f
// For lists of few pairs: particles 4 radii from a ball in a cloth are the ones beyond its direct neighbours.
#define MARGIN_SPARSE 1.9f
#define MARGIN_SUBSTEPS 10.0f // substeps that a list should last at the present speed

// Upper bounds at the end of the substep.
typedef struct travel
{
    float stride; // motion of a particle in the substep alone
    float come;   // distance of a particle from where it was listed
    float apart;  // relative motion of two particles since then
} travel;

// Computes what one particle contributes to flow.far, which holds maxima; values below 0 contribute nothing.
PL_FN void look_far(const state *s, vec come, vec v, f32 *far)
{
    float pace = 1.25f * s->h;
    vec next = {come.x + pace * v.x, come.y + pace * v.y, come.z + pace * v.z};
    f32 *ways = far + FAR_WAYS;
    far[FAR_MOVED] = square(come), far[FAR_SPEED] = square(v);
    ways[0] = most(come.x, next.x), ways[3] = most(-come.x, -next.x);
    ways[1] = most(come.y, next.y), ways[4] = most(-come.y, -next.y);
    ways[2] = most(come.z, next.z), ways[5] = most(-come.z, -next.z);
}

#if LANES == 1

// The distance that gravity adds to a particle's path in a substep: |g| h^2.
PL_FN float fall_of(const state *s)
{
    const float *g = s->gravity;
    return root(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) * s->h * s->h;
}

PL_FN float way_of(const state *s, float speed_squared, float fall)
{
    return 1.25f * root(speed_squared) * s->h + fall;
}

// Computes the bounds from the maxima that a substep of length h found. If the next substep has another length, the box
// does not bound it and only the first bound is used.
PL_FN travel travel_from(const state *s, const float *far, float h, float fall)
{
    const float *ways = far + FAR_WAYS;
    float x = ways[0] + ways[3], y = ways[1] + ways[4], z = ways[2] + ways[5];
    float stride = way_of(s, far[FAR_SPEED], fall), come = root(far[FAR_MOVED]) + stride,
          box = root(x * x + y * y + z * z) + fall;
    travel t = {stride, come, h == s->h && box < 2.0f * come ? box : 2.0f * come};
    return t;
}

PL_FN travel travel_of(const state *s, float fall) { return travel_from(s, s->now->far, s->now->far_h, fall); }

// Clears the maxima before a substep, which computes its own.
PL_FN void travel_forget(const state *s)
{
    for (int k = 0; k < FAR_COUNT; k++)
        s->now->far[k] = 0.0f;
    s->now->far_h = s->h;
}

// Does a list have so few pairs that the next one may have a wider margin?
PL_FN bool list_is_sparse(int32_t particles, int64_t pairs) { return pairs < particles; }

// The margin for a list that is made now. radius: the largest.
PL_FN float margin_for(float stride, float radius, bool sparse)
{
    float wanted = 2.0f * (MARGIN_SUBSTEPS * stride), least = MARGIN_LEAST * radius,
          most = (sparse ? MARGIN_SPARSE : MARGIN_MOST) * radius;
    return wanted < least ? least : wanted > most ? most : wanted;
}

// Is a list made with `margin` valid for the substep? wanted: the margin that a list made now would get.
PL_FN bool neighbours_hold(travel t, float margin, float wanted)
{
    return !(t.apart > margin || margin > 2.0f * wanted);
}

#endif
