// cells.h: the grid cells that particles are sorted by, and the blocks of cells that group contact pairs. Every backend
// computes the same keys.
//
// A cell's key holds z, y, x, counted from the lowest cell minus one. One row of cells stays free on either side, so
// that the neighbours of a cell never wrap around. A pair belongs to the 2 x 2 x 2 block of cells whose corner is the
// component-wise minimum of its two cells. A block's key holds its colour (the parities of the corner), then half the
// corner.
#pragma once
#include "core/lane.h"

#include <stdbool.h>

enum
{
    CELL_MOST = 1 << 20, // cell coordinates are below this; the value itself: out of bounds
    // Rows of three cells that hold the later neighbours of a cell: its own row, one in the same layer, three in the
    // next layer.
    CELL_ROWS = 5,
    CELL_ROWS_AROUND = 2 * CELL_ROWS - 1, // rows that hold all neighbours of a cell
};

// The side of a cell: larger than the greatest distance between two neighbours, rounding included.
PL_BOTH float cell_size(float radius, float margin) { return 1.0001f * (2.0f * radius + margin); }

// The cell's coordinate along an axis; CELL_MOST when it is out of bounds. The product is computed in double, which is
// nearly exact: in float32, two particles a million cells from the origin could appear to be two cells apart when they
// are not.
PL_FN int32_t cell_at(float x, double inverse)
{
    double a = (double)x * inverse;
    if (!(a > -(double)CELL_MOST && a < (double)(CELL_MOST - 1)))
        return CELL_MOST;
    int32_t i = (int32_t)a;
    return (double)i > a ? i - 1 : i;
}

PL_BOTH int cell_bits(int64_t most)
{
    int bits = 1;
    while (most >> bits)
        bits++;
    return bits;
}

PL_FN uint64_t key_of_cell(const int32_t *cell, const int *bits)
{
    return ((uint64_t)cell[2] << bits[1] | (uint64_t)cell[1]) << bits[0] | (uint64_t)cell[0];
}

PL_FN void cell_of_key(uint64_t key, const int *bits, int32_t *cell)
{
    cell[0] = (int32_t)(key & (((uint64_t)1 << bits[0]) - 1));
    cell[1] = (int32_t)(key >> bits[0] & (((uint64_t)1 << bits[1]) - 1));
    cell[2] = (int32_t)(key >> (bits[0] + bits[1]));
}

// The key of the middle cell of a row of three cells.
PL_FN uint64_t row_key(const int *bits, uint64_t key, int row)
{
    uint64_t y = (uint64_t)1 << bits[0], z = (uint64_t)1 << (bits[0] + bits[1]);
    return row < 2 ? key + (uint64_t)row * y : key + z + (uint64_t)row * y - 3 * y;
}

// The same for all rows around a cell, in the order of their keys: rows -4 to -1 mirror rows 4 to 1.
PL_FN uint64_t row_key_around(const int *bits, uint64_t key, int row)
{
    return row < 0 ? 2 * key - row_key(bits, key, -row) : row_key(bits, key, row);
}

// The index of the first sorted key in [low, high) that is not less than `wanted`.
PL_FN int32_t first_key(const uint64_t *key, int32_t low, int32_t high, uint64_t wanted)
{
    while (low < high)
    {
        int32_t middle = low + (high - low) / 2;
        if (key[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// me, you: position and reach of two particles. reach: the reach of `me` plus the margin.
PL_FN bool spheres_near(const float *me, const float *you, float reach)
{
    float x = me[0] - you[0], y = me[1] - you[1], z = me[2] - you[2], far = reach + you[3];
    return x * x + y * y + z * z < far * far;
}

// Computes the corner of the block that a pair belongs to from the cell keys of its two particles.
PL_FN void block_corner(uint64_t one, uint64_t other, const int *bits, uint64_t *corner)
{
    int32_t a[3], b[3];
    cell_of_key(one, bits, a);
    cell_of_key(other, bits, b);
    for (int c = 0; c < 3; c++)
        corner[c] = (uint64_t)(a[c] < b[c] ? a[c] : b[c]);
}

// The key that sorts pairs by (colour, block).
PL_FN uint64_t block_key(uint64_t one, uint64_t other, const int *bits)
{
    uint64_t corner[3];
    block_corner(one, other, bits, corner);
    uint64_t colour = (corner[2] & 1) << 2 | (corner[1] & 1) << 1 | (corner[0] & 1);
    uint64_t key = colour << bits[2] | corner[2] >> 1;
    key = key << bits[1] | corner[1] >> 1;
    return key << bits[0] | corner[0] >> 1;
}
