// lattice_match.h: shape matching of overlapping regions on a regular lattice. Rivers and James 2007 (fast lattice
// shape matching). Particle i has a region r = i: the particles of all cells within `half` cells of its own along each
// axis. With n the number of regions that contain a particle, and m/n its share of mass in each:
//   M = sum m/n,  c = sum m/n x/M,  A = sum m/n x q^T - M c qbar^T,  R: the rotation nearest to A    sums over a region
//   goal = 1/n (sum R q + sum (c - R qbar)),  x += alpha (goal - x)                               sums over its regions
// Both are sums over boxes of cells, so they are computed axis by axis, 12 numbers a cell (m x, m x q^T; then c - R
// qbar, R), and the cost of a cell does not depend on `half`.
//
// A sum over a window of W = 2 half + 1 cells of a line: the line is cut into blocks of W cells; a window consists of
// the end of one block and the beginning of the next, and both are running sums (van Herk 1992; Gil and Werman 1993).
// This takes three additions a cell and no subtraction, so nothing cancels, and the order of the sums does not depend
// on threads.
#pragma once
#include "kernels/oriented.h"

enum
{
    LATTICE_PARTS = 3, // of 4 numbers each
    LATTICE_NONE = -1,
};

// A row of cells along an axis.
typedef struct lattice_line
{
    int32_t first, stride, count, half;
} lattice_line;

typedef struct lattice_cell
{
    float rest[3], share;          // q, from the lattice's centre; m/n
    float centre[3], inverse_mass; // qbar and 1/M of its region
    float rotation[4];             // rotation of its region, from the last solve
    float regions;                 // n
    int32_t member;                // 4 * slot, or LATTICE_NONE: the cell has no particle
    int32_t body;                  // index of the lattice
    float pad;
} lattice_cell;

typedef struct lattice_body
{
    float alpha;
    // 4 * slot of a particle in the middle; positions are taken relative to it, so that float32 suffices
    int32_t origin;
} lattice_body;

#if LANES == 1 && !defined(LANE_DOUBLE)

PL_FN point point_add(point a, point b)
{
    point r = {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
    return r;
}

// Computes the window sums of one line, 4 numbers of each cell. `ends` is scratch memory for the line: sums from each
// cell to the end of its block.
PL_FN void lattice_windows(const lattice_line *l, int part, const float *in, float *ends, float *out)
{
    const int32_t half = l->half, width = 2 * half + 1;
    const size_t step = 4 * LATTICE_PARTS * (size_t)l->stride,
                 first = 4 * LATTICE_PARTS * (size_t)l->first + 4 * (size_t)part;
    const point none = {0.0f, 0.0f, 0.0f, 0.0f};
    // e runs from `half` cells before the line to `half` cells after it; cells beyond the ends count as zero.
    int32_t last = (l->count - 1) / width * width + width - 1, left = 0;
    point sum = none;
    for (int32_t e = last; e >= 0; e--, left = left ? left - 1 : width - 1)
    {
        int32_t cell = e - half;
        point v = cell >= 0 && cell < l->count ? load_points(in + first + step * (size_t)cell) : none;
        sum = left ? point_add(sum, v) : v; // left: distance to the end of its block, counted down
        if (e < l->count)
            store_points(ends + first + step * (size_t)e, sum);
    }
    sum = none;
    for (int32_t e = 0, in_block = 0; e < l->count + 2 * half; e++, in_block = in_block + 1 < width ? in_block + 1 : 0)
    {
        int32_t cell = e - half, window = e - 2 * half;
        point v = cell >= 0 && cell < l->count ? load_points(in + first + step * (size_t)cell) : none;
        sum = in_block ? point_add(sum, v) : v;
        if (window < 0)
            continue;
        point end = load_points(ends + first + step * (size_t)window);
        store_points(out + first + step * (size_t)window, in_block + 1 == width ? end : point_add(end, sum));
    }
}

// Computes what a particle adds to its regions; x: its position relative to the origin.
PL_FN void lattice_load(const lattice_cell *p, vec x, float *to)
{
    vec m = times(p->share, x);
    const float factor[4] = {1.0f, p->rest[0], p->rest[1], p->rest[2]};
    for (int i = 0; i < 4; i++)
        to[3 * i] = factor[i] * m.x, to[3 * i + 1] = factor[i] * m.y, to[3 * i + 2] = factor[i] * m.z;
}

// Returns the vector from a particle at x (relative to the origin) to its goal: the mean over its regions. The small
// difference is divided, not the goal: otherwise the rounding of 1/n would push the body.
PL_FN vec lattice_way(const lattice_cell *p, vec x, const float *sum)
{
    vec g = vec_of(sum[0], sum[1], sum[2]);
    for (int i = 0; i < 3; i++)
        g = add(g, times(p->rest[i], vec_of(sum[3 + 3 * i], sum[4 + 3 * i], sum[5 + 3 * i])));
    return times(1.0f / p->regions, sub(g, times(p->regions, x)));
}

#endif
