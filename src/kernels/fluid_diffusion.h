// fluid_diffusion.h: how a quantity that a fluid carries (heat, dye) spreads between its particles (Cleary and Monaghan
// 1999):
//   dq_i/dt = sum_j (D_i + D_j) V_j F(r) (q_j - q_i),   F = -r . grad W/r^2/gauge, with the slope and the gauge of
//                                                        kernels/fluid.h: the sum is right on the lattice
// The rate of a pair is the same number for both, so a pair exchanges the same bits, and the sum of q is kept to rounding.
// 2 D h is at most FLUID_SPREAD_MOST squared spacings: the neighbours of a particle on the lattice then take less than half
// of a difference, which is stable, and q stays between the least and the largest of its neighbours.
#pragma once
#include "kernels/fluid.h"

#define FLUID_SPREAD_MOST 0.2f

// What a particle of the diffusivity D [m^2/s] brings to the rates of its pairs in the time h; 0 if D is.
PL_FN f32 fluid_spread_share(const fluid_kernel *k, f32 diffusivity, float h, float spacing, f32 volume)
{
    f32 spread = least((2.0f * h) * diffusivity, splat(FLUID_SPREAD_MOST * (spacing * spacing)));
    return (spread / k->gauge) * volume;
}

// What a particle gets from a neighbour whose quantity is larger by `more`; a, b: the shares of the two.
PL_FN f32 fluid_spread(const fluid_kernel *k, f32 a, f32 b, f32 square, f32 more)
{
    return ((0.5f * (a + b)) * fluid_weight_at(k, square).slope) * more;
}
