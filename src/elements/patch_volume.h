// patch_volume.h: keeps the volume of a patch: several tetrahedra that share up to eight particles.
//   index: eight particles      param: b_1 to b_7 [1/m], volume V at rest [m^3]      compliance: 1/Pa
//   F = sum_k x_k b_k^T: the mean deformation gradient of the patch,  b_0 = -(b_1 + ... + b_7)
//   C = sqrt(V) (det F - 1),   grad_k = sqrt(V) cof(F) b_k
// b_k is the mean gradient of the shape function of particle k; 0 for a particle that only fills up the eight. The
// energy is V/2 (det F - 1)^2/compliance: the tetrahedra of the patch have a Poisson's ratio of at most 0.3, and the
// patch adds the rest of Lame's lambda (pl_divide_elastic). Linear tetrahedra that keep their volumes one by one are
// several times too stiff near a Poisson's ratio of 0.5 (locking): F-bar patches, de Souza Neto, Andrade Pires, Owen
// 2005.
#pragma once
#include "core/mat3.h"
#include "elements/row.h"

enum
{
    PATCH_POINTS = 8,
    PATCH_VOLUME_AT = 3 * (PATCH_POINTS - 1),
    PATCH_PARAMS,
};

PL_FN void patch_volume_eval(const point *p, const f32 *param, f32 ahead, row *r)
{
    (void)ahead;
    const vec none = vec_of(splat(0.0f), splat(0.0f), splat(0.0f)), a = at(p[0]);
    vec f[3] = {none, none, none}, sum = none;
    UNROLL
    for (int k = 1; k < PATCH_POINTS; k++)
    {
        vec e = sub(at(p[k]), a);
        for (int m = 0; m < 3; m++)
            f[m] = add(f[m], times(param[3 * (k - 1) + m], e));
    }
    f32 size = root(param[PATCH_VOLUME_AT]);
    vec n[3] = {cross(f[1], f[2]), cross(f[2], f[0]), cross(f[0], f[1])};
    r->value = size * (dot(f[0], n[0]) - 1.0f);
    r->norm = splat(1.0f);
    for (int m = 0; m < 3; m++)
        n[m] = times(size, n[m]);
    UNROLL
    for (int k = 1; k < PATCH_POINTS; k++)
    {
        const f32 *b = param + 3 * (k - 1);
        r->g[k] = add(add(times(b[0], n[0]), times(b[1], n[1])), times(b[2], n[2]));
        sum = add(sum, r->g[k]);
    }
    r->g[0] = times(splat(-1.0f), sum);
    r->weight = weigh(p, r->g, PATCH_POINTS);
}

// The parameters of a hexahedron whose corners are numbered by bits: 1 for x, 2 for y, 4 for z. F is that of its
// centre.
PL_FN void patch_volume_rest(const point *p, f32 *param)
{
    const vec none = vec_of(splat(0.0f), splat(0.0f), splat(0.0f)), a = at(p[0]);
    vec e[3] = {none, none, none};
    for (int k = 1; k < PATCH_POINTS; k++)
        for (int m = 0; m < 3; m++)
            e[m] = add(e[m], times(splat(k >> m & 1 ? 0.25f : -0.25f), sub(at(p[k]), a)));
    f32 det = dot(e[0], cross(e[1], e[2])), inverse = 0.25f / det;
    vec row[3] = {times(inverse, cross(e[1], e[2])), times(inverse, cross(e[2], e[0])),
                  times(inverse, cross(e[0], e[1]))};
    for (int k = 1; k < PATCH_POINTS; k++)
    {
        vec b = k & 1 ? row[0] : times(splat(-1.0f), row[0]);
        b = k & 2 ? add(b, row[1]) : sub(b, row[1]);
        b = k & 4 ? add(b, row[2]) : sub(b, row[2]);
        param[3 * (k - 1)] = b.x, param[3 * (k - 1) + 1] = b.y, param[3 * (k - 1) + 2] = b.z;
    }
    param[PATCH_VOLUME_AT] = det;
}
