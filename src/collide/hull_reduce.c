// hull_reduce.c: replaces a hull by that of few of its vertices.
#include "collide/hull.h"

#include <math.h>
#include <string.h>

static double distance_above(const hull *h, const float *x)
{
    double highest = -1e300;
    for (int64_t p = 0; p < h->planes; p++)
    {
        const float *n = h->plane + 4 * p;
        double d =
            (double)n[0] * (double)x[0] + (double)n[1] * (double)x[1] + (double)n[2] * (double)x[2] - (double)n[3];
        highest = d > highest ? d : highest;
    }
    return highest;
}

static void difference(const float *a, const float *b, double d[3])
{
    for (int k = 0; k < 3; k++)
        d[k] = (double)a[k] - (double)b[k];
}

static void outer(const double a[3], const double b[3], double r[3])
{
    for (int k = 0; k < 3; k++)
        r[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double inner(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// How far v is from the point, line or plane of the first `known` points, up to a common factor.
static double rank(const float *x, int known, const float *v)
{
    double d[3], e[3], f[3], n[3];
    difference(v, x, d);
    if (known == 1)
        return inner(d, d);
    difference(x + 3, x, e);
    if (known == 2)
    {
        outer(e, d, n);
        return inner(n, n);
    }
    difference(x + 6, x, f);
    outer(e, f, n);
    return fabs(inner(n, d));
}

// Four vertices that span a tetrahedron.
static void first_four(const hull *h, float *x)
{
    memcpy(x, h->vertex, 3 * sizeof(float));
    for (int known = 1; known < 4; known++)
    {
        int64_t best = 0;
        for (int64_t i = 1; i < h->vertices; i++)
            if (rank(x, known, h->vertex + 3 * i) > rank(x, known, h->vertex + 3 * best))
                best = i;
        memcpy(x + 3 * known, h->vertex + 3 * best, 3 * sizeof(float));
    }
}

static pl_result grow(memory *m, const char *name, hull *h, int most, float *x, double *lost)
{
    first_four(h, x);
    for (int count = 4;; count++)
    {
        hull some;
        pl_result result = hull_build(m, name, x, count, &some);
        if (result != PL_OK)
            return result;
        int64_t far = 0;
        *lost = 0.0;
        for (int64_t i = 0; i < h->vertices; i++)
        {
            double d = distance_above(&some, h->vertex + 3 * i);
            if (d > *lost)
                *lost = d, far = i;
        }
        if (count == most || *lost <= 0.0)
        {
            hull_free(m, h);
            *h = some;
            return PL_OK;
        }
        hull_free(m, &some);
        memcpy(x + 3 * count, h->vertex + 3 * far, 3 * sizeof(float));
    }
}

pl_result hull_reduce(memory *m, const char *name, hull *h, int most, double *lost)
{
    *lost = 0.0;
    if (h->vertices <= most)
        return PL_OK;
    void *x = NULL;
    size_t bytes = 3 * (size_t)most * sizeof(float);
    pl_result result = memory_resize(m, &x, 0, bytes);
    if (result != PL_OK)
        return result;
    result = grow(m, name, h, most, x, lost);
    memory_free(m, x, bytes);
    return result;
}
