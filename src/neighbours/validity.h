// validity.h: how long a neighbour list holds; the one rule for every list and every backend.
//
// A list made with a margin holds every pair that can come within its reach as long as no two particles have moved relative to each
// other by more than the margin since. All lists of a world are made at one moment, from the positions in SLOT_BUILD; before each substep
// this is bounded from above:
//   d        how far a particle has moved since SLOT_BUILD
//   stride   how far it may move in a substep: 1.25 |v| h + |g| h^2
//   apart    how far two may have moved relative to each other by the substep's end, the lesser of
//              2 (the greatest |d| + the greatest stride)
//              the diagonal of the box, along the axes, of 0, all d, and all d + 1.25 v h, and |g| h^2
// Any two of all d differ by no more than the diagonal of the box that contains them: a particle that falls onto one at rest counts
// once, not twice. A particle that is stopped on its way is in the box at both ends of it, and 0 is in it for what does not move. Two
// particles that fall are not moved apart by gravity, but one that falls and one that is held are. What a particle gains from others within the
// substep is not in the box: it is covered by the quarter that is added to every speed, or is found one substep late.
//
// A list also ends when its margin has become twice what the speed asks for: most of its pairs would never meet.
// A list that is made with no margin, at the positions at which it is used, always holds (heat, once a frame).
#pragma once
#include "model/state.h"

#define MARGIN_LEAST 0.15f // radii
#define MARGIN_MOST 1.5f
#define MARGIN_SPARSE 1.9f    // for lists of few pairs: 4 radii from a ball in a cloth are those beyond its neighbours
#define MARGIN_SUBSTEPS 10.0f // that a list is to last at the present speed

// By the end of the substep, at the most.
typedef struct travel
{
    float stride; // in the substep alone
    float come;   // how far a particle is from where it was listed
    float apart;  // how far two have moved relative to each other
} travel;

// What one particle adds to flow.far, which holds maxima; what is below 0 adds nothing.
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

// What gravity adds to a particle's way in a substep.
PL_FN float fall_of(const state *s)
{
    const float *g = s->gravity;
    return root(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) * s->h * s->h;
}

PL_FN float way_of(const state *s, float speed_squared, float fall)
{
    return 1.25f * root(speed_squared) * s->h + fall;
}

// From the maxima that a substep of length h has found. After a substep of another length the box does not bound the next one.
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

// Before a substep, which finds its own maxima.
PL_FN void travel_forget(const state *s)
{
    for (int k = 0; k < FAR_COUNT; k++)
        s->now->far[k] = 0.0f;
    s->now->far_h = s->h;
}

// Did a list have so few pairs that the next may be wider?
PL_FN bool list_is_sparse(int32_t particles, int64_t pairs) { return pairs < particles; }

// The margin of a list that is made now. radius: the largest.
PL_FN float margin_for(float stride, float radius, bool sparse)
{
    float wanted = 2.0f * (MARGIN_SUBSTEPS * stride), least = MARGIN_LEAST * radius,
          most = (sparse ? MARGIN_SPARSE : MARGIN_MOST) * radius;
    return wanted < least ? least : wanted > most ? most : wanted;
}

// Does a list made with `margin` hold for the substep? wanted: the margin of a list that would be made now.
PL_FN bool neighbours_hold(travel t, float margin, float wanted)
{
    return !(t.apart > margin || margin > 2.0f * wanted);
}

#endif
