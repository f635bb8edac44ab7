// oriented_contact_stages.h: contacts that rotate particles (ellipsoid_contact.h). In a row of LANES contacts some may
// rotate particles and others not; each is solved by the functions for its sort. On a GPU contacts that rotate
// particles have kernels of their own (backend/cuda/oriented_contacts.cu), so that the other kernels need no registers
// for them.
#pragma once
#include "stages/contact_rows.h"
#include "kernels/ellipsoid_contact.h"
#include "kernels/restitution.h"

#include <stddef.h>

// The frames of LANES particles, and which of them have one.
PL_FN frame_lanes oriented_lanes(const state *s, const uint32_t *index)
{
#if defined(__CUDACC__) && !defined(CONTACTS_TURN)
    (void)s, (void)index;
    return frames_none();
#else
    return frames_of(s->oriented.of_slot, index);
#endif
}

// Which of LANES contacts have a particle with a frame.
PL_FN i32 pairs_oriented(const state *s, const packed_pairs *p, size_t k)
{
#if defined(__CUDACC__) && !defined(CONTACTS_TURN)
    (void)s, (void)p, (void)k;
    return 0;
#else
    if (!s->oriented.count)
        return splat(0.0f) > 0.0f;
    return oriented_lanes(s, p->index[0] + k).has | oriented_lanes(s, p->index[1] + k).has;
#endif
}

PL_FN i32 shape_contacts_oriented(const state *s, const packed_shape_contacts *t, size_t k)
{
#if defined(__CUDACC__) && !defined(CONTACTS_TURN)
    (void)s, (void)t, (void)k;
    return 0;
#else
    return s->oriented.count ? oriented_lanes(s, t->index + k).has : splat(0.0f) > 0.0f;
#endif
}

// Solves a row of LANES contacts: name_plain skips those that rotate particles, name_turning skips the others. Mixed
// rows are rare.
#define PLAIN_OR_ORIENTED(name, rows, rows_oriented)                                                                   \
    PL_WALK void name##_mixed(const state *s, const rows *r, size_t k, i32 oriented)                                   \
    {                                                                                                                  \
        name##_oriented(s, r, k, oriented);                                                                            \
        if (LANES > 1 && !everywhere(oriented))                                                                        \
            name##_plain(s, r, k, oriented);                                                                           \
    }                                                                                                                  \
    PL_FN void name(const state *s, const rows *r, size_t k)                                                           \
    {                                                                                                                  \
        i32 oriented = rows_oriented(s, r, k);                                                                         \
        if (anywhere(oriented))                                                                                        \
            name##_mixed(s, r, k, oriented);                                                                           \
        else                                                                                                           \
            name##_plain(s, r, k, splat(0.0f) > 0.0f);                                                                 \
    }
#define PAIRS_PLAIN_OR_ORIENTED(name) PLAIN_OR_ORIENTED(name, packed_pairs, pairs_oriented)
#define SHAPE_CONTACTS_PLAIN_OR_ORIENTED(name) PLAIN_OR_ORIENTED(name, packed_shape_contacts, shape_contacts_oriented)

// ---- particles -----------------------------------------------------------------------------------------------------

// One end of a contact: a particle, and its frame where it has one.
typedef struct oriented_particle
{
    frame_lanes own;
    quat now, start; // the identity where there is no frame
    point rotated;   // the rotation from start to now
    f32 radius;
} oriented_particle;

PL_FN oriented_particle oriented_at(const state *s, const uint32_t *index)
{
    oriented_particle t;
    t.own = oriented_lanes(s, index);
    t.start = frame_orientation((const float *)s->oriented.pose, &t.own, POSE_SIZE);
    t.rotated = frame_gather((const float *)s->oriented.way, &t.own, WAY_SIZE);
    t.now = turn_plus(t.start, keep_vec(t.own.has, at(t.rotated)));
    t.radius = gather(s->slot[SLOT_COLLISION], index).x;
    return t;
}

PL_FN ellipsoid oriented_ellipsoid(const state *s, const oriented_particle *t, quat q, f32 w)
{
    const float *form = (const float *)s->oriented.form, *inertia = (const float *)s->oriented.inertia;
    point radii = frame_gather(form + offsetof(orient_form, radii) / sizeof(float), &t->own, FORM_SIZE);
    point whole = frame_gather(form + offsetof(orient_form, whole) / sizeof(float), &t->own, FORM_SIZE);
    point inverse = frame_gather(inertia + INERTIA_INVERSE, &t->own, INERTIA_SIZE);
    return ellipsoid_of(t->own.has, at(radii), whole.x, at(inverse), q, t->radius, w);
}

// The ellipsoid and its inertia in the present orientation, and in that at the substep's start.
PL_FN ellipsoid ellipsoid_now(const state *s, const oriented_particle *t, f32 w)
{
    return oriented_ellipsoid(s, t, t->now, w);
}
PL_FN ellipsoid ellipsoid_then(const state *s, const oriented_particle *t, f32 w)
{
    return oriented_ellipsoid(s, t, t->start, w);
}

// Sets the axes of inertia to those half way through the predicted substep, where the spin is defined
// (elements/frame_rotation.h).
PL_FN void ellipsoid_half_way(const state *s, const oriented_particle *t, ellipsoid *o)
{
    o->half = quat_axes(frame_orientation((const float *)s->oriented.way + WAY_MIDDLE, &t->own, WAY_SIZE));
}

// The rotation since the substep's start.
PL_FN vec rotated_since(const oriented_particle *t) { return keep_vec(t->own.has, at(t->rotated)); }

PL_FN void rotate_by(const state *s, const oriented_particle *t, i32 mine, vec angle)
{
    vec next = pick_vec(mine, add(at(t->rotated), angle), at(t->rotated));
    point to = {next.x, next.y, next.z, t->rotated.w};
    frame_scatter((float *)s->oriented.way, &t->own, WAY_SIZE, to);
}

PL_FN vec spin_of(const state *s, const oriented_particle *t, int before)
{
    point spin = before ? frame_gather((const float *)s->oriented.way + WAY_HALF, &t->own, WAY_SIZE)
                        : frame_gather((const float *)s->oriented.pose + POSE_SPIN, &t->own, POSE_SIZE);
    return keep_vec(t->own.has, at(spin));
}

PL_FN void spin_by(const state *s, const oriented_particle *t, i32 mine, vec w)
{
    float *spins = (float *)s->oriented.pose + POSE_SPIN;
    point spin = frame_gather(spins, &t->own, POSE_SIZE);
    vec next = pick_vec(mine, add(at(spin), w), at(spin));
    spin.x = next.x, spin.y = next.y, spin.z = next.z;
    frame_scatter(spins, &t->own, POSE_SIZE, spin);
}

// Stores the displacements, or the velocities, of the particles in the lanes `mine`.
PL_FN void scatter_moved(float *array, const uint32_t *index, i32 mine, point next, point last)
{
    vec x = pick_vec(mine, at(next), at(last));
    last.x = x.x, last.y = x.y, last.z = x.z;
    scatter(array, index, last);
}

// Stores changed particles, except in lanes where the contact rotates particles: the functions for oriented particles
// have stored those.
PL_FN void scatter_but(float *array, const uint32_t *index, i32 oriented, point next, point last)
{
    vec x = pick_vec(oriented, at(last), at(next));
    point p = {x.x, x.y, x.z, pick(oriented, last.w, next.w)};
    scatter(array, index, p);
}

// ---- pairs ---------------------------------------------------------------------------------------------------------

PL_FN stance ellipsoids_facing(const state *s, faces by, vec x, f32 reach)
{
    stance f = {x, vec_of(splat(0.0f), splat(0.0f), splat(0.0f))};
    return s->clusters.count ? body_facing(x, by.a, by.b, reach) : f;
}

PL_FN meeting meet_ellipsoids(const state *s, faces by, const ellipsoid *a, const ellipsoid *b, vec d, stance *f)
{
    vec x = ellipsoids_normal(a, b, d);
    *f = ellipsoids_facing(s, by, x, ellipsoid_support(a, x) + ellipsoid_support(b, x));
    return ellipsoids_meet(a, b, d, x, *f);
}

// The velocity of a point at `arm` from the centre, at the substep's start (before) or now.
PL_FN vec point_speed(const state *s, const uint32_t *index, const oriented_particle *t, vec arm, int before)
{
    return add(at(gather(s->slot[before ? SLOT_V1 : SLOT_V], index)), cross(spin_of(s, t, before), arm));
}

// The warm start of a contact that rotates particles: returns the impulse and the rotation of each particle.
PL_FN vec oriented_push(const state *s, const packed_pairs *p, size_t k, const oriented_particle *ta,
                        const oriented_particle *tb, f32 wa, f32 wb, bool recall, contact_lambda *h, vec *rotation_a,
                        vec *rotation_b)
{
    const uint32_t *ia = p->index[0] + k, *ib = p->index[1] + k;
    ellipsoid a = ellipsoid_then(s, ta, wa), b = ellipsoid_then(s, tb, wb);
    ellipsoid_half_way(s, ta, &a);
    ellipsoid_half_way(s, tb, &b);
    faces by = pair_faces(s, ia, ib);
    stance f;
    meeting m = meet_ellipsoids(s, by, &a, &b, pair_start(s, ia, ib), &f);
    if (s->clusters.count && recall)
    {
        vec apart = sub(point_speed(s, ia, ta, m.a, 0), point_speed(s, ib, tb, m.b, 0));
        parting r = {dot(m.normal, apart), splat(0.0f), splat(0.0f)};
        *h = remembered(*h, pair_of_body(by), r, s->contact.slow);
    }
    vec push = add(times(h->normal, m.normal), h->tangent);
    *rotation_a = ellipsoid_rotation(&a, m.a, push);
    *rotation_b = ellipsoid_rotation(&b, m.b, times(splat(-1.0f), push));
    return push;
}

PL_FN void warm_pair_oriented(const state *s, const packed_pairs *p, size_t k, i32 mine)
{
    const uint32_t *ia = p->index[0] + k, *ib = p->index[1] + k;
    contact_lambda old = load_lambda(p->lambda, k), h = old;
    mine = mine & (h.normal != 0.0f);
    if (!anywhere(mine))
        return;
    point a = gather(s->slot[SLOT_D], ia), b = gather(s->slot[SLOT_D], ib), next_a = a, next_b = b;
    oriented_particle ta = oriented_at(s, ia), tb = oriented_at(s, ib);
    vec rotation_a, rotation_b, push = oriented_push(s, p, k, &ta, &tb, a.w, b.w, true, &h, &rotation_a, &rotation_b);
    store_lambda(p->lambda, k, pick_lambda(mine, h, old));
    mine = mine & (h.normal != 0.0f); // dropped multipliers apply no impulse
    if (!anywhere(mine))
        return;
    pushed(&next_a, push);
    pulled(&next_b, push);
    scatter_moved(s->slot[SLOT_D], ia, mine, next_a, a);
    scatter_moved(s->slot[SLOT_D], ib, mine, next_b, b);
    rotate_by(s, &ta, mine, rotation_a);
    rotate_by(s, &tb, mine, rotation_b);
}

PL_FN void visit_pairs_oriented(const state *s, const packed_pairs *p, size_t k, i32 mine)
{
    const uint32_t *ia = p->index[0] + k, *ib = p->index[1] + k;
    point xa = gather(s->slot[SLOT_X], ia), xb = gather(s->slot[SLOT_X], ib);
    point a = gather(s->slot[SLOT_D], ia), b = gather(s->slot[SLOT_D], ib), next_a = a, next_b = b;
    contact_way o = pair_way(sub(at(xa), at(xb)), low_between(xa, xb), a, b);
    contact_lambda old = load_lambda(p->lambda, k), h = old;
    i32 fresh = h.normal == 0.0f;
    // test of the bounding spheres
    mine = mine & contact_live(o.d, load(p->reach + k), h.normal) & (a.w + b.w > 0.0f);
    if (!anywhere(mine))
        return;
    oriented_particle ta = oriented_at(s, ia), tb = oriented_at(s, ib);
    ellipsoid oa = ellipsoid_now(s, &ta, a.w), ob = ellipsoid_now(s, &tb, b.w);
    mine = mine & ((fresh & ellipsoids_apart(&oa, &ob, o.d)) == 0);
    if (!anywhere(mine))
        return;
    vec half = times(splat(0.5f), o.u);
    ellipsoid_half_way(s, &ta, &oa);
    ellipsoid_half_way(s, &tb, &ob);
    faces by = pair_faces(s, ia, ib);
    stance f;
    meeting m = meet_ellipsoids(s, by, &oa, &ob, o.d, &f);
    mine = mine & ((m.gap < 0.0f) | (fresh == 0));
    if (!anywhere(mine))
        return;
    ellipsoid a0 = ellipsoid_then(s, &ta, a.w), b0 = ellipsoid_then(s, &tb, b.w);
    meeting then = ellipsoids_meet(&a0, &b0, o.d0, m.x, f);
    contact_point j = {&oa, &ob, add(m.a, half), sub(m.b, half)};
    vec u = sub(add(o.u, cross(rotated_since(&ta), j.at_a)), cross(rotated_since(&tb), j.at_b));
    softness_lanes soft = pair_softness(s, by);
    vec push = contact_point_solve(&j, m.normal, m.gap - left_over(then.gap, soft), u, pair_friction(p, k), soft, &h);
    store_lambda(p->lambda, k, pick_lambda(mine, h, old));
    pushed(&next_a, push);
    pulled(&next_b, push);
    scatter_moved(s->slot[SLOT_D], ia, mine, next_a, a);
    scatter_moved(s->slot[SLOT_D], ib, mine, next_b, b);
    rotate_by(s, &ta, mine, ellipsoid_rotation(&oa, j.at_a, push));
    rotate_by(s, &tb, mine, ellipsoid_rotation(&ob, j.at_b, times(splat(-1.0f), push)));
}

PL_FN void bounce_pair_oriented(const state *s, const packed_pairs *p, size_t k, i32 mine)
{
    mine = mine & (load_normal(p->lambda, k) > 0.0f);
    if (!anywhere(mine))
        return;
    const uint32_t *ia = p->index[0] + k, *ib = p->index[1] + k;
    oriented_particle ta = oriented_at(s, ia), tb = oriented_at(s, ib);
    ellipsoid oa = ellipsoid_now(s, &ta, weight_at(s, ia)), ob = ellipsoid_now(s, &tb, weight_at(s, ib));
    stance f;
    meeting m = meet_ellipsoids(s, pair_faces(s, ia, ib), &oa, &ob, pair_between(s, ia, ib), &f);
    contact_point j = {&oa, &ob, m.a, m.b};
    f32 speed[2];
    for (int before = 0; before < 2; before++)
        speed[before] = dot(m.normal, sub(point_speed(s, ia, &ta, m.a, before), point_speed(s, ib, &tb, m.b, before)));
    f32 e = load(p->bounce + (p->material_step ? k : 0)), w = dot(m.normal, contact_point_moved(&j, m.normal));
    f32 size = bounce(speed[1], speed[0], e, s->contact.threshold, w);
    vec push = times(size, m.normal);
    point va = gather(s->slot[SLOT_V], ia), vb = gather(s->slot[SLOT_V], ib), next_a = va, next_b = vb;
    next_a.x = va.x + oa.w * push.x, next_a.y = va.y + oa.w * push.y, next_a.z = va.z + oa.w * push.z;
    next_b.x = vb.x - ob.w * push.x, next_b.y = vb.y - ob.w * push.y, next_b.z = vb.z - ob.w * push.z;
    scatter_moved(s->slot[SLOT_V], ia, mine, next_a, va);
    scatter_moved(s->slot[SLOT_V], ib, mine, next_b, vb);
    spin_by(s, &ta, mine, ellipsoid_rotation(&oa, m.a, push));
    spin_by(s, &tb, mine, ellipsoid_rotation(&ob, m.b, times(splat(-1.0f), push)));
    end_impact(p->lambda, k, mine & (size > 0.0f) & (e > 0.0f));
}

// ---- shape contacts: the planes are those of the bounding sphere; the offset is corrected by the ellipsoid's extent -

PL_FN f32 ellipsoid_offset(const packed_shape_contacts *t, size_t k, const oriented_particle *own, const ellipsoid *o,
                           vec n)
{
    return load(t->plane[3] + k) - (own->radius - ellipsoid_support(o, n));
}

PL_FN void apply_shape_contact_oriented(const state *s, const packed_shape_contacts *t, size_t k, i32 mine)
{
    const uint32_t *index = t->index + k;
    contact_lambda old = load_lambda(t->lambda, k), h = old;
    mine = mine & (h.normal != 0.0f);
    if (!anywhere(mine))
        return;
    point a = gather(s->slot[SLOT_D], index), next = a;
    oriented_particle own = oriented_at(s, index);
    ellipsoid o = ellipsoid_then(s, &own, a.w);
    ellipsoid_half_way(s, &own, &o);
    vec n = shape_contact_normal(t, k), arm = times(splat(-1.0f), ellipsoid_tip(&o, n));
    if (s->clusters.count)
    {
        f32 speed = dot(n, point_speed(s, index, &own, arm, 0)) - shape_contact_runs(s, t, k, n);
        parting r = {speed, splat(0.0f), splat(0.0f)};
        h = remembered(h, shape_contact_of_body(s, index), r, s->contact.slow);
        store_lambda(t->lambda, k, pick_lambda(mine, h, old));
    }
    mine = mine & (h.normal != 0.0f);
    if (!anywhere(mine))
        return;
    vec push = add(times(h.normal, n), h.tangent);
    pushed(&next, push);
    scatter_moved(s->slot[SLOT_D], index, mine, next, a);
    rotate_by(s, &own, mine, ellipsoid_rotation(&o, arm, push));
}

PL_FN void visit_shape_contact_oriented(const state *s, const packed_shape_contacts *t, size_t k, i32 mine)
{
    const uint32_t *index = t->index + k;
    point a = gather(s->slot[SLOT_D], index), next = a;
    oriented_particle own = oriented_at(s, index);
    ellipsoid o = ellipsoid_now(s, &own, a.w);
    vec n = shape_contact_normal(t, k);
    contact_lambda old = load_lambda(t->lambda, k), h = old;
    f32 c = dot(n, at(a)) - ellipsoid_offset(t, k, &own, &o, n);
    mine = mine & (a.w > 0.0f) & ((c < 0.0f) | (h.normal != 0.0f));
    if (!anywhere(mine))
        return;
    ellipsoid o0 = ellipsoid_then(s, &own, a.w);
    ellipsoid_half_way(s, &own, &o);
    vec drift = vec_of(load(t->drift[0] + k), load(t->drift[1] + k), load(t->drift[2] + k));
    vec from = add(low_part(gather(s->slot[SLOT_X], index)), drift);
    f32 c0 = dot(n, from) - ellipsoid_offset(t, k, &own, &o0, n);
    contact_point j = {&o, NULL, times(splat(-1.0f), ellipsoid_tip(&o, n)),
                       vec_of(splat(0.0f), splat(0.0f), splat(0.0f))};
    vec u = add(sub(at(a), from), cross(rotated_since(&own), j.at_a));
    friction mu = {load(t->stick + k), load(t->slide + k)};
    softness_lanes soft = shape_contact_softness(s, index);
    vec push = contact_point_solve(&j, n, c - left_over(c0, soft), u, mu, soft, &h);
    store_lambda(t->lambda, k, pick_lambda(mine, h, old));
    pushed(&next, push);
    scatter_moved(s->slot[SLOT_D], index, mine, next, a);
    rotate_by(s, &own, mine, ellipsoid_rotation(&o, j.at_a, push));
}

PL_FN void bounce_shape_contact_oriented(const state *s, const packed_shape_contacts *t, size_t k, i32 mine)
{
    const uint32_t *index = t->index + k;
    mine = mine & (load_normal(t->lambda, k) > 0.0f);
    if (!anywhere(mine))
        return;
    point v = gather(s->slot[SLOT_V], index), next = v;
    oriented_particle own = oriented_at(s, index);
    ellipsoid o = ellipsoid_now(s, &own, weight_at(s, index));
    vec n = shape_contact_normal(t, k), arm = times(splat(-1.0f), ellipsoid_tip(&o, n));
    contact_point j = {&o, NULL, arm, arm};
    f32 runs = shape_contact_runs(s, t, k, n), speed[2];
    for (int before = 0; before < 2; before++)
        speed[before] = dot(n, point_speed(s, index, &own, arm, before)) - runs;
    f32 w = dot(n, contact_point_moved(&j, n));
    f32 e = load(t->bounce + k), size = bounce(speed[1], speed[0], e, s->contact.threshold, w);
    vec push = times(size, n);
    next.x = v.x + o.w * push.x, next.y = v.y + o.w * push.y, next.z = v.z + o.w * push.z;
    scatter_moved(s->slot[SLOT_V], index, mine, next, v);
    spin_by(s, &own, mine, ellipsoid_rotation(&o, arm, push));
    end_impact(t->lambda, k, mine & (size > 0.0f) & (e > 0.0f));
}
