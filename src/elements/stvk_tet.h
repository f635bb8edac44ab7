// stvk_tet.h: a tetrahedron of St. Venant-Kirchhoff material.                 index: a b c d      param: fem.h
//   E = (F^T F - I)/2,  C = (E00 E11 E22 2E12 2E02 2E01),  grad_a E_ij = (B_ai F_j + B_aj F_i)/2
//   compliance: 1/Young's modulus [1/Pa]
// An inverted element stays inverted: C does not see the inversion. Where that may happen use corotated_tet or
// neo_hookean.
#pragma once
#include "elements/fem.h"

PL_FN void stvk_tet_strain(const mat3 *f, f32 *e)
{
    for (int i = 0; i < 3; i++)
        e[i] = 0.5f * (square(f->c[i]) - 1.0f);
    e[3] = dot(f->c[1], f->c[2]);
    e[4] = dot(f->c[0], f->c[2]);
    e[5] = dot(f->c[0], f->c[1]);
}

PL_FN void stvk_tet_eval(const point *p, const f32 *param, vector_row *c)
{
    mat3 f = tet_gradient(p, param);
    stvk_tet_strain(&f, c->value);
    tet_strains(param, f.c, c);
    tet_hooke(param, c);
}

PL_FN void stvk_tet_rest(const point *p, f32 *param) { tet_rest(p, param); }

PL_FN f32 stvk_tet_energy(const point *p, const f32 *param)
{
    mat3 f = tet_gradient(p, param);
    f32 e[6];
    stvk_tet_strain(&f, e);
    return tet_hooke_energy(param, e);
}
