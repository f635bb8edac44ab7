// pliant.h: the public API of Pliant, a position-based dynamics engine.
//
// Units are SI, y is up, coordinates are right-handed, numbers are float32. There is no global state: everything
// belongs to a pl_world, and worlds are independent of each other, so that different threads may use different worlds.
// A call that can fail returns a pl_result; when it is not PL_OK, pl_error_message() tells what was wrong and
// what would be right, and the world is as it was before the call.
//
// The same scene gives the same bits on every thread count, lane width, compiler and machine: see docs/determinism.md.
#ifndef PLIANT_H
#define PLIANT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PL_VERSION_MAJOR 0
#define PL_VERSION_MINOR 1
#define PL_VERSION_PATCH 0

#if defined(_WIN32)
#define PL_API
#else
#define PL_API __attribute__((visibility("default")))
#endif

// ---- results -------------------------------------------------------------------------------------------------------

typedef enum pl_result
{
    PL_OK = 0,
    PL_ERROR_ARGUMENT,    // a value, an index or an id is wrong
    PL_ERROR_MEMORY,      // the allocator gave nothing
    PL_ERROR_FILE,        // a file could not be read or written
    PL_ERROR_FORMAT,      // a file's contents are wrong
    PL_ERROR_DIVERGED,    // a step blew up; positions and velocities are back at the frame's start, forces read 0
    PL_ERROR_UNSUPPORTED, // this machine or this build cannot do it
    PL_ERROR_DEVICE,      // a GPU failed, and the state on it is lost; load a snapshot and go on
} pl_result;

// What went wrong in the last failed call of this thread. Never NULL.
PL_API const char *pl_error_message(void);
// A result's name, such as "argument".
PL_API const char *pl_result_name(pl_result result);
// "0.1.0"
PL_API const char *pl_version(void);

// ---- basic types ---------------------------------------------------------------------------------------------------

typedef struct pl_vec3
{
    float x, y, z;
} pl_vec3;

// Names an object, a block of constraints or a field for as long as it lives; {0, 0} names nothing.
typedef struct pl_id
{
    uint32_t index, generation;
} pl_id;

typedef struct pl_world pl_world;

// ---- hooks ---------------------------------------------------------------------------------------------------------

// Memory comes from here; NULL functions mean malloc and free. resize(NULL) allocates, resize to 0 frees.
typedef struct pl_allocator
{
    void *(*resize)(void *user, void *block, size_t old_size, size_t new_size);
    void *user;
} pl_allocator;

typedef enum pl_log_level
{
    PL_LOG_INFO,
    PL_LOG_WARNING,
} pl_log_level;

typedef struct pl_log
{
    void (*write)(void *user, pl_log_level level, const char *text);
    void *user;
} pl_log;

// Bring your own scheduler: run(user, count, task, arg) must call task(arg, i) once for every i in [0, count), in any
// order, on any threads, and return when all are done. NULL means the built-in pool.
typedef struct pl_tasks
{
    void (*run)(void *user, int count, void (*task)(void *arg, int i), void *arg);
    void *user;
} pl_tasks;

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
// The lane widths that this build and this processor can run, widest first, 0-terminated.
PL_API const int *pl_lane_widths(void);

// Advances by dt seconds, in settings.substeps substeps.
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
    PL_POSITION, // 3 floats, m
    PL_VELOCITY, // 3 floats, m/s; a particle of mass 0 moves by its velocity, and by nothing else
    PL_MASS,     // 1 float, kg; 0 holds the particle in place
    PL_FORCE,    // 3 floats, N: an external force that acts until it is set anew
    PL_CHARGE,   // 1 float, C: what electric fields act on
    PL_RADIUS, // 1 float, m: how near others may come; 0: does not collide with particles, and touches shapes as a point
} pl_attribute;

// Copies an attribute of particles [first, first + count) from or to a packed array.
PL_API pl_result pl_get(const pl_world *world, pl_attribute what, int first, int count, float *out);
PL_API pl_result pl_set(pl_world *world, pl_attribute what, int first, int count, const float *values);

// ---- constraints ---------------------------------------------------------------------------------------------------

typedef enum pl_kind
{
    PL_KIND_DISTANCE,     // two particles at a rest length
    PL_KIND_DISTANCE_MIN, // ... never nearer
    PL_KIND_DISTANCE_MAX, // ... never farther: a rope
    PL_KIND_TETHER,       // never farther than a length from an anchor, which feels nothing: long-range attachment
    PL_KIND_DIHEDRAL,     // the angle between two triangles
    PL_KIND_ISOMETRIC,    // the curvature of two triangles that are flat at rest
    PL_KIND_TET_VOLUME,   // a tetrahedron's volume
    PL_KIND_PIN,          // one particle at a target, which may move
    PL_KIND_COUNT
} pl_kind;

enum
{
    PL_MAX_ARITY = 4,  // particles in one constraint
    PL_MAX_PARAMS = 6, // parameters of one constraint
};

// How hard a constraint holds. XPBD reads compliance and damping, classic PBD reads stiffness.
typedef struct pl_softness
{
    float compliance; // the inverse of stiffness, m/N for lengths; 0: rigid
    float damping;    // N s/m for lengths; acts together with a compliance above 0
    float stiffness;  // k in [0, 1]
} pl_softness;

typedef struct pl_kind_info
{
    const char *name;  // "distance"
    const char *about; // one line
    int arity;         // particles in a constraint
    int params;        // parameters of a constraint
    const char *param_names[PL_MAX_PARAMS];
} pl_kind_info;

PL_API const pl_kind_info *pl_kind_describe(pl_kind kind);
// The kind of that name, or PL_KIND_COUNT.
PL_API pl_kind pl_kind_by_name(const char *name);

typedef struct pl_constraints_def
{
    pl_kind kind;
    int count;
    const int32_t *index;    // arity particle numbers for each constraint
    const float *param;      // params numbers for each constraint, or NULL: as the particles lie now
    pl_softness soft;        // for all of them
    const pl_softness *each; // or one for each
} pl_constraints_def;

PL_API pl_constraints_def pl_default_constraints_def(void);
PL_API pl_result pl_add_constraints(pl_world *world, const pl_constraints_def *def, pl_id *block);
PL_API pl_result pl_block_info(const pl_world *world, pl_id block, pl_kind *kind, int *count);
PL_API int64_t pl_constraint_count(const pl_world *world, pl_kind kind);

typedef enum pl_row
{
    PL_ROW_PARAM,      // the kind's params floats
    PL_ROW_COMPLIANCE, // 1 float, and so on
    PL_ROW_DAMPING,
    PL_ROW_STIFFNESS,
    PL_ROW_FORCE, // read only: the force (N for lengths) that held in the last substep, from the multiplier
    PL_ROW_VALUE, // read only: C, by how much the constraint is violated now
} pl_row;

PL_API pl_result pl_get_rows(const pl_world *world, pl_id block, pl_row what, int first, int count, float *out);
PL_API pl_result pl_set_rows(pl_world *world, pl_id block, pl_row what, int first, int count, const float *values);
PL_API pl_result pl_get_row_particles(const pl_world *world, pl_id block, int first, int count, int32_t *out);

// Where a pin's particle shall be at the end of the next step; on the way, the target moves evenly.
PL_API pl_result pl_move_pins(pl_world *world, pl_id block, int first, int count, const float *targets);

// ---- faces and fields ----------------------------------------------------------------------------------------------

// Triangles that feel the wind, that rays hit and that exports show. Lift and drag are the coefficients of a thin plate.
typedef struct pl_faces_def
{
    int count;
    const int32_t *index; // 3 particle numbers for each
    float drag, lift;     // 0, 0: no wind
} pl_faces_def;

PL_API pl_faces_def pl_default_faces_def(void);
PL_API pl_result pl_add_faces(pl_world *world, const pl_faces_def *def, pl_id *block);
PL_API int pl_face_count(const pl_world *world);
// Copies particle numbers, 3 for each face, of all live faces.
PL_API pl_result pl_get_faces(const pl_world *world, int first, int count, int32_t *out);

typedef enum pl_field_kind
{
    PL_FIELD_UNIFORM, // a = vector                                     m/s^2
    PL_FIELD_POINT,   // a = strength (origin - x)/(|origin - x|^2 + radius^2)^(3/2);   strength in m^3/s^2, < 0 repels
    PL_FIELD_DRAG, // f = -strength (v - vector)                     strength in N s/m, vector is the medium's velocity
    PL_FIELD_ELECTRIC, // f = charge vector                              V/m
} pl_field_kind;

typedef struct pl_field
{
    pl_field_kind kind;
    pl_vec3 vector, origin;
    float strength, radius;
} pl_field;

PL_API pl_result pl_add_field(pl_world *world, const pl_field *field, pl_id *id);
PL_API pl_result pl_set_field(pl_world *world, pl_id id, const pl_field *field);

// ---- contact -------------------------------------------------------------------------------------------------------
//
// Particles with a radius collide with each other, and every particle collides with shapes. Contacts carry friction
// (static and kinetic Coulomb limits), restitution and rolling resistance; what holds two bodies comes from their materials.

typedef struct pl_material
{
    float static_friction;  // mu_s: a contact sticks while its tangential force is below mu_s times the normal one
    float kinetic_friction; // mu_k, at most mu_s: what is left of it once the contact slides
    float restitution;      // e: how much of the speed of an impact comes back
    float rolling; // resistance to rolling, 0 to 1. Particles do not turn, so heaps of them stand as steep as if grains
        // could only slide. 1: they can, all of the friction holds; 0: they roll freely off each other, which
        // leaves 0.6 of it between two particles. Against shapes, friction is whole
} pl_material;

enum
{
    PL_MAX_MATERIALS = 32,
};

PL_API pl_material pl_default_material(void);
// Adds a material and tells its number. Number 0 is there from the start and holds the default.
PL_API pl_result pl_add_material(pl_world *world, const pl_material *material, int *number);
PL_API pl_result pl_set_material(pl_world *world, int number, const pl_material *material);
// What holds between two materials, or one and itself. Unless set: the geometric mean of the frictions, the larger of the others.
PL_API pl_result pl_set_material_pair(pl_world *world, int a, int b, const pl_material *material);
PL_API pl_result pl_get_material_pair(const pl_world *world, int a, int b, pl_material *material);

// Which particles collide. Two collide when their masks share a bit and they are of different groups, or both have `self`.
typedef struct pl_phase
{
    int group; // 0 to 65535; particles of one object have one of their own unless set
    bool self; // collides with its own group
    bool
        filter; // ... but not with those of its object that are nearer at rest than the sum of the radii: cloth and its springs
    bool fluid;   // fluid particles do not touch each other; density keeps them apart
    int material; // 0 to 31
    int mask;     // 8 bits: channels
} pl_phase;

PL_API pl_phase pl_default_phase(void);
PL_API pl_result pl_set_phase(pl_world *world, int first, int count, const pl_phase *phase); // the same for all of them
PL_API pl_result pl_get_phase(const pl_world *world, int particle, pl_phase *phase);
// Where the particles lie now is how they lie at rest, for `filter`.
PL_API pl_result pl_set_rest(pl_world *world, int first, int count);

typedef struct pl_quat
{
    float x, y, z, w;
} pl_quat;

typedef enum pl_shape_kind
{
    PL_SHAPE_PLANE,  // through position, facing the shape's y; everything behind it is solid, or with two_sided a sheet
    PL_SHAPE_SPHERE, // radius
    PL_SHAPE_CAPSULE, // radius around a segment of `length` along the shape's y
    PL_SHAPE_BOX,     // half sides
    PL_SHAPE_HULL,    // later
    PL_SHAPE_MESH,
    PL_SHAPE_SDF,
    PL_SHAPE_HEIGHTFIELD,
    PL_SHAPE_KIND_COUNT
} pl_shape_kind;

// A body that particles collide with and that they do not move. It stands, or moves by its velocity and spin, or is moved.
typedef struct pl_shape_def
{
    pl_shape_kind kind;
    pl_vec3 position;
    pl_quat rotation;
    pl_vec3 half; // box
    float radius; // sphere, capsule; box: rounds its edges, beyond the half sides; two-sided plane: half its thickness,
                  // at least 0.5 mm
    float length; // capsule: between the centres of its ends
    bool two_sided;   // plane
    bool inside;      // sphere, capsule: hollow, particles are inside
    pl_vec3 velocity; // m/s
    pl_vec3 spin;     // rad/s, around `pivot`
    pl_vec3 pivot;    // in the world, where the shape is when it is added; travels with velocity
    bool has_pivot;   // false: around position
    pl_vec3 belt;     // m/s, in the shape's frame: the surface runs along like a conveyor's, the shape stays
    int material;
    int mask;
} pl_shape_def;

PL_API pl_shape_def pl_default_shape_def(void);
PL_API pl_result pl_add_shape(pl_world *world, const pl_shape_def *def, pl_id *shape);
// Puts it there at once: it does not push on the way.
PL_API pl_result pl_set_shape_pose(pl_world *world, pl_id shape, pl_vec3 position, pl_quat rotation);
// Where it shall be at the end of the next step; on the way it moves evenly, pushes and drags.
PL_API pl_result pl_move_shape(pl_world *world, pl_id shape, pl_vec3 position, pl_quat rotation);
PL_API pl_result pl_set_shape_velocity(pl_world *world, pl_id shape, pl_vec3 velocity, pl_vec3 spin);
PL_API pl_result pl_get_shape(const pl_world *world, pl_id shape, pl_shape_def *def); // as it is now
// What the particles do to it, in the last substep: N, and N m around its position.
PL_API pl_result pl_shape_force(const pl_world *world, pl_id shape, pl_vec3 *force, pl_vec3 *torque);
PL_API int pl_shape_count(const pl_world *world);
// The shapes in the order in which they were added; {0, 0} beyond the last.
PL_API pl_id pl_shape_at(const pl_world *world, int number);

// ---- objects made of particles -------------------------------------------------------------------------------------

typedef enum pl_bending
{
    PL_BENDING_NONE,
    PL_BENDING_LINKS, // skip-one distance links (grids only; on a mesh, links across each edge)
    PL_BENDING_DIHEDRAL,
    PL_BENDING_ISOMETRIC,
} pl_bending;

typedef struct pl_cloth_def
{
    // A grid of columns x rows particles from origin along u and v, or, when vertices is given, a triangle mesh.
    int columns, rows;
    pl_vec3 origin, u, v;  // u and v: from one corner to the next, m
    const float *vertices; // 3 for each
    const int32_t *triangles;
    int vertex_count, triangle_count;

    float mass;          // kg in all
    pl_softness stretch; // along the edges
    pl_softness shear;   // across the cells (grids only)
    pl_softness bend;
    pl_bending bending;
    float drag, lift;
    const int32_t *pinned; // particles held in place, numbered within the object
    int pinned_count;
    bool tethers;       // long-range attachments from every particle to its nearest pinned one
    float tether_slack; // a tether is this much longer than the rest distance: 0.02 is 2 %
} pl_cloth_def;

PL_API pl_cloth_def pl_default_cloth_def(void);
PL_API pl_result pl_add_cloth(pl_world *world, const pl_cloth_def *def, pl_id *object);

typedef struct pl_rope_def
{
    int segments;
    pl_vec3 from, to;
    const float *points; // 3 for each of segments + 1; or NULL: evenly from `from` to `to`
    float length;        // m, 0: as laid out; longer: it sags
    float mass;          // kg in all
    pl_softness stretch;
    pl_softness bend; // skip-one links; used when bending is true
    bool bending;
    bool inextensible_only; // links only pull (distance_max), as a real rope's
    bool pin_first, pin_last;
} pl_rope_def;

PL_API pl_rope_def pl_default_rope_def(void);
PL_API pl_result pl_add_rope(pl_world *world, const pl_rope_def *def, pl_id *object);

typedef struct pl_bar_def
{
    int cells[3]; // boxes of five tetrahedra each
    pl_vec3 origin, size;
    float mass; // kg in all
    pl_softness edges;
    pl_softness volume;
    bool pin_start; // holds the face at x = origin.x
    bool pin_end;
} pl_bar_def;

PL_API pl_bar_def pl_default_bar_def(void);
PL_API pl_result pl_add_bar(pl_world *world, const pl_bar_def *def, pl_id *object);

// The blocks of constraints and faces that an authoring call made for an object. Returns how many there are.
PL_API int pl_object_blocks(const pl_world *world, pl_id object, pl_id *out, int capacity);
// All objects, and all blocks of constraints, whoever made them. Each returns how many there are, and fills at most capacity.
PL_API int pl_world_objects(const pl_world *world, pl_id *out, int capacity);
PL_API int pl_world_blocks(const pl_world *world, pl_id *out, int capacity);

// ---- meshes and solids ---------------------------------------------------------------------------------------------
//
// From a closed triangle mesh to tetrahedra and to particles: docs/solids.md. None of these calls needs a world. On failure the
// output is empty; free what succeeded with the call of its name.

typedef struct pl_mesh
{
    int vertex_count, triangle_count;
    float *vertices;    // 3 for each, m
    int32_t *triangles; // 3 vertices for each, anticlockwise seen from outside
} pl_mesh;

// A closed mesh made by code. Its middle is the centre; y is up.
typedef struct pl_mesh_def
{
    const char *shape; // "box", "sphere", "torus", "capsule", "teapot", "octopus"
    pl_vec3 centre;
    pl_vec3 size; // box: its edges, m
    float radius; // of the sphere, of the capsule, of the torus from its axis to the middle of the tube; of a body
    float tube;   // torus: the tube's radius
    float length; // capsule: the straight part, along y
    float edge;   // about how long the triangles' edges are; 0: as the shape needs
} pl_mesh_def;

PL_API pl_mesh_def pl_default_mesh_def(void);
PL_API pl_result pl_mesh_make(const pl_mesh_def *def, pl_mesh *out);
// Makes a copy that is fit to become a solid: merges vertices nearer than tolerance (m; below 0: a millionth of the mesh's
// size), takes out flat and double triangles, turns triangles outwards. What was done is told to the log (or NULL), a line for
// each kind of repair. Open, non-manifold, one-sided and self-intersecting meshes are refused, with the place named.
PL_API pl_result pl_mesh_repair(const pl_mesh *mesh, float tolerance, const pl_log *log, pl_mesh *out);
PL_API void pl_mesh_free(pl_mesh *mesh);

typedef struct pl_tets
{
    int vertex_count, tet_count, triangle_count;
    float *vertices;    // 3 for each, m
    int32_t *tets;      // 4 vertices a b c d for each; (b - a) . ((c - a) x (d - a)) > 0
    int32_t *triangles; // the surface: 3 vertices for each, anticlockwise seen from outside
    int32_t *owners;    // the tetrahedron behind each triangle
} pl_tets;

// Fills a solid mesh with tetrahedra whose edges are about `spacing` (m) long. Every dihedral angle is between 10 and 165 degrees.
PL_API pl_result pl_tetrahedralise(const pl_mesh *mesh, float spacing, pl_tets *out);
PL_API void pl_tets_free(pl_tets *tets);

typedef enum pl_lattice
{
    PL_LATTICE_CUBIC,
    PL_LATTICE_HEXAGONAL, // the densest packing: layers of triangles
} pl_lattice;

typedef struct pl_sample_def
{
    float spacing; // from a particle to the next, m
    float inset;   // how deep below the surface the outermost may lie, m; below 0: half a spacing, so that spheres fit
    pl_lattice lattice;
    bool snap;         // moves the outermost layer onto the inset surface
    bool surface_only; // particles on the inset surface alone, about evenly strewn
} pl_sample_def;

typedef struct pl_samples
{
    int count;
    float *positions; // 3 for each, m
    float *distances; // to the surface, m: negative inside
    float *normals;   // 3 for each: unit, where the distance grows fastest; out of the solid by the shortest way
} pl_samples;

PL_API pl_sample_def pl_default_sample_def(void);
PL_API pl_result pl_sample_particles(const pl_mesh *mesh, const pl_sample_def *def, pl_samples *out);
PL_API void pl_samples_free(pl_samples *samples);

// ---- reading the state ---------------------------------------------------------------------------------------------

typedef struct pl_energy
{
    double kinetic, potential, elastic; // J; potential: in gravity, in uniform, point and electric fields
} pl_energy;

PL_API pl_energy pl_world_energy(const pl_world *world);
PL_API void pl_world_momentum(const pl_world *world, double linear[3], double angular[3]);

typedef struct pl_residual
{
    double mean, max; // |C| / rest over the distance-like constraints
} pl_residual;

PL_API pl_residual pl_world_residual(const pl_world *world);

typedef struct pl_penetration
{
    double mean, max;   // overlap over the radius (half the sum of radii of a pair), over all that overlap
    int64_t contacts;   // particle pairs and particles on shapes that push each other
    int64_t candidates; // pairs and particles near shapes that are watched
} pl_penetration;

PL_API pl_penetration pl_world_penetration(const pl_world *world);

// 64 bits over positions and velocities in particle order. Equal hash: equal bits.
PL_API uint64_t pl_world_hash(const pl_world *world);

typedef struct pl_order_info
{
    int colours;    // batches in one iteration, over all kinds, without tiles
    int tiles;      // 0: the scene is small and has none
    int64_t seams;  // constraints across tiles
    int64_t jacobi; // constraints beyond the cap on colours, and spokes of hubs: solved the Jacobi way
} pl_order_info;

PL_API pl_order_info pl_world_order(pl_world *world);
PL_API size_t pl_world_memory(const pl_world *world);

// Stages of the step, and what the last step spent in each, in milliseconds of the first worker.
typedef enum pl_stage_group
{
    PL_STAGE_PREPARE,
    PL_STAGE_PREDICT,
    PL_STAGE_ELEMENTS,
    PL_STAGE_VELOCITY,
    PL_STAGE_GRID,     // cells, neighbours, lists of contacts
    PL_STAGE_CONTACTS, // visits of contacts
    PL_STAGE_GROUP_COUNT
} pl_stage_group;

typedef struct pl_timing
{
    double total;
    double stage[PL_STAGE_GROUP_COUNT];
} pl_timing;

PL_API const char *pl_stage_name(pl_stage_group stage);
PL_API pl_timing pl_world_timing(const pl_world *world);

// ---- queries -------------------------------------------------------------------------------------------------------

typedef struct pl_hit
{
    bool found;
    int face;       // as in pl_get_faces; -1: none
    int particle;   // the nearest corner
    float distance; // along the ray, m
    pl_vec3 point, normal;
} pl_hit;

// The first face along a ray. The direction need not be of unit length.
PL_API pl_result pl_ray_cast(const pl_world *world, pl_vec3 origin, pl_vec3 direction, float max_distance, pl_hit *hit);
// The particle nearest to a point, within max_distance.
PL_API pl_result pl_closest_particle(const pl_world *world, pl_vec3 point, float max_distance, pl_hit *hit);
// The first particle along a ray, of those within radius of it.
PL_API pl_result pl_pick_particle(const pl_world *world, pl_vec3 origin, pl_vec3 direction, float radius, pl_hit *hit);

// Drag a particle: begin, move as often as you like, end. It is a pin with a compliance.
PL_API pl_result pl_drag_begin(pl_world *world, int particle, float compliance, pl_id *drag);
PL_API pl_result pl_drag_move(pl_world *world, pl_id drag, pl_vec3 target);
PL_API pl_result pl_drag_end(pl_world *world, pl_id drag);

// ---- snapshots -----------------------------------------------------------------------------------------------------

// A snapshot resumes bit for bit, on any thread count, lane width and backend. The file appears whole or not at all.
PL_API pl_result pl_world_save(const pl_world *world, const char *path);
// def gives hooks, workers and backend; its settings are replaced by the snapshot's.
PL_API pl_result pl_world_load(const pl_world_def *def, const char *path, pl_world **world);
PL_API pl_result pl_world_save_memory(const pl_world *world, void **data, size_t *size);
PL_API pl_result pl_world_load_memory(const pl_world_def *def, const void *data, size_t size, pl_world **world);
PL_API void pl_free(void *data);

// ---- scenes --------------------------------------------------------------------------------------------------------

// A scene is a JSON text: docs/scenes.md. Loading makes a world and keeps the rest (frames, name, expectations).
typedef struct pl_scene pl_scene;

// How a scene wants to be looked at. It has no part in the physics.
typedef struct pl_camera
{
    bool given;          // false: the scene says nothing, and whoever shows it fits a view of its own
    pl_vec3 eye, target; // m
    float fov;           // degrees, from the picture's lower to its upper edge
    bool follow;         // the target is the mean of all particles, and the eye travels with it
    bool has_floor;
    float floor; // m, the height at which the ground is drawn
} pl_camera;

typedef struct pl_scene_info
{
    const char *name;
    const char *about;
    int frames;
    float dt;
    pl_camera camera;
} pl_scene_info;

// Parses text; `file` names it in messages. sets: "path=value" changes made before the scene is read.
PL_API pl_result pl_scene_parse(const char *text, size_t length, const char *file, const char *const *sets,
                                int set_count, pl_scene **scene);
PL_API pl_result pl_scene_load(const char *path, const char *const *sets, int set_count, pl_scene **scene);
PL_API void pl_scene_free(pl_scene *scene);
PL_API pl_scene_info pl_scene_describe(const pl_scene *scene);
// Makes the scene's world; def gives hooks, workers and backend.
PL_API pl_result pl_scene_world(const pl_scene *scene, const pl_world_def *def, pl_world **world);
// Applies what the scene scripts for the step about to be taken (moving pins and the like).
PL_API pl_result pl_scene_before_step(const pl_scene *scene, pl_world *world);
// Checks the scene's expect block against a world that has run its frames. Each failed line is written to `report`.
PL_API pl_result pl_scene_expect(const pl_scene *scene, const pl_world *world, char *report, size_t report_size,
                                 int *checked, int *failed);
// The scenes compiled into the library. NULL when there is no such name or number.
PL_API const char *pl_builtin_scene(const char *name, size_t *length);
PL_API const char *pl_builtin_scene_name(int number);

#ifdef __cplusplus
}
#endif
#endif
