// lanes.h: the table of stages compiled for one lane width. backend/cpu/lanes.c and lanes_*.c are compiled once for
// each width.
#pragma once
#include "neighbours/element_search.h"
#include "plan/stage.h"

// Computes the constraint value C of rows [begin, end) of a kind at the present positions.
typedef void measure_fn(const state *s, int32_t begin, int32_t end, float *values);
// Computes the parameters of an element that is at rest at these points (4 floats each). For kinds with frames, as many
// orientations (4 floats each) follow the points; an orientation of length 0 means that the point has none.
typedef void rest_fn(const float *points, float *param);

typedef struct lane_table
{
    int lanes;
    const element_lanes *elements; // the search for surface pairs
    stage_fn *stage[OP_COUNT];
    measure_fn *measure[PL_KIND_COUNT];
    rest_fn *rest[PL_KIND_COUNT];
} lane_table;

// Returns NULL if this build or this CPU does not support that width.
const lane_table *lanes_of(int lanes);
// Returns the table that is fastest on this CPU: 8 lanes, else 16, 4 or 1.
const lane_table *lanes_best(void);
