// points.h: stores points in a hashed grid, to find an added point near a position. The results do not depend on the
// hash.
#pragma once
#include "author/solid.h"

typedef struct point_grid
{
    double cell, low[3];
    int32_t *head, *next;
    int64_t buckets, capacity;
} point_grid;

// Opens a grid. Queries reach at most `reach`. About `expected` points will be added; more only make it slower.
pl_result point_grid_open(memory *m, const double low[3], double reach, int64_t expected, point_grid *g);
// Adds a point: an index into x, the caller's array with 3 numbers each, which may grow and move meanwhile.
pl_result point_grid_add(memory *m, point_grid *g, const float *x, int32_t point);
// Returns the lowest point within `reach` (at most the grid's) of `at`; -1: none.
int32_t point_grid_near(const point_grid *g, const float *x, const float at[3], double reach);
void point_grid_close(memory *m, point_grid *g);
