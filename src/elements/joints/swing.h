// swing.h: the angle between the x axes of two joint frames: a range that it may not leave. With low = 0 it is a cone.
//   index: a b     param: the joint's rotation in a (3), in b (3), low, high [rad, from 0 to pi], strength [N m]
//   C = angle - low, from 0 to high - low;  angle = atan2(|xa x xb|, xa . xb),  for a rotation t of b:  t . (xa x xb)/|xa x xb|
// lambda/h^2 is the torque that opens the angle [N m], at most the strength.
#pragma once
#include "core/trig.h"
#include "elements/joints/joint_frame.h"

enum
{
    SWING_RANGE_PARAMS = 9,
};

PL_FN void swing_range_eval(const frame_end *e, const f32 *param, frame_rows *c)
{
    const vec x = vec_of(splat(1.0f), splat(0.0f), splat(0.0f));
    vec a = rotate_vec(joint_turn(e[0].q, param), x), b = rotate_vec(joint_turn(e[1].q, param + 3), x), n = cross(a, b);
    f32 size = length(n);
    i32 bent = size > 0.0f;
    c->value[0] = angle_of(size, dot(a, b)) - param[6];
    c->width = param[7] - param[6], c->strength = param[8];
    row_zero_linear(c, 0);
    c->angular[0][1] = times(keep(bent, 1.0f / pick(bent, size, splat(1.0f))), n);
    c->angular[0][0] = times(splat(-1.0f), c->angular[0][1]);
}

// Joint frames that enclose an angle of about half a radian, which is held.
PL_FN void swing_range_rest(const frame_end *e, f32 *param)
{
    const quat tilt = {vec_of(splat(0.0f), splat(0.0f), splat(0.25f)), splat(1.0f)};
    frame_rows c;
    joint_turn_rest(e[0].q, quat_identity(), param);
    joint_turn_rest(e[1].q, quat_unit(tilt), param + 3);
    param[6] = splat(0.0f), param[7] = splat(0.0f), param[8] = splat(ROW_UNLIMITED);
    swing_range_eval(e, param, &c);
    param[6] = param[7] = c.value[0];
}
