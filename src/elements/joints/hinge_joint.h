// hinge_joint.h: holds the points of two bodies together and their x axes parallel: they rotate about that axis.
//   index: a b     param: the joint's frame in a (6), in b (6): joint_frame.h     compliance [m/N, rad/(N m)], damping
//   C = between the points (3, world axes), ya . xb, za . xb
// lambda/h^2 is the force [N] and the torque [N m] on b, in the order of the parts.
#pragma once
#include "elements/joints/joint_frame.h"

enum
{
    HINGE_JOINT_PARTS = 5,
};

PL_FN void hinge_joint_eval(const frame_end *e, const f32 *param, frame_rows *c)
{
    joint_pose j = joint_now(e, param);
    parts_point(&j, c, 0);
    part_square(j.axes[0].c[1], j.axes[1].c[0], c, 3);
    part_square(j.axes[0].c[2], j.axes[1].c[0], c, 4);
}

PL_FN void hinge_joint_rest(const frame_end *e, f32 *param) { joint_rest(e, param); }
