// distance_joint.h: keeps a point of a and a point of b at a distance from low to high: a rod where both are equal, a
// rope where low is 0, a spring with a compliance. Either end may be a particle without a frame.
//   index: a b     param: the point in a (3) [m], in b (3) [m], low, high [m], strength [N]
//   C = |between| - low, from 0 to high - low;   compliance [m/N], damping [N s/m]
// lambda/h^2 is the force that pushes the points apart [N], at most the strength.
#pragma once
#include "elements/joints/joint_frame.h"

enum
{
    DISTANCE_JOINT_PARAMS = 9,
};

PL_FN void distance_joint_eval(const frame_end *e, const f32 *param, frame_rows *c)
{
    vec a = rotate_vec(e[0].q, param_vec(param)), b = rotate_vec(e[1].q, param_vec(param + 3));
    vec d = add(sub(at(e[1].p), at(e[0].p)), sub(b, a));
    f32 far = length(d);
    vec n = times(keep(far > 0.0f, 1.0f / pick(far > 0.0f, far, splat(1.0f))), d);
    c->value[0] = far - param[6];
    c->width = param[7] - param[6], c->strength = param[8];
    c->linear[0][0] = times(splat(-1.0f), n), c->linear[0][1] = n;
    c->angular[0][0] = cross(n, a), c->angular[0][1] = cross(b, n);
}

// A rod between the centres of the ends.
PL_FN void distance_joint_rest(const frame_end *e, f32 *param)
{
    for (int i = 0; i < 6; i++)
        param[i] = splat(0.0f);
    param[6] = param[7] = length(sub(at(e[1].p), at(e[0].p)));
    param[8] = splat(ROW_UNLIMITED);
}
