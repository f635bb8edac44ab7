// ragdoll.h: human figures of rigid bodies and joints.
#ifndef PLIANT_RAGDOLL_H
#define PLIANT_RAGDOLL_H

#include <pliant/joints.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The parts of a figure. Each is a body, and each but the pelvis has a joint to the part that it hangs on.
typedef enum pl_ragdoll_part
{
    PL_RAGDOLL_PELVIS,
    PL_RAGDOLL_ABDOMEN,
    PL_RAGDOLL_CHEST,
    PL_RAGDOLL_HEAD,
    PL_RAGDOLL_LEFT_UPPER_ARM,
    PL_RAGDOLL_LEFT_FOREARM,
    PL_RAGDOLL_LEFT_HAND,
    PL_RAGDOLL_RIGHT_UPPER_ARM,
    PL_RAGDOLL_RIGHT_FOREARM,
    PL_RAGDOLL_RIGHT_HAND,
    PL_RAGDOLL_LEFT_THIGH,
    PL_RAGDOLL_LEFT_SHIN,
    PL_RAGDOLL_LEFT_FOOT,
    PL_RAGDOLL_RIGHT_THIGH,
    PL_RAGDOLL_RIGHT_SHIN,
    PL_RAGDOLL_RIGHT_FOOT,
    /// The number of parts.
    PL_RAGDOLL_PARTS
} pl_ragdoll_part;

/// Describes a figure. Its own axes: y is up, z is where it looks, x is to its left.
typedef struct pl_ragdoll_def
{
    /// Its position, m: the point of the ground that it stands on. The default is the origin.
    pl_vec3 position;
    /// Its rotation about that point. The default is none.
    pl_quat rotation;
    /// Its height, m, from 0.01 to 1000. The default is 1.75.
    float height;
    /// Its mass, kg, from 1e-6 to 1e12. The default is 75. The parts have the shares of a human (Winter 2009).
    float mass;
    /// The velocity of its pelvis, m/s. The default is 0.
    pl_vec3 velocity;
    /// The angular velocity of the whole figure about its pelvis, rad/s, in world axes. The default is 0.
    pl_vec3 spin;
    /// The pose: by how much each part is rotated about its joint, as a rotation vector in the figure's axes, rad, relative
    /// to the part that it hangs on. 0 is upright with the arms stretched out to the sides. The default lowers the arms.
    /// A pose beyond the limits of a joint is pushed back by them. That of the pelvis rotates the whole figure.
    pl_vec3 pose[PL_RAGDOLL_PARTS];
    /// Friction of the joints about their axes, N m, 0 (the default) or above.
    float friction;
    /// Damping of the spin of all parts, 1/s, from 0 to 1e6. The default is 0.5.
    float damping;
    /// Solve the joints directly (pl_joint_def). The default is true: the figure does not stretch.
    bool direct;
    /// The contact material of all parts. The default is 0.
    int material;
    /// The collision categories of its parts, as in pl_rigid_def. The default is 1.
    uint64_t category;
    /// The categories that its parts collide with. The default is all. Parts that a joint connects never collide.
    uint64_t mask;
    /// A number of the user for all parts. The default is 0.
    uint64_t user_data;
} pl_ragdoll_def;

/// Returns the defaults named above.
PL_API pl_ragdoll_def pl_default_ragdoll_def(void);

/// A figure: the ids of its bodies and joints, by part. The joint of the pelvis is empty.
typedef struct pl_ragdoll
{
    pl_id body[PL_RAGDOLL_PARTS];
    pl_joint joint[PL_RAGDOLL_PARTS];
} pl_ragdoll;

/// Adds a figure of 16 bodies and 15 joints and stores their ids in *ragdoll, which may be NULL. The elbows, knees and
/// ankles are hinges with limits; the neck, spine, shoulders, wrists and hips are cone-twist joints. Fails with
/// PL_ERROR_ARGUMENT if a value is out of range; then the world is unchanged.
PL_API pl_result pl_add_ragdoll(pl_world *world, const pl_ragdoll_def *def, pl_ragdoll *ragdoll);

/// Returns the name of a part, such as "left_thigh"; NULL if there is no such part.
PL_API const char *pl_ragdoll_part_name(pl_ragdoll_part part);

#ifdef __cplusplus
}
#endif
#endif
