// lanes.h: the stages compiled for one lane width. backend/cpu/lanes.c and cpu/lanes_*.c are compiled once for each.
#pragma once
#include "step/plan.h"

// C of rows [begin, end) of a kind, at the present positions.
typedef void measure_fn(const state *s, int32_t begin, int32_t end, float *values);
// The parameters for which points (4 floats each) are at rest. For kinds with frames as many orientations stand behind them; one of length 0
// says that there is none.
typedef void rest_fn(const float *points, float *param);

typedef struct lane_table
{
    int lanes;
    stage_fn *stage[OP_COUNT];
    measure_fn *measure[PL_KIND_COUNT];
    rest_fn *rest[PL_KIND_COUNT];
} lane_table;

// NULL when this build or this processor has no lanes of that width.
const lane_table *lanes_of(int lanes);
// The widest.
const lane_table *lanes_best(void);
