// constraints.h: what holds particles together, the faces between them, and fields.
#ifndef PLIANT_CONSTRAINTS_H
#define PLIANT_CONSTRAINTS_H

#include <pliant/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- constraints ---------------------------------------------------------------------------------------------------

typedef enum pl_kind
{
    PL_KIND_DISTANCE,     // two particles at a rest length
    PL_KIND_DISTANCE_MIN, // ... never nearer
    PL_KIND_DISTANCE_MAX, // ... never farther: a rope
    PL_KIND_TETHER,       // never farther than a length from an anchor, which feels nothing: long-range attachment
    PL_KIND_DIHEDRAL,     // the angle between two triangles
    PL_KIND_ISOMETRIC,    // the curvature of two triangles that are flat at rest
    PL_KIND_TET_VOLUME,   // a tetrahedron's volume
    PL_KIND_PIN,          // one particle at a target, which may move
    PL_KIND_AREA,         // a triangle's area
    // Finite elements: C has several parts, compliance is 1/Young's modulus (1/Pa), damping a viscosity (Pa s).
    PL_KIND_STVK_TET,        // St. Venant-Kirchhoff
    PL_KIND_COROTATED_TET,   // linear, in the element's own rotation
    PL_KIND_NEO_HOOKEAN,     // stable neo-Hookean
    PL_KIND_STRAIN_TET,      // stretch along three axes and the angles between them
    PL_KIND_STVK_TRIANGLE,   // woven cloth: warp, weft, shear
    PL_KIND_STRAIN_TRIANGLE, // stretch along warp and weft and their angle
    PL_KIND_COUNT
} pl_kind;

enum
{
    PL_MAX_ARITY = 4,   // particles in one constraint
    PL_MAX_PARAMS = 12, // parameters of one constraint
    PL_MAX_PARTS = 6,   // parts of one constraint
};

// How hard a constraint holds. XPBD reads compliance and damping, classic PBD reads stiffness.
typedef struct pl_softness
{
    float compliance; // the inverse of stiffness, m/N for lengths; 0: rigid
    float damping;    // N s/m for lengths; acts together with a compliance above 0
    float stiffness;  // k in [0, 1]
} pl_softness;

typedef struct pl_kind_info
{
    const char *name;  // "distance"
    const char *about; // one line
    int arity;         // particles in a constraint
    int params;        // parameters of a constraint
    int parts;         // numbers that C has, and its force: 1, or more for a finite element
    const char *param_names[PL_MAX_PARAMS];
} pl_kind_info;

PL_API const pl_kind_info *pl_kind_describe(pl_kind kind);
// The kind of that name, or PL_KIND_COUNT.
PL_API pl_kind pl_kind_by_name(const char *name);

typedef struct pl_constraints_def
{
    pl_kind kind;
    int count;
    const int32_t *index;    // arity particle numbers for each constraint
    const float *param;      // params numbers for each constraint, or NULL: as the particles lie now
    pl_softness soft;        // for all of them
    const pl_softness *each; // or one for each
} pl_constraints_def;

PL_API pl_constraints_def pl_default_constraints_def(void);
PL_API pl_result pl_add_constraints(pl_world *world, const pl_constraints_def *def, pl_id *block);
PL_API pl_result pl_block_info(const pl_world *world, pl_id block, pl_kind *kind, int *count);
PL_API int64_t pl_constraint_count(const pl_world *world, pl_kind kind);

typedef enum pl_row
{
    PL_ROW_PARAM,      // the kind's params floats
    PL_ROW_COMPLIANCE, // 1 float, and so on
    PL_ROW_DAMPING,
    PL_ROW_STIFFNESS,
    PL_ROW_FORCE, // read only: the force (N for lengths) that held in the last substep, from the multiplier
    PL_ROW_VALUE, // read only: C, by how much the constraint is violated now
} pl_row;

PL_API pl_result pl_get_rows(const pl_world *world, pl_id block, pl_row what, int first, int count, float *out);
PL_API pl_result pl_set_rows(pl_world *world, pl_id block, pl_row what, int first, int count, const float *values);
PL_API pl_result pl_get_row_particles(const pl_world *world, pl_id block, int first, int count, int32_t *out);

// Where a pin's particle shall be at the end of the next step; on the way, the target moves evenly.
PL_API pl_result pl_move_pins(pl_world *world, pl_id block, int first, int count, const float *targets);

// ---- faces and fields ----------------------------------------------------------------------------------------------

// Triangles that feel the wind, that rays hit and that exports show. Lift and drag are the coefficients of a thin plate.
typedef struct pl_faces_def
{
    int count;
    const int32_t *index; // 3 particle numbers for each
    float drag, lift;     // 0, 0: no wind
} pl_faces_def;

PL_API pl_faces_def pl_default_faces_def(void);
PL_API pl_result pl_add_faces(pl_world *world, const pl_faces_def *def, pl_id *block);
PL_API int pl_face_count(const pl_world *world);
// Copies particle numbers, 3 for each face, of all live faces.
PL_API pl_result pl_get_faces(const pl_world *world, int first, int count, int32_t *out);

typedef enum pl_field_kind
{
    PL_FIELD_UNIFORM, // a = vector                                     m/s^2
    PL_FIELD_POINT,   // a = strength (origin - x)/(|origin - x|^2 + radius^2)^(3/2);   strength in m^3/s^2, < 0 repels
    PL_FIELD_DRAG, // f = -strength (v - vector)                     strength in N s/m, vector is the medium's velocity
    PL_FIELD_ELECTRIC, // f = charge vector                              V/m
} pl_field_kind;

typedef struct pl_field
{
    pl_field_kind kind;
    pl_vec3 vector, origin;
    float strength, radius;
} pl_field;

PL_API pl_result pl_add_field(pl_world *world, const pl_field *field, pl_id *id);
PL_API pl_result pl_set_field(pl_world *world, pl_id id, const pl_field *field);

#ifdef __cplusplus
}
#endif
#endif
