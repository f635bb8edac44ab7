// solids.h: closed triangle meshes, and what they are made into: tetrahedra and particles. docs/solids.md tells how.
//
// None of these calls needs a world. On failure the output is empty; free what succeeded with the call of its name.
#ifndef PLIANT_SOLIDS_H
#define PLIANT_SOLIDS_H

#include <pliant/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- meshes --------------------------------------------------------------------------------------------------------

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

// ---- tetrahedra ----------------------------------------------------------------------------------------------------

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

// ---- particles -----------------------------------------------------------------------------------------------------

typedef enum pl_packing
{
    PL_PACKING_CUBIC,
    PL_PACKING_HEXAGONAL, // the densest packing: layers of triangles
} pl_packing;

typedef struct pl_sample_def
{
    float spacing; // from a particle to the next, m
    float inset;   // how deep below the surface the outermost may lie, m; below 0: half a spacing, so that spheres fit
    pl_packing packing;
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

#ifdef __cplusplus
}
#endif
#endif
