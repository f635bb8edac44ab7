// broad_phase.c: the pairs of boxes that overlap (broad_phase.h).
#include "collide/broad_phase.h"

#include <math.h>
#include <string.h>

enum
{
    MORTON_BITS = 18,
    CLASS_BITS = 6,
    GRAIN = 256,
};

static float lower(float a, float b) { return a < b ? a : b; }  // b where a is NaN
static float higher(float a, float b) { return a > b ? a : b; } // b where a is NaN

// ---- the order of the leaves ---------------------------------------------------------------------------------------

static uint64_t spread(uint32_t a)
{
    uint64_t x = a & 0x1fffff;
    x = (x | x << 32) & 0x1f00000000ffffu;
    x = (x | x << 16) & 0x1f0000ff0000ffu;
    x = (x | x << 8) & 0x100f00f00f00f00fu;
    x = (x | x << 4) & 0x10c30c30c30c30c3u;
    return (x | x << 2) & 0x1249249249249249u;
}

static float centre_of(const broad_box *b, int k)
{
    float c = 0.5f * b->low[k] + 0.5f * b->high[k];
    return higher(lower(c, 1e30f), -1e30f); // finite also for NaN
}

// The bounds of all centres, of which the Morton codes are fractions.
static void measure(broad_phase *b)
{
    for (int k = 0; k < 3; k++)
    {
        float low = 1e30f, high = -1e30f;
        for (int64_t i = 0; i < b->count; i++)
        {
            // A centre as far as that belongs to an unbounded body; it would flatten all others into one cell.
            float c = centre_of(&b->box[i], k);
            if (b->box[i].skip || fabsf(c) > 1e9f)
                continue;
            low = lower(c, low);
            high = higher(c, high);
        }
        b->origin[k] = low < 1e30f ? low : 0.0f;
        float side = high > low ? high - low : 1.0f;
        b->scale[k] = (float)((1 << MORTON_BITS) - 1) / side;
    }
}

static uint64_t class_of(const broad_box *b)
{
    float side = 0.0f;
    for (int k = 0; k < 3; k++)
        side = higher(b->high[k] - b->low[k], side);
    uint32_t bits, class = 0;
    memcpy(&bits, &side, sizeof bits);
    class = (bits >> 24) & 127; // half the exponent
    return class > 63 + 31 ? 63 : class < 32 ? 0 : class - 32;
}

static void make_keys(void *arg, int64_t begin, int64_t end)
{
    broad_phase *b = arg;
    for (int64_t i = begin; i < end; i++)
    {
        uint64_t key = 0;
        for (int k = 0; k < 3; k++)
        {
            float c = (centre_of(&b->box[i], k) - b->origin[k]) * b->scale[k];
            c = higher(lower(c, (float)((1 << MORTON_BITS) - 1)), 0.0f);
            key |= spread((uint32_t)c) << k;
        }
        b->sort.key[i] = key | class_of(&b->box[i]) << (3 * MORTON_BITS);
        b->sort.value[i] = (int32_t)i;
    }
}

// ---- the tree ------------------------------------------------------------------------------------------------------

typedef struct level_job
{
    broad_phase *b;
    int level;
} level_job;

static const broad_box empty_box = {{1e38f, 1e38f, 1e38f}, 0, {-1e38f, -1e38f, -1e38f}, 1};

static void fill_leaves(void *arg, int64_t begin, int64_t end)
{
    broad_phase *b = arg;
    for (int64_t i = begin; i < end; i++)
    {
        const broad_box *from = &b->box[b->sort.value[i]];
        b->node[i] = from->skip ? empty_box : *from;
    }
}

static void fill_level(void *arg, int64_t begin, int64_t end)
{
    const level_job *j = arg;
    const broad_box *below = j->b->node + j->b->level[j->level - 1];
    int64_t count = j->b->level[j->level] - j->b->level[j->level - 1];
    for (int64_t i = begin; i < end; i++)
    {
        broad_box all = empty_box;
        for (int64_t c = BROAD_WAYS * i; c < BROAD_WAYS * i + BROAD_WAYS && c < count; c++)
        {
            for (int k = 0; k < 3; k++)
            {
                all.low[k] = lower(below[c].low[k], all.low[k]);
                all.high[k] = higher(below[c].high[k], all.high[k]);
            }
            all.moves |= below[c].moves;
        }
        j->b->node[j->b->level[j->level] + i] = all;
    }
}

static void lay_out(broad_phase *b)
{
    int64_t count = b->count;
    b->levels = 1;
    b->level[0] = 0;
    b->level[1] = count;
    while (count > BROAD_WAYS && b->levels < BROAD_LEVELS)
    {
        count = (count + BROAD_WAYS - 1) / BROAD_WAYS;
        b->levels++;
        b->level[b->levels] = b->level[b->levels - 1] + count;
    }
}

// ---- the search ----------------------------------------------------------------------------------------------------

typedef struct walk
{
    int level[BROAD_WAYS * BROAD_LEVELS];
    int64_t at[BROAD_WAYS * BROAD_LEVELS];
    int top;
} walk;

static void push_children(const broad_phase *b, walk *w, int level, int64_t begin, const broad_box *with, int still)
{
    int64_t count = b->level[level + 1] - b->level[level],
            end = begin + BROAD_WAYS < count ? begin + BROAD_WAYS : count;
    for (int64_t i = end - 1; i >= begin; i--)
    {
        const broad_box *n = b->node + b->level[level] + i;
        if (boxes_overlap(n, with) && (n->moves || !still))
        {
            w->level[w->top] = level;
            w->at[w->top++] = i;
        }
    }
}

static void open_walk(const broad_phase *b, walk *w, const broad_box *with, int still)
{
    w->top = 0;
    push_children(b, w, b->levels - 1, 0, with, still);
}

// The next body whose box overlaps, or -1.
static int32_t next_of(const broad_phase *b, walk *w, const broad_box *with, int still)
{
    while (w->top > 0)
    {
        w->top--;
        int level = w->level[w->top];
        int64_t at = w->at[w->top];
        if (level == 0)
            return b->sort.value[at];
        push_children(b, w, level - 1, BROAD_WAYS * at, with, still);
    }
    return -1;
}

void broad_phase_query(const broad_phase *b, const broad_box *with, int (*meet)(void *arg, int32_t body), void *arg)
{
    walk w;
    if (b->count == 0)
        return;
    open_walk(b, &w, with, 0);
    for (int32_t i = next_of(b, &w, with, 0); i >= 0; i = next_of(b, &w, with, 0))
        if (!meet(arg, i))
            return;
}

// Sorts ascending: insertion for a few, else a heap.
static void sift(int32_t *x, int64_t at, int64_t count)
{
    int32_t own = x[at];
    for (;;)
    {
        int64_t child = 2 * at + 1;
        if (child >= count)
            break;
        child += child + 1 < count && x[child + 1] > x[child];
        if (x[child] <= own)
            break;
        x[at] = x[child];
        at = child;
    }
    x[at] = own;
}

static void sort_row(int32_t *x, int64_t count)
{
    if (count <= 24)
    {
        for (int64_t i = 1; i < count; i++)
        {
            int32_t own = x[i];
            int64_t k = i;
            for (; k > 0 && x[k - 1] > own; k--)
                x[k] = x[k - 1];
            x[k] = own;
        }
        return;
    }
    for (int64_t i = count / 2 - 1; i >= 0; i--)
        sift(x, i, count);
    for (int64_t end = count - 1; end > 0; end--)
    {
        int32_t last = x[end];
        x[end] = x[0];
        x[0] = last;
        sift(x, 0, end);
    }
}

// Visits the bodies in sorted order, which keeps the tree's nodes in the cache.
static void count_rows(void *arg, int64_t begin, int64_t end)
{
    broad_phase *b = arg;
    for (int64_t i = begin; i < end; i++)
    {
        int32_t body = b->sort.value[i], count = 0, *kept = b->kept + (1 + BROAD_KEPT) * (int64_t)body;
        const broad_box *box = &b->node[i];
        walk w;
        open_walk(b, &w, box, !box->moves);
        for (int32_t other = next_of(b, &w, box, !box->moves); other >= 0; other = next_of(b, &w, box, !box->moves))
            if (other > body)
            {
                if (count < BROAD_KEPT)
                    kept[1 + count] = other;
                count++;
            }
        kept[0] = count;
    }
}

static void fill_rows(void *arg, int64_t begin, int64_t end)
{
    broad_phase *b = arg;
    for (int64_t body = begin; body < end; body++)
    {
        const int32_t *kept = b->kept + (1 + BROAD_KEPT) * body;
        int32_t *row = b->pair + 2 * b->start[body], count = kept[0], found = 0;
        if (count <= BROAD_KEPT)
            memcpy(row, kept + 1, (size_t)count * sizeof *row);
        else
        {
            const broad_box *box = &b->box[body];
            walk w;
            open_walk(b, &w, box, !box->moves);
            for (int32_t other = next_of(b, &w, box, !box->moves); other >= 0; other = next_of(b, &w, box, !box->moves))
                if (other > body)
                    row[found++] = other;
        }
        sort_row(row, count);
        for (int32_t i = count - 1; i >= 0; i--) // from the numbers alone to pairs, within the same memory
        {
            row[2 * i + 1] = row[i];
            row[2 * i] = (int32_t)body;
        }
    }
}

static pl_result reserve(memory *m, broad_phase *b)
{
    int64_t count = b->count;
    pl_result result = sortable_reserve(m, &b->sort, b->sort_room, count);
    if (result == PL_OK)
        result = array_reserve(m, &b->node, &b->node_room, 2 * count + 2 * BROAD_LEVELS, sizeof *b->node);
    if (result == PL_OK)
        result = array_reserve(m, &b->kept, &b->kept_room, (1 + BROAD_KEPT) * count, sizeof *b->kept);
    if (result == PL_OK)
        result = array_reserve(m, &b->start, &b->start_room, count + 1, sizeof *b->start);
    return result;
}

pl_result broad_phase_find(memory *m, broad_phase *b, const broad_box *box, int64_t count, const parallel *c)
{
    b->box = box;
    b->count = count;
    b->pairs = 0;
    pl_result result = reserve(m, b);
    if (result != PL_OK || count == 0)
    {
        b->count = 0;
        return result;
    }
    measure(b);
    parallel_for(c, make_keys, b, count, GRAIN);
    radix_sort(&b->sort, count, 3 * MORTON_BITS + CLASS_BITS, c);
    lay_out(b);
    parallel_for(c, fill_leaves, b, count, GRAIN);
    for (int l = 1; l < b->levels; l++)
    {
        level_job j = {b, l};
        parallel_for(c, fill_level, &j, b->level[l + 1] - b->level[l], GRAIN);
    }
    parallel_for(c, count_rows, b, count, GRAIN);
    for (int64_t i = 0; i < count; i++)
    {
        b->start[i] = b->pairs;
        b->pairs += b->kept[(1 + BROAD_KEPT) * i];
    }
    b->start[count] = b->pairs;
    result = array_reserve(m, &b->pair, &b->pair_room, 2 * b->pairs, sizeof *b->pair);
    if (result == PL_OK)
        parallel_for(c, fill_rows, b, count, GRAIN);
    else
        b->pairs = 0;
    b->box = NULL;
    return result;
}

void broad_phase_free(memory *m, broad_phase *b)
{
    sortable_free(m, &b->sort, b->sort_room);
    array_free(m, &b->node, &b->node_room, sizeof *b->node);
    array_free(m, &b->kept, &b->kept_room, sizeof *b->kept);
    array_free(m, &b->start, &b->start_room, sizeof *b->start);
    array_free(m, &b->pair, &b->pair_room, sizeof *b->pair);
    memset(b, 0, sizeof *b);
}
