// contact.h: materials, what collides with what, and shapes.
#ifndef PLIANT_CONTACT_H
#define PLIANT_CONTACT_H

#include <pliant/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- contact -------------------------------------------------------------------------------------------------------
//
// Particles with a radius collide with each other, and every particle collides with shapes. Contacts carry friction
// (static and kinetic Coulomb limits), restitution and rolling resistance; what holds two bodies comes from their materials.

typedef struct pl_material
{
    float static_friction;  // mu_s: a contact sticks while its tangential force is below mu_s times the normal one
    float kinetic_friction; // mu_k, at most mu_s: what is left of it once the contact slides
    float restitution;      // e: how much of the speed of an impact comes back
    float rolling; // resistance to rolling, 0 to 1. Particles do not turn, so heaps of them stand as steep as if grains
        // could only slide. 1: they can, all of the friction holds; 0: they roll freely off each other, which
        // leaves 0.6 of it between two particles. Against shapes, friction is whole
} pl_material;

enum
{
    PL_MAX_MATERIALS = 32,
};

PL_API pl_material pl_default_material(void);
// Adds a material and tells its number. Number 0 is there from the start and holds the default.
PL_API pl_result pl_add_material(pl_world *world, const pl_material *material, int *number);
PL_API pl_result pl_set_material(pl_world *world, int number, const pl_material *material);
// What holds between two materials, or one and itself. Unless set: the geometric mean of the frictions, the larger of the others.
PL_API pl_result pl_set_material_pair(pl_world *world, int a, int b, const pl_material *material);
PL_API pl_result pl_get_material_pair(const pl_world *world, int a, int b, pl_material *material);

// Which particles collide. Two collide when their masks share a bit and they are of different groups, or both have `self`.
typedef struct pl_phase
{
    int group; // 0 to 65535; particles of one object have one of their own unless set
    bool self; // collides with its own group
    bool
        filter; // ... but not with those of its object that are nearer at rest than 1.5 times the sum of the radii: most are linked
    bool fluid;   // fluid particles do not touch each other; density keeps them apart
    int material; // 0 to 31
    int mask;     // 8 bits: channels
} pl_phase;

PL_API pl_phase pl_default_phase(void);
PL_API pl_result pl_set_phase(pl_world *world, int first, int count, const pl_phase *phase); // the same for all of them
PL_API pl_result pl_get_phase(const pl_world *world, int particle, pl_phase *phase);
// Where the particles lie now is how they lie at rest, for `filter`.
PL_API pl_result pl_set_rest_positions(pl_world *world, int first, int count);

typedef enum pl_shape_kind
{
    PL_SHAPE_PLANE,  // through position, facing the shape's y; everything behind it is solid, or with two_sided a sheet
    PL_SHAPE_SPHERE, // radius
    PL_SHAPE_CAPSULE,     // radius around a segment of `length` along the shape's y
    PL_SHAPE_BOX,         // half sides
    PL_SHAPE_HULL,        // the convex hull of the vertices
    PL_SHAPE_MESH,        // vertices and triangles; closed, or with two_sided a thin sheet of any form
    PL_SHAPE_SDF,         // the same mesh, closed, turned into a grid of signed distances
    PL_SHAPE_HEIGHTFIELD, // heights over a grid in x and z, around the position: solid below
    PL_SHAPE_KIND_COUNT
} pl_shape_kind;

// A body that particles collide with and that they do not move. It stands, or moves by its velocity and spin, or is moved.
typedef struct pl_shape_def
{
    pl_shape_kind kind;
    pl_vec3 position;
    pl_quat rotation;
    pl_vec3 half; // box
    float
        radius; // sphere, capsule; box and those that follow: rounds it, beyond its sides; two-sided plane or mesh: half
                // its thickness, at least 0.5 mm
    float length; // capsule: between the centres of its ends

    // hull, mesh, sdf: in the shape's frame, m. The world copies what is pointed at; pl_get_shape shows its copy.
    const float *vertices; // 3 floats each
    int vertex_count;
    const int32_t *triangles; // mesh, sdf: 3 vertices each, anticlockwise seen from outside
    int triangle_count;
    const float *heights; // height field: columns x rows, columns run along x and fastest
    int columns, rows;
    float spacing;        // m; height field: from height to height; sdf: of its grid, 0: a 64th of the longest side
    int64_t memory_limit; // bytes that an sdf may need; 0: 1 GiB
    const char *name;     // for messages, or NULL; not kept

    bool two_sided;   // plane, mesh
    bool inside;      // sphere, capsule: hollow, particles are inside
    pl_vec3 velocity; // m/s
    pl_vec3 spin;     // rad/s, around `pivot`
    pl_vec3 pivot;    // in the world, where the shape is when it is added; travels with velocity
    bool has_pivot;   // false: around position
    pl_vec3 belt;     // m/s, in the shape's frame: the surface runs along like a conveyor's, the shape stays
    int material;
    int mask;
} pl_shape_def;

PL_API pl_shape_def pl_default_shape_def(void);
PL_API pl_result pl_add_shape(pl_world *world, const pl_shape_def *def, pl_id *shape);
// Puts it there at once: it does not push on the way.
PL_API pl_result pl_set_shape_pose(pl_world *world, pl_id shape, pl_vec3 position, pl_quat rotation);
// Where it shall be at the end of the next step; on the way it moves evenly, pushes and drags.
PL_API pl_result pl_move_shape(pl_world *world, pl_id shape, pl_vec3 position, pl_quat rotation);
PL_API pl_result pl_set_shape_velocity(pl_world *world, pl_id shape, pl_vec3 velocity, pl_vec3 spin);
PL_API pl_result pl_get_shape(const pl_world *world, pl_id shape, pl_shape_def *def); // as it is now
// What the particles do to it, in the last substep: N, and N m around its position.
PL_API pl_result pl_shape_force(const pl_world *world, pl_id shape, pl_vec3 *force, pl_vec3 *torque);
// The triangles of a hull, mesh, sdf (those it was made of) or height field, in the shape's frame, 9 floats each, and how many. Other kinds
// have none. `corners` NULL: only counts.
PL_API pl_result pl_shape_triangles(const pl_world *world, pl_id shape, float *corners, int64_t *count);
PL_API int pl_shape_count(const pl_world *world);
// The shapes in the order in which they were added; {0, 0} beyond the last.
PL_API pl_id pl_shape_at(const pl_world *world, int number);

#ifdef __cplusplus
}
#endif
#endif
