// kinds.c: holds the table of constraint kinds: their names, descriptions, sizes and the rules for their parameters.
#include "elements/kinds.h"
#include "model/world.h"

#include <string.h>

// The documentation of each line of PL_KINDS: description, requirement on parameter 0, names of the parameters.
#define WORDS_DISTANCE                                                                                                 \
    "holds two particles at a rest length", PARAM_POSITIVE, { "rest" }
#define WORDS_DISTANCE_MIN                                                                                             \
    "keeps two particles at least a length apart", PARAM_POSITIVE, { "rest" }
#define WORDS_DISTANCE_MAX                                                                                             \
    "keeps two particles at most a length apart", PARAM_POSITIVE, { "rest" }
#define WORDS_TETHER                                                                                                   \
    "keeps a particle within a length of an anchor, on which no force acts", PARAM_POSITIVE, { "rest" }
#define WORDS_DIHEDRAL                                                                                                 \
    "holds the angle between two triangles with a common edge", PARAM_ANY, { "rest" }
#define WORDS_ISOMETRIC                                                                                                \
    "resists the curvature of two triangles that are flat at rest", PARAM_BALANCED, { "ka", "kb", "kc", "kd" }
#define WORDS_TET_VOLUME                                                                                               \
    "holds the volume of a tetrahedron", PARAM_NONZERO, { "rest" }
#define WORDS_PIN                                                                                                      \
    "holds a particle at a target that may move", PARAM_ANY, { "x", "y", "z", "dx", "dy", "dz" }

#define WORDS_AREA                                                                                                     \
    "holds the area of a triangle", PARAM_POSITIVE, { "rest" }
#define WORDS_PATCH_VOLUME                                                                                             \
    "holds the volume of a patch of tetrahedra with up to eight particles", PARAM_PATCH,                               \
    {                                                                                                                  \
        "b1x", "b1y", "b1z", "b2x", "b2y", "b2z", "b3x", "b3y", "b3z", "b4x", "b4y", "b4z", "b5x", "b5y", "b5z",       \
            "b6x", "b6y", "b6z", "b7x", "b7y", "b7z", "volume"                                                         \
    }
#define TET_NAMES                                                                                                      \
    {                                                                                                                  \
        "b00", "b01", "b02", "b10", "b11", "b12", "b20", "b21", "b22", "volume", "poisson"                             \
    }
#define TRI_NAMES                                                                                                      \
    {                                                                                                                  \
        "b00", "b01", "b10", "b11", "volume", "poisson", "weft", "shear"                                               \
    }
#define WORDS_STVK_TET "a tetrahedron of St. Venant-Kirchhoff material", PARAM_TET, TET_NAMES
#define WORDS_COROTATED_TET "a tetrahedron of linear material in its own rotating frame", PARAM_TET, TET_NAMES
#define WORDS_NEO_HOOKEAN "a tetrahedron of stable neo-Hookean material", PARAM_TET, TET_NAMES
#define WORDS_STRAIN_TET "a tetrahedron's stretch along three axes and the angles between them", PARAM_TET, TET_NAMES
#define WORDS_STVK_TRIANGLE "a triangle of woven cloth: warp, weft and shear", PARAM_TRIANGLE, TRI_NAMES
#define WORDS_STRAIN_TRIANGLE "a triangle's stretch along warp and weft and their angle", PARAM_TRIANGLE, TRI_NAMES

#define WORDS_BALL_JOINT                                                                                               \
    "a point of an oriented particle at a point of another, or at a particle", PARAM_POINTS,                           \
    {                                                                                                                  \
        "ax", "ay", "az", "bx", "by", "bz"                                                                             \
    }

#define JOINT_NAMES                                                                                                    \
    {                                                                                                                  \
        "ax", "ay", "az", "aqx", "aqy", "aqz", "bx", "by", "bz", "bqx", "bqy", "bqz"                                   \
    }
#define TURN_NAMES "aqx", "aqy", "aqz", "bqx", "bqy", "bqz"
#define SLIDE_NAMES "ax", "ay", "az", "aqx", "aqy", "aqz", "bx", "by", "bz"
#define WORDS_FIXED_JOINT "holds two bodies together", PARAM_JOINT, JOINT_NAMES
#define WORDS_HINGE_JOINT "lets two bodies rotate about a common axis", PARAM_JOINT, JOINT_NAMES
#define WORDS_SLIDER_JOINT "lets a body slide along an axis of another", PARAM_JOINT, JOINT_NAMES
#define WORDS_CYLINDRICAL_JOINT                                                                                        \
    "lets a body slide along an axis of another and rotate about it", PARAM_JOINT, JOINT_NAMES
#define WORDS_UNIVERSAL_JOINT                                                                                          \
    "joins two bodies at a point and transmits rotation about their axes", PARAM_JOINT, JOINT_NAMES
#define WORDS_WHEEL_JOINT "lets a wheel rotate about an axle and move along a suspension", PARAM_JOINT, JOINT_NAMES
#define WORDS_DISTANCE_JOINT                                                                                           \
    "keeps points of two bodies, or a body and a particle, at a distance from low to high", PARAM_POINTS,              \
    {                                                                                                                  \
        "ax", "ay", "az", "bx", "by", "bz", "low", "high", "strength"                                                  \
    }
#define WORDS_SLIDE_RANGE                                                                                              \
    "keeps the position along an axis of a body from low to high", PARAM_SLIDE,                                        \
    {                                                                                                                  \
        SLIDE_NAMES, "low", "high", "strength"                                                                         \
    }
#define WORDS_SLIDE_MOTOR                                                                                              \
    "drives the motion along an axis of a body at a speed", PARAM_SLIDE, { SLIDE_NAMES, "speed", "strength" }
#define WORDS_TWIST_RANGE                                                                                              \
    "keeps the angle about the common axis of two bodies from low to high", PARAM_TURNS,                               \
    {                                                                                                                  \
        TURN_NAMES, "low", "high", "strength"                                                                          \
    }
#define WORDS_TWIST_MOTOR                                                                                              \
    "drives the rotation about the common axis of two bodies at a speed", PARAM_TURNS,                                 \
    {                                                                                                                  \
        TURN_NAMES, "speed", "strength"                                                                                \
    }
#define WORDS_SWING_RANGE                                                                                              \
    "keeps the angle between the axes of two bodies from low to high", PARAM_TURNS,                                    \
    {                                                                                                                  \
        TURN_NAMES, "low", "high", "strength"                                                                          \
    }

#define WORDS_ATTACHMENT                                                                                               \
    "holds a particle at a point of a body", PARAM_ATTACH, { "x", "y", "z" }
#define WORDS_GEAR                                                                                                     \
    "two toothed wheels on axes that are fixed in the world", PARAM_TURNS,                                             \
    {                                                                                                                  \
        TURN_NAMES, "wax", "way", "waz", "wbx", "wby", "wbz", "teeth_a", "teeth_b"                                     \
    }
#define WORDS_RACK                                                                                                     \
    "a pinion on an axis that is fixed in the world, and a rack", PARAM_SLIDE,                                         \
    {                                                                                                                  \
        SLIDE_NAMES, "wx", "wy", "wz", "ux", "uy", "uz", "radius", "position"                                          \
    }
#define WORDS_PULLEY                                                                                                   \
    "a rope from a body over two points of the world to another body", PARAM_POINTS,                                   \
    {                                                                                                                  \
        "ax", "ay", "az", "bx", "by", "bz", "low", "high", "strength", "pax", "pay", "paz", "pbx", "pby", "pbz",       \
            "ratio"                                                                                                    \
    }

#define FACTS_(frames, name, arity, writes, params, bound, scale, parts, about, rule, ...)                             \
    {                                                                                                                  \
        {name, about, arity, params, parts, __VA_ARGS__}, writes, bound, scale, rule, frames                           \
    }
#define FACTS(...) FACTS_(__VA_ARGS__)

static const kind_facts facts[PL_KIND_COUNT] = {
#define ENTRY(name, NAME, arity, writes, params, bound, stem, scale, parts)                                            \
    [PL_KIND_##NAME] = FACTS(false, #name, arity, writes, params, bound, scale, parts, WORDS_##NAME),
    PL_ROW_KINDS(ENTRY) PL_VECTOR_KINDS(ENTRY)
#undef ENTRY
#define ENTRY(name, NAME, arity, writes, params, bound, stem, scale, parts)                                            \
    [PL_KIND_##NAME] = FACTS(true, #name, arity, writes, params, bound, scale, parts, WORDS_##NAME),
        PL_FRAME_KINDS(ENTRY)
#undef ENTRY
};

_Static_assert((int)VECTOR_PARTS == (int)PL_MAX_PARTS, "vector_row.h must hold the largest kind");
_Static_assert((int)ROW_POINTS == (int)PL_MAX_ARITY, "row.h must hold the largest kind");

const kind_facts *facts_of(int kind) { return &facts[kind]; }

const pl_kind_info *pl_kind_describe(pl_kind kind) { return (unsigned)kind < PL_KIND_COUNT ? &facts[kind].info : NULL; }

pl_kind pl_kind_by_name(const char *name)
{
    int kind = name ? 0 : PL_KIND_COUNT;
    while (kind < PL_KIND_COUNT && strcmp(facts[kind].info.name, name) != 0)
        kind++;
    return (pl_kind)kind;
}
