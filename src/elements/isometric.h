// isometric.h: bending of two triangles that are flat at rest and keep their edge lengths.
//   index: a b (the shared edge) c d      param: k_a k_b k_c k_d [1/m]      compliance: 1/J
//   C = |K|,   K = k_a a + k_b b + k_c c + k_d d,   grad_i = k_i K/|K|
// With the cotangent weights of the rest shape scaled by sqrt(3/(A + B)), where A and B are the areas of the triangles,
// C^2 = x^T Q x is the quadratic bending energy of Bergou, Wardetzky, Harmon, Zorin, Grinspun 2006; as a constraint:
// Bender, Mueller, Macklin 2014. C is the root, so that 1/2 C^2/compliance is exactly that energy; both are 0 together.
#pragma once
#include "elements/row.h"

PL_FN void isometric_eval(const point *p, const f32 *param, f32 ahead, row *c)
{
    (void)ahead;
    // Differences to the first point: the weights sum to 0, and large coordinates cancel before they are multiplied.
    vec o = at(p[0]);
    vec sum = times(param[1], sub(at(p[1]), o));
    sum = add(sum, times(param[2], sub(at(p[2]), o)));
    sum = add(sum, times(param[3], sub(at(p[3]), o)));
    c->norm = length(sum);
    c->value = c->norm;
    c->weight = p[0].w * (param[0] * param[0]) + p[1].w * (param[1] * param[1]) + p[2].w * (param[2] * param[2]) +
                p[3].w * (param[3] * param[3]);
    for (int i = 0; i < 4; i++)
        c->g[i] = times(param[i], sum);
}

PL_FN f32 cotangent(vec a, vec b) { return dot(a, b) / length(cross(a, b)); }

PL_FN void isometric_rest(const point *p, f32 *param)
{
    vec a = at(p[0]), b = at(p[1]), c = at(p[2]), d = at(p[3]);
    vec e = sub(b, a), back = sub(a, b);
    f32 ac = cotangent(e, sub(c, a)), ad = cotangent(e, sub(d, a));
    f32 bc = cotangent(back, sub(c, b)), bd = cotangent(back, sub(d, b));
    f32 areas = 0.5f * (length(cross(e, sub(c, a))) + length(cross(e, sub(d, a))));
    f32 scale = root(3.0f / areas);
    param[1] = scale * (ac + ad);
    param[2] = -scale * (ac + bc);
    param[3] = -scale * (ad + bd);
    param[0] = -(param[1] + param[2] + param[3]);
}
