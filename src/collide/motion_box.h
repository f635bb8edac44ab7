// motion_box.h: bounding boxes of moving surface elements: bounds of their positions and of their velocities, as
// vectors of four floats.
#pragma once
#include "core/lane.h"

#include <stdbool.h>

#if defined(__CUDACC__)

// The operators of gcc's vectors, for nvcc.
struct alignas(16) four_mask
{
    int32_t v[4];
    __device__ int32_t operator[](int i) const { return v[i]; }
};

struct alignas(16) four
{
    float v[4];
    __device__ float &operator[](int i) { return v[i]; }
    __device__ float operator[](int i) const { return v[i]; }
};

#define FOUR_BY(type, in, name, expression)                                                                            \
    PL_FN type operator name(in a, in b)                                                                               \
    {                                                                                                                  \
        type r;                                                                                                        \
        for (int i = 0; i < 4; i++)                                                                                    \
            r.v[i] = expression;                                                                                       \
        return r;                                                                                                      \
    }
FOUR_BY(four, four, -, a.v[i] - b.v[i])
FOUR_BY(four, four, *, a.v[i] * b.v[i])
FOUR_BY(four_mask, four, <, a.v[i] < b.v[i] ? -1 : 0)
FOUR_BY(four_mask, four, >, a.v[i] > b.v[i] ? -1 : 0)
FOUR_BY(four_mask, four_mask, &, a.v[i] & b.v[i])
FOUR_BY(four_mask, four_mask, |, a.v[i] | b.v[i])
#undef FOUR_BY

PL_FN four lesser(four a, four b)
{
    four r;
    for (int i = 0; i < 4; i++)
        r.v[i] = a.v[i] < b.v[i] ? a.v[i] : b.v[i];
    return r;
}

PL_FN four greater(four a, four b)
{
    four r;
    for (int i = 0; i < 4; i++)
        r.v[i] = a.v[i] > b.v[i] ? a.v[i] : b.v[i];
    return r;
}

#else

typedef float four __attribute__((vector_size(16)));
typedef int32_t four_mask __attribute__((vector_size(16)));

PL_FN four lesser(four a, four b) { return (four)(((four_mask)a & (a < b)) | ((four_mask)b & ~(a < b))); }
PL_FN four greater(four a, four b) { return (four)(((four_mask)a & (a > b)) | ((four_mask)b & ~(a > b))); }

#endif

// Positions are between low and high [m], velocities between slow and fast [m/s], along each axis; the fourth numbers
// are 0.
typedef struct surface_box
{
    four low, high, slow, fast;
} surface_box;

PL_FN four four_at(const float *from)
{
    four a;
    memcpy(&a, from, sizeof a);
    return a;
}

PL_FN four four_of(float a)
{
    four r = {a, a, a, a};
    return r;
}

// Makes a box empty.
PL_FN void box_open(surface_box *box)
{
    const four all = {1e30f, 1e30f, 1e30f, 0.0f}, none = {-1e30f, -1e30f, -1e30f, 0.0f};
    box->low = box->slow = all;
    box->high = box->fast = none;
}

// Extends a box so that it contains the other.
PL_FN void box_join(surface_box *box, const surface_box *other)
{
    box->low = lesser(box->low, other->low);
    box->high = greater(box->high, other->high);
    box->slow = lesser(box->slow, other->slow);
    box->fast = greater(box->fast, other->fast);
}

// Can the boxes come within `near` [m] of each other during the time `horizon` [s]? No if they stay apart along an
// axis.
PL_FN bool boxes_meet(const surface_box *a, const surface_box *b, float near, float horizon)
{
    const four zero = {0.0f, 0.0f, 0.0f, 0.0f}, time = four_of(horizon), gap = four_of(near);
    four up = b->low - a->high - time * greater(a->fast - b->slow, zero);
    four down = a->low - b->high - time * greater(b->fast - a->slow, zero);
    four_mask apart = (up > gap) | (down > gap);
    return !(apart[0] | apart[1] | apart[2]);
}

// Do the boxes overlap? Flat boxes side by side in a plane do not count.
PL_FN bool boxes_cross(const surface_box *a, const surface_box *b)
{
    four_mask apart = (a->low > b->high) | (b->low > a->high), deep = (a->low < b->high) & (b->low < a->high);
    return !(apart[0] | apart[1] | apart[2]) && deep[0] + deep[1] + deep[2] <= -2;
}
