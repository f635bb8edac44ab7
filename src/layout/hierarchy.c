// hierarchy.c: builds the coarse levels of a world with the solver hierarchy, and packs them.
//
// The finest graph has a node for each particle number and an edge for each link (distance, distance_max). It depends on
// the links, masses and numbers alone. Links that flow are left out, since their length changes while the world runs; so
// are the spokes of hubs.
#include "layout/hierarchy.h"
#include "core/union_find.h"
#include "kernels/hierarchy.h"
#include "layout/colour.h"
#include "layout/packing.h"

#include <string.h>

enum
{
    MOST_LINKS = 64, // of a particle; more of them take no part
    NO_COLOUR = 255,
};

// How many times its component's weight a link is expected to carry.
static const float LOAD = 4.0f;

static const int link_kinds[] = {PL_KIND_DISTANCE, PL_KIND_DISTANCE_MAX};
enum
{
    LINK_KINDS = sizeof link_kinds / sizeof *link_kinds,
};

bool hierarchy_stale(const pl_world *w)
{
    bool stale = w->components_stale;
    for (int i = 0; i < LINK_KINDS; i++)
        stale |= w->rows_stale[link_kinds[i]];
    return stale && w->settings.solver == PL_SOLVER_HIERARCHY;
}

// ---- the finest graph ----------------------------------------------------------------------------------------------

// What the passes over the links know.
typedef struct gathering
{
    const pl_world *world;
    length_graph *graph;
    int32_t *degree, *component;
    float *weight; // kg, of the component of each node
} gathering;

typedef void visit_link(gathering *t, int32_t a, int32_t b, float length, float compliance);

static void count_link(gathering *t, int32_t a, int32_t b, float length, float compliance)
{
    (void)length, (void)compliance;
    t->degree[a]++, t->degree[b]++;
}

static void join_link(gathering *t, int32_t a, int32_t b, float length, float compliance)
{
    (void)length, (void)compliance;
    if (t->degree[a] > MOST_LINKS || t->degree[b] > MOST_LINKS)
        return;
    union_join(t->component, a, b);
    t->graph->start[a + 1]++, t->graph->start[b + 1]++;
}

static void put_link(gathering *t, int32_t a, int32_t b, float length, float compliance)
{
    length_graph *g = t->graph;
    if (t->degree[a] > MOST_LINKS || t->degree[b] > MOST_LINKS)
        return;
    for (int end = 0; end < 2; end++)
    {
        int64_t at = g->start[end ? b : a]++;
        g->to[at] = end ? a : b;
        g->length[at] = length;
        g->give[at] = compliance * LOAD * t->weight[union_find(t->component, a)];
    }
}

static void visit_links(gathering *t, visit_link *visit)
{
    for (int i = 0; i < LINK_KINDS; i++)
    {
        const rows *r = &t->world->rows[link_kinds[i]];
        for (int64_t row = 0; row < r->count; row++)
        {
            int32_t a = r->index[2 * row], b = r->index[2 * row + 1];
            bool flows = r->damage && r->damage[row].yield > 0.0f;
            if (a != b && !flows && !row_broken(r, row) && r->colour[row] != COLOUR_NONE)
                visit(t, a, b, r->param[row], r->soft[row].compliance);
        }
    }
}

static void weigh_nodes(const gathering *t)
{
    length_graph *g = t->graph;
    for (int32_t i = 0; i < g->nodes; i++)
    {
        int32_t slot = t->world->numbers.slot_of[i];
        float inverse = slot >= 0 ? inverse_mass(t->world, slot) : 0.0f;
        g->pinned[i] = !(inverse > 0.0f);
        g->mass[i] = inverse > 0.0f ? 1.0f / inverse : 0.0f;
        t->weight[union_find(t->component, i)] += g->mass[i];
    }
}

static pl_result gather_links(pl_world *w, length_graph *g)
{
    const int32_t nodes = w->numbers.end;
    const size_t each = sizeof(int32_t) * 2 + sizeof(float), bytes = (size_t)nodes * each + 1;
    int64_t edges = 0;
    void *block = NULL;
    for (int i = 0; i < LINK_KINDS; i++)
        edges += 2 * w->rows[link_kinds[i]].count;
    pl_result result = memory_resize(&w->memory, &block, 0, bytes);
    if (result != PL_OK)
        return result;
    gathering t = {w, g, block, (int32_t *)block + nodes, (float *)block + 2 * (int64_t)nodes};
    result = graph_open(&w->memory, g, nodes, edges);
    if (result == PL_OK)
    {
        for (int32_t i = 0; i < nodes; i++)
            t.component[i] = i;
        visit_links(&t, count_link);
        visit_links(&t, join_link);
        weigh_nodes(&t);
        for (int32_t i = 0; i < nodes; i++)
            g->start[i + 1] += g->start[i];
        visit_links(&t, put_link);
        for (int32_t i = nodes; i > 0; i--)
            g->start[i] = g->start[i - 1];
        g->start[0] = 0;
        graph_sort(g);
        graph_prune(g);
    }
    memory_free(&w->memory, block, bytes);
    return result;
}

// ---- colours -------------------------------------------------------------------------------------------------------

// Is this edge a bound, in the direction in which it counts?
static bool is_bound(const length_graph *g, int32_t node, int64_t edge)
{
    return !g->redundant[edge] && node < g->to[edge] && !(g->pinned[node] && g->pinned[g->to[edge]]);
}

// Gives the bounds of a level their colours; those for which there is none are left out. count: of each colour.
static pl_result colour_bounds(pl_world *w, const length_graph *g, uint8_t **colour, int32_t *count)
{
    void *block = NULL, *all = NULL;
    const size_t bytes = (size_t)g->nodes * sizeof(uint64_t);
    pl_result result = memory_resize(&w->memory, &block, 0, bytes);
    if (result == PL_OK)
        result = memory_resize(&w->memory, &all, 0, (size_t)g->edges);
    *colour = all;
    uint64_t *taken = block;
    for (int32_t node = 0; result == PL_OK && node < g->nodes; node++)
        for (int64_t k = g->start[node]; k < g->start[node + 1]; k++)
        {
            uint64_t both = taken[node] | taken[g->to[k]];
            (*colour)[k] = NO_COLOUR;
            if (!is_bound(g, node, k) || both == UINT64_MAX)
                continue;
            int c = __builtin_ctzll(~both);
            (*colour)[k] = (uint8_t)c;
            count[c]++;
            taken[node] |= (uint64_t)1 << c, taken[g->to[k]] |= (uint64_t)1 << c;
        }
    if (block)
        memory_free(&w->memory, block, bytes);
    return result;
}

static pl_result add_level(pl_world *w, hierarchy_graphs *h)
{
    hierarchy *to = &w->hierarchy;
    packed_hierarchy *p = &w->state.hierarchy;
    const length_graph *g = &h->graph[h->count];
    int32_t count[COLOUR_CAP] = {0};
    pl_result result = colour_bounds(w, g, &h->colour[h->count], count);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &to->runs, &to->run_capacity, to->run_start[to->levels] + COLOUR_CAP,
                               sizeof *to->runs);
    if (result != PL_OK)
        return result;
    int32_t runs = to->run_start[to->levels];
    for (int c = 0; c < COLOUR_CAP; c++)
        if (count[c])
        {
            to->runs[runs++] = (coarse_run){to->levels, p->links, p->links + (int32_t)round_up(count[c])};
            p->links += (int32_t)round_up(count[c]);
        }
    p->nodes += (int32_t)round_up(g->nodes);
    to->levels++;
    to->run_start[to->levels] = runs;
    to->node_start[to->levels] = p->nodes;
    h->count++;
    return PL_OK;
}

pl_result hierarchy_build(pl_world *w, hierarchy_graphs *h)
{
    hierarchy *to = &w->hierarchy;
    packed_hierarchy *p = &w->state.hierarchy;
    to->levels = to->node_start[0] = to->run_start[0] = 0;
    p->nodes = p->links = 0;
    if (w->settings.solver != PL_SOLVER_HIERARCHY)
        return PL_OK;
    pl_result result = gather_links(w, &h->graph[0]);
    h->count = result == PL_OK;
    while (result == PL_OK && h->count <= COARSE_LEVELS)
    {
        result = graph_coarsen(&w->memory, &h->graph[h->count - 1], &h->graph[h->count]);
        if (result != PL_OK || h->graph[h->count].nodes == 0)
            break;
        result = add_level(w, h);
    }
    if (p->nodes)
        p->nodes += PAD; // those of unused bounds
    return result;
}

// ---- packing -------------------------------------------------------------------------------------------------------

static void fill_nodes(pl_world *w, const hierarchy_graphs *h)
{
    packed_hierarchy *p = &w->state.hierarchy;
    for (int32_t i = 0; i < p->nodes; i++)
        p->slot[i] = 4 * (uint32_t)w->dummy, p->weight[i] = 0.0f;
    for (int level = 0; level < w->hierarchy.levels; level++)
    {
        const length_graph *g = &h->graph[level + 1];
        for (int32_t i = 0; i < g->nodes; i++)
        {
            int32_t at = w->hierarchy.node_start[level] + i, node = i;
            for (int k = level + 1; k > 0; k--)
                node = h->graph[k].origin[node];
            p->slot[at] = 4 * (uint32_t)w->numbers.slot_of[node];
            p->weight[at] = g->mass[i] > 0.0f ? 1.0f / g->mass[i] : 0.0f;
        }
    }
}

// The parents of particles by slot, then those of the nodes.
static void fill_parents(pl_world *w, const hierarchy_graphs *h)
{
    packed_hierarchy *p = &w->state.hierarchy;
    const int64_t items = p->nodes ? (int64_t)w->state.slots + p->nodes : 0;
    for (int j = 0; j < COARSE_PARENTS; j++)
        for (int64_t i = 0; i < items; i++)
            p->parent[j][i] = 4 * (uint32_t)(p->nodes - 1), p->part[j][i] = 0.0f;
    for (int level = 0; level < w->hierarchy.levels; level++)
    {
        const length_graph *g = &h->graph[level];
        for (int64_t k = 0; k < (int64_t)g->nodes * COARSE_PARENTS; k++)
        {
            if (g->parent[k] < 0)
                continue;
            int32_t node = (int32_t)(k / COARSE_PARENTS), j = (int32_t)(k % COARSE_PARENTS);
            int64_t item =
                level ? (int64_t)w->state.slots + w->hierarchy.node_start[level - 1] + node : w->numbers.slot_of[node];
            p->parent[j][item] = 4 * (uint32_t)(w->hierarchy.node_start[level] + g->parent[k]);
            p->part[j][item] = g->part[k];
        }
    }
}

static void fill_bounds(pl_world *w, const hierarchy_graphs *h)
{
    packed_hierarchy *p = &w->state.hierarchy;
    for (int32_t i = 0; i < p->links; i++)
    {
        p->end[0][i] = p->end[1][i] = 4 * (uint32_t)(p->nodes - 1);
        p->rest[i] = p->give[i] = 0.0f;
    }
    for (int level = 0; level < w->hierarchy.levels; level++)
    {
        const length_graph *g = &h->graph[level + 1];
        int32_t next[COLOUR_CAP] = {0}, first = w->hierarchy.run_start[level];
        // Colours without gaps: the lowest free one is taken.
        for (int32_t r = first; r < w->hierarchy.run_start[level + 1]; r++)
            next[r - first] = w->hierarchy.runs[r].begin;
        for (int32_t node = 0; node < g->nodes; node++)
            for (int64_t k = g->start[node]; k < g->start[node + 1]; k++)
            {
                int colour = h->colour[level + 1][k];
                if (colour == NO_COLOUR)
                    continue;
                int32_t at = next[colour]++;
                p->end[0][at] = 4 * (uint32_t)(w->hierarchy.node_start[level] + node);
                p->end[1][at] = 4 * (uint32_t)(w->hierarchy.node_start[level] + g->to[k]);
                p->rest[at] = g->length[k] * (1.0f + COARSE_SLACK);
                p->give[at] = g->give[k];
            }
    }
}

void hierarchy_fill(pl_world *w, const hierarchy_graphs *h)
{
    fill_nodes(w, h);
    fill_parents(w, h);
    fill_bounds(w, h);
}

void hierarchy_graphs_free(pl_world *w, hierarchy_graphs *h)
{
    for (int i = 0; i <= COARSE_LEVELS; i++)
    {
        if (h->colour[i])
            memory_free(&w->memory, h->colour[i], (size_t)h->graph[i].edges);
        h->colour[i] = NULL;
        graph_free(&w->memory, &h->graph[i]);
    }
}

void hierarchy_free(pl_world *w)
{
    array_free(&w->memory, &w->hierarchy.runs, &w->hierarchy.run_capacity, sizeof *w->hierarchy.runs);
}
