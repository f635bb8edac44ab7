// surface_list_validity.h: decides how long a list of surface pairs is valid, and its time horizon, with the same
// result on every backend.
//   horizon  pairs that can meet until then are listed: the time in which the fastest corner, relative to the mean
//            velocity of all, moves HORIZON_OF thicknesses, at least one substep and at most HORIZON_STEPS
// See also neighbours/surface/surfaces.h.
#pragma once
#include "kernels/surface_contact.h"
#include "model/state.h"

#define SURFACE_MARGIN 0.75f // fraction of the thickness
#define HORIZON_OF 4.0f      // thicknesses that the fastest corner moves
#define HORIZON_STEPS 16     // substeps, the largest horizon
#define VELOCITY_CHUNK 64    // corners in each partial sum of velocities; the partial sums are then added

#if LANES == 1

// Sums the velocities of some corners, in order.
PL_FN void sum_velocities(const float *v, const int32_t *vertex, int32_t begin, int32_t end, double *sum)
{
    sum[0] = sum[1] = sum[2] = 0.0;
    for (int32_t i = begin; i < end; i++)
        for (size_t c = 0; c < 3; c++)
            sum[c] += (double)v[4 * (size_t)vertex[i] + c];
}

// The squared speed of a corner relative to the mean velocity.
PL_FN double relative_speed_squared(const float *v, int32_t slot, const double *mean)
{
    double square = 0.0;
    for (size_t c = 0; c < 3; c++)
    {
        double d = (double)v[4 * (size_t)slot + c] - mean[c];
        square += d * d;
    }
    return square;
}

PL_FN double double_root(double a)
{
#if defined(__CUDACC__)
    return __dsqrt_rn(a);
#else
    return __builtin_sqrt(a);
#endif
}

PL_FN float surface_horizon(double speed_squared, float h, float thickness)
{
    float speed = (float)double_root(speed_squared);
    float far = HORIZON_STEPS * h, near = speed > 0.0f ? HORIZON_OF * thickness / speed : far;
    return near < h ? h : near > far ? far : near;
}

// age: s since the list was built; drifted: the squared distance of a corner from its path.
PL_FN bool surface_list_holds(float age, float h, float horizon, float drifted, float margin)
{
    return age + h <= 1.0001f * horizon && 4.0f * drifted <= margin * margin;
}

// The largest distance of a corner from its path at which pairs that are not listed cannot meet.
PL_FN float surface_leeway(float margin, float thickness) { return 0.5f * margin + SURFACE_PART * thickness; }

#endif
