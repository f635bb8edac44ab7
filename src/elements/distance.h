// distance.h: keeps the distance of two points at a rest length, at least there (distance_min) or at most there
// (distance_max).
//   index: p q      param: rest [m]      compliance: m/N
//   C = |p - q| - rest,   grad_p C = n = (p - q)/|p - q|,   grad_q C = -n
// Mueller, Heidelberger, Hennix, Ratcliff 2006; compliance: Macklin, Mueller, Chentanez 2016.
#pragma once
#include "elements/row.h"

PL_FN void distance_eval(const point *p, const f32 *param, f32 ahead, row *c)
{
    (void)ahead;
    vec d = sub(at(p[0]), at(p[1]));
    c->norm = length(d);
    c->value = c->norm - param[0];
    c->weight = p[0].w + p[1].w;
    c->g[0] = d;
    c->g[1] = vec_of(-d.x, -d.y, -d.z);
}

PL_FN void distance_rest(const point *p, f32 *param) { param[0] = length(sub(at(p[0]), at(p[1]))); }
