// world.h: a world, its settings and its particles; snapshots.
#ifndef PLIANT_WORLD_H
#define PLIANT_WORLD_H

#include <pliant/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- a world -------------------------------------------------------------------------------------------------------

typedef enum pl_solver
{
    PL_SOLVER_XPBD, // compliance: stiffness does not depend on the time step or on the iterations
    PL_SOLVER_PBD,  // the classic k in [0, 1], as k' = 1 - (1 - k)^(1/iterations)
} pl_solver;

typedef enum pl_integrator
{
    PL_INTEGRATOR_BDF1, // implicit Euler: first order, very stable, damps
    PL_INTEGRATOR_BDF2, // second order: keeps far more energy; falls back to BDF1 around non-smooth events
} pl_integrator;

typedef enum pl_backend
{
    PL_BACKEND_CPU,
    PL_BACKEND_CUDA,
} pl_backend;

typedef struct pl_wind
{
    pl_vec3 velocity; // m/s
    float gust;       // 0: steady; 0.5: speed swings by about half
    float gust_size;  // m, the size of an eddy
    float density;    // kg/m^3 of the air
} pl_wind;

// What the physics depends on. All of it may change between steps.
typedef struct pl_settings
{
    pl_vec3 gravity; // m/s^2
    int substeps;
    int iterations;
    int stabilise; // times that overlap of contacts is taken away before each substep, without making velocity; 0: not at all
    pl_solver solver;
    pl_integrator integrator;
    float damping;          // 1/s: dv/dt = -damping v
    float internal_damping; // 1/s: as above, but only on what is not rigid motion of the object (Mueller 2006)
    pl_wind wind;
} pl_settings;

typedef struct pl_world_def
{
    pl_settings settings;
    pl_backend backend;
    int threads; // 0: one for each core; at most 256
    int lanes;   // 1, 4, 8, 16; 0: the best of this machine
    pl_allocator allocator;
    pl_log log;
    pl_tasks tasks;
} pl_world_def;

PL_API pl_world_def pl_default_world_def(void);
PL_API pl_result pl_world_create(const pl_world_def *def, pl_world **world);
PL_API void pl_world_destroy(pl_world *world);

PL_API pl_settings pl_world_settings(const pl_world *world);
PL_API pl_result pl_world_set_settings(pl_world *world, const pl_settings *settings);

// Threads and lanes decide who computes, never what comes out; they may change between steps.
PL_API pl_result pl_world_set_workers(pl_world *world, int threads, int lanes);
PL_API void pl_world_workers(const pl_world *world, int *threads, int *lanes);
// Who computes: "cpu", or the name of the GPU.
PL_API pl_backend pl_world_backend(const pl_world *world);
PL_API const char *pl_world_device(const pl_world *world);
// Goes on with another backend, bit for bit. If the device that the world is on does not answer, the world stays there.
PL_API pl_result pl_world_set_backend(pl_world *world, pl_backend backend);
// The lane widths that this build and this processor can run, widest first, 0-terminated.
PL_API const int *pl_lane_widths(void);

// Advances by dt seconds, in settings.substeps substeps. If it fails, the world is back at the frame's start, and after
// PL_ERROR_DIVERGED multipliers read 0; if only what follows a frame fails (tearing, heat), the frame stands: pl_world_frame counts
// it, the message says so, and the next step goes on from there. PL_ERROR_DEVICE may go back further.
PL_API pl_result pl_world_step(pl_world *world, float dt);
PL_API double pl_world_time(const pl_world *world);
PL_API int64_t pl_world_frame(const pl_world *world);

// ---- particles -----------------------------------------------------------------------------------------------------

typedef struct pl_particles_def
{
    int count;
    const float *position; // 3 for each particle
    const float *velocity; // 3 for each, or NULL: at rest
    const float *mass;     // kg for each, 0: held in place (kinematic); or NULL: mass_each
    float mass_each;
} pl_particles_def;

PL_API pl_particles_def pl_default_particles_def(void);
PL_API pl_result pl_add_particles(pl_world *world, const pl_particles_def *def, pl_id *object);

// Removes an object (with its particles, faces and every constraint that touches them), a block of constraints, or a field.
PL_API pl_result pl_remove(pl_world *world, pl_id id);

// Every particle has a number that stays the same while its object lives; an object's numbers are [first, first + count).
PL_API pl_result pl_object_range(const pl_world *world, pl_id object, int *first, int *count);
// One more than the largest particle number in use.
PL_API int pl_particle_end(const pl_world *world);
PL_API int pl_particle_count(const pl_world *world);

typedef enum pl_attribute
{
    PL_ATTRIBUTE_POSITION, // 3 floats, m
    PL_ATTRIBUTE_VELOCITY, // 3 floats, m/s; a particle of mass 0 moves by its velocity, and by nothing else
    PL_ATTRIBUTE_MASS,     // 1 float, kg; 0 holds the particle in place
    PL_ATTRIBUTE_FORCE,    // 3 floats, N: an external force that acts until it is set anew
    PL_ATTRIBUTE_CHARGE,   // 1 float, C: what electric fields act on
    PL_ATTRIBUTE_RADIUS, // 1 float, m: how near others may come; 0: does not collide with particles, and touches shapes as a point
    PL_ATTRIBUTE_THICKNESS, // 1 float, m: faces whose corners all have one are skin, and collide as surfaces; 0: none. Of a particle in
                            // no such face it means nothing: that one collides by its radius
} pl_attribute;

// Copies an attribute of particles [first, first + count) from or to a packed array.
PL_API pl_result pl_get(const pl_world *world, pl_attribute what, int first, int count, float *out);
PL_API pl_result pl_set(pl_world *world, pl_attribute what, int first, int count, const float *values);

// An attribute where it lies, in the host's memory or, with PL_BACKEND_CUDA, in the device's: for whoever draws it or computes with it
// there, without a copy. Particle number i has its floats at data + 4 * slot_of[i] + offset; slot_of is the host's, -1: no such particle.
// Only to be read, and only until the next call that changes the world: a step moves particles to other slots now and then.
typedef struct pl_map
{
    const float *data;
    int offset, floats; // of an attribute; PL_ATTRIBUTE_MASS is mapped as 1/kg
    int slots;
    const int32_t *slot_of;
    bool on_device;
} pl_map;

PL_API pl_result pl_world_map(pl_world *world, pl_attribute what, pl_map *map);
// Writes an attribute of all particles into an OpenGL buffer object of the context that is current in this thread, without a way through
// the host: that of particle 0, of particle 1, ..., of particle pl_particle_end - 1, packed as pl_get packs them; 0 for numbers without a
// particle. The buffer must have that room. It works with PL_BACKEND_CUDA where the context is on the world's GPU; elsewhere
// PL_ERROR_UNSUPPORTED says why not, and pl_get with glBufferSubData does the same.
// A world remembers up to PL_MAX_GL_BUFFERS buffers. Let it forget one before it is deleted or gets another store.
#define PL_MAX_GL_BUFFERS 16
PL_API pl_result pl_world_copy_to_gl(pl_world *world, pl_attribute what, unsigned buffer);
PL_API pl_result pl_world_release_gl(pl_world *world, unsigned buffer);
// Bytes that a copy within the device's memory reads and writes in a second, measured; 0: the world has no device of its own.
PL_API double pl_world_copy_rate(pl_world *world);

// ---- snapshots -----------------------------------------------------------------------------------------------------

// A snapshot resumes bit for bit, on any thread count, lane width and backend. The file appears whole or not at all.
PL_API pl_result pl_world_save(const pl_world *world, const char *path);
// def gives hooks, workers and backend; its settings are replaced by the snapshot's.
// A load that fails sets *world to NULL: give it a variable of its own, not the one of a world that still lives.
PL_API pl_result pl_world_load(const pl_world_def *def, const char *path, pl_world **world);
PL_API pl_result pl_world_save_memory(const pl_world *world, void **data, size_t *size);
PL_API pl_result pl_world_load_memory(const pl_world_def *def, const void *data, size_t size, pl_world **world);
PL_API void pl_free(void *data);

#ifdef __cplusplus
}
#endif
#endif
