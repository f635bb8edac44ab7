// contact_rows.h: helpers of the contact stages: loops over rows of pairs and shape contacts, and their data.
#pragma once
#include "kernels/contact.h"
#include "stages/stage_common.h"
#include "stages/shape_plane_stages.h"

PL_FN contact_lambda pick_lambda(i32 mask, contact_lambda a, contact_lambda b)
{
    contact_lambda h = {pick(mask, a.normal, b.normal),
                        vec_of(pick(mask, a.tangent.x, b.tangent.x), pick(mask, a.tangent.y, b.tangent.y),
                               pick(mask, a.tangent.z, b.tangent.z))};
    return h;
}

// Marks the multiplier as that of an impact.
PL_FN void end_impact(float *const *lambda, size_t k, i32 hits)
{
    if (!anywhere(hits))
        return;
    contact_lambda h = load_signed_lambda(lambda, k);
    h.normal = pick(hits, -magnitude(h.normal), h.normal);
    store_lambda(lambda, k, h);
}

// ---- pairs ---------------------------------------------------------------------------------------------------------

// The outward directions and depths of a pair's two particles in their bodies (SLOT_NORMAL).
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

// In the solve. With restitution the normal is that of the substep's start, along which warm start and release act too:
// what one applies the other can take back. Bodies follow their faces.
PL_FN stance pair_solving(const state *s, faces by, contact_way o, f32 reach)
{
    if (!s->contact.bouncy)
        return pair_facing(s, by, o.d, reach);
    return pair_facing(s, by, s->clusters.count ? pick_vec(pair_of_body(by), o.d, o.d0) : o.d0, reach);
}

PL_FN softness_lanes pair_softness(const state *s, faces by)
{
    const contact_rule *c = &s->contact;
    return s->clusters.count ? either_softness(pair_of_body(by), c->body, c->particle)
                             : either_softness(splat(0.0f) > 0.0f, c->particle, c->particle);
}

// a - b at the substep's start, without the low parts.
PL_FN vec pair_start(const state *s, const uint32_t *a, const uint32_t *b)
{
    return gather_between(s->slot[SLOT_X], a, b);
}

// a - b now, with their displacements. x: a - b at the substep's start, without the low parts.
PL_FN vec pair_now(vec x, point da, point db) { return add(x, sub(at(da), at(db))); }

PL_FN vec low_between(point xa, point xb) { return sub(low_part(xa), low_part(xb)); }

// low: the low part of a minus that of b. What does not change in the substep is computed apart from what does.
PL_FN contact_way pair_way(vec x, vec low, point da, point db)
{
    contact_way o = {pair_now(x, da, db), add(x, low), sub(sub(at(da), at(db)), low)};
    return o;
}

// a - b between two substeps, when the displacements are part of the positions already.
PL_FN vec pair_between(const state *s, const uint32_t *a, const uint32_t *b)
{
    point xa = gather(s->slot[SLOT_X], a), xb = gather(s->slot[SLOT_X], b);
    return add(sub(at(xa), at(xb)), low_between(xa, xb));
}

// The same a part of the substep ago: 1 at its start.
PL_FN vec pair_ago(const state *s, const uint32_t *a, const uint32_t *b, float part)
{
    return sub(pair_between(s, a, b), times(splat(part), gather_between(s->slot[SLOT_D], a, b)));
}

// The inverse mass, which is beside the displacement.
PL_FN f32 weight_at(const state *s, const uint32_t *index) { return gather(s->slot[SLOT_D], index).w; }

PL_FN friction pair_friction(const packed_pairs *p, size_t k)
{
    size_t m = p->material_step ? k : 0;
    friction g = {load(p->stick + m), load(p->slide + m)};
    return g;
}

// The separating speeds of a pair; the target speed is the restitution times the impact speed.
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

// The target displacement in the substep. d: a - b at its start.
PL_FN f32 pair_wanted(const state *s, const packed_pairs *p, size_t k, const uint32_t *a, const uint32_t *b, faces by,
                      vec d)
{
    if (!s->clusters.count || !s->contact.bouncy)
        return splat(0.0f);
    vec n = pair_facing(s, by, d, load(p->reach + k)).normal;
    return keep(pair_of_body(by), s->h * pair_parting(s, p, k, a, b, n).wanted);
}

PL_FN contact_lambda pair_remembers(const state *s, const packed_pairs *p, size_t k, const uint32_t *a,
                                    const uint32_t *b, faces by, vec n, contact_lambda h)
{
    return remembered(h, pair_of_body(by), pair_parting(s, p, k, a, b, n), s->contact.slow);
}

// The warm-start impulse of a pair, at the positions where the substep starts. recall: the multipliers still have to be
// reduced to the part that is kept (`remembered`).
PL_FN vec pair_push(const state *s, const packed_pairs *p, size_t k, const uint32_t *a, const uint32_t *b, bool recall,
                    contact_lambda *h)
{
    faces by = pair_faces(s, a, b);
    vec n = pair_facing(s, by, pair_start(s, a, b), load(p->reach + k)).normal;
    if (s->clusters.count && recall)
        *h = pair_remembers(s, p, k, a, b, by, n, *h);
    return keep_vec(h->normal != 0.0f, add(times(h->normal, n), h->tangent));
}

// The offset of a row of PAD pairs in each column. On a CPU the columns of a row are adjacent, so that a pile larger
// than the cache is read as one stream.
PL_FN size_t row_at(const packed_pairs *p, int32_t row) { return (size_t)row * (size_t)p->step; }

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

PL_FN vec shape_contact_normal(const packed_shape_contacts *t, size_t k)
{
    return vec_of(load(t->plane[0] + k), load(t->plane[1] + k), load(t->plane[2] + k));
}

// The speed of the shape's surface along n.
PL_FN f32 shape_contact_runs(const state *s, const packed_shape_contacts *t, size_t k, vec n)
{
    return 1.0f / s->h * dot(n, vec_of(load(t->drift[0] + k), load(t->drift[1] + k), load(t->drift[2] + k)));
}

PL_FN i32 shape_contact_of_body(const state *s, const uint32_t *a)
{
    return s->clusters.count ? gather(s->slot[SLOT_NORMAL], a).w > 0.0f : splat(0.0f) > 0.0f;
}

// As pair_parting.
PL_FN parting shape_contact_parting(const state *s, const packed_shape_contacts *t, size_t k, vec n)
{
    point v = gather(s->slot[SLOT_V], t->index + k);
    f32 runs = shape_contact_runs(s, t, k, n);
    parting r = {dot(n, at(v)) - runs, splat(0.0f), splat(0.0f)};
    if (!s->contact.bouncy)
        return r;
    r.then = dot(n, at(gather(s->slot[SLOT_V1], t->index + k))) - runs;
    r.wanted = keep(strikes(r.now, r.then, s->contact.slow), load(t->bounce + k) * v.w);
    return r;
}

PL_FN f32 shape_contact_wanted(const state *s, const packed_shape_contacts *t, size_t k, vec n)
{
    if (!s->clusters.count || !s->contact.bouncy)
        return splat(0.0f);
    return keep(shape_contact_of_body(s, t->index + k), s->h * shape_contact_parting(s, t, k, n).wanted);
}

PL_FN contact_lambda shape_contact_remembers(const state *s, const packed_shape_contacts *t, size_t k, vec n,
                                             contact_lambda h)
{
    return remembered(h, shape_contact_of_body(s, t->index + k), shape_contact_parting(s, t, k, n), s->contact.slow);
}

PL_FN softness_lanes shape_contact_softness(const state *s, const uint32_t *a)
{
    return either_softness(shape_contact_of_body(s, a), s->contact.body, s->contact.bare);
}
