// rigid.h: rigid bodies. A body has a mass, a centre of mass, an inertia and shapes; it moves and rotates as a whole.
// Joints (joints.h) and constraints tie bodies to each other and to particles.
#ifndef PLIANT_RIGID_H
#define PLIANT_RIGID_H

#include <pliant/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- shapes and mass -----------------------------------------------------------------------------------------------

/// The kinds of shapes that a body consists of.
typedef enum pl_rigid_shape_kind
{
    /// A ball of the given radius.
    PL_RIGID_SPHERE,
    /// A capsule: radius around a segment of `length` along the y axis of the shape.
    PL_RIGID_CAPSULE,
    /// A box with the half edges `half`.
    PL_RIGID_BOX,
    /// A cylinder of the given radius and `length` along the y axis of the shape.
    PL_RIGID_CYLINDER,
    /// The convex hull of the vertices.
    PL_RIGID_HULL,
    /// A closed triangle mesh with triangles that face outwards. On a static or kinematic body it collides by its
    /// triangles, and with `two_sided` it may be open. On a dynamic body it collides as its convex hull of at most 64
    /// vertices.
    PL_RIGID_MESH,
    /// The number of kinds.
    PL_RIGID_SHAPE_KIND_COUNT
} pl_rigid_shape_kind;

/// A shape of a body. A body with several is a compound. Shapes may overlap; then the common part counts twice in the
/// mass.
typedef struct pl_rigid_shape
{
    /// The kind. The default is PL_RIGID_BOX.
    pl_rigid_shape_kind kind;
    /// The position of the shape in the axes of the body, m. The default is the origin of the body.
    pl_vec3 position;
    /// The rotation of the shape in the axes of the body. The default is none.
    pl_quat rotation;
    /// Box: half of its edges, m, each above 0. The default is 0.5 each.
    pl_vec3 half;
    /// Sphere, capsule, cylinder: the radius, m, above 0. The default is 0.5.
    float radius;
    /// Capsule: the distance between the centres of its ends, m, 0 or above. Cylinder: its length, m, above 0. The
    /// default is 1.
    float length;
    /// The density, kg/m^3, 0 or above. The default is 1,000. A shape of density 0 has no mass.
    float density;
    /// Hull, mesh: the vertices in the axes of the shape, 3 floats for each, m. The world copies all arrays.
    const float *vertices;
    /// Number of vertices. A hull needs at least 4 that are not in one plane, a mesh at least 4.
    int vertex_count;
    /// Mesh: the triangles, 3 vertices for each, counter-clockwise seen from outside.
    const int32_t *triangles;
    /// Number of triangles of a mesh.
    int triangle_count;
    /// The contact material, from 0 (the default) to the number of materials - 1 (contact.h).
    int material;
    /// The shape is a sensor: it touches nothing and reports what is inside (sensors.h). Its density counts as that of any
    /// other shape; 0 gives it no mass. Not of a mesh. The default is false.
    bool sensor;
    /// Mesh of a static or kinematic body: a thin sheet, 1 mm thick, that collides from both sides and may be open. It
    /// has no mass. The default is false.
    bool two_sided;
    /// Sphere, capsule, box or cylinder of a static or kinematic body: hollow, with other bodies inside. A body whose
    /// middle is outside does not touch it. It has no mass. The default is false.
    bool hollow;
} pl_rigid_shape;

/// Returns the defaults named above.
PL_API pl_rigid_shape pl_default_rigid_shape(void);

/// The mass of a body and its distribution.
typedef struct pl_mass_properties
{
    /// The mass, kg.
    float mass;
    /// The centre of mass in the axes of the body, m.
    pl_vec3 centre;
    /// The inertia about the centre of mass in the axes of the body, kg m^2: xx yy zz xy yz zx, with the sign of the
    /// matrix entry (xy = -sum m x y).
    float inertia[6];
} pl_mass_properties;

/// Computes the mass of a body that consists of these shapes. Fails with PL_ERROR_ARGUMENT if a shape is out of range or
/// all of them together have no mass.
PL_API pl_result pl_rigid_mass(const pl_rigid_shape *shapes, int count, pl_mass_properties *out);

/// Makes the surface of a shape as triangles, for pictures and exports: closed, counter-clockwise seen from outside, each
/// vertex once, in the axes of the body. Stores the numbers of vertices and triangles; vertices and triangles receive them
/// if they are not NULL: 3 floats for each vertex, m, and 3 numbers of vertices for each triangle. Call it with NULL first
/// to learn the sizes. segments: the number of straight pieces that a circle of a sphere, a capsule or a cylinder is
/// divided into, a multiple of 4 from 8 to 256. Fails with PL_ERROR_ARGUMENT if a value is out of range.
PL_API pl_result pl_rigid_shape_mesh(const pl_rigid_shape *shape, int segments, float *vertices, int *vertex_count,
                                     int32_t *triangles, int *triangle_count);

// ---- bodies --------------------------------------------------------------------------------------------------------

/// How a body moves.
typedef enum pl_rigid_type
{
    /// Forces, joints and gravity move it.
    PL_RIGID_DYNAMIC,
    /// It moves by its velocity and spin alone, or to the pose of pl_move_rigid. Nothing pushes it.
    PL_RIGID_KINEMATIC,
    /// It stands still.
    PL_RIGID_STATIC,
} pl_rigid_type;

/// Directions in the world in which a body cannot move, or axes about which it cannot rotate. Combine them with |.
typedef enum pl_rigid_lock
{
    PL_LOCK_X = 1,
    PL_LOCK_Y = 2,
    PL_LOCK_Z = 4,
    PL_LOCK_TURN_X = 8,
    PL_LOCK_TURN_Y = 16,
    PL_LOCK_TURN_Z = 32,
    /// No rotation at all.
    PL_LOCK_TURN = 56,
} pl_rigid_lock;

/// Describes a body.
typedef struct pl_rigid_def
{
    /// How it moves. The default is PL_RIGID_DYNAMIC.
    pl_rigid_type type;
    /// The position of the origin of the body in the world, m. The default is the origin.
    pl_vec3 position;
    /// The rotation of the body. The default is none.
    pl_quat rotation;
    /// The velocity of its centre of mass, m/s. The default is 0. A static body must have 0.
    pl_vec3 velocity;
    /// The angular velocity, rad/s, in world axes. The default is 0. A static body must have 0.
    pl_vec3 spin;
    /// The shapes. NULL, the default: the body has none; then `properties` must be given.
    const pl_rigid_shape *shapes;
    /// Number of shapes.
    int shape_count;
    /// The mass, kg, from 1e-9 to 1e15. The inertia from the densities of the shapes is scaled to it. 0, the default:
    /// the mass follows from the densities.
    float mass;
    /// The mass, centre and inertia, in place of those of the shapes. NULL, the default: those of the shapes.
    const pl_mass_properties *properties;
    /// Multiplies gravity for this body, from -1e6 to 1e6. The default is 1.
    float gravity_scale;
    /// Damping of its velocity, 1/s, from 0 (the default) to 1e6, in addition to the damping of the world.
    float linear_damping;
    /// Damping of its spin, 1/s, from 0 (the default) to 1e6, in addition to the damping of the world.
    float angular_damping;
    /// What it cannot do: pl_rigid_lock, combined. The default is 0.
    int locks;
    /// Whether it may fall asleep in a world with `sleep` (pl_settings). The default is true. A body that may not keeps
    /// the bodies awake that touch it or are jointed to it.
    bool allow_sleep;
    /// A number of the user, for pl_get_rigid. The default is 0.
    uint64_t user_data;
    /// The collision categories that the body belongs to, 64 bits. The default is 1.
    uint64_t category;
    /// The categories that the body collides with. The default is all. Two bodies collide if the category of each shares
    /// a bit with the mask of the other. A body collides with a shape of the world if its mask shares a bit with the
    /// mask of the shape, and with a particle if it shares one with the channels of the particle (pl_phase.mask). Bodies
    /// that a joint connects collide only if pl_joint_def.collide is set.
    uint64_t mask;
} pl_rigid_def;

/// Returns the defaults named above.
PL_API pl_rigid_def pl_default_rigid_def(void);

/// Adds a body and stores its id in *body, which may be NULL. The id names an object with one particle at the centre of
/// mass: pl_object_range returns its number, for constraints, and pl_remove removes the body and what is tied to it.
/// Fails with PL_ERROR_ARGUMENT if a value is out of range; then the world is unchanged.
///
/// Bodies collide with each other and with the shapes of the world (contact.h), by their own shapes, a mesh of a dynamic
/// body by its convex hull; and by its convex shapes with particles.
PL_API pl_result pl_add_rigid(pl_world *world, const pl_rigid_def *def, pl_id *body);

/// Adds count bodies and stores their ids in bodies, which may be NULL. All of them are added or none.
PL_API pl_result pl_add_rigids(pl_world *world, const pl_rigid_def *defs, int count, pl_id *bodies);

/// Returns the number of bodies. Stores the ids of the first `capacity` of them, in the order in which they were added,
/// if ids is not NULL.
PL_API int pl_world_rigids(const pl_world *world, pl_id *ids, int capacity);

/// Returns the body that a particle is the centre of; {0, 0} if there is none.
PL_API pl_id pl_rigid_of_particle(const pl_world *world, int particle);

// ---- motion --------------------------------------------------------------------------------------------------------

/// The pose and the motion of a body.
typedef struct pl_rigid_state
{
    /// The position of the origin of the body, m.
    pl_vec3 position;
    /// The rotation of the body.
    pl_quat rotation;
    /// The velocity of the centre of mass, m/s.
    pl_vec3 velocity;
    /// The angular velocity, rad/s, in world axes.
    pl_vec3 spin;
} pl_rigid_state;

/// Copies the states of count bodies. Fails with PL_ERROR_ARGUMENT if an id names no body.
PL_API pl_result pl_get_rigids(const pl_world *world, const pl_id *bodies, int count, pl_rigid_state *out);

/// Sets the states of count bodies. Fails with PL_ERROR_ARGUMENT if an id names no body or a value is not finite; then
/// nothing changes.
PL_API pl_result pl_set_rigids(pl_world *world, const pl_id *bodies, int count, const pl_rigid_state *states);

/// Sets the velocity and the spin of a kinematic body so that it reaches the pose in the next step of dt seconds. It
/// goes on with that velocity until it is told otherwise. It can rotate by less than 180 degrees in a step.
PL_API pl_result pl_move_rigid(pl_world *world, pl_id body, pl_vec3 position, pl_quat rotation, float dt);

/// Gives a dynamic body an impulse, N s, at a point of the world: it changes the velocity and the spin at once.
PL_API pl_result pl_push_rigid(pl_world *world, pl_id body, pl_vec3 impulse, pl_vec3 point);

/// Gives a dynamic body an angular impulse, N m s, about its centre of mass.
PL_API pl_result pl_spin_rigid(pl_world *world, pl_id body, pl_vec3 impulse);

/// Sets the force on the centre of mass, N, and the torque, N m, in world axes. They act in every step until they are
/// set again. They start at 0.
PL_API pl_result pl_set_rigid_force(pl_world *world, pl_id body, pl_vec3 force, pl_vec3 torque);

/// Adds a force, N, at a point of the world to the force and the torque that pl_set_rigid_force sets. The torque is that
/// of the present pose.
PL_API pl_result pl_add_rigid_force(pl_world *world, pl_id body, pl_vec3 force, pl_vec3 point);

/// Sets the force and the torque of all bodies to 0.
PL_API pl_result pl_clear_rigid_forces(pl_world *world);

/// Stores the velocity of the point of a body that is at `point` in the world, m/s.
PL_API pl_result pl_rigid_velocity_at(const pl_world *world, pl_id body, pl_vec3 point, pl_vec3 *velocity);

/// Sets the collision categories of a body and the categories that it collides with.
PL_API pl_result pl_set_rigid_filter(pl_world *world, pl_id body, uint64_t category, uint64_t mask);

// ---- sleep ---------------------------------------------------------------------------------------------------------

/// Returns whether a body is awake. Bodies sleep in worlds with `sleep` (pl_settings) only. A sleeping body keeps its pose
/// and has no velocity; it wakes before something touches it, when it is edited, or by pl_wake_rigid. Static and kinematic
/// bodies are always awake. False if the id names no body.
PL_API bool pl_rigid_awake(const pl_world *world, pl_id body);

/// Stores for each of count bodies whether it is awake. Fails with PL_ERROR_ARGUMENT if an id names no body.
PL_API pl_result pl_rigids_awake(const pl_world *world, const pl_id *bodies, int count, bool *out);

/// Wakes a body, and all that fell asleep with it, when the next step begins. A body that is awake stays so for the time
/// of pl_settings.sleep_time at least. Fails with PL_ERROR_ARGUMENT if the id names no body.
PL_API pl_result pl_wake_rigid(pl_world *world, pl_id body);

/// Returns the number of bodies that sleep.
PL_API int pl_sleeping_rigids(const pl_world *world);

/// Stores what a body was made of: its def with the present state, without shapes and without properties (both NULL; see
/// pl_get_rigid_shape and pl_get_rigid_mass). Its mass is the present one.
PL_API pl_result pl_get_rigid(const pl_world *world, pl_id body, pl_rigid_def *def);

/// Changes gravity_scale, linear_damping, angular_damping, locks, allow_sleep and user_data of a body to those of def. The
/// rest of def is not used. The body wakes.
PL_API pl_result pl_set_rigid(pl_world *world, pl_id body, const pl_rigid_def *def);

/// Stores the mass of a body and its distribution.
PL_API pl_result pl_get_rigid_mass(const pl_world *world, pl_id body, pl_mass_properties *out);

/// Returns the number of shapes of a body, 0 if the id names none.
PL_API int pl_rigid_shape_count(const pl_world *world, pl_id body);

/// Stores shape number i of a body in *shape. Its arrays are NULL; vertex_count and triangle_count tell their sizes, and
/// vertices and triangles receive them if they are not NULL: 3 floats for each vertex, 3 numbers for each triangle. A
/// hull has no triangles.
PL_API pl_result pl_get_rigid_shape(const pl_world *world, pl_id body, int i, pl_rigid_shape *shape, float *vertices,
                                    int32_t *triangles);

#ifdef __cplusplus
}
#endif
#endif
