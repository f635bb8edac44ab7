// robot_world.h: declares a robot of a world: its model and the ids of what it became.
#ifndef PLIANT_IO_ROBOT_WORLD_H
#define PLIANT_IO_ROBOT_WORLD_H

#include "robot_model.h"

struct pl_robot
{
    struct store store;
    const struct robot_model *m;
    pl_id *bodies;    // one for each body of the model
    pl_joint *joints; // one for each joint of the model
    pl_joint *welds;  // one for each link: the fixed joint of a link that is a body without a joint
    pl_joint *ties;   // one for each tie
    pl_id *springs;   // one for each joint: its spring and damper
    pl_id *actuators; // one for each actuator
    struct robot_sensor *sensors;
    int sensor_count, sensor_capacity;
    double sensed_at;    // the time of the last pl_robot_sense; below 0: none
    double (*sensed)[3]; // the velocities of the sensors then
};

// robot_build.c
// Makes the arrays of ids in the robot's store.
pl_result robot_make(pl_robot *robot, const struct robot_model *m);
// Adds everything to a world; if anything is refused, the world is as it was.
pl_result robot_build(pl_robot *robot, pl_world *world);
// Computes the row's compliance of an actuator of velocity: that of the present substep.
float robot_velocity_compliance(const struct robot_model *m, const struct robot_actuator *a, const pl_world *world);

// Whether a joint has a spring or a damper; the kind of a row about or along its axis; whether a link without a joint is a
// body of its own, because a sensor or the user asks for it.
bool robot_has_spring(const struct robot_joint *j);
pl_kind robot_row_kind(const struct robot_joint *j, bool range);
bool robot_is_welded(const struct robot_model *m, int link);

// robot_attach.c: finds the ids in a world that was made so: `first` is the particle of the first body.
pl_result robot_attach(pl_robot *robot, const pl_world *world, int first);

// robot.c
// Gives the file's gravity to the world if the user has asked for it.
pl_result robot_give_gravity(const struct robot_model *m, pl_world *world);

// robot_state.c
// Stores the pose of a link, the velocity of its origin and its angular velocity.
pl_result robot_link_motion(const pl_robot *robot, const pl_world *world, int link, struct robot_pose *pose,
                            double velocity[3], double spin[3]);
pl_result robot_joint_motion(const pl_robot *robot, const pl_world *world, int joint, double *position,
                             double *velocity);

#endif
