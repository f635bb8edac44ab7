// turning_items.h: contacts that turn particles (oval.h), one at a time. Wider tables leave rows with such particles to the scalar one; on a
// GPU kernels of their own have them (cuda/turning.cu), so that others need no registers for it.
#pragma once
#include "stages/contact_rows.h"
#include "stages/oval.h"

// Its number among the particles with a rotation of their own, or -1.
PL_FN int32_t turner(const state *s, uint32_t index)
{
#if defined(__CUDACC__) && !defined(CONTACTS_TURN)
    (void)s, (void)index;
    return -1;
#else
    return s->oriented.count ? s->oriented.of_slot[index / 4] : -1;
#endif
}

// Does a row of LANES contacts have one?
PL_FN int pairs_turn(const state *s, const packed_pairs *p, size_t k)
{
    int found = 0;
    for (size_t i = k; s->oriented.count && i < k + LANES; i++)
        found |= turner(s, p->index[0][i]) >= 0 || turner(s, p->index[1][i]) >= 0;
    return found;
}

PL_FN int touches_turn(const state *s, const packed_touches *t, size_t k)
{
    int found = 0;
    for (size_t i = k; s->oriented.count && i < k + LANES; i++)
        found |= turner(s, t->index[i]) >= 0;
    return found;
}

#define EACH_ALONE(X, Y)                                                                                               \
    X(warm_pair) X(visit_pairs) X(bounce_pair) X(part_pair) Y(warm_touch) Y(visit_touch) Y(bounce_touch)

#if LANES > 1

#define DECLARE_PAIR(name) extern void name##_alone(const state *s, const packed_pairs *p, size_t k);
#define DECLARE_TOUCH(name) extern void name##_alone(const state *s, const packed_touches *t, size_t k);
EACH_ALONE(DECLARE_PAIR, DECLARE_TOUCH)
#define ALONE(name, rows, k)                                                                                           \
    for (size_t lane = 0; lane < LANES; lane++)                                                                        \
    name##_alone(s, rows, (k) + lane)

#else

#define ALONE(name, rows, k) name##_turning(s, rows, k)

// ---- particles -----------------------------------------------------------------------------------------------------

// As it lies now, and its inertia with it.
PL_FN oval oval_now(const state *s, uint32_t index, float w)
{
    int32_t i = turner(s, index);
    float radius = s->slot[SLOT_GRAIN][index];
    return i < 0
               ? oval_ball(radius, w)
               : oval_of(&s->oriented.form[i], &s->oriented.inertia[i], turn_load(s->oriented.pose[i].turn), radius, w);
}

// As it lay at the substep's start.
PL_FN oval oval_then(const state *s, uint32_t index, float w)
{
    int32_t i = turner(s, index);
    float radius = s->slot[SLOT_GRAIN][index];
    return i < 0
               ? oval_ball(radius, w)
               : oval_of(&s->oriented.form[i], &s->oriented.inertia[i], turn_load(s->oriented.way[i].start), radius, w);
}

// Its inertia as it lies half way through the substep, where its spin will be told (orient.h). known: its end is where it is now,
// not where it was to go.
PL_FN void oval_half_way(const state *s, uint32_t index, int known, oval *o)
{
    int32_t i = turner(s, index);
    if (i < 0)
        return;
    turn start = turn_load(s->oriented.way[i].start);
    turn end = turn_load(known ? s->oriented.pose[i].turn : s->oriented.way[i].aim);
    o->half = axes_between(start, end);
}

// How it has turned since then, as its spin will see it: twice the tangent of half the angle.
PL_FN vec turned_since(const state *s, uint32_t index)
{
    int32_t i = turner(s, index);
    if (i < 0)
        return vec_of(0.0f, 0.0f, 0.0f);
    return turned_between(turn_load(s->oriented.way[i].start), turn_load(s->oriented.pose[i].turn));
}

PL_FN void turn_by(const state *s, uint32_t index, vec angle)
{
    int32_t i = turner(s, index);
    if (i >= 0)
        turn_store(s->oriented.pose[i].turn, orient_advance(turn_load(s->oriented.pose[i].turn), angle, 1.0f));
}

PL_FN vec spin_of(const state *s, uint32_t index, int before)
{
    int32_t i = turner(s, index);
    const float *w = i < 0 ? NULL : before ? s->oriented.way[i].half : s->oriented.pose[i].spin;
    return w ? vec_of(w[0], w[1], w[2]) : vec_of(0.0f, 0.0f, 0.0f);
}

PL_FN void spin_by(const state *s, uint32_t index, vec w)
{
    int32_t i = turner(s, index);
    float *spin = i < 0 ? NULL : s->oriented.pose[i].spin;
    if (spin)
        spin[0] = spin[0] + w.x, spin[1] = spin[1] + w.y, spin[2] = spin[2] + w.z;
}

// ---- pairs ---------------------------------------------------------------------------------------------------------

PL_FN stance ovals_facing(const state *s, faces by, vec x, float reach)
{
    stance f = {x, vec_of(0.0f, 0.0f, 0.0f)};
    return s->clusters.count ? body_facing(x, by.a, by.b, reach) : f;
}

PL_FN meeting meet_ovals(const state *s, faces by, const oval *a, const oval *b, vec d, stance *f)
{
    vec x = ovals_normal(a, b, d);
    *f = ovals_facing(s, by, x, oval_support(a, x) + oval_support(b, x));
    return ovals_meet(a, b, d, x, *f);
}

// The velocity of a point at `arm` from its centre, at the substep's start (before) or now.
PL_FN vec point_speed(const state *s, uint32_t index, vec arm, int before)
{
    return add(at(gather(s->slot[before ? SLOT_V1 : SLOT_V], &index)), cross(spin_of(s, index, before), arm));
}

// What a pair that turns begins the substep with: the push, and by how much it turns the one that is asked for.
PL_FN vec turning_push(const state *s, const packed_pairs *p, size_t k, float wa, float wb, bool recall, hold *h,
                       vec *turn_a, vec *turn_b)
{
    uint32_t ia = p->index[0][k], ib = p->index[1][k];
    oval a = oval_then(s, ia, wa), b = oval_then(s, ib, wb);
    oval_half_way(s, ia, 0, &a);
    oval_half_way(s, ib, 0, &b);
    faces by = pair_faces(s, &ia, &ib);
    stance f;
    meeting m = meet_ovals(s, by, &a, &b, pair_start(s, &ia, &ib), &f);
    if (s->clusters.count && recall)
    {
        parting r = {dot(m.normal, sub(point_speed(s, ia, m.a, 0), point_speed(s, ib, m.b, 0))), 0.0f, 0.0f};
        *h = remembered(*h, pair_of_body(by), r, s->contact.slow);
    }
    vec push = add(times(h->normal, m.normal), h->tangent);
    *turn_a = oval_turned(&a, m.a, push);
    *turn_b = oval_turned(&b, m.b, times(-1.0f, push));
    return push;
}

PL_FN void warm_pair_turning(const state *s, const packed_pairs *p, size_t k)
{
    hold h = load_hold(p->lambda, k);
    if (h.normal == 0.0f)
        return;
    point a = gather(s->slot[SLOT_X], p->index[0] + k), b = gather(s->slot[SLOT_X], p->index[1] + k);
    vec turn_a, turn_b, push = turning_push(s, p, k, a.w, b.w, true, &h, &turn_a, &turn_b);
    store_hold(p->lambda, k, h);
    if (h.normal == 0.0f) // forgotten: who has come to know of it in another way must do the same
        return;
    pushed(&a, push);
    pulled(&b, push);
    scatter(s->slot[SLOT_X], p->index[0] + k, a);
    scatter(s->slot[SLOT_X], p->index[1] + k, b);
    turn_by(s, p->index[0][k], turn_a);
    turn_by(s, p->index[1][k], turn_b);
}

PL_FN void visit_pairs_turning(const state *s, const packed_pairs *p, size_t k)
{
    uint32_t ia = p->index[0][k], ib = p->index[1][k];
    point a = gather(s->slot[SLOT_X], &ia), b = gather(s->slot[SLOT_X], &ib);
    hold h = load_hold(p->lambda, k);
    if (!contact_live(a, b, p->reach[k], h.normal) || !(a.w + b.w > 0.0f)) // the balls around them
        return;
    oval oa = oval_now(s, ia, a.w), ob = oval_now(s, ib, b.w);
    vec d = sub(at(a), at(b));
    if (h.normal == 0.0f && ovals_apart(&oa, &ob, d))
        return;
    vec d0 = pair_start(s, &ia, &ib), half = times(0.5f, sub(d, d0));
    oval_half_way(s, ia, 1, &oa);
    oval_half_way(s, ib, 1, &ob);
    faces by = pair_faces(s, &ia, &ib);
    stance f;
    meeting m = meet_ovals(s, by, &oa, &ob, d, &f);
    if (!(m.gap < 0.0f) && h.normal == 0.0f)
        return;
    oval a0 = oval_then(s, ia, a.w), b0 = oval_then(s, ib, b.w);
    meeting then = ovals_meet(&a0, &b0, d0, m.x, f);
    joint j = {&oa, &ob, add(m.a, half), sub(m.b, half)};
    vec u = sub(add(sub(d, d0), cross(turned_since(s, ia), j.at_a)), cross(turned_since(s, ib), j.at_b));
    give_lanes give = pair_give(s, by);
    vec push = joint_visit(&j, m.normal, m.gap - left_over(then.gap, give), u, pair_grip(p, k), give, &h);
    store_hold(p->lambda, k, h);
    pushed(&a, push);
    pulled(&b, push);
    scatter(s->slot[SLOT_X], &ia, a);
    scatter(s->slot[SLOT_X], &ib, b);
    turn_by(s, ia, oval_turned(&oa, j.at_a, push));
    turn_by(s, ib, oval_turned(&ob, j.at_b, times(-1.0f, push)));
}

PL_FN void bounce_pair_turning(const state *s, const packed_pairs *p, size_t k)
{
    if (!(load_normal(p->lambda, k) > 0.0f))
        return;
    uint32_t ia = p->index[0][k], ib = p->index[1][k];
    point a = gather(s->slot[SLOT_X], &ia), b = gather(s->slot[SLOT_X], &ib);
    oval oa = oval_now(s, ia, a.w), ob = oval_now(s, ib, b.w);
    stance f;
    meeting m = meet_ovals(s, pair_faces(s, &ia, &ib), &oa, &ob, sub(at(a), at(b)), &f);
    joint j = {&oa, &ob, m.a, m.b};
    float speed[2];
    for (int before = 0; before < 2; before++)
        speed[before] = dot(m.normal, sub(point_speed(s, ia, m.a, before), point_speed(s, ib, m.b, before)));
    float e = p->bounce[p->material_step ? k : 0], w = dot(m.normal, joint_moved(&j, m.normal));
    vec push = times(bounce(speed[1], speed[0], e, s->contact.threshold, w), m.normal);
    point va = gather(s->slot[SLOT_V], &ia), vb = gather(s->slot[SLOT_V], &ib);
    va.x = va.x + a.w * push.x, va.y = va.y + a.w * push.y, va.z = va.z + a.w * push.z;
    vb.x = vb.x - b.w * push.x, vb.y = vb.y - b.w * push.y, vb.z = vb.z - b.w * push.z;
    scatter(s->slot[SLOT_V], &ia, va);
    scatter(s->slot[SLOT_V], &ib, vb);
    spin_by(s, ia, oval_turned(&oa, m.a, push));
    spin_by(s, ib, oval_turned(&ob, m.b, times(-1.0f, push)));
}

// ---- touches: planes were found for the ball around it, and it reaches less far ------------------------------------

PL_FN float oval_offset(const state *s, const packed_touches *t, size_t k, const oval *o, vec n)
{
    return t->plane[3][k] - (s->slot[SLOT_GRAIN][t->index[k]] - oval_support(o, n));
}

PL_FN void warm_touch_turning(const state *s, const packed_touches *t, size_t k)
{
    hold h = load_hold(t->lambda, k);
    if (h.normal == 0.0f)
        return;
    point a = gather(s->slot[SLOT_X], t->index + k);
    oval o = oval_then(s, t->index[k], a.w);
    oval_half_way(s, t->index[k], 0, &o);
    vec n = touch_normal(t, k), arm = times(-1.0f, oval_tip(&o, n));
    if (s->clusters.count)
    {
        parting r = {dot(n, point_speed(s, t->index[k], arm, 0)) - touch_runs(s, t, k, n), 0.0f, 0.0f};
        h = remembered(h, touch_of_body(s, t->index + k), r, s->contact.slow);
        store_hold(t->lambda, k, h);
    }
    if (h.normal == 0.0f)
        return;
    vec push = add(times(h.normal, n), h.tangent);
    pushed(&a, push);
    scatter(s->slot[SLOT_X], t->index + k, a);
    turn_by(s, t->index[k], oval_turned(&o, arm, push));
}

PL_FN void visit_touch_turning(const state *s, const packed_touches *t, size_t k)
{
    point a = gather(s->slot[SLOT_X], t->index + k);
    oval o = oval_now(s, t->index[k], a.w);
    vec n = touch_normal(t, k);
    hold h = load_hold(t->lambda, k);
    float c = dot(n, at(a)) - oval_offset(s, t, k, &o, n);
    if (!(a.w > 0.0f) || !(c < 0.0f || h.normal != 0.0f))
        return;
    oval o0 = oval_then(s, t->index[k], a.w);
    oval_half_way(s, t->index[k], 1, &o);
    vec drift = vec_of(t->drift[0][k], t->drift[1][k], t->drift[2][k]);
    vec from = add(at(gather(s->slot[SLOT_X0], t->index + k)), drift);
    float c0 = dot(n, from) - oval_offset(s, t, k, &o0, n);
    joint j = {&o, NULL, times(-1.0f, oval_tip(&o, n)), vec_of(0.0f, 0.0f, 0.0f)};
    vec u = add(sub(at(a), from), cross(turned_since(s, t->index[k]), j.at_a));
    grip hands = {t->stick[k], t->slide[k]};
    give_lanes give = touch_give(s, t->index + k);
    vec push = joint_visit(&j, n, c - left_over(c0, give), u, hands, give, &h);
    store_hold(t->lambda, k, h);
    pushed(&a, push);
    scatter(s->slot[SLOT_X], t->index + k, a);
    turn_by(s, t->index[k], oval_turned(&o, j.at_a, push));
}

PL_FN void bounce_touch_turning(const state *s, const packed_touches *t, size_t k)
{
    if (!(load_normal(t->lambda, k) > 0.0f))
        return;
    uint32_t i = t->index[k];
    point v = gather(s->slot[SLOT_V], &i);
    oval o = oval_now(s, i, s->slot[SLOT_X][i + 3]);
    vec n = touch_normal(t, k), arm = times(-1.0f, oval_tip(&o, n));
    joint j = {&o, NULL, arm, arm};
    float runs = touch_runs(s, t, k, n), speed[2];
    for (int before = 0; before < 2; before++)
        speed[before] = dot(n, point_speed(s, i, arm, before)) - runs;
    float w = dot(n, joint_moved(&j, n));
    vec push = times(bounce(speed[1], speed[0], t->bounce[k], s->contact.threshold, w), n);
    v.x = v.x + o.w * push.x, v.y = v.y + o.w * push.y, v.z = v.z + o.w * push.z;
    scatter(s->slot[SLOT_V], &i, v);
    spin_by(s, i, oval_turned(&o, arm, push));
}

#endif
