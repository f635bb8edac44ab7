// author.h: cloth, ropes and bars: objects made of particles and constraints.
#ifndef PLIANT_AUTHOR_H
#define PLIANT_AUTHOR_H

#include <pliant/constraints.h>

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

typedef struct pl_cloth_def
{
    // A grid of columns x rows particles from origin along u and v, or, when vertices is given, a triangle mesh.
    int columns, rows;
    pl_vec3 origin, u, v;  // u and v: from one corner to the next, m
    const float *vertices; // 3 for each
    const int32_t *triangles;
    int vertex_count, triangle_count;

    float mass;          // kg in all
    pl_softness stretch; // along the edges
    pl_softness shear;   // across the cells (grids only)
    pl_softness bend;
    pl_bending bending;
    float drag, lift;
    const int32_t *pinned; // particles held in place, numbered within the object
    int pinned_count;
    bool tethers;       // long-range attachments from every particle to its nearest pinned one
    float tether_slack; // a tether is this much longer than the rest distance: 0.02 is 2 %
    float
        thickness; // m; above 0: it collides as a surface, with itself too (PL_THICKNESS), and its radius is half of it
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
    bool inextensible_only; // links only pull (distance_max), as a real rope's
    bool pin_first, pin_last;
} pl_rope_def;

PL_API pl_rope_def pl_default_rope_def(void);
PL_API pl_result pl_add_rope(pl_world *world, const pl_rope_def *def, pl_id *object);

typedef struct pl_bar_def
{
    int cells[3]; // boxes of five tetrahedra each
    pl_vec3 origin, size;
    float mass; // kg in all
    pl_softness edges;
    pl_softness volume;
    bool pin_start; // holds the face at x = origin.x
    bool pin_end;
} pl_bar_def;

PL_API pl_bar_def pl_default_bar_def(void);
PL_API pl_result pl_add_bar(pl_world *world, const pl_bar_def *def, pl_id *object);

// The blocks of constraints and faces that an authoring call made for an object. Returns how many there are.
PL_API int pl_object_blocks(const pl_world *world, pl_id object, pl_id *out, int capacity);
// All objects, and all blocks of constraints, whoever made them. Each returns how many there are, and fills at most capacity.
PL_API int pl_world_objects(const pl_world *world, pl_id *out, int capacity);
PL_API int pl_world_blocks(const pl_world *world, pl_id *out, int capacity);

#ifdef __cplusplus
}
#endif
#endif
