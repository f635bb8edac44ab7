// pulley.h: a rope from a point of a over two pulleys at points of the world to a point of b: the sum of its two ends is
// from low to high, where the end of b counts `ratio` times (a tackle).
//   index: a b     param: the point in a (3) [m], in b (3), low, high [m], strength [N], the points of the world (3, 3),
//   ratio
//   C = |xa - pa| + ratio |xb - pb| - low, from 0 to high - low;   compliance [m/N], damping [N s/m]
// -lambda/h^2 is the tension of the end at a [N]; that at b is `ratio` times it. The pulleys take the reaction, so the
// momenta do not balance. Either end may be a particle without a frame.
#pragma once
#include "elements/joints/joint_frame.h"

enum
{
    PULLEY_PARAMS = 16,
};

PL_FN void pulley_eval(const frame_end *e, const f32 *param, frame_rows *c)
{
    f32 sum = splat(0.0f);
    for (int i = 0; i < FRAME_ENDS; i++)
    {
        vec arm = rotate_vec(e[i].q, param_vec(param + 3 * i));
        vec d = add(sub(at(e[i].p), sub(param_vec(param + 9 + 3 * i), e[0].world)), arm);
        f32 far = length(d), weight = i ? param[15] : splat(1.0f);
        vec n = times(keep(far > 0.0f, weight / pick(far > 0.0f, far, splat(1.0f))), d);
        sum = sum + weight * far;
        c->linear[0][i] = n, c->angular[0][i] = cross(arm, n);
    }
    c->value[0] = sum - param[6];
    c->width = param[7] - param[6], c->strength = param[8];
    c->grounded = 1;
}

// A rope from the centres of the ends over pulleys 1 m above them.
PL_FN void pulley_rest(const frame_end *e, f32 *param)
{
    for (int i = 0; i < FRAME_ENDS; i++)
    {
        vec p = add(at(e[i].p), e[0].world);
        param[3 * i] = param[3 * i + 1] = param[3 * i + 2] = splat(0.0f);
        param[9 + 3 * i] = p.x, param[10 + 3 * i] = p.y + 1.0f, param[11 + 3 * i] = p.z;
    }
    param[15] = splat(2.0f);
    param[6] = param[7] = splat(3.0f);
    param[8] = splat(ROW_UNLIMITED);
}
