// shape_match.h: shape matching: pulls a cluster of particles towards its rest shape in the best-fitting position and
// rotation.
//   c = sum m x/M,  A = sum m (x - c) q^T,  R: the rotation nearest to A;   goal = c + T q,   x += alpha (goal - x)
//   rigid T = R;  linear T = beta L + (1 - beta) R, L = A Aqq^-1 scaled to volume 1;  quadratic: the same, 3 x 9
//           matrices
// q: the rest position relative to its centre, so that sum m q = 0 and A needs no second pass. Mueller, Heidelberger,
// Teschner, Gross 2005. Where the points do not determine the rotation (a line, a point) it stays as it was: a small
// multiple of the last rotation is added to A.
//
// Plastic flow changes the shape by a matrix P of volume 1: q becomes P q (the same paper, 4.4).
//
// In each substep the particles of a rotating body move straight on, and shape matching pulls them back to their
// circle. This pull, about the positions at the substep's start, removes the fraction (h omega)^2/2 of the angular
// momentum. The loss is summed, sum m r0 x dx, and returned to the velocities as omega = I^-1 lost/h, so that a body
// made of particles keeps its spin. BDF2: with v = (3/2 x - 2 x0 + 1/2 x1)/h the momentum at the end is sum m y x x/h,
// y = 2 x0 - 1/2 x1; a push dx removes sum m y x dx, and the prediction differs from 4/3 L0 - 1/3 L1 by 4/9 sum m (x0 -
// x1) x (v0 - v1). Both are returned. So is the momentum sum m dx, which only the rounding of the goals makes.
//
// Positions are summed relative to the last centre: with sums of the size of the body float32 would lose the push of a
// substep, always to the same side. Sums have a fixed order: chunks of 256 members, in each 32 running sums (member j
// goes to sum j mod 32) joined as a tree, so that one GPU block takes one chunk, then the chunks one after the other.
// The contributions of members with a rotation of their own are summed separately.
#pragma once
#include "core/mat3.h"

enum
{
    MATCH_CHUNK = 256,
    MATCH_SUMS = 32,
    MATCH_TERMS = 30,  // m r (3), m r q^T by columns (9); quadratic: m r (qx^2 qy^2 qz^2 qx qy  qy qz  qz qx) (18)
    MATCH_LINEAR = 12, // the number of these without the quadratic ones
    MATCH_LOST = 8,    // lost angular momentum (3), 0, lost momentum (3), 0
};

// Which clusters move their particles: stage.kind. How far soft clusters move in a substep depends on how often they
// are solved.
enum match_which
{
    MATCH_ALL,
    MATCH_RIGID_ONLY, // only rigid clusters, which share no particle
};

// The material of a cluster, and its constants.
typedef struct match_body
{
    int32_t fully_rigid; // rigid with stiffness 1
    int32_t match,
        spins; // firm, and shares no particle or is oriented: the spin that it loses is returned
    float alpha, beta;
    float yield, creep, limit, hardening;
    float mass, inverse_mass; // sums over the members' shares
    float shape[9];           // Aqq^-1
    float mean[3];            // sum m q/M: float32 leaves a small error
    float squares[6];         // the means of qx^2 qy^2 qz^2 qx qy  qy qz  qz qx
    float inertia[6];         // at rest: sum m (|q|^2 1 - q q^T): xx yy zz xy xz yz
    int32_t quadratic;        // offset of its 9 x 9 inverse, in floats
} match_body;

typedef struct match_pose
{
    float rotation[4]; // x y z w
    float plastic[9];  // P by columns
    float centre[3];
    float map[27];            // T by columns
    float spin[3], push[3];   // angular velocity and velocity to be returned
    float last[3], before[3]; // the centre at the end of the last substep, and of the one before
    float remainder[3];       // the part of the centre that float32 cannot represent
    float pad[2];
} match_pose;

#define MATCH_DEEP 1e30f    // m: depth of a particle in a cluster without a known surface
#define MATCH_SHALLOW 1e-6f // m: least depth of a particle of a body; a loose particle has depth 0

typedef struct match_sum
{
    float s[MATCH_TERMS];
} match_sum;

// ---- one member, in lanes ------------------------------------------------------------------------------------------

// The contribution of a member to the first sums: m (r - T q), and m r times each coordinate of its rest position q. r:
// relative to the origin of the sums; T: from the last solve. A member that has not moved contributes 0, so the
// displacement of the centre, which is momentum, is a sum of small numbers.
PL_FN void match_moments(f32 mass, vec r, const mat3 *map, vec q, vec *out)
{
    vec p = times(mass, r);
    out[0] = times(mass, sub(r, mat_times(map, q)));
    out[1] = times(q.x, p), out[2] = times(q.y, p), out[3] = times(q.z, p);
}

// The displacement of a member, at x + d, towards its goal, c + image, and the angular momentum that this takes from
// the body, times the substep: m arm x d. In this order large numbers cancel without rounding. The remainder of the
// centre is added last: the same error in all members would be momentum.
PL_FN vec match_way(f32 alpha, vec centre, vec remainder, vec image, vec x, vec d)
{
    return times(alpha, add(sub(add(sub(centre, x), image), d), remainder));
}
PL_FN point match_step(point d, vec way)
{
    point to = {d.x + way.x, d.y + way.y, d.z + way.z, d.w};
    return to;
}
PL_FN vec match_taken(f32 mass, vec arm, vec d) { return times(mass, cross(arm, d)); }

// The outward direction of its body, rotated with it, and its depth: the content of SLOT_NORMAL.
PL_FN point match_faced(const mat3 *rotation, point field)
{
    vec n = mat_times(rotation, at(field));
    point p = {n.x, n.y, n.z, field.w};
    return p;
}

#if LANES == 1 && !defined(LANE_DOUBLE) // one cluster at a time

// The quadratic terms of a position, minus their means, so that these sum to 0 too.
PL_FN void match_squares(const match_body *b, vec q, float *out)
{
    out[0] = q.x * q.x - b->squares[0], out[1] = q.y * q.y - b->squares[1], out[2] = q.z * q.z - b->squares[2];
    out[3] = q.x * q.y - b->squares[3], out[4] = q.y * q.z - b->squares[4], out[5] = q.z * q.x - b->squares[5];
}

PL_FN mat3 mat_load(const float *m)
{
    mat3 r = {{vec_of(m[0], m[1], m[2]), vec_of(m[3], m[4], m[5]), vec_of(m[6], m[7], m[8])}};
    return r;
}

// Computes the contribution of one member. map: T of the last solve.
PL_FN void match_set(match_sum *m, vec r, const float *map, vec q, float mass, const match_body *b, int terms)
{
    vec part[10];
    float factor[6];
    mat3 was = mat_load(map);
    match_moments(mass, r, &was, q, part);
    if (terms > MATCH_LINEAR)
        match_squares(b, q, factor);
    for (int i = 4; i < terms / 3; i++)
        part[i] = times(factor[i - 4], times(mass, r));
    for (int i = 0; i < terms / 3; i++)
        m->s[3 * i] = part[i].x, m->s[3 * i + 1] = part[i].y, m->s[3 * i + 2] = part[i].z;
}

PL_FN void match_join(match_sum *a, const match_sum *b, int terms)
{
    for (int i = 0; i < terms; i++)
        a->s[i] = a->s[i] + b->s[i];
}

PL_FN void mat_store(float *m, const mat3 *a)
{
    for (int i = 0; i < 3; i++)
        m[3 * i] = a->c[i].x, m[3 * i + 1] = a->c[i].y, m[3 * i + 2] = a->c[i].z;
}

PL_FN mat3 mat_inverse(const mat3 *a)
{
    float det = mat_det(a), inverse = det != 0.0f ? 1.0f / det : 0.0f;
    mat3 rows = {{times(inverse, cross(a->c[1], a->c[2])), times(inverse, cross(a->c[2], a->c[0])),
                  times(inverse, cross(a->c[0], a->c[1]))}};
    return mat_transpose(&rows);
}

PL_FN mat3 mat_mix(float s, const mat3 *a, float t, const mat3 *b)
{
    mat3 r;
    for (int i = 0; i < 3; i++)
        r.c[i] = add(times(s, a->c[i]), times(t, b->c[i]));
    return r;
}

PL_FN float mat_size(const mat3 *a) { return root(square(a->c[0]) + square(a->c[1]) + square(a->c[2])); }

// The cube root of a number above 0, by Newton's iteration from above.
PL_FN float cube_root(float a)
{
    float x = a > 1.0f ? a : 1.0f;
    for (int i = 0; i < 60; i++)
    {
        float next = x - (x - a / (x * x)) * (1.0f / 3.0f);
        if (!(next < x))
            return x;
        x = next;
    }
    return x;
}

// Scales a to volume 1, by a factor of at most 1.25 and at least 0.8: a flat or inverted matrix must not grow at once.
PL_FN mat3 mat_of_volume_one(mat3 a)
{
    float det = mat_det(&a), s = 1.25f;
    if (det > 0.512f)
        s = det < 1.953125f ? 1.0f / cube_root(det) : 0.8f;
    mat3 r = {{times(s, a.c[0]), times(s, a.c[1]), times(s, a.c[2])}};
    return r;
}

// Computes the quadratic fit and its linear part with the 9 x 9 inverse (symmetric, row by row).
PL_FN void match_quadratic(const match_sum *m, const float *inverse, float *map)
{
    for (int j = 0; j < 9; j++)
    {
        vec sum = vec_of(0.0f, 0.0f, 0.0f);
        for (int k = 0; k < 9; k++)
            sum = add(sum, times(inverse[9 * k + j], vec_of(m->s[3 + 3 * k], m->s[4 + 3 * k], m->s[5 + 3 * k])));
        map[3 * j] = sum.x, map[3 * j + 1] = sum.y, map[3 * j + 2] = sum.z;
    }
}

// Solves for the cluster's position and map: m holds the sums over all members, relative to `origin`.
PL_FN void match_solve(const match_body *b, match_sum *m, const float *inverse, vec origin, match_pose *pose)
{
    mat3 a = mat_load(m->s + 3), p = mat_load(pose->plastic), pt = mat_transpose(&p), ap = mat_mul(&a, &pt);
    quat last = {vec_of(pose->rotation[0], pose->rotation[1], pose->rotation[2]), pose->rotation[3]};
    quat q = quat_nearest_from(last, &ap);
    mat3 r = mat_of_quat(q), map = mat_mul(&r, &p);
    mat3 was = mat_load(pose->map);
    vec c = times(b->inverse_mass, vec_of(m->s[0], m->s[1], m->s[2]));
    for (int i = 9; i < 27; i++)
        pose->map[i] = 0.0f;
    if (b->match > 0)
    {
        mat3 shape = mat_load(b->shape), linear_fit = mat_mul(&a, &shape);
        if (b->match > 1)
        {
            match_quadratic(m, inverse, pose->map);
            linear_fit = mat_load(pose->map);
            for (int i = 9; i < 27; i++)
                pose->map[i] = b->beta * pose->map[i];
        }
        linear_fit = mat_of_volume_one(linear_fit);
        map = mat_mix(b->beta, &linear_fit, 1.0f - b->beta, &map);
    }
    mat_store(pose->map, &map);
    vec mean = vec_of(b->mean[0], b->mean[1], b->mean[2]);
    vec way = add(c, sub(mat_times(&was, mean), mat_times(&map, mean)));
    c = add(origin, way);
    vec lost = sub(way, sub(c, origin));
    pose->centre[0] = c.x, pose->centre[1] = c.y, pose->centre[2] = c.z;
    pose->remainder[0] = lost.x, pose->remainder[1] = lost.y, pose->remainder[2] = lost.z;
    pose->rotation[0] = q.v.x, pose->rotation[1] = q.v.y, pose->rotation[2] = q.v.z, pose->rotation[3] = q.w;
}

PL_FN vec match_to_goal(const match_body *b, const match_pose *pose, vec q, vec x, vec d)
{
    mat3 map = mat_load(pose->map);
    vec image = mat_times(&map, q);
    if (b->match > 1)
    {
        float more[6];
        match_squares(b, q, more);
        for (int i = 0; i < 6; i++)
            image =
                add(image, times(more[i], vec_of(pose->map[9 + 3 * i], pose->map[10 + 3 * i], pose->map[11 + 3 * i])));
    }
    return match_way(b->alpha, vec_of(pose->centre[0], pose->centre[1], pose->centre[2]),
                     vec_of(pose->remainder[0], pose->remainder[1], pose->remainder[2]), image, x, d);
}

PL_FN point match_way_out(const match_pose *pose, point field)
{
    quat q = {vec_of(pose->rotation[0], pose->rotation[1], pose->rotation[2]), pose->rotation[3]};
    mat3 r = mat_of_quat(q);
    return match_faced(&r, field);
}

// Returns the angular velocity that restores the lost angular momentum: I = R I0 R^T.
PL_FN vec match_spin(const match_body *b, const match_pose *pose, vec lost)
{
    quat q = {vec_of(pose->rotation[0], pose->rotation[1], pose->rotation[2]), pose->rotation[3]};
    mat3 r = mat_of_quat(q);
    vec own = vec_of(dot(r.c[0], lost), dot(r.c[1], lost), dot(r.c[2], lost));
    const float *i = b->inertia;
    float bit = 1e-6f * (i[0] + i[1] + i[2]); // a straight rod has no inertia about its own axis
    vec r0 = vec_of(i[0] + bit, i[3], i[4]), r1 = vec_of(i[3], i[1] + bit, i[5]), r2 = vec_of(i[4], i[5], i[2] + bit);
    vec c0 = cross(r1, r2), c1 = cross(r2, r0), c2 = cross(r0, r1);
    float det = dot(r0, c0), inverse = det > 0.0f ? 1.0f / det : 0.0f;
    vec w = times(inverse, add(times(own.x, c0), add(times(own.y, c1), times(own.z, c2))));
    return mat_times(&r, w);
}

// Moves strain above the yield into the rest shape. m: the sums after the substep.
PL_FN void match_yield(const match_body *b, const match_sum *m, float h, match_pose *pose)
{
    quat q = {vec_of(pose->rotation[0], pose->rotation[1], pose->rotation[2]), pose->rotation[3]};
    mat3 r = mat_of_quat(q), rt = mat_transpose(&r), a = mat_load(m->s + 3), shape = mat_load(b->shape);
    mat3 p = mat_load(pose->plastic), inverse = mat_inverse(&p), unit = mat_unit();
    mat3 linear_fit = mat_mul(&a, &shape), elastic = mat_mul(&linear_fit, &inverse), strain = mat_mul(&rt, &elastic);
    mat3 flown = mat_mix(1.0f, &p, -1.0f, &unit);
    strain = mat_mix(1.0f, &strain, -1.0f, &unit);
    float size = mat_size(&strain), yield = b->yield * (1.0f + b->hardening * mat_size(&flown));
    if (!(size > yield))
        return;
    float share = b->creep * h < 1.0f ? b->creep * h : 1.0f;
    mat3 push = mat_mix(1.0f, &unit, share * (size - yield) / size, &strain);
    p = mat_of_volume_one(mat_mul(&push, &p));
    flown = mat_mix(1.0f, &p, -1.0f, &unit);
    size = mat_size(&flown);
    if (b->limit > 0.0f && size > b->limit)
        p = mat_mix(1.0f, &unit, b->limit / size, &flown);
    mat_store(pose->plastic, &p);
}

#endif
