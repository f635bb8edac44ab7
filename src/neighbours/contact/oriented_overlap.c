// oriented_overlap.c: computes the present overlap and contact point of oriented particles, for queries and contact
// events (kernels/ellipsoid_contact.h).
#include "kernels/ellipsoid_contact.h"
#include "model/world.h"
#include "neighbours/contact/oriented_overlap.h"

static ellipsoid ellipsoid_of_slot(const pl_world *w, int32_t slot)
{
    const packed_oriented *o = &w->state.oriented;
    float radius = w->state.slot[SLOT_COLLISION][4 * (size_t)slot];
    if (!has_orientation(w, slot))
        return ellipsoid_of(0, vec_of(0.0f, 0.0f, 0.0f), 0.0f, vec_of(0.0f, 0.0f, 0.0f), quat_identity(), radius, 0.0f);
    int32_t i = o->of_slot[slot];
    return ellipsoid_of(1, frame_along(o->form[i].radii), o->form[i].whole, frame_along(o->inertia[i].inverse),
                        quat_load(o->pose[i].rotation), radius, 0.0f);
}

bool has_orientation(const pl_world *w, int32_t slot)
{
    return w->state.oriented.count && w->state.oriented.of_slot[slot] >= 0;
}

meeting_now meet_now(const pl_world *w, int32_t a, int32_t b)
{
    const float *x = w->state.slot[SLOT_X] + 4 * (size_t)a, *y = w->state.slot[SLOT_X] + 4 * (size_t)b;
    vec d = vec_of(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
    ellipsoid oa = ellipsoid_of_slot(w, a), ob = ellipsoid_of_slot(w, b);
    vec n = ellipsoids_normal(&oa, &ob, d);
    stance f = {n, vec_of(0.0f, 0.0f, 0.0f)};
    meeting m = ellipsoids_meet(&oa, &ob, d, n, f);
    return (meeting_now){{n.x, n.y, n.z}, {x[0] + m.a.x, x[1] + m.a.y, x[2] + m.a.z}, -m.gap, m.reach};
}

reach_now reach_towards(const pl_world *w, int32_t slot, pl_vec3 n)
{
    ellipsoid o = ellipsoid_of_slot(w, slot);
    vec to = vec_of(n.x, n.y, n.z), tip = ellipsoid_tip(&o, to);
    return (reach_now){ellipsoid_support(&o, to), {tip.x, tip.y, tip.z}};
}
