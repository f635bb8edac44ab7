// contact_stages.h: the stages of contacts: each function processes the items [begin, end): groups of pairs, groups of
// shape contacts, or slots.
#pragma once
#include "stages/list_validity.h"
#include "stages/oriented_contact_stages.h"

// Stores changed particles, except in lanes where the contact rotates particles: the functions for oriented particles
// have stored those.
PL_FN void scatter_but(float *array, const uint32_t *index, i32 oriented, point next, point last)
{
    vec x = pick_vec(oriented, at(last), at(next));
    point p = {x.x, x.y, x.z, pick(oriented, last.w, next.w)};
    scatter(array, index, p);
}

// ---- pairs ---------------------------------------------------------------------------------------------------------

#define ROWS_AHEAD 12

// Prefetches a row some way ahead.
PL_FN void look_ahead(const packed_pairs *p, int32_t row)
{
#if defined(__CUDACC__)
    (void)p, (void)row;
#else
    const float *from = p->reach + row_at(p, row + ROWS_AHEAD) - 2 * PAD;
    for (int i = 0; i < 7; i++)
        __builtin_prefetch(from + i * PAD, 1);
#endif
}

// Calls visit for the pairs of some groups, LANES pairs at a time. ahead: whether rows are prefetched.
typedef void visit_pair(const state *s, const packed_pairs *p, size_t k);
PL_FN void each_pair(const state *s, int32_t begin, int32_t end, int ahead, visit_pair *visit)
{
    const packed_pairs p = s->pairs;
    for (int32_t row = p.groups.row[begin]; row < p.groups.row[end]; row++)
    {
        if (ahead)
            look_ahead(&p, row);
        for (size_t k = row_at(&p, row), last = k + PAD; k < last; k += LANES)
            visit(s, &p, k);
    }
}

PL_FN void warm_pair_plain(const state *s, const packed_pairs *p, size_t k, i32 oriented)
{
    contact_lambda old = load_lambda(p->lambda, k), h = old;
    if (!anywhere(h.normal != 0.0f))
        return;
    vec push = pair_push(s, p, k, p->index[0] + k, p->index[1] + k, true, &h);
    if (s->clusters.count)
        store_lambda(p->lambda, k, pick_lambda(oriented, old, h));
    point a = gather(s->slot[SLOT_D], p->index[0] + k), b = gather(s->slot[SLOT_D], p->index[1] + k);
    point next_a = a, next_b = b;
    pushed(&next_a, push);
    pulled(&next_b, push);
    scatter_but(s->slot[SLOT_D], p->index[0] + k, oriented, next_a, a);
    scatter_but(s->slot[SLOT_D], p->index[1] + k, oriented, next_b, b);
}
PAIRS_PLAIN_OR_ORIENTED(warm_pair)

// Applies the warm start pair by pair in the order of the solve. The impulse of a pair depends only on the state at the
// substep's start, so a slot may as well sum the impulses of its pairs in that order.
STAGE_FN void warm_pairs(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    each_pair(s, begin, end, 1, warm_pair);
}

PL_FN void visit_pairs_plain(const state *s, const packed_pairs *p, size_t k, i32 oriented)
{
    const uint32_t *ia = p->index[0] + k, *ib = p->index[1] + k;
    point xa = gather(s->slot[SLOT_X], ia), xb = gather(s->slot[SLOT_X], ib);
    point a = gather(s->slot[SLOT_D], ia), b = gather(s->slot[SLOT_D], ib);
    vec x = sub(at(xa), at(xb));
    f32 reach = load(p->reach + k);
    i32 live = contact_live(pair_now(x, a, b), reach, load_normal(p->lambda, k)) & (oriented == 0);
    if (!anywhere(live))
        return;
    contact_lambda old = load_lambda(p->lambda, k), h = old;
    contact_way o = pair_way(x, low_between(xa, xb), a, b);
    faces by = pair_faces(s, ia, ib);
    stance f = pair_facing(s, by, o.d, reach);
    f32 wanted = pair_wanted(s, p, k, ia, ib, by, o.d0);
    vec push = contact_visit(o, a.w + b.w, wanted, f, reach, pair_friction(p, k), pair_softness(s, by), &h);
    push = keep_vec(live, push);
    store_lambda(p->lambda, k, pick_lambda(live, h, old));
    point next_a = a, next_b = b;
    pushed(&next_a, push);
    pulled(&next_b, push);
    scatter_but(s->slot[SLOT_D], ia, oriented, next_a, a);
    scatter_but(s->slot[SLOT_D], ib, oriented, next_b, b);
}
PAIRS_PLAIN_OR_ORIENTED(visit_pairs)

STAGE_FN void sweep_pairs(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    each_pair(s, begin, end, 1, visit_pairs);
}

PL_FN void bounce_pair_plain(const state *s, const packed_pairs *p, size_t k, i32 oriented)
{
    i32 live = (load_normal(p->lambda, k) > 0.0f) & (oriented == 0);
    if (!anywhere(live))
        return;
    const uint32_t *ia = p->index[0] + k, *ib = p->index[1] + k;
    f32 weight_a = weight_at(s, ia), weight_b = weight_at(s, ib);
    point va = gather(s->slot[SLOT_V], ia), vb = gather(s->slot[SLOT_V], ib);
    const point last_a = va, last_b = vb;
    faces by = pair_faces(s, ia, ib);
    vec n = pair_facing(s, by, pair_between(s, ia, ib), load(p->reach + k)).normal;
    vec before = gather_between(s->slot[SLOT_V1], ia, ib);
    f32 e = load(p->bounce + (p->material_step ? k : 0)), w = weight_a + weight_b;
    i32 body = live & pair_of_body(by);
    va.w = struck(va.w, body, dot(n, before), s->contact.threshold);
    vb.w = struck(vb.w, body, dot(n, before), s->contact.threshold);
    f32 push = keep(live & ~body, bounce(dot(n, before), dot(n, sub(at(va), at(vb))), e, s->contact.threshold, w));
    f32 wa = weight_a * push, wb = weight_b * push;
    va.x = va.x + wa * n.x, va.y = va.y + wa * n.y, va.z = va.z + wa * n.z;
    vb.x = vb.x - wb * n.x, vb.y = vb.y - wb * n.y, vb.z = vb.z - wb * n.z;
    scatter_but(s->slot[SLOT_V], ia, oriented, va, last_a);
    scatter_but(s->slot[SLOT_V], ib, oriented, vb, last_b);
}
PAIRS_PLAIN_OR_ORIENTED(bounce_pair)

STAGE_FN void bounce_pairs(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    each_pair(s, begin, end, 0, bounce_pair);
}

// ---- shape contacts ------------------------------------------------------------------------------------------------

// Calls visit for the shape contacts of some groups, LANES at a time.
typedef void visit_shape_contacts(const state *s, const packed_shape_contacts *t, size_t k);
PL_FN void each_shape_contact(const state *s, int32_t begin, int32_t end, visit_shape_contacts *visit)
{
    const packed_shape_contacts t = s->shape_contacts;
    size_t last = (size_t)t.groups.row[end] * PAD;
    for (size_t k = (size_t)t.groups.row[begin] * PAD; k < last; k += LANES)
        visit(s, &t, k);
}

PL_FN void warm_shape_contact_plain(const state *s, const packed_shape_contacts *t, size_t k, i32 oriented)
{
    contact_lambda old = load_lambda(t->lambda, k), h = old;
    if (!anywhere(h.normal != 0.0f))
        return;
    point a = gather(s->slot[SLOT_D], t->index + k);
    vec n = shape_contact_normal(t, k);
    if (s->clusters.count)
    {
        h = shape_contact_remembers(s, t, k, n, h);
        store_lambda(t->lambda, k, pick_lambda(oriented, old, h));
    }
    point next = a;
    pushed(&next, keep_vec(h.normal != 0.0f, add(times(h.normal, n), h.tangent)));
    scatter_but(s->slot[SLOT_D], t->index + k, oriented, next, a);
}
SHAPE_CONTACTS_PLAIN_OR_ORIENTED(warm_shape_contact)

STAGE_FN void warm_shape_contacts(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    each_shape_contact(s, begin, end, warm_shape_contact);
}

PL_FN void visit_shape_contact_plain(const state *s, const packed_shape_contacts *t, size_t k, i32 oriented)
{
    point a = gather(s->slot[SLOT_D], t->index + k);
    vec n = shape_contact_normal(t, k);
    f32 offset = load(t->plane[3] + k);
    contact_lambda old = load_lambda(t->lambda, k), h = old;
    i32 live = (a.w > 0.0f) & ((dot(n, at(a)) < offset) | (old.normal != 0.0f)) & (oriented == 0);
    if (!anywhere(live))
        return;
    vec low = low_part(gather(s->slot[SLOT_X], t->index + k));
    vec drift = vec_of(load(t->drift[0] + k), load(t->drift[1] + k), load(t->drift[2] + k));
    friction mu = {load(t->stick + k), load(t->slide + k)};
    point solid = a;
    solid.w = pick(live, a.w, splat(1.0f)); // avoids a division by 0 for kinematic particles
    vec push =
        keep_vec(live, shape_contact_visit(solid, low, n, offset, drift, mu, shape_contact_softness(s, t->index + k),
                                           shape_contact_wanted(s, t, k, n), &h));
    store_lambda(t->lambda, k, pick_lambda(live, h, old));
    point next = a;
    pushed(&next, push);
    scatter_but(s->slot[SLOT_D], t->index + k, oriented, next, a);
}
SHAPE_CONTACTS_PLAIN_OR_ORIENTED(visit_shape_contact)

STAGE_FN void sweep_shape_contacts(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    each_shape_contact(s, begin, end, visit_shape_contact);
}

PL_FN void bounce_shape_contact_plain(const state *s, const packed_shape_contacts *t, size_t k, i32 oriented)
{
    i32 live = (load_normal(t->lambda, k) > 0.0f) & (oriented == 0);
    if (!anywhere(live))
        return;
    point v = gather(s->slot[SLOT_V], t->index + k);
    const point last = v;
    vec before = at(gather(s->slot[SLOT_V1], t->index + k)), n = shape_contact_normal(t, k);
    f32 runs = shape_contact_runs(s, t, k, n);
    i32 body = live & shape_contact_of_body(s, t->index + k);
    v.w = struck(v.w, body, dot(n, before) - runs, s->contact.threshold);
    f32 push = keep(live & ~body, bounce(dot(n, before) - runs, dot(n, at(v)) - runs, load(t->bounce + k),
                                         s->contact.threshold, splat(1.0f)));
    v.x = v.x + push * n.x, v.y = v.y + push * n.y, v.z = v.z + push * n.z;
    scatter_but(s->slot[SLOT_V], t->index + k, oriented, v, last);
}
SHAPE_CONTACTS_PLAIN_OR_ORIENTED(bounce_shape_contact)

STAGE_FN void bounce_shape_contacts(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    each_shape_contact(s, begin, end, bounce_shape_contact);
}

// ---- events and motion ---------------------------------------------------------------------------------------------

// A contact with a multiplier may start or end at any time, so second order cannot rely on the history.
PL_FN void any_pressing(state *s, const int32_t *row, int32_t step, float *const *lambda, int32_t begin, int32_t end)
{
    int found = 0;
    for (int32_t r = row[begin]; r < row[end]; r++)
        for (size_t k = (size_t)r * (size_t)step, last = k + PAD; k < last; k += LANES)
            found |= anywhere(load_normal(lambda, k) != 0.0f);
    if (found)
        flag_up(&s->now->event);
}

STAGE_FN void pairs_event(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    any_pressing(s, s->pairs.groups.row, s->pairs.step, s->pairs.lambda, begin, end);
}

STAGE_FN void shape_contact_event(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    any_pressing(s, s->shape_contacts.groups.row, PAD, s->shape_contacts.lambda, begin, end);
}

// Atomic maximum of numbers that are not negative: their bits sort as integers do, so the order does not matter.
PL_FN void raise_to(float *most_so_far, float a)
{
    int32_t bits;
    memcpy(&bits, &a, sizeof bits);
#if defined(__CUDACC__)
    atomicMax((int32_t *)most_so_far, bits);
#else
    int32_t *to = (int32_t *)(void *)most_so_far, seen = __atomic_load_n(to, __ATOMIC_RELAXED);
    while (bits > seen && !__atomic_compare_exchange_n(to, &seen, bits, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
#endif
}

PL_FN float greatest(f32 a)
{
    float lanes[LANES], r = 0.0f;
    store(lanes, a);
    for (int i = 0; i < LANES; i++)
        r = lanes[i] > r ? lanes[i] : r;
    return r;
}

STAGE_FN void farthest(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    f32 far[FAR_COUNT], one[FAR_COUNT];
    for (int i = 0; i < FAR_COUNT; i++)
        far[i] = splat(0.0f);
    for (int32_t k = begin; k < end; k += LANES)
    {
        size_t i = 4 * (size_t)k;
        point x = load_points(s->slot[SLOT_X] + i), from = load_points(s->slot[SLOT_BUILD] + i);
        look_far(s, sub(at(x), at(from)), at(load_points(s->slot[SLOT_V] + i)), one);
        for (int j = 0; j < FAR_COUNT; j++)
            far[j] = most(one[j], far[j]);
    }
    for (int i = 0; i < FAR_COUNT; i++)
        raise_to(&s->now->far[i], greatest(far[i]));
}
