// fixed_joint.h: holds the joint frames of two bodies together: neither moves nor rotates relative to the other.
//   index: a b     param: the joint's frame in a (6), in b (6): joint_frame.h     compliance [m/N, rad/(N m)], damping
//   C = between the points (3, world axes), 2 vec(qb qa^-1) (3, world axes)
// lambda/h^2 is the force [N] and the torque [N m] on b, in the order of the parts.
#pragma once
#include "elements/joints/joint_frame.h"

enum
{
    FIXED_JOINT_PARTS = 6,
};

PL_FN void fixed_joint_eval(const frame_end *e, const f32 *param, frame_rows *c)
{
    joint_pose j = joint_now(e, param);
    parts_point(&j, c, 0);
    parts_turn(&j, c, 3);
}

PL_FN void fixed_joint_rest(const frame_end *e, f32 *param) { joint_rest(e, param); }
