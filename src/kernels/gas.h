// gas.h: gases: fluids that air carries, and that rise where they are warmer than it.
//
// A particle of a gas has the temperature T above that of the air around it. The air's own pressure carries the weight of
// a gas as warm as the air, and what remains is the buoyancy of Boussinesq's approximation (1903), with the expansion b:
//   a = g w - b T g - k (v - u)   k: drag against the air, 1/s;  u: velocity of the wind;  w: the share of its weight that the
//                                air does not carry, 0 of a gas, 1 of a liquid that expands when it is warm
// Prediction has added h^2 g already; the drag is implicit:   d' = (d - h^2 g (1 - w + b T) + k h^2 u)/(1 + k h)
// Heat spreads between neighbours as kernels/fluid_diffusion.h says, and leaves with the rate c, implicit:
//   dT_i/dt = spread - c T_i
#pragma once
#include "core/vec.h"

#define GAS_RULES 4

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
    float weight;      // share of its weight that the air does not carry
} gas_rule;

// The predicted displacement d of a substep h, with the gravity's g2 = h^2 g in it, of the excess temperature t. carried: 1 - w.
PL_FN vec gas_predict(vec d, f32 t, f32 carried, f32 expansion, f32 drag, vec g2, vec wind, float h)
{
    vec rise = times(carried + expansion * t, g2);
    f32 share = drag * h, scale = 1.0f / (1.0f + share);
    return times(scale, add(sub(d, rise), times(share * h, wind)));
}
