// fluid.h: liquids: particles that keep their density.
//
// A fluid is a set of particles at a rest spacing. They push each other apart where there are too many of them, and
// separate freely. They press on shapes, on rigid bodies and on solid particles with a radius (cloth, grains, soft bodies,
// clusters), and are pressed by them. docs/fluids.md describes how, and how many substeps that takes.
#ifndef PLIANT_FLUID_H
#define PLIANT_FLUID_H

#include <pliant/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a fluid fills.
typedef enum pl_fluid_form
{
    /// A box: `origin` is its least corner, `size` its edges.
    PL_FLUID_BOX,
    /// A ball: `origin` is the least corner of the box of edges `size` around it; with unequal edges an ellipsoid.
    PL_FLUID_BALL,
    /// A cylinder along y, in the box as above; with unequal edges in x and z its section is an ellipse.
    PL_FLUID_CYLINDER,
} pl_fluid_form;

/// Describes a fluid.
typedef struct pl_fluid_def
{
    /// The distance of the particles at rest, m, from 1e-6 to 1e6. The default is 0.02. All fluids of a world have the
    /// same.
    float spacing;
    /// The density at rest, kg/m^3, from 1e-6 to 1e6. The default is 1,000. A particle has the mass density * spacing^3.
    float density;
    /// What it fills. The default is PL_FLUID_BOX. The particles lie on a lattice, the first half a spacing away from the
    /// sides.
    pl_fluid_form form;
    /// The least corner, m. The default is the origin.
    pl_vec3 origin;
    /// The edges, m, each at least half of the spacing. The default is 0.2 each.
    pl_vec3 size;
    /// How far particles are off the lattice, at random, in spacings, from 0 to 0.5. The default is 0.1. A perfect
    /// lattice takes long to collapse.
    float jitter;
    /// Positions instead of a form, 3 floats for each particle, m. NULL, the default: a form.
    const float *position;
    /// The number of positions.
    int count;
    /// The velocity of all particles, m/s. The default is 0.
    pl_vec3 velocity;
    /// The kinematic viscosity, m^2/s, from 0 to 1e6. The default is 0. Water has 1e-6, oil 1e-4, honey 1e-2. Any is
    /// stable: where a substep would take more than half of the difference of two velocities, it is implicit.
    float viscosity;
    /// The share of the velocity differences between neighbours that each substep takes beside viscosity, from 0 to 0.5.
    /// The default is 0.01. It is numerical: without it the particles of a fluid at rest keep trembling.
    float smoothing;
    /// The surface tension against air, N/m, from 0 to 1e6. The default is 0. Water has 0.072. The substep limits it:
    /// docs/fluids.md tells how.
    float tension;
    /// The tension of the interface with fluids of another phase, N/m, from 0 to 1e6: that of two fluids is the mean of
    /// theirs. The default is 0. Oil and water have about 0.035.
    float interface_tension;
    /// The phase, from 0 to 255. The default is 0. Fluids of the same phase mix; between different phases there is the
    /// interface_tension.
    int phase;
    /// The angle between a solid and the surface of the fluid on it, degrees, from 0 (wets) to 180, the default: no
    /// adhesion. It has no effect without a tension.
    float contact_angle;
    /// The friction on shapes, from 0, the default (slips), to 1 (the fluid has the velocity of the wall there). It is
    /// viscous: it has no effect without a viscosity.
    float wall_friction;
    /// Vorticity confinement: how strongly eddies get back what smoothing takes, from 0, the default, to 1e6. With 1 it
    /// takes as much viscosity away, of shear, as smoothing brings. Whatever it is, a substep gives at most 9 tenths of the
    /// energy that smoothing takes there. It keeps momentum, but not angular momentum.
    float vorticity;
    /// The drag of the air, 1/s, from 0 to 1e6: a lone particle loses this share of its velocity relative to the wind
    /// (settings.wind.velocity, without gusts), so that it falls with gravity/drag in the end; one that others cover loses
    /// nothing. The default is 0.
    float drag;
    /// The dye that the particles have at first, and when an emitter emits them, from 0, the default, to 1: a passive
    /// quantity that the fluid carries. Pictures blend the colour of the fluid with a second one by it.
    float dye;
    /// How the dye spreads between particles of one phase, m^2/s, from 0, the default, to 1e6: that of two particles is the
    /// mean of theirs. A substep h spreads at most by 0.1 spacing^2/h.
    float diffusivity;
    /// The material for contacts, or -1, the default: one without friction, which is added if there is none.
    int material;
} pl_fluid_def;

/// Returns the defaults named above.
PL_API pl_fluid_def pl_default_fluid_def(void);

/// Returns the number of particles that the fluid will have; 0 if the def is not valid.
PL_API int64_t pl_fluid_particle_count(const pl_fluid_def *def);

/// Adds a fluid: the particles of one object. The radius of its particles is a quarter of the spacing: the distance that
/// they keep from shapes and solid particles. Fails with PL_ERROR_ARGUMENT if a value is out of range or the world has a
/// fluid of another spacing.
PL_API pl_result pl_add_fluid(pl_world *world, const pl_fluid_def *def, pl_id *object);

/// Changes the properties of the particles [first, first + count), all of fluids, while they flow: viscosity, smoothing,
/// tension, interface_tension, phase, contact_angle, wall_friction, vorticity, drag, diffusivity, and the dye of particles
/// that are emitted from now on, of `def`; its other fields are not used. Fails with
/// PL_ERROR_ARGUMENT if a value is out of range, or if a particle does not exist or is not of a fluid; then nothing
/// changes.
PL_API pl_result pl_set_fluid(pl_world *world, int first, int count, const pl_fluid_def *def);

/// Sets the dye of the particles [first, first + count), all of fluids, from 0 to 1 each. Fails with PL_ERROR_ARGUMENT if a
/// value is out of range, or if a particle does not exist or is not of a fluid; then nothing changes.
PL_API pl_result pl_set_dye(pl_world *world, int first, int count, const float *dye);

/// Stores the dye of the particles [first, first + count); 0 for those that are no fluid. Fails with PL_ERROR_ARGUMENT if a
/// particle does not exist.
PL_API pl_result pl_get_dye(const pl_world *world, int first, int count, float *dye);

/// How well the fluids of a world keep their volume, at the end of the last step.
typedef struct pl_fluid_totals
{
    /// Number of their particles.
    int64_t particles;
    /// Their volume at rest, m^3.
    double volume;
    /// The mean over all of them of the compression: density/density at rest - 1 where that is above 0, else 0.
    double compression_mean;
    /// The largest.
    double compression_max;
    /// The largest pressure, Pa.
    double pressure_max;
} pl_fluid_totals;

/// Returns the totals; all zero if there is no fluid or the GPU was lost.
PL_API pl_fluid_totals pl_world_fluid(const pl_world *world);

/// Stores for the particles [first, first + count) the density, kg/m^3, and the pressure, Pa, at the end of the last step.
/// Either may be NULL. Both are 0 for particles that are no fluid, and before the first step. Fails with
/// PL_ERROR_ARGUMENT if a particle does not exist.
PL_API pl_result pl_get_fluid(const pl_world *world, int first, int count, float *density, float *pressure);

/// Stores the force, N, of the pressure of all fluids on a shape of the world or on a rigid body at the end of the last
/// step, and its torque, N m, about the position of the shape or the centre of mass of the body. Either pointer may be
/// NULL. It is summed when it is asked for; a step costs nothing more. What contacts carry, where a strong flow presses
/// particles nearer than a quarter of the spacing, is not in it: for shapes pl_shape_force has it. Fails with
/// PL_ERROR_ARGUMENT if the id is neither of a shape nor of a rigid body.
PL_API pl_result pl_get_fluid_force(const pl_world *world, pl_id id, pl_vec3 *force, pl_vec3 *torque);

#ifdef __cplusplus
}
#endif

#endif
