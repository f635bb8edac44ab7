// surface_pair.h: pairs of surface elements, and the blocks of cells in which they are solved. Every backend computes
// the same keys. A cell is as wide as the widest pair, so that all four corners of a pair lie within two cells along
// each axis.
#pragma once
#include "neighbours/cells.h"
#include "kernels/surface_contact.h"

typedef struct surface_pair
{
    int32_t mode; // surface_mode: kernels/surface_contact.h
    // A slot and a triangle, or two edges; for SURFACE_UNTANGLE: a slot and the index of its pull.
    int32_t a, b;
    float reach;
    int32_t off; // 1: part of a tangle, so its contact is switched off
} surface_pair;

// A vertex that is pulled through a triangle, or along it, to undo a crossing.
typedef struct surface_pull
{
    int32_t slot, triangle;
    float normal[3], weight[3];
} surface_pull;

// What the search on CUDA finds; `a` and `b` of a pair as in surface_pair, except where noted.
enum surface_find
{
    FIND_VERTICES,
    FIND_EDGES,
    FIND_CROSSINGS, // a: edge, b: triangle
    FINDS
};

#if LANES == 1

// Finds the slots of the four corners of a pair.
PL_FN void pair_corners(const int32_t *triangle, const int32_t *edge, const surface_pull *pulls, const surface_pair *p,
                        int32_t *corner)
{
    if (p->mode == SURFACE_EDGES)
    {
        for (size_t i = 0; i < 2; i++)
        {
            corner[i] = edge[2 * (size_t)p->a + i];
            corner[2 + i] = edge[2 * (size_t)p->b + i];
        }
        return;
    }
    size_t t = (size_t)(p->mode == SURFACE_UNTANGLE ? pulls[p->b].triangle : p->b);
    corner[0] = p->a;
    for (size_t i = 0; i < 3; i++)
        corner[1 + i] = triangle[3 * t + i];
}

// The longest side of the bounding box of a pair's corners.
PL_FN float pair_width(const float *x, const int32_t *corner)
{
    float widest = 0.0f;
    for (size_t c = 0; c < 3; c++)
    {
        float low = x[4 * (size_t)corner[0] + c], high = low;
        for (int j = 1; j < 4; j++)
        {
            float a = x[4 * (size_t)corner[j] + c];
            low = a < low ? a : low;
            high = a > high ? a : high;
        }
        widest = high - low > widest ? high - low : widest;
    }
    return widest;
}

PL_FN float surface_cell_size(float widest) { return 1.0001f * widest; }

// The key that sorts pairs by (colour, block), like block_key in cells.h. cell: 3 coordinates for each slot.
PL_FN uint64_t surface_block_key(const int32_t *cell, const int32_t *corner, const int32_t *low, const int *bits)
{
    uint64_t at[3], colour = 0;
    for (size_t c = 0; c < 3; c++)
    {
        int32_t least = cell[3 * (size_t)corner[0] + c];
        for (int j = 1; j < 4; j++)
        {
            int32_t here = cell[3 * (size_t)corner[j] + c];
            least = here < least ? here : least;
        }
        at[c] = (uint64_t)(least - low[c]);
        colour |= (at[c] & 1) << c;
    }
    uint64_t key = colour << bits[2] | at[2] >> 1;
    key = key << bits[1] | at[1] >> 1;
    return key << bits[0] | at[0] >> 1;
}

#endif
