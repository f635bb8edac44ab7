// inspect.h: what is going on inside: contacts, cells, the order of constraints; and parameters taken over from another world. For
// viewers and tools; none of it is needed to simulate.
#ifndef PLIANT_INSPECT_H
#define PLIANT_INSPECT_H

#include <pliant/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// Two particles, or a particle and a shape, that push each other.
typedef struct pl_contact_info
{
    int a;          // a particle
    int b;          // the particle it touches; -1: a shape
    pl_id shape;    // the shape; {0, 0}: a particle
    pl_vec3 point;  // m, on the surface of `a`
    pl_vec3 normal; // the direction in which `a` is pushed
    float force;    // N along the normal, in the last substep
    float overlap;  // m, as they lie now; below 0: a gap
} pl_contact_info;

// The contacts of the last substep, always in the same order. Returns how many there are, and fills at most capacity.
PL_API int pl_get_contacts(const pl_world *world, pl_contact_info *out, int capacity);

// A cell of the grid in which particles look for each other.
typedef struct pl_cell_info
{
    pl_vec3 corner; // m, its least
    float size;     // m, of its edge
    int particles;  // in it when the grid was last filled
} pl_cell_info;

// The cells that hold particles, in the grid's order. Returns how many there are, and fills at most capacity.
PL_API int pl_get_cells(const pl_world *world, pl_cell_info *out, int capacity);

// A box of the tree in which the triangles of a mesh shape lie.
typedef struct pl_box_info
{
    pl_vec3 low, high; // m, in the shape's frame
    int depth;         // 0: around everything
    int triangles;     // in a leaf; 0: it holds other boxes
} pl_box_info;

// The boxes of a mesh shape, each before those that it holds. Other shapes have none. Returns how many there are, and fills at
// most capacity.
PL_API int pl_get_shape_boxes(const pl_world *world, pl_id shape, pl_box_info *out, int capacity);

// When and where a constraint is solved, and how far off it is.
typedef struct pl_row_info
{
    int tile;  // -1: none; it runs beside the tiles
    int batch; // constraints of one batch share no particle; counted from 0 in each tile and beside them; -1: solved
               // the Jacobi way, or not placed yet
    float residual; // |C|, over the rest length where there is one; 0 where an inequality is content
} pl_row_info;

PL_API pl_result pl_get_row_info(const pl_world *world, pl_id block, int first, int count, pl_row_info *out);
// For each particle the tile that it is in; -1: there are none, or it is not placed yet. A world is placed by its first step.
PL_API pl_result pl_get_tiles(const pl_world *world, int first, int count, int *out);

// Takes over all parameters of another world of the same structure, while everything stays where it is and keeps its speed:
// settings, masses, radii, charges, forces, materials, how hard constraints hold and their rest lengths, fields, how the
// wind takes hold of faces, how shapes move. fits: whether it has been done. It is not where the other world has other
// particles, constraints or shapes; constraints that come after all of the other's, as of a drag, are left alone.
PL_API pl_result pl_world_copy_parameters(pl_world *world, const pl_world *other, bool *fits);

#ifdef __cplusplus
}
#endif
#endif
