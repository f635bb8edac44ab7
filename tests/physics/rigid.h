// rigid.h: what the tests of rigid bodies share: boxes, poses, energies, and Euler's equations in double.
#ifndef TESTS_PHYSICS_RIGID_H
#define TESTS_PHYSICS_RIGID_H

#include "support/support.h"

static inline pl_rigid_def box_def(pl_rigid_shape *shape, pl_vec3 half, pl_vec3 at, float mass)
{
    pl_rigid_def def = pl_default_rigid_def();
    *shape = pl_default_rigid_shape();
    shape->half = half;
    def.shapes = shape;
    def.shape_count = 1;
    def.position = at;
    def.mass = mass;
    return def;
}

static inline pl_id add_box(pl_world *w, pl_vec3 half, pl_vec3 at, float mass)
{
    pl_rigid_shape shape;
    pl_rigid_def def = box_def(&shape, half, at, mass);
    pl_id id;
    good(pl_add_rigid(w, &def, &id));
    return id;
}

static inline int number_of(const pl_world *w, pl_id body)
{
    int first, count;
    good(pl_object_range(w, body, &first, &count));
    return first;
}

static inline pl_rigid_state state_of(const pl_world *w, pl_id body)
{
    pl_rigid_state s;
    good(pl_get_rigids(w, &body, 1, &s));
    return s;
}

static inline void no_gravity(pl_world *w) { set_gravity(w, 0.0f); }

static inline void turn_point(pl_quat q, const double in[3], double out[3])
{
    const double v[3] = {(double)q.x, (double)q.y, (double)q.z}, w = (double)q.w;
    double t[3];
    for (int c = 0; c < 3; c++)
        t[c] = 2.0 * (v[(c + 1) % 3] * in[(c + 2) % 3] - v[(c + 2) % 3] * in[(c + 1) % 3]);
    for (int c = 0; c < 3; c++)
        out[c] = in[c] + w * t[c] + v[(c + 1) % 3] * t[(c + 2) % 3] - v[(c + 2) % 3] * t[(c + 1) % 3];
}

#endif
