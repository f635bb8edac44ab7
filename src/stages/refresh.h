// refresh.h: how long lists of contacts hold, and what goes into them: decided alike on every backend.
//   d        how far a particle has come since lists were made
//   stride   how far it may come in a substep: 1.25 |v| h + |g| h^2
//   apart    how far two may have come from each other by the substep's end, the lesser of
//              2 (the greatest |d| + the greatest stride)
//              the diagonal of the box, along the axes, of 0, all d, and all d + 1.25 v h, and |g| h^2
//   a list of pairs holds while that is within its margin
// In the box of what all have come any two are no farther apart than its diagonal: what falls onto what rests is counted once, not twice.
// A particle that is stopped on its way is in the box at both ends of it, and 0 is in it for what does not move. Two that fall differ by no
// gravity, but what lies or is held does not fall. What one is given by another
// in the substep is not in the box: it has the quarter that is added to every speed, and may be found a substep late. The rest of the story is in world/contacts.h.
#pragma once
#include "collide/crowd.h"
#include "world/state.h"

#define MARGIN_LEAST 0.15f // radii
#define MARGIN_MOST 1.5f
#define MARGIN_SPARSE                                                                                                  \
    1.9f // ... where few are near each other: 4 radii from a ball in a cloth lie those beyond its neighbours
#define MARGIN_SUBSTEPS 10.0f // that a list is to last at the speed of now

typedef struct margins
{
    float pairs, touches;
} margins;

// By the end of the substep, at the most.
typedef struct travel
{
    float stride; // in the substep alone
    float come;   // how far a particle is from where it was listed
    float apart;  // how far two have moved, as they see each other
} travel;

// What one particle adds to flow.far; what is below 0 adds nothing.
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

// For each part of a touch two entries are kept: its multipliers, and the normal of its plane (for shapes of several parts).
PL_FN int32_t touch_key(uint32_t thing, int part, bool normal)
{
    return (int32_t)(2 * FACETS * thing) + (normal ? FACETS : 0) + part;
}

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

// What a substep of length h has found. After a step of another length nobody knows where the next one leads in the box.
PL_FN travel travel_from(const state *s, const float *far, float h, float fall)
{
    const float *ways = far + FAR_WAYS;
    float x = ways[0] + ways[3], y = ways[1] + ways[4], z = ways[2] + ways[5];
    float stride = way_of(s, far[FAR_SPEED], fall), come = root(far[FAR_MOVED]) + stride,
          box = root(x * x + y * y + z * z) + fall;
    travel t = {stride, come, h == s->h && box < 2.0f * come ? box : 2.0f * come};
    return t;
}

// The last one.
PL_FN travel travel_of(const state *s, float fall) { return travel_from(s, s->now->far, s->now->far_h, fall); }

// Before a substep: what it will have found.
PL_FN void travel_forget(const state *s)
{
    for (int k = 0; k < FAR_COUNT; k++)
        s->now->far[k] = 0.0f;
    s->now->far_h = s->h;
}

// Did a list have so few pairs that the next may be wider?
PL_FN bool list_is_sparse(int32_t colliders, int64_t pairs) { return pairs < colliders; }

// For a particle of this stride.
PL_FN margins margins_for(float stride, float radius, bool sparse)
{
    float some = MARGIN_SUBSTEPS * stride, wanted = 2.0f * some, least = MARGIN_LEAST * radius,
          most = (sparse ? MARGIN_SPARSE : MARGIN_MOST) * radius;
    margins m = {wanted < least ? least : wanted > most ? most : wanted, some};
    if (m.touches < m.pairs) // both lists are made together: that of few is not to be the first that no longer holds
        m.touches = m.pairs;
    return m;
}

// How far a point of the shape has come from one placement to another, at the most.
PL_FN float placement_moved(const placement *from, const placement *to, float reach)
{
    float far = 0.0f, turned = 0.0f;
    for (int k = 0; k < 3; k++)
        far += (to->at[k] - from->at[k]) * (to->at[k] - from->at[k]);
    for (int k = 0; k < 9; k++)
        turned += (to->turn[k] - from->turn[k]) * (to->turn[k] - from->turn[k]);
    float moved = root(far);
    if (turned > 0.0f)
        moved += reach > 0.0f ? reach * root(turned) : 1e30f; // a plane that turns reaches everywhere
    return moved;
}

// shapes: how far a surface may have come by the end of the substep. A list whose margin is twice what is wanted now is too wide.
PL_FN bool lists_hold(travel t, bool pairs, bool touches, margins m, margins wanted, float shapes)
{
    if (pairs && (t.apart > m.pairs || m.pairs > 2.0f * wanted.pairs))
        return false;
    return !touches || t.come + shapes <= m.touches;
}

// Cells of a height field are looked at one by one: for a particle that flies far, its box will do.
PL_FN bool ground_is_far(const state *s, const solid *solid, vec p, float reach)
{
    heightfield f = field_of(geometry_of(s->shape_data, solid));
    vec low = field_corner(&f, 0, 0), high = field_corner(&f, f.size[0] - 1, f.size[1] - 1);
    if (p.y > f.high + reach || p.x < low.x - reach || p.x > high.x + reach || p.z < low.z - reach ||
        p.z > high.z + reach)
        return true;
    int found = 1;
    if (reach < 4.0f * f.spacing[0])
        field_probe(&f, p, reach, &found);
    return !found;
}

// Is a particle near enough to a shape to be held against it? stride: how far the shape comes in the substep.
PL_FN bool is_near(const state *s, int32_t slot, int32_t number, int substep, float fall, float margin, float stride)
{
    const solid *solid = &s->solids[number];
    const float *x = s->slot[SLOT_X] + 4 * (size_t)slot, *v = s->slot[SLOT_V] + 4 * (size_t)slot;
    if (x[3] == 0.0f || !(phase_of(s->slot[SLOT_GRAIN], slot) >> PHASE_MASK_AT & (uint32_t)solid->mask))
        return false;
    const placement *place = s->placements + (size_t)number * (size_t)s->placement_step + substep;
    float way = way_of(s, v[0] * v[0] + v[1] * v[1] + v[2] * v[2], fall) + stride;
    float reach = s->slot[SLOT_GRAIN][4 * (size_t)slot] + (way > margin ? way : margin);
    vec p = into_frame(place, vec_of(x[0], x[1], x[2]));
    float far = solid->reach + reach;
    if (solid->kind == SOLID_FIELD)
        return !ground_is_far(s, solid, p, reach + solid->size[3]);
    if (solid->reach > 0.0f && !(solid->flags & SOLID_INSIDE) && square(p) > far * far)
        return false;
    return probe_solid(s->shape_data, solid, p, reach).distance < reach;
}

#endif
