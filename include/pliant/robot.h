// robot.h: robots from URDF and MJCF files: bodies, joints, actuators and sensors by name. docs/robots.md tells what is
// read and what is ignored.
#ifndef PLIANT_ROBOT_H
#define PLIANT_ROBOT_H

#include <pliant/joints.h>
#include <pliant/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A robot of a world: the names and ids of what a file became. It belongs to the caller and not to the world; it stays
/// valid for worlds that are loaded from snapshots of its world.
typedef struct pl_robot pl_robot;

/// What a control of an actuator means.
typedef enum pl_control
{
    /// The torque, N m, or the force, N.
    PL_CONTROL_TORQUE,
    /// The position that a spring with a damper pulls to, rad or m.
    PL_CONTROL_POSITION,
    /// The velocity that a damper pulls to, rad/s or m/s.
    PL_CONTROL_VELOCITY,
    /// Nothing: the joints have no actuators.
    PL_CONTROL_NONE,
} pl_control;

/// Describes how a file is read.
typedef struct pl_robot_def
{
    /// The position of the robot's root (URDF) or of the file's world (MJCF), m. The default is the origin.
    pl_vec3 position;
    /// Its rotation, after the change of axes. The default is none.
    pl_quat rotation;
    /// Keep the axes of the file. With false, the default, its z axis, which is up there, becomes y, which is up here:
    /// (x, y, z) becomes (x, z, -y). The axes of links do not change either way.
    bool keep_axes;
    /// URDF: hold the root link in place. The default is true. MJCF bodies move as their joints tell.
    bool fixed;
    /// Make bodies of their own of links that a fixed joint, or no joint, ties to their parent. With false, the default,
    /// they become a part of the parent's body, which costs nothing and holds exactly.
    bool keep_fixed;
    /// URDF: what the actuators of its joints do. The default is PL_CONTROL_TORQUE.
    pl_control control;
    /// URDF: the stiffness of PL_CONTROL_POSITION, N m/rad or N/m, above 0. The default is 10,000.
    float kp;
    /// URDF: the damping of PL_CONTROL_POSITION and PL_CONTROL_VELOCITY, N m s/rad or N s/m, 0 or above. The default is
    /// 100.
    float kv;
    /// The duration of the steps that will be taken, s, above 0. The default is 1/60. The damping of
    /// PL_CONTROL_VELOCITY depends on it and on the substeps that the world has when a control is set.
    float dt;
    /// MJCF: give the gravity of the file to the world. The default is false.
    bool gravity;
    /// The collision categories of its bodies, as in pl_rigid_def. The default is 1.
    uint64_t category;
    /// The categories that its bodies collide with. The default is all. Without the category of the robot itself, its
    /// links do not collide with each other. Links that a joint connects never do.
    uint64_t mask;
    /// Let the file name meshes outside its own folder: absolute paths, and paths with "..". The default is false.
    bool allow_paths;
} pl_robot_def;

/// Returns the defaults named above.
PL_API pl_robot_def pl_default_robot_def(void);

/// Adds the robot of a URDF or MJCF text of `length` bytes to a world and stores it in *robot, which may be NULL. Free it
/// with pl_robot_free. `file` names the text in messages; meshes are looked for in its folder. def may be NULL: the
/// defaults. Fails with PL_ERROR_FORMAT and file:line:column in the message if the text is wrong; then the world is
/// unchanged. What is ignored is told by pl_robot_warning.
PL_API pl_result pl_add_robot(pl_world *world, const char *text, size_t length, const char *file,
                              const pl_robot_def *def, pl_robot **robot);

/// Adds the robot of a file, as pl_add_robot does from a text.
PL_API pl_result pl_add_robot_file(pl_world *world, const char *path, const pl_robot_def *def, pl_robot **robot);

/// Finds the robot of a scene's world: `name` is its name in the scene, NULL: the only one. The world is one that
/// pl_scene_world made from the scene, or that was loaded from a snapshot of one. The robot is valid as long as the scene.
/// Fails with PL_ERROR_ARGUMENT if the scene or the world has no such robot.
PL_API pl_result pl_scene_robot(const pl_scene *scene, const pl_world *world, const char *name, pl_robot **robot);

/// Frees a robot; its bodies stay in the world. NULL is allowed.
PL_API void pl_robot_free(pl_robot *robot);

/// Returns the name of the robot; "robot" if the file has none.
PL_API const char *pl_robot_name(const pl_robot *robot);

/// Returns warning number i, counted from 0, as file:line:column and what is ignored; NULL beyond the last. Each kind of
/// element and attribute is told once.
PL_API const char *pl_robot_warning(const pl_robot *robot, int i);

/// Returns the time step of an MJCF file's option, s, or 0.
PL_API float pl_robot_timestep(const pl_robot *robot);

// ---- links ---------------------------------------------------------------------------------------------------------

/// A link (URDF) or body (MJCF).
typedef struct pl_robot_link
{
    /// The name.
    const char *name;
    /// The number of the parent, or -1.
    int parent;
    /// The number of its joint to the parent, or -1 if there is none or it is fixed.
    int joint;
    /// The body that it became; links that are tied by fixed joints share one.
    pl_id body;
    /// The link's frame in the axes of the body.
    pl_vec3 position;
    /// The rotation of the link's frame in the body.
    pl_quat rotation;
    /// The largest coefficient of sliding friction of its shapes in the file, or 1 if it gives none.
    float friction;
} pl_robot_link;

/// Returns the number of links. A body that MJCF gives several joints has one more link for each joint but the last.
PL_API int pl_robot_links(const pl_robot *robot);

/// Returns link number i, counted from 0; all fields are 0 if there is none.
PL_API pl_robot_link pl_robot_link_at(const pl_robot *robot, int i);

/// Returns the number of the link of that name, or -1.
PL_API int pl_robot_find_link(const pl_robot *robot, const char *name);

/// Stores the pose and the motion of a link's frame: the velocity is that of its origin, both velocities are in world
/// axes.
PL_API pl_result pl_robot_link_state(const pl_robot *robot, const pl_world *world, int link, pl_rigid_state *out);

// ---- joints --------------------------------------------------------------------------------------------------------

/// A joint that moves.
typedef struct pl_robot_joint
{
    /// The name.
    const char *name;
    /// The link that it moves.
    int link;
    /// The kind: PL_JOINT_HINGE, PL_JOINT_SLIDER, PL_JOINT_BALL, or PL_JOINT_KIND_COUNT for a link that moves freely.
    pl_joint_kind kind;
    /// True if the position is kept from low to high.
    bool limited;
    /// The least position, rad or m.
    float low;
    /// The largest position, rad or m.
    float high;
    /// The joint in the world; its rows are {0, 0} for a link that moves freely.
    pl_joint joint;
} pl_robot_joint;

/// Returns the number of joints that move.
PL_API int pl_robot_joints(const pl_robot *robot);

/// Returns joint number i, counted from 0; all fields are 0 if there is none.
PL_API pl_robot_joint pl_robot_joint_at(const pl_robot *robot, int i);

/// Returns the number of the joint of that name, or -1.
PL_API int pl_robot_find_joint(const pl_robot *robot, const char *name);

/// Stores the position (rad, from -pi to pi about its middle, or m) and the velocity of a hinge or slider. Either pointer
/// may be NULL. Others have 0.
PL_API pl_result pl_robot_joint_state(const pl_robot *robot, const pl_world *world, int joint, float *position,
                                      float *velocity);

/// Computes the poses that all links have in the world for these positions of the joints, in double, and rounds them:
/// `positions` has one number for each joint, those of ball joints and free links are not used. The robot is where def
/// placed it. out: one state for each link, with the velocities 0.
PL_API pl_result pl_robot_forward(const pl_robot *robot, const double *positions, pl_rigid_state *out);

/// Puts the robot at rest into the pose that pl_robot_forward computes.
PL_API pl_result pl_robot_set_pose(const pl_robot *robot, pl_world *world, const double *positions);

// ---- actuators -----------------------------------------------------------------------------------------------------

/// An actuator.
typedef struct pl_robot_actuator
{
    /// The name; that of its joint in a URDF file.
    const char *name;
    /// The number of its joint.
    int joint;
    /// What its control means.
    pl_control control;
    /// The stiffness of PL_CONTROL_POSITION.
    float kp;
    /// The damping of PL_CONTROL_POSITION and PL_CONTROL_VELOCITY.
    float kv;
    /// The transmission ratio: the joint's torque is `gear` times that of the actuator, and the actuator's position is
    /// `gear` times that of the joint.
    float gear;
    /// Controls are clamped to at least this.
    float least;
    /// Controls are clamped to at most this.
    float most;
    /// The largest torque or force of the actuator in either direction; 1e30: unlimited.
    float strength;
} pl_robot_actuator;

/// Returns the number of actuators.
PL_API int pl_robot_actuators(const pl_robot *robot);

/// Returns actuator number i, counted from 0; all fields are 0 if there is none.
PL_API pl_robot_actuator pl_robot_actuator_at(const pl_robot *robot, int i);

/// Returns the number of the actuator of that name, or -1.
PL_API int pl_robot_find_actuator(const pl_robot *robot, const char *name);

/// Sets the control of one actuator. It acts in every step until it is set again. It starts at 0, that of
/// PL_CONTROL_POSITION at the position in the file.
PL_API pl_result pl_robot_set_control(const pl_robot *robot, pl_world *world, int actuator, float value);

/// Sets the controls of all actuators: one number for each.
PL_API pl_result pl_robot_set_controls(const pl_robot *robot, pl_world *world, const float *values);

// ---- sensors -------------------------------------------------------------------------------------------------------

/// The kinds of sensors.
typedef enum pl_sensor
{
    /// The position of a joint, rad or m.
    PL_SENSOR_JOINT_POSITION,
    /// The velocity of a joint, rad/s or m/s.
    PL_SENSOR_JOINT_VELOCITY,
    /// The acceleration less gravity, m/s^2, in the axes of the sensor: at rest it reads +g upwards. It is the mean since
    /// the last but one call of pl_robot_sense, and the first call reads what a sensor at rest would.
    PL_SENSOR_ACCELEROMETER,
    /// The angular velocity, rad/s, in the axes of the sensor.
    PL_SENSOR_GYRO,
    /// The force of the parent on the link through its joint, N, in the axes of the sensor.
    PL_SENSOR_FORCE,
    /// The torque of the parent on the link about the sensor, N m, in the axes of the sensor.
    PL_SENSOR_TORQUE,
    /// The position of the sensor in the world, m.
    PL_SENSOR_POSITION,
    /// The rotation of the sensor in the world: x y z w.
    PL_SENSOR_ROTATION,
    /// The number of kinds.
    PL_SENSOR_KIND_COUNT
} pl_sensor;

/// A sensor.
typedef struct pl_robot_sensor
{
    /// The name.
    const char *name;
    /// The kind.
    pl_sensor kind;
    /// The link that it is on; of a sensor of a joint, the one that the joint moves.
    int link;
    /// The joint of PL_SENSOR_JOINT_POSITION and PL_SENSOR_JOINT_VELOCITY, or -1.
    int joint;
    /// Where its first number is among those that pl_robot_sense stores.
    int first;
    /// How many numbers it has: 1, 3 or 4.
    int count;
} pl_robot_sensor;

/// Returns the number of sensors. A URDF file gives two to each hinge and slider: its position and its velocity.
PL_API int pl_robot_sensors(const pl_robot *robot);

/// Returns sensor number i, counted from 0; all fields are 0 if there is none.
PL_API pl_robot_sensor pl_robot_sensor_at(const pl_robot *robot, int i);

/// Returns the number of the sensor of that name, or -1.
PL_API int pl_robot_find_sensor(const pl_robot *robot, const char *name);

/// Adds a sensor behind the others: `of` names a joint for PL_SENSOR_JOINT_POSITION and PL_SENSOR_JOINT_VELOCITY, else a
/// link, and the sensor has the axes of that link. Force and torque need a link that a joint moves.
PL_API pl_result pl_robot_add_sensor(pl_robot *robot, pl_sensor kind, const char *of);

/// Returns how many numbers all sensors have together.
PL_API int pl_robot_sensor_size(const pl_robot *robot);

/// Reads all sensors: values receives pl_robot_sensor_size numbers. Call it once after each step; accelerometers compare
/// with the call before.
PL_API pl_result pl_robot_sense(pl_robot *robot, const pl_world *world, float *values);

#ifdef __cplusplus
}
#endif
#endif
