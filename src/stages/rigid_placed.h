// rigid_placed.h: where the shapes of rigid bodies are at the start of a substep.
#pragma once
#include "collide/solid.h"
#include "stages/rigid_box.h"
#include "stages/rigid_contact_stages.h"

#if LANES == 1

// A collider in the world: its shape, axes and the place of its origin relative to the centre of its body.
typedef struct rigid_placed
{
    convex shape;
    mat3 body, axes; // of the body and of the shape
    vec at;          // from the body's centre of mass to the shape's origin, in world axes
} rigid_placed;

PL_FN mat3 rows_as_columns(const float *m)
{
    mat3 r = {{vec_of(m[0], m[3], m[6]), vec_of(m[1], m[4], m[7]), vec_of(m[2], m[5], m[8])}};
    return r;
}

PL_FN rigid_placed rigid_placed_of(const state *s, const rigid_collider *k, int32_t substep)
{
    const packed_rigid_contacts *c = &s->rigid_contacts;
    rigid_placed r;
    if (k->kind < COLLIDER_PLANE)
        r.shape = rigid_convex(c, k);
    if (k->shape >= 0)
    {
        r.body = r.axes =
            rows_as_columns(s->placements[(size_t)k->shape * (size_t)s->placement_step + (size_t)substep].rotation);
        r.at = vec_of(0.0f, 0.0f, 0.0f);
        return r;
    }
    mat3 own = quat_axes(quat_load(k->rotation));
    r.body = k->frame >= 0 ? quat_axes(quat_load(s->oriented.pose[k->frame].rotation)) : mat_unit();
    r.axes = mat_mul(&r.body, &own);
    r.at = mat_times(&r.body, vec_of(k->position[0], k->position[1], k->position[2]));
    return r;
}

// From the centre of mass of A to that of B, or to the origin of a world shape.
PL_FN vec rigid_between(const state *s, const rigid_collider *a, const rigid_collider *b, int32_t substep)
{
    point xa = load_points(s->slot[SLOT_X] + a->member);
    vec la = low_part(xa);
    if (b->shape >= 0)
    {
        const placement *p = &s->placements[(size_t)b->shape * (size_t)s->placement_step + (size_t)substep];
        return vec_of((p->at[0] - xa.x) + (p->low[0] - la.x), (p->at[1] - xa.y) + (p->low[1] - la.y),
                      (p->at[2] - xa.z) + (p->low[2] - la.z));
    }
    point xb = load_points(s->slot[SLOT_X] + b->member);
    return add(sub(at(xb), at(xa)), sub(low_part(xb), la));
}

#endif
