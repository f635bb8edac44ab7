// skin_boxes.h: boxes of skin: from where to where they reach, and from how slow to how fast they move, four numbers at a time.
#pragma once
#include "world/skin.h"

#include <string.h>

typedef int32_t four_mask __attribute__((vector_size(16)));

static inline four four_at(const float *from)
{
    four a;
    memcpy(&a, from, sizeof a);
    return a;
}

static inline four lesser(four a, four b) { return (four)(((four_mask)a & (a < b)) | ((four_mask)b & ~(a < b))); }
static inline four greater(four a, four b) { return (four)(((four_mask)a & (a > b)) | ((four_mask)b & ~(a > b))); }

static inline void box_open(skin_box *box)
{
    const four all = {1e30f, 1e30f, 1e30f, 0.0f}, none = {-1e30f, -1e30f, -1e30f, 0.0f};
    *box = (skin_box){all, none, all, none};
}

static inline void box_join(skin_box *box, const skin_box *other)
{
    box->low = lesser(box->low, other->low);
    box->high = greater(box->high, other->high);
    box->slow = lesser(box->slow, other->slow);
    box->fast = greater(box->fast, other->fast);
}

// Flat boxes side by side in a plane do not count.
static inline bool boxes_cross(const skin_box *a, const skin_box *b)
{
    four_mask apart = (a->low > b->high) | (b->low > a->high), deep = (a->low < b->high) & (b->low < a->high);
    return !(apart[0] | apart[1] | apart[2]) && deep[0] + deep[1] + deep[2] <= -2;
}
