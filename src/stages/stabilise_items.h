// stabilise_items.h: taking overlap away before a substep, without making velocity of it.
//   C = |a - b| - (1 - SLOP) reach < 0        a += wa p n,  b -= wb p n,  p = -C/(wa + wb)
// The substep's start moves along, so that the velocity (x - x0)/h knows nothing of it, and no multiplier is kept. A pile at rest
// stands on overlaps below SLOP of the reach, which are left alone: to take them away each time would make it creep.
// Macklin, Mueller, Chentanez, Kim 2014, section 4.4. Units: m.
#pragma once
#include "stages/contact_items.h"

#define STABLE_SLOP 0.01f

PL_FN void move_by(float *array, const uint32_t *index, vec by)
{
    point p = gather(array, index);
    p.x = p.x + by.x, p.y = p.y + by.y, p.z = p.z + by.z;
    scatter(array, index, p);
}

#if LANES == 1

// It is moved, not turned: what takes overlap away shall leave no speed.
PL_FN void part_pair_turning(const state *s, const packed_pairs *p, size_t k)
{
    uint32_t ia = p->index[0][k], ib = p->index[1][k];
    point a = gather(s->slot[SLOT_X], &ia), b = gather(s->slot[SLOT_X], &ib);
    faces by = pair_faces(s, &ia, &ib);
    if (!contact_live(a, b, p->reach[k], 0.0f) || !(a.w + b.w > 0.0f) || pair_of_body(by))
        return;
    oval oa = oval_now(s, ia, a.w), ob = oval_now(s, ib, b.w);
    stance f;
    meeting m = meet_ovals(s, by, &oa, &ob, sub(at(a), at(b)), &f);
    float c = m.gap + STABLE_SLOP * m.reach;
    if (!(c < 0.0f))
        return;
    vec push = times(-c / (a.w + b.w), m.normal), one = times(a.w, push), other = times(-b.w, push);
    move_by(s->slot[SLOT_X], &ia, one);
    move_by(s->slot[SLOT_X], &ib, other);
    move_by(s->slot[SLOT_X0], &ia, one);
    move_by(s->slot[SLOT_X0], &ib, other);
}

#endif

PL_FN void part_pair(const state *s, const packed_pairs *p, size_t k)
{
    if (pairs_turn(s, p, k))
    {
        ALONE(part_pair, p, k);
        return;
    }
    point a = gather(s->slot[SLOT_X], p->index[0] + k), b = gather(s->slot[SLOT_X], p->index[1] + k);
    vec d = sub(at(a), at(b));
    f32 reach = load(p->reach + k), w = a.w + b.w;
    faces by = pair_faces(s, p->index[0] + k, p->index[1] + k);
    stance f = pair_facing(s, by, d, reach);
    f32 c = contact_gap(d, length(d), f.face, (1.0f - STABLE_SLOP) * reach);
    i32 deep = (reach > 0.0f) & (c < 0.0f) & (w > 0.0f) & (pair_of_body(by) == 0);
    if (!anywhere(deep))
        return;
    vec push = times(keep(deep, -c / pick(deep, w, splat(1.0f))), f.normal);
    vec one = times(a.w, push), other = times(-b.w, push);
    move_by(s->slot[SLOT_X], p->index[0] + k, one);
    move_by(s->slot[SLOT_X], p->index[1] + k, other);
    move_by(s->slot[SLOT_X0], p->index[0] + k, one);
    move_by(s->slot[SLOT_X0], p->index[1] + k, other);
}

STAGE_FN void part_pairs(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_pairs p = s->pairs;
    for (int32_t row = p.groups.row[begin]; row < p.groups.row[end]; row++)
        for (size_t k = row_at(&p, row), last = k + PAD; k < last; k += LANES)
            part_pair(s, &p, k);
}

#if LANES == 1

// Out of the shape as it stands at the substep's start.
PL_FN void lift_touch(const state *s, const stage *g, size_t k)
{
    const packed_touches *t = &s->touches;
    const placement *place = touch_place(s, g, k);
    point x = gather(s->slot[SLOT_X], t->index + k);
    float radius = s->slot[SLOT_GRAIN][t->index[k]];
    surface f = probe_solid(s->shape_data, &s->solids[t->shape[k]], into_frame(place, at(x)), radius);
    int32_t own = s->oriented.count ? s->oriented.of_slot[t->index[k] / 4] : -1;
    if (own >= 0)
        radius = orient_support(&s->oriented.form[own], turn_load(s->oriented.pose[own].turn), turned(place, f.normal),
                                radius);
    float c = f.distance - (1.0f - STABLE_SLOP) * radius;
    if (!(c < 0.0f && x.w > 0.0f) || touch_of_body(s, t->index + k))
        return;
    vec up = times(-c, turned(place, f.normal));
    move_by(s->slot[SLOT_X], t->index + k, up);
    move_by(s->slot[SLOT_X0], t->index + k, up);
}

STAGE_FN void lift_touches(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_touches *t = &s->touches;
    size_t last = (size_t)t->groups.row[end] * PAD;
    for (size_t k = (size_t)t->groups.row[begin] * PAD; k < last; k++)
        if (t->shape[k] >= 0 && t->part[k] == 0)
            lift_touch(s, g, k);
}

#endif
