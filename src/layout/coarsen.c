// coarsen.c: makes a coarser graph of a graph of lengths.
//
//   nodes     a maximal independent set, in the order of the numbers; nodes that are pinned come first, so that none of
//             them is far from a coarse one. Of a regular sheet, every second one in both directions.
//   parents   of a node that is left out: its coarse neighbours, the nearest COARSE_PARENTS, by the inverse of their
//             distance; on a sheet this is bilinear interpolation
//   edges     between the parents of neighbours
//   lengths   the shortest way over the finer graph, through the inside of its triangles: a sheet that is not longer
//             along any of its links cannot be longer than that.
// Mueller 2008 (Hierarchical position based dynamics) takes distances at rest instead; those of a bent sheet are too short.
#include "layout/coarsen.h"
#include "core/arena.h"

#include <math.h>
#include <string.h>

enum
{
    SMALL_COMPONENT = 12, // connected nodes that are not coarsened further
    MOST_REACHED = 512,   // nodes that a search may reach
};

// ---- nodes ---------------------------------------------------------------------------------------------------------

typedef struct work
{
    memory *memory;
    int32_t *coarse;    // of each node its number in the coarser graph; -1: it is left out
    int32_t *component; // its nodes are counted in `size`
    int32_t *size;
    int64_t *child_start; // for each coarse node the finer nodes that it moves
    int32_t *child;
    // of a search
    double *distance;
    float *give;
    int32_t *mark; // the search that reached a node; negative: it is done
    int32_t *aim;  // the last search that wanted it
    int32_t *reached;
    void *block;
    size_t bytes;
} work;

static void lay_out_work(work *w, const length_graph *g, arena *a)
{
    w->coarse = arena_take(a, g->nodes, sizeof *w->coarse);
    w->component = arena_take(a, g->nodes, sizeof *w->component);
    w->size = arena_take(a, g->nodes, sizeof *w->size);
    w->child_start = arena_take(a, (int64_t)g->nodes + 1, sizeof *w->child_start);
    w->child = arena_take(a, (int64_t)g->nodes * COARSE_PARENTS, sizeof *w->child);
    w->distance = arena_take(a, g->nodes, sizeof *w->distance);
    w->give = arena_take(a, g->nodes, sizeof *w->give);
    w->mark = arena_take(a, g->nodes, sizeof *w->mark);
    w->aim = arena_take(a, g->nodes, sizeof *w->aim);
    w->reached = arena_take(a, MOST_REACHED, sizeof *w->reached);
}

// Counts the nodes of each component. The marks of searches serve as a stack.
static void find_components(const length_graph *g, work *w)
{
    int32_t *stack = w->mark;
    for (int32_t i = 0; i < g->nodes; i++)
        w->component[i] = -1;
    for (int32_t i = 0; i < g->nodes; i++)
    {
        int32_t top = 0;
        if (w->component[i] >= 0)
            continue;
        w->component[i] = i;
        stack[top++] = i;
        while (top)
        {
            int32_t node = stack[--top];
            w->size[i]++;
            for (int64_t k = g->start[node]; k < g->start[node + 1]; k++)
                if (w->component[g->to[k]] < 0)
                {
                    w->component[g->to[k]] = i;
                    stack[top++] = g->to[k];
                }
        }
    }
}

static bool beside_coarse(const length_graph *g, const work *w, int32_t node)
{
    for (int64_t k = g->start[node]; k < g->start[node + 1]; k++)
        if (!g->redundant[k] && w->coarse[g->to[k]] >= 0)
            return true;
    return false;
}

// Chooses the coarse nodes and numbers them in their order; returns how many there are.
static int32_t choose_nodes(const length_graph *g, work *w)
{
    int32_t count = 0;
    memset(w->coarse, 0xff, (size_t)g->nodes * sizeof *w->coarse);
    for (int free_ones = 0; free_ones < 2; free_ones++)
        for (int32_t i = 0; i < g->nodes; i++)
            if (g->pinned[i] == !free_ones && w->size[w->component[i]] > SMALL_COMPONENT && !beside_coarse(g, w, i))
                w->coarse[i] = 0;
    for (int32_t i = 0; i < g->nodes; i++)
        if (w->coarse[i] >= 0)
            w->coarse[i] = count++;
    return count;
}

// Keeps the nearest parents in ascending order of their distance.
static int add_parent(int32_t *parent, float *part, int count, int32_t node, float length)
{
    int at = count;
    while (at > 0 && part[at - 1] > length)
        at--;
    if (at == COARSE_PARENTS)
        return count;
    count += count < COARSE_PARENTS;
    for (int k = count - 1; k > at; k--)
        parent[k] = parent[k - 1], part[k] = part[k - 1];
    parent[at] = node, part[at] = length;
    return count;
}

static void choose_parents(length_graph *g, const work *w)
{
    for (int32_t i = 0; i < g->nodes; i++)
    {
        int32_t *parent = g->parent + (int64_t)i * COARSE_PARENTS;
        float *part = g->part + (int64_t)i * COARSE_PARENTS, sum = 0.0f;
        int count = 0;
        if (w->coarse[i] >= 0)
        {
            parent[0] = w->coarse[i], part[0] = 1.0f;
            continue;
        }
        for (int64_t k = g->start[i]; k < g->start[i + 1]; k++)
            if (!g->redundant[k] && w->coarse[g->to[k]] >= 0)
                count = add_parent(parent, part, count, w->coarse[g->to[k]], g->length[k]);
        for (int k = 0; k < count; k++)
        {
            part[k] = 1.0f / (part[k] > 1e-12f ? part[k] : 1e-12f);
            sum += part[k];
        }
        for (int k = 0; k < count; k++)
            part[k] /= sum;
    }
}

static void list_children(const length_graph *g, work *w, int32_t count)
{
    const int64_t all = (int64_t)g->nodes * COARSE_PARENTS;
    for (int64_t k = 0; k < all; k++)
        if (g->parent[k] >= 0)
            w->child_start[g->parent[k] + 1]++;
    for (int32_t i = 0; i < count; i++)
        w->child_start[i + 1] += w->child_start[i];
    for (int64_t k = 0; k < all; k++)
        if (g->parent[k] >= 0)
            w->child[w->child_start[g->parent[k]]++] = (int32_t)(k / COARSE_PARENTS);
    for (int32_t i = count; i > 0; i--)
        w->child_start[i] = w->child_start[i - 1];
    w->child_start[0] = 0;
}

// ---- lengths -------------------------------------------------------------------------------------------------------

// The way from a source to v through the edge u r of the triangle u r v, with both sides of the edge in one plane; large
// if it passes beside the edge. du, dr: the ways to the ends of the edge.
static double unfold(double du, double dr, double ur, double uv, double rv)
{
    double sx = (du * du - dr * dr + ur * ur) / (2.0 * ur), vx = (uv * uv - rv * rv + ur * ur) / (2.0 * ur);
    double s2 = du * du - sx * sx, v2 = uv * uv - vx * vx;
    double sy = s2 > 0.0 ? sqrt(s2) : 0.0, vy = v2 > 0.0 ? sqrt(v2) : 0.0;
    if (!(sy + vy > 0.0) || !(ur > 0.0))
        return 1e300;
    double cross = sx + sy / (sy + vy) * (vx - sx);
    return cross >= 0.0 && cross <= ur ? sqrt((vx - sx) * (vx - sx) + (vy + sy) * (vy + sy)) : 1e300;
}

typedef struct search
{
    int32_t id, count; // its mark, and the nodes that it has reached
} search;

static bool is_done(const work *w, const search *s, int32_t node) { return w->mark[node] == -s->id; }

static void offer(work *w, search *s, int32_t node, double distance, float give)
{
    if (w->mark[node] != s->id)
    {
        if (s->count == MOST_REACHED)
            return;
        w->mark[node] = s->id;
        w->reached[s->count++] = node;
    }
    else if (distance >= w->distance[node])
        return;
    w->distance[node] = distance, w->give[node] = give;
}

// Offers the neighbours of a node that is done the ways over it, and over its edges to others that are done.
static void extend(const length_graph *g, work *w, search *s, int32_t u)
{
    for (int64_t k = g->start[u]; k < g->start[u + 1]; k++)
    {
        int32_t v = g->to[k];
        if (g->redundant[k] || is_done(w, s, v))
            continue;
        double uv = (double)g->length[k], way = w->distance[u] + uv;
        for (int64_t j = g->start[u]; j < g->start[u + 1]; j++)
        {
            int32_t r = g->to[j];
            int64_t rv = r != v && is_done(w, s, r) ? graph_find(g, r, v) : -1;
            if (rv < 0)
                continue;
            double across = unfold(w->distance[u], w->distance[r], (double)g->length[j], uv, (double)g->length[rv]);
            way = across < way ? across : way;
        }
        offer(w, s, v, way, w->give[u] + g->give[k]);
    }
}

// The nearest node that is reached and not done; -1: there is none.
static int32_t nearest(const work *w, const search *s)
{
    int32_t best = -1;
    for (int32_t i = 0; i < s->count; i++)
    {
        int32_t node = w->reached[i];
        if (is_done(w, s, node))
            continue;
        if (best < 0 || w->distance[node] < w->distance[best] ||
            (!(w->distance[best] < w->distance[node]) && node < best))
            best = node;
    }
    return best;
}

// Marks the coarse nodes that get an edge with coarse node c and have a larger number; returns how many there are.
static int32_t set_aims(const length_graph *g, work *w, int32_t c, const int32_t *node_of)
{
    int32_t aims = 0;
    for (int64_t i = w->child_start[c]; i < w->child_start[c + 1]; i++)
        for (int64_t k = g->start[w->child[i]]; k < g->start[w->child[i] + 1]; k++)
        {
            const int32_t *parent = g->parent + (int64_t)g->to[k] * COARSE_PARENTS;
            for (int j = 0; !g->redundant[k] && j < COARSE_PARENTS && parent[j] >= 0; j++)
                if (parent[j] > c && w->aim[node_of[parent[j]]] != c + 1)
                {
                    w->aim[node_of[parent[j]]] = c + 1;
                    aims++;
                }
        }
    return aims;
}

typedef struct edge_list
{
    int64_t count, capacity;
    struct edge
    {
        int32_t a, b;
        float length, give;
    } * edge;
} edge_list;

static pl_result link_node(const length_graph *g, work *w, int32_t c, const int32_t *node_of, edge_list *list)
{
    search s = {.id = c + 1};
    int32_t aims = set_aims(g, w, c, node_of);
    pl_result result = array_reserve(w->memory, &list->edge, &list->capacity, list->count + aims, sizeof *list->edge);
    if (result != PL_OK)
        return result;
    offer(w, &s, node_of[c], 0.0, 0.0f);
    while (aims > 0)
    {
        int32_t node = nearest(w, &s);
        if (node < 0)
            break; // too many nodes around it: bounds may be left out
        w->mark[node] = -s.id;
        if (w->aim[node] == c + 1)
        {
            list->edge[list->count++] = (struct edge){c, w->coarse[node], (float)w->distance[node], w->give[node]};
            aims--;
        }
        extend(g, w, &s, node);
    }
    return PL_OK;
}

static void fill_edges(length_graph *g, const edge_list *list)
{
    for (int64_t i = 0; i < list->count; i++)
        g->start[list->edge[i].a + 1]++, g->start[list->edge[i].b + 1]++;
    for (int32_t i = 0; i < g->nodes; i++)
        g->start[i + 1] += g->start[i];
    for (int64_t i = 0; i < list->count; i++)
    {
        const struct edge *e = &list->edge[i];
        graph_put(g, g->start[e->a]++, e->b, e->length, e->give);
        graph_put(g, g->start[e->b]++, e->a, e->length, e->give);
    }
    for (int32_t i = g->nodes; i > 0; i--)
        g->start[i] = g->start[i - 1];
    g->start[0] = 0;
    graph_sort(g);
}

static void weigh(const length_graph *g, const work *w, length_graph *coarse)
{
    for (int32_t i = 0; i < g->nodes; i++)
        if (w->coarse[i] >= 0)
        {
            coarse->origin[w->coarse[i]] = i;
            coarse->pinned[w->coarse[i]] = g->pinned[i];
        }
    for (int64_t k = 0; k < (int64_t)g->nodes * COARSE_PARENTS; k++)
        if (g->parent[k] >= 0)
            coarse->mass[g->parent[k]] += g->part[k] * g->mass[k / COARSE_PARENTS];
}

static pl_result coarsen(length_graph *g, work *w, length_graph *coarse)
{
    find_components(g, w);
    int32_t count = choose_nodes(g, w);
    if (count == 0 || count > g->nodes - g->nodes / 8)
        return PL_OK;
    choose_parents(g, w);
    list_children(g, w, count);
    int32_t *node_of = w->component; // no longer used
    for (int32_t i = 0; i < g->nodes; i++)
        if (w->coarse[i] >= 0)
            node_of[w->coarse[i]] = i; // a coarse number is at most that of its node
    memset(w->mark, 0, (size_t)g->nodes * sizeof *w->mark);
    edge_list list = {0};
    pl_result result = PL_OK;
    for (int32_t c = 0; result == PL_OK && c < count; c++)
        result = link_node(g, w, c, node_of, &list);
    if (result == PL_OK)
        result = graph_open(w->memory, coarse, count, 2 * list.count);
    if (result == PL_OK)
    {
        fill_edges(coarse, &list);
        weigh(g, w, coarse);
        graph_prune(coarse);
    }
    array_free(w->memory, &list.edge, &list.capacity, sizeof *list.edge);
    return result;
}

pl_result graph_coarsen(memory *m, length_graph *fine, length_graph *coarse)
{
    work w = {.memory = m};
    arena a = {0};
    *coarse = (length_graph){0};
    lay_out_work(&w, fine, &a);
    w.bytes = a.used + 64;
    pl_result result = memory_resize(m, &w.block, 0, w.bytes);
    if (result != PL_OK)
        return result;
    a = (arena){w.block, 0};
    lay_out_work(&w, fine, &a);
    result = coarsen(fine, &w, coarse);
    memory_free(m, w.block, w.bytes);
    return result;
}
