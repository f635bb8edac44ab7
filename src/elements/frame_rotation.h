// frame_rotation.h: computes the rotation of body frames. In this folder a frame is always a body frame, never a time
// step: what a slot may have beside its position, namely an orientation, a spin and an inertia. Oriented particles
// and rigid bodies have one.
//
// For a frame with inertia I along its own axes, orientation q (a unit quaternion, x y z w) and angular velocity omega:
// a substep keeps q, the orientation at its start, and changes `rotated`, the rotation since then, a vector t in world
// axes of the length 2 tan(angle/2):  q' = (1, t/2) q normalized. As for positions (kernels/displacement.h), small
// numbers are added to small ones: constraints add their rotations to t, and q changes once a substep.
//   predict    t = h omega
//   correct    t += the small rotation that a constraint gives
//   velocity   omega += (t - h omega)/h: what constraints have added; if nothing was added, omega keeps every bit
//   settle     q' = (1, t/2) q, rounded to float32; what is rounded off is kept in `low`, a rotation vector
// Without a torque, the angular momentum I(q) omega is constant, not omega. So omega is taken half way, at the mean of
// the orientations at the start and predicted, both when predicting and when updating the velocity: a free frame
// tumbles as a rigid body does, and a constraint that gives the rotation I^-1 p adds exactly p/h to the angular
// momentum. Mass cancels out everywhere: inertia is stored per mass, times 5. Units: m, rad/s.
#pragma once
#include "core/mat3.h"

typedef struct frame_inertia
{
    float inertia[4]; // 5 I/m along its own axes; the fourth is 1 if the three are equal
    float inverse[4]; // of these three; the fourth is 0
} frame_inertia;

typedef struct orient_pose
{
    float rotation[4]; // x y z w; during a substep: at its start
    float low[4];      // the rotation vector from there to the orientation that float32 cannot hold
    float spin[4];     // rad/s
} orient_pose;

// Of the substep: the rotation since its start, the predicted one, the orientation half way to it, and the spin there.
typedef struct orient_way
{
    float rotated[4];
    float aim[4];
    float middle[4];
    float half[4];
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

// Returns the orientation after a rotation since the substep's start.
PL_FN quat turn_plus(quat start, vec rotated) { return orient_advance(start, rotated, 1.0f); }

// Returns the rotation from q0 to q, as `rotated` counts it: twice the tangent of half the angle.
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
    const float *pose;      // orient_pose
    float *way;             // orient_way
    const float *inertia;   // frame_inertia
} frame_view;

enum
{
    POSE_SIZE = sizeof(orient_pose) / sizeof(float),
    WAY_SIZE = sizeof(orient_way) / sizeof(float),
    INERTIA_SIZE = sizeof(frame_inertia) / sizeof(float),
    POSE_SPIN = 8,  // offset in a pose
    WAY_MIDDLE = 8, // offset in a way
    WAY_HALF = 12,
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

PL_FN void frame_add(float *to, vec more) { to[0] = to[0] + more.x, to[1] = to[1] + more.y, to[2] = to[2] + more.z; }

// The present orientation, during a substep.
PL_FN quat frame_now(const orient_pose *p, const orient_way *way)
{
    return turn_plus(quat_load(p->rotation), frame_along(way->rotated));
}

PL_FN void frame_turn_to(const orient_pose *p, orient_way *way, quat q)
{
    vec rotated = rotation_between(quat_load(p->rotation), q);
    way->rotated[0] = rotated.x, way->rotated[1] = rotated.y, way->rotated[2] = rotated.z;
}

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

// Begins a substep from the orientation q with the spin half way.
PL_FN void orient_foresee(orient_way *way, quat q, vec spin, float h)
{
    vec aim = times(h, spin);
    quat still = {vec_of(0.0f, 0.0f, 0.0f), 0.0f};
    still.v = aim;
    quat_store(way->rotated, still);
    quat_store(way->aim, still);
    quat_store(way->middle, quat_unit(quat_add(q, turn_plus(q, aim))));
    still.v = spin;
    quat_store(way->half, still);
}

// Returns the spin at the end of a substep that ends with the orientation q.
PL_FN vec orient_spin(const frame_inertia *f, const orient_way *way, quat q, float h)
{
    vec rotated = frame_along(way->rotated), aim = frame_along(way->aim), spin = frame_along(way->half);
    if (rotated.x != aim.x || rotated.y != aim.y || rotated.z != aim.z)
        spin = add(spin, vec_of((rotated.x - aim.x) / h, (rotated.y - aim.y) / h, (rotated.z - aim.z) / h));
    if (f->inertia[3] != 0.0f)
        return spin;
    mat3 half = quat_axes(quat_load(way->middle)), now = quat_axes(q);
    return along_axes(&now, frame_along(f->inverse), along_axes(&half, frame_along(f->inertia), spin));
}

// out = (1, half a) b, in double.
PL_FN void turn_double(const double *a, const double *b, double *out)
{
    out[0] = b[0] + (a[0] * b[3] + (a[1] * b[2] - a[2] * b[1]));
    out[1] = b[1] + (a[1] * b[3] + (a[2] * b[0] - a[0] * b[2]));
    out[2] = b[2] + (a[2] * b[3] + (a[0] * b[1] - a[1] * b[0]));
    out[3] = b[3] - (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
}

// Ends a substep: rotates the orientation by `rotated` and keeps what its rounding loses. A float32 quaternion changes
// in steps of 6e-8, which a slow rotation does not reach in a short substep. In double, once for each frame and
// substep.
PL_FN void orient_settle(orient_pose *p, const float *rotated)
{
    double by[3], low[3], from[4], q[4], to[4];
    for (int c = 0; c < 3; c++)
    {
        by[c] = 0.5 * (double)rotated[c];
        low[c] = 0.5 * (double)p->low[c];
    }
    for (int c = 0; c < 4; c++)
        to[c] = (double)p->rotation[c];
    turn_double(low, to, from);
    turn_double(by, from, q);
    double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int c = 0; c < 4; c++)
    {
        p->rotation[c] = (float)(q[c] / size);
        to[c] = (double)p->rotation[c];
    }
    // The vector part and the scalar of q to^-1.
    double w = q[0] * to[0] + q[1] * to[1] + q[2] * to[2] + q[3] * to[3];
    for (int c = 0; c < 3; c++)
    {
        int d = (c + 1) % 3, e = (c + 2) % 3;
        p->low[c] = (float)(2.0 * ((q[c] * to[3] - q[3] * to[c]) - (q[d] * to[e] - q[e] * to[d])) / w);
    }
}

#endif
