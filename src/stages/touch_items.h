// touch_items.h: what the stages of contacts do with [begin, end) of groups of touches: particles near shapes.
#pragma once
#include "stages/hold_items.h"

#if LANES == 1 // the planes are found one particle at a time, for every width

PL_FN void put_plane(const packed_touches *t, size_t k, const shown *f)
{
    t->plane[0][k] = f->normal.x, t->plane[1][k] = f->normal.y, t->plane[2][k] = f->normal.z;
    t->plane[3][k] = f->offset;
    t->drift[0][k] = f->drift.x, t->drift[1][k] = f->drift.y, t->drift[2][k] = f->drift.z;
}

PL_FN void put_no_plane(const packed_touches *t, size_t k)
{
    for (int i = 0; i < 3; i++)
        t->plane[i][k] = t->drift[i][k] = 0.0f;
    t->plane[3][k] = CONTACT_NOTHING;
}

PL_FN void let_go(const packed_touches *t, size_t k)
{
    hold none = {0.0f, vec_of(0.0f, 0.0f, 0.0f)};
    store_hold(t->lambda, k, none);
}

// Parts of a touch lie below each other in their lane; on CUDA, a particle's touches lie side by side.
#if defined(__CUDACC__)
#define NEXT_PART 1
#else
#define NEXT_PART PAD
#endif

// Several planes, into the rows of a shape's parts. A part that presses goes on with the plane that faces as its last one did; the
// others begin anew.
PL_FN void settle_parts(const packed_touches *t, size_t k, const shown *f, int count)
{
    int plane_of[FACETS], used[FACETS];
    for (int i = 0; i < FACETS; i++)
        plane_of[i] = -1, used[i] = 0;
    for (int part = 0; part < FACETS; part++)
    {
        size_t row = k + (size_t)part * NEXT_PART;
        vec old = vec_of(t->plane[0][row], t->plane[1][row], t->plane[2][row]);
        float best = 0.8f;
        for (int i = 0; i < count && load_normal(t->lambda, row) != 0.0f; i++)
            if (!used[i] && dot(old, f[i].normal) > best)
            {
                best = dot(old, f[i].normal);
                plane_of[part] = i;
            }
        if (plane_of[part] >= 0)
            used[plane_of[part]] = 1;
        else
            let_go(t, row);
    }
    for (int part = 0, i = 0; part < FACETS; part++)
    {
        while (i < count && used[i])
            i++;
        if (plane_of[part] < 0 && i < count)
            plane_of[part] = i++;
        if (plane_of[part] >= 0)
            put_plane(t, k + (size_t)part * NEXT_PART, f + plane_of[part]);
        else
            put_no_plane(t, k + (size_t)part * NEXT_PART);
    }
}

PL_FN const placement *touch_place(const state *s, const stage *g, size_t k)
{
    return s->placements + (size_t)s->touches.shape[k] * (size_t)s->placement_step + g->substep;
}

// Planes were found for a sphere: an ellipsoid reaches less far.
PL_FN void show_ellipsoid(const state *s, uint32_t index, float radius, shown *f, int count)
{
    int32_t own = s->oriented.count ? s->oriented.of_slot[index / 4] : -1;
    for (int i = 0; i < count && own >= 0; i++)
    {
        turn q = turn_load(s->oriented.pose[own].turn);
        f[i].offset = f[i].offset - (radius - orient_support(&s->oriented.form[own], q, f[i].normal, radius));
    }
}

// The first part of a touch looks for all.
PL_FN void probe_touch(const state *s, const stage *g, size_t k)
{
    const packed_touches *t = &s->touches;
    const solid *solid = &s->solids[t->shape[k]];
    const placement *place = touch_place(s, g, k);
    vec x0 = at(gather(s->slot[SLOT_X0], t->index + k)), x = at(gather(s->slot[SLOT_X], t->index + k));
    float radius = s->slot[SLOT_GRAIN][t->index[k]];
    shown f[FACETS];
    int count = face_particle(s->shape_data, solid, place, place + 1, x0, x, radius, s->h, f);
    show_ellipsoid(s, t->index[k], radius, f, count);
    if (solid_parts(solid) == 1)
        put_plane(t, k, f);
    else
        settle_parts(t, k, f, count);
}

STAGE_FN void probe_touches(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_touches *t = &s->touches;
    size_t last = (size_t)t->groups.row[end] * PAD;
    for (size_t k = (size_t)t->groups.row[begin] * PAD; k < last; k++)
        if (t->shape[k] >= 0 && t->part[k] == 0)
            probe_touch(s, g, k);
}

// Where constraints have pushed a particle too far, it stops before the surface.
PL_FN void guard_touch(const state *s, const stage *g, size_t k)
{
    const packed_touches *t = &s->touches;
    const placement *place = touch_place(s, g, k);
    vec x0 = at(gather(s->slot[SLOT_X0], t->index + k));
    point x = gather(s->slot[SLOT_X], t->index + k);
    vec now = held_back(s->shape_data, &s->solids[t->shape[k]], place, place + 1, x0, at(x),
                        s->slot[SLOT_GRAIN][t->index[k]]);
    x.x = now.x, x.y = now.y, x.z = now.z;
    scatter(s->slot[SLOT_X], t->index + k, x);
}

// Row after row: a particle near two shapes is held back by one after the other.
STAGE_FN void guard_touches(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_touches *t = &s->touches;
    size_t last = (size_t)t->groups.row[end] * PAD;
    for (size_t k = (size_t)t->groups.row[begin] * PAD; k < last; k++)
        if (t->shape[k] >= 0 && t->part[k] == 0 && s->solids[t->shape[k]].kind >= SOLID_MESH)
            guard_touch(s, g, k);
}

#endif

PL_FN vec touch_normal(const packed_touches *t, size_t k)
{
    return vec_of(load(t->plane[0] + k), load(t->plane[1] + k), load(t->plane[2] + k));
}

PL_FN void warm_touch(const state *s, const packed_touches *t, size_t k)
{
    hold h = load_hold(t->lambda, k);
    if (!anywhere(h.normal != 0.0f))
        return;
    point a = gather(s->slot[SLOT_X], t->index + k);
    pushed(&a, keep_vec(h.normal != 0.0f, add(times(h.normal, touch_normal(t, k)), h.tangent)));
    scatter(s->slot[SLOT_X], t->index + k, a);
}

STAGE_FN void warm_touches(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_touches t = s->touches;
    size_t last = (size_t)t.groups.row[end] * PAD;
    for (size_t k = (size_t)t.groups.row[begin] * PAD; k < last; k += LANES)
        warm_touch(s, &t, k);
}

PL_FN give_lanes touch_give(const state *s, const uint32_t *a)
{
    const contact_rule *c = &s->contact;
    if (!s->clusters.count)
        return either_give(splat(0.0f) > 0.0f, c->bare, c->bare);
    return either_give(gather(s->slot[SLOT_NORMAL], a).w > 0.0f, c->body, c->bare);
}

PL_FN void visit_touch(const state *s, const packed_touches *t, size_t k)
{
    point a = gather(s->slot[SLOT_X], t->index + k);
    vec n = touch_normal(t, k);
    f32 offset = load(t->plane[3] + k);
    hold old = load_hold(t->lambda, k), h = old;
    i32 live = (a.w > 0.0f) & ((dot(n, at(a)) < offset) | (old.normal != 0.0f));
    if (!anywhere(live))
        return;
    vec a0 = at(gather(s->slot[SLOT_X0], t->index + k));
    vec drift = vec_of(load(t->drift[0] + k), load(t->drift[1] + k), load(t->drift[2] + k));
    grip hands = {load(t->stick + k), load(t->slide + k)};
    point solid = a;
    solid.w = pick(live, a.w, splat(1.0f)); // no division by 0 for what is held in place
    vec push = keep_vec(live, touch_visit(solid, a0, n, offset, drift, hands, touch_give(s, t->index + k), &h));
    store_hold(t->lambda, k, pick_hold(live, h, old));
    pushed(&a, push);
    scatter(s->slot[SLOT_X], t->index + k, a);
}

STAGE_FN void sweep_touches(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_touches t = s->touches;
    size_t last = (size_t)t.groups.row[end] * PAD;
    for (size_t k = (size_t)t.groups.row[begin] * PAD; k < last; k += LANES)
        visit_touch(s, &t, k);
}

PL_FN void bounce_touch(const state *s, const packed_touches *t, size_t k)
{
    i32 live = load_normal(t->lambda, k) > 0.0f;
    if (!anywhere(live))
        return;
    float inverse_h = 1.0f / s->h;
    point v = gather(s->slot[SLOT_V], t->index + k);
    vec before = at(gather(s->slot[SLOT_V1], t->index + k)), n = touch_normal(t, k);
    vec drift = vec_of(load(t->drift[0] + k), load(t->drift[1] + k), load(t->drift[2] + k));
    f32 runs = inverse_h * dot(n, drift);
    f32 push = keep(live, bounce(dot(n, before) - runs, dot(n, at(v)) - runs, load(t->bounce + k), s->contact.threshold,
                                 splat(1.0f)));
    v.x = v.x + push * n.x, v.y = v.y + push * n.y, v.z = v.z + push * n.z;
    scatter(s->slot[SLOT_V], t->index + k, v);
}

STAGE_FN void bounce_touches(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_touches t = s->touches;
    size_t last = (size_t)t.groups.row[end] * PAD;
    for (size_t k = (size_t)t.groups.row[begin] * PAD; k < last; k += LANES)
        bounce_touch(s, &t, k);
}
