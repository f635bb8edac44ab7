// body_probe_stages.h: the stages of contacts between rigid bodies and particles at the start of a substep
// (kernels/body_particle.h).
//   probe    rows: the contact plane of the particle, or those of a pair that may have several
//   share    rows: their masses, where several rows share a particle
// One item at a time, on every backend.
#pragma once
#include "stages/body_walls.h"

#if LANES == 1

// ---- the contact plane ---------------------------------------------------------------------------------------------

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
PL_FN void body_face_plane(const state *s, const rigid_collider *k, vec start, vec end, vec turned, float radius,
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

PL_FN void body_probe_particle(state *s, int32_t i)
{
    const body_row *r = &s->body_particles.row[i];
    const rigid_collider *k = body_collider(s, r);
    float *weight = s->body_particles.weight + 4 * (size_t)i;
    vec low, apart = body_apart(s, r, 0, &low), end = add(apart, body_moved(s, r, 0));
    weight[0] = 1.0f, weight[1] = weight[2] = 0.0f;
    vec turned = k->frame < 0 ? vec_of(0.0f, 0.0f, 0.0f) : frame_along(s->oriented.way[k->frame].rotated);
    body_face_plane(s, k, add(apart, low), end, turned, s->slot[SLOT_COLLISION][r->member[0]],
                    &s->body_particles.work[i]);
    body_set_up(s, i);
}

STAGE_FN void body_probe(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    for (int32_t i = begin; i < end; i++)
    {
        const body_row *r = &s->body_particles.row[i];
        if (!r->rows)
            continue; // the first row of the pair has found its point
        if (r->corners == BODY_CORNERS)
            body_probe_surface(s, i);
        else if (body_collider(s, r)->kind < COLLIDER_PLANE)
            body_probe_particle(s, i);
        else
            body_probe_wall(s, i);
    }
}

// ---- the share of a row --------------------------------------------------------------------------------------------

// The weights of all rows that press at a point, at least that of this one.
PL_FN float body_rows_at(const state *s, int32_t point, float own)
{
    const packed_body_particles *b = &s->body_particles;
    float sum = 0.0f;
    for (int32_t e = b->point[point].begin; e < b->point[point].end; e++)
    {
        const float *weight = b->weight + 4 * (size_t)(b->entry[e] >> 2);
        sum = sum + weight[3] * weight[b->entry[e] & 3];
    }
    return most(sum, own);
}

STAGE_FN void body_share(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    for (int32_t i = begin; i < end; i++)
    {
        const body_row *r = &s->body_particles.row[i];
        const rigid_collider *k = body_collider(s, r);
        const float *weight = s->body_particles.weight + 4 * (size_t)i, wb = s->slot[SLOT_D][k->member + 3];
        body_work *w = &s->body_particles.work[i];
        float own = 0.0f;
        for (int c = 0; c < r->corners && w->near != 0.0f; c++)
            own = own + (weight[c] * body_rows_at(s, r->point[c], weight[c])) * s->slot[SLOT_D][r->member[c] + 3];
        mat3 middle = body_middle(s, k->frame);
        vec arm = cross(frame_along(w->arm), frame_along(w->normal));
        float whole = own;
        if (wb > 0.0f)
            whole = (own + wb) + dot(arm, body_eased(s, k->frame, &middle, wb, second_order(s) ? 2.25f : 1.0f, arm));
        w->weight = own;
        w->soft = wb > 0.0f ? s->contact.body_softness * whole : 0.0f;
        w->inverse = own + w->soft > 0.0f ? 1.0f / (own + w->soft) : 0.0f;
    }
}

#endif
