// world.h: a world, its settings and its particles; snapshots.
#ifndef PLIANT_WORLD_H
#define PLIANT_WORLD_H

#include <pliant/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- a world -------------------------------------------------------------------------------------------------------

/// How constraints are solved.
typedef enum pl_solver
{
    /// Extended position-based dynamics by coloured Gauss-Seidel iteration. A constraint has a compliance. Once the iterations have converged, its stiffness
    /// depends neither on the time step nor on their number; before, constraints act softer than their compliance says.
    /// pl_world_convergence tells by how much.
    PL_SOLVER_XPBD,
    /// Classic position-based dynamics with a stiffness k from 0 to 1. Each iteration applies
    /// k' = 1 - (1 - k)^(1/iterations).
    PL_SOLVER_PBD,
    /// XPBD by Jacobi iteration: all constraints of a kind are solved from the same positions, and their corrections are
    /// added up. See pl_settings.relaxation and pl_settings.averaged.
    PL_SOLVER_JACOBI,
    /// XPBD by colours as far as pl_settings.colour_cap, and by Jacobi iteration beyond it.
    PL_SOLVER_HYBRID,
    /// XPBD with the Chebyshev semi-iterative method over the sweeps of the colours, or of pl_settings.colour_cap of them.
    /// It needs three or more iterations; see pl_settings.spectral_radius.
    PL_SOLVER_CHEBYSHEV,
    /// Hierarchical position-based dynamics: before each sweep of the colours, the links (distance, distance_max) are
    /// solved as upper bounds between ever fewer particles, so that a correction reaches across a whole cloth or rope in one
    /// iteration. For stiff cloth with few iterations.
    PL_SOLVER_HIERARCHY,
    /// The linear system of XPBD over all constraints between particles, solved by sparse factorisation: each iteration is a
    /// step of Newton's method, so a few of them bring rigid and stiff constraints to their answer, however many there are.
    /// An iteration is costly; for ropes, beams, and cloth of some thousands of particles. Only on PL_BACKEND_CPU.
    PL_SOLVER_DIRECT,
} pl_solver;

/// How positions are integrated in time.
typedef enum pl_integrator
{
    /// Implicit Euler: first order, very stable, dissipates energy.
    PL_INTEGRATOR_BDF1,
    /// Second order: keeps far more energy. It runs as BDF1 after non-smooth events: impacts, active contacts, edits.
    PL_INTEGRATOR_BDF2,
} pl_integrator;

/// Where a world computes. The result does not depend on it.
typedef enum pl_backend
{
    /// The CPU, with SIMD lanes and threads.
    PL_BACKEND_CPU,
    /// The first NVIDIA GPU. It needs the module libpliant_cuda.so, see docs/cuda.md.
    PL_BACKEND_CUDA,
} pl_backend;

/// Wind. It acts on faces that have a drag or a lift, and on oriented particles that have a drag.
typedef struct pl_wind
{
    /// The mean velocity of the air, m/s. The default is 0.
    pl_vec3 velocity;
    /// How much the speed varies in space and time, from 0 (steady, the default) to 10. At 0.5 it varies by about half.
    float gust;
    /// The size of an eddy, m, from 0.001 to 1e6. The default is 1.
    float gust_size;
    /// The density of the air, kg/m^3, from 0 (no wind force) to 1e5. The default is 1.2.
    float density;
} pl_wind;

/// The settings of the physics. All of them may change between two steps.
typedef struct pl_settings
{
    /// Acceleration of gravity, m/s^2. The default is (0, -9.81, 0).
    pl_vec3 gravity;
    /// Substeps of one step, from 1 to 10,000. The default is 20. More substeps make stiff constraints more accurate;
    /// pl_recommend_settings tells how many a world needs.
    int substeps;
    /// Iterations over all constraints in one substep, from 1 to 10,000. The default is 1, which suits rigid links and
    /// soft materials; what is both fine and stiff needs more substeps or iterations. substeps x iterations must be at
    /// most 100,000.
    int iterations;
    /// Passes that remove contact overlap before each substep without adding velocity, from 0 (the default) to 100. Use
    /// a few where a scene starts with overlaps. Rigid bodies are left out.
    int stabilise;
    /// How often an iteration solves the contacts of rigid bodies, from 1 to 1,000. 0, the default, selects 1 to 8 by the
    /// height of the tallest stack: one up to 30 bodies, 8 from 60 on. docs/rigid.md tells how high a stack may be.
    int contact_sweeps;
    /// How constraints are solved. The default is PL_SOLVER_XPBD. docs/solvers.md compares them. Joints, attachments,
    /// contacts and groups are solved in the same way by all of them.
    pl_solver solver;
    /// How many colours a kind of constraint may have with PL_SOLVER_HYBRID and PL_SOLVER_CHEBYSHEV, from 0 to 64; the
    /// constraints beyond them are solved by Jacobi iteration. -1, the default, selects 4 for the hybrid and 64 for
    /// Chebyshev. The other solvers do not read it.
    int colour_cap;
    /// The factor on the corrections of Jacobi iteration, from 0.1 to 1.9. The default is 1. PL_SOLVER_JACOBI,
    /// PL_SOLVER_HYBRID and PL_SOLVER_CHEBYSHEV read it.
    float relaxation;
    /// How the constraints of a Jacobi iteration share a particle. False, the default: each has a part of its mass (mass
    /// splitting). True: each has all of it, and the correction is divided by how many there are. The same solvers as for
    /// `relaxation` read it.
    bool averaged;
    /// An estimate of the spectral radius of an iteration for PL_SOLVER_CHEBYSHEV, from 0 (no acceleration) to 0.99999: by
    /// how much a plain iteration reduces the slowest part of the error. The default is 0.9. Values that are too large
    /// cost speed, not stability.
    float spectral_radius;
    /// How positions are integrated. The default is PL_INTEGRATOR_BDF1.
    pl_integrator integrator;
    /// Damping of all motion, 1/s, from 0 (the default) to 1e6: dv/dt = -damping v.
    float damping;
    /// Damping of the motion that is not rigid motion of the object (Mueller and others 2006), 1/s, from 0 (the
    /// default) to 1e6.
    float internal_damping;
    /// The wind.
    pl_wind wind;
    /// Whether rigid bodies that have come to rest fall asleep: they are no longer computed until something moves them.
    /// The default is false. Particles never sleep.
    bool sleep;
    /// A body is at rest while it moves no farther than sleep_speed * sleep_time within sleep_time, and no faster than
    /// 5 * sleep_speed. m/s, from 1e-9 to 1e6. The default is 0.01: what creeps faster stays awake, what trembles in its
    /// place may sleep. Of rotations, the motion of a point at the distance of the body's size counts.
    float sleep_speed;
    /// Bodies that touch or are jointed fall asleep together when all of them have been at rest for this time, s, from
    /// 0.01 to 1e6. The default is 0.5.
    float sleep_time;
} pl_settings;

/// Describes a new world.
typedef struct pl_world_def
{
    /// The settings of the physics.
    pl_settings settings;
    /// Where the world computes. The default is PL_BACKEND_CPU.
    pl_backend backend;
    /// Largest number of threads, from 1 to 256. 0, the default, selects one for each processor core. A world uses as
    /// many of them as pay: by the times of its frames it tries from time to time whether half or twice as many are
    /// faster, so that a small scene, or a busy machine, is not slowed down by threads that wait for each other.
    int threads;
    /// SIMD width: 1, 4, 8 or 16. 0, the default, selects the best of this machine. See pl_lane_widths.
    int lanes;
    /// Provides memory. The default uses realloc and free.
    pl_allocator allocator;
    /// The most bytes that the world may take from the allocator. A call that needs more fails with PL_ERROR_MEMORY and
    /// changes nothing. Set it where untrusted files are loaded: a small file can describe a large world. 0, the default,
    /// sets no limit.
    int64_t memory_limit;
    /// Receives log messages. The default writes nothing.
    pl_log log;
    /// Runs the work of a step. The default is the built-in thread pool.
    pl_tasks tasks;
} pl_world_def;

/// Returns the defaults named above: gravity, 20 substeps, all processor cores, the best SIMD width, on the CPU.
PL_API pl_world_def pl_default_world_def(void);

/// Creates an empty world and stores it in *world. Destroy it with pl_world_destroy. On failure *world is NULL.
/// Fails with PL_ERROR_ARGUMENT if a setting is out of range, and with PL_ERROR_UNSUPPORTED if this CPU cannot run that
/// SIMD width or if there is no CUDA module, driver or GPU.
PL_API pl_result pl_world_create(const pl_world_def *def, pl_world **world);

/// Destroys a world and frees everything that belongs to it. NULL is allowed.
PL_API void pl_world_destroy(pl_world *world);

/// Returns the settings of a world.
PL_API pl_settings pl_world_settings(const pl_world *world);

/// Replaces all settings. Fails with PL_ERROR_ARGUMENT if one of them is out of range; then none changes.
PL_API pl_result pl_world_set_settings(pl_world *world, const pl_settings *settings);

/// Changes the number of threads and the SIMD width, as in pl_world_def. The result of the simulation does not depend
/// on them. Call it between two steps. On failure the world keeps the old ones.
PL_API pl_result pl_world_set_workers(pl_world *world, int threads, int lanes);

/// Stores the number of threads that may be used and the SIMD width that is in use. Either pointer may be NULL.
PL_API void pl_world_workers(const pl_world *world, int *threads, int *lanes);

/// Returns the backend on which the world computes.
PL_API pl_backend pl_world_backend(const pl_world *world);

/// Returns the name of the device: "cpu", or the name of the GPU. Returns "none" for a world that is NULL.
PL_API const char *pl_world_device(const pl_world *world);

/// Moves the world to another backend, bit for bit. If the current device does not answer, or the other backend cannot
/// be opened, the call fails and the world stays where it is.
PL_API pl_result pl_world_set_backend(pl_world *world, pl_backend backend);

/// Returns the SIMD widths that this build and this processor can run, widest first, terminated by 0.
PL_API const int *pl_lane_widths(void);

/// Advances the world by dt seconds in settings.substeps substeps. dt must be above 0 and at most 100, and dt/substeps
/// at least 1e-9.
///
/// A step that fails leaves the world at the start of the frame. After PL_ERROR_DIVERGED, and where memory runs out while
/// contacts are searched within a frame, all multipliers are 0, so that PL_ROW_FORCE reads 0. Three cases differ. If the
/// frame itself succeeds and only the work after it fails (tearing, heat), the frame counts: pl_world_frame includes it,
/// the message says so, and after PL_ERROR_MEMORY the next step only completes that work.
/// PL_ERROR_DEVICE may go back further than one frame, see docs/cuda.md. The same holds for PL_ERROR_MEMORY on a GPU in
/// worlds whose full state is not copied to the host after each frame.
PL_API pl_result pl_world_step(pl_world *world, float dt);

/// Returns the simulated time in seconds: the sum of all dt.
PL_API double pl_world_time(const pl_world *world);

/// Returns the number of steps that have been taken.
PL_API int64_t pl_world_frame(const pl_world *world);

// ---- particles -----------------------------------------------------------------------------------------------------

/// Describes an object that consists of particles alone.
typedef struct pl_particles_def
{
    /// Number of particles, at least 1. A world holds at most 268,435,455.
    int count;
    /// Positions, 3 floats for each particle, m. Required; all must be finite.
    const float *position;
    /// Velocities, 3 floats for each particle, m/s. NULL, the default: at rest.
    const float *velocity;
    /// Masses, 1 float for each particle, kg: 1e-30 to 1e30, or 0 to hold the particle in place (kinematic). NULL, the
    /// default: mass_each for all.
    const float *mass;
    /// The mass of every particle if mass is NULL, kg. The default is 1.
    float mass_each;
} pl_particles_def;

/// Returns the defaults named above.
PL_API pl_particles_def pl_default_particles_def(void);

/// Adds an object of particles and stores its id in *object, which may be NULL. The particles collide with shapes, and
/// after pl_set of PL_ATTRIBUTE_RADIUS also with other particles.
PL_API pl_result pl_add_particles(pl_world *world, const pl_particles_def *def, pl_id *object);

/// Removes what the id names. Removing an object also removes its particles and all faces, constraints and group
/// members that use them. Fails with PL_ERROR_ARGUMENT if the id names nothing.
PL_API pl_result pl_remove(pl_world *world, pl_id id);

/// Stores the range of particle numbers of an object: [*first, *first + *count). A particle keeps its number as long as
/// it exists. Particles that tear off later get new numbers outside this range, see pl_get_split_origins.
PL_API pl_result pl_object_range(const pl_world *world, pl_id object, int *first, int *count);

/// Returns the object that a particle belongs to; 0 if there is no such particle.
PL_API pl_id pl_object_of_particle(const pl_world *world, int particle);

/// Returns one more than the largest particle number in use.
PL_API int pl_particle_end(const pl_world *world);

/// Returns the number of particles. It is below pl_particle_end if particles have been removed.
PL_API int pl_particle_count(const pl_world *world);

/// An attribute of particles.
typedef enum pl_attribute
{
    /// Position, 3 floats, m.
    PL_ATTRIBUTE_POSITION,
    /// Velocity, 3 floats, m/s. A particle of mass 0 moves by its velocity and by nothing else.
    PL_ATTRIBUTE_VELOCITY,
    /// Mass, 1 float, kg: 1e-30 to 1e30, or 0 to hold the particle in place.
    PL_ATTRIBUTE_MASS,
    /// External force, 3 floats, N. It acts in every step until it is set again. It starts at 0.
    PL_ATTRIBUTE_FORCE,
    /// Electric charge, 1 float, C. Electric fields act on it. It starts at 0.
    PL_ATTRIBUTE_CHARGE,
    /// Collision radius, 1 float, m, 0 or above. With 0 the particle does not collide with particles, and collides with
    /// shapes as a point.
    PL_ATTRIBUTE_RADIUS,
    /// Thickness of a colliding surface, 1 float, m, 0 or above. Faces whose three corners all have a thickness collide
    /// as a surface, also with themselves (docs/surfaces.md). 0 means none. It has no effect on a particle of no such
    /// face: that particle collides by its radius.
    PL_ATTRIBUTE_THICKNESS,
} pl_attribute;

/// Copies an attribute of the particles [first, first + count) into a packed array. Fails with PL_ERROR_ARGUMENT if one
/// of them does not exist.
PL_API pl_result pl_get(const pl_world *world, pl_attribute what, int first, int count, float *out);

/// Sets an attribute of the particles [first, first + count) from a packed array. Fails with PL_ERROR_ARGUMENT if a
/// particle does not exist or a value is out of range; then no value changes.
PL_API pl_result pl_set(pl_world *world, pl_attribute what, int first, int count, const float *values);

/// The address of an attribute in the memory of the world, for reading without a copy.
typedef struct pl_map
{
    /// The array. Particle i has its values at data + 4 * slot_of[i] + offset.
    const float *data;
    /// Where the attribute starts within the four floats of a slot.
    int offset;
    /// Number of floats of the attribute. PL_ATTRIBUTE_MASS is mapped as 1/mass, 1/kg.
    int floats;
    /// Number of slots of the array. Some may hold no particle.
    int slots;
    /// The slot of each particle number, always in host memory. -1 means that there is no such particle.
    const int32_t *slot_of;
    /// True if data points to device memory (PL_BACKEND_CUDA).
    bool on_device;
} pl_map;

/// Stores the address of an attribute in *map. Read it only, and only until the next call that changes the world: a
/// step may move particles to other slots.
PL_API pl_result pl_world_map(pl_world *world, pl_attribute what, pl_map *map);

/// The most OpenGL buffers that one world keeps registered.
#define PL_MAX_GL_BUFFERS 16

/// Writes an attribute of all particles into an OpenGL buffer object of the context that is current in this thread,
/// without a copy through host memory. Values are packed in the order of the particle numbers 0 to pl_particle_end - 1;
/// a number without a particle gets 0. The buffer must be large enough. The world keeps the buffer registered for the
/// next call. Needs PL_BACKEND_CUDA and a context on the GPU of the world; otherwise fails with PL_ERROR_UNSUPPORTED
/// and a message that tells why. Fails with PL_ERROR_ARGUMENT if PL_MAX_GL_BUFFERS others are registered. pl_get with
/// glBufferSubData works everywhere.
PL_API pl_result pl_world_copy_to_gl(pl_world *world, pl_attribute what, unsigned buffer);

/// Unregisters an OpenGL buffer. Call it before the buffer is deleted or gets new storage.
PL_API pl_result pl_world_release_gl(pl_world *world, unsigned buffer);

/// Measures the memory bandwidth of the device: the bytes per second that a copy within device memory reads and writes.
/// Returns 0 for a world on the CPU.
PL_API double pl_world_copy_rate(pl_world *world);

// ---- origin --------------------------------------------------------------------------------------------------------

/// Moves the origin of the coordinates to `offset`, m: the positions of particles, bodies, shapes, pins and fields become
/// those relative to it. Relative motion stays the same to rounding, and exactly where the differences of coordinates
/// are numbers that float32 and the low parts of positions hold. Use it to keep a large world near the origin. Each
/// component must be from -1e9 to 1e9 m. Contact lists are built again, so that contacts may be solved in another order.
PL_API pl_result pl_world_shift_origin(pl_world *world, pl_vec3 offset);

/// Stores the sum of all shifts of the origin, m: where the present origin is in the first coordinates.
PL_API void pl_world_origin(const pl_world *world, double origin[3]);

// ---- snapshots -----------------------------------------------------------------------------------------------------

/// Writes the state of a world to a file. A world that is loaded from it continues bit for bit, on any thread count,
/// SIMD width and backend. The file appears whole or not at all.
PL_API pl_result pl_world_save(const pl_world *world, const char *path);

/// Creates a world from a file that pl_world_save wrote. def gives hooks, workers and backend; its settings are
/// replaced by those of the snapshot. On failure *world is NULL, so pass a variable that holds no other world. Fails
/// with PL_ERROR_FORMAT if the file is damaged or of another version.
PL_API pl_result pl_world_load(const pl_world_def *def, const char *path, pl_world **world);

/// Writes a snapshot to memory. Free *data with pl_free. On failure *data is NULL and *size is 0.
PL_API pl_result pl_world_save_memory(const pl_world *world, void **data, size_t *size);

/// Creates a world from a snapshot in memory, as pl_world_load does from a file.
PL_API pl_result pl_world_load_memory(const pl_world_def *def, const void *data, size_t size, pl_world **world);

/// Returns a world to a snapshot in memory, for rollback: afterwards it continues bit for bit as the world that was saved,
/// whatever has happened to it since. Hooks, workers and backend stay. Ids are those of the snapshot, and pointers into
/// the world are no longer valid. The next step packs the world again. Fails as pl_world_load_memory does; then the world
/// is unchanged.
PL_API pl_result pl_world_restore(pl_world *world, const void *data, size_t size);

/// Frees memory that pl_world_save_memory returned. NULL is allowed.
PL_API void pl_free(void *data);

#ifdef __cplusplus
}
#endif
#endif
