// constraints.h: constraints between particles, faces, and force fields.
#ifndef PLIANT_CONSTRAINTS_H
#define PLIANT_CONSTRAINTS_H

#include <pliant/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- constraints ---------------------------------------------------------------------------------------------------

/// The kinds of constraints.
typedef enum pl_kind
{
    /// Holds two particles at a rest length.
    PL_KIND_DISTANCE,
    /// Keeps two particles at least a rest length apart.
    PL_KIND_DISTANCE_MIN,
    /// Keeps two particles at most a rest length apart, as a rope does.
    PL_KIND_DISTANCE_MAX,
    /// Keeps the first particle within a length of the second one, the anchor. No force acts on the anchor (long-range
    /// attachment).
    PL_KIND_TETHER,
    /// Holds the angle between two triangles a b c and b a d with the common edge a b. Order: a b c d.
    PL_KIND_DIHEDRAL,
    /// Resists the curvature of two triangles that are flat at rest. Same order of particles.
    PL_KIND_ISOMETRIC,
    /// Holds the volume of a tetrahedron.
    PL_KIND_TET_VOLUME,
    /// Holds one particle at a target, which may move (pl_move_pins).
    PL_KIND_PIN,
    /// Holds the area of a triangle.
    PL_KIND_AREA,
    /// Holds the volume of a patch: several tetrahedra that share up to eight particles. It resists a change of volume in
    /// place of its tetrahedra, so that they do not lock near a Poisson's ratio of 0.5; compliance is 1/(Lame's lambda)
    /// (1/Pa). pl_find_patches finds the patches of a mesh and their parameters, pl_divide_elastic their softness. Without parameters the particles are the
    /// corners of a hexahedron, numbered by bits: 1 for x, 2 for y, 4 for z.
    PL_KIND_PATCH_VOLUME,

    // Finite elements. C has several parts, compliance is 1/Young's modulus (1/Pa), and damping is a viscosity (Pa s).

    /// Tetrahedron of St. Venant-Kirchhoff material.
    PL_KIND_STVK_TET,
    /// Tetrahedron of linear material in the rotating frame of the element.
    PL_KIND_COROTATED_TET,
    /// Tetrahedron of stable neo-Hookean material.
    PL_KIND_NEO_HOOKEAN,
    /// Tetrahedron that resists stretch along three axes and changes of the angles between them.
    PL_KIND_STRAIN_TET,
    /// Triangle of woven cloth with warp, weft and shear (St. Venant-Kirchhoff).
    PL_KIND_STVK_TRIANGLE,
    /// Triangle that resists stretch along warp and weft and changes of the angle between them.
    PL_KIND_STRAIN_TRIANGLE,

    // Joints between particles that have an orientation (pl_orient), or one of them and a plain particle.

    /// Holds a point of the first particle at a point of the second one; both may rotate about it. The parameters are the
    /// point in the axes of the first particle and the point in the axes of the second one (m); the point of a particle
    /// without an orientation must be 0. Without parameters the point is half way between the two, or at the particle that
    /// has no orientation. C is the gap and has three parts; the force is the one on the first particle.
    PL_KIND_BALL_JOINT,

    // Joints between bodies. pl_add_joint (joints.h) computes their parameters. A joint has a frame in each of its ends: a
    // point (m) and a rotation, given as the vector part of a unit quaternion whose scalar is not negative. Its axis is the x
    // axis. Without parameters the frames are half way between the ends, along the axes of the world.

    /// Holds the joint frames of two bodies together. C has six parts.
    PL_KIND_FIXED_JOINT,
    /// Holds two points together and two axes parallel: the bodies rotate about them. C has five parts.
    PL_KIND_HINGE_JOINT,
    /// Lets the second body slide along the axis of the first, without a rotation. C has five parts.
    PL_KIND_SLIDER_JOINT,
    /// Lets the second body slide along the axis of the first and rotate about it. C has four parts.
    PL_KIND_CYLINDRICAL_JOINT,
    /// Holds two points together, and the x axis of the first at a right angle to the y axis of the second. C has four
    /// parts.
    PL_KIND_UNIVERSAL_JOINT,
    /// Lets the second body move along the y axis of the first and rotate about their common x axis. C has four parts.
    PL_KIND_WHEEL_JOINT,

    // Ranges and motors of joints. A range holds a length or an angle between low and high: it is a limit, with low = high
    // a servo, with a compliance a spring. Its force, or that of a motor, is at most `strength` (N, N m; 1e30: unlimited).

    /// Keeps a point of the first end and a point of the second at a distance from low to high. Either end may be a
    /// particle.
    PL_KIND_DISTANCE_JOINT,
    /// Keeps the position of the second end along the axis of the first from low to high. The second may be a particle.
    PL_KIND_SLIDE_RANGE,
    /// Drives the motion of the second end along the axis of the first at a speed.
    PL_KIND_SLIDE_MOTOR,
    /// Keeps the angle of the second body about the common axis from low to high, within -pi and pi.
    PL_KIND_TWIST_RANGE,
    /// Drives the rotation of the second body about the common axis at a speed.
    PL_KIND_TWIST_MOTOR,
    /// Keeps the angle between the axes of two bodies from low to high: a cone.
    PL_KIND_SWING_RANGE,
    /// Holds a particle at a point of a body. All attachments of a body are solved together, exactly: see pl_attach.
    PL_KIND_ATTACHMENT,

    // Machines. Their axes and points are fixed in the world, which takes the reaction.

    /// Two toothed wheels: the angles of two bodies about axes of the world, in the ratio of their teeth. C is an angle of
    /// the first.
    PL_KIND_GEAR,
    /// A pinion, which rotates about an axis of the world, and a rack, which it moves along a direction of the world.
    PL_KIND_RACK,
    /// A rope from a point of the first end over two points of the world to a point of the second end. Either end may be a
    /// particle.
    PL_KIND_PULLEY,
    /// The number of kinds.
    PL_KIND_COUNT
} pl_kind;

enum
{
    /// The most particles of one constraint.
    PL_MAX_ARITY = 8,
    /// The most parameters of one constraint.
    PL_MAX_PARAMS = 22,
    /// The most parts of the value of one constraint.
    PL_MAX_PARTS = 6,
};

/// How firmly a constraint holds. PL_SOLVER_XPBD uses compliance and damping, PL_SOLVER_PBD uses stiffness.
typedef struct pl_softness
{
    /// The inverse of the stiffness, 0 (rigid) or above: m/N for lengths, pins and joints, rad/(N m) for dihedral angles, 1/J
    /// for isometric bending, m^3/N for areas, m^5/N for volumes, 1/Pa for finite elements and patches.
    float compliance;
    /// Damping, 0 or above: N s/m for lengths, Pa s for finite elements. It has an effect only with a compliance above
    /// 0.
    float damping;
    /// The stiffness k of classic PBD, from 0 to 1.
    float stiffness;
} pl_softness;

/// Describes a kind of constraints.
typedef struct pl_kind_info
{
    /// The name, such as "distance". Scenes and the statistics use it.
    const char *name;
    /// What it does, in one line.
    const char *about;
    /// Number of particles of a constraint.
    int arity;
    /// Number of parameters of a constraint.
    int params;
    /// Number of parts of the value C and of the force: 1, or more for a finite element or
    /// a joint.
    int parts;
    /// The names of the parameters.
    const char *param_names[PL_MAX_PARAMS];
} pl_kind_info;

/// Returns the description of a kind, or NULL if there is no such kind.
PL_API const pl_kind_info *pl_kind_describe(pl_kind kind);

/// Returns the kind with that name, or PL_KIND_COUNT if there is none.
PL_API pl_kind pl_kind_by_name(const char *name);

/// Describes a block of constraints of one kind.
typedef struct pl_constraints_def
{
    /// The kind of all constraints of the block. The default is PL_KIND_DISTANCE.
    pl_kind kind;
    /// Number of constraints, at least 1. A world holds at most 268,435,455 of a kind.
    int count;
    /// Particle numbers, arity of them for each constraint. The particles of one constraint must differ.
    const int32_t *index;
    /// Parameters, params of them for each constraint. NULL, the default, computes them so that the particles are at
    /// rest in their current positions.
    const float *param;
    /// How firmly all of them hold. The default is rigid: compliance 0, damping 0, stiffness 1.
    pl_softness soft;
    /// How firmly each of them holds, one for each constraint. NULL, the default: soft for all.
    const pl_softness *each;
} pl_constraints_def;

/// Returns the defaults named above.
PL_API pl_constraints_def pl_default_constraints_def(void);

/// Adds a block of constraints and stores its id in *block, which may be NULL. Fails with PL_ERROR_ARGUMENT if a
/// particle does not exist, a parameter is out of range, or the rest shape is degenerate; then nothing is added.
PL_API pl_result pl_add_constraints(pl_world *world, const pl_constraints_def *def, pl_id *block);

/// Stores the kind and the number of constraints of a block. Neither pointer may be NULL.
PL_API pl_result pl_block_info(const pl_world *world, pl_id block, pl_kind *kind, int *count);

/// Returns the number of constraints of a kind in the whole world.
PL_API int64_t pl_constraint_count(const pl_world *world, pl_kind kind);

/// A value of a constraint ("row") that pl_get_rows and pl_set_rows copy.
typedef enum pl_row
{
    /// The parameters of the kind: pl_kind_info.params floats.
    PL_ROW_PARAM,
    /// The compliance, 1 float.
    PL_ROW_COMPLIANCE,
    /// The damping, 1 float.
    PL_ROW_DAMPING,
    /// The stiffness of classic PBD, 1 float.
    PL_ROW_STIFFNESS,
    /// The force that the constraint applied in the last substep, from its multiplier: pl_kind_info.parts floats, N for
    /// lengths. It can be read only.
    PL_ROW_FORCE,
    /// C, by how much the constraint is violated now: 1 float, m for lengths. For kinds with several parts it is one figure
    /// for all of them; for a ball joint, the length of the gap. It can be read only.
    PL_ROW_VALUE,
} pl_row;

/// Copies a value of the constraints [first, first + count) of a block into a packed array.
PL_API pl_result pl_get_rows(const pl_world *world, pl_id block, pl_row what, int first, int count, float *out);

/// Sets a value of the constraints [first, first + count) of a block. Fails with PL_ERROR_ARGUMENT if a value is out of
/// range or can be read only; then no value changes.
PL_API pl_result pl_set_rows(pl_world *world, pl_id block, pl_row what, int first, int count, const float *values);

/// Copies the particle numbers of the constraints [first, first + count) of a block, arity of them for each.
PL_API pl_result pl_get_row_particles(const pl_world *world, pl_id block, int first, int count, int32_t *out);

/// Sets where the targets of the pins [first, first + count) shall be at the end of the next step, 3 floats for each,
/// m. During the step they move at constant velocity. Fails with PL_ERROR_ARGUMENT if the block does not hold pins.
PL_API pl_result pl_move_pins(pl_world *world, pl_id block, int first, int count, const float *targets);

// ---- faces and fields ----------------------------------------------------------------------------------------------

/// Describes a block of faces: triangles of particles on which the wind acts, which rays hit and which exports write.
/// They also collide if their corners have a thickness (PL_ATTRIBUTE_THICKNESS).
typedef struct pl_faces_def
{
    /// Number of faces, at least 1. A world holds at most 268,435,455.
    int count;
    /// Particle numbers, 3 for each face.
    const int32_t *index;
    /// The drag coefficient of a thin plate, from 0 to 1,000. The default is 1.
    float drag;
    /// The lift coefficient of a thin plate, from 0 to 1,000. The default is 0. With drag and lift 0 there is no wind
    /// force.
    float lift;
} pl_faces_def;

/// Returns the defaults named above.
PL_API pl_faces_def pl_default_faces_def(void);

/// Adds a block of faces and stores its id in *block, which may be NULL.
PL_API pl_result pl_add_faces(pl_world *world, const pl_faces_def *def, pl_id *block);

/// Returns the number of faces of the whole world.
PL_API int pl_face_count(const pl_world *world);

/// Copies the particle numbers of the faces [first, first + count) of the whole world, 3 for each.
PL_API pl_result pl_get_faces(const pl_world *world, int first, int count, int32_t *out);

/// The kinds of force fields.
typedef enum pl_field_kind
{
    /// A constant acceleration: a = vector, m/s^2.
    PL_FIELD_UNIFORM,
    /// Attraction by a point: a = strength (origin - x)/(|origin - x|^2 + radius^2)^(3/2). strength is in m^3/s^2;
    /// below 0 it repels.
    PL_FIELD_POINT,
    /// Drag in a medium: f = -strength (v - vector). strength is in N s/m, 0 or above; vector is the velocity of the
    /// medium.
    PL_FIELD_DRAG,
    /// An electric field: f = charge vector. vector is in V/m; the charge is PL_ATTRIBUTE_CHARGE.
    PL_FIELD_ELECTRIC,
} pl_field_kind;

/// A force field. It acts on all particles that can move. All numbers must be finite.
typedef struct pl_field
{
    /// The kind.
    pl_field_kind kind;
    /// The vector of a uniform, drag or electric field; see pl_field_kind for its unit.
    pl_vec3 vector;
    /// The centre of a point field, m.
    pl_vec3 origin;
    /// The strength of a point or drag field; see pl_field_kind for its unit.
    float strength;
    /// The softening radius of a point field, m, 0 or above.
    float radius;
} pl_field;

/// Adds a field and stores its id in *id, which may be NULL. A world holds at most 32 fields; one more fails with
/// PL_ERROR_ARGUMENT.
PL_API pl_result pl_add_field(pl_world *world, const pl_field *field, pl_id *id);

/// Replaces a field.
PL_API pl_result pl_set_field(pl_world *world, pl_id id, const pl_field *field);

#ifdef __cplusplus
}
#endif
#endif
