// slide.h: the position of b along an axis of a: a range that it may not leave (limits, springs, servos), and a motor.
//   index: a b     param: the joint's frame in a (6), the point in b (3)
//   slide_range: low, high [m], strength [N]     C = xa . between - low, from 0 to high - low
//   slide_motor: speed [m/s], strength [N]       dC/dt = speed, where C = xa . between
// lambda/h^2 is the force on b along xa [N], at most the strength. b may be a particle without a frame.
#pragma once
#include "elements/joints/joint_frame.h"

enum
{
    SLIDE_PARAMS = 9,
    SLIDE_RANGE_PARAMS = 12,
    SLIDE_MOTOR_PARAMS = 11,
};

PL_FN void slide_along(const frame_end *e, const f32 *param, frame_rows *c)
{
    joint_pose j;
    j.arm[0] = rotate_vec(e[0].q, param_vec(param)), j.arm[1] = rotate_vec(e[1].q, param_vec(param + JOINT_END));
    j.between = add(sub(at(e[1].p), at(e[0].p)), sub(j.arm[1], j.arm[0]));
    mat3 axes = quat_axes(joint_turn(e[0].q, param + 3));
    part_along(&j, axes.c[0], c, 0);
}

PL_FN void slide_rest(const frame_end *e, f32 *param)
{
    vec a = joint_middle(e), b = sub(a, sub(at(e[1].p), at(e[0].p)));
    joint_point_rest(e[0].q, a, param);
    joint_turn_rest(e[0].q, quat_identity(), param + 3);
    joint_point_rest(e[1].q, b, param + JOINT_END);
}

PL_FN void slide_range_eval(const frame_end *e, const f32 *param, frame_rows *c)
{
    slide_along(e, param, c);
    c->value[0] = c->value[0] - param[9];
    c->width = param[10] - param[9], c->strength = param[11];
}

PL_FN void slide_range_rest(const frame_end *e, f32 *param)
{
    slide_rest(e, param);
    param[9] = param[10] = splat(0.0f), param[11] = splat(ROW_UNLIMITED);
}

PL_FN void slide_motor_eval(const frame_end *e, const f32 *param, frame_rows *c)
{
    slide_along(e, param, c);
    c->speed = param[9], c->strength = param[10];
}

PL_FN void slide_motor_rest(const frame_end *e, f32 *param)
{
    slide_rest(e, param);
    param[9] = splat(0.0f), param[10] = splat(ROW_UNLIMITED);
}
