// twist.h: the angle of b about the common x axis of two joint frames: a range that it may not leave (limits, springs,
// servos), and a motor.
//   index: a b     param: the joint's rotation in a (3), in b (3)
//   twist_range: low, high [rad, from -pi to pi], strength [N m]     C = angle - low, from 0 to high - low
//   twist_motor: speed [rad/s], strength [N m]                       dC/dt = speed, where C = angle
//   angle = 2 atan2(q_x, q_w), q = qa^-1 qb: the twist of the decomposition into swing and twist; from -pi to pi
//   for a rotation t of b, in the axes of a:  d angle = t_x + (t_y (qw qz + qx qy) + t_z (qx qz - qw qy))/(qx^2 + qw^2)
// lambda/h^2 is the torque on b about the axis [N m], at most the strength.
#pragma once
#include "core/trig.h"
#include "elements/joints/joint_frame.h"

enum
{
    TWIST_RANGE_PARAMS = 9,
    TWIST_MOTOR_PARAMS = 8,
};

PL_FN void twist_about(const frame_end *e, const f32 *param, frame_rows *c)
{
    quat a = joint_turn(e[0].q, param), q = quat_times(quat_conjugate(a), joint_turn(e[1].q, param + 3));
    f32 side = pick(q.w < 0.0f, splat(-1.0f), splat(1.0f)), size = q.v.x * q.v.x + q.w * q.w;
    f32 inverse = 1.0f / most(size, splat(1e-3f)); // beyond: the x axes are opposite, and there is no twist
    vec g = vec_of(splat(1.0f), inverse * (q.w * q.v.z + q.v.x * q.v.y), inverse * (q.v.x * q.v.z - q.w * q.v.y));
    c->value[0] = 2.0f * angle_of(side * q.v.x, side * q.w);
    row_zero_linear(c, 0);
    c->angular[0][1] = rotate_vec(a, g);
    c->angular[0][0] = times(splat(-1.0f), c->angular[0][1]);
}

PL_FN void twist_rest(const frame_end *e, f32 *param)
{
    joint_turn_rest(e[0].q, quat_identity(), param);
    joint_turn_rest(e[1].q, quat_identity(), param + 3);
}

PL_FN void twist_range_eval(const frame_end *e, const f32 *param, frame_rows *c)
{
    twist_about(e, param, c);
    c->value[0] = c->value[0] - param[6];
    c->width = param[7] - param[6], c->strength = param[8];
}

PL_FN void twist_range_rest(const frame_end *e, f32 *param)
{
    twist_rest(e, param);
    param[6] = param[7] = splat(0.0f), param[8] = splat(ROW_UNLIMITED);
}

PL_FN void twist_motor_eval(const frame_end *e, const f32 *param, frame_rows *c)
{
    twist_about(e, param, c);
    c->speed = param[6], c->strength = param[7];
}

PL_FN void twist_motor_rest(const frame_end *e, f32 *param)
{
    twist_rest(e, param);
    param[6] = splat(0.0f), param[7] = splat(ROW_UNLIMITED);
}
