// pin.h: holds a point at a target that moves at constant velocity through the frame.
//   index: p      param: target at the frame's end [m] (3), its travel in the frame [m] (3)      compliance: m/N
//   C = |p - t|,   t = target - ahead travel,   grad C = (p - t)/|p - t|;   ahead: the remaining fraction of the frame
#pragma once
#include "elements/row.h"

PL_FN void pin_eval(const point *p, const f32 *param, f32 ahead, row *c)
{
    vec t = vec_of(param[0] - ahead * param[3], param[1] - ahead * param[4], param[2] - ahead * param[5]);
    vec d = sub(at(p[0]), t);
    c->norm = length(d);
    c->value = c->norm;
    c->weight = p[0].w;
    c->g[0] = d;
    c->drift = -dot(d, vec_of(param[3], param[4], param[5]));
}

PL_FN void pin_rest(const point *p, f32 *param)
{
    param[0] = p[0].x;
    param[1] = p[0].y;
    param[2] = p[0].z;
    param[3] = param[4] = param[5] = splat(0.0f);
}
