// fem.h: shared parts of the finite elements: deformation gradients, strains, and compliance matrices of materials.
//   tetrahedron a b c d     F = [b-a c-a d-a] B          param: B row by row (9), volume [m^3], Poisson's ratio
//   triangle a b c          F = [b-a c-a] B  (3 x 2)     param: B row by row (4), volume [m^3] (area times thickness),
//                           Poisson's ratio, weft (Ev/Eu), shear (G/Eu): u is the warp, B's first column
// B maps the rest edges, in material coordinates, to the unit axes. dF/dx_a is B's row for the point a (vector_row.h).
// Strains have the order 00 11 22 12 02 01 (triangles 00 11 01), shears doubled.
// XPBD with finite elements: Bender, Koschier, Charrier, Weber 2014; Macklin, Mueller, Chentanez 2016.
#pragma once
#include "elements/vector_row.h"
#include "core/mat3.h"

enum fem_param
{
    TET_VOLUME_AT = 9,
    TET_POISSON_AT = 10,
    TET_PARAMS = 11,
    TRI_VOLUME_AT = 4,
    TRI_POISSON_AT = 5,
    TRI_WEFT_AT = 6,
    TRI_SHEAR_AT = 7,
    TRI_PARAMS = 8,
};

#define FEM_POISSON 0.3f     // the default
#define FEM_THICKNESS 0.001f // m, the default

// ---- tetrahedra ----------------------------------------------------------------------------------------------------

PL_FN mat3 tet_gradient(const point *p, const f32 *param)
{
    vec a = at(p[0]), b = sub(at(p[1]), a), c = sub(at(p[2]), a), d = sub(at(p[3]), a);
    mat3 f;
    for (int i = 0; i < 3; i++)
        f.c[i] = add(add(times(param[i], b), times(param[3 + i], c)), times(param[6 + i], d));
    return f;
}

// Computes dF/dx: the dependence of the columns of F on the points.
PL_FN void tet_rows(const f32 *param, vector_row *c)
{
    for (int i = 0; i < 3; i++)
    {
        c->b[1][i] = param[i], c->b[2][i] = param[3 + i], c->b[3][i] = param[6 + i];
        c->b[0][i] = -(param[i] + param[3 + i] + param[6 + i]);
    }
}

PL_FN void tet_rest(const point *p, f32 *param)
{
    vec a = at(p[0]), b = sub(at(p[1]), a), c = sub(at(p[2]), a), d = sub(at(p[3]), a);
    f32 det = dot(b, cross(c, d)), inverse = 1.0f / det;
    vec row[3] = {times(inverse, cross(c, d)), times(inverse, cross(d, b)), times(inverse, cross(b, c))};
    for (int k = 0; k < 3; k++)
        param[3 * k] = row[k].x, param[3 * k + 1] = row[k].y, param[3 * k + 2] = row[k].z;
    param[TET_VOLUME_AT] = det * (1.0f / 6.0f);
    param[TET_POISSON_AT] = splat(FEM_POISSON);
}

// Gradients of the strains (q_i . F_j + q_j . F_i)/2, shears doubled, where q does not depend on F (or is F itself).
PL_FN void tet_strains(const f32 *param, const vec *q, vector_row *c)
{
    tet_rows(param, c);
    for (int i = 0; i < 3; i++)
        c->h[i][i] = q[i];
    c->h[3][1] = q[2], c->h[3][2] = q[1];
    c->h[4][0] = q[2], c->h[4][2] = q[0];
    c->h[5][0] = q[1], c->h[5][1] = q[0];
}

// The inverse of Hooke's law, for a Young's modulus of 1.
PL_FN void tet_hooke(const f32 *param, vector_row *c)
{
    f32 inverse = 1.0f / param[TET_VOLUME_AT], nu = param[TET_POISSON_AT];
    soft_zero(c, 6);
    for (int i = 0; i < 3; i++)
    {
        c->soft[HALF_AT(i, i)] = inverse;
        c->soft[HALF_AT(3 + i, 3 + i)] = (2.0f + (nu + nu)) * inverse;
    }
    c->soft[HALF_AT(1, 0)] = c->soft[HALF_AT(2, 0)] = c->soft[HALF_AT(2, 1)] = -(nu * inverse);
}

// The energy of Hooke's law: e holds the six strains.
PL_FN f32 tet_hooke_energy(const f32 *param, const f32 *e)
{
    f32 nu = param[TET_POISSON_AT], mu = 0.5f / (1.0f + nu), lambda = (mu + mu) * nu / (1.0f - (nu + nu));
    f32 trace = e[0] + e[1] + e[2], straight = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
    f32 sheared = e[3] * e[3] + e[4] * e[4] + e[5] * e[5];
    return param[TET_VOLUME_AT] * (0.5f * lambda * trace * trace + mu * straight + 0.5f * mu * sheared);
}

// ---- triangles -----------------------------------------------------------------------------------------------------

PL_FN void tri_gradient(const point *p, const f32 *param, vec *f)
{
    vec a = at(p[0]), b = sub(at(p[1]), a), c = sub(at(p[2]), a);
    for (int i = 0; i < 2; i++)
        f[i] = add(times(param[i], b), times(param[2 + i], c));
}

PL_FN void tri_rows(const f32 *param, vector_row *c)
{
    for (int i = 0; i < 2; i++)
    {
        c->b[1][i] = param[i], c->b[2][i] = param[2 + i];
        c->b[0][i] = -(param[i] + param[2 + i]);
    }
}

// The warp runs along the edge a b.
PL_FN void tri_rest(const point *p, f32 *param)
{
    vec a = at(p[0]), b = sub(at(p[1]), a), c = sub(at(p[2]), a);
    f32 along = length(b), across = length(cross(b, c)) / along, skew = dot(b, c) / along;
    param[0] = 1.0f / along; // the inverse of ((along, skew), (0, across))
    param[1] = -(skew / (along * across));
    param[2] = splat(0.0f);
    param[3] = 1.0f / across;
    param[TRI_VOLUME_AT] = 0.5f * along * across * FEM_THICKNESS;
    param[TRI_POISSON_AT] = splat(FEM_POISSON);
    param[TRI_WEFT_AT] = splat(1.0f);
    param[TRI_SHEAR_AT] = splat(0.5f / (1.0f + FEM_POISSON));
}

// The inverse of orthotropic plane stress, for a warp of modulus 1.
PL_FN void tri_hooke(const f32 *param, f32 poisson, vector_row *c)
{
    f32 inverse = 1.0f / param[TRI_VOLUME_AT];
    soft_zero(c, 3);
    c->soft[HALF_AT(0, 0)] = inverse;
    c->soft[HALF_AT(1, 0)] = -(poisson * inverse);
    c->soft[HALF_AT(1, 1)] = inverse / param[TRI_WEFT_AT];
    c->soft[HALF_AT(2, 2)] = inverse / param[TRI_SHEAR_AT];
}

PL_FN f32 tri_hooke_energy(const f32 *param, f32 poisson, const f32 *e)
{
    f32 soft = 1.0f / param[TRI_WEFT_AT], det = soft - poisson * poisson;
    f32 straight = (soft * e[0] * e[0] + (poisson + poisson) * e[0] * e[1] + e[1] * e[1]) / det;
    return 0.5f * param[TRI_VOLUME_AT] * (straight + param[TRI_SHEAR_AT] * e[2] * e[2]);
}
