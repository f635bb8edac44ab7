// contact_stages.h: the stages of contacts: each function processes the items [begin, end): groups of pairs, groups of
// shape contacts, or slots.
#pragma once
#include "stages/list_validity.h"
#include "stages/restitution_stages.h"

// ---- pairs ---------------------------------------------------------------------------------------------------------

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
    stance f = pair_solving(s, by, o, reach);
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

// ---- shape contacts ------------------------------------------------------------------------------------------------

PL_FN void apply_shape_contact_plain(const state *s, const packed_shape_contacts *t, size_t k, i32 oriented)
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
SHAPE_CONTACTS_PLAIN_OR_ORIENTED(apply_shape_contact)

PL_FN void warm_shape_contact(const state *s, const packed_shape_contacts *t, size_t k)
{
    if (s->contact.bouncy)
        open_shape_contact(t, k);
    apply_shape_contact(s, t, k);
}

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
