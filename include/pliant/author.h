// author.h: cloth, ropes, bars and bodies: objects made of particles and constraints.
#ifndef PLIANT_AUTHOR_H
#define PLIANT_AUTHOR_H

#include <pliant/constraints.h>
#include <pliant/groups.h>
#include <pliant/solids.h>
#include <pliant/damage.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- objects made of particles -------------------------------------------------------------------------------------

typedef enum pl_bending
{
    PL_BENDING_NONE,
    PL_BENDING_LINKS, // skip-one distance links (grids only; on a mesh, links across each edge)
    PL_BENDING_DIHEDRAL,
    PL_BENDING_ISOMETRIC,
} pl_bending;

// What takes up the strain of a cloth.
typedef enum pl_cloth_model
{
    PL_CLOTH_LINKS,  // distances: `stretch` along the edges, `shear` across the cells
    PL_CLOTH_STVK,   // triangles of fabric, St. Venant-Kirchhoff
    PL_CLOTH_STRAIN, // triangles of fabric whose warp, weft and angle do not know of each other
} pl_cloth_model;

// Woven cloth: the warp runs along u, on a mesh as nearly as each triangle can; the weft across it.
typedef struct pl_fabric
{
    float young_warp, young_weft; // Pa
    float shear;                  // shear modulus, Pa
    float poisson;                // how much the weft narrows when the warp is stretched
    float thickness;              // m
    float viscosity;              // Pa s
} pl_fabric;

typedef struct pl_cloth_def
{
    // A grid of columns x rows particles from origin along u and v, or, when vertices is given, a triangle mesh.
    int columns, rows;
    pl_vec3 origin, u, v;  // u and v: from one corner to the next, m
    const float *vertices; // 3 for each
    const int32_t *triangles;
    int vertex_count, triangle_count;

    float mass;           // kg in all
    pl_cloth_model model; // triangles take `fabric` in place of `stretch` and `shear`
    pl_fabric fabric;
    pl_softness stretch; // along the edges
    pl_softness shear;   // across the cells (grids only)
    pl_softness bend;
    pl_bending bending;
    float strength;     // N of a link along edges and across cells, Pa of a triangle: it tears above it; 0: never
    pl_plastic plastic; // creases: PL_BENDING_DIHEDRAL alone
    float drag, lift;
    const int32_t *pinned; // particles held in place, numbered within the object
    int pinned_count;
    bool tethers;       // long-range attachments from every particle to its nearest pinned one
    float tether_slack; // a tether is this much longer than the rest distance: 0.02 is 2 %
    float
        thickness; // m; above 0: it collides as a surface, with itself too (PL_ATTRIBUTE_THICKNESS), and its radius is half of it
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
    bool pull_only; // links only pull (distance_max), as a real rope's
    bool pin_first, pin_last;
    float strength; // N: a link of it breaks above; 0: never
} pl_rope_def;

PL_API pl_rope_def pl_default_rope_def(void);
PL_API pl_result pl_add_rope(pl_world *world, const pl_rope_def *def, pl_id *object);

// What takes up the strain of a solid.
typedef enum pl_solid_model
{
    PL_SOLID_LINKS,     // distances along the edges, and volumes
    PL_SOLID_STVK,      // St. Venant-Kirchhoff: for small compression; turned inside out it stays so
    PL_SOLID_COROTATED, // linear, in each element's own rotation; calm at any substep: the one to take first
    PL_SOLID_NEO_HOOKEAN, // rubber; the fastest of the elements, but it wants substeps shorter than a wave needs for an edge
    PL_SOLID_STRAIN,      // stretch along three axes and the angles between them
} pl_solid_model;

typedef struct pl_elastic
{
    float young;     // Young's modulus, Pa
    float poisson;   // 0 to 0.495
    float viscosity; // Pa s
} pl_elastic;

typedef struct pl_bar_def
{
    int cells[3]; // boxes of five tetrahedra each
    pl_vec3 origin, size;
    float mass;           // kg in all
    pl_solid_model model; // elements take `elastic`, links take `edges` and `volume`
    pl_elastic elastic;
    pl_softness edges;
    pl_softness volume;
    pl_plastic plastic; // of its elements, or of its links
    float strength;     // Pa of elements, N of links: it tears above it; 0: never
    bool pin_start;     // holds the face at x = origin.x
    bool pin_end;
} pl_bar_def;

PL_API pl_bar_def pl_default_bar_def(void);
PL_API pl_result pl_add_bar(pl_world *world, const pl_bar_def *def, pl_id *object);

// What a closed mesh becomes.
typedef enum pl_body_kind
{
    PL_BODY_RIGID,   // particles inside, one cluster: it turns and moves as one
    PL_BODY_JELLY,   // particles inside, one cluster that gives way by `match`
    PL_BODY_PLASTIC, // ... and whose strain becomes shape by `match`: overlapping clusters of `region` particles' width
    PL_BODY_SOFT,    // tetrahedra of `model` and `elastic`
    PL_BODY_BALLOON, // the mesh's own vertices, its edges as springs of `stretch`, and a volume
    PL_BODY_LATTICE, // particles inside on a lattice, overlapping regions of `region` spacings' half width: soft, at any width alike fast
} pl_body_kind;

typedef struct pl_body_def
{
    const pl_mesh *mesh; // closed, turned outwards: pl_mesh_make, pl_mesh_repair
    pl_vec3 position;    // the mesh's origin in the world,
    pl_quat rotation;    // and how it is turned
    pl_body_kind kind;
    float mass;    // kg in all
    float spacing; // m: between particles, or about a tetrahedron's edge
    pl_cluster_material match;
    float region;         // plastic: half the width of its overlapping clusters, in spacings
    pl_solid_model model; // soft
    pl_elastic elastic;
    pl_plastic plastic;  // soft
    float strength;      // soft: Pa; balloon: N of a link along its edges; it tears above it; 0: never
    pl_softness stretch; // balloon: along its edges
    pl_softness bend;    // balloon: across them
    float pressure;      // balloon: 1 holds its volume
    float gas;           // balloon: compliance of the gas, m^5/N
    bool visual;         // its mesh is seen (pl_add_visual), and rides on what it is made of; a balloon's always is
    // soft and balloon: m, twice the radius of its particles (PL_ATTRIBUTE_RADIUS). 0, the default: they have none, and it passes through everything
    // but shapes. The others are made of spheres as wide as the spacing.
    float thickness;
} pl_body_def;

PL_API pl_body_def pl_default_body_def(void);
// How many particles it will have.
PL_API pl_result pl_body_particles(const pl_body_def *def, int *count);
PL_API pl_result pl_add_body(pl_world *world, const pl_body_def *def, pl_id *object);
// Many alike, each at a position of its own: what they are made of is found once. All of them are added, or none.
PL_API pl_result pl_add_body_copies(pl_world *world, const pl_body_def *def, int count, const pl_vec3 *positions,
                                    pl_id *objects);

// The blocks of constraints and faces that an authoring call made for an object. Returns how many there are.
PL_API int pl_object_blocks(const pl_world *world, pl_id object, pl_id *out, int capacity);
// All objects, and all blocks of constraints, whoever made them. Each returns how many there are, and fills at most capacity.
PL_API int pl_world_objects(const pl_world *world, pl_id *out, int capacity);
PL_API int pl_world_blocks(const pl_world *world, pl_id *out, int capacity);

#ifdef __cplusplus
}
#endif
#endif
