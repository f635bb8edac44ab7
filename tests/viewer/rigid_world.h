// rigid_world.h: worlds of a few rigid bodies, for the tests of how they look and how they are dragged.
#ifndef PLIANT_TESTS_RIGID_WORLD_H
#define PLIANT_TESTS_RIGID_WORLD_H

#include "support/support.h"

static inline pl_rigid_shape shape_of(pl_rigid_shape_kind kind)
{
    pl_rigid_shape s = pl_default_rigid_shape();
    s.kind = kind;
    s.half = (pl_vec3){0.5f, 0.4f, 0.3f};
    s.radius = 0.4f;
    s.length = 0.7f;
    return s;
}

static inline pl_id add_body(pl_world *world, pl_rigid_type type, const pl_rigid_shape *shapes, int count, pl_vec3 at)
{
    pl_rigid_def def = pl_default_rigid_def();
    pl_id id;
    def.type = type;
    def.shapes = shapes;
    def.shape_count = count;
    def.position = at;
    good(pl_add_rigid(world, &def, &id));
    return id;
}

// One shape, which can move.
static inline pl_id add_shaped(pl_world *world, pl_rigid_shape_kind kind, float x, float y, float z)
{
    pl_rigid_shape s = shape_of(kind);
    return add_body(world, PL_RIGID_DYNAMIC, &s, 1, (pl_vec3){x, y, z});
}

static inline void turn_body(pl_world *world, pl_id body, pl_quat rotation)
{
    pl_rigid_state s;
    good(pl_get_rigids(world, &body, 1, &s));
    s.rotation = rotation;
    good(pl_set_rigids(world, &body, 1, &s));
}

#endif
