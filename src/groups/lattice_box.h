// lattice_box.h: computes the bounding box of a lattice's cells and the index of a cell in it.
#pragma once
#include <stdint.h>

enum
{
    MOST_CELLS = 1 << 24, // of all lattices together: about 3.5 GB
};

typedef struct lattice_box
{
    int32_t low[3], size[3];
    int64_t cells;
} lattice_box;

static inline lattice_box box_of(const int32_t *cell, int64_t count)
{
    lattice_box b = {{0}, {0}, 1};
    for (int c = 0; c < 3; c++)
    {
        int64_t low = cell[c], high = cell[c];
        for (int64_t i = 1; i < count; i++)
        {
            low = cell[3 * i + c] < low ? cell[3 * i + c] : low;
            high = cell[3 * i + c] > high ? cell[3 * i + c] : high;
        }
        b.low[c] = (int32_t)low;
        b.size[c] = high - low >= MOST_CELLS ? MOST_CELLS + 1 : (int32_t)(high - low) + 1;
        b.cells = b.cells > MOST_CELLS ? b.cells : b.cells * b.size[c];
    }
    return b;
}

static inline int64_t cell_index(const lattice_box *b, const int32_t *cell)
{
    return cell[0] - b->low[0] +
           (int64_t)b->size[0] * (cell[1] - b->low[1] + (int64_t)b->size[1] * (cell[2] - b->low[2]));
}
