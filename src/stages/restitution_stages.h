// restitution_stages.h: the stages of impacts (kernels/restitution.h): what a substep begins with, what is taken back
// after it, and the impacts.
#pragma once
#include "stages/oriented_contact_stages.h"

// ---- what contacts have in common ----------------------------------------------------------------------------------

// How much speed a displacement in the substep makes (kernels/velocity.h).
PL_FN float speed_of_displacement(const state *s) { return s->fade * ((second_order(s) ? 1.5f : 1.0f) / s->h); }

PL_FN vec gravity_of(const state *s)
{
    return vec_of(splat(s->gravity[0]), splat(s->gravity[1]), splat(s->gravity[2]));
}

PL_FN point sped_up(point v, f32 by, vec n)
{
    point r = {v.x + by * n.x, v.y + by * n.y, v.z + by * n.z, v.w};
    return r;
}

// Begins the substep: multipliers of impacts end. `carried`: the multiplier that the substep starts with, or, negative,
// that of an impact in the last one.
PL_FN void open_contact(float *const *lambda, float *carried, size_t k)
{
    contact_lambda h = load_signed_lambda(lambda, k);
    const contact_lambda none = {splat(0.0f), vec_of(splat(0.0f), splat(0.0f), splat(0.0f))};
    i32 ended = h.normal < 0.0f;
    store(carried + k, h.normal);
    if (anywhere(ended))
        store_lambda(lambda, k, pick_lambda(ended, none, h));
}

// Returns the impulse to take back, of lanes that are `live`. before: n . (V1a - V1b). From here on `carried` is 0 for a
// contact that was released, or -1 if it had an impact in the last substep too.
PL_FN f32 take_back(const state *s, float *const *lambda, float *carried, size_t k, i32 live, f32 before, f32 weight)
{
    f32 from = load(carried + k), to = load_normal(lambda, k), push = speed_of_displacement(s) * to;
    i32 struck = live & is_struck(most(from, splat(0.0f)), to, weight * push, before, s->contact.threshold);
    store(carried + k, pick(struck, keep(from < 0.0f, splat(-1.0f)), to));
    return keep(struck, push);
}

// Returns the impulse of contacts that were released, but have no impact, and keeps the multiplier that makes it. Where
// none is needed, nothing lasts, as after an impact.
PL_FN f32 press_contact(const state *s, float *const *lambda, float *carried, size_t k, i32 live, f32 now, f32 weight)
{
    const float rate = speed_of_displacement(s);
    contact_lambda h = load_signed_lambda(lambda, k);
    f32 size = magnitude(h.normal);
    live = live & (size > 0.0f) & (load(carried + k) <= 0.0f);
    if (!anywhere(live))
        return splat(0.0f);
    f32 push = keep(live, press_again(now, rate * size, weight));
    f32 kept = push / rate, share = kept / pick(live, size, splat(1.0f));
    i32 presses = live & (kept > 0.0f);
    contact_lambda less = {kept, times(share, h.tangent)}, ended = {-size, h.tangent};
    store_lambda(lambda, k, pick_lambda(live, pick_lambda(presses, less, ended), h));
    store(carried + k, pick(presses, kept, load(carried + k)));
    return push;
}

// What a contact does to the velocities after the substep, of lanes that are `live`: its impact, or what presses.
PL_FN rebound rebound_contact(const state *s, float *const *lambda, float *carried, size_t k, i32 live,
                              meeting_speeds u, f32 e, f32 weight)
{
    const float threshold = s->contact.threshold;
    i32 released = load(carried + k) <= 0.0f;
    rebound r = rebound_of(u, restitution_of(e, load(carried + k) < 0.0f, u.before, threshold), threshold, weight);
    i32 misses = live & not_so(r.hits) & (e > 0.0f);
    r.hits = r.hits & live;
    r.push = keep(r.hits, r.push) + press_contact(s, lambda, carried, k, misses, u.now, weight);
    r.push_before = keep(r.hits, r.push_before);
    end_impact(lambda, k, r.hits & released & (e > 0.0f));
    return r;
}

// ---- pairs ---------------------------------------------------------------------------------------------------------

PL_FN f32 pair_restitution(const packed_pairs *p, size_t k) { return load(p->bounce + (p->material_step ? k : 0)); }

PL_FN void open_pair(const state *s, const packed_pairs *p, size_t k)
{
    (void)s;
    open_contact(p->lambda, p->carried, k);
}

STAGE_FN void open_pairs(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    each_pair(s, begin, end, 0, open_pair);
}

PL_FN void release_pair(const state *s, const packed_pairs *p, size_t k)
{
    i32 pressed = load_normal(p->lambda, k) > load(p->carried + k), bouncy = pair_restitution(p, k) > 0.0f,
        live = pressed & bouncy;
    if (!anywhere(live))
        return;
    const uint32_t *ia = p->index[0] + k, *ib = p->index[1] + k;
    f32 weight_a = weight_at(s, ia), weight_b = weight_at(s, ib);
    faces by = pair_faces(s, ia, ib);
    live = live & not_so(pair_of_body(by)) & (pairs_oriented(s, p, k) == 0);
    vec n = pair_facing(s, by, pair_ago(s, ia, ib, 1.0f), load(p->reach + k)).normal;
    f32 before = dot(n, gather_between(s->slot[SLOT_V1], ia, ib));
    f32 push = take_back(s, p->lambda, p->carried, k, live, before, weight_a + weight_b);
    if (!anywhere(push > 0.0f))
        return;
    point va = gather(s->slot[SLOT_V], ia), vb = gather(s->slot[SLOT_V], ib);
    scatter(s->slot[SLOT_V], ia, sped_up(va, -(weight_a * push), n));
    scatter(s->slot[SLOT_V], ib, sped_up(vb, weight_b * push, n));
}

STAGE_FN void release_pairs(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    each_pair(s, begin, end, 0, release_pair);
}

// What gravity adds to the speed at which the two meet: it does not move kinematic particles.
PL_FN f32 pair_pull(const state *s, const uint32_t *ia, const uint32_t *ib, f32 weight_a, f32 weight_b, vec n,
                    f32 before)
{
    f32 one = splat(1.0f), falls = keep(weight_a > 0.0f, one) - keep(weight_b > 0.0f, one);
    f32 closed = -dot(n, gather_between(s->slot[SLOT_D], ia, ib));
    return pull_until_met(falls * dot(n, gravity_of(s)), closed, before, s->h);
}

PL_FN void bounce_pair_plain(const state *s, const packed_pairs *p, size_t k, i32 oriented)
{
    i32 live = (load_normal(p->lambda, k) != 0.0f) & (oriented == 0);
    if (!anywhere(live))
        return;
    const uint32_t *ia = p->index[0] + k, *ib = p->index[1] + k;
    f32 weight_a = weight_at(s, ia), weight_b = weight_at(s, ib), w = weight_a + weight_b;
    point va = gather(s->slot[SLOT_V], ia), vb = gather(s->slot[SLOT_V], ib);
    point old_a = gather(s->slot[SLOT_V1], ia), old_b = gather(s->slot[SLOT_V1], ib);
    const point last_a = va, last_b = vb;
    faces by = pair_faces(s, ia, ib);
    vec n = pair_facing(s, by, pair_between(s, ia, ib), load(p->reach + k)).normal;
    meeting_speeds u = {dot(n, sub(at(old_a), at(old_b))), dot(n, sub(at(va), at(vb))), splat(0.0f)};
    u.pull = pair_pull(s, ia, ib, weight_a, weight_b, n, u.before);
    i32 body = live & pair_of_body(by), loose = live & not_so(pair_of_body(by));
    va.w = struck(va.w, body, u.before, s->contact.threshold);
    vb.w = struck(vb.w, body, u.before, s->contact.threshold);
    rebound r = rebound_contact(s, p->lambda, p->carried, k, loose, u, pair_restitution(p, k), w);
    scatter_but(s->slot[SLOT_V], ia, oriented, sped_up(va, weight_a * r.push, n), last_a);
    scatter_but(s->slot[SLOT_V], ib, oriented, sped_up(vb, -(weight_b * r.push), n), last_b);
    if (!anywhere(r.hits))
        return;
    scatter(s->slot[SLOT_V1], ia, sped_up(old_a, weight_a * r.push_before, n));
    scatter(s->slot[SLOT_V1], ib, sped_up(old_b, -(weight_b * r.push_before), n));
}
PAIRS_PLAIN_OR_ORIENTED(bounce_pair)

STAGE_FN void bounce_pairs(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    each_pair(s, begin, end, 0, bounce_pair);
}

// ---- shape contacts ------------------------------------------------------------------------------------------------

PL_FN void open_shape_contact(const packed_shape_contacts *t, size_t k) { open_contact(t->lambda, t->carried, k); }

PL_FN void release_shape_contact(const state *s, const packed_shape_contacts *t, size_t k)
{
    i32 pressed = load_normal(t->lambda, k) > load(t->carried + k), bouncy = load(t->bounce + k) > 0.0f,
        live = pressed & bouncy;
    if (!anywhere(live))
        return;
    live = live & not_so(shape_contact_of_body(s, t->index + k)) & (shape_contacts_oriented(s, t, k) == 0);
    vec n = shape_contact_normal(t, k);
    f32 before = dot(n, at(gather(s->slot[SLOT_V1], t->index + k))) - shape_contact_runs(s, t, k, n);
    f32 weight = weight_at(s, t->index + k), push = take_back(s, t->lambda, t->carried, k, live, before, weight);
    if (!anywhere(push > 0.0f))
        return;
    point v = gather(s->slot[SLOT_V], t->index + k);
    scatter(s->slot[SLOT_V], t->index + k, sped_up(v, -(weight * push), n));
}

STAGE_FN void release_shape_contacts(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    each_shape_contact(s, begin, end, release_shape_contact);
}

PL_FN void bounce_shape_contact_plain(const state *s, const packed_shape_contacts *t, size_t k, i32 oriented)
{
    i32 live = (load_normal(t->lambda, k) != 0.0f) & (oriented == 0);
    if (!anywhere(live))
        return;
    point v = gather(s->slot[SLOT_V], t->index + k), old = gather(s->slot[SLOT_V1], t->index + k), last = v;
    point d = gather(s->slot[SLOT_D], t->index + k);
    vec n = shape_contact_normal(t, k);
    f32 runs = shape_contact_runs(s, t, k, n), w = d.w;
    meeting_speeds u = {dot(n, at(old)) - runs, dot(n, at(v)) - runs, splat(0.0f)};
    u.pull = pull_until_met(dot(n, gravity_of(s)), s->h * runs - dot(n, at(d)), u.before, s->h);
    i32 body = live & shape_contact_of_body(s, t->index + k), loose = live & not_so(body);
    v.w = struck(v.w, body, u.before, s->contact.threshold);
    rebound r = rebound_contact(s, t->lambda, t->carried, k, loose, u, load(t->bounce + k), w);
    scatter_but(s->slot[SLOT_V], t->index + k, oriented, sped_up(v, w * r.push, n), last);
    if (anywhere(r.hits))
        scatter(s->slot[SLOT_V1], t->index + k, sped_up(old, w * r.push_before, n));
}
SHAPE_CONTACTS_PLAIN_OR_ORIENTED(bounce_shape_contact)

STAGE_FN void bounce_shape_contacts(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    each_shape_contact(s, begin, end, bounce_shape_contact);
}
