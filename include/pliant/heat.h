// heat.h: temperature. Particles conduct heat; solids of particles melt into free particles and freeze again.
#ifndef PLIANT_HEAT_H
#define PLIANT_HEAT_H

#include <pliant/groups.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The thermal material of an object. Temperatures are in kelvin or in degrees Celsius, the same for the whole world,
/// from -1e6 to 1e6. The other values are from 0 to 1e12.
typedef struct pl_heat_def
{
    /// The temperature at the start. The default is 20.
    float temperature;
    /// Thermal conductivity, W/(m K). The default is 1.
    float conductivity;
    /// Specific heat capacity, J/(kg K), above 0. The default is 1,000.
    float capacity;
    /// Heat transfer coefficient between the surface and the air, W/(m^2 K). 0, the default: none.
    float exchange;
    /// The material melts and freezes. The default is false; the fields below then have no effect.
    bool melts;
    /// The melting point. A particle of this temperature that has absorbed `latent` leaves its cluster and becomes
    /// free.
    float melting;
    /// The freezing point, at most the melting point. A free particle of this temperature that has given `latent` back
    /// joins the solid particles that it touches and that melt too.
    float freezing;
    /// Latent heat, J/kg. The default is 0.
    float latent;
    /// The number of the contact material of molten particles. The default is 0.
    int molten;
    /// The material of clusters that form by freezing. The default is a rigid body.
    pl_cluster_material solid;
} pl_heat_def;

/// Returns the defaults named above.
PL_API pl_heat_def pl_default_heat_def(void);

/// Gives all particles of an object a temperature and a thermal material. Each of them needs a radius.
///
/// A particle that melts must be in at most one cluster, in no lattice, and in no constraint other than a pin, no face
/// and no volume; it cannot be added to any later. Otherwise the call fails with PL_ERROR_ARGUMENT. In a body that
/// melts, neighbours should be nearer than 1.2 times the sum of their radii: only such neighbours stay connected once a
/// part has melted. A cluster of which only some particles melt loses those and stays one cluster.
///
/// Melting removes and creates clusters. A block without clusters is removed with its id. New blocks belong to the
/// object of their first particle; pl_object_blocks finds them. Molten particles and new pieces get phase groups from
/// 32,768 on, so that they collide with each other; their masks do not change.
PL_API pl_result pl_set_heat(pl_world *world, pl_id object, const pl_heat_def *def);

/// Copies the temperatures of the particles [first, first + count). A particle without a temperature gets NaN.
PL_API pl_result pl_get_temperature(const pl_world *world, int first, int count, float *out);

/// Sets the temperatures of the particles [first, first + count). Fails with PL_ERROR_ARGUMENT if one of them has no
/// temperature; then none changes. A particle that is held in place keeps its temperature during a step.
PL_API pl_result pl_set_temperature(pl_world *world, int first, int count, const float *values);

/// Copies the state of the particles [first, first + count): 0 no temperature, 1 solid, 2 molten.
PL_API pl_result pl_get_molten(const pl_world *world, int first, int count, uint8_t *out);

/// Sets the temperature of the air. It starts at 20.
PL_API pl_result pl_set_ambient(pl_world *world, float temperature);

/// Makes a shape hot or cold: it has a constant temperature, however much heat flows. With on == false, as at the
/// start, it exchanges no heat.
PL_API pl_result pl_set_shape_heat(pl_world *world, pl_id shape, bool on, float temperature);

/// Heat of the whole world.
typedef struct pl_heat_totals
{
    /// Heat of all particles that can move, J, from temperature 0 on, with the latent heat that they have absorbed.
    double heat;
    /// The lowest temperature; 0 if there is none.
    float coldest;
    /// The highest temperature; 0 if there is none.
    float hottest;
    /// Number of particles that have a temperature.
    int warm;
    /// Number of particles that are molten now.
    int molten;
    /// How often a particle has melted since the world began.
    int64_t melted;
    /// How often a particle has frozen since the world began.
    int64_t frozen;
} pl_heat_totals;

/// Returns the heat of the whole world.
PL_API pl_heat_totals pl_world_heat(const pl_world *world);

#ifdef __cplusplus
}
#endif
#endif
