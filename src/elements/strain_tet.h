// strain_tet.h: stretch along three material axes and the angles between them.    index: a b c d     param: fem.h
//   C_i = |F_i| - 1,   C_ij = F_i . F_j/(|F_i| |F_j|)        softness: 1/V, and 2(1 + nu)/V for the angles
// Stretch and shear are independent, and C does not change with a rotation: strain-based dynamics, Mueller, Chentanez,
// Kim, Macklin 2014. compliance: 1/Pa. Poisson's ratio only sets how much softer shear is than stretch.
#pragma once
#include "elements/fem.h"

// Length and direction of an axis; the direction of a vanishing axis is 0.
PL_FN vec strain_axis(vec f, f32 *size, f32 *inverse)
{
    *size = length(f);
    i32 live = *size > 1e-12f;
    *inverse = keep(live, 1.0f / pick(live, *size, splat(1.0f)));
    return times(*inverse, f);
}

// d(n . m)/dF where n = F/|F|: the component of m across n, divided by |F|.
PL_FN vec strain_lean(vec n, vec m, f32 inverse) { return times(inverse, sub(m, times(dot(n, m), n))); }

PL_FN void strain_tet_eval(const point *p, const f32 *param, vector_row *c)
{
    static const int pair[3][2] = {{1, 2}, {0, 2}, {0, 1}};
    mat3 f = tet_gradient(p, param);
    f32 size, shrink[3];
    vec n[3];
    tet_rows(param, c);
    for (int i = 0; i < 3; i++)
    {
        n[i] = strain_axis(f.c[i], &size, &shrink[i]);
        c->value[i] = size - 1.0f;
        c->h[i][i] = n[i];
    }
    for (int s = 0; s < 3; s++)
    {
        int i = pair[s][0], j = pair[s][1];
        c->value[3 + s] = dot(n[i], n[j]);
        c->h[3 + s][i] = strain_lean(n[i], n[j], shrink[i]);
        c->h[3 + s][j] = strain_lean(n[j], n[i], shrink[j]);
    }
    f32 inverse = 1.0f / param[TET_VOLUME_AT], nu = param[TET_POISSON_AT];
    soft_zero(c, 6);
    for (int i = 0; i < 6; i++)
        c->soft[HALF_AT(i, i)] = i < 3 ? inverse : (2.0f + (nu + nu)) * inverse;
}

PL_FN void strain_tet_rest(const point *p, f32 *param) { tet_rest(p, param); }

PL_FN f32 strain_tet_energy(const point *p, const f32 *param)
{
    mat3 f = tet_gradient(p, param);
    f32 size[3], inverse[3], stretch = splat(0.0f), shear = splat(0.0f);
    vec n[3];
    for (int i = 0; i < 3; i++)
    {
        n[i] = strain_axis(f.c[i], &size[i], &inverse[i]);
        stretch = stretch + (size[i] - 1.0f) * (size[i] - 1.0f);
    }
    for (int i = 0; i < 3; i++)
        shear = shear + dot(n[i], n[(i + 1) % 3]) * dot(n[i], n[(i + 1) % 3]);
    return 0.5f * param[TET_VOLUME_AT] * (stretch + shear / (2.0f + 2.0f * param[TET_POISSON_AT]));
}
