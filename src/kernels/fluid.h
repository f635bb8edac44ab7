// fluid.h: the density constraint of position-based fluids (Macklin and Mueller 2013) with Wendland's kernel.
//
// A particle i of a fluid has the rest volume V_i; the kernel has the support h, twice the spacing at rest.
//   s = sum_j V_j W(|x_i - x_j|) + B(x_i)          the share of space that is filled around it; 1 at rest
//   C_i = s - 1 <= 0                               it may not be compressed, and separates freely
//   W(r) = k a^4 (1 + 4 r/h),   a = 1 - r/h        Wendland C2 (Wendland 1995)
//   grad W = -20 k/h^2 a^3 (x_i - x_j)             its exact derivative: no root of zero, no division
// Solid particles count with the volume psi_j = 1/sum_k W over solid particles (Akinci et al. 2012), so that a single
// layer of them is a wall. k is such that particles on a cubic lattice have s = FLUID_REST.
//
// Shapes count by their signed distance d:
//   B = (1 - d/D)^2 for d < D,   of several shapes 1 - prod (1 - B);  behind the surface as at d = 0
// Its force is lambda grad B, the gradient of a potential: a mirrored force is not, and makes water at rest boil. D is such
// that half a spacing from a wall B is what the missing half of the lattice would add (0.12), and that the slope there
// (0.9 per spacing) holds the pressure of the water behind: so the first layer lies there, its pressure is that of the
// water, and a body displaces its own volume. B begins smoothly: where its slope jumps, particles gather at the jump, and
// the force on a box is up to a quarter too large. A particle that begins the substep behind the surface is not pressed out:
// B would throw it out, and its neighbours with it. The contact takes it out, and B grows from 0 to its value between a
// quarter of the spacing of depth and the surface.
//
// The multiplier is that of XPBD without compliance, by damped Jacobi iteration, and is at most 0:
//   dlambda_i = -1/2 C_i / sum_j w_j |grad_j C_i|^2,     dx_i = w_i sum_j (lambda_i V_j + lambda_j V_i) grad W
// A pair pushes its particles with opposite forces of the same bits, along where they were at the start of the substep:
// momentum and angular momentum are kept. Where they have come much nearer since, that push is longer than grad W, and the
// divisor takes FLUID_NEARER of its square: an iteration would overshoot by several spacings, and a fluid of few substeps
// fly apart. A substep starts from the share FLUID_WARM of the last multipliers; above one half the iteration is unstable.
// The pressure is -lambda/(V h_t^2), with the substep h_t; what is read is multiplied by `gauge`, because the sum over
// neighbours sees a gradient of pressure that is a little too small.
#pragma once
#include "core/vec.h"

#define FLUID_SUPPORT 2.0f  // spacings: the support of the kernel
#define FLUID_CONTACT 0.25f // spacings: the radius for contacts, how near a particle may come to a wall
#define FLUID_BEFORE 0.77f  // spacings: D, the distance at which a wall begins to count
#define FLUID_SIGHT (FLUID_BEFORE - FLUID_CONTACT) // spacings beyond the radius in which a shape counts
#define FLUID_FAR_SIGHT 1.75f                      // the same for wall friction and adhesion: the support of the kernel
#define FLUID_REST 1.0f                            // s of the lattice that a fluid is filled with
#define FLUID_WARM 0.4f
#define FLUID_RELAX 0.5f
// Of the lattice's sum of squared gradients: the least divisor. Particles in one place, as in a corner into which contacts
// press them, have no gradient; with 1e-3 they would be thrown out at hundreds of metres a second.
#define FLUID_LEAST 0.25f
#define FLUID_NEARER 0.75f // of the square of a distance at the start of the substep, for the divisor
#define FLUID_DRAG 0.6f    // the sum of the weights of viscosity over the neighbours on a lattice
#define FLUID_STILL 0.5f   // the most that viscosity may take of a difference of velocities in a substep

// When particles are copied (stages/fluid_stages.h).
enum fluid_load
{
    FLUID_AGAIN, // they have moved
    FLUID_FIRST, // the substep begins: the multipliers of the last one are carried over
};

// The numbers of a kernel.
typedef struct fluid_kernel
{
    float support, inverse; // h, 1/h
    float height, slope;    // k, 20 k/h^2
    float wall;             // 1/D, D the distance at which a wall begins to count
    float least;            // the least divisor for w = 1
    float gauge;            // sum V r . grad W/-3 on the lattice: how much of a gradient of multipliers acts
    float drag;             // of viscosity: K = drag a (a + 0.773)
    float
        spread; // 30/sum V K r^2 on the lattice: a share c of the velocity differences is the viscosity c/(spread h_t), m^2/s
} fluid_kernel;

// The kernel and -grad W/(x_i - x_j) at a distance; both 0 beyond the support.
typedef struct fluid_weight
{
    f32 value, slope;
} fluid_weight;

PL_FN fluid_weight fluid_weight_at(const fluid_kernel *k, f32 square)
{
    f32 s = k->inverse * root(square), a = most(1.0f - s, splat(0.0f)), a2 = a * a;
    fluid_weight w = {k->height * ((a2 * a2) * (1.0f + 4.0f * s)), k->slope * (a2 * a)};
    return w;
}

// The weight K of viscosity. With W, shear along the axes of a lattice would meet 0.45 of the viscosity of other shears;
// with this weight all shears meet the same.
PL_FN f32 fluid_drag_at(const fluid_kernel *k, f32 square)
{
    f32 a = most(1.0f - k->inverse * root(square), splat(0.0f));
    return k->drag * (a * (a + 0.773f));
}

// What shapes fill around a particle: the product of 1 - B so far, and its gradient.
typedef struct fluid_walls
{
    f32 open;
    vec gradient;
} fluid_walls;

// Adds a shape at the signed distance d with the outward normal n. start: the signed distance at the substep's start.
PL_FN void fluid_add_wall(const fluid_kernel *k, f32 d, f32 start, vec n, fluid_walls *walls)
{
    f32 t = most(1.0f - k->wall * most(d, splat(0.0f)), splat(0.0f));
    f32 part = clamp(1.0f + (4.0f * FLUID_SUPPORT) * (k->inverse * start), 0.0f, 1.0f);
    f32 left = 1.0f - part * (t * t), rises = part * (2.0f * (k->wall * t)); // 1 - B, -dB/dd
    walls->gradient = add(times(left, walls->gradient), times(walls->open * rises, n));
    walls->open = walls->open * left;
}
