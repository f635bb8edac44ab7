// shape_plane_stages.h: finds the contact planes of shapes for the particles near them, at the start of each substep;
// loads and stores the multipliers of contacts.
#pragma once
#include "kernels/contact.h"
#include "stages/stage_common.h"

// The four multipliers of a contact. On a CPU they are in separate columns, so that lanes are adjacent. A CUDA thread
// takes one contact at a time from anywhere, so there the four are together.
#if defined(__CUDACC__)

PL_FN f32 load_normal(float *const *lambda, size_t k) { return lambda[0][4 * k]; }

PL_FN contact_lambda load_lambda(float *const *lambda, size_t k)
{
    point p = load_points(lambda[0] + 4 * k);
    // the sign is used as a flag (backend/cuda/per_particle.h)
    contact_lambda h = {magnitude(p.x), vec_of(p.y, p.z, p.w)};
    return h;
}

// With the sign, which between two substeps marks the multiplier of an impact (kernels/restitution.h).
PL_FN contact_lambda load_signed_lambda(float *const *lambda, size_t k)
{
    point p = load_points(lambda[0] + 4 * k);
    contact_lambda h = {p.x, vec_of(p.y, p.z, p.w)};
    return h;
}

PL_FN void store_lambda(float *const *lambda, size_t k, contact_lambda h)
{
    point p = {h.normal, h.tangent.x, h.tangent.y, h.tangent.z};
    store_points(lambda[0] + 4 * k, p);
}

#else

PL_FN f32 load_normal(float *const *lambda, size_t k) { return load(lambda[0] + k); }

PL_FN contact_lambda load_lambda(float *const *lambda, size_t k)
{
    contact_lambda h = {load(lambda[0] + k), vec_of(load(lambda[1] + k), load(lambda[2] + k), load(lambda[3] + k))};
    return h;
}

PL_FN contact_lambda load_signed_lambda(float *const *lambda, size_t k) { return load_lambda(lambda, k); }

PL_FN void store_lambda(float *const *lambda, size_t k, contact_lambda h)
{
    store(lambda[0] + k, h.normal);
    store(lambda[1] + k, h.tangent.x);
    store(lambda[2] + k, h.tangent.y);
    store(lambda[3] + k, h.tangent.z);
}

#endif

PL_FN particle_way way_at(const state *s, const uint32_t *index)
{
    point x = gather(s->slot[SLOT_X], index);
    particle_way w = {at(x), low_part(x), at(gather(s->slot[SLOT_D], index))};
    return w;
}

// ---- one contact at a time -----------------------------------------------------------------------------------------

#if LANES == 1

PL_FN void put_plane(const packed_shape_contacts *t, size_t k, const contact_plane *f)
{
    t->plane[0][k] = f->normal.x, t->plane[1][k] = f->normal.y, t->plane[2][k] = f->normal.z;
    t->plane[3][k] = f->offset;
    t->drift[0][k] = f->drift.x, t->drift[1][k] = f->drift.y, t->drift[2][k] = f->drift.z;
}

PL_FN void put_no_plane(const packed_shape_contacts *t, size_t k)
{
    for (int i = 0; i < 3; i++)
        t->plane[i][k] = t->drift[i][k] = 0.0f;
    t->plane[3][k] = CONTACT_NOTHING;
}

PL_FN void let_go(const packed_shape_contacts *t, size_t k)
{
    contact_lambda none = {0.0f, vec_of(0.0f, 0.0f, 0.0f)};
    store_lambda(t->lambda, k, none);
}

// The parts of a shape contact are PAD entries apart, in the same lane; on CUDA a particle's shape contacts are
// adjacent.
#if defined(__CUDACC__)
#define NEXT_PART 1
#else
#define NEXT_PART PAD
#endif

// Assigns several planes to the parts of a shape contact. A part with a multiplier continues with the plane whose
// normal is nearest to its last one; the others start from zero.
PL_FN void settle_parts(const packed_shape_contacts *t, size_t k, const contact_plane *f, int count)
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

PL_FN const placement *shape_contact_placement(const state *s, const stage *g, size_t k)
{
    return s->placements + (size_t)s->shape_contacts.shape[k] * (size_t)s->placement_step + g->substep;
}

// Does the particle look at shapes only from where it comes to? A point of a strand does: the pass brings it back to the
// outside from everywhere, and tracing its way would cost more than all else.
PL_FN bool is_blind(const state *s, uint32_t index) { return s->strands.count && s->strands.hangs[index / 4]; }

// Finds the planes of all parts of a shape contact, for its first part.
PL_FN void probe_shape_contact(const state *s, const stage *g, size_t k)
{
    const packed_shape_contacts *t = &s->shape_contacts;
    const solid *solid = &s->solids[t->shape[k]];
    const placement *pose = shape_contact_placement(s, g, k);
    float radius = s->slot[SLOT_COLLISION][t->index[k]], sight = s->fluid.sight * s->slot[SLOT_FLUID][t->index[k]];
    contact_plane f[FACETS];
    int count = face_particle(s->shape_data, solid, pose, pose + 1, way_at(s, t->index + k), radius, sight,
                              is_blind(s, t->index[k]), s->h, f);
    if (solid_parts(solid) == 1)
        put_plane(t, k, f);
    else
        settle_parts(t, k, f, count);
}

PL_FN int is_probed(const packed_shape_contacts *t, size_t k) { return t->shape[k] >= 0 && t->part[k] == 0; }

STAGE_FN void probe_shape_contacts(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_shape_contacts *t = &s->shape_contacts;
    size_t last = (size_t)t->groups.row[end] * PAD;
    for (size_t k = (size_t)t->groups.row[begin] * PAD; k < last; k++)
        if (is_probed(t, k))
            probe_shape_contact(s, g, k);
}

// Stops a particle before the surface where constraints have pushed it too far.
PL_FN void guard_shape_contact(const state *s, const stage *g, size_t k)
{
    const packed_shape_contacts *t = &s->shape_contacts;
    const placement *pose = shape_contact_placement(s, g, k);
    vec now = held_back(s->shape_data, &s->solids[t->shape[k]], pose, pose + 1, way_at(s, t->index + k),
                        s->slot[SLOT_COLLISION][t->index[k]]);
    float *d = s->slot[SLOT_D] + t->index[k];
    d[0] = now.x, d[1] = now.y, d[2] = now.z;
}

// One row after the other: a particle near two shapes is limited by both in turn.
STAGE_FN void guard_shape_contacts(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_shape_contacts *t = &s->shape_contacts;
    size_t last = (size_t)t->groups.row[end] * PAD;
    for (size_t k = (size_t)t->groups.row[begin] * PAD; k < last; k++)
        if (is_probed(t, k) && s->solids[t->shape[k]].kind >= SOLID_MESH)
            guard_shape_contact(s, g, k);
}

#else // ---- in lanes ------------------------------------------------------------------------------------------------

extern void probe_alone(const state *s, const stage *g, size_t k); // probe_shape_contact of the scalar table

// Planes, spheres, capsules and boxes: the shapes of the contacts in the lanes.
typedef struct plain_shapes
{
    uint32_t pose[LANES];                 // offset of the placement, in floats
    float size[4][LANES], belt[3][LANES]; // as in solid
    float kind[LANES], inside[LANES];     // kind -1: another kind, or no shape; inside 1: SOLID_INSIDE
    int kinds;                            // a bit for each kind in the lanes
    int same;                             // all lanes have one shape
} plain_shapes;

// Most rows of particles near a large shape have that shape in all lanes.
PL_FN int is_same_shape(const packed_shape_contacts *t, size_t k)
{
    int same = t->shape[k] >= 0;
    for (size_t i = 1; i < LANES; i++)
        same &= t->shape[k + i] == t->shape[k];
    return same;
}

PL_FN plain_shapes plain_same(const state *s, const stage *g, int32_t shape)
{
    const solid *d = &s->solids[shape];
    int plain = d->kind <= SOLID_BOX && !(d->flags & SOLID_TWO_SIDED);
    uint32_t pose = PLACEMENT_SIZE * ((uint32_t)shape * (uint32_t)s->placement_step + (uint32_t)g->substep);
    plain_shapes p;
    for (int i = 0; i < LANES; i++)
        p.pose[i] = pose;
    for (int c = 0; c < 4; c++)
        store(p.size[c], splat(d->size[c]));
    for (int c = 0; c < 3; c++)
        store(p.belt[c], splat(d->belt[c]));
    store(p.kind, splat(plain ? (float)d->kind : -1.0f));
    store(p.inside, splat(d->flags & SOLID_INSIDE ? 1.0f : 0.0f));
    p.kinds = plain ? 1 << d->kind : 0;
    p.same = 1;
    return p;
}

PL_FN plain_shapes plain_at(const state *s, const stage *g, size_t k)
{
    if (is_same_shape(&s->shape_contacts, k))
        return plain_same(s, g, s->shape_contacts.shape[k]);
    plain_shapes p;
    p.kinds = p.same = 0;
    for (int i = 0; i < LANES; i++)
    {
        int32_t shape = s->shape_contacts.shape[k + (size_t)i];
        const solid *d = &s->solids[shape < 0 ? 0 : shape];
        int plain = shape >= 0 && d->kind <= SOLID_BOX && !(d->flags & SOLID_TWO_SIDED);
        p.pose[i] =
            PLACEMENT_SIZE * ((uint32_t)(shape < 0 ? 0 : shape) * (uint32_t)s->placement_step + (uint32_t)g->substep);
        for (int c = 0; c < 4; c++)
            p.size[c][i] = d->size[c];
        for (int c = 0; c < 3; c++)
            p.belt[c][i] = d->belt[c];
        p.kind[i] = plain ? (float)d->kind : -1.0f;
        p.inside[i] = d->flags & SOLID_INSIDE ? 1.0f : 0.0f;
        p.kinds |= plain ? 1 << d->kind : 0;
    }
    return p;
}

PL_FN placed frames_at(const float *placements, const uint32_t *pose, int same)
{
    if (same)
    {
        const float *a = placements + pose[0];
        placed f = {{splat(a[0]), splat(a[1]), splat(a[2]), splat(a[3]), splat(a[4]), splat(a[5]), splat(a[6]),
                     splat(a[7]), splat(a[8])},
                    {splat(a[9]), splat(a[10]), splat(a[11])},
                    {splat(a[12]), splat(a[13]), splat(a[14]), splat(a[15])}};
        return f;
    }
    point a = gather(placements, pose), b = gather(placements + 4, pose), c = gather(placements + 8, pose);
    point low = gather(placements + 12, pose);
    placed f = {{a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x}, {c.y, c.z, c.w}, {low.x, low.y, low.z, low.w}};
    return f;
}

PL_FN surface_distance pick_surface(i32 mask, surface_distance a, surface_distance b)
{
    surface_distance s = {pick(mask, a.distance, b.distance), pick_vec(mask, a.normal, b.normal)};
    return s;
}

// As probe_solid, for all kinds in the lanes.
PL_FN surface_distance probe_plain(const plain_shapes *p, vec x)
{
    const f32 none = splat(0.0f), kind = load(p->kind), radius = load(p->size[3]);
    vec zero = vec_of(none, none, none);
    surface_distance r = probe_plane(x, vec_of(none, splat(1.0f), none), none);
    if (p->kinds & 1 << SOLID_SPHERE)
        r = pick_surface(kind == (float)SOLID_SPHERE, probe_sphere(x, zero, radius), r);
    if (p->kinds & 1 << SOLID_CAPSULE)
    {
        f32 half = 0.5f * load(p->size[0]);
        surface_distance f = probe_capsule(x, vec_of(none, -half, none), vec_of(none, half, none), radius);
        r = pick_surface(kind == (float)SOLID_CAPSULE, f, r);
    }
    if (p->kinds & 1 << SOLID_BOX)
    {
        surface_distance f = probe_box(x, vec_of(load(p->size[0]), load(p->size[1]), load(p->size[2])), radius);
        r = pick_surface(kind == (float)SOLID_BOX, f, r);
    }
    i32 inside = load(p->inside) > 0.0f;
    surface_distance out = {-r.distance, negative(r.normal)};
    return pick_surface(inside, out, r);
}

PL_FN void put_planes(const packed_shape_contacts *t, size_t k, i32 mask, const contact_plane *f)
{
    const f32 plane[4] = {f->normal.x, f->normal.y, f->normal.z, f->offset},
              drift[3] = {f->drift.x, f->drift.y, f->drift.z};
    for (int c = 0; c < 4; c++)
        store(t->plane[c] + k, pick(mask, plane[c], load(t->plane[c] + k)));
    for (int c = 0; c < 3; c++)
        store(t->drift[c] + k, pick(mask, drift[c], load(t->drift[c] + k)));
}

// As `trace`, for all kinds in the lanes; 2 in lanes that are not live.
PL_FN f32 trace_plain(const plain_shapes *p, vec p0, vec way, f32 len, f32 radius, i32 live)
{
    f32 fine = 1e-3f * most(radius, splat(0.0f)) + 1e-6f * len, done = splat(0.0f), time = splat(2.0f);
    len = pick(live, len, splat(1.0f));
    for (int i = 0; i < TRACE_STEPS && anywhere(live); i++)
    {
        f32 gap = probe_plain(p, add(p0, times(done / len, way))).distance - radius;
        i32 there = live & (gap <= fine);
        time = pick(there, done / len, time);
        live = live & not_so(there);
        done = pick(live, done + gap, done);
        live = live & not_so(done >= len);
    }
    return pick(live, done / len, time);
}

// As first_sight; there: the surface at p1.
PL_FN surface_distance first_sight_plain(const plain_shapes *p, vec p0, vec p1, f32 radius, i32 blind,
                                         surface_distance there, vec *from)
{
    vec way = sub(p1, p0);
    f32 len = length(way);
    i32 slow = blind | not_so(len > 0.0f) | ((len <= 0.5f * radius) & (there.distance > 0.0f));
    *from = p1;
    if (everywhere(slow))
        return there;
    f32 time = trace_plain(p, p0, way, len, radius, not_so(slow) & (load(p->kind) >= 0.0f));
    i32 hits = not_so(time > 1.0f);
    if (!anywhere(hits))
        return there;
    *from = pick_vec(hits, add(p0, times(time, way)), p1);
    return pick_surface(hits, probe_plain(p, *from), there);
}

// As is_blind.
PL_FN i32 are_blind(const state *s, const uint32_t *index)
{
    float blind[LANES] = {0};
    for (int i = 0; i < LANES && s->strands.count; i++)
        blind[i] = s->strands.hangs[index[i] / 4] ? 1.0f : 0.0f;
    return load(blind) > 0.0f;
}

// As face_particle, for plain shapes. Returns the mask of the lanes done; the others need face_particle.
PL_FN i32 probe_row(const state *s, const stage *g, size_t k)
{
    const packed_shape_contacts *t = &s->shape_contacts;
    const float *placements = (const float *)s->placements;
    plain_shapes p = plain_at(s, g, k);
    f32 radius = gather(s->slot[SLOT_COLLISION], t->index + k).x;
    placed from = frames_at(placements, p.pose, p.same), to = frames_at(placements + PLACEMENT_SIZE, p.pose, p.same);
    particle_way w = way_at(s, t->index + k);
    local_way l = way_in_frame(&from, &to, w);
    vec p0 = l.from, p1 = l.to, q;
    surface_distance near_by =
        first_sight_plain(&p, p0, p1, radius, are_blind(s, t->index + k), probe_plain(&p, p1), &q);
    i32 served = load(p.kind) >= 0.0f;
    vec belt = vec_of(load(p.belt[0]), load(p.belt[1]), load(p.belt[2]));
    vec foot = sub(q, times(near_by.distance, near_by.normal));
    contact_plane f = contact_plane_at(belt, &from, &to, foot, near_by.normal, radius, splat(s->h), p1, w.d);
    put_planes(t, k, served, &f);
    return served;
}

STAGE_FN void probe_shape_contacts(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_shape_contacts *t = &s->shape_contacts;
    size_t last = (size_t)t->groups.row[end] * PAD;
    for (size_t k = (size_t)t->groups.row[begin] * PAD; k < last; k += LANES)
    {
        i32 served = probe_row(s, g, k);
        for (size_t i = 0; i < LANES; i++)
            if (!served[i] && t->shape[k + i] >= 0 && t->part[k + i] == 0)
                probe_alone(s, g, k + i);
    }
}

#endif
