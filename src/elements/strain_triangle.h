// strain_triangle.h: stretch along warp and weft and the angle between them.          index: a b c      param: fem.h
//   C = (|Fu| - 1, |Fv| - 1, Fu . Fv/(|Fu| |Fv|))      softness: 1/V, 1/(weft V), 1/(shear V)
//   compliance: 1/Young's modulus of the warp [1/Pa]
// Strain-based dynamics: Mueller, Chentanez, Kim, Macklin 2014. Poisson's ratio is not used: the directions are
// independent.
#pragma once
#include "elements/strain_tet.h"

PL_FN void strain_triangle_eval(const point *p, const f32 *param, vector_row *c)
{
    vec f[2], n[2];
    f32 size[2], shrink[2];
    tri_gradient(p, param, f);
    tri_rows(param, c);
    for (int i = 0; i < 2; i++)
    {
        n[i] = strain_axis(f[i], &size[i], &shrink[i]);
        c->value[i] = size[i] - 1.0f;
    }
    c->value[2] = dot(n[0], n[1]);
    c->h[0][0] = n[0], c->h[1][1] = n[1];
    c->h[2][0] = strain_lean(n[0], n[1], shrink[0]);
    c->h[2][1] = strain_lean(n[1], n[0], shrink[1]);
    tri_hooke(param, splat(0.0f), c);
}

PL_FN void strain_triangle_rest(const point *p, f32 *param) { tri_rest(p, param); }

PL_FN f32 strain_triangle_energy(const point *p, const f32 *param)
{
    vec f[2], n[2];
    f32 e[3], inverse;
    tri_gradient(p, param, f);
    for (int i = 0; i < 2; i++)
    {
        n[i] = strain_axis(f[i], &e[i], &inverse);
        e[i] = e[i] - 1.0f;
    }
    e[2] = dot(n[0], n[1]);
    return tri_hooke_energy(param, splat(0.0f), e);
}
