// fluid_body.h: the pressure between fluids and rigid bodies, both ways.
//
// A convex shape of a body fills the space around a particle like a shape of the world: B(d) of kernels/fluid.h, d the
// separation from the plane that the substep's probe has found (kernels/body_particle.h). With several shapes k
//   s = sum_j V_j W + 1 - prod_k (1 - B_k),     G_k = -grad_k s = -B_k'(d_k) prod_(l != k) (1 - B_l) n_k
// A multiplier lambda <= 0 pushes the particle by -lambda G_k and the body by +lambda G_k, at the particle's centre where
// the substep begins: momentum and angular momentum are kept. Both are gradients of one potential, so that water at rest
// around a body does not boil.
//
// A light body moves far when all particles around it push it at once: with as many multipliers as a body of a tenth of
// the fluid's density has neighbours, Jacobi iteration diverges. But they meet in the six unknowns y of the body alone,
//   dlambda_i(y) = min(-k_i (C_i + G_i . y_i), -lambda_i),  k_i = 1/2 / sum w |grad C_i|^2,  y_i = y's motion at i
//   M y = sum J_i^T G_i dlambda_i(y),                       J_i = (I, -[r_i]x)
// so a small system gives y, as for contacts (kernels/body_particle.h); a second round finds which multipliers are 0.
//
// The contact takes a particle out of a body at FLUID_PART_SPEED.
#pragma once
#include "kernels/fluid.h"

#define FLUID_PART_SPEED 0.5f // m/s: contacts take a fluid out of a body no faster

enum
{
    FLUID_BODY_ROUNDS = 2,
};

// The walls of one shape at the distance d.
PL_FN fluid_walls fluid_body_wall(const fluid_kernel *k, f32 d, f32 start, vec n)
{
    fluid_walls w = {splat(1.0f), vec_of(splat(0.0f), splat(0.0f), splat(0.0f))};
    fluid_add_wall(k, d, start, n, &w);
    return w;
}

// The multiplier after an iteration. toward: G . y, summed over the shapes.
PL_FN f32 fluid_body_lambda(f32 lambda, f32 inverse, f32 value, f32 toward)
{
    return least(lambda - inverse * (value + toward), splat(0.0f));
}
