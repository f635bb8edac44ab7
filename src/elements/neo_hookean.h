// neo_hookean.h: a tetrahedron of stable neo-Hookean material.                  index: a b c d      param: fem.h
//   C_D = sqrt(tr(F^T F)),  softness 1/(mu V);     C_H = det F - (1 + mu/lambda),  softness 1/(lambda V)
//   mu = E/(2(1 + nu)),  lambda = Lame's lambda + mu = E/(2(1 + nu)(1 - 2nu)): equals Hooke's law for small strains
//   energy: mu/2 (tr(F^T F) - 3) - mu (det F - 1) + lambda/2 (det F - 1)^2
// compliance: 1/Young's modulus [1/Pa], at least what is stable (see below). A flat or inverted element recovers.
// Macklin and Mueller 2021.
#pragma once
#include "elements/fem.h"

// Near rest both gradients are those of the volume alone: the solve is implicit in the volume and explicit in the
// shear, which acts through the change of the gradients. An explicit step with the force at its end is stable for
// (omega h)^2 < 4/3, where omega^2 = 2 mu V times the largest eigenvalue of sum w b b^T; its trace is at least as
// large. With a = trace * 3/2 times mu V h^2 the element is as stiff as the substep allows, and softer than its modulus
// where c h > l.
#define NEO_HOOKEAN_BOUND 1.5f

PL_FN void neo_hookean_eval(const point *p, const f32 *param, vector_row *c)
{
    mat3 f = tet_gradient(p, param);
    f32 nu = param[TET_POISSON_AT], inverse = 1.0f / param[TET_VOLUME_AT], open = 1.0f - (nu + nu);
    vec normal[3] = {cross(f.c[1], f.c[2]), cross(f.c[2], f.c[0]), cross(f.c[0], f.c[1])};
    f32 size = root(square(f.c[0]) + square(f.c[1]) + square(f.c[2]));
    i32 live = size > 1e-12f;
    f32 shrink = keep(live, 1.0f / pick(live, size, splat(1.0f)));
    tet_rows(param, c);
    c->value[0] = size;
    c->value[1] = dot(f.c[0], normal[0]) - (1.0f + open);
    for (int m = 0; m < 3; m++)
        c->h[0][m] = times(shrink, f.c[m]), c->h[1][m] = normal[m];
    f32 shear = (2.0f + (nu + nu)) * inverse;
    c->soft[HALF_AT(0, 0)] = shear;
    c->soft[HALF_AT(1, 0)] = splat(0.0f);
    c->soft[HALF_AT(1, 1)] = open * shear;
    f32 trace = splat(0.0f);
    for (int k = 0; k < 4; k++)
        trace = trace + p[k].w * (c->b[k][0] * c->b[k][0] + c->b[k][1] * c->b[k][1] + c->b[k][2] * c->b[k][2]);
    c->least_a = NEO_HOOKEAN_BOUND * trace / shear;
}

PL_FN void neo_hookean_rest(const point *p, f32 *param) { tet_rest(p, param); }

PL_FN f32 neo_hookean_energy(const point *p, const f32 *param)
{
    mat3 f = tet_gradient(p, param);
    f32 nu = param[TET_POISSON_AT], mu = 0.5f / (1.0f + nu), lambda = mu / (1.0f - (nu + nu));
    f32 size = square(f.c[0]) + square(f.c[1]) + square(f.c[2]), grown = mat_det(&f) - 1.0f;
    return param[TET_VOLUME_AT] * (0.5f * mu * (size - 3.0f) - mu * grown + 0.5f * lambda * grown * grown);
}
