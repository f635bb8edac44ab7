// joints.h: joints between rigid bodies, or a body and a particle, or a body and the world.
#ifndef PLIANT_JOINTS_H
#define PLIANT_JOINTS_H

#include <pliant/constraints.h>
#include <pliant/damage.h>
#include <pliant/rigid.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The kinds of joints. The axis is `axis` of the def.
typedef enum pl_joint_kind
{
    /// Holds two points together: the bodies rotate freely, or within `swing` and the limits of `twist`.
    PL_JOINT_BALL,
    /// Rotates about the axis.
    PL_JOINT_HINGE,
    /// Slides along the axis.
    PL_JOINT_SLIDER,
    /// Slides along the axis and rotates about it.
    PL_JOINT_CYLINDRICAL,
    /// Bends about two axes at a right angle: `axis` of the first body and `second` of the other one; transmits rotation.
    PL_JOINT_UNIVERSAL,
    /// Neither moves nor rotates.
    PL_JOINT_FIXED,
    /// Keeps `point` of the first body and `point_b` of the second at a distance within the limits of `slide`; without
    /// limits, at the present distance. Either end may be a plain particle.
    PL_JOINT_DISTANCE,
    /// A wheel: the second body rotates about the axis (the axle) and moves along `second` (the suspension), within the
    /// limits of `slide` and with its servo as a spring.
    PL_JOINT_WHEEL,
    /// Keeps `point` of the first body and `point_b` of the second at their present distance. Either end may be a plain
    /// particle.
    PL_JOINT_ROD,
    /// A spring between `point` of the first body and `point_b` of the second, with the compliance (above 0) and the damping
    /// of `soft` and the rest length `length`. Either end may be a plain particle.
    PL_JOINT_SPRING,
    /// A ball joint with a cone (`swing`, above 0) and limits of `twist`, which it must have: a shoulder, a neck.
    PL_JOINT_CONE_TWIST,
    /// Two toothed wheels that mesh. The bodies rotate about `axis` and `axis_b`, which are fixed in the world: hold each
    /// with a hinge to the world. teeth[0] angle_a = -teeth[1] angle_b: with parallel axes they turn against each other.
    PL_JOINT_GEAR,
    /// A pinion, the first body, which rotates about `axis` through `point`, fixed in the world, and a rack, the second body:
    /// it moves along `second` by `radius` times the angle. Hold the pinion with a hinge and the rack with a slider.
    PL_JOINT_RACK,
    /// A rope from `point` of the first body over `pulleys`, two points of the world, to `point_b` of the second. Its end at
    /// the second body counts `ratio` times (a tackle). It may be slack, unless `slide` has limits: those of its length.
    /// Either end may be a plain particle.
    PL_JOINT_PULLEY,
    /// The number of kinds.
    PL_JOINT_KIND_COUNT
} pl_joint_kind;

/// Limits, motor, servo and friction of a joint's motion along an axis (m, N) or about it (rad, N m). The position is
/// that of the second body relative to the first, and is 0 when the joint is added.
typedef struct pl_joint_axis
{
    /// Keep the position from low to high. The default is false.
    bool limited;
    /// The least position, m or rad; an angle from -pi to pi. The default is 0.
    float low;
    /// The largest position. The default is 0.
    float high;
    /// How firmly the limits hold. The default is rigid; with a compliance they are springs with a damping.
    pl_softness limit;
    /// The speed that a motor holds, m/s or rad/s. The default is 0.
    float speed;
    /// The largest force or torque of the motor, N or N m. 0, the default: there is no motor.
    float motor;
    /// The position that a servo holds, m or rad. The default is 0.
    float target;
    /// The largest force or torque of the servo, N or N m; 1e30: unlimited. 0, the default: there is no servo.
    float servo;
    /// How firmly the servo holds. The default is rigid; with a compliance it is a spring with a damping.
    pl_softness servo_soft;
    /// The friction, N or N m: the largest force or torque against the motion. The default is 0.
    float friction;
} pl_joint_axis;

/// Describes a joint.
typedef struct pl_joint_def
{
    /// The kind. The default is PL_JOINT_BALL.
    pl_joint_kind kind;
    /// The first end: a body, or any object; {0, 0}: the world.
    pl_id a;
    /// The second end: a body, or any object; {0, 0}: the world. At least one end must be a body.
    pl_id b;
    /// The particle of the object a that is joined, counted from 0. The default is 0; a body has only that one.
    int a_particle;
    /// The particle of the object b that is joined. The default is 0.
    int b_particle;
    /// The numbers of the particles that are joined, over the whole world, in place of a and b. -1, the default: a and b
    /// tell.
    int32_t ends[2];
    /// The point of the joint in the world, m. The default is the origin. A particle is joined at its own position.
    pl_vec3 point;
    /// Distance, rod, spring, pulley: the point of the second end in the world, m. The default is the origin.
    pl_vec3 point_b;
    /// The axis in the world, of any length above 0. The default is (1, 0, 0).
    pl_vec3 axis;
    /// Universal, wheel, rack: the second axis in the world; its part at a right angle to the axis counts. The default is
    /// (0, 1, 0).
    pl_vec3 second;
    /// How firmly the joint holds. The default is rigid: a compliance of 0.
    pl_softness soft;
    /// Slider, cylindrical, wheel, distance, pulley: the motion along the axis, or along the suspension of a wheel.
    pl_joint_axis slide;
    /// Ball, cone-twist, hinge, cylindrical, wheel: the rotation about the axis.
    pl_joint_axis twist;
    /// Ball, cone-twist: the largest angle between the axis of one body and that of the other, rad, up to pi. 0, the default: any.
    float swing;
    /// Solve this joint together with all other direct joints that are connected to it by bodies that move: exactly, at
    /// a cost that grows with their number. For chains, cranes and figures, above all with large differences of mass.
    /// Joints that close a loop of bodies, limits, motors and servos are solved as without it. Not for a distance with
    /// limits that differ. The default is false.
    bool direct;
    /// The two bodies collide. The default is false: they do not, as long as a joint without this connects them.
    bool collide;
    /// The joint breaks when its force, without that of limits and motors, exceeds this in a substep, N. It is gone with
    /// the next frame. 0, the default: never. Not for gears and racks.
    float break_force;
    /// The same for its torque, N m. A ball joint, a rod, a spring or a rope has none. 0, the default: never.
    float break_torque;
    /// Spring: the rest length, m. 0, the default: the present one.
    float length;
    /// Gear: the teeth of the first and of the second wheel, from 1 to 10000. A negative second number: they turn the same
    /// way, as with a belt or inside a ring. The default is 1 and 1.
    int teeth[2];
    /// Gear: the axis of the second wheel in the world. (0, 0, 0), the default: parallel to `axis`.
    pl_vec3 axis_b;
    /// Rack: the radius of the pinion, m, above 0.
    float radius;
    /// Pulley: the two points of the world, m.
    pl_vec3 pulleys[2];
    /// Pulley: how often the end at the second body counts, above 0. The default is 1.
    float ratio;
} pl_joint_def;

/// Returns the defaults named above.
PL_API pl_joint_def pl_default_joint_def(void);

/// The constraints that a joint consists of. Those that a joint does not have are {0, 0}.
typedef enum pl_joint_row
{
    PL_JOINT_BASE,
    PL_JOINT_SLIDE_LIMIT,
    PL_JOINT_SLIDE_MOTOR,
    PL_JOINT_SLIDE_SERVO,
    PL_JOINT_SLIDE_FRICTION,
    PL_JOINT_TWIST_LIMIT,
    PL_JOINT_TWIST_MOTOR,
    PL_JOINT_TWIST_SERVO,
    PL_JOINT_TWIST_FRICTION,
    PL_JOINT_SWING_LIMIT,
    PL_JOINT_ROWS
} pl_joint_row;

/// A joint: the ids of its constraints, for pl_get_rows and pl_set_rows, of the particle that holds it in the world,
/// and of what the world keeps of a direct or breakable joint, or one whose bodies collide; or {0, 0}.
typedef struct pl_joint
{
    pl_id rows[PL_JOINT_ROWS];
    pl_id anchor;
    pl_id record;
} pl_joint;

/// Adds a joint and stores its ids in *joint, which may be NULL. Fails with PL_ERROR_ARGUMENT if a value is out of range
/// or an end names nothing; then the world is unchanged.
PL_API pl_result pl_add_joint(pl_world *world, const pl_joint_def *def, pl_joint *joint);

/// Removes a joint. Constraints that are gone already, because a body was removed, are left out.
PL_API pl_result pl_remove_joint(pl_world *world, const pl_joint *joint);

/// Sets the speed of a motor, or the target of a servo, and the largest force or torque. row: one of the motors or servos
/// of the joint. Fails with PL_ERROR_ARGUMENT if the joint has none.
PL_API pl_result pl_drive_joint(pl_world *world, const pl_joint *joint, pl_joint_row row, float value, float strength);

/// Stores whether a joint has broken: a load beyond its break_force or break_torque. pl_world_tears counts the constraints
/// that have broken.
PL_API pl_result pl_joint_broken(const pl_world *world, const pl_joint *joint, bool *broken);

/// Stores the force, N, and the torque about the point of the joint, N m, of the whole joint on its second end in the
/// last substep, in world axes. Either pointer may be NULL.
PL_API pl_result pl_joint_force(const pl_world *world, const pl_joint *joint, pl_vec3 *force, pl_vec3 *torque);

/// Stores the present position along and about the axis, m and rad (from -pi to pi), as far as the joint has a limit, a
/// motor, a servo or friction there; else 0. Either pointer may be NULL.
PL_API pl_result pl_joint_position(const pl_world *world, const pl_joint *joint, float *slide, float *twist);

#ifdef __cplusplus
}
#endif
#endif
