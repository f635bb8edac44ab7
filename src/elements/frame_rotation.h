// frame_rotation.h: computes the rotation of body frames. In this folder a frame is always a body frame, never a time
// step: what a slot may have beside its position, namely an orientation, a spin and an inertia. Oriented particles
// and rigid bodies have one.
//
// For a frame with inertia I along its own axes, orientation q (a unit quaternion, x y z w) and angular velocity omega:
// a substep keeps q, the orientation at its start, and changes `rotated`, the rotation since then, a vector t in world
// axes of the length 2 tan(angle/2):  q' = (1, t/2) q normalized. As for positions (kernels/displacement.h), small
// numbers are added to small ones: constraints add their rotations to t, and q changes once a substep.
//   predict    t = h omega, half way
//   correct    t += the small rotation that a constraint gives
//   velocity   I omega += I (t - predicted t)/h: what constraints have added
//   settle     q' = (1, t/2) q, rounded to float32; what is rounded off is kept in `low`, a rotation vector
// Without a torque, the angular momentum I(q) omega is constant, not omega: t = h times the spin half way (the implicit
// midpoint rule), so that a free frame tumbles as a rigid body does. Constraints use I half way to the predicted
// orientation: one that gives the rotation I^-1 p adds exactly p/h to the angular momentum.
// Mass cancels out everywhere: inertia is stored per mass, times 5. Units: m, rad/s.
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
    float spin[4];     // rad/s; of a rigid body: s since it last moved, or -1: it sleeps
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
    for (int l = 0; l < LANES; l++)
        f.frame[l] = of_slot[index[l] / 4];
    memcpy(&f.has, f.frame, sizeof f.has);
    f.has = f.has >= 0;
    return f;
}

// Where the frames are in an array with `size` floats per frame; what has no frame gets the first one.
PL_FN void frame_offsets(const frame_lanes *f, uint32_t size, uint32_t *at_frame)
{
    i32 number;
    memcpy(&number, f->frame, sizeof number);
    number = (number & ~(number >> 31)) * (int32_t)size;
    memcpy(at_frame, &number, sizeof number);
}

// Loads four floats of each frame, from an array with `size` floats per frame.
PL_FN point frame_gather(const float *array, const frame_lanes *f, uint32_t size)
{
    uint32_t at_frame[LANES];
    frame_offsets(f, size, at_frame);
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
PL_FN quat frame_quat_now(const orient_pose *p, const orient_way *way)
{
    return turn_plus(quat_load(p->rotation), frame_along(way->rotated));
}

PL_FN void frame_turn_to(const orient_pose *p, orient_way *way, quat q)
{
    vec rotated = rotation_between(quat_load(p->rotation), q);
    way->rotated[0] = rotated.x, way->rotated[1] = rotated.y, way->rotated[2] = rotated.z;
}

// ---- one frame at a time, in double: a substep's rounding errors would add up over minutes -------------------------

typedef struct turn64
{
    double v[3], w;
} turn64;

// (1, half a) b: b rotated by a vector in world axes.
PL_FN turn64 turn64_by(const double *a, turn64 b)
{
    turn64 r = {{b.v[0] + (a[0] * b.w + (a[1] * b.v[2] - a[2] * b.v[1])),
                 b.v[1] + (a[1] * b.w + (a[2] * b.v[0] - a[0] * b.v[2])),
                 b.v[2] + (a[2] * b.w + (a[0] * b.v[1] - a[1] * b.v[0]))},
                b.w - (a[0] * b.v[0] + a[1] * b.v[1] + a[2] * b.v[2])};
    return r;
}

// Rotates a vector by q (side = 1) or back (side = -1).
PL_FN void turn64_vec(turn64 q, double side, const double *a, double *out)
{
    double s = 2.0 / (q.v[0] * q.v[0] + q.v[1] * q.v[1] + q.v[2] * q.v[2] + q.w * q.w), w = side * q.w;
    double t[3] = {q.v[1] * a[2] - q.v[2] * a[1], q.v[2] * a[0] - q.v[0] * a[2], q.v[0] * a[1] - q.v[1] * a[0]};
    out[0] = a[0] + s * (w * t[0] + (q.v[1] * t[2] - q.v[2] * t[1]));
    out[1] = a[1] + s * (w * t[1] + (q.v[2] * t[0] - q.v[0] * t[2]));
    out[2] = a[2] + s * (w * t[2] + (q.v[0] * t[1] - q.v[1] * t[0]));
}

// The orientation at the substep's start, low part included.
PL_FN turn64 orient_start(const orient_pose *p)
{
    const double low[3] = {0.5 * (double)p->low[0], 0.5 * (double)p->low[1], 0.5 * (double)p->low[2]};
    turn64 q = {{(double)p->rotation[0], (double)p->rotation[1], (double)p->rotation[2]}, (double)p->rotation[3]};
    return turn64_by(low, q);
}

// Returns the spin half way through a substep without a torque: W = (W0 + W1)/2 in the frame's own axes, with
// I (W1 - W0) = -h W x I W. With the rotation by h W this conserves energy and angular momentum.
PL_FN vec orient_half_way(const frame_inertia *f, const orient_pose *p, float h)
{
    if (f->inertia[3] != 0.0f)
        return frame_along(p->spin);
    const double spin[3] = {(double)p->spin[0], (double)p->spin[1], (double)p->spin[2]}, step = 0.5 * (double)h;
    double start[3], w[3], next[3];
    turn64 q = orient_start(p);
    turn64_vec(q, -1.0, spin, start);
    for (int c = 0; c < 3; c++)
        w[c] = start[c];
    // Beyond two radians in a substep the iteration would not converge (frame_wild).
    if (step * step * (start[0] * start[0] + start[1] * start[1] + start[2] * start[2]) > 1.0)
        return frame_along(p->spin);
    for (int i = 0; i < 6; i++)
    {
        double l[3] = {(double)f->inertia[0] * w[0], (double)f->inertia[1] * w[1], (double)f->inertia[2] * w[2]};
        next[0] = start[0] - step * (w[1] * l[2] - w[2] * l[1]) / (double)f->inertia[0];
        next[1] = start[1] - step * (w[2] * l[0] - w[0] * l[2]) / (double)f->inertia[1];
        next[2] = start[2] - step * (w[0] * l[1] - w[1] * l[0]) / (double)f->inertia[2];
        w[0] = next[0], w[1] = next[1], w[2] = next[2];
    }
    turn64_vec(q, 1.0, w, next);
    return vec_of((float)next[0], (float)next[1], (float)next[2]);
}

// Begins a substep with the spin half way.
PL_FN void orient_foresee(orient_way *way, quat q, vec spin, float h)
{
    quat numbers = {times(h, spin), 0.0f};
    quat_store(way->rotated, numbers);
    quat_store(way->aim, numbers);
    quat_store(way->middle, quat_unit(quat_add(q, turn_plus(q, numbers.v))));
    numbers.v = spin;
    quat_store(way->half, numbers);
}

// The angular momentum that constraints have added, with the axes half way: 5/m times it.
PL_FN vec orient_added(const frame_inertia *f, const orient_way *way, float h)
{
    mat3 half = quat_axes(quat_load(way->middle));
    vec by = vec_of((way->rotated[0] - way->aim[0]) / h, (way->rotated[1] - way->aim[1]) / h,
                    (way->rotated[2] - way->aim[2]) / h);
    return f->inertia[3] != 0.0f ? by : along_axes(&half, frame_along(f->inertia), by);
}

// Does it rotate by more than a quarter of a revolution in the substep? Then the substep does not resolve how the axis of
// its rotation moves: that is fixed in the body, which keeps the energy.
PL_FN int frame_wild(const orient_way *way)
{
    return square(frame_along(way->rotated)) > 4.0f || square(frame_along(way->aim)) > 4.0f;
}

// Returns the spin at the end of a substep that ends with the orientation q: I(q)^-1 (I(q0) omega0 + what was added).
PL_FN vec orient_spin(const frame_inertia *f, const orient_pose *p, const orient_way *way, turn64 q, float h)
{
    vec more = orient_added(f, way, h), spin = frame_along(p->spin);
    if (f->inertia[3] != 0.0f)
        return add(spin, more);
    const double added[3] = {(double)more.x, (double)more.y, (double)more.z};
    const double start[3] = {(double)spin.x, (double)spin.y, (double)spin.z};
    double own[3], l[3];
    turn64 q0 = orient_start(p);
    turn64_vec(q0, -1.0, start, own);
    if (frame_wild(way))
    {
        turn64_vec(q, 1.0, own, l);
        return vec_of((float)l[0] + (way->rotated[0] - way->aim[0]) / h,
                      (float)l[1] + (way->rotated[1] - way->aim[1]) / h,
                      (float)l[2] + (way->rotated[2] - way->aim[2]) / h);
    }
    for (int c = 0; c < 3; c++)
        own[c] = (double)f->inertia[c] * own[c];
    turn64_vec(q0, 1.0, own, l);
    for (int c = 0; c < 3; c++)
        l[c] = l[c] + added[c];
    turn64_vec(q, -1.0, l, own);
    for (int c = 0; c < 3; c++) // a product with the rounded inverse would change the spin by 6e-8 in every substep
        own[c] = f->inverse[c] > 0.0f ? own[c] / (double)f->inertia[c] : 0.0;
    turn64_vec(q, 1.0, own, l);
    return vec_of((float)l[0], (float)l[1], (float)l[2]);
}

// Returns the orientation at the end of a substep, before it is rounded.
PL_FN turn64 orient_end(const orient_pose *p, const orient_way *way)
{
    const double by[3] = {0.5 * (double)way->rotated[0], 0.5 * (double)way->rotated[1], 0.5 * (double)way->rotated[2]};
    return turn64_by(by, orient_start(p));
}

// Stores an orientation and what its rounding loses. A float32 quaternion changes in steps of 6e-8, which a slow
// rotation does not reach in a short substep.
PL_FN void orient_settle(orient_pose *p, turn64 q)
{
    double size = sqrt(q.v[0] * q.v[0] + q.v[1] * q.v[1] + q.v[2] * q.v[2] + q.w * q.w), to[4];
    for (int c = 0; c < 4; c++)
    {
        p->rotation[c] = (float)((c < 3 ? q.v[c] : q.w) / size);
        to[c] = (double)p->rotation[c];
    }
    // The vector part and the scalar of q to^-1.
    double w = q.v[0] * to[0] + q.v[1] * to[1] + q.v[2] * to[2] + q.w * to[3];
    for (int c = 0; c < 3; c++)
    {
        int d = (c + 1) % 3, e = (c + 2) % 3;
        p->low[c] = (float)(2.0 * ((q.v[c] * to[3] - q.w * to[c]) - (q.v[d] * to[e] - q.v[e] * to[d])) / w);
    }
}

#endif
