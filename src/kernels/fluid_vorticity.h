// fluid_vorticity.h: vorticity confinement, which gives eddies back a part of what smoothing takes from them, and the drag of
// the air.
//
// Confinement (after Fedkiw, Stam and Jensen 2001, Macklin and Mueller 2013, in the conservative form of Steinhoff 2003):
//   w_i  = sum_j V grad W x (v_j - v_i)/gauge                       the vorticity, curl v
//   dv_i = sum_j min(g_i, g_j) V grad W x (A_i + A_j)/gauge         A = e w,   e = strength c/spread
// with the smoothing c of kernels/fluid.h, whose viscosity is c/(spread h): a strength of 1 takes as much viscosity away, of
// shear alone, as smoothing brings. The force N x w of the papers has a sum that is not zero, so a free drop would move
// itself; here a pair pushes its two particles with opposite forces of the same bits: momentum is kept to rounding. Angular
// momentum is not, because the forces are not along the line of the pair.
//
// Nothing else limits the speed of an eddy, so the energy that it gets is limited:
//   g_i = least(1, FLUID_GIVEN D_i/G_i),   D_i = 1/2 sum_j c V K (n . (v_j - v_i))^2,   G_i = 1/2 sum_j most(0, power)
// D is what smoothing takes from a particle in a substep, G is what confinement would give: all in all it gives at most
// FLUID_GIVEN of what smoothing takes, whatever the strength.
//
// The drag of the air acts on particles that are not covered by others, with the share s of space that is filled:
//   dv/dt = -k e (v - u),   e = (FLUID_COVERED - s)/(FLUID_COVERED - s of a lone particle), from 0 to 1
// It is implicit; u is the velocity of the wind. A lone particle falls with g/k in the end. It takes momentum from the fluid.
#pragma once
#include "kernels/fluid.h"

#define FLUID_GIVEN 0.9f
#define FLUID_COVERED 0.95f

// V grad W x a, with r = x_i - x_j: what a neighbour adds to a curl at i.
PL_FN vec fluid_curl(const fluid_kernel *k, f32 volume, vec r, f32 square, vec a)
{
    return times(volume * fluid_weight_at(k, square).slope, cross(a, r));
}

// Reduces what a particle gets, so that it is not more than what it lost.
PL_FN f32 fluid_given(f32 lost, f32 gets)
{
    i32 too_much = gets > FLUID_GIVEN * lost;
    return pick(too_much, FLUID_GIVEN * lost / pick(too_much, gets, splat(1.0f)), splat(1.0f));
}

// How exposed a particle is, from 0 to 1; filled: s - 1.
PL_FN f32 fluid_exposed(const fluid_kernel *k, f32 volume, f32 filled)
{
    return clamp(((FLUID_COVERED - 1.0f) - filled) / (FLUID_COVERED - k->height * volume), 0.0f, 1.0f);
}

// The velocity after drag with the rate k e in a substep h.
PL_FN vec fluid_dragged(vec v, vec wind, f32 rate, float h)
{
    f32 share = rate * h;
    return times(1.0f / (1.0f + share), add(v, times(share, wind)));
}
