// solids.h: closed triangle meshes, and what they are converted to: tetrahedra and particles. docs/solids.md has the
// methods.
//
// None of these calls needs a world. A call that fails leaves its output empty. Free an output with the function of its
// type.
#ifndef PLIANT_SOLIDS_H
#define PLIANT_SOLIDS_H

#include <pliant/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- meshes --------------------------------------------------------------------------------------------------------

/// A triangle mesh.
typedef struct pl_mesh
{
    /// Number of vertices.
    int vertex_count;
    /// Number of triangles.
    int triangle_count;
    /// Positions, 3 floats for each vertex, m.
    float *vertices;
    /// Vertices of the triangles, 3 for each, counter-clockwise seen from outside.
    int32_t *triangles;
} pl_mesh;

/// Describes a closed mesh that is made by code. Lengths are in m, above 0 and at most 1e6. The y axis points up.
typedef struct pl_mesh_def
{
    /// "box", "sphere", "torus", "capsule", "teapot" or "octopus". The default is "sphere".
    const char *shape;
    /// The centre of the mesh, m. The default is the origin.
    pl_vec3 centre;
    /// Box: the lengths of its edges. The default is 1 each.
    pl_vec3 size;
    /// Sphere, capsule, teapot, octopus: the radius (of the body). Torus: from its axis to the middle of the tube. The
    /// default is 0.5.
    float radius;
    /// Torus: the radius of the tube, below radius. The default is 0.2.
    float tube;
    /// Capsule: the length of the straight part along y, from 0. The default is 1.
    float length;
    /// About how long the edges of the triangles are. 0, the default, selects a length that fits the shape. The mesh
    /// may be at most 1,000 edges long.
    float edge;
} pl_mesh_def;

/// Returns the defaults named above.
PL_API pl_mesh_def pl_default_mesh_def(void);

/// Makes a closed mesh. Free it with pl_mesh_free.
PL_API pl_result pl_mesh_make(const pl_mesh_def *def, pl_mesh *out);

/// Makes a copy of a mesh that can become a solid: merges vertices nearer than tolerance (m; below 0 selects a
/// millionth of the size of the mesh), removes triangles that are flat or duplicated, and turns triangles outwards.
/// Writes one line for each kind of repair to log, which may be NULL. Fails with PL_ERROR_ARGUMENT if the mesh is open,
/// not manifold, one-sided or intersects itself; the message names the place.
PL_API pl_result pl_mesh_repair(const pl_mesh *mesh, float tolerance, const pl_log *log, pl_mesh *out);

/// Frees the arrays of a mesh and empties it. NULL is allowed.
PL_API void pl_mesh_free(pl_mesh *mesh);

// ---- tetrahedra ----------------------------------------------------------------------------------------------------

/// A mesh of tetrahedra.
typedef struct pl_tets
{
    /// Number of vertices.
    int vertex_count;
    /// Number of tetrahedra.
    int tet_count;
    /// Number of triangles of the surface.
    int triangle_count;
    /// Positions, 3 floats for each vertex, m.
    float *vertices;
    /// Vertices a b c d of the tetrahedra, 4 for each, with (b - a) . ((c - a) x (d - a)) > 0.
    int32_t *tets;
    /// Vertices of the surface triangles, 3 for each, counter-clockwise seen from outside.
    int32_t *triangles;
    /// The tetrahedron behind each surface triangle.
    int32_t *owners;
} pl_tets;

/// Fills a closed mesh with tetrahedra whose edges are about `spacing` (m, above 0) long. Every dihedral angle is
/// between 10 and 165 degrees. Free the result with pl_tets_free. Fails with PL_ERROR_ARGUMENT if the mesh is not a
/// solid or parts of it are thinner than the spacing.
PL_API pl_result pl_tetrahedralise(const pl_mesh *mesh, float spacing, pl_tets *out);

/// Frees the arrays of tetrahedra and empties them. NULL is allowed.
PL_API void pl_tets_free(pl_tets *tets);

/// Patches of a mesh of tetrahedra: groups that share up to eight vertices and one volume. Add them as constraints of
/// PL_KIND_PATCH_VOLUME; pl_divide_elastic gives their softness and that of the tetrahedra.
typedef struct pl_patches
{
    /// Number of patches.
    int count;
    /// Vertices, 8 for each. Those that have no part in the volume fill up the eight.
    int32_t *index;
    /// Parameters of PL_KIND_PATCH_VOLUME, 22 for each.
    float *param;
} pl_patches;

/// Finds the patches of a mesh of tetrahedra; every tetrahedron is in one of them. positions: 3 floats for each of
/// `vertex_count` vertices, at least 8. tets: 4 vertices for each of `tet_count` tetrahedra, of positive volume. Free the
/// result with pl_patches_free. Fails with PL_ERROR_ARGUMENT if a vertex does not exist or a tetrahedron is flat or
/// inside out.
PL_API pl_result pl_find_patches(const float *positions, int vertex_count, const int32_t *tets, int tet_count,
                                 pl_patches *out);

/// Frees the arrays of patches and empties them. NULL is allowed.
PL_API void pl_patches_free(pl_patches *patches);

// ---- particles -----------------------------------------------------------------------------------------------------

/// How sampled particles are packed.
typedef enum pl_packing
{
    /// A cubic lattice.
    PL_PACKING_CUBIC,
    /// The densest packing: hexagonal layers.
    PL_PACKING_HEXAGONAL,
} pl_packing;

/// Describes how a mesh is filled with particles.
typedef struct pl_sample_def
{
    /// The distance between neighbouring particles, m, above 0. The default is 0.1.
    float spacing;
    /// How far below the surface the outermost particles lie, m. Below 0, the default, selects half of the spacing, so
    /// that spheres fit inside.
    float inset;
    /// The packing. The default is PL_PACKING_CUBIC.
    pl_packing packing;
    /// Moves the outermost layer onto the inset surface. The default is false.
    bool snap;
    /// Samples only the inset surface, about evenly. The default is false.
    bool surface_only;
} pl_sample_def;

/// Sampled particles.
typedef struct pl_samples
{
    /// Number of particles.
    int count;
    /// Positions, 3 floats for each, m.
    float *positions;
    /// Distances to the surface of the mesh, m, negative inside.
    float *distances;
    /// Unit vectors, 3 floats for each, in the direction in which the distance grows: the shortest way out of the
    /// solid.
    float *normals;
} pl_samples;

/// Returns the defaults named above.
PL_API pl_sample_def pl_default_sample_def(void);

/// Fills a closed mesh with particles. Free the result with pl_samples_free. Fails with PL_ERROR_ARGUMENT if the mesh
/// is not a solid, no particle fits, or more than 268,435,456 places would be sampled.
PL_API pl_result pl_sample_particles(const pl_mesh *mesh, const pl_sample_def *def, pl_samples *out);

/// Frees the arrays of samples and empties them. NULL is allowed.
PL_API void pl_samples_free(pl_samples *samples);

#ifdef __cplusplus
}
#endif
#endif
