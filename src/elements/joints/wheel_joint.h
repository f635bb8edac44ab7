// wheel_joint.h: lets b move along the y axis of a (a suspension) and rotate about their common x axis (the axle).
//   index: a b     param: the joint's frame in a (6), in b (6): joint_frame.h     compliance [m/N, rad/(N m)], damping
//   C = xa . between, za . between, ya . xb, za . xb
// lambda/h^2 is the force [N] and the torque [N m] on b, in the order of the parts.
#pragma once
#include "elements/joints/joint_frame.h"

enum
{
    WHEEL_JOINT_PARTS = 4,
};

PL_FN void wheel_joint_eval(const frame_end *e, const f32 *param, frame_rows *c)
{
    joint_pose j = joint_now(e, param);
    part_along(&j, j.axes[0].c[0], c, 0);
    part_along(&j, j.axes[0].c[2], c, 1);
    part_square(j.axes[0].c[1], j.axes[1].c[0], c, 2);
    part_square(j.axes[0].c[2], j.axes[1].c[0], c, 3);
}

PL_FN void wheel_joint_rest(const frame_end *e, f32 *param) { joint_rest(e, param); }
