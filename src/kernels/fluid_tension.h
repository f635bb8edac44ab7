// fluid_tension.h: the surface tension of fluids, the tension of interfaces between them, and adhesion to solids.
//
// The energy of a particle grows where neighbours are missing:
//   E_i = e_i V_i (1 - s_i) + k_i/2 V_i |n_i|^2,   s_i = sum_j a V_j W,   n_i = h sum_j a V_j grad W
// The first term is a cohesion, the second is the energy of the gradient of density (He et al. 2014), whose forces pair
// normals as those of Akinci, Akinci and Teschner (2013) do. Cohesion alone freezes into a lattice, gradients alone
// evaporate: a lone particle has none. With
//   e = FLUID_DRAW tension/h,   k = FLUID_BEND tension/h
// a surface has the tension, in N/m: tests/physics/test_fluid_tension.c measures it by the oscillation of drops.
//
// Forces are the gradient of E, with H = grad grad W and m = k h n:
//   F_ij = V_i V_j (a_s (e_i + e_j) grad W - a_n H (m_i - m_j))
// They are opposite for the two particles, and E does not change when everything turns: momentum and angular momentum
// are kept.
//
// a is 1 in one phase. Between phases and to solids it is 1 - y, so that the energy of the interface is that of a surface
// times FLUID_BENT y^2 + FLUID_DRAWN y, the shares of the two terms:
//   two phases   sum of the tensions times that = the tension of the interface, solved for y
//   solids       a_n = (1 + cos)/2, a_s so that the energy is -cos times the tension (Young 1805), cos of the contact angle
// A shape is a half-space: its s is b(d) of fluid.h.
#pragma once
#include "kernels/fluid.h"

#define FLUID_DRAW 5.76f
#define FLUID_BEND 2.067f
#define FLUID_BENT 0.48f  // the share of gradients in the energy of a surface
#define FLUID_DRAWN 0.52f // ... of cohesion
#define FLUID_TENSE 0.25f // the largest tension: times the mass of a particle over the square of the substep

// Parts of a pair's force, over V_i V_j: along r = x_i - x_j, and along m_i - m_j.
typedef struct fluid_pull
{
    f32 along, aside;
} fluid_pull;

// e: a_s (e_i + e_j);  m: a_n (m_i - m_j);  grad W = -S r,  H m = -S m + 3 slope a^2/(h |r|) r (r . m)
PL_FN fluid_pull fluid_pull_of(const fluid_kernel *k, f32 e, vec m, vec r)
{
    f32 far = root(square(r)), a = most(1.0f - k->inverse * far, splat(0.0f)), a2 = a * a;
    i32 apart = far > 0.0f;
    f32 slope = k->slope * (a2 * a), bends = (3.0f * k->slope * k->inverse) * a2;
    f32 turn = keep(apart, bends * dot(r, m) / pick(apart, far, splat(1.0f)));
    fluid_pull p = {-(e * slope) - turn, slope};
    return p;
}

// b(d) of a half-space: h times its gradient by d, and h^2 times its second one.
typedef struct fluid_beyond
{
    f32 first, second;
} fluid_beyond;

PL_FN fluid_beyond fluid_beyond_at(const fluid_kernel *k, f32 d)
{
    f32 a = 1.0f - clamp(k->inverse * d, 0.0f, 1.0f), a2 = a * a, a4 = a2 * a2;
    fluid_beyond b = {-(a4 * a) * (21.0f - 31.5f * a + 12.0f * a2), a4 * (105.0f - 189.0f * a + 84.0f * a2)};
    return b;
}

// How much of a neighbour counts: a_s and a_n.
typedef struct fluid_share
{
    f32 drawn, bent;
} fluid_share;

// Of a solid, for the cosine of the contact angle.
PL_FN fluid_share fluid_solid_share(f32 cosine)
{
    f32 y = 0.5f - 0.5f * cosine;
    fluid_share a = {1.0f + (cosine + FLUID_BENT * (y * y)) * (1.0f / FLUID_DRAWN), 1.0f - y};
    return a;
}

// Of another phase: tension, the sum of both; interface, the mean of both.
PL_FN f32 fluid_phase_share(f32 tension, f32 interface_tension)
{
    i32 tense = tension > 0.0f;
    f32 t = keep(tense, interface_tension / pick(tense, tension, splat(1.0f)));
    return 1.0f - (root(FLUID_DRAWN * FLUID_DRAWN + (4.0f * FLUID_BENT) * t) - FLUID_DRAWN) * (0.5f / FLUID_BENT);
}
