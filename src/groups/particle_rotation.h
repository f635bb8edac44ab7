// particle_rotation.h: declares the rotations of an object's particles, for the visual meshes on it (visuals.c). In
// double, on the host.
#pragma once
#include "model/world.h"

#include <string.h>

typedef struct double_quat
{
    double v[3], w;
} double_quat;

static inline double_quat double_quat_times(double_quat a, double_quat b)
{
    double_quat r = {{0}, a.w * b.w - a.v[0] * b.v[0] - a.v[1] * b.v[1] - a.v[2] * b.v[2]};
    for (int c = 0; c < 3; c++)
        r.v[c] =
            a.w * b.v[c] + b.w * a.v[c] + a.v[(c + 1) % 3] * b.v[(c + 2) % 3] - a.v[(c + 2) % 3] * b.v[(c + 1) % 3];
    return r;
}

static inline double_quat double_quat_conjugate(double_quat a)
{
    return (double_quat){{-a.v[0], -a.v[1], -a.v[2]}, a.w};
}

static inline double double_quat_dot(double_quat a, double_quat b)
{
    return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2] + a.w * b.w;
}

static inline double_quat double_quat_add(double_quat a, double s, double_quat b)
{
    return (double_quat){{a.v[0] + s * b.v[0], a.v[1] + s * b.v[1], a.v[2] + s * b.v[2]}, a.w + s * b.w};
}

static inline double_quat double_quat_of(const float *q)
{
    return (double_quat){{(double)q[0], (double)q[1], (double)q[2]}, (double)q[3]};
}

static inline void rotate3(double_quat q, const double in[3], double out[3])
{
    double_quat r =
        double_quat_times(double_quat_times(q, (double_quat){{in[0], in[1], in[2]}, 0.0}), double_quat_conjugate(q));
    memcpy(out, r.v, sizeof r.v);
}

// A particle's rotation, as a sum until all groups have been added, and the mean of their plastic deformations.
typedef struct bone
{
    double_quat q;
    double shape[9]; // by rows
    int count;
    bool own; // the particle's own rotation: others no longer count
} bone;

// Adds a rotation and a deformation. columns: the columns of the deformation; NULL: there is none.
void bone_set_rotation(bone *b, const float *rotation, const float *columns);

// Computes the rotations of `count` particles from `first` on.
pl_result find_bones(const pl_world *w, int first, int count, bone *bones);
