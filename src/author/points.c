// points.c: stores points in a hashed grid.
#include "author/points.h"

#include <math.h>

pl_result point_grid_open(memory *m, const double low[3], double reach, int64_t expected, point_grid *g)
{
    *g = (point_grid){.buckets = 64};
    // Cells are no finer than the resolution of float, so that their numbers fit.
    double far = 1e-30;
    for (int k = 0; k < 3; k++)
    {
        g->low[k] = low[k];
        far = fmax(far, fabs(low[k]));
    }
    g->cell = fmax(reach, 1e-9 * far);
    while (g->buckets < 2 * expected)
        g->buckets *= 2;
    pl_result result = take_items(m, &g->head, g->buckets, sizeof *g->head);
    for (int64_t i = 0; result == PL_OK && i < g->buckets; i++)
        g->head[i] = -1;
    return result;
}

static void cell_of(const point_grid *g, const float at[3], int64_t cell[3])
{
    for (int k = 0; k < 3; k++)
    {
        double a = floor(((double)at[k] - g->low[k]) / g->cell);
        cell[k] = a > 1e15 ? (int64_t)1e15 : a < -1e15 ? (int64_t)-1e15 : (int64_t)a;
    }
}

static int64_t bucket_of(const point_grid *g, int64_t i, int64_t j, int64_t k)
{
    uint64_t h =
        (uint64_t)i * 0x9e3779b97f4a7c15u ^ (uint64_t)j * 0xc2b2ae3d27d4eb4fu ^ (uint64_t)k * 0x165667b19e3779f9u;
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9u;
    h ^= h >> 32;
    return (int64_t)(h & (uint64_t)(g->buckets - 1));
}

pl_result point_grid_add(memory *m, point_grid *g, const float *x, int32_t point)
{
    int64_t c[3];
    pl_result result = array_reserve(m, &g->next, &g->capacity, (int64_t)point + 1, sizeof *g->next);
    if (result != PL_OK)
        return result;
    cell_of(g, x + 3 * (int64_t)point, c);
    int64_t b = bucket_of(g, c[0], c[1], c[2]);
    g->next[point] = g->head[b];
    g->head[b] = point;
    return PL_OK;
}

int32_t point_grid_near(const point_grid *g, const float *x, const float at[3], double reach)
{
    int64_t c[3];
    int32_t best = -1;
    cell_of(g, at, c);
    for (int i = 0; i < 27; i++)
        for (int32_t p = g->head[bucket_of(g, c[0] + i % 3 - 1, c[1] + i / 3 % 3 - 1, c[2] + i / 9 - 1)]; p >= 0;
             p = g->next[p])
        {
            double s = 0.0;
            for (int k = 0; k < 3; k++)
            {
                double d = (double)x[3 * (int64_t)p + k] - (double)at[k];
                s += d * d;
            }
            if (s <= reach * reach && (best < 0 || p < best))
                best = p;
        }
    return best;
}

void point_grid_close(memory *m, point_grid *g)
{
    drop_items(m, &g->head, g->buckets, sizeof *g->head);
    drop_items(m, &g->next, g->capacity, sizeof *g->next);
    *g = (point_grid){0};
}
