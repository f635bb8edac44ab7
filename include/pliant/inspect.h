// inspect.h: the inner state of a world: contacts, cells, the order of constraints; and parameters copied from another
// world. It is for viewers and tools; a simulation does not need it.
#ifndef PLIANT_INSPECT_H
#define PLIANT_INSPECT_H

#include <pliant/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An active contact between two particles, or between a particle and a shape.
typedef struct pl_contact_info
{
    /// A particle.
    int a;
    /// The other particle. -1: a shape.
    int b;
    /// The shape. {0, 0}: a particle.
    pl_id shape;
    /// The point of contact on the surface of a, m.
    pl_vec3 point;
    /// The unit direction in which a is pushed.
    pl_vec3 normal;
    /// The force along the normal in the last substep, N.
    float force;
    /// The current overlap, m. Below 0: a gap.
    float overlap;
} pl_contact_info;

/// Copies at most capacity active contacts of the last substep to out and returns how many there are. The order is
/// always the same. Contacts of surfaces are not included. After an edit, a tear or a load there are none to be copied
/// until the next step; pl_world_penetration tells how many pressed.
PL_API int pl_get_contacts(const pl_world *world, pl_contact_info *out, int capacity);

/// A cell of the grid that finds neighbouring particles.
typedef struct pl_cell_info
{
    /// The corner with the smallest coordinates, m.
    pl_vec3 corner;
    /// The length of an edge, m.
    float size;
    /// Number of particles in it when the grid was last filled.
    int particles;
} pl_cell_info;

/// Copies at most capacity cells that hold particles to out and returns how many there are.
PL_API int pl_get_cells(const pl_world *world, pl_cell_info *out, int capacity);

/// A box of the bounding volume hierarchy of a mesh shape.
typedef struct pl_box_info
{
    /// The corner with the smallest coordinates, m, in the frame of the shape.
    pl_vec3 low;
    /// The corner with the largest coordinates, m, in the frame of the shape.
    pl_vec3 high;
    /// The depth in the hierarchy. 0: the root.
    int depth;
    /// Number of triangles of a leaf. 0: it contains other boxes.
    int triangles;
} pl_box_info;

/// Copies at most capacity boxes of a mesh shape to out, each before those that it contains, and returns how many there
/// are. Other shapes have none.
PL_API int pl_get_shape_boxes(const pl_world *world, pl_id shape, pl_box_info *out, int capacity);

/// When a constraint is solved, and how far it is violated.
typedef struct pl_row_info
{
    /// Its tile. -1: it is in none.
    int tile;
    /// Its batch, counted from 0 in each tile and outside of all tiles. The constraints of one batch share no particle.
    /// -1: it is solved by Jacobi iteration or with its tree of joints, is broken, or has no place yet.
    int batch;
    /// |C|, divided by the rest length if it has one. 0 for an inequality that holds.
    float residual;
} pl_row_info;

/// Copies this information of the constraints [first, first + count) of a block.
PL_API pl_result pl_get_row_info(const pl_world *world, pl_id block, int first, int count, pl_row_info *out);

/// Copies the tile of each of the particles [first, first + count). -1: there are no tiles, or the first step has not
/// assigned them yet.
PL_API pl_result pl_get_tiles(const pl_world *world, int first, int count, int *out);

/// Copies all parameters from a world of the same structure: settings, masses, radii, charges, forces, materials,
/// softness and rest lengths of constraints, materials of groups, fields, drag and lift of faces, velocity and spin of
/// shapes. Positions and velocities stay as they are. *fits tells whether it was done: it is not if the other world has
/// other particles, constraints or shapes. Constraints of world that come after all of the other's, such as a drag, are
/// left alone.
PL_API pl_result pl_world_copy_parameters(pl_world *world, const pl_world *other, bool *fits);

#ifdef __cplusplus
}
#endif
#endif
