// mover.h: a character: a capsule that game code moves. It slides along walls, climbs steps, keeps to the ground on the
// way down, and is pushed out of what moves into it. It is a query: it reads the world and does not change it, and no step
// moves it. docs/mover.md describes how to use it.
#ifndef PLIANT_MOVER_H
#define PLIANT_MOVER_H

#include <pliant/query.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Describes a mover.
typedef struct pl_mover_def
{
    /// The radius of the capsule, m, from 1e-3 to 1e6. The default is 0.3.
    float radius;
    /// The distance between the centres of its ends, m, 0 or above. The default is 1.2, for a height of 1.8 m.
    float length;
    /// The direction of its axis, away from the ground. It need not have unit length. The default is (0, 1, 0).
    pl_vec3 up;
    /// The steepest slope that it can stand on, rad from the horizontal, 0 to 1.57. The default is 0.87, 50 degrees.
    float slope_limit;
    /// The highest step that it climbs, m, 0 or above. The default is 0.3.
    float step_height;
    /// How far it is drawn down to the ground when it walks off an edge or down a slope, m, 0 or above. The default is
    /// 0.3.
    float snap;
    /// The gap that casts keep from obstacles, m, above 0 and at most half of the radius: the capsule may overlap an
    /// obstacle by less than this. The default is 0.01.
    float skin;
    /// The force with which pl_mover_push pushes bodies, N, 0 or above. The default is 500.
    float push_force;
    /// What it collides with: PL_CAST_SHAPES, PL_CAST_BODIES, or both, the default.
    int targets;
    /// It collides only with shapes on one of these channels, from 0 to 255. The default is 255.
    int mask;
    /// An object or a shape that it does not collide with. {0, 0}, the default: none.
    pl_id ignore;
    /// Which bodies and shapes it collides with, by 64 categories. The default is all.
    pl_query_filter filter;
} pl_mover_def;

/// Returns the defaults named above.
PL_API pl_mover_def pl_default_mover_def(void);

enum
{
    /// The most contacts that a move remembers.
    PL_MOVER_TOUCHES = 8,
};

/// Where a mover is and what it touches. Set the position before the first move, and the rest to 0.
typedef struct pl_mover
{
    /// The centre of the capsule, m.
    pl_vec3 position;
    /// It stands on ground that is not steeper than the slope limit.
    bool grounded;
    /// The normal of the ground. (0, 0, 0): it is not grounded.
    pl_vec3 ground_normal;
    /// The velocity of the ground where the mover stands, m/s. Add it times dt to the motion to ride on what moves.
    pl_vec3 ground_velocity;
    /// The ground that it stands on: a hit with distance 0.
    pl_hit ground;
    /// What the last move touched beside the ground, in the order in which it did.
    pl_hit touch[PL_MOVER_TOUCHES];
    /// The number of them.
    int touches;
    /// How far the last move went, m.
    pl_vec3 moved;
} pl_mover;

/// Moves a mover by `motion`, m: the velocity that the caller wants, times dt; gravity included while it falls. First it
/// is pushed out of what overlaps it. The part of the motion across `up` slides along walls and climbs steps; the part
/// along `up` follows. Fails with PL_ERROR_ARGUMENT if a value is out of range; then the mover is unchanged.
PL_API pl_result pl_mover_move(const pl_world *world, const pl_mover_def *def, pl_vec3 motion, pl_mover *mover);

/// Pushes the dynamic bodies that the last move touched, with def->push_force for dt seconds at most, and never faster
/// than the mover wanted to go: `motion` is that of the last move. It pushes at the height of the centre of mass, so that
/// bodies are moved rather than tipped over.
PL_API pl_result pl_mover_push(pl_world *world, const pl_mover_def *def, const pl_mover *mover, pl_vec3 motion,
                               float dt);

#ifdef __cplusplus
}
#endif
#endif
