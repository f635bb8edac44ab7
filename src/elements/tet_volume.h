// tet_volume.h: keeps the volume of a tetrahedron.
//   index: a b c d      param: rest [m^3]      compliance: m^5/N
//   C = (b - a) . ((c - a) x (d - a)) / 6 - rest;   the volume is negative when inverted
//   grad_b = (c - a) x (d - a) / 6 and so on round,   grad_a = -(grad_b + grad_c + grad_d)
// Mueller, Heidelberger, Hennix, Ratcliff 2006.
#pragma once
#include "elements/row.h"

PL_FN f32 tet_volume_of(vec b, vec c, vec d) { return dot(b, cross(c, d)) * (1.0f / 6.0f); }

PL_FN void tet_volume_eval(const point *p, const f32 *param, f32 ahead, row *r)
{
    (void)ahead;
    const f32 sixth = splat(1.0f / 6.0f);
    vec a = at(p[0]), b = sub(at(p[1]), a), c = sub(at(p[2]), a), d = sub(at(p[3]), a);
    r->value = tet_volume_of(b, c, d) - param[0];
    r->norm = splat(1.0f);
    r->g[1] = times(sixth, cross(c, d));
    r->g[2] = times(sixth, cross(d, b));
    r->g[3] = times(sixth, cross(b, c));
    r->g[0] = vec_of(-(r->g[1].x + r->g[2].x + r->g[3].x), -(r->g[1].y + r->g[2].y + r->g[3].y),
                     -(r->g[1].z + r->g[2].z + r->g[3].z));
    r->weight = weigh(p, r->g, 4);
}

PL_FN void tet_volume_rest(const point *p, f32 *param)
{
    vec a = at(p[0]);
    param[0] = tet_volume_of(sub(at(p[1]), a), sub(at(p[2]), a), sub(at(p[3]), a));
}
