// contact.h: materials, collision filters, and shapes that particles collide with.
#ifndef PLIANT_CONTACT_H
#define PLIANT_CONTACT_H

#include <pliant/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- materials -----------------------------------------------------------------------------------------------------
//
// Particles with a radius collide with each other, and every particle collides with shapes. Contacts have friction,
// restitution and rolling resistance. The values of a contact come from the materials of both sides. docs/contact.md
// describes how contacts are found and solved.

/// A contact material.
typedef struct pl_material
{
    /// Coefficient of static friction, from 0 to 100. The default is 0.5. A contact sticks while its tangential force
    /// is below this times the normal force.
    float static_friction;
    /// Coefficient of kinetic friction, from 0 to static_friction. The default is 0.4. It holds while the contact
    /// slides.
    float kinetic_friction;
    /// Coefficient of restitution, from 0 (the default) to 1: the share of the approach speed that an impact gives
    /// back.
    float restitution;
    /// Rolling resistance, from 0 to 1. The default is 1. Plain particles have no rotation and so cannot roll. At 1 all
    /// of the friction between two particles holds, as if they could only slide; at 0 they roll freely, which leaves
    /// 0.6 of it. It has no effect on contacts with shapes.
    float rolling;
    /// Rigid bodies: the arm of the rolling resistance, m, 0 (the default) or above: a torque of up to this times the
    /// normal force acts against rolling.
    float rolling_friction;
    /// Rigid bodies: the arm of the torsional friction, m, 0 (the default) or above: a torque of up to this times the
    /// normal force acts against twisting, in addition to what the friction over the contact area gives.
    float torsional_friction;
} pl_material;

enum
{
    /// The most materials of one world. Contacts cost the same with any number of them.
    PL_MAX_MATERIALS = 1048576,
};

/// Returns the defaults named above.
PL_API pl_material pl_default_material(void);

/// Adds a material and stores its number in *number. Number 0 exists from the start and holds the default. Fails with
/// PL_ERROR_ARGUMENT if a value is out of range or there are PL_MAX_MATERIALS already, with PL_ERROR_MEMORY for lack of
/// memory.
PL_API pl_result pl_add_material(pl_world *world, const pl_material *material, int *number);

/// Replaces a material.
PL_API pl_result pl_set_material(pl_world *world, int number, const pl_material *material);

/// Sets the values for contacts between the materials a and b, which may be the same. Without it a contact takes the
/// geometric mean of the friction coefficients, the larger restitution and the larger rolling resistance.
PL_API pl_result pl_set_material_pair(pl_world *world, int a, int b, const pl_material *material);

/// Stores the values for contacts between the materials a and b.
PL_API pl_result pl_get_material_pair(const pl_world *world, int a, int b, pl_material *material);

// ---- collision filters ---------------------------------------------------------------------------------------------

/// Decides with which others a particle collides. Two particles collide if their masks share a bit and they are of
/// different groups or both have self set.
typedef struct pl_phase
{
    /// The group, from 0 to 65,535. The particles of a new object get a group of their own. Groups from 32,768 on are
    /// also assigned by melting and freezing (heat.h).
    int group;
    /// Collide with particles of the same group. The default is true.
    bool self;
    /// Do not collide with particles of the same object that are at rest nearer than 1.5 times the sum of the radii,
    /// since most of them are linked. The default is false; authored objects set it. See pl_set_rest_positions.
    bool filter;
    /// Do not collide with other particles that have fluid set. The default is false. It is reserved for fluids.
    bool fluid;
    /// The material, from 0 to the number of materials - 1. The default is 0.
    int material;
    /// The collision channels, 8 bits, from 0 to 255. The default is 255, all channels.
    int mask;
} pl_phase;

/// Returns the defaults named above, with group 0.
PL_API pl_phase pl_default_phase(void);

/// Sets the same phase for all particles [first, first + count). Fails with PL_ERROR_ARGUMENT if a particle or the
/// material does not exist or a value is out of range.
PL_API pl_result pl_set_phase(pl_world *world, int first, int count, const pl_phase *phase);

/// Stores the phase of a particle.
PL_API pl_result pl_get_phase(const pl_world *world, int particle, pl_phase *phase);

/// Takes the current positions of the particles [first, first + count) as their positions at rest. pl_phase.filter uses
/// them.
PL_API pl_result pl_set_rest_positions(pl_world *world, int first, int count);

// ---- shapes --------------------------------------------------------------------------------------------------------

/// The kinds of shapes.
typedef enum pl_shape_kind
{
    /// A plane through position with the y axis of the shape as its normal. Everything behind it is solid; with
    /// two_sided it is a thin sheet.
    PL_SHAPE_PLANE,
    /// A sphere of the given radius.
    PL_SHAPE_SPHERE,
    /// A capsule: radius around a segment of `length` along the y axis of the shape.
    PL_SHAPE_CAPSULE,
    /// A box with the half edges `half`.
    PL_SHAPE_BOX,
    /// The convex hull of the vertices.
    PL_SHAPE_HULL,
    /// A triangle mesh: closed, or with two_sided a thin sheet that may be open.
    PL_SHAPE_MESH,
    /// A closed triangle mesh that is converted to a grid of signed distances.
    PL_SHAPE_SDF,
    /// A height field over a grid in x and z, centred on the position. It is solid below.
    PL_SHAPE_HEIGHTFIELD,
    /// The number of kinds.
    PL_SHAPE_KIND_COUNT
} pl_shape_kind;

/// A shape that particles collide with. Particles do not move it. It stands still, moves by its velocity and spin, or
/// is moved by pl_move_shape.
typedef struct pl_shape_def
{
    /// The kind. The default is PL_SHAPE_PLANE.
    pl_shape_kind kind;
    /// The position of the origin of the shape in the world, m. The default is the origin.
    pl_vec3 position;
    /// The rotation of the shape. The default is no rotation.
    pl_quat rotation;
    /// Box: half of its edges, m, each above 0. The default is 0.5 each.
    pl_vec3 half;
    /// Sphere, capsule: the radius, m, above 0. Box, hull, mesh, sdf, height field: rounds the shape, beyond its sides,
    /// by this, m, 0 or above. Two-sided plane or mesh: half of the thickness, m; less than 0.5 mm counts as 0.5 mm.
    /// The default is 0.
    float radius;
    /// Capsule: the distance between the centres of its ends, m, 0 or above. The default is 1.
    float length;

    /// Hull, mesh, sdf: the vertices in the frame of the shape, 3 floats for each, m. The world copies all arrays;
    /// pl_get_shape returns pointers to its copies.
    const float *vertices;
    /// Number of vertices. A hull needs at least 4 that are not in one plane.
    int vertex_count;
    /// Mesh, sdf: the triangles, 3 vertices for each, counter-clockwise seen from outside.
    const int32_t *triangles;
    /// Number of triangles.
    int triangle_count;
    /// Height field: columns x rows heights, m. The columns run along x and are contiguous.
    const float *heights;
    /// Height field: number of heights along x, at least 2.
    int columns;
    /// Height field: number of heights along z, at least 2.
    int rows;
    /// Height field: distance between neighbouring heights, m, above 0. Sdf: cell size of its grid, m; 0, the default,
    /// selects a 64th of the longest side.
    float spacing;
    /// Sdf: the most bytes that its grid may need. 0, the default, allows 1 GiB. A larger grid fails with
    /// PL_ERROR_ARGUMENT and a message that proposes a spacing.
    int64_t memory_limit;
    /// A name for error messages, or NULL. The world does not keep it.
    const char *name;

    /// Plane, mesh: collides from both sides, as a thin sheet. The default is false.
    bool two_sided;
    /// Sphere, capsule: hollow, with the particles inside. The default is false.
    bool inside;
    /// Velocity, m/s. The default is 0.
    pl_vec3 velocity;
    /// Angular velocity about the pivot, rad/s. The default is 0.
    pl_vec3 spin;
    /// The centre of the spin in the world at the time when the shape is added, m. It moves with velocity.
    pl_vec3 pivot;
    /// Use pivot. With false, the default, the shape spins about its position.
    bool has_pivot;
    /// Velocity of the surface in the frame of the shape, m/s, as on a conveyor belt. The shape itself does not move.
    /// The default is 0.
    pl_vec3 belt;
    /// The material, from 0 to the number of materials - 1. The default is 0.
    int material;
    /// The collision channels, 8 bits, from 0 to 255. The shape collides with particles that share a bit. The default
    /// is 255.
    int mask;
    /// The shape is a sensor: it touches nothing and reports what is inside (sensors.h). Sphere, capsule, box, hull. The
    /// default is false.
    bool sensor;
} pl_shape_def;

/// Returns the defaults named above.
PL_API pl_shape_def pl_default_shape_def(void);

/// Adds a shape and stores its id in *shape, which may be NULL. Fails with PL_ERROR_ARGUMENT if a value is out of range
/// or a mesh cannot be used: a closed mesh must have two triangles at every edge and outward normals. The message names
/// the place.
PL_API pl_result pl_add_shape(pl_world *world, const pl_shape_def *def, pl_id *shape);

/// Moves a shape to a pose at once. It does not push particles on the way.
PL_API pl_result pl_set_shape_pose(pl_world *world, pl_id shape, pl_vec3 position, pl_quat rotation);

/// Sets the pose that a shape shall have at the end of the next step. During the step it moves at constant velocity and
/// pushes and drags particles. In one step it can turn by less than 180 degrees.
PL_API pl_result pl_move_shape(pl_world *world, pl_id shape, pl_vec3 position, pl_quat rotation);

/// Sets the velocity, m/s, and the angular velocity, rad/s, of a shape.
PL_API pl_result pl_set_shape_velocity(pl_world *world, pl_id shape, pl_vec3 velocity, pl_vec3 spin);

/// Stores the definition of a shape with its current pose and pivot in *def. Pointers in it are valid until the shape
/// is removed.
PL_API pl_result pl_get_shape(const pl_world *world, pl_id shape, pl_shape_def *def);

/// Stores the force, N, and the torque about its position, N m, of all particles on the shape in the last substep.
/// After an edit, a tear or a load it is not known until the next step, and 0 is stored. Either pointer may be NULL.
PL_API pl_result pl_shape_force(const pl_world *world, pl_id shape, pl_vec3 *force, pl_vec3 *torque);

/// Copies the triangles of a hull, mesh, sdf (of its mesh) or height field in the frame of the shape, 9 floats for
/// each, and stores their number in *count. Other kinds have none. With corners == NULL it only counts.
PL_API pl_result pl_shape_triangles(const pl_world *world, pl_id shape, float *corners, int64_t *count);

/// Returns the number of shapes.
PL_API int pl_shape_count(const pl_world *world);

/// Returns the id of shape `number`, counted from 0 in the order in which they were added, or {0, 0} if there is none.
PL_API pl_id pl_shape_at(const pl_world *world, int number);

#ifdef __cplusplus
}
#endif
#endif
