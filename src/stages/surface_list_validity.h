// surface_list_validity.h: how long a list of pairs of skins holds, and how far ahead it looks: decided alike on every backend.
//   horizon  until then pairs are listed by how they move: HORIZON_OF thicknesses of the fastest corner, as the whole of them sees it, but
//            one substep at least and HORIZON_STEPS at the most
// The rest of the story is in neighbours/surface/surfaces.h.
#pragma once
#include "kernels/surface_contact.h"
#include "model/state.h"

#define SURFACE_MARGIN 0.75f // of the thickness
#define HORIZON_OF 4.0f      // thicknesses that the fastest goes
#define HORIZON_STEPS 16     // substeps, at the most
#define RUSH_CHUNK 64        // corners whose velocities are summed up before those of others join them

#if LANES == 1

// The sum of the velocities of some corners, in their order.
PL_FN void rush_sum(const float *v, const int32_t *vertex, int32_t begin, int32_t end, double *sum)
{
    sum[0] = sum[1] = sum[2] = 0.0;
    for (int32_t i = begin; i < end; i++)
        for (size_t c = 0; c < 3; c++)
            sum[c] += (double)v[4 * (size_t)vertex[i] + c];
}

// The square of a corner's speed as the whole of them sees it.
PL_FN double rush_of(const float *v, int32_t slot, const double *mean)
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

PL_FN float surface_horizon(double rush_squared, float h, float thickness)
{
    float rush = (float)double_root(rush_squared);
    float far = HORIZON_STEPS * h, near = rush > 0.0f ? HORIZON_OF * thickness / rush : far;
    return near < h ? h : near > far ? far : near;
}

// age: s since the list was made; drifted: the square of how far a corner is off its path.
PL_FN bool surface_list_holds(float age, float h, float horizon, float drifted, float margin)
{
    return age + h <= 1.0001f * horizon && 4.0f * drifted <= margin * margin;
}

// How far a corner may be off its path before pairs that are not listed could meet.
PL_FN float surface_leeway(float margin, float thickness) { return 0.5f * margin + SURFACE_PART * thickness; }

#endif
