// corotated_tet.h: a tetrahedron of linear material in a frame that rotates with it.  index: a b c d    param: fem.h
//   R: the rotation nearest to F;  C = (R^T F + F^T R)/2 - I, as strains of fem.h, R constant in the gradient
// The parts' gradients leave out the rotation of R; the energy's gradient J^T S^-1 C is exact all the same, because R
// minimises the energy. compliance: 1/Young's modulus [1/Pa]. A flat or inverted element recovers. Mueller and Gross
// 2004.
#pragma once
#include "elements/fem.h"

PL_FN mat3 corotated_tet_strain(const mat3 *f, f32 *e)
{
    mat3 r = mat_nearest(f);
    for (int i = 0; i < 3; i++)
        e[i] = dot(r.c[i], f->c[i]) - 1.0f;
    e[3] = dot(r.c[1], f->c[2]) + dot(r.c[2], f->c[1]);
    e[4] = dot(r.c[0], f->c[2]) + dot(r.c[2], f->c[0]);
    e[5] = dot(r.c[0], f->c[1]) + dot(r.c[1], f->c[0]);
    return r;
}

PL_FN void corotated_tet_eval(const point *p, const f32 *param, vector_row *c)
{
    mat3 f = tet_gradient(p, param), r = corotated_tet_strain(&f, c->value);
    tet_strains(param, r.c, c);
    tet_hooke(param, c);
}

PL_FN void corotated_tet_rest(const point *p, f32 *param) { tet_rest(p, param); }

PL_FN f32 corotated_tet_energy(const point *p, const f32 *param)
{
    mat3 f = tet_gradient(p, param);
    f32 e[6];
    corotated_tet_strain(&f, e);
    return tet_hooke_energy(param, e);
}
