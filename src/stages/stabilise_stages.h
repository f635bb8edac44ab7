// stabilise_stages.h: removes overlap before a substep without creating velocity.
//   C = |a - b| - (1 - STABLE_SLOP) reach < 0        a += wa p n,  b -= wb p n,  p = -C/(wa + wb)
// The position moves before the substep starts, so that no velocity results, and no multiplier is kept. Overlaps below
// STABLE_SLOP of the reach, which a pile at rest has, are left alone: removing them each time would make the pile
// creep. Macklin, Mueller, Chentanez, Kim 2014, section 4.4. Units: m.
#pragma once
#include "stages/contact_stages.h"

#define STABLE_SLOP 0.01f

// Moves the particles in the lanes `mine`, low parts included.
PL_FN void shift_some(const state *s, const uint32_t *index, i32 mine, vec by)
{
    point p = gather(s->slot[SLOT_X], index), next = moved_to(p, add(low_part(p), by));
    vec to = pick_vec(mine, at(next), at(p));
    point r = {to.x, to.y, to.z, pick(mine, next.w, p.w)};
    scatter(s->slot[SLOT_X], index, r);
}

// Moves the particles of a pair apart. Oriented particles are moved, not rotated: removing overlap must create no
// velocity.
PL_FN void part_pair_oriented(const state *s, const packed_pairs *p, size_t k, i32 mine)
{
    const uint32_t *ia = p->index[0] + k, *ib = p->index[1] + k;
    f32 wa = weight_at(s, ia), wb = weight_at(s, ib), w = wa + wb;
    vec d = pair_between(s, ia, ib);
    faces by = pair_faces(s, ia, ib);
    mine = mine & contact_live(d, load(p->reach + k), splat(0.0f)) & (w > 0.0f) & (pair_of_body(by) == 0);
    if (!anywhere(mine))
        return;
    oriented_particle ta = oriented_at(s, ia), tb = oriented_at(s, ib);
    ellipsoid oa = ellipsoid_then(s, &ta, wa), ob = ellipsoid_then(s, &tb, wb);
    stance f;
    meeting m = meet_ellipsoids(s, by, &oa, &ob, d, &f);
    f32 c = m.gap + STABLE_SLOP * m.reach;
    mine = mine & (c < 0.0f);
    if (!anywhere(mine))
        return;
    vec push = times(-c / w, m.normal);
    shift_some(s, ia, mine, times(wa, push));
    shift_some(s, ib, mine, times(-wb, push));
}

PL_FN void part_pair_plain(const state *s, const packed_pairs *p, size_t k, i32 oriented)
{
    const uint32_t *ia = p->index[0] + k, *ib = p->index[1] + k;
    vec d = pair_between(s, ia, ib);
    f32 reach = load(p->reach + k), wa = weight_at(s, ia), wb = weight_at(s, ib), w = wa + wb;
    faces by = pair_faces(s, ia, ib);
    stance f = pair_facing(s, by, d, reach);
    f32 c = contact_gap(d, length(d), f.face, (1.0f - STABLE_SLOP) * reach);
    i32 deep = (reach > 0.0f) & (c < 0.0f) & (w > 0.0f) & (pair_of_body(by) == 0) & (oriented == 0);
    if (!anywhere(deep))
        return;
    vec push = times(keep(deep, -c / pick(deep, w, splat(1.0f))), f.normal);
    shift_some(s, ia, deep, times(wa, push));
    shift_some(s, ib, deep, times(-wb, push));
}
PAIRS_PLAIN_OR_ORIENTED(part_pair)

STAGE_FN void part_pairs(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    each_pair(s, begin, end, 0, part_pair);
}

#if LANES == 1

// Moves a particle out of the shape at its placement at the substep's start.
PL_FN void lift_shape_contact(const state *s, const stage *g, size_t k)
{
    const packed_shape_contacts *t = &s->shape_contacts;
    const placement *pose = shape_contact_placement(s, g, k);
    point x = gather(s->slot[SLOT_X], t->index + k);
    float radius = s->slot[SLOT_COLLISION][t->index[k]];
    surface_distance f =
        probe_solid(s->shape_data, &s->solids[t->shape[k]], into_frame_by(pose, at(x), low_part(x)), radius);
    int32_t own = s->oriented.count ? s->oriented.of_slot[t->index[k] / 4] : -1;
    if (own >= 0)
        radius = orient_support(&s->oriented.form[own], quat_load(s->oriented.pose[own].rotation),
                                rotated(pose, f.normal), radius);
    float c = f.distance - (1.0f - STABLE_SLOP) * radius;
    if (!(c < 0.0f && weight_at(s, t->index + k) > 0.0f) || shape_contact_of_body(s, t->index + k))
        return;
    shift_some(s, t->index + k, 1, times(-c, rotated(pose, f.normal)));
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
