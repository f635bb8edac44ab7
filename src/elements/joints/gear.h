// gear.h: two toothed wheels that mesh: the angles of a and b about their axes, which are fixed in the world, in the
// ratio of their teeth.
//   index: a b     param: the joint's rotation in a (3), in b (3), the frames of both axes in the world (3, 3), teeth of a, b
//   C = (na angle_a + nb angle_b)/na, within half a tooth of a
//   angle: the twist of the joint's frame about the x axis of its frame in the world (twist.h)
// Teeth are whole numbers, so na angle_a + nb angle_b does not depend on how often each wheel has turned: no turns have to
// be counted, and the wheels do not drift apart. A negative nb: a belt, or a wheel inside a ring, which turn the same way.
// lambda/h^2 is the torque on a about its axis [N m]. The bearings take the reaction, so the momenta do not balance.
#pragma once
#include "core/trig.h"
#include "elements/joints/joint_frame.h"

enum
{
    GEAR_PARAMS = 14,
};

// An angle without its whole turns: from -pi to pi.
PL_FN f32 part_turn(f32 angle)
{
#if defined(LANE_DOUBLE)
    return angle - 6.283185307179586 * rint(angle / 6.283185307179586);
#else
    f32 turns = nearest(angle * 0.15915494f); // 2 pi in three parts, so that the products are exact
    return ((angle - turns * 6.28125f) - turns * 0.0019340515f) - turns * 1.2556292e-6f;
#endif
}

// A number to divide by: the parameters of padding rows are 0.
PL_FN f32 not_zero(f32 a) { return pick(magnitude(a) > 0.0f, a, splat(1.0f)); }

// The twist of a joint's frame about the x axis of a frame that is fixed in the world, and its gradient by a rotation.
PL_FN f32 world_twist(quat q, const f32 *own, const f32 *world, vec *gradient)
{
    quat from = joint_turn(quat_identity(), world), by = quat_times(quat_conjugate(from), joint_turn(q, own));
    f32 size = by.v.x * by.v.x + by.w * by.w, side = pick(by.w < 0.0f, splat(-1.0f), splat(1.0f));
    f32 inverse = 1.0f / most(size, splat(1e-3f));
    *gradient = rotate_vec(from, vec_of(splat(1.0f), inverse * (by.w * by.v.z + by.v.x * by.v.y),
                                        inverse * (by.v.x * by.v.z - by.w * by.v.y)));
    return 2.0f * angle_of(side * by.v.x, side * by.w);
}

PL_FN void gear_eval(const frame_end *e, const f32 *param, frame_rows *c)
{
    f32 angle[FRAME_ENDS], teeth = not_zero(param[12]), ratio = param[13] / teeth;
    for (int i = 0; i < FRAME_ENDS; i++)
        angle[i] = world_twist(e[i].q, param + 3 * i, param + 6 + 3 * i, &c->angular[0][i]);
    c->value[0] = part_turn(teeth * angle[0] + param[13] * angle[1]) / teeth;
    row_zero_linear(c, 0);
    c->angular[0][1] = times(ratio, c->angular[0][1]);
    c->grounded = 1;
}

PL_FN void gear_rest(const frame_end *e, f32 *param)
{
    for (int i = 0; i < FRAME_ENDS; i++)
        joint_turn_rest(e[i].q, quat_identity(), param + 3 * i);
    for (int i = 6; i < 12; i++)
        param[i] = splat(0.0f);
    param[12] = splat(2.0f), param[13] = splat(3.0f);
}
