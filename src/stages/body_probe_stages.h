// body_probe_stages.h: the stages of contacts between rigid bodies and particles at the start of a substep
// (kernels/body_particle.h).
//   probe    rows: the contact plane of the particle
//   share    points: how many rows share a particle, and the masses of its rows
// One item at a time, on every backend.
#pragma once
#include "collide/convex.h"
#include "kernels/body_particle.h"
#include "stages/attachment_stages.h"
#include "stages/rigid_box.h"

#if LANES == 1

PL_FN void body_put(float *to, vec a) { to[0] = a.x, to[1] = a.y, to[2] = a.z; }

// ---- the body of a row ---------------------------------------------------------------------------------------------

PL_FN const rigid_collider *body_collider(const state *s, const body_row *r)
{
    return &s->rigid_contacts.collider[r->collider];
}

// The inverse inertia of a body along axes times a torque; `more` scales it.
PL_FN vec body_eased(const state *s, int32_t frame, const mat3 *axes, float w, float more, vec torque)
{
    if (frame < 0)
        return vec_of(0.0f, 0.0f, 0.0f);
    return along_axes(axes, times(more * 5.0f * w, frame_along(s->oriented.inertia[frame].inverse)), torque);
}

PL_FN mat3 body_middle(const state *s, int32_t frame)
{
    return frame < 0 ? mat_unit() : quat_axes(quat_load(s->oriented.way[frame].middle));
}

PL_FN mat3 body_axes(const state *s, int32_t frame)
{
    return frame < 0 ? mat_unit() : quat_axes(quat_load(s->oriented.pose[frame].rotation));
}

// ---- the contact plane ---------------------------------------------------------------------------------------------

PL_FN vec body_local(const rigid_collider *k, vec x)
{
    mat3 own = quat_axes(quat_load(k->rotation));
    return transposed_times(&own, sub(x, vec_of(k->position[0], k->position[1], k->position[2])));
}

// The surface where a sphere first touches on its way from p0 to p1, or at p1 if it does not: sphere tracing, as for the
// shapes of the world (collide/particle_vs_shape.h). from: where the sphere is then.
PL_WALK surface_distance body_sight(const convex *c, vec p0, vec p1, float radius, vec *from)
{
    vec way = sub(p1, p0);
    float len = length(way), fine = 1e-3f * radius + 1e-6f * len, done = 0.0f;
    surface_distance there = convex_probe(c, p1);
    *from = p1;
    if (!(len > 0.0f) || (len <= 0.5f * radius && there.distance > 0.0f))
        return there;
    surface_distance here = convex_probe(c, p0);
    if (here.distance - radius > len)
        return there;
    for (int i = 0; i < 32 && here.distance - radius > fine; i++)
    {
        done = done + (here.distance - radius);
        if (done >= len)
            return there;
        here = convex_probe(c, add(p0, times(done / len, way)));
    }
    *from = add(p0, times(done / len, way));
    return here;
}

// Stores the plane of a row. start, end: from the body's centre to the particle.
PL_FN void body_face(const state *s, const rigid_collider *k, vec start, vec end, vec turned, float radius,
                     body_work *w)
{
    mat3 from = body_axes(s, k->frame), to = from, own = quat_axes(quat_load(k->rotation));
    if (k->frame >= 0)
        to = quat_axes(turn_plus(quat_load(s->oriented.pose[k->frame].rotation), turned));
    convex shape = rigid_convex(&s->rigid_contacts, k);
    vec p0 = body_local(k, transposed_times(&from, start)), p1 = body_local(k, transposed_times(&to, end)), q;
    surface_distance f = body_sight(&shape, p0, p1, radius, &q);
    vec foot = sub(q, times(f.distance, f.normal)), in_body = mat_times(&own, f.normal), n = mat_times(&to, in_body);
    float separation = dot(f.normal, sub(p1, foot)) - radius;
    vec way = sub(p1, p0);
    body_put(w->normal, n);
    w->base = separation;
    // What is farther away does not touch in this substep unless it is pushed by more than its own motion.
    w->near = separation <= radius + 2.0f * length(way) ? 1.0f : 0.0f;
}

// How far the particle of a row has moved relative to the body's point since the substep's start; low parts included.
PL_FN vec body_relative(const state *s, const body_row *r, const body_work *w)
{
    const rigid_collider *k = body_collider(s, r);
    vec d = sub(at(load_points(s->slot[SLOT_D] + r->member)), at(load_points(s->slot[SLOT_D] + k->member)));
    vec turned = k->frame < 0 ? vec_of(0.0f, 0.0f, 0.0f) : frame_along(s->oriented.way[k->frame].rotated);
    return sub(d, cross(turned, frame_along(w->arm)));
}

// The same as a velocity.
PL_FN vec body_speed(const state *s, const body_row *r, const body_work *w)
{
    const rigid_collider *k = body_collider(s, r);
    vec v = sub(at(load_points(s->slot[SLOT_V] + r->member)), at(load_points(s->slot[SLOT_V] + k->member)));
    vec spin = k->frame < 0 ? vec_of(0.0f, 0.0f, 0.0f) : frame_along(s->oriented.pose[k->frame].spin);
    return sub(v, cross(spin, frame_along(w->arm)));
}

// Multipliers of impacts end. A tangential multiplier is kept across the new normal.
PL_FN void body_open(body_work *w, float *kept)
{
    vec n = frame_along(w->normal), t = frame_along(kept + 1);
    w->first = kept[0];
    if (kept[0] <= 0.0f)
        kept[0] = kept[1] = kept[2] = kept[3] = 0.0f;
    else
        body_put(kept + 1, sub(t, times(dot(t, n), n)));
}

PL_FN void body_probe_row(state *s, int32_t i)
{
    const body_row *r = &s->body_particles.row[i];
    const rigid_collider *k = body_collider(s, r);
    body_work *w = &s->body_particles.work[i];
    point x = load_points(s->slot[SLOT_X] + r->member), xb = load_points(s->slot[SLOT_X] + k->member);
    point d = load_points(s->slot[SLOT_D] + r->member), db = load_points(s->slot[SLOT_D] + k->member);
    vec apart = sub(at(x), at(xb)), low = sub(low_part(x), low_part(xb)), start = add(apart, low);
    vec end = add(apart, sub(at(d), at(db)));
    vec turned = k->frame < 0 ? vec_of(0.0f, 0.0f, 0.0f) : frame_along(s->oriented.way[k->frame].rotated);
    body_face(s, k, start, end, turned, s->slot[SLOT_COLLISION][r->member], w);
    body_put(w->arm, start);
    body_put(w->low, low);
    vec n = frame_along(w->normal);
    w->base = w->base - dot(n, body_relative(s, r, w));
    w->overlap = least(w->base + dot(n, low), 0.0f);
    w->before = dot(n, body_speed(s, r, w));
    w->target = -1.0f;
    body_open(w, s->body_particles.kept + 4 * (size_t)i);
    if (s->body_particles.kept[4 * (size_t)i] > 0.0f)
        w->near = 1.0f;
}

STAGE_FN void body_probe(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    for (int32_t i = begin; i < end; i++)
        body_probe_row(s, i);
}

// ---- the share of a particle ---------------------------------------------------------------------------------------

// Does it press, or is it so near that it probably will?
PL_FN bool body_presses(const state *s, int32_t i)
{
    const body_row *r = &s->body_particles.row[i];
    const body_work *w = &s->body_particles.work[i];
    if (w->near == 0.0f || s->body_particles.kept[4 * (size_t)i] > 0.0f)
        return w->near != 0.0f;
    float separation = w->base + dot(frame_along(w->normal), body_relative(s, r, w));
    return separation <= 0.25f * s->slot[SLOT_COLLISION][r->member] + 1e-4f;
}

// Masses of a row whose particle is shared by so many.
PL_FN void body_weigh(const state *s, int32_t i, float rows)
{
    const body_row *r = &s->body_particles.row[i];
    const rigid_collider *k = body_collider(s, r);
    body_work *w = &s->body_particles.work[i];
    float own = rows * s->slot[SLOT_D][r->member + 3], wb = s->slot[SLOT_D][k->member + 3];
    mat3 middle = body_middle(s, k->frame);
    vec arm = cross(frame_along(w->arm), frame_along(w->normal));
    float whole = own;
    if (wb > 0.0f)
        whole = (own + wb) + dot(arm, body_eased(s, k->frame, &middle, wb, second_order(s) ? 2.25f : 1.0f, arm));
    w->weight = own;
    w->soft = wb > 0.0f ? s->contact.body_softness * whole : 0.0f;
    w->inverse = own + w->soft > 0.0f ? 1.0f / (own + w->soft) : 0.0f;
}

STAGE_FN void body_share(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_body_particles *b = &s->body_particles;
    for (int32_t p = begin; p < end; p++)
    {
        float rows = 0.0f;
        for (int32_t e = b->point[p].begin; e < b->point[p].end; e++)
            rows = rows + (body_presses(s, b->entry[e]) ? 1.0f : 0.0f);
        for (int32_t e = b->point[p].begin; e < b->point[p].end; e++)
            body_weigh(s, b->entry[e], most(rows, 1.0f));
    }
}

#endif
