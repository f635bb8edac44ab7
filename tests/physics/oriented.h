// oriented.h: particles that turn, for the tests of them.
#ifndef PLIANT_TESTS_ORIENTED_H
#define PLIANT_TESTS_ORIENTED_H

#include "physics/physics.h"

static inline pl_id orient_one(pl_world *w, int particle, pl_vec3 radii, pl_vec3 spin, float drag)
{
    pl_orient_def d = pl_default_orient_def();
    int32_t list[1] = {particle};
    pl_id id;
    d.count = 1;
    d.particles = list;
    d.radii_each = radii;
    d.spin = &spin.x;
    d.drag = drag;
    good(pl_orient(w, &d, &id));
    return id;
}

#endif
