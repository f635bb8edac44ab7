// dissection.c: see dissection.h.
#include "core/dissection.h"

enum
{
    LEAF = 12,    // vertices that are not divided further
    SEARCHES = 4, // searches for a vertex at the rim
};

typedef struct dissection
{
    const int64_t *start;
    const int32_t *neighbour;
    int32_t *part;  // of each vertex: the number of the part that it is in; -1: it has its place in the order
    int32_t *level; // of the last search that found it
    int32_t *queue; // the vertices of a search
    int32_t *order;
} dissection;

// Searches the part of `root`, and writes its vertices to the queue by level. Returns how many.
static int32_t search(dissection *d, int32_t root, int32_t part)
{
    int32_t found = 1;
    d->queue[0] = root;
    d->level[root] = 0;
    for (int32_t i = 0; i < found; i++)
    {
        int32_t v = d->queue[i];
        for (int64_t e = d->start[v]; e < d->start[v + 1]; e++)
        {
            int32_t u = d->neighbour[e];
            if (d->part[u] == part && d->level[u] < 0)
            {
                d->level[u] = d->level[v] + 1;
                d->queue[found++] = u;
            }
        }
    }
    return found;
}

static void forget_levels(dissection *d, int32_t found)
{
    for (int32_t i = 0; i < found; i++)
        d->level[d->queue[i]] = -1;
}

// Searches from vertices that are farther and farther out, until the depth grows no more.
static int32_t search_from_rim(dissection *d, int32_t root, int32_t part)
{
    int32_t found = search(d, root, part), depth = d->level[d->queue[found - 1]];
    for (int s = 0; s < SEARCHES; s++)
    {
        int32_t last = d->queue[found - 1];
        forget_levels(d, found);
        found = search(d, last, part);
        int32_t now = d->level[d->queue[found - 1]];
        if (now <= depth)
            break;
        depth = now;
    }
    return found;
}

// Places the vertices of the queue from `end` downwards, the first search level last: a leaf, in the order of Cuthill and
// McKee reversed.
static int32_t place_leaf(dissection *d, int32_t found, int32_t end)
{
    for (int32_t i = 0; i < found; i++)
    {
        d->part[d->queue[i]] = -1;
        d->order[--end] = d->queue[i];
    }
    return end;
}

static bool touches_level(const dissection *d, int32_t v, int32_t part, int32_t level)
{
    for (int64_t e = d->start[v]; e < d->start[v + 1]; e++)
        if (d->part[d->neighbour[e]] == part && d->level[d->neighbour[e]] == level)
            return true;
    return false;
}

// Places the separator, and gives the two halves the numbers `part` and `other`.
static int32_t place_separator(dissection *d, int32_t found, int32_t part, int32_t other, int32_t end)
{
    int32_t middle = d->level[d->queue[found / 2]], last = d->level[d->queue[found - 1]];
    middle = middle == 0 ? 1 : middle == last ? last - 1 : middle; // with a level on either side: last is 2 or more
    for (int32_t i = 0; i < found; i++)
    {
        int32_t v = d->queue[i];
        // A vertex of the middle level without a neighbour above need not separate anything.
        if (d->level[v] == middle && touches_level(d, v, part, middle + 1))
            d->order[--end] = v;
    }
    for (int32_t i = 0; i < found; i++)
        if (d->level[d->queue[i]] > middle)
            d->part[d->queue[i]] = other;
    return end;
}

// Places the part of `root`, or its separator, below `end`; returns the first place that was taken. What is left of the
// part, now divided, is placed by later calls.
static int32_t order_part(dissection *d, int32_t root, int32_t *parts, int32_t end)
{
    int32_t part = d->part[root], found = search_from_rim(d, root, part), first = end;
    if (found <= LEAF || d->level[d->queue[found - 1]] < 2)
        first = place_leaf(d, found, end);
    else
    {
        first = place_separator(d, found, part, (*parts)++, end);
        for (int32_t i = first; i < end; i++)
            d->part[d->order[i]] = -1;
    }
    forget_levels(d, found);
    return first;
}

pl_result dissect(memory *m, int32_t vertices, const int64_t *start, const int32_t *neighbour, int32_t *order)
{
    int32_t *arrays = NULL, parts = 1, end = vertices;
    const size_t length = (size_t)vertices + 1, bytes = 3 * length * sizeof *arrays;
    pl_result result = memory_resize(m, (void **)&arrays, 0, bytes);
    if (result != PL_OK)
        return result;
    dissection d = {start, neighbour, arrays, arrays + length, arrays + 2 * length, order};
    for (int32_t v = 0; v < vertices; v++)
        d.level[v] = -1;
    // Every separator is placed before both of its halves, whichever vertex comes first.
    for (int32_t v = 0; v < vertices; v++)
        while (d.part[v] >= 0)
            end = order_part(&d, v, &parts, end);
    memory_free(m, arrays, bytes);
    return PL_OK;
}
