// visual.h: what is seen follows what is simulated: a mesh, much finer than the particles, that rides on an object.
#ifndef PLIANT_VISUAL_H
#define PLIANT_VISUAL_H

#include <pliant/groups.h>

#ifdef __cplusplus
extern "C" {
#endif

// Each vertex rides on its `near` nearest particles. A particle turns as its clusters, its lattice or itself (pl_orient) do, and what is
// plastic has flowed; between the particles of a vertex rotations are blended as dual quaternions (Kavan and others 2007).
typedef struct pl_visual_def
{
    pl_id object;
    int vertex_count, triangle_count;
    const float *vertices; // 3 for each, m, in the world: how it lies now, with the object as it is now
    const int32_t *triangles;
    int nearest; // from 1 to 4

    // Instead of the nearest: 4 particles (counted within the object) and 4 weights for each vertex, which is then their weighted sum, as in
    // a tetrahedron.
    const int32_t *carriers;
    const float *weights;
} pl_visual_def;

PL_API pl_visual_def pl_default_visual_def(void);
PL_API pl_result pl_add_visual(pl_world *world, const pl_visual_def *def, pl_id *visual);

// All of them; returns how many there are, and fills at most capacity.
PL_API int pl_world_visuals(const pl_world *world, pl_id *out, int capacity);

typedef struct pl_visual_info
{
    int vertices, triangles;
    int first, count; // particles of its object
} pl_visual_info;

PL_API pl_result pl_describe_visual(const pl_world *world, pl_id visual, pl_visual_info *out);
// Where its vertices are now, 3 floats for each; its triangles, which do not change. Either may be NULL.
PL_API pl_result pl_get_visual(const pl_world *world, pl_id visual, float *vertices, int32_t *triangles);

#ifdef __cplusplus
}
#endif
#endif
