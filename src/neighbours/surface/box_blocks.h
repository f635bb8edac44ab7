// box_blocks.h: fits and compares the boxes of moving elements, LANES at a time (neighbours/element_search.h).
#pragma once
#include "neighbours/element_search.h"

// One box, in every lane.
typedef struct wide_box
{
    f32 low[3], high[3], slow[3], fast[3];
} wide_box;

PL_FN wide_box wide_box_of(const box_block *k, int i)
{
    wide_box b;
    for (int c = 0; c < 3; c++)
    {
        b.low[c] = splat(k->low[c][i]), b.high[c] = splat(k->high[c][i]);
        b.slow[c] = splat(k->slow[c][i]), b.fast[c] = splat(k->fast[c][i]);
    }
    return b;
}

// Can two boxes come within `near` of each other during the time `horizon`? It computes what boxes_meet does
// (collide/motion_box.h).
PL_FN bool two_meet(const box_block *a, int i, const box_block *b, int j, float near, float horizon)
{
    bool apart = false;
    for (int c = 0; c < 3; c++)
    {
        float rise = a->fast[c][i] - b->slow[c][j], fall = b->fast[c][j] - a->slow[c][i];
        float up = b->low[c][j] - a->high[c][i] - horizon * (rise > 0.0f ? rise : 0.0f);
        float down = a->low[c][i] - b->high[c][j] - horizon * (fall > 0.0f ? fall : 0.0f);
        apart |= up > near || down > near;
    }
    return !apart;
}

// Which of the boxes at `lane` and behind it can come within `near` of a box during the time `horizon`: bits.
PL_FN uint32_t lanes_meeting(const box_block *k, int lane, const wide_box *a, float near, float horizon)
{
    const f32 zero = splat(0.0f);
    i32 apart = zero > zero;
    for (int c = 0; c < 3; c++)
    {
        f32 up = load(k->low[c] + lane) - a->high[c] - horizon * most(a->fast[c] - load(k->slow[c] + lane), zero);
        f32 down = a->low[c] - load(k->high[c] + lane) - horizon * most(load(k->fast[c] + lane) - a->slow[c], zero);
        apart = apart | (up > near) | (down > near);
    }
    return ~mask_bits(apart) & (LANES < 32 ? (1u << LANES) - 1 : ~0u);
}

// How far a box and those of a block may be apart along each axis, upwards and downwards, for them to meet.
typedef struct box_gaps
{
    float up[3], down[3];
} box_gaps;

// Bounds for any box in one and any box in another of these two, and the widest of them. Rounding is far less than
// what they are enlarged by.
PL_FN float gaps_between(const box_block *a, int i, const box_block *b, int j, float near, float horizon, box_gaps *out)
{
    float widest = 0.0f;
    for (int c = 0; c < 3; c++)
    {
        float up = a->fast[c][i] - b->slow[c][j], down = b->fast[c][j] - a->slow[c][i];
        up = 1.0001f * (near + horizon * (up > 0.0f ? up : 0.0f));
        down = 1.0001f * (near + horizon * (down > 0.0f ? down : 0.0f));
        widest = up > widest ? up : widest;
        widest = down > widest ? down : widest;
        out->up[c] = up, out->down[c] = down;
    }
    return widest;
}

// Which of the boxes at `lane` and behind it are no farther from a box than the gaps: bits.
PL_FN uint32_t lanes_within(const box_block *k, int lane, const box_block *own, int i, const box_gaps *gap)
{
    i32 apart = splat(0.0f) > splat(0.0f);
    for (int c = 0; c < 3; c++)
        apart = apart | (load(k->low[c] + lane) - own->high[c][i] > gap->up[c]) |
                (own->low[c][i] - load(k->high[c] + lane) > gap->down[c]);
    return ~mask_bits(apart) & (LANES < 32 ? (1u << LANES) - 1 : ~0u);
}

// The same for a whole block.
PL_FN uint32_t boxes_meeting(const box_block *k, const wide_box *a, float near, float horizon)
{
    uint32_t bits = 0;
    for (int lane = 0; lane < BOX_BLOCK; lane += LANES)
        bits |= lanes_meeting(k, lane, a, near, horizon) << lane;
    return bits;
}

// ---- fitting -------------------------------------------------------------------------------------------------------

PL_FN void store_bounds(float *low, float *high, f32 least_of, f32 most_of)
{
    store(low, least_of);
    store(high, most_of);
}

PL_FN void fit_lanes(const element_list *l, const float *from, int64_t i, float (*low)[BOX_BLOCK],
                     float (*high)[BOX_BLOCK], int lane)
{
    point p = gather(from, l->corner + i), down = p, up = p;
    for (int k = 1; k < l->corners; k++)
    {
        p = gather(from, l->corner + (int64_t)k * l->step + i);
        down.x = least(down.x, p.x), down.y = least(down.y, p.y), down.z = least(down.z, p.z);
        up.x = most(up.x, p.x), up.y = most(up.y, p.y), up.z = most(up.z, p.z);
    }
    store_bounds(low[0] + lane, high[0] + lane, down.x, up.x);
    store_bounds(low[1] + lane, high[1] + lane, down.y, up.y);
    store_bounds(low[2] + lane, high[2] + lane, down.z, up.z);
}

PL_FN void empty_box(box_block *k, int i)
{
    for (int c = 0; c < 3; c++)
    {
        k->low[c][i] = k->slow[c][i] = 1e30f;
        k->high[c][i] = k->fast[c][i] = -1e30f;
    }
}

PL_UNIT void fit_elements(const element_search *q, element_list *l, int64_t begin, int64_t end)
{
    for (int64_t b = begin; b < end; b++)
    {
        box_block *k = l->block + l->level[0] + b;
        for (int lane = 0; lane < BOX_BLOCK; lane += LANES)
        {
            int64_t i = b * BOX_BLOCK + lane;
            fit_lanes(l, q->x, i, k->low, k->high, lane);
            if (q->horizon > 0.0f)
                fit_lanes(l, q->v, i, k->slow, k->fast, lane);
        }
        if (!(q->horizon > 0.0f))
            memset(k->slow, 0, sizeof k->slow), memset(k->fast, 0, sizeof k->fast);
        for (int64_t i = l->count; i < (b + 1) * BOX_BLOCK; i++)
            empty_box(k, (int)(i % BOX_BLOCK));
    }
}

PL_FN float least_in(const float *a)
{
    float r = a[0];
    for (int i = 1; i < BOX_BLOCK; i++)
        r = a[i] < r ? a[i] : r;
    return r;
}

PL_FN float most_in(const float *a)
{
    float r = a[0];
    for (int i = 1; i < BOX_BLOCK; i++)
        r = a[i] > r ? a[i] : r;
    return r;
}

PL_UNIT void fit_level(element_list *l, int level, int64_t begin, int64_t end)
{
    int64_t below = l->level[level] - l->level[level - 1];
    for (int64_t b = begin; b < end; b++)
    {
        box_block *k = l->block + l->level[level] + b;
        for (int i = 0; i < BOX_BLOCK; i++)
        {
            int64_t child = b * BOX_BLOCK + i;
            if (child >= below)
            {
                empty_box(k, i);
                continue;
            }
            const box_block *from = l->block + l->level[level - 1] + child;
            for (int c = 0; c < 3; c++)
            {
                k->low[c][i] = least_in(from->low[c]), k->high[c][i] = most_in(from->high[c]);
                k->slow[c][i] = least_in(from->slow[c]), k->fast[c][i] = most_in(from->fast[c]);
            }
        }
    }
}
