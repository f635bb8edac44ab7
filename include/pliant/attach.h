// attach.h: attaches particles of cloth, ropes, solids and grains to rigid bodies and to shapes.
#ifndef PLIANT_ATTACH_H
#define PLIANT_ATTACH_H

#include <pliant/constraints.h>
#include <pliant/rigid.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Describes an attachment: particles that move and turn with a body or a shape, each at the place that it has there
/// when it is attached.
typedef struct pl_attach_def
{
    /// The object whose particles are attached. {0, 0}, the default: `particles` has numbers of the whole world.
    pl_id object;
    /// The numbers of the particles, counted from 0 in the object, each at most once. NULL, the default: all particles
    /// of the object.
    const int32_t *particles;
    /// How many numbers there are. The default is 0.
    int count;
    /// The rigid body or the shape that they are attached to.
    pl_id to;
    /// How firmly they are held. The default is rigid: a compliance of 0 m/N, each particle by itself.
    pl_softness soft;
} pl_attach_def;

/// Returns the defaults named above.
PL_API pl_attach_def pl_default_attach_def(void);

/// Attaches particles to a rigid body or to a shape, and stores an id in *attachment, which may be NULL. A particle may
/// be attached to several bodies. The particles of a body that moves by forces and the body are solved as one: they keep
/// their momentum and angular momentum together. What is attached rigidly to a kinematic or static body, or to a shape,
/// follows it without any lag; also particles of infinite mass do.
///
/// The id names a block of constraints of the kind PL_KIND_ATTACHMENT, one for each particle in the order of
/// `particles`: pl_get_rows reads their forces and gaps, pl_set_rows changes their compliance, and pl_remove detaches
/// them. They are also gone when the body, the shape or the particles are removed. The first attachment to a shape adds
/// a static rigid body that moves with the shape until the shape is removed.
///
/// Fails with PL_ERROR_ARGUMENT if an id or a number names nothing, or a value is out of range; then the world is
/// unchanged.
PL_API pl_result pl_attach(pl_world *world, const pl_attach_def *def, pl_id *attachment);

/// Stores the sum of the forces, N, of the attached particles on the body or shape in the last substep, and their
/// torque, N m, about its centre of mass; about the origin of a shape. In world axes. Either pointer may be NULL.
PL_API pl_result pl_attachment_force(const pl_world *world, pl_id attachment, pl_vec3 *force, pl_vec3 *torque);

#ifdef __cplusplus
}
#endif
#endif
