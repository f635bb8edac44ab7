// orient.h: particles with a rotation of their own: ellipsoids of radii a, b, c. Mueller and Chentanez 2011.
//   inertia    I = m/5 diag(b^2 + c^2, c^2 + a^2, a^2 + b^2) along its own axes
//   moment     A = m/5 R diag(a^2, b^2, c^2) Rrest^T: what it adds to a cluster's A (match.h), so that a line, a sheet or a single
//              particle leaves no rotation open
//   predict    q' = (1, a) q made of length 1,  a = h/2 omega
//   velocity   what clusters have added, (1, b) = q q'^-1:  omega += 2/h (b + b x a + a (a . b))/(1 - a . b): rotations composed exactly,
//              and where nothing was added not a bit is lost
// Without a torque angular momentum I(q) omega stays, not omega: omega is taken half way, at the mean of q0 and q', on both ways. So a
// lone particle tumbles as a body does. Mass cancels out of all of it.
//
// In the air an ellipsoid shows the area pi sqrt(b^2 c^2 n_x^2 + c^2 a^2 n_y^2 + a^2 b^2 n_z^2) to a wind along n, in its own axes. In
// contact: oval.h. Units: m, rad/s.
#pragma once
#include "core/mat3.h"

typedef struct orient_form
{
    float radii[3], drag;
    float rest[4];  // its rotation where clusters have their shape
    float whole;    // 1/the largest radius
    int32_t object; // among the packed objects, for internal damping; -1: none
    float pad[2];
} orient_form;

typedef struct orient_pose
{
    float turn[4]; // x y z w
    float spin[4]; // rad/s
} orient_pose;

// Of the substep: where it began, where it was to go, and how fast.
typedef struct orient_way
{
    float start[4], aim[4], half[4];
} orient_way;

#if LANES == 1 && !defined(LANE_DOUBLE) // one particle at a time

PL_FN turn turn_load(const float *q)
{
    turn r = {vec_of(q[0], q[1], q[2]), q[3]};
    return r;
}

PL_FN void turn_store(float *to, turn q) { to[0] = q.v.x, to[1] = q.v.y, to[2] = q.v.z, to[3] = q.w; }

PL_FN turn turn_times(turn a, turn b)
{
    turn r = {add(add(times(a.w, b.v), times(b.w, a.v)), cross(a.v, b.v)), a.w * b.w - dot(a.v, b.v)};
    return r;
}

PL_FN turn turn_back(turn q)
{
    turn r = {times(-1.0f, q.v), q.w};
    return r;
}

PL_FN turn turn_unit(turn q)
{
    float size = square(q.v) + q.w * q.w, inverse = size > 0.0f ? 1.0f / root(size) : 0.0f;
    turn r = {times(inverse, q.v), size > 0.0f ? inverse * q.w : 1.0f};
    return r;
}

// a + s b, b being taken with the sign that is nearer to a: both signs are the same rotation.
PL_FN turn turn_add(turn a, float s, turn b)
{
    float side = dot(a.v, b.v) + a.w * b.w < 0.0f ? -s : s;
    turn r = {add(a.v, times(side, b.v)), a.w + side * b.w};
    return r;
}

// sum + s (goal - q), the goal with the sign that is nearer to q.
PL_FN turn turn_towards(turn sum, turn q, turn goal, float s)
{
    float side = dot(q.v, goal.v) + q.w * goal.w < 0.0f ? -1.0f : 1.0f;
    turn r = {add(sum.v, times(s, sub(times(side, goal.v), q.v))), sum.w + s * (side * goal.w - q.w)};
    return r;
}

// Its axes. q is of length 1 but for rounding, which would make a spin grow or fade over thousands of substeps: so it is divided out.
PL_FN mat3 turn_axes(turn q)
{
    float s = 2.0f / (square(q.v) + q.w * q.w);
    vec t = times(s, q.v), n = times(q.w, t);
    float xx = q.v.x * t.x, yy = q.v.y * t.y, zz = q.v.z * t.z, xy = q.v.x * t.y, yz = q.v.y * t.z, zx = q.v.z * t.x;
    mat3 m = {{vec_of(1.0f - (yy + zz), xy + n.z, zx - n.y), vec_of(xy - n.z, 1.0f - (zz + xx), yz + n.x),
               vec_of(zx + n.y, yz - n.x, 1.0f - (xx + yy))}};
    return m;
}

// The three numbers times the components of a along the particle's own axes.
PL_FN vec along_axes(const mat3 *r, vec factor, vec a)
{
    vec own = vec_of(factor.x * dot(r->c[0], a), factor.y * dot(r->c[1], a), factor.z * dot(r->c[2], a));
    return mat_times(r, own);
}

PL_FN vec orient_squares(const orient_form *f)
{
    return vec_of(f->radii[0] * f->radii[0], f->radii[1] * f->radii[1], f->radii[2] * f->radii[2]);
}

// 5 I/m and its inverse.
PL_FN vec orient_inertia(const orient_form *f)
{
    vec s = orient_squares(f);
    return vec_of(s.y + s.z, s.z + s.x, s.x + s.y);
}

PL_FN vec orient_share(const orient_form *f)
{
    vec i = orient_inertia(f);
    return vec_of(1.0f / i.x, 1.0f / i.y, 1.0f / i.z);
}

PL_FN turn orient_advance(turn q, vec spin, float h)
{
    turn by = {times(0.5f * h, spin), 1.0f};
    return turn_unit(turn_times(by, q));
}

PL_FN int orient_round(const orient_form *f) { return f->radii[0] == f->radii[1] && f->radii[1] == f->radii[2]; }

// The spin half way through a substep without a torque.
PL_FN vec orient_half_way(const orient_form *f, turn q, vec spin, float h)
{
    if (orient_round(f))
        return spin;
    mat3 r = turn_axes(q);
    vec momentum = along_axes(&r, orient_inertia(f), spin);
    for (int i = 0; i < 4; i++)
    {
        mat3 half = turn_axes(turn_unit(turn_add(q, 1.0f, orient_advance(q, spin, h))));
        spin = along_axes(&half, orient_share(f), momentum);
    }
    return spin;
}

// The spin at the end: q0 at the start, q1 predicted with the spin half way, q at the end.
PL_FN vec orient_spin(const orient_form *f, turn q0, turn q1, turn q, vec half_way, float h)
{
    turn by = turn_times(q, turn_back(q1));
    float w = by.w < 0.0f ? -by.w : by.w, side = by.w < 0.0f ? -1.0f : 1.0f;
    vec a = times(0.5f * h, half_way), b = times(side / (w > 0.1f ? w : 0.1f), by.v); // no more than 168 degrees
    int same = q.v.x == q1.v.x && q.v.y == q1.v.y && q.v.z == q1.v.z && q.w == q1.w;
    float both = dot(a, b), rest = 1.0f - both;
    vec more = times(2.0f / (h * (rest > 0.1f ? rest : 0.1f)), add(add(b, cross(b, a)), times(both, a)));
    vec spin = same ? half_way : add(half_way, more);
    if (orient_round(f))
        return spin;
    mat3 half = turn_axes(turn_unit(turn_add(q0, 1.0f, q))), now = turn_axes(q);
    return along_axes(&now, orient_share(f), along_axes(&half, orient_inertia(f), spin));
}

// The part of its distance to still air that a substep takes away: h c/2 rho A |u|/m, implicit so that wind never throws it back.
PL_FN float orient_drag(const orient_form *f, turn q, vec u, float half_density, float h_over_m)
{
    mat3 r = turn_axes(q);
    vec s = orient_squares(f), n = vec_of(dot(r.c[0], u), dot(r.c[1], u), dot(r.c[2], u));
    float shown = 3.14159265f * root(s.y * s.z * n.x * n.x + s.z * s.x * n.y * n.y + s.x * s.y * n.z * n.z); // A |u|
    float k = h_over_m * half_density * f->drag * shown;
    return k / (1.0f + k);
}

// How far it reaches to a plane with normal n; `radius` is that of the particle, the largest of the three.
PL_FN float orient_support(const orient_form *f, turn q, vec n, float radius)
{
    mat3 r = turn_axes(q);
    vec s = orient_squares(f), c = vec_of(dot(r.c[0], n), dot(r.c[1], n), dot(r.c[2], n));
    return radius * f->whole * root(s.x * c.x * c.x + s.y * c.y * c.y + s.z * c.z * c.z);
}

// m/5 R diag(a^2, b^2, c^2) Rrest^T, by columns.
PL_FN mat3 orient_moment(const orient_form *f, turn q, float mass)
{
    mat3 r = turn_axes(q), rest = turn_axes(turn_load(f->rest)), m;
    vec s = times(0.2f * mass, orient_squares(f));
    r.c[0] = times(s.x, r.c[0]), r.c[1] = times(s.y, r.c[1]), r.c[2] = times(s.z, r.c[2]);
    for (int j = 0; j < 3; j++)
    {
        vec to = j == 0   ? vec_of(rest.c[0].x, rest.c[1].x, rest.c[2].x)
                 : j == 1 ? vec_of(rest.c[0].y, rest.c[1].y, rest.c[2].y)
                          : vec_of(rest.c[0].z, rest.c[1].z, rest.c[2].z);
        m.c[j] = mat_times(&r, to);
    }
    return m;
}

#endif
