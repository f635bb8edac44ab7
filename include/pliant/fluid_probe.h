// fluid_probe.h: reads a fluid at a point: pressure, density and velocity.
#ifndef PLIANT_FLUID_PROBE_H
#define PLIANT_FLUID_PROBE_H

#include <pliant/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The fluid at a point.
typedef struct pl_fluid_probe
{
    /// Number of particles within two spacings of the point. 0: there is no fluid, and all else is 0.
    int particles;
    /// The mean of their pressures, Pa, weighted by the kernel of the fluid.
    float pressure;
    /// The same of their densities, kg/m^3.
    float density;
    /// The same of their velocities, m/s.
    pl_vec3 velocity;
} pl_fluid_probe;

/// Reads the fluid at a point, m, at the end of the last step. It is the most reliable two spacings away from walls and the
/// surface: nearer to them all particles are on one side. Takes time for each particle of the world. Fails with
/// PL_ERROR_ARGUMENT if the point is not finite.
PL_API pl_result pl_probe_fluid(const pl_world *world, pl_vec3 point, pl_fluid_probe *probe);

#ifdef __cplusplus
}
#endif

#endif
