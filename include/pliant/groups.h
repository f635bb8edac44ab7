// groups.h: groups of particles: clusters that keep their shape, closed surfaces that hold a volume.
#ifndef PLIANT_GROUPS_H
#define PLIANT_GROUPS_H

#include <pliant/contact.h>

#ifdef __cplusplus
extern "C" {
#endif

// What a cluster may become without pushing back (Mueller, Heidelberger, Teschner, Gross 2005).
typedef enum pl_match
{
    PL_MATCH_RIGID,     // turn
    PL_MATCH_LINEAR,    // turn, and by the part beta stretch and shear
    PL_MATCH_QUADRATIC, // ... and bend and twist
} pl_match;

typedef struct pl_cluster_material
{
    pl_match match;
    float
        stiffness; // in (0, 1]: how much of the way to its shape a substep goes; 1 with PL_MATCH_RIGID is a rigid body
    float beta;    // in [0, 0.95]: linear and quadratic; at 1 nothing would draw it back to its shape
    // Plastic flow: strain beyond `yield` becomes shape, `creep` of it each second, until the shape has strained by `limit`.
    float yield;     // 0: never
    float creep;     // 1/s
    float limit;     // the most that the shape changes, as a strain; 0: no limit
    float hardening; // the yield grows by this times the strain that the shape has taken
} pl_cluster_material;

PL_API pl_cluster_material pl_default_cluster_material(void);

// Clusters: cluster i has particles start[i] to start[i + 1] - 1 of `particles`. They may overlap: a particle then goes to the mean
// of what its clusters want. How the particles lie now is their shape, unless `rest` gives three numbers for each.
typedef struct pl_clusters_def
{
    int count;
    const int32_t *start; // count + 1
    const int32_t *particles;
    const float *rest;
    // NULL, or for each of `particles` where it lies in a body: the direction out of it, as at rest, and the distance to its surface,
    // m, negative inside (what pl_sample_particles tells). Contacts then know the body's faces.
    const float *field;
    pl_cluster_material material;
} pl_clusters_def;

PL_API pl_clusters_def pl_default_clusters_def(void);
PL_API pl_result pl_add_clusters(pl_world *world, const pl_clusters_def *def, pl_id *block);
PL_API pl_result pl_cluster_count(const pl_world *world, pl_id block, int *count);
PL_API pl_result pl_set_cluster_material(pl_world *world, pl_id block, const pl_cluster_material *material);
// Where a cluster is now: its centre, its rotation, and how its shape has flowed (row by row; the unit matrix at first).
typedef struct pl_cluster_pose
{
    pl_vec3 centre;
    pl_quat rotation;
    float shape[9];
} pl_cluster_pose;
PL_API pl_result pl_get_cluster(const pl_world *world, pl_id block, int cluster, pl_cluster_pose *pose);

// ---- lattices ------------------------------------------------------------------------------------------------------

// Overlapping regions on a regular lattice (Rivers and James 2007): around every particle, the particles in a box of cells, which keep their
// shape. The wider the regions the stiffer the body, and what a step costs does not depend on it.
typedef struct pl_lattice_def
{
    int count;
    const int32_t *particles; // none of them in another lattice
    const int32_t *cells;     // 3 for each: its cell; no two have the same
    int half_width;           // cells: a region is 2 half_width + 1 wide
    float stiffness;          // in (0, 1]: how much of the way to its shape a substep goes
} pl_lattice_def;

PL_API pl_lattice_def pl_default_lattice_def(void);
// How the particles lie now is their shape.
PL_API pl_result pl_add_lattice(pl_world *world, const pl_lattice_def *def, pl_id *lattice);
PL_API bool pl_is_lattice(const pl_world *world, pl_id block);
PL_API pl_result pl_set_lattice(pl_world *world, pl_id lattice, int half_width, float stiffness);

// ---- closed volumes ------------------------------------------------------------------------------------------------

// A closed surface of particles that holds `pressure` times its volume at rest: a balloon.
typedef struct pl_volume_def
{
    int triangle_count;
    const int32_t *triangles; // particle numbers, anticlockwise seen from outside
    float pressure;           // 1 holds the volume, 2 doubles it
    float compliance;         // m^5/N; 0: incompressible
    float rest;               // m^3; 0: as the particles lie now
} pl_volume_def;

typedef struct pl_volume_state
{
    float volume, rest; // m^3
    float pressure, compliance;
    float force; // Pa: what holds the volume, above the pressure outside
} pl_volume_state;

PL_API pl_volume_def pl_default_volume_def(void);
PL_API pl_result pl_add_volume(pl_world *world, const pl_volume_def *def, pl_id *volume);
PL_API pl_result pl_set_volume(pl_world *world, pl_id volume, float pressure, float compliance);
PL_API pl_result pl_get_volume(const pl_world *world, pl_id volume, pl_volume_state *state);

// ---- all of them ---------------------------------------------------------------------------------------------------

typedef struct pl_group_info
{
    int64_t rigid;    // clusters that only move and turn, and share no particle with another: rigid bodies
    int64_t clusters; // ... and the others with them
    int64_t lattices, volumes;
    int64_t oriented; // particles with a rotation of their own
} pl_group_info;

PL_API pl_group_info pl_world_groups(const pl_world *world);

#ifdef __cplusplus
}
#endif
#endif
