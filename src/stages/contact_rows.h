// contact_rows.h: what the stages of contacts look up for a row of them.
#pragma once
#include "constraints/contact.h"
#include "stages/items.h"
#include "stages/probe_items.h"

PL_FN hold pick_hold(i32 mask, hold a, hold b)
{
    hold h = {pick(mask, a.normal, b.normal),
              vec_of(pick(mask, a.tangent.x, b.tangent.x), pick(mask, a.tangent.y, b.tangent.y),
                     pick(mask, a.tangent.z, b.tangent.z))};
    return h;
}

// ---- pairs ---------------------------------------------------------------------------------------------------------

// Of a pair's two particles the way out of their bodies, and how deep they lie (SLOT_NORMAL).
typedef struct faces
{
    point a, b;
} faces;

PL_FN faces pair_faces(const state *s, const uint32_t *a, const uint32_t *b)
{
    const point none = {splat(0.0f), splat(0.0f), splat(0.0f), splat(0.0f)};
    faces f = {none, none};
    if (s->clusters.count)
        f.a = gather(s->slot[SLOT_NORMAL], a), f.b = gather(s->slot[SLOT_NORMAL], b);
    return f;
}

PL_FN stance pair_facing(const state *s, faces by, vec d, f32 reach)
{
    stance f = {contact_normal(d, length(d)), vec_of(splat(0.0f), splat(0.0f), splat(0.0f))};
    return s->clusters.count ? body_facing(f.normal, by.a, by.b, reach) : f;
}

PL_FN i32 pair_of_body(faces by) { return by.a.w + by.b.w > 0.0f; }

PL_FN give_lanes pair_give(const state *s, faces by)
{
    const contact_rule *c = &s->contact;
    return s->clusters.count ? either_give(pair_of_body(by), c->body, c->grain)
                             : either_give(splat(0.0f) > 0.0f, c->grain, c->grain);
}

// a - b at the substep's start.
PL_FN vec pair_start(const state *s, const uint32_t *a, const uint32_t *b)
{
    return sub(at(gather(s->slot[SLOT_X0], a)), at(gather(s->slot[SLOT_X0], b)));
}

PL_FN grip pair_grip(const packed_pairs *p, size_t k)
{
    size_t m = p->material_step ? k : 0;
    grip g = {load(p->stick + m), load(p->slide + m)};
    return g;
}

// They shall part at their restitution of how fast they met.
PL_FN parting pair_parting(const state *s, const packed_pairs *p, size_t k, const uint32_t *a, const uint32_t *b, vec n)
{
    point va = gather(s->slot[SLOT_V], a), vb = gather(s->slot[SLOT_V], b);
    parting r = {dot(n, sub(at(va), at(vb))), splat(0.0f), splat(0.0f)};
    if (!s->contact.bouncy)
        return r;
    r.then = dot(n, sub(at(gather(s->slot[SLOT_V1], a)), at(gather(s->slot[SLOT_V1], b))));
    r.wanted =
        keep(strikes(r.now, r.then, s->contact.slow), load(p->bounce + (p->material_step ? k : 0)) * most(va.w, vb.w));
    return r;
}

// ... and how far in the substep. d: a - b at its start.
PL_FN f32 pair_wanted(const state *s, const packed_pairs *p, size_t k, const uint32_t *a, const uint32_t *b, faces by,
                      vec d)
{
    if (!s->clusters.count || !s->contact.bouncy)
        return splat(0.0f);
    vec n = pair_facing(s, by, d, load(p->reach + k)).normal;
    return keep(pair_of_body(by), s->h * pair_parting(s, p, k, a, b, n).wanted);
}

PL_FN hold pair_remembers(const state *s, const packed_pairs *p, size_t k, const uint32_t *a, const uint32_t *b,
                          faces by, vec n, hold h)
{
    return remembered(h, pair_of_body(by), pair_parting(s, p, k, a, b, n), s->contact.slow);
}

// What a pair's multipliers of the last substep, as far as they are remembered (recall: that is to be found yet), amount to at the
// positions where this one begins.
PL_FN vec pair_push(const state *s, const packed_pairs *p, size_t k, const uint32_t *a, const uint32_t *b, bool recall,
                    hold *h)
{
    faces by = pair_faces(s, a, b);
    vec n = pair_facing(s, by, pair_start(s, a, b), load(p->reach + k)).normal;
    if (s->clusters.count && recall)
        *h = pair_remembers(s, p, k, a, b, by, n, *h);
    return keep_vec(h->normal != 0.0f, add(times(h->normal, n), h->tangent));
}

// Where a row of PAD pairs begins in each column. On a CPU the columns of a row lie side by side, so that a pile that no cache
// holds streams by as one.
PL_FN size_t row_at(const packed_pairs *p, int32_t row) { return (size_t)row * (size_t)p->step; }

// ---- touches -------------------------------------------------------------------------------------------------------

PL_FN vec touch_normal(const packed_touches *t, size_t k)
{
    return vec_of(load(t->plane[0] + k), load(t->plane[1] + k), load(t->plane[2] + k));
}

// How fast the surface runs, along n.
PL_FN f32 touch_runs(const state *s, const packed_touches *t, size_t k, vec n)
{
    return 1.0f / s->h * dot(n, vec_of(load(t->drift[0] + k), load(t->drift[1] + k), load(t->drift[2] + k)));
}

PL_FN i32 touch_of_body(const state *s, const uint32_t *a)
{
    return s->clusters.count ? gather(s->slot[SLOT_NORMAL], a).w > 0.0f : splat(0.0f) > 0.0f;
}

// As of pairs.
PL_FN parting touch_parting(const state *s, const packed_touches *t, size_t k, vec n)
{
    point v = gather(s->slot[SLOT_V], t->index + k);
    f32 runs = touch_runs(s, t, k, n);
    parting r = {dot(n, at(v)) - runs, splat(0.0f), splat(0.0f)};
    if (!s->contact.bouncy)
        return r;
    r.then = dot(n, at(gather(s->slot[SLOT_V1], t->index + k))) - runs;
    r.wanted = keep(strikes(r.now, r.then, s->contact.slow), load(t->bounce + k) * v.w);
    return r;
}

PL_FN f32 touch_wanted(const state *s, const packed_touches *t, size_t k, vec n)
{
    if (!s->clusters.count || !s->contact.bouncy)
        return splat(0.0f);
    return keep(touch_of_body(s, t->index + k), s->h * touch_parting(s, t, k, n).wanted);
}

PL_FN hold touch_remembers(const state *s, const packed_touches *t, size_t k, vec n, hold h)
{
    return remembered(h, touch_of_body(s, t->index + k), touch_parting(s, t, k, n), s->contact.slow);
}

PL_FN give_lanes touch_give(const state *s, const uint32_t *a)
{
    return either_give(touch_of_body(s, a), s->contact.body, s->contact.bare);
}
