// rigid_load.h: what acts on a rigid body beside gravity, constraints and contacts: a torque, gravity of its own,
// damping, and locks.
//   torque    turned += h^2 I^-1 torque                       gravity   d += k (scale - 1) g,  k = h^2, for BDF2 4/9 h^2
//   damping   v /= 1 + c h,  omega /= 1 + c h                 (implicit Euler: no damping is unstable)
//   locks     the displacement and the rotation of the substep along a locked axis of the world are 0
// A lock is applied after every iteration, so that the constraints of a locked body and its locks are solved in turn.
#pragma once
#include "elements/frame_rotation.h"

enum
{
    LOCKED_MOVES = 7, // bits of locks: along x y z, about x y z
    LOCKED_TURNS = 56,
};

typedef struct rigid_load
{
    uint32_t member; // 4 * slot
    int32_t frame;   // -1: it has been taken away
    int32_t locks;
    float more_gravity; // scale - 1
    float linear, angular;
    int32_t shape;   // the shape that it follows, or -1
    float size;      // m: the radius of a ball of its mass and inertia; below 0: it never falls asleep
    float torque[4]; // N m
} rigid_load;

// Where a body was when it began to be still (stages/rigid_still_stage.h).
typedef struct rigid_anchor
{
    float position[4], rotation[4];
} rigid_anchor;

#if LANES == 1 && !defined(LANE_DOUBLE)

// I^-1 torque for the inverse mass w, with the axes half way through the substep; 5: see frame_inertia.
PL_FN vec rigid_torque(const rigid_load *b, const frame_inertia *f, const orient_way *way, float w)
{
    mat3 half = quat_axes(quat_load(way->middle));
    return along_axes(&half, times(5.0f * w, frame_along(f->inverse)), frame_along(b->torque));
}

// Clears the numbers of a vector whose bits are set.
PL_FN void rigid_lock(float *v, int32_t bits, const float *to)
{
    for (int c = 0; c < 3; c++)
        if (bits >> c & 1)
            v[c] = to ? to[c] : 0.0f;
}

#endif
