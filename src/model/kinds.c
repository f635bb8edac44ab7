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
    "a point of an oriented particle at a point of another, or at a particle", PARAM_ANY,                              \
    {                                                                                                                  \
        "ax", "ay", "az", "bx", "by", "bz"                                                                             \
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
