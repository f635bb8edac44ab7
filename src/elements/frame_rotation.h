// frame_rotation.h: computes the rotation of body frames. In this folder a frame is always a body frame, never a time
// step: what a slot may have beside its position, namely an orientation, a spin and an inertia. Oriented particles have
// one.
//
// For a frame with inertia I along its own axes, orientation q (a unit quaternion, x y z w) and angular velocity omega:
//   predict    q' = (1, a) q normalized,  a = h/2 omega
//   correct    by a rotation vector dtheta (world axes, small): q' = (1, dtheta/2) q normalized
//   velocity   the rotation added by constraints, (1, b) = q q'^-1:  omega += 2/h (b + b x a + a (a . b))/(1 - a . b):
//              rotations are composed exactly, and if nothing was added, omega keeps every bit
// Without a torque, the angular momentum I(q) omega is constant, not omega. So omega is taken half way, at the mean of
// q0 and q', both when predicting and when updating the velocity, and a free frame tumbles as a rigid body does. Mass
// cancels out everywhere: inertia is stored per mass, times 5. Units: m, rad/s.
#pragma once
#include "core/mat3.h"

typedef struct frame_inertia
{
    float inertia[4]; // 5 I/m along its own axes; the fourth is 1 if the three are equal
    float inverse[4]; // of these three; the fourth is 0
} frame_inertia;

typedef struct orient_pose
{
    float rotation[4]; // x y z w
    float spin[4];     // rad/s
} orient_pose;

// Of the substep: the orientation at its start, the predicted one, and the spin half way.
typedef struct orient_way
{
    float start[4], aim[4], half[4];
} orient_way;

PL_FN quat quat_of_point(point p)
{
    quat q = {at(p), p.w};
    return q;
}

PL_FN point point_of_quat(quat q)
{
    point p = {q.v.x, q.v.y, q.v.z, q.w};
    return p;
}

PL_FN quat quat_identity(void)
{
    quat q = {vec_of(splat(0.0f), splat(0.0f), splat(0.0f)), splat(1.0f)};
    return q;
}

PL_FN quat pick_quat(i32 mask, quat a, quat b)
{
    quat q = {pick_vec(mask, a.v, b.v), pick(mask, a.w, b.w)};
    return q;
}

PL_FN quat quat_times(quat a, quat b)
{
    quat r = {add(add(times(a.w, b.v), times(b.w, a.v)), cross(a.v, b.v)), a.w * b.w - dot(a.v, b.v)};
    return r;
}

PL_FN quat quat_conjugate(quat q)
{
    quat r = {times(splat(-1.0f), q.v), q.w};
    return r;
}

PL_FN quat quat_unit(quat q)
{
    f32 size = square(q.v) + q.w * q.w;
    i32 some = size > 0.0f;
    f32 inverse = keep(some, 1.0f / root(size));
    quat r = {times(inverse, q.v), pick(some, inverse * q.w, splat(1.0f))};
    return r;
}

// Returns a + b, with the sign of b that is nearer to a: both signs are the same rotation.
PL_FN quat quat_add(quat a, quat b)
{
    f32 side = pick(dot(a.v, b.v) + a.w * b.w < 0.0f, splat(-1.0f), splat(1.0f));
    quat r = {add(a.v, times(side, b.v)), a.w + side * b.w};
    return r;
}

// Returns the axes of an orientation. q has length 1 up to rounding, which would make a spin grow or fade over
// thousands of substeps, so its length is divided out.
PL_FN mat3 quat_axes(quat q)
{
    f32 s = 2.0f / (square(q.v) + q.w * q.w);
    vec t = times(s, q.v), n = times(q.w, t);
    f32 xx = q.v.x * t.x, yy = q.v.y * t.y, zz = q.v.z * t.z, xy = q.v.x * t.y, yz = q.v.y * t.z, zx = q.v.z * t.x;
    mat3 m = {{vec_of(1.0f - (yy + zz), xy + n.z, zx - n.y), vec_of(xy - n.z, 1.0f - (zz + xx), yz + n.x),
               vec_of(zx + n.y, yz - n.x, 1.0f - (xx + yy))}};
    return m;
}

// Returns the axes half way between two orientations.
PL_FN mat3 axes_between(quat a, quat b) { return quat_axes(quat_unit(quat_add(a, b))); }

// Multiplies the components of a along the axes by the three factors.
PL_FN vec along_axes(const mat3 *r, vec factor, vec a)
{
    vec own = vec_of(factor.x * dot(r->c[0], a), factor.y * dot(r->c[1], a), factor.z * dot(r->c[2], a));
    return mat_times(r, own);
}

PL_FN quat orient_advance(quat q, vec spin, float h)
{
    quat by = {times(splat(0.5f * h), spin), splat(1.0f)};
    return quat_unit(quat_times(by, q));
}

// Returns the rotation from q0 to q, as the spin counts it: twice the tangent of half the angle.
PL_FN vec rotation_between(quat q0, quat q)
{
    quat by = quat_times(q, quat_conjugate(q0));
    i32 other = by.w < 0.0f;
    f32 w = pick(other, -by.w, by.w);
    return times(pick(other, splat(-2.0f), splat(2.0f)) / pick(w > 0.1f, w, splat(0.1f)), by.v);
}

// ---- frames of a state ---------------------------------------------------------------------------------------------

// The frames of a state, for lookup by rows of constraints and contacts.
typedef struct frame_view
{
    const int32_t *of_slot; // for each slot its frame, or -1; NULL: there are no frames
    float *pose;            // orient_pose
    const float *way;       // orient_way
    const float *inertia;   // frame_inertia
} frame_view;

enum
{
    POSE_SIZE = sizeof(orient_pose) / sizeof(float),
    WAY_SIZE = sizeof(orient_way) / sizeof(float),
    INERTIA_SIZE = sizeof(frame_inertia) / sizeof(float),
    POSE_SPIN = 4, // offset in a pose
    WAY_AIM = 4,   // offset in a way
    WAY_HALF = 8,
    INERTIA_INVERSE = 4, // offset in an inertia
};

#if !defined(LANE_DOUBLE)

// The frames of LANES slots: which slots have one, and their numbers. A slot without one gets the number of another
// frame, which is not used.
typedef struct frame_lanes
{
    i32 has;
    int32_t frame[LANES];
} frame_lanes;

PL_FN frame_lanes frames_none(void)
{
    frame_lanes f;
    f.has = splat(0.0f) > 0.0f;
    for (int l = 0; l < LANES; l++)
        f.frame[l] = -1;
    return f;
}

PL_FN frame_lanes frames_of(const int32_t *of_slot, const uint32_t *index)
{
    frame_lanes f;
#if LANES == 1
    f.frame[0] = of_slot[index[0] / 4];
    f.has = f.frame[0] >= 0;
#else
    for (int l = 0; l < LANES; l++)
        f.frame[l] = of_slot[index[l] / 4];
    memcpy(&f.has, f.frame, sizeof f.has);
    f.has = f.has >= 0;
#endif
    return f;
}

// Loads four floats of each frame, from an array with `size` floats per frame.
PL_FN point frame_gather(const float *array, const frame_lanes *f, uint32_t size)
{
    uint32_t at_frame[LANES];
    for (int l = 0; l < LANES; l++)
        at_frame[l] = f->frame[l] >= 0 ? (uint32_t)f->frame[l] * size : 0;
    return gather(array, at_frame);
}

PL_FN quat frame_orientation(const float *array, const frame_lanes *f, uint32_t size)
{
    return pick_quat(f->has, quat_of_point(frame_gather(array, f, size)), quat_identity());
}

// Stores them for the slots that have a frame.
PL_FN void frame_scatter(float *array, const frame_lanes *f, uint32_t size, point p)
{
#if LANES == 1
    if (f->has)
        store_points(array + (size_t)f->frame[0] * size, p);
#else
    _Alignas(16) float rows[4 * LANES];
    store_points(rows, p);
    for (int l = 0; l < LANES; l++)
        if (f->frame[l] >= 0)
            memcpy(array + (size_t)f->frame[l] * size, rows + 4 * l, 4 * sizeof(float));
#endif
}

#endif

// ---- one frame at a time -------------------------------------------------------------------------------------------

#if LANES == 1 && !defined(LANE_DOUBLE)

PL_FN quat quat_load(const float *q)
{
    quat r = {vec_of(q[0], q[1], q[2]), q[3]};
    return r;
}

PL_FN void quat_store(float *to, quat q) { to[0] = q.v.x, to[1] = q.v.y, to[2] = q.v.z, to[3] = q.w; }

PL_FN vec frame_along(const float *numbers) { return vec_of(numbers[0], numbers[1], numbers[2]); }

// Returns the spin half way through a substep without a torque.
PL_FN vec orient_half_way(const frame_inertia *f, quat q, vec spin, float h)
{
    if (f->inertia[3] != 0.0f)
        return spin;
    mat3 r = quat_axes(q);
    vec momentum = along_axes(&r, frame_along(f->inertia), spin);
    for (int i = 0; i < 4; i++)
    {
        mat3 half = axes_between(q, orient_advance(q, spin, h));
        spin = along_axes(&half, frame_along(f->inverse), momentum);
    }
    return spin;
}

// Returns the spin at the end of a substep: q0 at the start, q1 predicted with the spin half way, q at the end.
PL_FN vec orient_spin(const frame_inertia *f, quat q0, quat q1, quat q, vec half_way, float h)
{
    quat by = quat_times(q, quat_conjugate(q1));
    float w = by.w < 0.0f ? -by.w : by.w, side = by.w < 0.0f ? -1.0f : 1.0f;
    vec a = times(0.5f * h, half_way), b = times(side / (w > 0.1f ? w : 0.1f), by.v); // at most 168 degrees
    int same = q.v.x == q1.v.x && q.v.y == q1.v.y && q.v.z == q1.v.z && q.w == q1.w;
    float both = dot(a, b), rest = 1.0f - both;
    vec more = times(2.0f / (h * (rest > 0.1f ? rest : 0.1f)), add(add(b, cross(b, a)), times(both, a)));
    vec spin = same ? half_way : add(half_way, more);
    if (f->inertia[3] != 0.0f)
        return spin;
    mat3 half = axes_between(q0, q), now = quat_axes(q);
    return along_axes(&now, frame_along(f->inverse), along_axes(&half, frame_along(f->inertia), spin));
}

#endif
