// dihedral.h: keeps the angle between two triangles that share an edge.
//   index: a b (the edge) c (of triangle a b c) d (of triangle b a d)      param: rest [rad]      compliance: rad/(N m)
//   n = (b - a) x (c - a),   m = (d - a) x (b - a),   C = angle from n to m about the edge - rest; 0 when flat
//   grad_c = -|e| n/|n|^2,   grad_d = -|e| m/|m|^2,   with e = b - a and s, t the positions of c and d along e:
//   grad_a = -(1-s) grad_c - (1-t) grad_d,   grad_b = -s grad_c - t grad_d
// The signed angle replaces the 2006 paper's arc cosine, which cannot tell the two sides of flat apart:
// Bridson, Marino, Fedkiw 2003; Grinspun and others 2003.
#pragma once
#include "elements/row.h"
#include "core/trig.h"

PL_FN f32 dihedral_angle(vec e, vec n, vec m) { return angle_of(dot(cross(n, m), e), dot(n, m) * length(e)); }

PL_FN void dihedral_eval(const point *p, const f32 *param, f32 ahead, row *r)
{
    (void)ahead;
    vec a = at(p[0]), e = sub(at(p[1]), a), c = sub(at(p[2]), a), d = sub(at(p[3]), a);
    vec n = cross(e, c), m = cross(d, e);
    f32 ee = square(e), nn = square(n), mm = square(m);
    i32 live = (ee > 1e-30f) & (nn > 1e-30f) & (mm > 1e-30f); // false: a triangle without area

    f32 diff = dihedral_angle(e, n, m) - param[0]; // the short way round
    diff = pick(diff > 3.14159265f, diff - 6.28318531f, diff);
    diff = pick(diff < -3.14159265f, diff + 6.28318531f, diff);

    f32 size = root(ee), s = dot(c, e) / ee, t = dot(d, e) / ee;
    vec gc = times(-size / nn, n), gd = times(-size / mm, m);
    r->value = keep(live, diff);
    r->norm = splat(1.0f);
    r->g[0] = keep_vec(live, sub(times(s - 1.0f, gc), times(1.0f - t, gd)));
    r->g[1] = keep_vec(live, sub(times(-s, gc), times(t, gd)));
    r->g[2] = keep_vec(live, gc);
    r->g[3] = keep_vec(live, gd);
    r->weight = weigh(p, r->g, 4);
}

PL_FN void dihedral_rest(const point *p, f32 *param)
{
    vec a = at(p[0]), e = sub(at(p[1]), a), c = sub(at(p[2]), a), d = sub(at(p[3]), a);
    param[0] = dihedral_angle(e, cross(e, c), cross(d, e));
}
