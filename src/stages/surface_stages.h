// surface_stages.h: the stages of surfaces (self-collision): each function processes the items [begin, end): groups of
// pairs of simplices, or slots.
#pragma once
#include "kernels/surface_contact.h"
#include "stages/contact_stages.h"

// A single item: adds the substep to the age of the list, and clears the crossing flags.
STAGE_FN void surface_open(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g, (void)begin, (void)end;
    s->now->surface_age = s->now->surface_age + s->h;
    s->now->drifted = 0.0f;
    for (int i = 0; i < SURFACE_ROUNDS; i++)
        s->now->crowded[i] = 0;
}

PL_FN surface_form load_form(const packed_surface *p, size_t k)
{
    surface_form f = {vec_of(load(p->normal[0] + k), load(p->normal[1] + k), load(p->normal[2] + k)),
                      {load(p->weight[0] + k), load(p->weight[1] + k), load(p->weight[2] + k), load(p->weight[3] + k)},
                      load(p->gap + k),
                      load(p->aim + k)};
    return f;
}

PL_FN void store_form(const packed_surface *p, size_t k, surface_form f)
{
    store(p->normal[0] + k, f.normal.x);
    store(p->normal[1] + k, f.normal.y);
    store(p->normal[2] + k, f.normal.z);
    for (int i = 0; i < 4; i++)
        store(p->weight[i] + k, f.c[i]);
    store(p->gap + k, f.gap);
    store(p->aim + k, f.reach);
}

PL_FN surface_form pick_form(i32 mask, surface_form a, surface_form b)
{
    surface_form f = {pick_vec(mask, a.normal, b.normal),
                      {pick(mask, a.c[0], b.c[0]), pick(mask, a.c[1], b.c[1]), pick(mask, a.c[2], b.c[2]),
                       pick(mask, a.c[3], b.c[3])},
                      pick(mask, a.gap, b.gap),
                      pick(mask, a.reach, b.reach)};
    return f;
}

// The corners of a pair at the substep's start and now, relative to the first one's x.
PL_FN void surface_corners(const state *s, const packed_surface *p, size_t k, vec *x0, vec *x)
{
    point first = gather(s->slot[SLOT_X], p->index[0] + k);
    for (int i = 0; i < 4; i++)
    {
        point corner = i ? gather(s->slot[SLOT_X], p->index[i] + k) : first;
        vec from = sub(at(corner), at(first));
        x0[i] = add(from, low_part(corner));
        x[i] = add(from, at(gather(s->slot[SLOT_D], p->index[i] + k)));
    }
}

// Computes the linear form of a pair for the substep, and the impulse of its multipliers from the last substep (warm
// start).
PL_FN void probe_surface(const state *s, const packed_surface *p, size_t k)
{
    f32 mode = load(p->mode + k);
    i32 vertex = mode == (float)SURFACE_VERTEX, edges = mode == (float)SURFACE_EDGES,
        pull = mode == (float)SURFACE_UNTANGLE;
    vec x0[4], x[4];
    surface_corners(s, p, k, x0, x);
    surface_form f = load_form(p, k);
    if (anywhere(vertex | edges))
        f = pick_form(vertex | edges, surface_look(vertex, edges, x0, x, load(p->reach + k)), f);
    // A tangled pair is pulled apart step by step, starting from its present distance.
    f.reach = pick(pull, dot(f.normal, surface_between(f.c, x0)) + load(p->reach + k), f.reach);
    store_form(p, k, f);
    contact_lambda h = load_lambda(p->lambda, k);
    vec push = keep_vec(h.normal != 0.0f, add(times(h.normal, f.normal), h.tangent));
    point out = {push.x, push.y, push.z, splat(0.0f)};
    store_points(p->push + 4 * k, out);
}

// Calls visit for the pairs of some groups, LANES pairs at a time.
typedef void visit_surface_pair(const state *s, const packed_surface *p, size_t k);
PL_FN void each_surface_pair(const state *s, int32_t begin, int32_t end, visit_surface_pair *visit)
{
    const packed_surface p = s->surfaces;
    size_t last = (size_t)p.groups.row[end] * PAD;
    for (size_t k = (size_t)p.groups.row[begin] * PAD; k < last; k += LANES)
        visit(s, &p, k);
}

STAGE_FN void surface_probe(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    each_surface_pair(s, begin, end, probe_surface);
}

// Each slot sums its pairs in a fixed order, so the sum does not depend on threads.
STAGE_FN void surface_warm(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_surface *p = &s->surfaces;
    for (int32_t i = begin; i < end; i++)
    {
        float x = 0.0f, y = 0.0f, z = 0.0f;
        for (int32_t e = p->slot_start[i]; e < p->slot_start[i + 1]; e++)
        {
            size_t row = (size_t)(p->slot_entry[e] >> 2);
            const float *push = p->push + 4 * row;
            float c = p->weight[p->slot_entry[e] & 3][row];
            x = x + c * push[0], y = y + c * push[1], z = z + c * push[2];
        }
        float *to = s->slot[SLOT_D] + 4 * (size_t)i;
        to[0] = to[0] + to[3] * x, to[1] = to[1] + to[3] * y, to[2] = to[2] + to[3] * z;
    }
}

// Is the pair within reach, or does it have a multiplier?
PL_FN i32 surface_pair_live(const packed_surface *p, size_t k, const surface_form *f, const vec *now)
{
    i32 there = load(p->mode + k) != (float)SURFACE_NOTHING,
        near = dot(f->normal, surface_between(f->c, now)) < f->reach;
    return there & (near | (load_normal(p->lambda, k) != 0.0f));
}

PL_FN i32 surface_live(const state *s, const packed_surface *p, size_t k)
{
    vec x0[4], now[4];
    surface_corners(s, p, k, x0, now);
    surface_form f = load_form(p, k);
    return surface_pair_live(p, k, &f, now);
}

PL_FN void visit_surface(const state *s, const packed_surface *p, size_t k)
{
    vec now[4], x0[4];
    surface_corners(s, p, k, x0, now);
    surface_form f = load_form(p, k);
    i32 live = surface_pair_live(p, k, &f, now);
    if (!anywhere(live))
        return;
    contact_lambda old = load_lambda(p->lambda, k), h = old;
    friction mu = {load(p->stick + k), load(p->slide + k)};
    point d[4];
    for (int i = 0; i < 4; i++)
        d[i] = gather(s->slot[SLOT_D], p->index[i] + k);
    vec push = surface_visit(d, now, x0, &f, mu, s->contact.particle.soft, s->contact.particle.share,
                             s->contact.particle.spare, &h);
    push = keep_vec(live, push);
    store_lambda(p->lambda, k, pick_lambda(live, h, old));
    for (int i = 0; i < 4; i++)
    {
        pushed(&d[i], times(f.c[i], push));
        scatter(s->slot[SLOT_D], p->index[i] + k, d[i]);
    }
}

STAGE_FN void sweep_surface(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    each_surface_pair(s, begin, end, visit_surface);
}

// Applies restitution, after the velocities are known.
PL_FN void bounce_surface(const state *s, const packed_surface *p, size_t k)
{
    i32 live = load_normal(p->lambda, k) > 0.0f;
    if (!anywhere(live))
        return;
    point v[4];
    vec now[4], before[4];
    surface_form f = load_form(p, k);
    f32 w = splat(0.0f), inverse[4];
    for (int i = 0; i < 4; i++)
    {
        v[i] = gather(s->slot[SLOT_V], p->index[i] + k);
        now[i] = at(v[i]);
        before[i] = at(gather(s->slot[SLOT_V1], p->index[i] + k));
        inverse[i] = weight_at(s, p->index[i] + k);
        w = w + inverse[i] * f.c[i] * f.c[i];
    }
    f32 met = dot(f.normal, surface_between(f.c, before)), parts = dot(f.normal, surface_between(f.c, now));
    f32 push = keep(live, bounce(met, parts, load(p->bounce + k), s->contact.threshold, w));
    for (int i = 0; i < 4; i++)
    {
        f32 by = inverse[i] * f.c[i] * push;
        v[i].x = v[i].x + by * f.normal.x, v[i].y = v[i].y + by * f.normal.y, v[i].z = v[i].z + by * f.normal.z;
        scatter(s->slot[SLOT_V], p->index[i] + k, v[i]);
    }
}

STAGE_FN void bounce_surfaces(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    each_surface_pair(s, begin, end, bounce_surface);
}

// ---- the guarantee against crossing --------------------------------------------------------------------------------

// The position of a particle if it had kept its velocity since the list was built; w: the largest allowed distance from
// it.
PL_FN point path_of(const state *s, size_t i)
{
    point from = load_points(s->slot[SLOT_SURFACE] + i), v = load_points(s->slot[SLOT_SURFACE_V] + i);
    point r = {from.x + s->now->surface_age * v.x, from.y + s->now->surface_age * v.y,
               from.z + s->now->surface_age * v.z, from.w * s->surfaces.leeway};
    return r;
}

// Pairs that are not listed cannot meet while no particle is farther from its path than the leeway.
STAGE_FN void surface_bound(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    for (int32_t k = begin; k < end; k += LANES)
    {
        size_t i = 4 * (size_t)k;
        point x = load_points(s->slot[SLOT_X] + i), d = load_points(s->slot[SLOT_D] + i), path = path_of(s, i);
        vec off = sub(at(x), at(path));
        f32 far = length(add(off, at(d)));
        i32 out = (path.w > 0.0f) & (d.w > 0.0f) & (far > path.w);
        if (!anywhere(out))
            continue;
        // Moves it from its start towards its target as far as the leeway allows. A particle whose start
        // is outside the leeway already (its path moves farther than that in a substep, and it was stopped) is left
        // where it is: new lists are built, and would find a crossing.
        vec low = low_part(x), was = add(off, low), way = sub(at(d), low);
        f32 a = square(way), b = dot(was, way), c = square(was) - path.w * path.w;
        out = out & (c < 0.0f) & (a > 0.0f);
        f32 t = (root(most(b * b - a * c, splat(0.0f))) - b) / pick(out, a, splat(1.0f));
        t = clamp(t, 0.0f, 1.0f);
        vec to = add(low, times(t, way));
        d.x = pick(out, to.x, d.x), d.y = pick(out, to.y, d.y), d.z = pick(out, to.z, d.z);
        store_points(s->slot[SLOT_D] + i, d);
    }
}

// Tests whether a pair may have crossed. If so its corners get a motion limit, which later rounds keep.
PL_FN int limit_surface(const state *s, const packed_surface *p, size_t k, int round)
{
    f32 mode = load(p->mode + k), gap = load(p->gap + k);
    i32 vertex = mode == (float)SURFACE_VERTEX, watched = vertex | (mode == (float)SURFACE_EDGES);
    watched = watched & (gap < SURFACE_FREE);
    f32 old = round ? load(p->limit + k) : splat(SURFACE_FREE);
    vec x0[4], x[4], n = vec_of(load(p->normal[0] + k), load(p->normal[1] + k), load(p->normal[2] + k));
    surface_corners(s, p, k, x0, x);
    i32 began = surface_apart(vertex, n, x0) > 0.0f, ends = surface_apart(vertex, n, x) > SURFACE_LEFT * gap;
    i32 safe = began & ends;
    i32 fresh = watched & not_so(safe) & (old == SURFACE_FREE);
    store(p->limit + k, pick(fresh, SURFACE_PART * gap, old));
    return anywhere(fresh);
}

STAGE_FN void surface_limit(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_surface p = s->surfaces;
    int round = g->kind, found = 0;
    if (round > 0 && !s->now->crowded[round - 1])
        return;
    size_t last = (size_t)p.groups.row[end] * PAD;
    for (size_t k = (size_t)p.groups.row[begin] * PAD; k < last; k += LANES)
        found |= limit_surface(s, &p, k, round);
    if (found)
        flag_up(&s->now->crowded[round]);
}

#if LANES == 1 // one slot at a time; the tables for more lanes use this function

// Limits the motion of a particle to the smallest limit of its pairs. If some pair may still cross in the last round,
// every particle is limited to what is safe whatever the others do.
STAGE_FN void surface_clip(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_surface *p = &s->surfaces;
    if (!s->now->crowded[g->kind])
        return;
    bool everyone = g->kind == SURFACE_ROUNDS - 1;
    for (int32_t i = begin; i < end; i++)
    {
        float limit = SURFACE_FREE;
        for (int32_t e = p->slot_start[i]; e < p->slot_start[i + 1]; e++)
        {
            size_t row = (size_t)(p->slot_entry[e] >> 2);
            float here = p->limit[row];
            if (everyone && p->mode[row] < (float)SURFACE_NOTHING)
                here = SURFACE_PART * p->gap[row];
            limit = here < limit ? here : limit;
        }
        float *d = s->slot[SLOT_D] + 4 * (size_t)i;
        vec low = low_part(load_points(s->slot[SLOT_X] + 4 * (size_t)i)), way = sub(vec_of(d[0], d[1], d[2]), low);
        if (d[3] == 0.0f || !(square(way) > limit * limit))
            continue;
        vec to = add(low, times(limit / length(way), way));
        d[0] = to.x, d[1] = to.y, d[2] = to.z;
    }
}

#endif

// The squared distance of a particle from its path, relative to its allowed leeway; i: 4 * slot.
PL_FN f32 surface_off_path(const state *s, size_t i)
{
    point x = load_points(s->slot[SLOT_X] + i), path = path_of(s, i);
    f32 allowed = load_points(s->slot[SLOT_SURFACE] + i).w, inverse = 1.0f / pick(allowed > 0.0f, allowed, splat(1.0f));
    return keep(allowed > 0.0f, square(times(inverse, sub(at(x), at(path)))));
}

// The largest distance of any particle from its path, squared, relative to its allowed leeway.
STAGE_FN void surface_drift(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    f32 off = splat(0.0f);
    for (int32_t k = begin; k < end; k += LANES)
        off = most(surface_off_path(s, 4 * (size_t)k), off);
    raise_to(&s->now->drifted, greatest(off));
}

STAGE_FN void surface_event(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    any_pressing(s, s->surfaces.groups.row, PAD, s->surfaces.lambda, begin, end);
}
