// tree.c: builds, refits and searches the trees of queries (tree.h). Sorting costs about as much as testing every item
// ten times, so items are sorted only after some queries; if they only move, the boxes are refitted.
#include "query/tree.h"

#include "core/radix_sort.h"

#include <math.h>
#include <string.h>

enum
{
    MORTON_BITS = 16,
    QUERIES_BEFORE_SORT = 4,
};

static const query_box empty_box = {{1e38f, 1e38f, 1e38f}, {-1e38f, -1e38f, -1e38f}};

static void join(query_box *all, const query_box *b)
{
    for (int k = 0; k < 3; k++)
    {
        all->low[k] = b->low[k] < all->low[k] ? b->low[k] : all->low[k];
        all->high[k] = b->high[k] > all->high[k] ? b->high[k] : all->high[k];
    }
}

// ---- building ------------------------------------------------------------------------------------------------------

static uint64_t spread(uint32_t a)
{
    uint64_t x = a & 0xffff;
    x = (x | x << 16) & 0xff0000ffu;
    x = (x | x << 8) & 0xf00f00f00fu;
    x = (x | x << 4) & 0xc30c30c30c3u;
    return (x | x << 2) & 0x249249249249u;
}

static double middle_of(const query_box *b, int k) { return 0.5 * ((double)b->low[k] + (double)b->high[k]); }

static uint64_t key_of(const query_box *b, const query_box *all)
{
    uint64_t key = 0;
    for (int k = 0; k < 3; k++)
    {
        double side = (double)all->high[k] - (double)all->low[k];
        double c = side > 0.0 ? (middle_of(b, k) - (double)all->low[k]) / side * ((1 << MORTON_BITS) - 1) : 0.0;
        key |= spread((uint32_t)(c < 0.0 ? 0.0 : c)) << k;
    }
    return key;
}

static void lay_out(query_tree *t)
{
    int64_t count = t->count;
    t->levels = 0;
    t->level[0] = 0;
    do
    {
        count = (count + QUERY_WAYS - 1) / QUERY_WAYS;
        t->level[t->levels + 1] = t->level[t->levels] + count;
        t->levels++;
    }
    while (count > QUERY_WAYS && t->levels < QUERY_LEVELS);
}

// Lists the items that exist, sorted by the Morton codes of their boxes.
static pl_result sort_items(pl_world *w, query_tree *t, int64_t items, item_box *box)
{
    sortable_items s = {0};
    int64_t capacity[SORTABLE_ARRAYS] = {0}, count = 0;
    query_box all = empty_box, one;
    for (int64_t i = 0; i < items; i++)
        if (box(w, (int32_t)i, &one))
        {
            join(&all, &one);
            count++;
        }
    pl_result result = sortable_reserve(&w->memory, &s, capacity, count);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &t->order, &t->order_capacity, count, sizeof *t->order);
    t->count = count;
    lay_out(t);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &t->node, &t->node_capacity, t->level[t->levels], sizeof *t->node);
    count = 0;
    for (int64_t i = 0; result == PL_OK && i < items; i++)
        if (box(w, (int32_t)i, &one))
        {
            s.key[count] = key_of(&one, &all);
            s.value[count++] = (int32_t)i;
        }
    if (result == PL_OK)
    {
        radix_sort(&s, count, 3 * MORTON_BITS, NULL);
        memcpy(t->order, s.value, (size_t)count * sizeof *t->order);
    }
    sortable_free(&w->memory, &s, capacity);
    t->sorted = result == PL_OK;
    return result;
}

static void fill_level(query_tree *t, int level)
{
    const query_box *below = t->node + t->level[level - 1];
    int64_t count = t->level[level] - t->level[level - 1];
    for (int64_t i = 0; i < t->level[level + 1] - t->level[level]; i++)
    {
        query_box all = empty_box;
        for (int64_t c = QUERY_WAYS * i; c < QUERY_WAYS * i + QUERY_WAYS && c < count; c++)
            join(&all, &below[c]);
        t->node[t->level[level] + i] = all;
    }
}

static void refit(const pl_world *w, query_tree *t, item_box *box)
{
    t->side = 0.0;
    for (int64_t i = 0; i < t->level[1]; i++)
    {
        query_box all = empty_box, one;
        for (int64_t c = QUERY_WAYS * i; c < QUERY_WAYS * i + QUERY_WAYS && c < t->count; c++)
            if (box(w, t->order[c], &one))
                join(&all, &one);
        t->node[i] = all;
        for (int k = 0; k < 3 && all.low[0] <= all.high[0]; k++)
            t->side += (double)all.high[k] - (double)all.low[k];
    }
    for (int level = 1; level < t->levels; level++)
        fill_level(t, level);
}

void tree_update(pl_world *w, query_tree *t, int64_t items, item_box *box)
{
    if (t->fresh || items <= QUERY_LINEAR || (!t->sorted && ++t->asked <= QUERIES_BEFORE_SORT))
        return;
    bool kept = t->sorted;
    if (!kept && sort_items(w, t, items, box) != PL_OK)
        return;
    refit(w, t, box);
    // Boxes that have grown twofold overlap too much: sort again.
    if (kept && !(t->side <= 2.0 * t->was))
    {
        t->sorted = false;
        if (sort_items(w, t, items, box) != PL_OK)
            return;
        refit(w, t, box);
        kept = false;
    }
    t->was = kept ? t->was : t->side;
    t->fresh = true;
}

void tree_free(memory *m, query_tree *t)
{
    array_free(m, &t->order, &t->order_capacity, sizeof *t->order);
    array_free(m, &t->node, &t->node_capacity, sizeof *t->node);
    memset(t, 0, sizeof *t);
}

// ---- searching -----------------------------------------------------------------------------------------------------

// Boxes are enlarged for rounding, which costs a few needless tests.
#define SLACK 1e-5

typedef struct walk_node
{
    int level;
    int64_t at;
    double enter;
} walk_node;

// A line that is ready for many boxes.
typedef struct line_test
{
    double from[3], inverse[3], grow[3];
    bool still[3]; // it does not move along this axis
} line_test;

static line_test line_ready(const query_tree *t, const tree_line *l)
{
    line_test r;
    double size = 0.0;
    for (int level = t->levels - 1, i = (int)t->level[level]; i < t->level[level + 1]; i++)
        for (int k = 0; k < 3; k++)
        {
            double low = fabs((double)t->node[i].low[k]), high = fabs((double)t->node[i].high[k]);
            size = low > size ? low : size;
            size = high > size ? high : size;
        }
    for (int k = 0; k < 3; k++)
    {
        r.from[k] = l->from[k];
        r.still[k] = fabs(l->way[k]) < 1e-30;
        r.inverse[k] = r.still[k] ? 0.0 : 1.0 / l->way[k];
        r.grow[k] = l->half[k] + SLACK * (size + fabs(l->from[k]) + l->half[k]);
    }
    return r;
}

// The distance at which the line enters the box; -1: it does not before `until`.
static double enter_box(const query_box *b, const line_test *l, double until)
{
    double enter = 0.0, leave = until;
    for (int k = 0; k < 3; k++)
    {
        double low = (double)b->low[k] - l->from[k] - l->grow[k], high = (double)b->high[k] - l->from[k] + l->grow[k];
        if (l->still[k])
        {
            if (low > 0.0 || high < 0.0)
                return -1.0;
            continue;
        }
        double p = low * l->inverse[k], q = high * l->inverse[k], in = p < q ? p : q, out = p < q ? q : p;
        enter = in > enter ? in : enter;
        leave = out < leave ? out : leave;
    }
    return enter <= leave * (1.0 + SLACK) + 1e-30 ? enter : -1.0;
}

static double distance_to_box(const query_box *b, const double x[3], double until)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
    {
        double below = (double)b->low[k] - x[k], above = x[k] - (double)b->high[k];
        double gap = (below > above ? below : above) - SLACK * (fabs(below) + fabs(above));
        sum += gap > 0.0 ? gap * gap : 0.0;
    }
    double far = sqrt(sum);
    return far <= until ? far : -1.0;
}

// line: NULL for a search about the point.
static void search_boxes(const query_tree *t, const tree_line *line, const double *point, double until,
                         tree_visit *visit, void *arg)
{
    walk_node stack[QUERY_WAYS * QUERY_LEVELS + QUERY_WAYS];
    int top = 0;
    line_test ready = {0};
    if (line)
        ready = line_ready(t, line);
    stack[top++] = (walk_node){t->levels, 0, 0.0};
    while (top > 0)
    {
        walk_node now = stack[--top];
        if (now.enter > until)
            continue;
        int64_t first = QUERY_WAYS * now.at;
        if (now.level == 0)
        {
            for (int64_t i = first; i < first + QUERY_WAYS && i < t->count; i++)
                until = visit(arg, t->order[i]);
            continue;
        }
        int level = now.level - 1, base = top;
        int64_t count = t->level[level + 1] - t->level[level];
        for (int64_t i = first; i < first + QUERY_WAYS && i < count; i++)
        {
            const query_box *b = t->node + t->level[level] + i;
            double enter = line ? enter_box(b, &ready, until) : distance_to_box(b, point, until);
            if (enter < 0.0)
                continue;
            int at = top++;
            for (; at > base && stack[at - 1].enter < enter; at--) // the nearest on top
                stack[at] = stack[at - 1];
            stack[at] = (walk_node){level, i, enter};
        }
    }
}

void tree_cast(const query_tree *t, const tree_line *line, double until, tree_visit *visit, void *arg)
{
    if (t->count)
        search_boxes(t, line, NULL, until, visit, arg);
}

void tree_near(const query_tree *t, const double point[3], double until, tree_visit *visit, void *arg)
{
    if (t->count)
        search_boxes(t, NULL, point, until, visit, arg);
}
