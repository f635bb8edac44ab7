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

static const broad_box empty_box = {{1e38f, 1e38f, 1e38f}, 0, {-1e38f, -1e38f, -1e38f}, -1};

static void join(broad_box *all, const broad_box *b)
{
    for (int k = 0; k < 3; k++)
    {
        all->low[k] = lower(b->low[k], all->low[k]);
        all->high[k] = higher(b->high[k], all->high[k]);
    }
    all->moves |= b->moves;
    all->skip = b->skip > all->skip ? b->skip : all->skip;
}

static void fill_leaves(void *arg, int64_t begin, int64_t end)
{
    broad_phase *b = arg;
    for (int64_t i = begin; i < end; i++)
    {
        const broad_box *from = &b->box[b->sort.value[i]];
        b->node[i] = from->skip ? empty_box : *from;
        b->node[i].skip = from->skip ? -1 : b->sort.value[i]; // in the tree: the highest number of a body below
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
            join(&all, &below[c]);
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

// A search for bodies with numbers above `after`; still: only for those that move.
typedef struct walk
{
    const broad_phase *b;
    const broad_box *with;
    int32_t after;
    int still;
    int level[BROAD_WAYS * BROAD_LEVELS];
    int64_t at[BROAD_WAYS * BROAD_LEVELS];
    int top;
} walk;

static void push_children(walk *w, int level, int64_t begin)
{
    const broad_phase *b = w->b;
    int64_t count = b->level[level + 1] - b->level[level],
            end = begin + BROAD_WAYS < count ? begin + BROAD_WAYS : count;
    for (int64_t i = end - 1; i >= begin; i--)
    {
        const broad_box *n = b->node + b->level[level] + i;
        if (n->skip > w->after && boxes_overlap(n, w->with) && (n->moves || !w->still))
        {
            w->level[w->top] = level;
            w->at[w->top++] = i;
        }
    }
}

static void open_walk(walk *w, const broad_phase *b, const broad_box *with, int32_t after, int still)
{
    w->b = b;
    w->with = with;
    w->after = after;
    w->still = still;
    w->top = 0;
    push_children(w, b->levels - 1, 0);
}

// The next leaf whose box overlaps, or -1.
static int64_t next_of(walk *w)
{
    while (w->top > 0)
    {
        w->top--;
        int level = w->level[w->top];
        int64_t at = w->at[w->top];
        if (level == 0)
            return at;
        push_children(w, level - 1, BROAD_WAYS * at);
    }
    return -1;
}

void broad_phase_query(const broad_phase *b, const broad_box *with, int (*meet)(void *arg, int32_t body), void *arg)
{
    walk w;
    if (b->count == 0)
        return;
    open_walk(&w, b, with, -1, 0);
    for (int64_t i = next_of(&w); i >= 0; i = next_of(&w))
        if (!meet(arg, b->sort.value[i]))
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

// Four neighbours in sorted order search the tree together: they mostly find the same leaves.
static void count_rows(void *arg, int64_t begin, int64_t end)
{
    broad_phase *b = arg;
    for (int64_t g = begin; g < end; g++)
    {
        int64_t first = BROAD_WAYS * g, last = first + BROAD_WAYS < b->count ? first + BROAD_WAYS : b->count;
        broad_box all = empty_box;
        int32_t lowest = INT32_MAX;
        for (int64_t i = first; i < last; i++)
        {
            join(&all, &b->node[i]);
            lowest = b->sort.value[i] < lowest ? b->sort.value[i] : lowest;
            b->kept[(1 + BROAD_KEPT) * (int64_t)b->sort.value[i]] = 0;
        }
        walk w;
        open_walk(&w, b, &all, lowest, !all.moves);
        for (int64_t at = next_of(&w); at >= 0; at = next_of(&w))
            for (int64_t i = first; i < last; i++)
            {
                int32_t body = b->sort.value[i], other = b->sort.value[at],
                        *kept = b->kept + (1 + BROAD_KEPT) * (int64_t)body;
                if (other <= body || !boxes_overlap(&b->node[i], &b->node[at]) ||
                    !(b->node[i].moves || b->node[at].moves))
                    continue;
                if (kept[0] < BROAD_KEPT)
                    kept[1 + kept[0]] = other;
                kept[0]++;
            }
    }
}

static void fill_rows(void *arg, int64_t begin, int64_t end)
{
    broad_phase *b = arg;
    for (int64_t body = begin; body < end; body++)
    {
        const int32_t *kept = b->kept + (1 + BROAD_KEPT) * body;
        int32_t *row = b->pair + 2 * b->start[body], count = kept[0], found = 0;
        if (count == 0)
            continue; // `row` may be NULL
        if (count <= BROAD_KEPT)
            memcpy(row, kept + 1, (size_t)count * sizeof *row);
        else
        {
            const broad_box *box = &b->box[body];
            walk w;
            open_walk(&w, b, box, (int32_t)body, !box->moves);
            for (int64_t i = next_of(&w); i >= 0; i = next_of(&w))
                row[found++] = b->sort.value[i];
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
    parallel_for(c, count_rows, b, (count + BROAD_WAYS - 1) / BROAD_WAYS, GRAIN / BROAD_WAYS);
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
