// kinds.c: the table of kinds in words, and what a row may hold.
#include "constraints/constraints.h"
#include "world/world.h"

#include <string.h>

// What stands behind a line of PL_KINDS for a person: about, what parameter 0 must be, the parameters' names.
#define WORDS_DISTANCE                                                                                                 \
    "two particles at a rest length", PARAM_POSITIVE, { "rest" }
#define WORDS_DISTANCE_MIN                                                                                             \
    "two particles never nearer than a length", PARAM_POSITIVE, { "rest" }
#define WORDS_DISTANCE_MAX                                                                                             \
    "two particles never farther than a length", PARAM_POSITIVE, { "rest" }
#define WORDS_TETHER                                                                                                   \
    "never farther than a length from an anchor, which feels nothing", PARAM_POSITIVE, { "rest" }
#define WORDS_DIHEDRAL                                                                                                 \
    "the angle between two triangles with a common edge", PARAM_ANY, { "rest" }
#define WORDS_ISOMETRIC                                                                                                \
    "the curvature of two triangles that are flat at rest", PARAM_ANY, { "ka", "kb", "kc", "kd" }
#define WORDS_TET_VOLUME                                                                                               \
    "the volume of a tetrahedron", PARAM_NONZERO, { "rest" }
#define WORDS_PIN                                                                                                      \
    "a particle at a target that may move", PARAM_ANY, { "x", "y", "z", "dx", "dy", "dz" }

#define FACTS_(name, arity, writes, params, bound, scale, about, rule, ...)                                            \
    {                                                                                                                  \
        {name, about, arity, params, __VA_ARGS__}, writes, bound, scale, rule                                          \
    }
#define FACTS(...) FACTS_(__VA_ARGS__)

static const kind_facts facts[PL_KIND_COUNT] = {
#define ENTRY(name, NAME, arity, writes, params, bound, stem, scale)                                                   \
    [PL_KIND_##NAME] = FACTS(#name, arity, writes, params, bound, scale, WORDS_##NAME),
    PL_KINDS(ENTRY)
#undef ENTRY
};

_Static_assert((int)ROW_POINTS == (int)PL_MAX_ARITY, "row.h must hold the largest kind");

const kind_facts *facts_of(int kind) { return &facts[kind]; }

const pl_kind_info *pl_kind_describe(pl_kind kind) { return (unsigned)kind < PL_KIND_COUNT ? &facts[kind].info : NULL; }

pl_kind pl_kind_by_name(const char *name)
{
    int kind = 0;
    while (kind < PL_KIND_COUNT && strcmp(facts[kind].info.name, name) != 0)
        kind++;
    return (pl_kind)kind;
}
