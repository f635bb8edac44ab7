// simplex.h: the nearest points of a point and an edge, a point and a triangle, and two edges, with barycentric
// weights.
//   between: from the second simplex' nearest point to the first's [m]      square: |between|^2
//   weight:  the positions of the nearest points; each is within [0, 1], and those of one simplex sum to 1 (rounded)
// The result is the best of several candidates, and every candidate is a point of the simplex. So a degenerate simplex
// (coincident corners, collinear corners, parallel edges) cannot give a wrong point, at worst a slightly farther one:
// |between| exceeds the true distance by no more than a few units in the last place of the largest difference of
// coordinates (4 of 2^-23 in the tests).
#pragma once
#include "collide/probe.h"

typedef struct closest
{
    f32 square;
    vec between;
    f32 weight[4]; // point-edge: a b; point-triangle: a b c; edge-edge: p0 p1 q0 q1
} closest;

// The position on the segment from a to b that is nearest to o: 0 at a, 1 at b; 0 where a = b.
PL_FN f32 parameter_on(vec o, vec a, vec b)
{
    vec e = sub(b, a);
    f32 ee = square(e);
    i32 line = ee > 0.0f;
    return keep(line, clamp(dot(sub(o, a), e) / pick(line, ee, splat(1.0f)), 0.0f, 1.0f));
}

// a + t (b - a), which is b itself at t = 1.
PL_FN vec blend(vec a, vec b, f32 t)
{
    vec r = add(a, times(t, sub(b, a)));
    return pick_vec(t >= 1.0f, b, r);
}

PL_FN closest point_edge(vec p, vec a, vec b)
{
    closest r;
    f32 t = parameter_on(p, a, b);
    vec zero = vec_of(splat(0.0f), splat(0.0f), splat(0.0f));
    r.between = sub(zero, blend(sub(a, p), sub(b, p), t));
    r.square = square(r.between);
    r.weight[0] = 1.0f - t;
    r.weight[1] = t;
    r.weight[2] = r.weight[3] = splat(0.0f);
    return r;
}

PL_FN void consider(closest *best, vec between, f32 w0, f32 w1, f32 w2, f32 w3)
{
    f32 s = square(between);
    i32 nearer = s < best->square;
    best->square = pick(nearer, s, best->square);
    best->between = pick_vec(nearer, between, best->between);
    best->weight[0] = pick(nearer, w0, best->weight[0]);
    best->weight[1] = pick(nearer, w1, best->weight[1]);
    best->weight[2] = pick(nearer, w2, best->weight[2]);
    best->weight[3] = pick(nearer, w3, best->weight[3]);
}

// Candidates: the three edges, and the foot of the perpendicular if it is inside.
PL_FN closest point_triangle(vec p, vec a, vec b, vec c)
{
    vec pa = sub(a, p), pb = sub(b, p), pc = sub(c, p), zero = vec_of(splat(0.0f), splat(0.0f), splat(0.0f));
    f32 none = splat(0.0f);
    closest r;

    f32 t = parameter_on(zero, pa, pb);
    r.between = sub(zero, blend(pa, pb, t));
    r.square = square(r.between);
    r.weight[0] = 1.0f - t;
    r.weight[1] = t;
    r.weight[2] = r.weight[3] = none;
    t = parameter_on(zero, pb, pc);
    consider(&r, sub(zero, blend(pb, pc, t)), none, 1.0f - t, t, none);
    t = parameter_on(zero, pc, pa);
    consider(&r, sub(zero, blend(pc, pa, t)), t, none, 1.0f - t, none);

    vec ab = sub(b, a), ac = sub(c, a), n = cross(ab, ac);
    f32 nn = square(n);
    i32 flat = nn > 0.0f;
    f32 safe = pick(flat, nn, splat(1.0f));
    f32 wb = dot(cross(ac, pa), n) / safe, wc = dot(cross(pa, ab), n) / safe;
    // One correction step from there recovers what a thin triangle lost to rounding.
    vec foot = add(pa, add(times(wb, ab), times(wc, ac)));
    wb = wb + dot(cross(ac, foot), n) / safe;
    wc = wc + dot(cross(foot, ab), n) / safe;
    foot = add(pa, add(times(wb, ab), times(wc, ac)));
    f32 wa = 1.0f - wb - wc;
    i32 inside = flat & (wa >= 0.0f) & (wb >= 0.0f) & (wc >= 0.0f);
    // Not inside: offers the first candidate again, which changes nothing.
    foot = pick_vec(inside, sub(zero, foot), r.between);
    consider(&r, foot, wa, wb, wc, none);
    return r;
}

// Candidates: the four ends against the other edge, and the common perpendicular of the lines, clamped to the edges.
PL_FN closest edge_edge(vec p0, vec p1, vec q0, vec q1)
{
    vec zero = vec_of(splat(0.0f), splat(0.0f), splat(0.0f));
    vec b = sub(p1, p0), c = sub(q0, p0), d = sub(q1, p0); // p0 is the origin
    f32 none = splat(0.0f), one = splat(1.0f);
    closest r;

    f32 t = parameter_on(zero, c, d);
    r.between = sub(zero, blend(c, d, t));
    r.square = square(r.between);
    r.weight[0] = one;
    r.weight[1] = none;
    r.weight[2] = 1.0f - t;
    r.weight[3] = t;
    t = parameter_on(b, c, d);
    consider(&r, sub(b, blend(c, d, t)), none, one, 1.0f - t, t);
    f32 s = parameter_on(c, zero, b);
    consider(&r, sub(blend(zero, b, s), c), 1.0f - s, s, one, none);
    s = parameter_on(d, zero, b);
    consider(&r, sub(blend(zero, b, s), d), 1.0f - s, s, none, one);

    vec e = sub(q1, q0), n = cross(b, e);
    f32 nn = square(n);
    i32 skew = nn > 0.0f;
    s = keep(skew, clamp(dot(cross(c, e), n) / pick(skew, nn, one), 0.0f, 1.0f));
    t = parameter_on(blend(zero, b, s), c, d);
    s = parameter_on(blend(c, d, t), zero, b);
    consider(&r, sub(blend(zero, b, s), blend(c, d, t)), 1.0f - s, s, 1.0f - t, t);
    return r;
}
