// author.h: cloth, ropes, bars and bodies: objects made of particles and constraints.
//
// A call adds the whole object or, if it fails, nothing. Its id may be stored in *object, which may be NULL.
#ifndef PLIANT_AUTHOR_H
#define PLIANT_AUTHOR_H

#include <pliant/constraints.h>
#include <pliant/damage.h>
#include <pliant/groups.h>
#include <pliant/solids.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- cloth ---------------------------------------------------------------------------------------------------------

/// How a cloth resists bending.
typedef enum pl_bending
{
    /// It does not.
    PL_BENDING_NONE,
    /// By distances: on a grid from each particle to the next but one, on a mesh across each edge.
    PL_BENDING_LINKS,
    /// By the angle at each edge.
    PL_BENDING_DIHEDRAL,
    /// By the curvature at each edge. It is meant for cloth that is flat at rest.
    PL_BENDING_ISOMETRIC,
} pl_bending;

/// How a cloth resists strain.
typedef enum pl_cloth_model
{
    /// By distances: `stretch` along the edges, `shear` across the cells of a grid.
    PL_CLOTH_LINKS,
    /// By triangles of `fabric`, St. Venant-Kirchhoff.
    PL_CLOTH_STVK,
    /// By triangles of `fabric` whose warp, weft and angle are independent of each other.
    PL_CLOTH_STRAIN,
} pl_cloth_model;

/// A woven fabric. The warp runs along u (on a mesh as nearly as each triangle allows), the weft across it.
typedef struct pl_fabric
{
    /// Young's modulus along the warp, Pa, above 0. The default is 1e6.
    float young_warp;
    /// Young's modulus along the weft, Pa, above 0. The default is 1e6.
    float young_weft;
    /// Shear modulus, Pa, above 0. The default is 4e5.
    float shear;
    /// Poisson's ratio: how much the weft narrows when the warp is stretched, 0 or above; its square times
    /// young_weft/young_warp must be below 0.98. The default is 0.2.
    float poisson;
    /// Thickness for the stiffness, m, above 0. The default is 5e-4.
    float thickness;
    /// Viscosity, Pa s, 0 or above. The default is 0.
    float viscosity;
} pl_fabric;

/// Describes a cloth: a grid of columns x rows particles or, if vertices is not NULL, a triangle mesh.
typedef struct pl_cloth_def
{
    /// Grid: number of particles along u, at least 2. The default is 20. A cloth has at most 67,108,863 particles.
    int columns;
    /// Grid: number of particles along v, at least 2. The default is 20.
    int rows;
    /// Grid: the position of the first corner, m. The default is the origin.
    pl_vec3 origin;
    /// Grid: from the first corner to the next along a row, m. The default is (1, 0, 0). It is also the warp direction.
    pl_vec3 u;
    /// Grid: from the first row to the last, m. The default is (0, 0, 1). u and v must span an area.
    pl_vec3 v;
    /// Mesh: positions, 3 floats for each vertex, m. NULL, the default: a grid.
    const float *vertices;
    /// Mesh: vertices of the triangles, 3 for each. Each must have an area, and every vertex must be in one.
    const int32_t *triangles;
    /// Mesh: number of vertices.
    int vertex_count;
    /// Mesh: number of triangles.
    int triangle_count;

    /// The total mass, kg, above 0. The default is 0.2. Each particle gets that of its area: on an edge of a grid half of
    /// what it gets inside, at a corner a quarter.
    float mass;
    /// How it resists strain. The default is PL_CLOTH_LINKS. The other models use `fabric` instead of stretch and
    /// shear.
    pl_cloth_model model;
    /// The fabric of PL_CLOTH_STVK and PL_CLOTH_STRAIN.
    pl_fabric fabric;
    /// Softness along the edges. The default is rigid.
    pl_softness stretch;
    /// Softness across the cells of a grid. The default is rigid.
    pl_softness shear;
    /// Softness of bending, in the unit of the kind that `bending` selects. The default is rigid.
    pl_softness bend;
    /// How it resists bending. The default is PL_BENDING_LINKS.
    pl_bending bending;
    /// The strength above which it tears: N of a link along edges and across cells, Pa of a triangle. 0, the default:
    /// never.
    float strength;
    /// Plastic flow of the bending angles, which leaves creases. It needs PL_BENDING_DIHEDRAL. The default is none.
    pl_plastic plastic;
    /// The drag coefficient of its faces in the wind, from 0 to 1,000. The default is 1.
    float drag;
    /// The lift coefficient of its faces in the wind, from 0 to 1,000. The default is 0.
    float lift;
    /// Particles that are held in place, counted from 0 within the object. They get the mass 0.
    const int32_t *pinned;
    /// Number of pinned particles. The default is 0.
    int pinned_count;
    /// Adds a tether (long-range attachment) from every particle to its nearest pinned one. The default is false.
    bool tethers;
    /// How much longer than the rest distance a tether is, as a share, 0 or above. The default is 0.02.
    float tether_slack;
    /// Thickness of the colliding surface, m, from 0 to below 1e6 and at most 3 times the distance between its
    /// particles. Above 0 the cloth collides as a surface, also with itself (PL_ATTRIBUTE_THICKNESS), and the radius of
    /// its particles is half of it. With 0, the default, it collides with shapes only.
    float thickness;
} pl_cloth_def;

/// Returns the defaults named above.
PL_API pl_cloth_def pl_default_cloth_def(void);

/// Adds a cloth.
PL_API pl_result pl_add_cloth(pl_world *world, const pl_cloth_def *def, pl_id *object);

// ---- ropes ---------------------------------------------------------------------------------------------------------

/// Describes a rope: a row of segments + 1 particles.
typedef struct pl_rope_def
{
    /// Number of segments, from 1 to 67,108,863. The default is 50.
    int segments;
    /// The position of the first particle, m. The default is the origin.
    pl_vec3 from;
    /// The position of the last particle, m. The default is (1, 0, 0).
    pl_vec3 to;
    /// The positions of all particles, 3 floats for each of segments + 1, m. NULL, the default: evenly from `from` to
    /// `to`.
    const float *points;
    /// The length at rest, m. 0, the default: as laid out. A longer rope sags.
    float length;
    /// The total mass, kg, above 0. The default is 0.1.
    float mass;
    /// Softness of the links. The default is rigid.
    pl_softness stretch;
    /// Softness of bending. The default is rigid. It has an effect only if `bending` is set.
    pl_softness bend;
    /// Resists bending by links from each particle to the next but one. The default is false.
    bool bending;
    /// The links only pull (PL_KIND_DISTANCE_MAX), as those of a real rope. The default is false.
    bool pull_only;
    /// Holds the first particle in place. The default is false.
    bool pin_first;
    /// Holds the last particle in place. The default is false.
    bool pin_last;
    /// The force above which a link breaks, N. 0, the default: never.
    float strength;
} pl_rope_def;

/// Returns the defaults named above.
PL_API pl_rope_def pl_default_rope_def(void);

/// Adds a rope.
PL_API pl_result pl_add_rope(pl_world *world, const pl_rope_def *def, pl_id *object);

// ---- bars ----------------------------------------------------------------------------------------------------------

/// How a solid resists strain. docs/elements.md compares the models.
typedef enum pl_solid_model
{
    /// By distances along the edges of its tetrahedra and by their volumes.
    PL_SOLID_LINKS,
    /// St. Venant-Kirchhoff. For small compression: an element that is turned inside out stays so.
    PL_SOLID_STVK,
    /// Linear elasticity in the rotating frame of each element. It is stable at any substep: the model to try first.
    PL_SOLID_COROTATED,
    /// Stable neo-Hookean: rubber. The fastest of the elements. It needs substeps that are shorter than a sound wave
    /// takes along an edge.
    PL_SOLID_NEO_HOOKEAN,
    /// Stretch along three axes and the angles between them.
    PL_SOLID_STRAIN,
} pl_solid_model;

/// An isotropic elastic material.
typedef struct pl_elastic
{
    /// Young's modulus, Pa, above 0. The default is 1e5.
    float young;
    /// Poisson's ratio, from 0 to 0.495, or to 0.499 with average_volume. The default is 0.3 for a bar and 0.4 for a
    /// body.
    float poisson;
    /// Viscosity, Pa s, 0 or above. The default is 0.
    float viscosity;
    /// Resists a change of volume in patches of about five tetrahedra (PL_KIND_PATCH_VOLUME) instead of in each one: use
    /// it for a Poisson's ratio above 0.4, where single tetrahedra are too stiff. Up to 0.3 it changes nothing. Not for
    /// PL_SOLID_STRAIN. The default is false.
    bool average_volume;
} pl_elastic;

/// A material divided between tetrahedra and patches (pl_find_patches).
typedef struct pl_patch_material
{
    /// Poisson's ratio of the tetrahedra: at most 0.3.
    float poisson;
    /// Softness of the tetrahedra.
    pl_softness tets;
    /// Softness of the patches, which have the rest of Lame's lambda. Up to a Poisson's ratio of 0.3 there is no rest:
    /// its compliance is 0, and the mesh needs no patches.
    pl_softness patches;
} pl_patch_material;

/// Divides an elastic material as average_volume does, for tetrahedra of your own. All fields are 0 if elastic is NULL.
PL_API pl_patch_material pl_divide_elastic(const pl_elastic *elastic);

/// Describes a bar: a box of cells with five tetrahedra each.
typedef struct pl_bar_def
{
    /// Number of cells along x, y and z, each at least 1, together at most 33,554,431. The default is 10 x 3 x 3.
    int cells[3];
    /// The corner with the smallest coordinates, m. The default is the origin.
    pl_vec3 origin;
    /// The lengths of the edges, m, each above 0. The default is (1, 0.3, 0.3).
    pl_vec3 size;
    /// The total mass, kg, above 0. The default is 1.
    float mass;
    /// How it resists strain. The default is PL_SOLID_LINKS. Elements use `elastic`, links use `edges` and `volume`.
    pl_solid_model model;
    /// The material of elements.
    pl_elastic elastic;
    /// Softness of the links. The default is rigid.
    pl_softness edges;
    /// Softness of the volumes of PL_SOLID_LINKS. The default is rigid.
    pl_softness volume;
    /// Plastic flow of its elements or links. The default is none.
    pl_plastic plastic;
    /// The strength above which it tears: Pa of elements, N of links. 0, the default: never.
    float strength;
    /// Holds the face at x = origin.x in place. The default is false.
    bool pin_start;
    /// Holds the face at x = origin.x + size.x in place. The default is false.
    bool pin_end;
} pl_bar_def;

/// Returns the defaults named above.
PL_API pl_bar_def pl_default_bar_def(void);

/// Adds a bar.
PL_API pl_result pl_add_bar(pl_world *world, const pl_bar_def *def, pl_id *object);

// ---- bodies --------------------------------------------------------------------------------------------------------

/// What a closed mesh becomes.
typedef enum pl_body_kind
{
    /// A rigid body: particles inside, one cluster that only moves and rotates.
    PL_BODY_RIGID,
    /// A soft body: particles inside, one cluster that deforms as `match` says.
    PL_BODY_JELLY,
    /// Particles inside, in overlapping clusters of `region` spacings' half width, whose rest shape flows as `match`
    /// says.
    PL_BODY_PLASTIC,
    /// Tetrahedra of `model` and `elastic`.
    PL_BODY_SOFT,
    /// The vertices of the mesh, linked along its edges by `stretch` and across them by `bend`, with a volume that
    /// `pressure` and `gas` describe.
    PL_BODY_BALLOON,
    /// Particles inside on a lattice (pl_lattice_def) with regions of `region` spacings' half width. The cost does not
    /// depend on the width.
    PL_BODY_LATTICE,
} pl_body_kind;

/// Describes a body.
typedef struct pl_body_def
{
    /// The mesh: closed, with triangles that face outwards. pl_mesh_make and pl_mesh_repair return such meshes.
    const pl_mesh *mesh;
    /// The position of the origin of the mesh in the world, m. The default is the origin.
    pl_vec3 position;
    /// The rotation of the mesh about its origin. The default is none.
    pl_quat rotation;
    /// What the mesh becomes. The default is PL_BODY_RIGID.
    pl_body_kind kind;
    /// The total mass, kg, above 0. The default is 1.
    float mass;
    /// The distance between particles, or about the length of an edge of a tetrahedron, m, above 0. The default is
    /// 0.05. A balloon does not use it.
    float spacing;
    /// Jelly, plastic: how clusters keep their shape. Lattice: only its stiffness. The default is rigid with stiffness
    /// 1.
    pl_cluster_material match;
    /// Plastic, lattice: half of the width of a region in spacings, from 1 to 16. The default is 2.
    float region;
    /// Soft: how it resists strain. The default is PL_SOLID_COROTATED. PL_SOLID_LINKS is not allowed.
    pl_solid_model model;
    /// Soft: its material.
    pl_elastic elastic;
    /// Soft: its plastic flow. The default is none.
    pl_plastic plastic;
    /// The strength above which it tears: Pa of a soft body, N of a link along the edges of a balloon. 0, the default:
    /// never.
    float strength;
    /// Balloon: softness along its edges. The default is a compliance of 1e-4 m/N.
    pl_softness stretch;
    /// Balloon: softness of the links across its edges. The default is a compliance of 1e-2 m/N.
    pl_softness bend;
    /// Balloon: the volume that it holds as a multiple of the volume of the mesh, above 0 and at most 1,000. The
    /// default is 1.
    float pressure;
    /// Balloon: compliance of the gas, m^5/N, 0 or above. 0, the default: incompressible.
    float gas;
    /// Adds the mesh as a visual mesh (pl_add_visual) that follows the body. The default is false. A balloon needs
    /// none: its faces are its mesh.
    bool visual;
    /// Soft, balloon: twice the collision radius of its particles (PL_ATTRIBUTE_RADIUS), m, 0 or above. With 0, the
    /// default, it collides with shapes only. The other kinds consist of spheres whose diameter is the spacing.
    float thickness;
} pl_body_def;

/// Returns the defaults named above.
PL_API pl_body_def pl_default_body_def(void);

/// Stores the number of particles that a body has.
PL_API pl_result pl_body_particles(const pl_body_def *def, int *count);

/// Adds a body. Fails with PL_ERROR_ARGUMENT if the mesh is not a solid or no particle fits inside.
PL_API pl_result pl_add_body(pl_world *world, const pl_body_def *def, pl_id *object);

/// Adds count copies of a body, each at a position of its own in place of def->position, and stores their ids in
/// objects. The mesh is converted once. All of them are added or none. About 16,000 bodies fit one world; more fail
/// with PL_ERROR_ARGUMENT.
PL_API pl_result pl_add_body_copies(pl_world *world, const pl_body_def *def, int count, const pl_vec3 *positions,
                                    pl_id *objects);

// ---- listing -------------------------------------------------------------------------------------------------------

/// Copies at most capacity ids of the blocks that belong to an object (constraints, faces, groups, visual meshes) to
/// out and returns how many there are. Returns 0 if the id names no object.
PL_API int pl_object_blocks(const pl_world *world, pl_id object, pl_id *out, int capacity);

/// Copies at most capacity ids of all objects to out and returns how many there are.
PL_API int pl_world_objects(const pl_world *world, pl_id *out, int capacity);

/// Copies at most capacity ids of all blocks of constraints to out and returns how many there are.
PL_API int pl_world_blocks(const pl_world *world, pl_id *out, int capacity);

#ifdef __cplusplus
}
#endif
#endif
