// oriented.h: oriented particles: ellipsoids of radii a, b, c with a frame of their own (elements/frame_rotation.h).
// Mueller and Chentanez 2011.
//   inertia    I = m/5 diag(b^2 + c^2, c^2 + a^2, a^2 + b^2) along its own axes
//   moment     A = m/5 R diag(a^2, b^2, c^2) Rrest^T: its contribution to a cluster's A (shape_match.h), so that the
//              rotation of a line, a sheet or a single particle is determined too
// In the air an ellipsoid has the cross section pi sqrt(b^2 c^2 n_x^2 + c^2 a^2 n_y^2 + a^2 b^2 n_z^2) to a wind along
// n, in its own axes. Contacts: ellipsoid_contact.h. Units: m, rad/s.
#pragma once
#include "elements/frame_rotation.h"

typedef struct orient_form
{
    float radii[3], drag;
    float rest[4];  // its rotation in the rest shape of its clusters
    float whole;    // 1/the largest radius
    int32_t object; // index into the packed objects, for internal damping; -1: none
    float pad[2];
} orient_form;

enum
{
    FORM_SIZE = sizeof(orient_form) / sizeof(float),
};

#if LANES == 1 && !defined(LANE_DOUBLE) // one particle at a time

// sum + s (goal - q), with the sign of the goal that is nearer to q.
PL_FN quat quat_towards(quat sum, quat q, quat goal, float s)
{
    float side = dot(q.v, goal.v) + q.w * goal.w < 0.0f ? -1.0f : 1.0f;
    quat r = {add(sum.v, times(s, sub(times(side, goal.v), q.v))), sum.w + s * (side * goal.w - q.w)};
    return r;
}

PL_FN vec orient_squares(const orient_form *f)
{
    return vec_of(f->radii[0] * f->radii[0], f->radii[1] * f->radii[1], f->radii[2] * f->radii[2]);
}

// 5 I/m.
PL_FN vec orient_inertia(const orient_form *f)
{
    vec s = orient_squares(f);
    return vec_of(s.y + s.z, s.z + s.x, s.x + s.y);
}

// The inertia of its frame.
PL_FN frame_inertia orient_frame(const orient_form *f)
{
    vec i = orient_inertia(f);
    float round = f->radii[0] == f->radii[1] && f->radii[1] == f->radii[2] ? 1.0f : 0.0f;
    frame_inertia r = {{i.x, i.y, i.z, round}, {1.0f / i.x, 1.0f / i.y, 1.0f / i.z, 0.0f}};
    return r;
}

// Returns the fraction of the velocity relative to the air that a substep removes: h c/2 rho A |u|/m, implicit, so that
// wind never reverses the motion.
PL_FN float orient_drag(const orient_form *f, quat q, vec u, float half_density, float h_over_m)
{
    mat3 r = quat_axes(q);
    vec s = orient_squares(f), n = vec_of(dot(r.c[0], u), dot(r.c[1], u), dot(r.c[2], u));
    float area_speed =
        3.14159265f * root(s.y * s.z * n.x * n.x + s.z * s.x * n.y * n.y + s.x * s.y * n.z * n.z); // A |u|
    float k = h_over_m * half_density * f->drag * area_speed;
    return k / (1.0f + k);
}

// The extent of the ellipsoid along n; `radius` is that of the particle, the largest of the three.
PL_FN float orient_support(const orient_form *f, quat q, vec n, float radius)
{
    mat3 r = quat_axes(q);
    vec s = orient_squares(f), c = vec_of(dot(r.c[0], n), dot(r.c[1], n), dot(r.c[2], n));
    return radius * f->whole * root(s.x * c.x * c.x + s.y * c.y * c.y + s.z * c.z * c.z);
}

// m/5 R diag(a^2, b^2, c^2) Rrest^T, by columns.
PL_FN mat3 orient_moment(const orient_form *f, quat q, float mass)
{
    mat3 r = quat_axes(q), rest = quat_axes(quat_load(f->rest)), m;
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
