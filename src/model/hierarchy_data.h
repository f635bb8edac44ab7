// hierarchy_data.h: declares which coarse nodes and bounds form the levels of a world with the solver hierarchy
// (kernels/hierarchy.h), for the plan of a frame.
#pragma once
#include "model/state.h"

enum
{
    COARSE_LEVELS = 24,
};

// Bounds of one level that share no node.
typedef struct coarse_run
{
    int32_t level, begin, end;
} coarse_run;

// Level 0 is the finest coarse one.
typedef struct hierarchy
{
    int32_t levels;
    int32_t node_start[COARSE_LEVELS + 1];
    int32_t run_start[COARSE_LEVELS + 1];
    coarse_run *runs;
    int64_t run_capacity;
} hierarchy;
