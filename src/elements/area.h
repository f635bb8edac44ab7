// area.h: keeps the area of a triangle.
//   index: a b c      param: rest [m^2]      compliance: m^3/N
//   C = |n|/2 - rest,  n = (b - a) x (c - a);   grad_a = (b - c) x n/(2|n|) and so on round
#pragma once
#include "elements/row.h"

PL_FN void area_eval(const point *p, const f32 *param, f32 ahead, row *r)
{
    (void)ahead;
    vec a = at(p[0]), b = at(p[1]), c = at(p[2]), n = cross(sub(b, a), sub(c, a));
    f32 size = length(n);
    r->value = 0.5f * size - param[0];
    r->norm = size + size; // the gradients below are 2|n| times the true ones
    r->g[0] = cross(n, sub(c, b));
    r->g[1] = cross(n, sub(a, c));
    r->g[2] = cross(n, sub(b, a));
    f32 square_norm = r->norm * r->norm;
    i32 live = square_norm > 0.0f;
    r->weight = keep(live, weigh(p, r->g, 3) / pick(live, square_norm, splat(1.0f)));
}

PL_FN void area_rest(const point *p, f32 *param)
{
    vec a = at(p[0]);
    param[0] = 0.5f * length(cross(sub(at(p[1]), a), sub(at(p[2]), a)));
}
