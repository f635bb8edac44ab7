// lanes.h: the stages compiled for one lane width. cpu/lanes.c is compiled once for each.
#pragma once
#include "world/plan.h"

typedef struct lane_table
{
    int lanes;
    stage_fn *stage[OP_COUNT];
    // C of rows [begin, end) of a kind, at the present positions.
    void (*measure[PL_KIND_COUNT])(const state *s, int32_t begin, int32_t end, float *values);
    // The parameters for which points (4 floats each) are at rest.
    void (*rest[PL_KIND_COUNT])(const float *points, float *param);
} lane_table;

// NULL when this build or this processor has no lanes of that width.
const lane_table *lanes_of(int lanes);
// The widest.
const lane_table *lanes_best(void);
