// query.h: measures of the state, timings, rays and other queries, and dragging.
#ifndef PLIANT_QUERY_H
#define PLIANT_QUERY_H

#include <pliant/contact.h>
#include <pliant/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- measures ------------------------------------------------------------------------------------------------------

/// Energies, J.
typedef struct pl_energy
{
    /// Kinetic energy.
    double kinetic;
    /// Potential energy in gravity and in uniform, point and electric fields.
    double potential;
    /// Elastic energy of constraints that have a compliance.
    double elastic;
} pl_energy;

/// Returns the energies of the world.
PL_API pl_energy pl_world_energy(const pl_world *world);

/// Stores the linear momentum, kg m/s, and the angular momentum about the origin, kg m^2/s.
PL_API void pl_world_momentum(const pl_world *world, double linear[3], double angular[3]);

/// How far constraints are violated: |C|/rest of the distances and tethers.
typedef struct pl_residual
{
    /// The mean.
    double mean;
    /// The largest.
    double max;
    /// Number of constraints that were measured. 0: there are none, for example where all constraints are finite
    /// elements.
    int64_t count;
} pl_residual;

/// Returns how far constraints are violated.
PL_API pl_residual pl_world_residual(const pl_world *world);

/// How well the constraints have converged. Gauss-Seidel iterations approach the forces that the compliances ask for; with
/// too few of them, constraints act softer than their compliance says, the more so the finer and stiffer an object is.
typedef struct pl_convergence
{
    /// The estimated relative error of the forces of the constraints that have a compliance, weighted by their elastic
    /// energy, from 0 (converged) to 1. An error of e means that constraints act 1/(1 - e) times as soft as their
    /// compliance says: at 0.5 an object sags twice as far under its weight, and oscillates at 0.71 of its frequency.
    double force_error;
    /// Number of constraints with a compliance that are loaded. 0: force_error is 0 and says nothing.
    int64_t count;
    /// False: force_error is too small, because more iterations than were tried would still change the forces.
    bool settled;
    /// The mean of |C|/rest of the rigid distances and tethers: those without a compliance, for which it should be 0.
    double rigid_strain;
    /// Number of these constraints. 0: rigid_strain is 0 and says nothing.
    int64_t rigid_count;
    /// Substeps and iterations that bring force_error below about 0.05 and rigid_strain below about 0.01; those of the
    /// world if both are below already. At most 10,000 substeps.
    int substeps, iterations;
    /// False: nothing could be measured, because no step has been made since the world was created or changed, because
    /// the solver is PL_SOLVER_PBD, in which stiffness depends on the iterations by design, for lack of memory, or
    /// because the GPU was lost; then all numbers are 0. pl_error_message tells why.
    bool measured;
} pl_convergence;

/// Measures how well the constraints have converged. It copies the world and computes its next substep several times on
/// the CPU, with the iterations of the settings and with 4, 16, ... times as many, until the forces do not change any
/// more; the world stays as it is. It takes as long as a few frames. The result has the same bits on every machine.
PL_API pl_convergence pl_world_convergence(const pl_world *world);

/// Predicts the same from masses and compliances, without a step, for frames of dt seconds. For constraints with a
/// compliance, q = (1/2) mean(W/compliance h^2 + W damping h) of the stiffest block of constraints, with the substep h (BDF2: 2/3 of it) and
/// W = sum of |grad C|^2/mass, and force_error = (q/(1 + q))^iterations. For rigid distances of the length l in an object of the size
/// L, rigid_strain = |gravity| h^2 L/(2 l^2 iterations), unless the object has tethers. The prediction is for smooth loads,
/// and within a factor of 2 or 3.
PL_API pl_convergence pl_world_expected_convergence(const pl_world *world, float dt);

/// Sets settings->substeps and settings->iterations so that pl_world_expected_convergence is good for frames of dt seconds:
/// 20 x 1 where that is enough, else more of both, up to substeps x iterations = 200. Other settings are not changed, and neither is
/// the world: pass the settings to pl_world_set_settings. Scenes that give neither substeps nor iterations get these.
PL_API pl_result pl_recommend_settings(const pl_world *world, float dt, pl_settings *settings);

/// How far contacts overlap: the overlap divided by the radius (of a pair: by half of the sum of its radii).
typedef struct pl_penetration
{
    /// The mean over all that overlap.
    double mean;
    /// The largest.
    double max;
    /// Number of active contacts: pairs of particles, particles on shapes, and pairs of surface elements.
    int64_t contacts;
    /// Number of entries in the contact lists: pairs and particles near shapes, active or not. 0 while there are none.
    int64_t candidates;
    /// Number of edges of colliding surfaces that pass through triangles of colliding surfaces.
    int64_t crossings;
    /// Number of contacts of rigid bodies that press: one for each manifold, as in pl_get_rigid_contacts. 0 after an edit
    /// or a load, until the next step.
    int64_t rigid_contacts;
    /// The largest overlap of rigid bodies with each other and with shapes, m. It is not in mean and max.
    double rigid_depth;
    /// False: nothing could be measured, for lack of memory, because a particle is too far away to be searched for, or
    /// because the GPU was lost; then all numbers are 0. pl_error_message tells why.
    bool measured;
} pl_penetration;

/// Returns how far contacts overlap. After an edit, a tear or a load there are no contact lists until the next step; then
/// particles and shapes are searched for overlaps, `contacts` counts what pressed at the end of the last step, and
/// `candidates` is 0.
PL_API pl_penetration pl_world_penetration(const pl_world *world);

/// Returns a hash of 64 bits over the positions and velocities in the order of the particle numbers. Worlds with equal
/// bits have equal hashes.
PL_API uint64_t pl_world_hash(const pl_world *world);

/// The order in which constraints are solved.
typedef struct pl_order_info
{
    /// Number of colours of one iteration over all kinds, tiles not included.
    int colours;
    /// Number of tiles. 0: the scene is too small for tiles.
    int tiles;
    /// Number of constraints between tiles.
    int64_t seams;
    /// Number of constraints that are solved by Jacobi iteration: those beyond the limit of colours and those of hubs.
    int64_t jacobi;
} pl_order_info;

/// Returns the order in which constraints are solved. It computes the order if edits have changed it.
PL_API pl_order_info pl_world_order(pl_world *world);

/// Returns the bytes of host memory that the world has allocated.
PL_API size_t pl_world_memory(const pl_world *world);

/// Groups of stages of a step, for timings.
typedef enum pl_stage_group
{
    /// What precedes the first substep.
    PL_STAGE_PREPARE,
    /// Forces, wind and prediction.
    PL_STAGE_PREDICT,
    /// Constraints and groups.
    PL_STAGE_ELEMENTS,
    /// Velocities, damping and restitution.
    PL_STAGE_VELOCITY,
    /// The grid, neighbours and contact lists.
    PL_STAGE_GRID,
    /// Solving contacts.
    PL_STAGE_CONTACTS,
    /// The number of groups.
    PL_STAGE_GROUP_COUNT
} pl_stage_group;

/// How long the last step took, ms of the first worker, or of the device.
typedef struct pl_timing
{
    /// All stages together.
    double total;
    /// Each group of stages.
    double stage[PL_STAGE_GROUP_COUNT];
} pl_timing;

/// Returns the name of a group of stages: "prepare", "predict", "elements", "velocity", "grid", "contacts"; "unknown"
/// for any other value.
PL_API const char *pl_stage_name(pl_stage_group stage);

/// Returns how long the last step took.
PL_API pl_timing pl_world_timing(const pl_world *world);

// ---- queries -------------------------------------------------------------------------------------------------------

/// What a query found.
typedef struct pl_hit
{
    /// False: nothing was found.
    bool found;
    /// The face, as in pl_get_faces. -1: none.
    int face;
    /// The particle; of a face, its nearest corner. -1: none.
    int particle;
    /// The distance along the ray, or from the point, m.
    float distance;
    /// Where the ray or ball touches, m.
    pl_vec3 point;
    /// The unit normal of what was hit.
    pl_vec3 normal;
    /// The shape of the world. {0, 0}: none.
    pl_id shape;
    /// The object that the particle or the face belongs to; of a rigid body, the body. {0, 0} for a shape of the world.
    pl_id object;
    /// The number of the shape in the rigid body, as in pl_get_rigid_shape. -1: no body was hit.
    int part;
    /// The distance divided by that of the cast, from 0 to 1. 0 if there is no such distance.
    float fraction;
    /// The user data of the rigid body, or of the shape or object (pl_set_user_data). 0: none.
    uint64_t user_data;
} pl_hit;

/// Sets the user data of an object, a shape or anything else that has an id: a number that hits return, which the
/// world does not use. It is saved in snapshots and starts at 0. Of a rigid body it is pl_rigid_def.user_data.
PL_API pl_result pl_set_user_data(pl_world *world, pl_id id, uint64_t user_data);

/// Returns the user data of an id. 0 if the id names nothing.
PL_API uint64_t pl_get_user_data(const pl_world *world, pl_id id);

/// Finds the first face along a ray. direction need not have unit length but must not be 0. max_distance is in m, 0 or
/// above. It succeeds with hit->found == false if there is none.
PL_API pl_result pl_ray_cast(const pl_world *world, pl_vec3 origin, pl_vec3 direction, float max_distance, pl_hit *hit);

/// Finds the particle whose centre is nearest to a point, within max_distance, m.
PL_API pl_result pl_closest_particle(const pl_world *world, pl_vec3 point, float max_distance, pl_hit *hit);

/// Finds the first particle along a ray whose centre is within radius, m, of the ray.
PL_API pl_result pl_pick_particle(const pl_world *world, pl_vec3 origin, pl_vec3 direction, float radius, pl_hit *hit);

/// What a cast can hit. Add the values up.
typedef enum pl_cast_target
{
    /// Shapes.
    PL_CAST_SHAPES = 1,
    /// Particles, as spheres of their radii. A particle of radius 0 can be hit only by a ball.
    PL_CAST_PARTICLES = 2,
    /// Faces, from either side.
    PL_CAST_FACES = 4,
    /// The shapes of rigid bodies.
    PL_CAST_BODIES = 8,
    /// All of them.
    PL_CAST_ALL = 15
} pl_cast_target;

/// What a cast moves.
typedef enum pl_cast_form
{
    /// A ball of `radius`; a ray if that is 0.
    PL_CAST_BALL,
    /// A capsule: `radius` around a segment of `length` along its y axis.
    PL_CAST_CAPSULE,
    /// A box with the half edges `half`, rounded by `radius` beyond its sides.
    PL_CAST_BOX,
    /// The convex hull of `vertices`, rounded by `radius`.
    PL_CAST_HULL,
    /// The number of forms.
    PL_CAST_FORM_COUNT
} pl_cast_form;

/// Decides which bodies and shapes a query finds, by 64 categories: those of which one is in `mask`, and whose own mask
/// has one of `category`. The categories of a shape of the world are its channels, bits 0 to 7; its mask is all.
typedef struct pl_query_filter
{
    /// The categories of the query. The default is all bits.
    uint64_t category;
    /// The categories that it finds. The default is all bits.
    uint64_t mask;
} pl_query_filter;

enum
{
    /// The most vertices of a hull that is cast.
    PL_CAST_VERTICES = 256,
};

/// Describes a cast: what moves, from where, in which direction, how far, and what it can hit.
typedef struct pl_cast_def
{
    /// The start, m. The default is the origin.
    pl_vec3 origin;
    /// The direction. It need not have unit length but must not be 0. The default is (0, -1, 0).
    pl_vec3 direction;
    /// How far it goes, m, 0 or above. The default is 1,000.
    float distance;
    /// The radius of the ball or capsule, or the rounding of the box or hull, m, 0 or above. The default is 0.
    float radius;
    /// What moves. The default is PL_CAST_BALL: a ray or a ball.
    pl_cast_form form;
    /// Capsule, box, hull: the rotation. The default is none.
    pl_quat rotation;
    /// Box: half of its edges, m, each 0 or above. The default is 0.5 each.
    pl_vec3 half;
    /// Capsule: the distance between the centres of its ends, m, 0 or above. The default is 1.
    float length;
    /// Hull: the vertices relative to `origin`, 3 floats for each, m.
    const float *vertices;
    /// Hull: the number of vertices, from 1 to PL_CAST_VERTICES.
    int vertex_count;
    /// What it can hit: a sum of pl_cast_target. The default is PL_CAST_ALL.
    int targets;
    /// It hits only what is on one of these channels, from 0 to 255. The channels of a face are those of its first
    /// corner. The default is 255.
    int mask;
    /// An object or a shape that is not hit. {0, 0}, the default: none.
    pl_id ignore;
    /// Which bodies and shapes it can hit, by 64 categories. The default is all.
    pl_query_filter filter;
} pl_cast_def;

/// Returns the defaults named above.
PL_API pl_cast_def pl_default_cast_def(void);

/// Finds what a cast hits first. hit->shape, hit->part (of the body hit->object), hit->face or, if none of them is set,
/// hit->particle names it. hit->distance is how far the cast moved, hit->point where they touch, hit->normal the normal of what
/// was hit, towards the cast. A cast that starts inside something, or touches it, hits it at distance 0.
/// Several threads may query one world at a time, as long as none changes it.
PL_API pl_result pl_cast(const pl_world *world, const pl_cast_def *def, pl_hit *hit);

/// Finds everything that a cast hits, nearest first; at equal distance shapes, bodies, particles, faces, each by
/// number. Stores the number of hits in *count and copies at most capacity of the nearest to out.
PL_API pl_result pl_cast_all(const pl_world *world, const pl_cast_def *def, pl_hit *out, int capacity, int *count);

/// A ball or a box.
typedef struct pl_region
{
    /// The centre, m. The default is the origin.
    pl_vec3 position;
    /// The radius of the ball, m, 0 or above. It rounds the edges of a box, beyond its sides. The default is 0.
    float radius;
    /// The region is a box: `half` and `rotation` apply. The default is false.
    bool box;
    /// Half of the edges of the box, m, each above 0. The default is 0.5 each.
    pl_vec3 half;
    /// The rotation of the box. The default is none.
    pl_quat rotation;
    /// It finds only particles on one of these channels, from 0 to 255. The default is 255.
    int mask;
} pl_region;

/// Returns the defaults named above.
PL_API pl_region pl_default_region(void);

/// Finds the particles that overlap a region, with their radii, in rising order of their numbers. Stores how many there
/// are in *count and copies at most capacity of the first to out.
PL_API pl_result pl_overlap(const pl_world *world, const pl_region *region, int32_t *out, int capacity, int *count);

/// Finds everything that the form of a cast overlaps or touches where it starts: shapes, bodies, particles and faces, in
/// this order, each by number. Its direction and distance are not used. Stores how many there are in *count and copies
/// at most capacity of the first to out; their distances are 0.
PL_API pl_result pl_overlap_all(const pl_world *world, const pl_cast_def *def, pl_hit *out, int capacity, int *count);

// ---- dragging ------------------------------------------------------------------------------------------------------

/// Starts to drag a particle and stores the id of the drag in *drag. A drag is a pin with a compliance, m/N, 0 or
/// above.
PL_API pl_result pl_drag_begin(pl_world *world, int particle, float compliance, pl_id *drag);

/// Moves the target of a drag, m, as pl_move_pins does. Call it as often as you like.
PL_API pl_result pl_drag_move(pl_world *world, pl_id drag, pl_vec3 target);

/// Ends a drag.
PL_API pl_result pl_drag_end(pl_world *world, pl_id drag);

#ifdef __cplusplus
}
#endif
#endif
