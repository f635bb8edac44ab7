// lanes.c: builds the table of stages for one lane width from stages.def. The functions are in lanes_*.c; a stage
// without a function does not link. The widths differ only in how many items they process at a time.
#include "backend/cpu/lanes_names.h"
#include "elements/kinds.h"

// The name of each form of a function, as lanes_unit.h exports it.
#define NAME_WIDE(function) LANE_NAME(function)
#define NAME_SCALAR(function) scalar_##function
#if LANES == 1
#define NAME_BOTH(function) scalar_##function
#else
#define NAME_BOTH(function) LANE_NAME(function)
#endif

#define STAGE(NAME, items, timing, unit, form, function, ...) extern stage_fn NAME_##form(function);
#include "plan/stages.def"
#define DECLARE(name, ...)                                                                                             \
    extern measure_fn LANE_NAME(measure_##name);                                                                       \
    extern rest_fn rest_##name;
PL_KINDS(DECLARE)

extern const element_lanes LANE_NAME(element_search);
extern const lane_table LANE_TABLE;
const lane_table LANE_TABLE = {
    .lanes = LANES,
    .elements = &LANE_NAME(element_search),
    .stage =
        {
#define STAGE(NAME, items, timing, unit, form, function, ...) [OP_##NAME] = NAME_##form(function),
#include "plan/stages.def"
        },
    .measure =
        {
#define ENTRY(name, ...) LANE_NAME(measure_##name),
            PL_KINDS(ENTRY)
#undef ENTRY
        },
    .rest =
        {
#define ENTRY(name, ...) rest_##name,
            PL_KINDS(ENTRY)
#undef ENTRY
        },
};
