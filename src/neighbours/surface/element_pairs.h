// element_pairs.h: finds the elements of surfaces that are near each other and the edges that cross triangles, LANES at
// a time (neighbours/element_search.h).
//
// A pair is listed if its boxes may meet until the horizon (box_blocks.h) and it passes the exact test (near_test.h).
// The boxes of positions and velocities are those of the tree that CUDA walks, so both backends find the same pairs. A
// pair belongs to two triangles, the owners of its elements. The keys of pairs give the order in which that walk finds
// them:
//   the earlier triangle of the two, the later one, the corner or edge of the earlier one, that of the later one
//   (edges); or whether the vertex or the crossing edge is the later triangle's
#pragma once
#include "neighbours/surface/box_blocks.h"
#include "neighbours/surface/element_rules.h"
#include "neighbours/surface/near_test.h"

enum
{
    NEAR_BATCH = 64,
};

// Candidates for the exact test.
typedef struct near_batch
{
    uint32_t index[4][NEAR_BATCH]; // 4 * slot of each corner
    int32_t a[NEAR_BATCH], b[NEAR_BATCH];
    int32_t count;
} near_batch;

typedef struct pair_search
{
    const element_search *q;
    enum element_pairs what;
    const element_list *a, *b;
    near_rule rule;
    element_finds *out;
    near_batch batch;
} pair_search;

// ---- pairs ---------------------------------------------------------------------------------------------------------

PL_FN bool pair_is_vertex(enum element_pairs what) { return what != PAIRS_EDGES; }

PL_FN uint64_t pair_key(const pair_search *s, int32_t a, int32_t b)
{
    uint32_t one = (uint32_t)s->a->home[a], other = (uint32_t)s->b->home[b];
    bool later = one >> 2 > other >> 2;
    uint64_t first = later ? other >> 2 : one >> 2, second = later ? one >> 2 : other >> 2;
    uint32_t which = s->what == PAIRS_EDGES       ? 3 * (one & 3) + (other & 3)
                     : s->what == PAIRS_PARTICLES ? 0
                                                  : 2 * (one & 3) + later;
    if (s->what == PAIRS_PARTICLES) // particles come behind all triangles
        first = one >> 2, second = other >> 2;
    return first << 34 | second << 4 | which;
}

PL_FN void pair_slots(const pair_search *s, int32_t a, int32_t b, int32_t slot[5])
{
    int at = 0;
    for (int i = 0; i < s->a->corners; i++)
        slot[at++] = (int32_t)(s->a->corner[(int64_t)i * s->a->step + a] / 4);
    for (int i = 0; i < s->b->corners; i++)
        slot[at++] = (int32_t)(s->b->corner[(int64_t)i * s->b->step + b] / 4);
}

// A slot whose phase stands for that of the element: of the owner's first corner.
PL_FN int32_t phase_slot(const pair_search *s, const element_list *l, int32_t i)
{
    const element_list *t = &s->q->list[ELEMENT_TRIANGLES];
    int32_t owner = l->home[i] / 4;
    return owner < s->q->triangles ? (int32_t)(t->corner[owner] / 4) : (int32_t)(l->corner[i] / 4);
}

PL_FN bool pair_may_meet(const pair_search *s, int32_t a, int32_t b)
{
    return surfaces_may_meet(s->q->collision, phase_slot(s, s->a, a), phase_slot(s, s->b, b));
}

// The search takes candidates whose boxes may only nearly meet.
PL_FN bool boxes_of_pair_meet(const pair_search *s, int32_t a, int32_t b)
{
    return two_meet(s->a->block + s->a->level[0] + a / BOX_BLOCK, a % BOX_BLOCK,
                    s->b->block + s->b->level[0] + b / BOX_BLOCK, b % BOX_BLOCK, s->rule.near, s->rule.horizon);
}

PL_FN void pair_found(pair_search *s, int32_t a, int32_t b, float reach)
{
    element_finds *f = s->out;
    if (f->count < f->room)
        f->items[f->count] = (element_pair){pair_key(s, a, b), a, b, reach};
    f->count++;
}

// Moves the candidates whose bits are set to the front of the batch, from `at` on to `left` on.
PL_FN int32_t keep_candidates(near_batch *b, uint32_t bits, int32_t at, int32_t left)
{
    for (; bits; bits &= bits - 1, left++)
    {
        int32_t from = at + __builtin_ctz(bits);
        for (int i = 0; i < 4; i++)
            b->index[i][left] = b->index[i][from];
        b->a[left] = b->a[from];
        b->b[left] = b->b[from];
    }
    return left;
}

// Repeats the last candidate until the end of its lanes.
PL_FN void fill_candidates(near_batch *b)
{
    for (int32_t k = b->count; k % LANES; k++)
        for (int i = 0; i < 4; i++)
            b->index[i][k] = b->index[i][b->count - 1];
}

PL_FN void test_candidates(pair_search *s, bool vertex)
{
    near_batch *b = &s->batch;
    int32_t left = 0, count = b->count;
    fill_candidates(b);
    for (int32_t k = 0; k < count; k += LANES)
    {
        const near_corners index = {b->index[0] + k, b->index[1] + k, b->index[2] + k, b->index[3] + k};
        uint32_t bits = mask_bits(are_near(&s->rule, index, vertex));
        bits &= count - k < LANES ? (1u << (count - k)) - 1 : ~0u;
        left = keep_candidates(b, bits, k, left);
    }
    b->count = left;
    if (left)
        fill_candidates(b);
    for (int32_t k = 0; k < left; k += LANES)
    {
        const near_corners index = {b->index[0] + k, b->index[1] + k, b->index[2] + k, b->index[3] + k};
        float reach[LANES];
        store(reach, near_distance(&s->rule, index, vertex));
        for (int32_t i = k; i < left && i < k + LANES; i++)
        {
            int32_t slot[4];
            for (int c = 0; c < 4; c++)
                slot[c] = (int32_t)(b->index[c][i] / 4);
            if (boxes_of_pair_meet(s, b->a[i], b->b[i]) && one_moves(s->q->mass, slot) &&
                pair_may_meet(s, b->a[i], b->b[i]))
                pair_found(s, b->a[i], b->b[i], reach[i - k]);
        }
    }
    b->count = 0;
}

PL_UNIT void test_batch(pair_search *s)
{
    if (s->batch.count == 0)
        return;
    if (pair_is_vertex(s->what))
        test_candidates(s, true);
    else
        test_candidates(s, false);
}

PL_FN void add_candidate(pair_search *s, int32_t a, int32_t b, const uint32_t *index)
{
    near_batch *to = &s->batch;
    for (int i = 0; i < 4; i++)
        to->index[i][to->count] = index[i];
    to->a[to->count] = a;
    to->b[to->count] = b;
    if (++to->count == NEAR_BATCH)
        test_batch(s);
}

// ---- crossings -----------------------------------------------------------------------------------------------------

// Does the box of the edge's owner cross that of the triangle (collide/motion_box.h)?
PL_FN bool owners_cross(const pair_search *s, int32_t owner, int32_t triangle)
{
    const element_list *t = &s->q->list[ELEMENT_TRIANGLES];
    surface_box box[2];
    for (int k = 0; k < 2; k++)
    {
        int32_t i = k ? triangle : owner;
        const box_block *from = t->block + t->level[0] + i / BOX_BLOCK;
        box_open(&box[k]);
        for (int c = 0; c < 3; c++)
            box[k].low[c] = from->low[c][i % BOX_BLOCK], box[k].high[c] = from->high[c][i % BOX_BLOCK];
    }
    return boxes_cross(&box[0], &box[1]);
}

PL_WALK void try_crossing(pair_search *s, int32_t e, int32_t t)
{
    int32_t slot[5];
    pair_slots(s, e, t, slot);
    if (owners_cross(s, s->a->home[e] / 4, t) && edge_crosses(s->q->x, slot, slot + 2) && pair_may_meet(s, e, t))
        pair_found(s, e, t, 0.0f);
}

// ---- the search ----------------------------------------------------------------------------------------------------

// Looks at a pair of elements whose boxes meet. Elements that share a corner are no pair.
PL_FN void try_pair(pair_search *s, int32_t a, int32_t b, int of_a, int of_b)
{
    uint32_t index[5];
    for (int i = 0; i < of_a; i++)
        index[i] = s->a->corner[(int64_t)i * s->a->step + a];
    for (int i = 0; i < of_b; i++)
    {
        index[of_a + i] = s->b->corner[(int64_t)i * s->b->step + b];
        for (int j = 0; j < of_a; j++)
            if (index[of_a + i] == index[j])
                return;
    }
    if (of_a + of_b == 4)
        add_candidate(s, a, b, index);
    else
        try_crossing(s, a, b);
}

// Bits of the elements of a block that there are: empty boxes seem to meet one that is not finite.
PL_FN uint32_t elements_in(const element_list *l, int64_t block)
{
    int64_t count = l->count - block * BOX_BLOCK;
    return count < BOX_BLOCK ? (1u << count) - 1 : (1u << BOX_BLOCK) - 1;
}

// Bounds of the gaps for elements of two blocks stand for the velocities of each where they are less than this many
// times `near`: fewer numbers are compared, and a few more candidates found.
#define GAPS_MOST 1.5f

// Tests the elements of a block of list a against those of a block of list b. half: only those behind them.
PL_FN void search_two_blocks(pair_search *s, int64_t one, int64_t other, int of_a, int of_b, bool half)
{
    const element_list *a = s->a, *b = s->b;
    const box_block *own = a->block + a->level[0] + one, *theirs = b->block + b->level[0] + other;
    const box_block *above_own = a->block + a->level[1] + one / BOX_BLOCK,
                    *above = b->block + b->level[1] + other / BOX_BLOCK;
    float near = s->rule.near, horizon = s->rule.horizon;
    box_gaps gap;
    bool calm = gaps_between(above_own, (int)(one % BOX_BLOCK), above, (int)(other % BOX_BLOCK), near, horizon, &gap) <
                GAPS_MOST * near;
    const box_gaps back = {{gap.down[0], gap.down[1], gap.down[2]}, {gap.up[0], gap.up[1], gap.up[2]}};
    uint32_t bits = 0, within = 0;
    for (int lane = 0; lane < BOX_BLOCK; lane += LANES)
        bits |= lanes_within(own, lane, above, (int)(other % BOX_BLOCK), &back) << lane;
    for (int lane = 0; lane < BOX_BLOCK && bits; lane += LANES)
        within |= lanes_within(theirs, lane, above_own, (int)(one % BOX_BLOCK), &gap) << lane;
    bits &= elements_in(a, one);
    within &= elements_in(b, other);
    for (; bits && within; bits &= bits - 1)
    {
        int i = __builtin_ctz(bits);
        uint32_t wanted = half && one == other ? within & ~((2u << i) - 1) : within;
        wide_box mine;
        if (!calm)
            mine = wide_box_of(own, i);
        for (int lane = 0; lane < BOX_BLOCK; lane += LANES)
        {
            uint32_t here = wanted >> lane & (LANES < 32 ? (1u << LANES) - 1 : ~0u);
            if (!here)
                continue;
            here &= calm ? lanes_within(theirs, lane, own, i, &gap) : lanes_meeting(theirs, lane, &mine, near, horizon);
            for (; here; here &= here - 1)
                try_pair(s, (int32_t)(one * BOX_BLOCK + i), (int32_t)(other * BOX_BLOCK + lane + __builtin_ctz(here)),
                         of_a, of_b);
        }
    }
}

// Searches the blocks of list b that a block of list a may meet, depth first.
PL_FN void search_block(pair_search *s, int64_t one, int of_a, int of_b, bool half)
{
    const element_list *a = s->a, *b = s->b;
    const wide_box box = wide_box_of(a->block + a->level[1] + one / BOX_BLOCK, (int)(one % BOX_BLOCK));
    float near = s->rule.near, horizon = s->rule.horizon;
    int64_t at[BOX_LEVELS];
    uint32_t bits[BOX_LEVELS];
    int top = b->levels - 1, level = top;
    at[level] = 0;
    bits[level] = boxes_meeting(b->block + b->level[level], &box, near, horizon);
    while (level <= top)
    {
        if (!bits[level])
        {
            level++;
            continue;
        }
        int64_t child = at[level] * BOX_BLOCK + __builtin_ctz(bits[level]);
        bits[level] &= bits[level] - 1;
        if (child >= b->level[level] - b->level[level - 1])
            continue; // an empty box, which a box that is not finite seems to meet
        if (half && (child + 1) << 4 * (level - 1) <= one)
            continue; // all blocks of this child come before
        if (level == 1)
        {
            search_two_blocks(s, one, child, of_a, of_b, half);
            continue;
        }
        level--;
        at[level] = child;
        bits[level] = boxes_meeting(b->block + b->level[level] + child, &box, near, horizon);
    }
}

PL_WALK void search_vertices(pair_search *s, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++)
        search_block(s, i, 1, 3, false);
}

PL_WALK void search_edges(pair_search *s, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++)
        search_block(s, i, 2, 2, true);
}

PL_WALK void search_crossings(pair_search *s, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++)
        search_block(s, i, 2, 3, false);
}

// The corners of an edge that crosses a triangle lie on both sides of it, so the two touch; the rounding of boxes is
// far less than this.
#define CROSSING_SLACK 1e-3f

PL_UNIT void find_elements(const element_search *q, enum element_pairs what, int64_t begin, int64_t end,
                           element_finds *out)
{
    static const enum element_kind lists[][2] = {[PAIRS_VERTICES] = {ELEMENT_VERTICES, ELEMENT_TRIANGLES},
                                                 [PAIRS_PARTICLES] = {ELEMENT_PARTICLES, ELEMENT_TRIANGLES},
                                                 [PAIRS_EDGES] = {ELEMENT_EDGES, ELEMENT_EDGES},
                                                 [PAIRS_CROSSINGS] = {ELEMENT_EDGES, ELEMENT_TRIANGLES}};
    pair_search s;
    s.q = q;
    s.what = what;
    s.a = &q->list[lists[what][0]];
    s.b = &q->list[lists[what][1]];
    s.rule = (near_rule){q->x, q->v, q->rest, q->collision, q->near[what == PAIRS_PARTICLES], q->horizon};
    s.out = out;
    s.batch.count = 0;
    if (what == PAIRS_CROSSINGS)
    {
        s.rule.near = CROSSING_SLACK * q->near[0];
        s.rule.horizon = 0.0f;
        search_crossings(&s, begin, end);
    }
    else if (what == PAIRS_EDGES)
        search_edges(&s, begin, end);
    else
        search_vertices(&s, begin, end);
    test_batch(&s);
}
