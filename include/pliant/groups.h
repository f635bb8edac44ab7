// groups.h: groups of particles: clusters that keep their shape, lattices, closed volumes.
#ifndef PLIANT_GROUPS_H
#define PLIANT_GROUPS_H

#include <pliant/contact.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- clusters ------------------------------------------------------------------------------------------------------

/// How a cluster may deform without being pulled back to its rest shape (Mueller, Heidelberger, Teschner, Gross 2005).
typedef enum pl_match
{
    /// Not at all: it only moves and rotates.
    PL_MATCH_RIGID,
    /// By the share beta it may stretch and shear.
    PL_MATCH_LINEAR,
    /// By the share beta it may also bend and twist.
    PL_MATCH_QUADRATIC,
} pl_match;

/// How a cluster keeps its shape.
typedef struct pl_cluster_material
{
    /// The mode of shape matching. The default is PL_MATCH_RIGID.
    pl_match match;
    /// The share of the way to the goal shape that a substep moves the particles, above 0 and at most 1. The default is
    /// 1, which with PL_MATCH_RIGID is a rigid body.
    float stiffness;
    /// The share of the deformation that is not pulled back, from 0 (the default) to 0.95. Linear and quadratic only.
    float beta;
    /// Strain above which the cluster flows plastically, 0 or above. 0, the default: it never flows.
    float yield;
    /// The share of the strain beyond the yield that becomes part of the rest shape, 1/s, 0 or above. The default is 0.
    float creep;
    /// The largest strain of the rest shape, 0 or above. 0, the default: no limit.
    float limit;
    /// Hardening, 0 or above: the yield grows to yield (1 + hardening x plastic strain). The default is 0.
    float hardening;
} pl_cluster_material;

/// Returns the defaults named above: a rigid body.
PL_API pl_cluster_material pl_default_cluster_material(void);

/// Describes a block of clusters. Clusters may overlap: a particle in several moves to the mean of its goals.
typedef struct pl_clusters_def
{
    /// Number of clusters, at least 1.
    int count;
    /// count + 1 numbers: cluster i has the members start[i] to start[i + 1] - 1 of `particles`, at least one.
    const int32_t *start;
    /// Particle numbers. A particle may be in a cluster once.
    const int32_t *particles;
    /// The rest positions of the members, 3 floats for each, m. NULL, the default: the current positions.
    const float *rest;
    /// For each member where it lies in a body: the direction to the nearest surface at rest (3 floats, unit length)
    /// and the distance to the surface, m, negative inside. pl_sample_particles computes both. Contacts then use the
    /// faces of the body instead of its spheres. NULL, the default: spheres.
    const float *field;
    /// How all clusters of the block keep their shape.
    pl_cluster_material material;
} pl_clusters_def;

/// Returns the defaults named above.
PL_API pl_clusters_def pl_default_clusters_def(void);

/// Adds a block of clusters and stores its id in *block, which may be NULL. Fails with PL_ERROR_ARGUMENT if a particle
/// does not exist or a value is out of range. A world holds at most 268,435,455 members.
PL_API pl_result pl_add_clusters(pl_world *world, const pl_clusters_def *def, pl_id *block);

/// Stores the number of clusters of a block.
PL_API pl_result pl_cluster_count(const pl_world *world, pl_id block, int *count);

/// Replaces the material of all clusters of a block.
PL_API pl_result pl_set_cluster_material(pl_world *world, pl_id block, const pl_cluster_material *material);

/// The pose of a cluster.
typedef struct pl_cluster_pose
{
    /// The centre of mass, m.
    pl_vec3 centre;
    /// The rotation from the rest shape.
    pl_quat rotation;
    /// The plastic deformation of the rest shape, a 3 x 3 matrix row by row. It starts as the identity.
    float shape[9];
} pl_cluster_pose;

/// Stores the pose of a cluster of a block, counted from 0.
PL_API pl_result pl_get_cluster(const pl_world *world, pl_id block, int cluster, pl_cluster_pose *pose);

// ---- lattices ------------------------------------------------------------------------------------------------------

/// Describes a lattice: overlapping shape-matching regions on a regular grid (Rivers and James 2007). Each particle has
/// a region, the particles in a box of cells around it. Wider regions make the body stiffer; the cost of a step does
/// not depend on the width.
typedef struct pl_lattice_def
{
    /// Number of particles, at least 1.
    int count;
    /// Particle numbers. None of them may be in another lattice.
    const int32_t *particles;
    /// The cell of each particle, 3 integers for each. No two particles may have the same cell. The bounding boxes of
    /// all lattices of a world have at most 16,777,216 cells.
    const int32_t *cells;
    /// Half of the width of a region in cells, from 1 to 4,096: a region is 2 half_width + 1 cells wide. The default is
    /// 2.
    int half_width;
    /// The share of the way to the goal shape that a substep moves the particles, above 0 and at most 1. The default is
    /// 1.
    float stiffness;
} pl_lattice_def;

/// Returns the defaults named above.
PL_API pl_lattice_def pl_default_lattice_def(void);

/// Adds a lattice with the current positions as its rest shape and stores its id in *lattice, which may be NULL.
PL_API pl_result pl_add_lattice(pl_world *world, const pl_lattice_def *def, pl_id *lattice);

/// Tells whether an id names a lattice.
PL_API bool pl_is_lattice(const pl_world *world, pl_id block);

/// Changes half_width and stiffness of a lattice, with the ranges of pl_lattice_def.
PL_API pl_result pl_set_lattice(pl_world *world, pl_id lattice, int half_width, float stiffness);

// ---- closed volumes ------------------------------------------------------------------------------------------------

/// Describes a closed surface of particles that holds `pressure` times its rest volume, such as a balloon.
typedef struct pl_volume_def
{
    /// Number of triangles, at least 4.
    int triangle_count;
    /// Particle numbers, 3 for each triangle, counter-clockwise seen from outside. Every edge must belong to two
    /// triangles, and no particle to another volume.
    const int32_t *triangles;
    /// The volume to hold as a multiple of the rest volume, above 0 and at most 1,000. The default is 1.
    float pressure;
    /// Compliance of the gas, m^5/N, 0 or above. 0, the default: incompressible.
    float compliance;
    /// The rest volume, m^3. 0, the default: the current volume.
    float rest;
} pl_volume_def;

/// The state of a volume.
typedef struct pl_volume_state
{
    /// The current volume, m^3.
    float volume;
    /// The rest volume, m^3.
    float rest;
    /// The volume to hold as a multiple of the rest volume.
    float pressure;
    /// Compliance of the gas, m^5/N.
    float compliance;
    /// The pressure difference to the outside that holds the volume, Pa.
    float force;
} pl_volume_state;

/// Returns the defaults named above.
PL_API pl_volume_def pl_default_volume_def(void);

/// Adds a volume and stores its id in *volume, which may be NULL. Fails with PL_ERROR_ARGUMENT if the surface is open
/// or inside out.
PL_API pl_result pl_add_volume(pl_world *world, const pl_volume_def *def, pl_id *volume);

/// Changes pressure and compliance of a volume, with the ranges of pl_volume_def.
PL_API pl_result pl_set_volume(pl_world *world, pl_id volume, float pressure, float compliance);

/// Stores the state of a volume.
PL_API pl_result pl_get_volume(const pl_world *world, pl_id volume, pl_volume_state *state);

// ---- all groups ----------------------------------------------------------------------------------------------------

/// Numbers of groups of a world.
typedef struct pl_group_info
{
    /// Rigid bodies: clusters that only move and rotate and share no particle with another cluster.
    int64_t rigid;
    /// All clusters, rigid bodies included.
    int64_t clusters;
    /// Lattices.
    int64_t lattices;
    /// Closed volumes.
    int64_t volumes;
    /// Particles that have a rotation (oriented.h).
    int64_t oriented;
} pl_group_info;

/// Returns the numbers of groups.
PL_API pl_group_info pl_world_groups(const pl_world *world);

/// The number of groups of one kind.
typedef struct pl_group_count
{
    /// A short name of the kind: "clusters".
    const char *key;
    /// What its groups are called: "oriented particles".
    const char *words;
    /// Their number.
    int64_t count;
} pl_group_count;

/// Stores the numbers of groups of all kinds that take part in a step, at most `capacity` of them, and returns how many
/// such kinds there are. Their order is always the same. `out` may be NULL if the capacity is 0.
PL_API int pl_group_counts(const pl_world *world, pl_group_count *out, int capacity);

#ifdef __cplusplus
}
#endif
#endif
