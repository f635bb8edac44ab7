// diffuse.h: diffuse particles of liquids: spray, foam and bubbles (Ihmsen, Akinci, Akinci and Teschner 2012).
//
// They are too small for the fluid to notice them: they are made from the state of the world after a frame, move with the
// fluid, and change nothing in the world. The same frames give the same bits on every thread count, SIMD width, machine and
// backend. docs/fluids.md describes them.
#ifndef PLIANT_DIFFUSE_H
#define PLIANT_DIFFUSE_H

#include <pliant/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a diffuse particle is, by the fluid around it.
typedef enum pl_diffuse_kind
{
    /// In the air: it flies freely, with the drag of the air.
    PL_DIFFUSE_SPRAY,
    /// At the surface: it moves with the fluid, and dissolves in the end.
    PL_DIFFUSE_FOAM,
    /// Under water: it rises, and follows the fluid.
    PL_DIFFUSE_BUBBLE,
} pl_diffuse_kind;

/// Describes diffuse particles. Their rates are those of Ihmsen et al.: a particle of the fluid makes
/// (trapped_air I_a + wave_crest I_c) I_k diffuse particles a second, with potentials I from 0 to 1.
typedef struct pl_diffuse_def
{
    /// The largest number of them at a time, from 1 to 2^24. The default is 100,000. When it is reached none are made until
    /// others have gone.
    int capacity;
    /// How many are made a second where air is trapped: where particles collide. The default is 1,000.
    float trapped_air;
    /// How many are made a second at the crests of waves. The default is 1,000.
    float wave_crest;
    /// The sum over the neighbours of their relative speeds, m/s, at which air begins to be trapped, and at which its
    /// potential is 1. The defaults are 5 and 20.
    float air_speed[2];
    /// The same for the curvature of a crest, which has no unit. The defaults are 0.5 and 2.
    float crest_curvature[2];
    /// The speed of the fluid, m/s, at which its kinetic energy begins to count, and at which its potential is 1. The
    /// defaults are 0.5 and 2.
    float speed[2];
    /// How long foam exists, s: at random between the two. The defaults are 1 and 3. Spray and bubbles do not age, but spray
    /// that has been in the air for 10 s goes.
    float lifetime[2];
    /// The upward acceleration of a bubble, in gravities, from 0 to 100. The default is 2.
    float buoyancy;
    /// The rate at which a bubble takes on the velocity of the fluid, 1/s, from 0 to 1e4. The default is 20.
    float drag;
    /// The rate at which spray takes on the velocity of the wind, 1/s, from 0 to 1e4. The default is 0.3.
    float air_drag;
    /// A number that chooses other random numbers. The default is 0.
    uint32_t seed;
} pl_diffuse_def;

/// Returns the defaults named above.
PL_API pl_diffuse_def pl_default_diffuse_def(void);

/// Diffuse particles of one world.
typedef struct pl_diffuse pl_diffuse;

/// The particles as arrays. They belong to the pl_diffuse, and are valid until its next step.
typedef struct pl_diffuse_points
{
    /// Number of particles.
    int count;
    /// Positions, 3 floats for each, m.
    const float *position;
    /// Velocities, 3 floats for each, m/s.
    const float *velocity;
    /// How much longer each exists as foam, s.
    const float *life;
    /// What each is: pl_diffuse_kind.
    const uint8_t *kind;
} pl_diffuse_points;

/// Makes an empty set of diffuse particles, which allocates by the hook of the world. Free it with pl_diffuse_destroy before
/// the world. Fails with PL_ERROR_ARGUMENT if a value is out of range.
PL_API pl_result pl_diffuse_create(const pl_world *world, const pl_diffuse_def *def, pl_diffuse **diffuse);

/// Advances the particles by a frame of the length dt, s, to the state of the world now, and makes new ones; call it after
/// each pl_world_step with the same world and dt. Fails with PL_ERROR_ARGUMENT if dt is not above 0, with PL_ERROR_MEMORY
/// without memory.
PL_API pl_result pl_diffuse_step(pl_diffuse *diffuse, const pl_world *world, float dt);

/// Returns the particles.
PL_API pl_diffuse_points pl_diffuse_get(const pl_diffuse *diffuse);

/// Frees them. NULL is allowed.
PL_API void pl_diffuse_destroy(pl_diffuse *diffuse);

#ifdef __cplusplus
}
#endif

#endif
