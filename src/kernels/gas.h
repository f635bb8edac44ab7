// gas.h: gases: fluids that air carries, and that rise where they are warmer than it.
//
// A particle of a gas has the temperature T above that of the air around it. The air's own pressure carries the weight of
// a gas as warm as the air, and what remains is the buoyancy of Boussinesq's approximation (1903), with the expansion b:
//   a = -b T g - k (v - u)        k: drag against the air, 1/s;  u: velocity of the wind
// Prediction has added h^2 g already; the drag is implicit:   d' = (d - h^2 g (1 + b T) + k h^2 u)/(1 + k h)
// Heat spreads between neighbours (Cleary and Monaghan 1999) and leaves with the rate c, implicit:
//   dT_i/dt = D sum_j 2 V_j F(r) (T_j - T_i) - c T_i,   F = -r . grad W/r^2/gauge, with the slope and the gauge of
//                                                          kernels/fluid.h: the sum is right on the lattice
// For particles of one gas a pair exchanges the same bits: without cooling the sum of T is kept to rounding. 2 D h is at
// most GAS_STILL squared spacings, so that the neighbours of a particle on the lattice take less than half of a difference.
#pragma once
#include "core/vec.h"

#define GAS_RULES 4
#define GAS_STILL 0.2f

enum gas_part // of SLOT_GAS
{
    GAS_START, // temperature at the substep's start
    GAS_FRAME, // ... at the frame's start, to restore from
    GAS_KIND,  // 1 + the number of its rule; 0: it is no gas
    GAS_NOW,   // temperature
};

typedef struct gas_rule
{
    float expansion;   // 1/K
    float drag;        // 1/s
    float cooling;     // 1/s
    float diffusivity; // m^2/s
    float temperature; // K above the air: of new particles
} gas_rule;

// The predicted displacement d of a substep h, with the gravity's g2 = h^2 g in it, of the excess temperature t.
PL_FN vec gas_predict(vec d, f32 t, f32 expansion, f32 drag, vec g2, vec wind, float h)
{
    vec rise = times(1.0f + expansion * t, g2);
    f32 share = drag * h, scale = 1.0f / (1.0f + share);
    return times(scale, add(sub(d, rise), times(share * h, wind)));
}
