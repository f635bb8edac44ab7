// stage.h: declares a stage: one entry of the plan, the list of stages that step/step.c writes for a frame and that a
// backend runs.
//
// A stage is a function over a range of items (stages.def) that may be cut anywhere at a multiple of its grain size and
// distributed over any number of workers. Between two stages there is a barrier, unless fuse.c finds that they may run
// as one.
#pragma once
#include "plan/stage_table.h"
#include "model/state.h"

typedef struct stage
{
    uint8_t op;    // enum stage_op
    uint8_t kind;  // rows: pl_kind; clusters: enum match_which; lattices: the axis
    uint8_t first; // the substep's first iteration: multipliers start at 0
    uint8_t keep;  // multipliers are read again: by another iteration, by the user, or to detect events
    uint8_t group; // pl_stage_group, for timings
    int32_t substep;
    int32_t begin, end;   // items
    int32_t grain_size;   // a range of items may be divided at multiples of this
    const int32_t *range; // not NULL: begin and end are read from here when the stage runs
    uint8_t whole_slabs;  // pairs: all groups of a slab go to one worker, in their order
    uint8_t colour;       // contacts: the number of the colour
} stage;

// Runs a stage on [begin, end) of its items. Each lane width has a table of these: backend/cpu/lanes.h.
typedef void stage_fn(state *s, const stage *g, int32_t begin, int32_t end);
