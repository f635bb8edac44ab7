// stvk_triangle.h: a triangle of woven cloth: St. Venant-Kirchhoff in the plane, moduli for warp and weft.
//   index: a b c   param: fem.h
//   E = (F^T F - I)/2,  C = (Euu Evv 2Euv)
//   softness/V: ((1, -nu), (-nu, 1/weft)), 1/shear      orthotropic plane stress
//   compliance: 1/Young's modulus of the warp [1/Pa]
#pragma once
#include "elements/fem.h"

PL_FN void stvk_triangle_strain(const vec *f, f32 *e)
{
    e[0] = 0.5f * (square(f[0]) - 1.0f);
    e[1] = 0.5f * (square(f[1]) - 1.0f);
    e[2] = dot(f[0], f[1]);
}

PL_FN void stvk_triangle_eval(const point *p, const f32 *param, vector_row *c)
{
    vec f[2];
    tri_gradient(p, param, f);
    tri_rows(param, c);
    stvk_triangle_strain(f, c->value);
    c->h[0][0] = c->h[2][1] = f[0];
    c->h[1][1] = c->h[2][0] = f[1];
    tri_hooke(param, param[TRI_POISSON_AT], c);
}

PL_FN void stvk_triangle_rest(const point *p, f32 *param) { tri_rest(p, param); }

PL_FN f32 stvk_triangle_energy(const point *p, const f32 *param)
{
    vec f[2];
    f32 e[3];
    tri_gradient(p, param, f);
    stvk_triangle_strain(f, e);
    return tri_hooke_energy(param, param[TRI_POISSON_AT], e);
}
