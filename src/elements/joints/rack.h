// rack.h: a pinion a, which turns about an axis that is fixed in the world, and a rack b, which it moves.
//   index: a b     param: the joint's point and rotation in a (6), its point in b (3), the frame of the axis in the world
//   (3), the direction of the rack in the world (3, a unit vector u), the radius of the pinion r [m], the position at rest
//   C = r angle_a - u . (from the point of a to that of b) + position, within half a turn of the pinion
// The angle is known but for whole turns, as for gears (gear.h). lambda/h^2 is the force on b against u [N], and r times it
// the torque on a. The bearings take the reaction, so the momenta do not balance.
#pragma once
#include "elements/joints/gear.h"

enum
{
    RACK_PARAMS = 17,
};

PL_FN void rack_eval(const frame_end *e, const f32 *param, frame_rows *c)
{
    joint_pose j;
    vec u = param_vec(param + 12), turn;
    j.arm[0] = rotate_vec(e[0].q, param_vec(param)), j.arm[1] = rotate_vec(e[1].q, param_vec(param + JOINT_END));
    j.between = add(sub(at(e[1].p), at(e[0].p)), sub(j.arm[1], j.arm[0]));
    f32 radius = not_zero(param[15]), angle = world_twist(e[0].q, param + 3, param + 9, &turn);
    c->value[0] = radius * part_turn(angle - (dot(u, j.between) - param[16]) / radius);
    c->linear[0][0] = u, c->linear[0][1] = times(splat(-1.0f), u);
    c->angular[0][0] = add(times(radius, turn), cross(j.arm[0], u));
    c->angular[0][1] = cross(u, j.arm[1]);
    c->grounded = 1;
}

PL_FN void rack_rest(const frame_end *e, f32 *param)
{
    vec a = joint_middle(e), b = sub(a, sub(at(e[1].p), at(e[0].p)));
    joint_point_rest(e[0].q, a, param);
    joint_turn_rest(e[0].q, quat_identity(), param + 3);
    joint_point_rest(e[1].q, b, param + JOINT_END);
    for (int i = 9; i < RACK_PARAMS; i++)
        param[i] = splat(0.0f);
    param[13] = splat(1.0f), param[15] = splat(0.5f);
}
