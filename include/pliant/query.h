// query.h: measures of the state, rays and the like, and dragging.
#ifndef PLIANT_QUERY_H
#define PLIANT_QUERY_H

#include <pliant/contact.h>

#ifdef __cplusplus
extern "C" {
#endif

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
    int64_t count;    // of these; 0: nothing was measured, as where there are only finite elements
} pl_residual;

PL_API pl_residual pl_world_residual(const pl_world *world);

typedef struct pl_penetration
{
    double mean, max;   // overlap over the radius (half the sum of radii of a pair), over all that overlap
    int64_t contacts;   // particle pairs, particles on shapes and pieces of skin that push each other
    int64_t candidates; // pairs and particles near shapes that are watched
    int64_t crossings;  // edges of skins that go through triangles of skins
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
    pl_id shape; // {0, 0}: no shape
} pl_hit;

// The first face along a ray. The direction need not be of unit length.
PL_API pl_result pl_ray_cast(const pl_world *world, pl_vec3 origin, pl_vec3 direction, float max_distance, pl_hit *hit);
// The particle nearest to a point, within max_distance.
PL_API pl_result pl_closest_particle(const pl_world *world, pl_vec3 point, float max_distance, pl_hit *hit);
// The first particle along a ray, of those within radius of it.
PL_API pl_result pl_pick_particle(const pl_world *world, pl_vec3 origin, pl_vec3 direction, float radius, pl_hit *hit);

typedef enum pl_cast_target
{
    PL_CAST_SHAPES = 1,
    PL_CAST_PARTICLES = 2, // as balls of their radii
    PL_CAST_FACES = 4,     // from either side
    PL_CAST_ALL = 7
} pl_cast_target;

// A ray, or a ball that flies along it.
typedef struct pl_cast_def
{
    pl_vec3 origin, direction; // the direction need not be of unit length
    float distance;            // m: how far it goes
    float radius;              // m, of the ball; 0: a ray
    int targets;               // of pl_cast_target, added up
    int mask;     // 8 bits: meets only what is on one of these channels; a face is where its first corner is
    pl_id ignore; // an object or a shape that is not met; {0, 0}: none
} pl_cast_def;

PL_API pl_cast_def pl_default_cast_def(void); // everything, a ray along -y of 1,000 m
// What is met first. hit->shape, hit->face or, where neither is, hit->particle tells what; distance is how far the ray or the
// ball's centre came, point where they touch, normal that of what was hit, towards the ray. Who begins within something, or
// touches it, meets it at distance 0. A call looks at every shape, particle and face once.
PL_API pl_result pl_cast(const pl_world *world, const pl_cast_def *def, pl_hit *hit);
// All that is met, nearest first; equally near: shapes, particles, faces, each by number. *count tells how many there are;
// the nearest are written, capacity at the most.
PL_API pl_result pl_cast_all(const pl_world *world, const pl_cast_def *def, pl_hit *out, int capacity, int *count);

// A ball or a box.
typedef struct pl_region
{
    pl_vec3 position;
    float radius; // of the ball; box: rounds its edges, beyond the half sides
    bool box;     // half sides and rotation count
    pl_vec3 half;
    pl_quat rotation;
    int mask; // 8 bits: particles on one of these channels
} pl_region;

PL_API pl_region pl_default_region(void); // a ball of no radius at the origin, all channels
// The particles that reach into a region, radii included, by rising number. *count tells how many there are; the first are
// written, capacity at the most.
PL_API pl_result pl_overlap(const pl_world *world, const pl_region *region, int32_t *out, int capacity, int *count);

// Drag a particle: begin, move as often as you like, end. It is a pin with a compliance.
PL_API pl_result pl_drag_begin(pl_world *world, int particle, float compliance, pl_id *drag);
PL_API pl_result pl_drag_move(pl_world *world, pl_id drag, pl_vec3 target);
PL_API pl_result pl_drag_end(pl_world *world, pl_id drag);

#ifdef __cplusplus
}
#endif
#endif
