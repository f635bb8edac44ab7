// visual.h: meshes for display that follow an object. They may be much finer than its particles.
#ifndef PLIANT_VISUAL_H
#define PLIANT_VISUAL_H

#include <pliant/groups.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Describes a visual mesh. Each vertex follows its nearest particles: their motion, the rotation of their clusters,
/// their lattice or themselves (oriented.h), and plastic flow. The rotations of several particles are blended as dual
/// quaternions (Kavan and others 2007).
typedef struct pl_visual_def
{
    /// The object that the mesh follows. The mesh is removed with it.
    pl_id object;
    /// Number of vertices, from 1 to 33,554,431.
    int vertex_count;
    /// Number of triangles, from 0 to 33,554,431.
    int triangle_count;
    /// Current positions of the vertices in the world, 3 floats for each, m. The object is in its current state.
    const float *vertices;
    /// Vertices of the triangles, 3 for each.
    const int32_t *triangles;
    /// Number of nearest particles that a vertex follows, from 1 to 4. The default is 4.
    int nearest;

    /// Instead of the nearest particles: 4 particles for each vertex, counted from 0 within the object. The vertex is
    /// then their weighted sum, as in a tetrahedron. NULL, the default: the nearest.
    const int32_t *carriers;
    /// The 4 weights for each vertex that belong to carriers.
    const float *weights;
} pl_visual_def;

/// Returns the defaults named above.
PL_API pl_visual_def pl_default_visual_def(void);

/// Adds a visual mesh and stores its id in *visual, which may be NULL.
PL_API pl_result pl_add_visual(pl_world *world, const pl_visual_def *def, pl_id *visual);

/// Copies at most capacity ids of all visual meshes to out and returns how many there are.
PL_API int pl_world_visuals(const pl_world *world, pl_id *out, int capacity);

/// Describes an existing visual mesh.
typedef struct pl_visual_info
{
    /// Number of vertices.
    int vertices;
    /// Number of triangles.
    int triangles;
    /// The first particle of its object.
    int first;
    /// Number of particles of its object.
    int count;
} pl_visual_info;

/// Stores the description of a visual mesh.
PL_API pl_result pl_describe_visual(const pl_world *world, pl_id visual, pl_visual_info *out);

/// Copies the current positions of its vertices, 3 floats for each, m, and its triangles, 3 vertices for each, which do
/// not change. Either array may be NULL.
PL_API pl_result pl_get_visual(const pl_world *world, pl_id visual, float *vertices, int32_t *triangles);

#ifdef __cplusplus
}
#endif
#endif
