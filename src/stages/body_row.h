// body_row.h: what the stages of contacts between rigid bodies and particles read of a row (kernels/body_particle.h): its
// body, and the point that touches, a particle or the mean of the corners of a triangle.
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

PL_FN vec body_local(const rigid_collider *k, vec x)
{
    mat3 own = quat_axes(quat_load(k->rotation));
    return transposed_times(&own, sub(x, vec_of(k->position[0], k->position[1], k->position[2])));
}

// ---- the point of a row --------------------------------------------------------------------------------------------

// The mean of a column of particles (displacements, velocities) at the point of row i.
PL_FN vec body_mean(const state *s, const float *column, int32_t i)
{
    const body_row *r = &s->body_particles.row[i];
    const float *weight = s->body_particles.weight + 4 * (size_t)i;
    vec first = at(load_points(column + r->member[0]));
    if (r->corners == 1)
        return first;
    vec sum = times(weight[0], first);
    for (int c = 1; c < BODY_CORNERS; c++)
        sum = add(sum, times(weight[c], at(load_points(column + r->member[c]))));
    return sum;
}

// From the body's centre to corner c at the substep's start; low: the part of it below the rounding of positions.
PL_FN vec body_apart(const state *s, const body_row *r, int c, vec *low)
{
    point x = load_points(s->slot[SLOT_X] + r->member[c]),
          xb = load_points(s->slot[SLOT_X] + body_collider(s, r)->member);
    *low = sub(low_part(x), low_part(xb));
    return sub(at(x), at(xb));
}

// The same to the point of row i, low parts included.
PL_FN vec body_reach(const state *s, int32_t i, vec *low)
{
    const body_row *r = &s->body_particles.row[i];
    const float *weight = s->body_particles.weight + 4 * (size_t)i;
    vec first = body_apart(s, r, 0, low), sum_low = *low;
    if (r->corners == 1)
        return add(first, sum_low);
    vec sum = times(weight[0], first);
    sum_low = times(weight[0], sum_low);
    for (int c = 1; c < BODY_CORNERS; c++)
    {
        sum = add(sum, times(weight[c], body_apart(s, r, c, low)));
        sum_low = add(sum_low, times(weight[c], *low));
    }
    *low = sum_low;
    return add(sum, sum_low);
}

// How far the point of a row has moved relative to the body's point since the substep's start; low parts included.
PL_FN vec body_relative(const state *s, int32_t i, const body_work *w)
{
    const rigid_collider *k = body_collider(s, &s->body_particles.row[i]);
    vec d = sub(body_mean(s, s->slot[SLOT_D], i), at(load_points(s->slot[SLOT_D] + k->member)));
    vec turned = k->frame < 0 ? vec_of(0.0f, 0.0f, 0.0f) : frame_along(s->oriented.way[k->frame].rotated);
    return sub(d, cross(turned, frame_along(w->arm)));
}

// The same as a velocity.
PL_FN vec body_speed(const state *s, int32_t i, const body_work *w)
{
    const rigid_collider *k = body_collider(s, &s->body_particles.row[i]);
    vec v = sub(body_mean(s, s->slot[SLOT_V], i), at(load_points(s->slot[SLOT_V] + k->member)));
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

// Does it press, or is it so near that it probably will?
PL_FN bool body_presses(const state *s, int32_t i)
{
    const body_work *w = &s->body_particles.work[i];
    if (w->near == 0.0f || s->body_particles.kept[4 * (size_t)i] > 0.0f)
        return w->near != 0.0f;
    float separation = w->base + dot(frame_along(w->normal), body_relative(s, i, w));
    return separation <= 0.25f * s->slot[SLOT_COLLISION][s->body_particles.row[i].member[0]] + 1e-4f;
}

// The rest of a row whose normal, separation at the end of the prediction (`base`) and weights are known.
PL_FN void body_set_up(state *s, int32_t i)
{
    body_work *w = &s->body_particles.work[i];
    float *kept = s->body_particles.kept + 4 * (size_t)i;
    vec low, arm = body_reach(s, i, &low), n = frame_along(w->normal);
    body_put(w->arm, arm);
    body_put(w->low, low);
    w->base = w->base - dot(n, body_relative(s, i, w));
    w->overlap = least(w->base + dot(n, low), 0.0f);
    w->before = dot(n, body_speed(s, i, w));
    w->target = -1.0f;
    body_open(w, kept);
    if (kept[0] > 0.0f)
        w->near = 1.0f;
    float *weight = s->body_particles.weight + 4 * (size_t)i;
    weight[3] = body_presses(s, i) ? 1.0f : 0.0f;
    body_touch *touch = &s->body_particles.touch[i];
    body_put(touch->normal, n);
    body_put(touch->arm, arm);
    touch->separation = w->base + dot(n, low);
    for (int c = 0; c < BODY_CORNERS; c++)
        touch->weight[c] = weight[c];
}

#endif
