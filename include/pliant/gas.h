// gas.h: gases and smoke: fluids that the air carries and that rise where they are warm.
#ifndef PLIANT_GAS_H
#define PLIANT_GAS_H

#include <pliant/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Describes a gas. Temperatures are differences from that of the air around it.
typedef struct pl_gas_def
{
    /// The temperature of its particles, now and when an emitter emits them, K above the air, from -1e4 to 1e4. The default
    /// is 100.
    float temperature;
    /// The thermal expansion, 1/K, from 0 to 1: the acceleration of a particle is expansion * temperature * gravity, upward
    /// if it is warm. The default is 0.0034, an ideal gas at 293 K.
    float expansion;
    /// The drag against the air, 1/s, from 0 to 1e6: what a single particle loses of its velocity relative to the wind. The
    /// default is 1.
    float drag;
    /// The rate at which its temperature falls to that of the air, 1/s, from 0 to 1e6. The default is 0.
    float cooling;
    /// The thermal diffusivity, m^2/s, from 0 to 1e6: how heat spreads between its particles. The default is 0. Air has
    /// 2e-5. A substep h spreads at most by 0.1 spacing^2/h. Between two gases it is the mean of theirs.
    float diffusivity;
    /// The share of its weight that the air does not carry, from 0 to 1. The default is 0, a gas. With 1 it is a liquid
    /// whose temperature spreads, and that rises where it is warm by its expansion; give it no drag then.
    float weight;
} pl_gas_def;

/// Returns the defaults named above.
PL_API pl_gas_def pl_default_gas_def(void);

/// Makes a fluid, or the fluid of an emitter, a gas: the air carries its weight, it rises where it is warmer than the air
/// and sinks where it is colder. Give the fluid the density of the gas, about 1.2 kg/m^3. A second call changes the gas; a
/// world may have 4 different ones. Fails with PL_ERROR_ARGUMENT if a value is out of range, if the object is not a
/// fluid, or if there are too many gases.
PL_API pl_result pl_set_gas(pl_world *world, pl_id object, const pl_gas_def *def);

/// Stores the temperatures of the particles [first, first + count), K above the air; 0 for those that are no gas. Fails
/// with PL_ERROR_ARGUMENT if a particle does not exist.
PL_API pl_result pl_get_gas(const pl_world *world, int first, int count, float *temperature);

#ifdef __cplusplus
}
#endif

#endif
