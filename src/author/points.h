// points.h: points in a hashed grid, to ask which of those added so far is near. Answers do not depend on the hash.
#pragma once
#include "author/solid.h"

typedef struct point_grid
{
    double cell, low[3];
    int32_t *head, *next;
    int64_t buckets, capacity;
} point_grid;

// Questions will reach no farther than `reach`. About `expected` points will come; more only make it slower.
pl_result point_grid_open(memory *m, const double low[3], double reach, int64_t expected, point_grid *g);
// Points are numbers into x, the caller's, 3 each, which may grow and move meanwhile.
pl_result point_grid_add(memory *m, point_grid *g, const float *x, int32_t point);
// The lowest point within `reach` (at most the grid's) of `at`, -1: none.
int32_t point_grid_near(const point_grid *g, const float *x, const float at[3], double reach);
void point_grid_close(memory *m, point_grid *g);
