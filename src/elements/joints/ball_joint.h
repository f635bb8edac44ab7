// ball_joint.h: joins a point of one frame to a point of another; the two may rotate freely about it. An end that is a
// particle without a frame is joined at the particle.
//   index: a b     param: the point in a's frame (3) [m], in b's frame (3) [m]     compliance [m/N], damping [N s/m]
//   C = (xa + Ra ra) - (xb + Rb rb): a vector, three parts
//   dC/dxa = 1,  dC/dxb = -1;   for a small rotation t of a:  dC = t x (Ra ra),  of b:  dC = -t x (Rb rb)
// lambda/h^2 is the force on a, in world axes [N]. Mueller, Macklin, Chentanez, Jeschke, Kim 2020.
#pragma once
#include "elements/joints/joint_frame.h"

enum
{
    BALL_JOINT_PARAMS = 6,
    BALL_JOINT_PARTS = 3,
};

PL_FN void ball_joint_eval(const frame_end *e, const f32 *param, frame_rows *c)
{
    vec a = rotate_vec(e[0].q, param_vec(param)), b = rotate_vec(e[1].q, param_vec(param + 3));
    vec gap = add(sub(at(e[0].p), at(e[1].p)), sub(a, b));
    parts_gap(gap, a, b, c);
}

// Places the joint half way between the two ends; where one has no frame, at that end.
PL_FN void ball_joint_rest(const frame_end *e, f32 *param)
{
    vec a = joint_middle(e), b = sub(a, sub(at(e[1].p), at(e[0].p)));
    joint_point_rest(e[0].q, a, param);
    joint_point_rest(e[1].q, b, param + 3);
}
