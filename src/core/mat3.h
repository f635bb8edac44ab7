// mat3.h: 3 x 3 matrices of lanes, stored as columns, and the rotation nearest to a matrix.
#pragma once
#include "core/vec.h"

typedef struct mat3
{
    vec c[3];
} mat3;

PL_FN vec mat_times(const mat3 *m, vec a)
{
    return add(add(times(a.x, m->c[0]), times(a.y, m->c[1])), times(a.z, m->c[2]));
}

PL_FN mat3 mat_mul(const mat3 *a, const mat3 *b)
{
    mat3 r = {{mat_times(a, b->c[0]), mat_times(a, b->c[1]), mat_times(a, b->c[2])}};
    return r;
}

PL_FN mat3 mat_transpose(const mat3 *a)
{
    mat3 r = {{vec_of(a->c[0].x, a->c[1].x, a->c[2].x), vec_of(a->c[0].y, a->c[1].y, a->c[2].y),
               vec_of(a->c[0].z, a->c[1].z, a->c[2].z)}};
    return r;
}

PL_FN mat3 mat_unit(void)
{
    const f32 none = splat(0.0f), one = splat(1.0f);
    mat3 r = {{vec_of(one, none, none), vec_of(none, one, none), vec_of(none, none, one)}};
    return r;
}

PL_FN f32 mat_det(const mat3 *m) { return dot(m->c[0], cross(m->c[1], m->c[2])); }

// A rotation as a quaternion: x y z, and w.
typedef struct quat
{
    vec v;
    f32 w;
} quat;

PL_FN mat3 mat_of_quat(quat q)
{
    f32 x2 = q.v.x + q.v.x, y2 = q.v.y + q.v.y, z2 = q.v.z + q.v.z;
    f32 xx = q.v.x * x2, yy = q.v.y * y2, zz = q.v.z * z2, xy = q.v.x * y2, yz = q.v.y * z2, zx = q.v.z * x2;
    f32 wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    mat3 m = {{vec_of(1.0f - (yy + zz), xy + wz, zx - wy), vec_of(xy - wz, 1.0f - (zz + xx), yz + wx),
               vec_of(zx + wy, yz - wx, 1.0f - (xx + yy))}};
    return m;
}

// ---- the rotation nearest to a matrix ------------------------------------------------------------------------------
//
// R = argmax tr(R^T A) over rotations. This is the rotation of the polar decomposition with det R = 1; it exists for
// flat and inverted matrices too. As a quaternion it is the eigenvector of the largest eigenvalue of a symmetric 4 x 4
// matrix (Davenport 1968; Horn 1987). Cyclic Jacobi rotations find it here: they need no initial guess.

enum
{
    QUAT_SWEEPS = 5,
    QUAT_ROUNDS = 12,
};

typedef struct mat4
{
    f32 m[4][4]; // symmetric: both halves are kept
    f32 v[4][4]; // columns: converge to the eigenvectors
} mat4;

PL_FN void quat_matrix(const mat3 *a, mat4 *n)
{
    const vec x = a->c[0], y = a->c[1], z = a->c[2];
    const f32 none = splat(0.0f), one = splat(1.0f);
    n->m[0][0] = x.x + y.y + z.z;
    n->m[1][1] = x.x - y.y - z.z;
    n->m[2][2] = y.y - x.x - z.z;
    n->m[3][3] = z.z - x.x - y.y;
    n->m[0][1] = n->m[1][0] = y.z - z.y;
    n->m[0][2] = n->m[2][0] = z.x - x.z;
    n->m[0][3] = n->m[3][0] = x.y - y.x;
    n->m[1][2] = n->m[2][1] = x.y + y.x;
    n->m[1][3] = n->m[3][1] = z.x + x.z;
    n->m[2][3] = n->m[3][2] = y.z + z.y;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            n->v[i][j] = i == j ? one : none;
}

// Rotates so that m[p][q] becomes 0.
PL_FN void jacobi_rotation(mat4 *n, int p, int q)
{
    f32 off = n->m[p][q], gap = n->m[q][q] - n->m[p][p];
    i32 done = magnitude(off) <= 1e-30f;
    f32 tau = gap / pick(done, splat(1.0f), off + off);
    f32 steep = 1.0f / (magnitude(tau) + root(1.0f + tau * tau));
    f32 t = pick(done, splat(0.0f), pick(tau < 0.0f, -steep, steep)), c = 1.0f / root(1.0f + t * t), s = t * c;
    for (int k = 0; k < 4; k++)
    {
        f32 a = n->m[k][p], b = n->m[k][q];
        n->m[k][p] = c * a - s * b;
        n->m[k][q] = s * a + c * b;
    }
    for (int k = 0; k < 4; k++)
    {
        f32 a = n->m[p][k], b = n->m[q][k];
        n->m[p][k] = c * a - s * b;
        n->m[q][k] = s * a + c * b;
        a = n->v[k][p], b = n->v[k][q];
        n->v[k][p] = c * a - s * b;
        n->v[k][q] = s * a + c * b;
    }
}

// Returns the eigenvector of the largest eigenvalue, after the Jacobi sweeps.
PL_FN quat quat_of_largest(const mat4 *n)
{
    f32 best = n->m[0][0], w = n->v[0][0], x = n->v[1][0], y = n->v[2][0], z = n->v[3][0];
    for (int k = 1; k < 4; k++)
    {
        i32 more = n->m[k][k] > best;
        best = pick(more, n->m[k][k], best);
        w = pick(more, n->v[0][k], w), x = pick(more, n->v[1][k], x);
        y = pick(more, n->v[2][k], y), z = pick(more, n->v[3][k], z);
    }
    f32 inverse = 1.0f / root(w * w + x * x + y * y + z * z);
    quat r = {vec_of(inverse * x, inverse * y, inverse * z), inverse * w};
    return r;
}

PL_FN quat quat_nearest(const mat3 *a)
{
    mat4 n;
    quat_matrix(a, &n);
    for (int sweep = 0; sweep < QUAT_SWEEPS; sweep++)
        for (int p = 0; p < 3; p++)
            for (int q = p + 1; q < 4; q++)
                jacobi_rotation(&n, p, q);
    return quat_of_largest(&n);
}

// The same for a matrix whose rotation is probably small. The eigenvector is (1, d) with (l - M) d = m, where m is the
// first column of the 4 x 4 matrix below its corner k, M is the 3 x 3 block beside it, and l = k + m . d is the
// eigenvalue. Two or three iterations find it. It is the largest eigenvalue while l - M is positive definite; where
// that fails or nearly fails, the Jacobi sweeps above are used.
PL_FN quat quat_nearest_small(const mat3 *a)
{
    mat4 n;
    quat_matrix(a, &n);
    f32 l = n.m[0][0], size = magnitude(n.m[1][1]) + magnitude(n.m[2][2]) + magnitude(n.m[3][3]) + magnitude(l);
    f32 room = 1e-3f * size;
    vec m = vec_of(n.m[1][0], n.m[2][0], n.m[3][0]), d = m;
    f32 off = magnitude(m.x) + magnitude(m.y) + magnitude(m.z) + magnitude(n.m[1][2]) + magnitude(n.m[1][3]) +
              magnitude(n.m[2][3]);
    // lost: false everywhere at first; found: true at once in rows that pad a colour
    i32 found = size + off == 0.0f, lost = size < 0.0f;
    for (int round = 0; round < QUAT_ROUNDS && !everywhere(found | lost); round++)
    {
        vec x = vec_of(l - n.m[1][1], -n.m[1][2], -n.m[1][3]), y = vec_of(-n.m[1][2], l - n.m[2][2], -n.m[2][3]),
            z = vec_of(-n.m[1][3], -n.m[2][3], l - n.m[3][3]);
        vec yz = cross(y, z), zx = cross(z, x), xy = cross(x, y);
        f32 det = dot(x, yz);
        i32 sound = (x.x > room) & (xy.z > room * size) & (det > room * size * size), open = (found | lost) == 0;
        lost = lost | (open & (sound == 0));
        open = open & sound;
        f32 inverse = 1.0f / pick(open, det, splat(1.0f));
        d = pick_vec(open, times(inverse, vec_of(dot(yz, m), dot(zx, m), dot(xy, m))), d);
        f32 next = n.m[0][0] + dot(m, d);
        found = found | (open & (magnitude(next - l) <= 1e-7f * size));
        l = pick(open, next, l);
    }
    f32 shrink = 1.0f / root(1.0f + square(d));
    quat r = {times(shrink, d), shrink};
    if (everywhere(found))
        return r;
    quat sure = quat_nearest(a);
    quat either = {pick_vec(found, r.v, sure.v), pick(found, r.w, sure.w)};
    return either;
}

// Finds the rotation nearest to a, starting from the last one. A small multiple of the last rotation is added to a, so
// that a direction that a flat or straight cluster leaves open keeps its rotation.
PL_FN quat quat_nearest_from(quat last, const mat3 *a)
{
    mat3 r = mat_of_quat(last), back = mat_transpose(&r), b = mat_mul(&back, a), unit = mat_unit();
    f32 trace = 1e-6f * root(square(a->c[0]) + square(a->c[1]) + square(a->c[2])) + 1e-30f;
    for (int i = 0; i < 3; i++)
        b.c[i] = add(b.c[i], times(trace, unit.c[i]));
    quat by = quat_nearest_small(&b);
    quat q = {add(add(times(last.w, by.v), times(by.w, last.v)), cross(last.v, by.v)),
              last.w * by.w - dot(last.v, by.v)};
    f32 inverse = 1.0f / root(square(q.v) + q.w * q.w);
    q.v = times(inverse, q.v), q.w = inverse * q.w;
    return q;
}

// Approximates the rotation nearest to a by Gram-Schmidt on its columns. The returned mask is true where the result is
// reliable.
PL_FN i32 mat_upright(const mat3 *a, mat3 *r)
{
    f32 first = square(a->c[0]), second = square(a->c[1]);
    i32 some = (first > 1e-30f) & (first < 1e30f);
    r->c[0] = times(1.0f / root(pick(some, first, splat(1.0f))), a->c[0]);
    vec rest = sub(a->c[1], times(dot(a->c[1], r->c[0]), r->c[0]));
    f32 left = square(rest);
    i32 sound = some & (left > 0.1f * second) & (left > 1e-30f);
    r->c[1] = times(1.0f / root(pick(sound, left, splat(1.0f))), rest);
    r->c[2] = cross(r->c[0], r->c[1]);
    return sound;
}

// Returns the rotation nearest to a, as a matrix.
PL_FN mat3 mat_nearest(const mat3 *a)
{
#if defined(LANE_DOUBLE)
    return mat_of_quat(quat_nearest(a));
#else
    mat3 guess, unit = mat_unit(), r;
    i32 sound = mat_upright(a, &guess);
    for (int i = 0; i < 3; i++)
        guess.c[i] = pick_vec(sound, guess.c[i], unit.c[i]);
    mat3 back = mat_transpose(&guess), left = mat_mul(&back, a), by = mat_of_quat(quat_nearest_small(&left));
    r = mat_mul(&guess, &by);
    return r;
#endif
}
