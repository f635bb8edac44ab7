// length_graph.c: graphs of lengths: their memory, their edges, and which of these are redundant.
#include "layout/coarsen.h"
#include "core/arena.h"

// ---- memory --------------------------------------------------------------------------------------------------------

static void lay_out(length_graph *g, arena *a)
{
    g->start = arena_take(a, g->nodes + 1, sizeof *g->start);
    g->to = arena_take(a, g->edges, sizeof *g->to);
    g->length = arena_take(a, g->edges, sizeof *g->length);
    g->give = arena_take(a, g->edges, sizeof *g->give);
    g->redundant = arena_take(a, g->edges, sizeof *g->redundant);
    g->pinned = arena_take(a, g->nodes, sizeof *g->pinned);
    g->mass = arena_take(a, g->nodes, sizeof *g->mass);
    g->parent = arena_take(a, (int64_t)g->nodes * COARSE_PARENTS, sizeof *g->parent);
    g->part = arena_take(a, (int64_t)g->nodes * COARSE_PARENTS, sizeof *g->part);
    g->origin = arena_take(a, g->nodes, sizeof *g->origin);
}

pl_result graph_open(memory *m, length_graph *g, int32_t nodes, int64_t edges)
{
    *g = (length_graph){.nodes = nodes, .edges = edges};
    arena a = {0};
    lay_out(g, &a);
    size_t bytes = a.used + 64;
    void *block = NULL;
    pl_result result = memory_resize(m, &block, 0, bytes);
    if (result != PL_OK)
        return result;
    *g = (length_graph){.nodes = nodes, .edges = edges, .block = block, .bytes = bytes};
    a = (arena){block, 0};
    lay_out(g, &a);
    for (int64_t i = 0; i < (int64_t)nodes * COARSE_PARENTS; i++)
        g->parent[i] = -1;
    return PL_OK;
}

void graph_free(memory *m, length_graph *g)
{
    if (g->block)
        memory_free(m, g->block, g->bytes);
    *g = (length_graph){0};
}

// ---- edges ---------------------------------------------------------------------------------------------------------

void graph_put(length_graph *g, int64_t at, int32_t to, float length, float give)
{
    g->to[at] = to, g->length[at] = length, g->give[at] = give;
}

void graph_sort(length_graph *g)
{
    int64_t kept = 0, begin = 0;
    for (int32_t node = 0; node < g->nodes; node++)
    {
        int64_t end = g->start[node + 1], first = kept;
        for (int64_t i = begin; i < end; i++)
        {
            int32_t to = g->to[i];
            float length = g->length[i], give = g->give[i];
            int64_t at = kept;
            while (at > first && g->to[at - 1] > to)
                at--;
            if (at > first && g->to[at - 1] == to)
            {
                if (length < g->length[at - 1])
                    graph_put(g, at - 1, to, length, give);
                continue;
            }
            for (int64_t k = kept; k > at; k--) // never beyond i: as many have been read as were kept
                graph_put(g, k, g->to[k - 1], g->length[k - 1], g->give[k - 1]);
            graph_put(g, at, to, length, give);
            kept++;
        }
        begin = end;
        g->start[node] = first;
    }
    g->edges = g->start[g->nodes] = kept;
}

int64_t graph_find(const length_graph *g, int32_t from, int32_t to)
{
    int64_t low = g->start[from], high = g->start[from + 1];
    while (low < high)
    {
        int64_t middle = low + (high - low) / 2;
        if (g->to[middle] < to)
            low = middle + 1;
        else
            high = middle;
    }
    return low < g->start[from + 1] && g->to[low] == to ? low : -1;
}

// Both edges of the detour are shorter than the edge, so that what is left connects the same nodes.
static bool has_detour(const length_graph *g, int32_t node, int64_t edge)
{
    const float length = g->length[edge];
    int64_t a = g->start[node], b = g->start[g->to[edge]];
    const int64_t a_end = g->start[node + 1], b_end = g->start[g->to[edge] + 1];
    while (a < a_end && b < b_end)
    {
        if (g->to[a] == g->to[b])
        {
            if (g->length[a] < length && g->length[b] < length && g->length[a] + g->length[b] <= 1.2f * length)
                return true;
            a++, b++;
        }
        else if (g->to[a] < g->to[b])
            a++;
        else
            b++;
    }
    return false;
}

void graph_prune(length_graph *g)
{
    for (int32_t node = 0; node < g->nodes; node++)
        for (int64_t i = g->start[node]; i < g->start[node + 1]; i++)
            g->redundant[i] = has_detour(g, node, i);
}
