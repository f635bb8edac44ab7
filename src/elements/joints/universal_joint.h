// universal_joint.h: holds the points of two bodies together and the x axis of a at a right angle to the y axis of b: it transmits
// a rotation about x and bends about both other axes.
//   index: a b     param: the joint's frame in a (6), in b (6): joint_frame.h     compliance [m/N, rad/(N m)], damping
//   C = between the points (3, world axes), xa . yb
// lambda/h^2 is the force [N] and the torque [N m] on b, in the order of the parts.
#pragma once
#include "elements/joints/joint_frame.h"

enum
{
    UNIVERSAL_JOINT_PARTS = 4,
};

PL_FN void universal_joint_eval(const frame_end *e, const f32 *param, frame_rows *c)
{
    joint_pose j = joint_now(e, param);
    parts_point(&j, c, 0);
    part_square(j.axes[0].c[0], j.axes[1].c[1], c, 3);
}

PL_FN void universal_joint_rest(const frame_end *e, f32 *param) { joint_rest(e, param); }
