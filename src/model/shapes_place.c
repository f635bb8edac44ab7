// shapes_place.c: computes the positions and rotations of shapes for each substep before a frame, so that the stages of
// every backend only read them. Rotations are quaternions in double, so that a rotating drum keeps its shape for hours.
#include "core/trig.h"
#include "model/shapes.h"

#include <math.h>
#include <string.h>

static double size_of(pl_quat q)
{
    return sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w);
}

pl_result shape_check_pose(const char *what, pl_vec3 position, pl_quat rotation)
{
    if (!finite3(position))
        return fail(PL_ERROR_ARGUMENT, "%s: position is (%g, %g, %g); it must be finite", what, (double)position.x,
                    (double)position.y, (double)position.z);
    double size = size_of(rotation);
    if (!(size > 0.9 && size < 1.1))
        return fail(PL_ERROR_ARGUMENT,
                    "%s: rotation has length %g; it must be a quaternion of length 1, (0, 0, 0, 1) for none", what,
                    size);
    return PL_OK;
}

void shape_set_pose(double at[3], double quat[4], pl_vec3 position, pl_quat rotation)
{
    double size = size_of(rotation);
    at[0] = position.x, at[1] = position.y, at[2] = position.z;
    quat[0] = rotation.x / size, quat[1] = rotation.y / size, quat[2] = rotation.z / size, quat[3] = rotation.w / size;
}

static void quat_after(const double a[4], const double b[4], double out[4])
{
    out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    out[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    out[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

static void normalise(double q[4])
{
    double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++)
        q[i] /= size;
}

static void matrix_of(const double q[4], double m[9])
{
    double x = q[0], y = q[1], z = q[2], w = q[3];
    m[0] = 1 - 2 * (y * y + z * z), m[1] = 2 * (x * y - z * w), m[2] = 2 * (x * z + y * w);
    m[3] = 2 * (x * y + z * w), m[4] = 1 - 2 * (x * x + z * z), m[5] = 2 * (y * z - x * w);
    m[6] = 2 * (x * z - y * w), m[7] = 2 * (y * z + x * w), m[8] = 1 - 2 * (x * x + y * y);
}

static void rotation_by(pl_vec3 spin, double time, double q[4])
{
    double x = spin.x, y = spin.y, z = spin.z, speed = sqrt(x * x + y * y + z * z);
    double turns = speed * time / (4.0 * 3.14159265358979323846); // of half the angle
    double s = (double)sine_of_turns((float)(turns - floor(turns))),
           c = (double)cosine_of_turns((float)(turns - floor(turns)));
    double k = speed > 0.0 ? s / speed : 0.0;
    q[0] = k * x, q[1] = k * y, q[2] = k * z, q[3] = c;
    normalise(q);
}

// Computes the pose of a shape `time` seconds into a frame of `dt`.
static void pose_at(const shape *s, double time, double dt, double at[3], double quat[4])
{
    if (s->travels)
    {
        double t = dt > 0.0 ? time / dt : 1.0, same = 0.0;
        for (int i = 0; i < 4; i++)
            same += s->rotation[i] * s->goal_rotation[i];
        for (int i = 0; i < 3; i++)
            at[i] = s->at[i] + t * (s->goal_at[i] - s->at[i]);
        for (int i = 0; i < 4; i++)
            quat[i] = s->rotation[i] + t * ((same < 0.0 ? -s->goal_rotation[i] : s->goal_rotation[i]) - s->rotation[i]);
        normalise(quat);
        return;
    }
    double q[4], m[9], d[3];
    const double v[3] = {s->def.velocity.x, s->def.velocity.y, s->def.velocity.z};
    rotation_by(s->def.spin, time, q);
    matrix_of(q, m);
    for (int i = 0; i < 3; i++)
        d[i] = s->def.has_pivot ? s->at[i] - s->pivot[i] : 0.0;
    for (int i = 0; i < 3; i++)
        at[i] = (s->def.has_pivot ? s->pivot[i] + (m[3 * i] * d[0] + m[3 * i + 1] * d[1] + m[3 * i + 2] * d[2])
                                  : s->at[i]) +
                time * v[i];
    quat_after(q, s->rotation, quat);
    normalise(quat);
}

// The part of a number that float32 cannot hold. Not inlined: gcc 12 at -O3 makes 0 of three of them side by side.
static __attribute__((noinline)) float below_float(double a) { return (float)(a - (double)(float)a); }

placement placement_from(const double at[3], const double quat[4])
{
    double m[9];
    placement p;
    matrix_of(quat, m);
    for (int i = 0; i < 9; i++)
        p.rotation[i] = (float)m[i];
    for (int i = 0; i < 3; i++)
        p.at[i] = (float)at[i], p.low[i] = below_float(at[i]);
    p.low[3] = 0.0f;
    return p;
}

// ---- data for the stages -------------------------------------------------------------------------------------------

static solid solid_of(const shape *from)
{
    const pl_shape_def *d = &from->def;
    solid s = {.kind = (int32_t)d->kind,
               .flags = (d->two_sided ? SOLID_TWO_SIDED : 0) | (d->inside ? SOLID_INSIDE : 0),
               .size = {d->half.x, d->half.y, d->half.z, d->radius},
               .belt = {d->belt.x, d->belt.y, d->belt.z},
               .material = d->material,
               .mask = d->sensor ? 0 : d->mask, // nothing touches a sensor
               .data = from->data};
    if (d->kind == PL_SHAPE_CAPSULE)
        s.size[0] = d->length;
    if (d->two_sided) // float32 cannot tell the two sides of a sheet without thickness apart
        s.size[3] = d->radius > 5e-4f ? d->radius : 5e-4f;
    if (d->kind == PL_SHAPE_SPHERE)
        s.reach = d->radius;
    else if (d->kind == PL_SHAPE_CAPSULE)
        s.reach = d->radius + 0.5f * d->length;
    else if (d->kind == PL_SHAPE_BOX)
        s.reach = d->radius + 1.001f * sqrtf(d->half.x * d->half.x + d->half.y * d->half.y + d->half.z * d->half.z);
    else if (from->data >= 0)
        s.reach = from->reach;
    return s;
}

placement placement_of(pl_vec3 position, pl_quat rotation)
{
    double at[3], quat[4];
    shape_set_pose(at, quat, position, rotation);
    return placement_from(at, quat);
}

solid shape_solid(const pl_world *w, int32_t number, placement *now)
{
    const shape *s = &w->contacts.shapes[number];
    *now = placement_from(s->at, s->rotation);
    return solid_of(s);
}

pl_result shapes_place(pl_world *w, float dt)
{
    contacts *t = &w->contacts;
    int steps = w->settings.substeps;
    w->state.placement_step = steps + 1;
    pl_result result = array_reserve(&w->memory, &w->state.solids, &t->solid_capacity, t->shape_count, sizeof(solid));
    if (result == PL_OK)
        result = array_reserve(&w->memory, &w->state.placements, &t->placement_capacity,
                               (int64_t)t->shape_count * (steps + 1), sizeof(placement));
    if (result != PL_OK)
        return result;
    for (int32_t i = 0; i < t->shape_count; i++)
    {
        w->state.solids[i] = solid_of(&t->shapes[i]);
        for (int k = 0; k <= steps; k++)
        {
            double at[3], quat[4];
            pose_at(&t->shapes[i], (double)dt * k / steps, (double)dt, at, quat);
            w->state.placements[(size_t)i * (size_t)(steps + 1) + (size_t)k] = placement_from(at, quat);
        }
    }
    return PL_OK;
}

void shapes_arrive(pl_world *w, float dt)
{
    for (int32_t i = 0; i < w->contacts.shape_count; i++)
    {
        shape *s = &w->contacts.shapes[i];
        double at[3], quat[4];
        const double v[3] = {s->def.velocity.x, s->def.velocity.y, s->def.velocity.z};
        pose_at(s, (double)dt, (double)dt, at, quat);
        memcpy(s->at, at, sizeof at);
        memcpy(s->rotation, quat, sizeof quat);
        for (int k = 0; k < 3; k++)
            s->pivot[k] += (double)dt * v[k];
        s->travels = 0;
    }
}

float shapes_moved(const pl_world *w, int substep)
{
    float most = 0.0f;
    for (int32_t i = 0; i < w->contacts.shape_count; i++)
    {
        const placement *to = w->state.placements + (size_t)i * (size_t)w->state.placement_step + substep + 1;
        float moved = placement_moved(&w->contacts.built[i], to, w->state.solids[i].reach);
        most = moved > most ? moved : most;
    }
    return most;
}
