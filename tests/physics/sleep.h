// sleep.h: what the tests of sleeping bodies share: worlds with sleep, boxes, stacks and balls.
#ifndef TESTS_PHYSICS_SLEEP_H
#define TESTS_PHYSICS_SLEEP_H

#include "physics/rigid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP (1.0f / 60.0f)

static const pl_vec3 half = {0.5f, 0.5f, 0.5f}, none = {0.0f, 0.0f, 0.0f};

static inline pl_world_def sleeping_def(void)
{
    pl_world_def def = pl_default_world_def();
    def.threads = 1;
    def.settings.substeps = 8, def.settings.iterations = 1;
    def.settings.sleep = true;
    return def;
}

static inline pl_world *open_world(void)
{
    pl_world_def def = sleeping_def();
    pl_world *w;
    good(pl_world_create(&def, &w));
    return w;
}

static inline pl_id add_floor(pl_world *w)
{
    pl_shape_def d = pl_default_shape_def();
    pl_id id;
    good(pl_add_shape(w, &d, &id));
    return id;
}

static inline pl_world *open_floor(void)
{
    pl_world *w = open_world();
    add_floor(w);
    return w;
}

static inline pl_id box_at(pl_world *w, float x, float y) { return add_box(w, half, (pl_vec3){x, y, 0.0f}, 1.0f); }

static inline pl_id add_ball(pl_world *w, pl_vec3 at, pl_vec3 velocity, float mass)
{
    pl_rigid_shape s = pl_default_rigid_shape();
    pl_rigid_def d = pl_default_rigid_def();
    pl_id id;
    s.kind = PL_RIGID_SPHERE, s.radius = 0.3f;
    d.shapes = &s, d.shape_count = 1, d.mass = mass, d.position = at, d.velocity = velocity;
    good(pl_add_rigid(w, &d, &id));
    return id;
}

// Plays until `body` sleeps; returns the frames, or `most`.
static inline int play_asleep(pl_world *w, pl_id body, int most)
{
    for (int i = 0; i < most; i++)
    {
        if (!pl_rigid_awake(w, body))
            return i;
        play(w, 1);
    }
    return most;
}

static inline void settle(pl_world *w, pl_id body) { assert_true(play_asleep(w, body, 300) < 300); }

static inline void stack_at(pl_world *w, float x, pl_id *id, int count)
{
    for (int i = 0; i < count; i++)
        id[i] = box_at(w, x, 0.5f + (float)i);
}

#endif
