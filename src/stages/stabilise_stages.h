// stabilise_stages.h: removes overlap before a substep without creating velocity.
//   C = |a - b| - (1 - SLOP) reach < 0        a += wa p n,  b -= wb p n,  p = -C/(wa + wb)
// The position at the substep's start moves too, so that the velocity (x - x0)/h does not change, and no multiplier is
// kept. Overlaps below SLOP of the reach, which a pile at rest has, are left alone: removing them each time would make
// the pile creep. Macklin, Mueller, Chentanez, Kim 2014, section 4.4. Units: m.
#pragma once
#include "stages/contact_stages.h"

#define STABLE_SLOP 0.01f

PL_FN void move_by(float *array, const uint32_t *index, vec by)
{
    point p = gather(array, index);
    p.x = p.x + by.x, p.y = p.y + by.y, p.z = p.z + by.z;
    scatter(array, index, p);
}

// Moves the particles in the lanes `mine`.
PL_FN void move_some_by(float *array, const uint32_t *index, i32 mine, vec by)
{
    point p = gather(array, index), next = p;
    next.x = p.x + by.x, next.y = p.y + by.y, next.z = p.z + by.z;
    scatter_moved(array, index, mine, next, p);
}

// Oriented particles are moved, not rotated: removing overlap must create no velocity.
PL_FN void part_pair_turning(const state *s, const packed_pairs *p, size_t k, i32 mine)
{
    const uint32_t *ia = p->index[0] + k, *ib = p->index[1] + k;
    point a = gather(s->slot[SLOT_X], ia), b = gather(s->slot[SLOT_X], ib);
    faces by = pair_faces(s, ia, ib);
    f32 w = a.w + b.w;
    mine = mine & contact_live(a, b, load(p->reach + k), splat(0.0f)) & (w > 0.0f) & (pair_of_body(by) == 0);
    if (!anywhere(mine))
        return;
    turner ta = turner_at(s, ia), tb = turner_at(s, ib);
    ellipsoid oa = ellipsoid_now(s, &ta, a.w), ob = ellipsoid_now(s, &tb, b.w);
    stance f;
    meeting m = meet_ellipsoids(s, by, &oa, &ob, sub(at(a), at(b)), &f);
    f32 c = m.gap + STABLE_SLOP * m.reach;
    mine = mine & (c < 0.0f);
    if (!anywhere(mine))
        return;
    vec push = times(-c / w, m.normal), one = times(a.w, push), other = times(-b.w, push);
    move_some_by(s->slot[SLOT_X], ia, mine, one);
    move_some_by(s->slot[SLOT_X], ib, mine, other);
    move_some_by(s->slot[SLOT_X0], ia, mine, one);
    move_some_by(s->slot[SLOT_X0], ib, mine, other);
}

PL_FN void part_pair_plain(const state *s, const packed_pairs *p, size_t k, i32 turns)
{
    point a = gather(s->slot[SLOT_X], p->index[0] + k), b = gather(s->slot[SLOT_X], p->index[1] + k);
    vec d = sub(at(a), at(b));
    f32 reach = load(p->reach + k), w = a.w + b.w;
    faces by = pair_faces(s, p->index[0] + k, p->index[1] + k);
    stance f = pair_facing(s, by, d, reach);
    f32 c = contact_gap(d, length(d), f.face, (1.0f - STABLE_SLOP) * reach);
    i32 deep = (reach > 0.0f) & (c < 0.0f) & (w > 0.0f) & (pair_of_body(by) == 0) & (turns == 0);
    if (!anywhere(deep))
        return;
    vec push = times(keep(deep, -c / pick(deep, w, splat(1.0f))), f.normal);
    vec one = times(a.w, push), other = times(-b.w, push);
    move_some_by(s->slot[SLOT_X], p->index[0] + k, turns == 0, one);
    move_some_by(s->slot[SLOT_X], p->index[1] + k, turns == 0, other);
    move_some_by(s->slot[SLOT_X0], p->index[0] + k, turns == 0, one);
    move_some_by(s->slot[SLOT_X0], p->index[1] + k, turns == 0, other);
}
PAIRS_PLAIN_OR_TURNING(part_pair)

STAGE_FN void part_pairs(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_pairs p = s->pairs;
    for (int32_t row = p.groups.row[begin]; row < p.groups.row[end]; row++)
        for (size_t k = row_at(&p, row), last = k + PAD; k < last; k += LANES)
            part_pair(s, &p, k);
}

#if LANES == 1

// Moves a particle out of the shape at its placement at the substep's start.
PL_FN void lift_shape_contact(const state *s, const stage *g, size_t k)
{
    const packed_shape_contacts *t = &s->shape_contacts;
    const placement *place = shape_contact_place(s, g, k);
    point x = gather(s->slot[SLOT_X], t->index + k);
    float radius = s->slot[SLOT_COLLISION][t->index[k]];
    surface f = probe_solid(s->shape_data, &s->solids[t->shape[k]], into_frame(place, at(x)), radius);
    int32_t own = s->oriented.count ? s->oriented.of_slot[t->index[k] / 4] : -1;
    if (own >= 0)
        radius = orient_support(&s->oriented.form[own], turn_load(s->oriented.pose[own].turn), turned(place, f.normal),
                                radius);
    float c = f.distance - (1.0f - STABLE_SLOP) * radius;
    if (!(c < 0.0f && x.w > 0.0f) || shape_contact_of_body(s, t->index + k))
        return;
    vec up = times(-c, turned(place, f.normal));
    move_by(s->slot[SLOT_X], t->index + k, up);
    move_by(s->slot[SLOT_X0], t->index + k, up);
}

STAGE_FN void lift_shape_contacts(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_shape_contacts *t = &s->shape_contacts;
    size_t last = (size_t)t->groups.row[end] * PAD;
    for (size_t k = (size_t)t->groups.row[begin] * PAD; k < last; k++)
        if (t->shape[k] >= 0 && t->part[k] == 0)
            lift_shape_contact(s, g, k);
}

#endif
