// slider_joint.h: lets b slide along the x axis of a, without a rotation.
//   index: a b     param: the joint's frame in a (6), in b (6): joint_frame.h     compliance [m/N, rad/(N m)], damping
//   C = ya . between, za . between, 2 vec(qb qa^-1) (3, world axes)
// lambda/h^2 is the force [N] and the torque [N m] on b, in the order of the parts.
#pragma once
#include "elements/joints/joint_frame.h"

enum
{
    SLIDER_JOINT_PARTS = 5,
};

PL_FN void slider_joint_eval(const frame_end *e, const f32 *param, frame_rows *c)
{
    joint_pose j = joint_now(e, param);
    part_along(&j, j.axes[0].c[1], c, 0);
    part_along(&j, j.axes[0].c[2], c, 1);
    parts_turn(&j, c, 2);
}

PL_FN void slider_joint_rest(const frame_end *e, f32 *param) { joint_rest(e, param); }
