// rigid_world.h: worlds of rigid bodies on a plane, for the tests of contacts, events and sensors.
#pragma once
#include "physics/rigid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP (1.0f / 60.0f)
#define GRAVITY 9.81

static inline pl_world *open_world(int substeps)
{
    pl_world_def def = pl_default_world_def();
    pl_world *w;
    def.threads = 1;
    def.settings.substeps = substeps, def.settings.iterations = 1;
    good(pl_world_create(&def, &w));
    return w;
}

static inline void rub(pl_world *w, float friction, float restitution)
{
    pl_material m = pl_default_material();
    m.static_friction = m.kinetic_friction = friction;
    m.restitution = restitution;
    good(pl_set_material(w, 0, &m));
}

static inline pl_quat about_z(double angle)
{
    return (pl_quat){0.0f, 0.0f, (float)sin(0.5 * angle), (float)cos(0.5 * angle)};
}

static inline void add_plane(pl_world *w, double slope)
{
    pl_shape_def d = pl_default_shape_def();
    d.rotation = about_z(-slope);
    good(pl_add_shape(w, &d, NULL));
}

static inline pl_id add_body(pl_world *w, pl_rigid_shape_kind kind, float x, float y, double slope, float mass)
{
    pl_rigid_shape s = pl_default_rigid_shape();
    pl_rigid_def d = pl_default_rigid_def();
    pl_id id;
    s.kind = kind;
    d.shapes = &s, d.shape_count = 1, d.mass = mass;
    d.position = (pl_vec3){x, y, 0.0f}, d.rotation = about_z(-slope);
    good(pl_add_rigid(w, &d, &id));
    return id;
}

static inline void frames(pl_world *w, int count)
{
    for (int i = 0; i < count; i++)
        good(pl_world_step(w, STEP));
}

static inline pl_world *saved_and_loaded(pl_world *w)
{
    void *data;
    size_t size;
    pl_world_def def = pl_default_world_def();
    good(pl_world_save_memory(w, &data, &size));
    pl_world_destroy(w);
    good(pl_world_load_memory(&def, data, size, &w));
    pl_free(data);
    return w;
}

// Balls, capsules, boxes and cylinders above each other.
static inline void pile_up(pl_world *w, int count)
{
    for (int i = 0; i < count; i++)
        add_body(w, (pl_rigid_shape_kind)(i % PL_RIGID_HULL), 0.4f * (float)(i % 5), 1.0f + 0.9f * (float)(i / 2),
                 0.1 * i, 1.0f + (float)(i % 3));
}
