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
    const f32 none = splat(0.0f), one = splat(1.0f);
    vec a = rotate_vec(e[0].q, param_vec(param)), b = rotate_vec(e[1].q, param_vec(param + 3));
    vec gap = add(sub(at(e[0].p), at(e[1].p)), sub(a, b));
    c->value[0] = gap.x, c->value[1] = gap.y, c->value[2] = gap.z;
    // Part i is along the axis u:  u . (t x a) = t . (a x u).
    const vec u[BALL_JOINT_PARTS] = {vec_of(one, none, none), vec_of(none, one, none), vec_of(none, none, one)};
    for (int i = 0; i < BALL_JOINT_PARTS; i++)
    {
        c->linear[i][0] = u[i], c->linear[i][1] = times(splat(-1.0f), u[i]);
        c->angular[i][0] = cross(a, u[i]), c->angular[i][1] = cross(u[i], b);
    }
}

// Places the joint half way between the two ends; where one has no frame, at that end.
PL_FN void ball_joint_rest(const frame_end *e, f32 *param)
{
    vec a = joint_middle(e), b = sub(a, sub(at(e[1].p), at(e[0].p)));
    joint_point_rest(e[0].q, a, param);
    joint_point_rest(e[1].q, b, param + 3);
}
