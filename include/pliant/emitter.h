// emitter.h: emitters and drains of fluids: particles that come and go while a world runs.
//
// An emitter is a nozzle with particles in reserve. They exist from the start as inactive particles, so that nothing is
// allocated and nothing is laid out again when they come and go: an inactive particle has no mass and no velocity, does
// not collide, and is neither drawn nor counted as fluid. A drain makes the particles that enter it inactive; an emitter
// uses them again. docs/emitters.md describes both.
#ifndef PLIANT_EMITTER_H
#define PLIANT_EMITTER_H

#include <pliant/base.h>
#include <pliant/fluid.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The opening of a nozzle.
typedef enum pl_nozzle
{
    /// A disc of the radius `size[0]`.
    PL_NOZZLE_DISC,
    /// A rectangle with the edges `size[0]`, along `up` x `direction`, and `size[1]`, along the part of `up` across the
    /// jet.
    PL_NOZZLE_RECTANGLE,
} pl_nozzle;

/// Describes an emitter.
typedef struct pl_emitter_def
{
    /// The fluid. Its form, origin, size, positions and velocity are not used; with a `source` only its jitter is. The
    /// defaults are those of pl_default_fluid_def, but no jitter: it would spread a jet, 0.1 by 0.1 m/s.
    pl_fluid_def fluid;
    /// The opening. The default is PL_NOZZLE_DISC.
    pl_nozzle nozzle;
    /// The centre of the opening, m. The default is the origin. Keep it at least a spacing away from walls in front of it.
    pl_vec3 position;
    /// Where the jet goes; any length but 0. The default is (0, -1, 0).
    pl_vec3 direction;
    /// Turns a rectangle about the direction, which it must not be parallel to. The default is 0: any.
    pl_vec3 up;
    /// m; see pl_nozzle. Each must be at least half of the spacing. The default is 0.05, 0.05.
    float size[2];
    /// The speed of the jet, m/s, from 0 to 1e4. The default is 1. 0: it is closed.
    float speed;
    /// The volume that leaves in a second, m^3/s; it sets the speed to rate/area. 0, the default: `speed` counts.
    float rate;
    /// When it runs, s, in the time of the world; whole frames. The default is 0 to 1e30. The first particles leave in the
    /// frame after `start`.
    double start, stop;
    /// The number of particles in reserve, at least those that fit into the nozzle. The default is 10,000. When all are in
    /// use, nothing is emitted until drains or the lifetime have given back enough for a whole layer across the opening.
    int capacity;
    /// How long a particle exists after it was emitted, s; then it returns to the reserve. 0, the default: forever.
    float lifetime;
    /// A fluid whose drained particles are emitted again, instead of `capacity` own ones: a fountain. The default is 0:
    /// none. A fluid can be the source of one emitter.
    pl_id source;
} pl_emitter_def;

/// Returns the defaults named above.
PL_API pl_emitter_def pl_default_emitter_def(void);

/// Adds an emitter, and its reserve as one object of inactive particles, which `object` names; with a source, that object.
/// pl_remove of the object removes both. Fails with PL_ERROR_ARGUMENT if a value is out of range, if the world has a fluid
/// of another spacing, or if the source is not a fluid or has an emitter.
PL_API pl_result pl_add_emitter(pl_world *world, const pl_emitter_def *def, pl_id *object);

/// Changes the speed of an emitter's jet, m/s, from 0 to 1e4, and opens or closes it. The particles in a nozzle that was
/// closed return to the reserve.
PL_API pl_result pl_set_emitter(pl_world *world, pl_id object, float speed, bool on);

/// What an emitter has done.
typedef struct pl_emitter_state
{
    /// Whether it is open, and the speed of its jet, m/s.
    bool on;
    float speed;
    /// The area of its opening, m^2; the volume of one particle, m^3.
    double area, particle_volume;
    /// The number of its particles: all, those in reserve, and those inside of the nozzle.
    int capacity, reserve, held;
    /// How many particles have left the nozzle, have been drained, have reached their lifetime, and were not emitted
    /// because too few were in reserve.
    int64_t emitted, drained, aged, missed;
} pl_emitter_state;

/// Stores what an emitter has done. Fails with PL_ERROR_ARGUMENT if the object has no emitter.
PL_API pl_result pl_get_emitter(const pl_world *world, pl_id object, pl_emitter_state *out);

/// Stores 1 for each of the particles [first, first + count) that is active, 0 for those that are in reserve. Positions of
/// inactive particles mean nothing; values that are set for them are ignored. Fails with PL_ERROR_ARGUMENT if a particle
/// does not exist.
PL_API pl_result pl_get_active(const pl_world *world, int first, int count, uint8_t *active);

/// Where a drain takes particles.
typedef enum pl_drain_form
{
    /// Inside of a box with the centre `position` and the edges `size`.
    PL_DRAIN_BOX,
    /// Inside of a sphere around `position` with the radius `size.x`.
    PL_DRAIN_SPHERE,
    /// Behind the plane through `position` with the normal `normal`.
    PL_DRAIN_PLANE,
} pl_drain_form;

/// Describes a drain.
typedef struct pl_drain_def
{
    /// The region. The default is PL_DRAIN_BOX.
    pl_drain_form form;
    /// m. The default is the origin.
    pl_vec3 position;
    /// m, each above 0 where it is used. The default is 0.2 each.
    pl_vec3 size;
    /// Of a plane; any length but 0. The default is (0, 1, 0).
    pl_vec3 normal;
    /// The most volume that it takes in a second, m^3/s: a pump. 0, the default: all that is inside at the end of a frame.
    float rate;
} pl_drain_def;

/// Returns the defaults named above.
PL_API pl_drain_def pl_default_drain_def(void);

/// Adds a drain. At the end of every frame the particles of fluids inside of it become inactive, in the order of their
/// numbers. Those of an emitter, or of its source, return to its reserve; others stay inactive. Fails with
/// PL_ERROR_ARGUMENT if a value is out of range.
PL_API pl_result pl_add_drain(pl_world *world, const pl_drain_def *def, pl_id *drain);

/// Changes the rate of a drain, m^3/s (0: all), and opens or closes it.
PL_API pl_result pl_set_drain(pl_world *world, pl_id drain, float rate, bool on);

/// Stores how many particles a drain has taken, and their volume at rest, m^3. Either may be NULL.
PL_API pl_result pl_get_drain(const pl_world *world, pl_id drain, int64_t *particles, double *volume);

#ifdef __cplusplus
}
#endif

#endif
