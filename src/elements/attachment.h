// attachment.h: holds a particle at a point of a body frame.
//   index: body particle     param: the point in the body's frame (3) [m]     compliance [m/N], damping [N s/m]
//   C = (xb + Rb r) - x: a vector, three parts
//   dC/dxb = 1,  dC/dx = -1;   for a small rotation t of the body:  dC = t x (Rb r)
// lambda/h^2 is the force on the body, in world axes [N]. All rows of a body are solved as one block
// (stages/attachment_stages.h).
#pragma once
#include "elements/joints/joint_frame.h"

enum
{
    ATTACHMENT_PARAMS = 3,
    ATTACHMENT_PARTS = 3,
};

PL_FN void attachment_eval(const frame_end *e, const f32 *param, frame_rows *c)
{
    vec a = rotate_vec(e[0].q, param_vec(param)), gap = add(sub(at(e[0].p), at(e[1].p)), a);
    parts_gap(gap, a, vec_of(splat(0.0f), splat(0.0f), splat(0.0f)), c);
}

// The particle's present place in the body.
PL_FN void attachment_rest(const frame_end *e, f32 *param)
{
    joint_point_rest(e[0].q, sub(at(e[1].p), at(e[0].p)), param);
}
