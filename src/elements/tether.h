// tether.h: keeps a point within a length of an anchor, which it does not move: a long-range attachment.
//   index: p anchor      param: rest [m]      compliance: m/N
//   C = |p - anchor| - rest <= 0,   grad_p C = (p - anchor)/|p - anchor|
// The anchor is read and never moved, so any number of tethers may share it and still run in parallel.
// Kim, Chentanez, Mueller-Fischer 2012.
#pragma once
#include "elements/row.h"

PL_FN void tether_eval(const point *p, const f32 *param, f32 ahead, row *c)
{
    (void)ahead;
    vec d = sub(at(p[0]), at(p[1]));
    c->norm = length(d);
    c->value = c->norm - param[0];
    c->weight = p[0].w;
    c->g[0] = d;
    c->g[1] = vec_of(-d.x, -d.y, -d.z); // for damping: the anchor may move, though not by this constraint
}

PL_FN void tether_rest(const point *p, f32 *param) { param[0] = length(sub(at(p[0]), at(p[1]))); }
