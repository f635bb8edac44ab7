// cholesky.c: see cholesky.h.
#include "core/cholesky.h"

#include "core/dissection.h"

#include <string.h>

// ---- memory --------------------------------------------------------------------------------------------------------

static pl_result take(memory *m, void *block, int64_t count, size_t item)
{
    void *bytes = NULL;
    pl_result result = memory_resize(m, &bytes, 0, ((size_t)count + 1) * item);
    memcpy(block, &bytes, sizeof bytes);
    return result;
}

static void give(memory *m, void *block, int64_t count, size_t item)
{
    if (block)
        memory_free(m, block, ((size_t)count + 1) * item);
}

// ---- the order -----------------------------------------------------------------------------------------------------

typedef struct graph
{
    int32_t vertices;
    int64_t *start, edges;
    int32_t *neighbour, *order;
} graph;

// Lists the neighbours of each block of unknowns. Several entries of A between two blocks give the edge several times,
// which a search does not mind.
static pl_result make_graph(memory *m, const sparse_lower *a, int32_t block, graph *g)
{
    g->vertices = (a->rows + block - 1) / block;
    g->edges = 0;
    for (int32_t i = 0; i < a->rows; i++)
        for (int64_t e = a->start[i]; e < a->start[i + 1]; e++)
            g->edges += 2 * (a->column[e] / block != i / block);
    pl_result result = take(m, &g->start, g->vertices + 1, sizeof *g->start);
    result = result == PL_OK ? take(m, &g->neighbour, g->edges, sizeof *g->neighbour) : result;
    result = result == PL_OK ? take(m, &g->order, g->vertices, sizeof *g->order) : result;
    if (result != PL_OK)
        return result;
    for (int pass = 0; pass < 2; pass++) // counts, then fills backwards
    {
        for (int32_t i = 0; i < a->rows; i++)
            for (int64_t e = a->start[i]; e < a->start[i + 1]; e++)
            {
                int32_t u = i / block, v = a->column[e] / block;
                if (u == v)
                    continue;
                if (pass == 0)
                    g->start[u]++, g->start[v]++;
                else
                    g->neighbour[--g->start[u]] = v, g->neighbour[--g->start[v]] = u;
            }
        for (int32_t v = 0; v < g->vertices && pass == 0; v++)
            g->start[v + 1] += g->start[v];
    }
    g->start[g->vertices] = g->edges;
    return PL_OK;
}

static pl_result find_order(cholesky *c, const sparse_lower *a, int32_t block)
{
    graph g = {0};
    pl_result result = make_graph(c->memory, a, block, &g);
    result = result == PL_OK ? dissect(c->memory, g.vertices, g.start, g.neighbour, g.order) : result;
    for (int32_t k = 0, next = 0; result == PL_OK && k < g.vertices; k++)
        for (int32_t i = block * g.order[k]; i < block * (g.order[k] + 1) && i < a->rows; i++)
        {
            c->order[next] = i;
            c->place[i] = next++;
        }
    give(c->memory, g.start, g.vertices + 1, sizeof *g.start);
    give(c->memory, g.neighbour, g.edges, sizeof *g.neighbour);
    give(c->memory, g.order, g.vertices, sizeof *g.order);
    return result;
}

// Lists the entries of A in the new order.
static void permute(cholesky *c, const sparse_lower *a)
{
    for (int pass = 0; pass < 2; pass++)
    {
        for (int32_t i = 0; i < a->rows; i++)
            for (int64_t e = a->start[i]; e < a->start[i + 1]; e++)
            {
                int32_t row = c->place[i], column = c->place[a->column[e]], later = row > column ? row : column;
                if (row == column)
                    c->diagonal[row] = e;
                else if (pass == 0)
                    c->start[later]++;
                else
                {
                    int64_t to = --c->start[later];
                    c->column[to] = row > column ? column : row;
                    c->from[to] = e;
                }
            }
        for (int32_t k = 0; k < c->rows && pass == 0; k++)
            c->start[k + 1] += c->start[k];
    }
    c->start[c->rows] = c->entries;
}

// ---- the pattern of L ----------------------------------------------------------------------------------------------

// Lists the columns in which row k of L has entries, each before its parent in the elimination tree. They fill the end of
// `path`; returns where they begin.
static int32_t row_pattern(cholesky *c, int32_t k)
{
    int32_t top = c->rows;
    c->mark[k] = k;
    for (int64_t e = c->start[k]; e < c->start[k + 1]; e++)
    {
        int32_t length = 0;
        for (int32_t i = c->column[e]; c->mark[i] != k; i = c->parent[i])
        {
            c->path[length++] = i;
            c->mark[i] = k;
        }
        while (length > 0)
            c->path[--top] = c->path[--length];
    }
    return top;
}

// Finds the elimination tree, and counts the entries of each column of L.
static void find_tree(cholesky *c)
{
    for (int32_t k = 0; k < c->rows; k++)
    {
        c->parent[k] = -1;
        c->mark[k] = k;
        for (int64_t e = c->start[k]; e < c->start[k + 1]; e++)
            for (int32_t i = c->column[e]; c->mark[i] != k; i = c->parent[i])
            {
                if (c->parent[i] < 0)
                    c->parent[i] = k;
                c->l_start[i + 1]++;
                c->mark[i] = k;
            }
    }
    for (int32_t k = 0; k < c->rows; k++)
        c->l_start[k + 1] += c->l_start[k];
    c->factor_entries = c->l_start[c->rows];
}

static pl_result take_all(cholesky *c)
{
    struct
    {
        void *block;
        int64_t count;
        size_t item;
    } all[] = {{&c->order, c->rows, sizeof *c->order},       {&c->place, c->rows, sizeof *c->place},
               {&c->start, c->rows + 1, sizeof *c->start},   {&c->column, c->entries, sizeof *c->column},
               {&c->from, c->entries, sizeof *c->from},      {&c->diagonal, c->rows, sizeof *c->diagonal},
               {&c->parent, c->rows, sizeof *c->parent},     {&c->l_start, c->rows + 1, sizeof *c->l_start},
               {&c->l_filled, c->rows, sizeof *c->l_filled}, {&c->d, c->rows, sizeof *c->d},
               {&c->work, c->rows, sizeof *c->work},         {&c->path, c->rows, sizeof *c->path},
               {&c->mark, c->rows, sizeof *c->mark}};
    pl_result result = PL_OK;
    for (size_t i = 0; i < sizeof all / sizeof *all && result == PL_OK; i++)
        result = take(c->memory, all[i].block, all[i].count, all[i].item);
    return result;
}

pl_result cholesky_open(cholesky *c, memory *m, const sparse_lower *a, int32_t block)
{
    *c = (cholesky){.memory = m, .rows = a->rows, .entries = a->start[a->rows] - a->rows};
    pl_result result = take_all(c);
    result = result == PL_OK ? find_order(c, a, block) : result;
    if (result == PL_OK)
    {
        permute(c, a);
        find_tree(c);
        result = take(m, &c->l_row, c->factor_entries, sizeof *c->l_row);
    }
    result = result == PL_OK ? take(m, &c->l, c->factor_entries, sizeof *c->l) : result;
    if (result != PL_OK)
        cholesky_close(c);
    return result;
}

void cholesky_close(cholesky *c)
{
    memory *m = c->memory;
    if (!m)
        return;
    give(m, c->order, c->rows, sizeof *c->order);
    give(m, c->place, c->rows, sizeof *c->place);
    give(m, c->start, c->rows + 1, sizeof *c->start);
    give(m, c->column, c->entries, sizeof *c->column);
    give(m, c->from, c->entries, sizeof *c->from);
    give(m, c->diagonal, c->rows, sizeof *c->diagonal);
    give(m, c->parent, c->rows, sizeof *c->parent);
    give(m, c->l_start, c->rows + 1, sizeof *c->l_start);
    give(m, c->l_filled, c->rows, sizeof *c->l_filled);
    give(m, c->d, c->rows, sizeof *c->d);
    give(m, c->work, c->rows, sizeof *c->work);
    give(m, c->path, c->rows, sizeof *c->path);
    give(m, c->mark, c->rows, sizeof *c->mark);
    give(m, c->l_row, c->factor_entries, sizeof *c->l_row);
    give(m, c->l, c->factor_entries, sizeof *c->l);
    *c = (cholesky){0};
}

// ---- the numbers ---------------------------------------------------------------------------------------------------

// Row k: solves L(0..k-1) D y = A(k, 0..k-1) for the row of L, of which only the pattern is touched.
int32_t cholesky_factor(cholesky *c, const sparse_lower *a)
{
    int32_t negative = 0;
    for (int32_t k = 0; k < c->rows; k++)
    {
        c->l_filled[k] = 0;
        c->mark[k] = -1;
        c->work[k] = 0.0;
    }
    for (int32_t k = 0; k < c->rows; k++)
    {
        int32_t top = row_pattern(c, k);
        double d = a->value[c->diagonal[k]];
        for (int64_t e = c->start[k]; e < c->start[k + 1]; e++)
            c->work[c->column[e]] += a->value[c->from[e]];
        for (int32_t i = top; i < c->rows; i++)
        {
            int32_t column = c->path[i];
            double y = c->work[column], l = y / c->d[column];
            int64_t first = c->l_start[column], end = first + c->l_filled[column]++;
            c->work[column] = 0.0;
            for (int64_t e = first; e < end; e++)
                c->work[c->l_row[e]] -= c->l[e] * y;
            c->l_row[end] = k;
            c->l[end] = l;
            d -= l * y;
        }
        if (!(d != 0.0 && d - d == 0.0))
            return -1;
        negative += d < 0.0;
        c->d[k] = d;
    }
    return negative;
}

void cholesky_solve(cholesky *c, const double *right, double *out)
{
    double *x = c->work;
    for (int32_t k = 0; k < c->rows; k++)
        x[k] = right[c->order[k]];
    for (int32_t k = 0; k < c->rows; k++)
        for (int64_t e = c->l_start[k]; e < c->l_start[k + 1]; e++)
            x[c->l_row[e]] -= c->l[e] * x[k];
    for (int32_t k = c->rows - 1; k >= 0; k--)
    {
        x[k] /= c->d[k];
        for (int64_t e = c->l_start[k]; e < c->l_start[k + 1]; e++)
            x[k] -= c->l[e] * x[c->l_row[e]];
    }
    for (int32_t k = 0; k < c->rows; k++)
        out[c->order[k]] = x[k];
}
