// lanes_unit.h: exports the stages of one compilation unit for one lane width. The functions of stages.def are compiled
// in several units (lanes_slots.c, lanes_elements.c, ...), each once for every width, so that no unit takes a minute to
// compile; lanes.c joins them into a table. A unit defines which stages it exports (#define EXPORT_SLOTS EXPORT),
// includes the headers with their functions, and then includes this file.
//
// The build defines LANES, the number of lanes, and LANE_WIDTH, the suffix of the names: a width may be built twice,
// for older and for newer CPUs.
#include "backend/cpu/lanes_names.h"

#define SKIP(form, function)
#ifndef EXPORT_SLOTS
#define EXPORT_SLOTS SKIP
#endif
#ifndef EXPORT_ELEMENTS
#define EXPORT_ELEMENTS SKIP
#endif
#ifndef EXPORT_JACOBI
#define EXPORT_JACOBI SKIP
#endif
#ifndef EXPORT_GROUPS
#define EXPORT_GROUPS SKIP
#endif
#ifndef EXPORT_CONTACTS
#define EXPORT_CONTACTS SKIP
#endif
#ifndef EXPORT_RIGID
#define EXPORT_RIGID SKIP
#endif
#ifndef EXPORT_SURFACES
#define EXPORT_SURFACES SKIP
#endif

#define EXPORT(form, function) EXPORT_##form(function)
#define EXPORT_AS(name, function)                                                                                      \
    extern stage_fn name;                                                                                              \
    void name(state *s, const stage *g, int32_t begin, int32_t end) { function(s, g, begin, end); }
#define EXPORT_WIDE(function) EXPORT_AS(LANE_NAME(function), function)
#if LANES == 1
#define EXPORT_SCALAR(function) EXPORT_AS(scalar_##function, function)
#define EXPORT_BOTH(function) EXPORT_AS(scalar_##function, function##_stage)
#else
#define EXPORT_SCALAR(function)
#define EXPORT_BOTH(function) EXPORT_AS(LANE_NAME(function), function##_wide)
#endif

#define STAGE(NAME, items, timing, unit, form, function, ...) EXPORT_##unit(form, function)
#include "plan/stages.def"
