// fluid_viscosity.h: the implicit viscosity of fluids, by Chebyshev's iteration.
//
// A substep solves (1 + A) v = v*, where v* are the velocities before viscosity and
//   (A v)_i = sum_j k_ij n n . (v_i - v_j) + b_i (v_i - v_wall)     (Monaghan 1997; fluid_stages.h has k_ij)
// A is symmetric for the masses, and changes no rigid motion of a fluid that touches no wall. The iteration takes a fixed
// number of passes, each of which adds to v the same multiple of the residual everywhere, and of its last change: so
// momentum and angular momentum are kept to rounding, whether it has converged or not, and no sum over all particles is
// needed. With the eigenvalues of 1 + A in [1, 1 + reach] (Saad 2003, algorithm 12.1):
//   rho_0 = 1/t,  rho_k = 1/(2 t - rho_(k-1)),  t = (2 + reach)/reach
//   v_(k+1) = v_k + rho_k rho_(k-1) (v_k - v_(k-1)) + 4 rho_k/reach (v* - (1 + A) v_k);  the first pass: 2/(2 + reach)
// An error falls by 1/T_passes(t). Each factor is below 1: any viscosity is stable.
//
// Wall friction (no slip): a layer of one spacing a at the distance d from a wall has the shear stress nu v/d on its side:
//   b = nu h_t w(d)/(a d),   w = 1 up to a/2, then falling to 0 at 3 a/2, so that layers at d and d + a share it
#pragma once
#include "kernels/fluid.h"

#define FLUID_SPECTRUM 0.8f    // the largest eigenvalue of A over the largest share, for equal masses
#define FLUID_PASSES 48        // the most
#define FLUID_UNSOLVED 0.02    // the share of an error that may be left
#define FLUID_WALL_LEAST 0.25f // spacings: nearer to a wall its friction does not grow

// The factors of pass k: of the last change, and of the residual.
typedef struct fluid_chebyshev
{
    float momentum, step;
} fluid_chebyshev;

PL_FN fluid_chebyshev fluid_chebyshev_at(float reach, int pass)
{
    fluid_chebyshev c = {0.0f, 2.0f / (2.0f + reach)};
    float t = (2.0f + reach) / reach, rho = 1.0f / t;
    for (int k = 1; k <= pass; k++)
    {
        float next = 1.0f / (2.0f * t - rho);
        c.momentum = next * rho, c.step = 4.0f * next / reach;
        rho = next;
    }
    return c;
}

// b over nu h_t, for a wall at the distance d.
PL_FN f32 fluid_wall_friction(const fluid_kernel *k, f32 d)
{
    const float inverse = FLUID_SUPPORT * k->inverse; // of the spacing
    f32 near_by = inverse * d, w = clamp(1.5f - near_by, 0.0f, 1.0f);
    return (inverse * inverse) * w / most(near_by, splat(FLUID_WALL_LEAST));
}
