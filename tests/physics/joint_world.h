// joint_world.h: what the tests of joints share.
#ifndef TESTS_PHYSICS_JOINT_WORLD_H
#define TESTS_PHYSICS_JOINT_WORLD_H

#include "physics/rigid.h"

static const pl_id world_end = {0, 0};

static inline pl_joint_def joint_def(pl_joint_kind kind, pl_id a, pl_id b, pl_vec3 point, pl_vec3 axis)
{
    pl_joint_def d = pl_default_joint_def();
    d.kind = kind, d.a = a, d.b = b, d.point = point, d.axis = axis;
    return d;
}

static inline pl_joint add_joint(pl_world *w, const pl_joint_def *d)
{
    pl_joint j;
    good(pl_add_joint(w, d, &j));
    return j;
}

// Adds a box that touches nothing, so that a test is about joints alone.
static inline pl_id add_part(pl_world *w, pl_vec3 half, pl_vec3 at, float mass)
{
    pl_rigid_shape shape;
    pl_rigid_def def = box_def(&shape, half, at, mass);
    pl_id id;
    def.mask = 0;
    good(pl_add_rigid(w, &def, &id));
    return id;
}

static inline double gap_of(const pl_world *w, const pl_joint *j)
{
    float gap;
    good(pl_get_rows(w, j->rows[PL_JOINT_BASE], PL_ROW_VALUE, 0, 1, &gap));
    return (double)gap;
}

static inline bool is_broken(const pl_world *w, const pl_joint *j)
{
    bool broken = false;
    good(pl_joint_broken(w, j, &broken));
    return broken;
}

// By which fractions momentum and angular momentum change over some frames.
static inline void momentum_changes(pl_world *w, int frames, double *lost, double *slower)
{
    double before[3], after[3], spin[3], later[3], size = 0.0, turns = 0.0;
    *lost = *slower = 0.0;
    pl_world_momentum(w, before, spin);
    play(w, frames);
    pl_world_momentum(w, after, later);
    for (int c = 0; c < 3; c++)
    {
        size += before[c] * before[c], *lost += (after[c] - before[c]) * (after[c] - before[c]);
        turns += spin[c] * spin[c], *slower += (later[c] - spin[c]) * (later[c] - spin[c]);
    }
    *lost = sqrt(*lost / size), *slower = sqrt(*slower / turns);
}

// Saves, destroys and loads the world.
static inline void save_and_load(pl_world **w, int substeps, int iterations)
{
    picture p = picture_of(*w);
    pl_world_def def = small_def(substeps, iterations);
    pl_world_destroy(*w);
    good(pl_world_load_memory(&def, p.data, p.size, w));
    pl_free(p.data);
}

#endif
