// hull_planes.c: builds a convex hull from planes. Its corners are the intersections of three planes that lie behind
// all others. The search tries all triples, so it is meant for few planes; HULL_MOST_PLANES bounds the work.
#include "collide/hull.h"
#include "collide/mesh_check.h"

#include <math.h>

enum
{
    HULL_MOST_PLANES = 128,
};

static pl_result check_planes(const char *name, const float *p, int64_t count)
{
    if (count < 4 || count > HULL_MOST_PLANES || !p)
        return fail(PL_ERROR_ARGUMENT, "%s: the hull has %lld planes; give 4 to %d, or its points instead", name,
                    (long long)count, HULL_MOST_PLANES);
    for (int64_t i = 0; i < count; i++)
    {
        const float *n = p + 4 * i;
        for (int k = 0; k < 4; k++)
            if (!isfinite(n[k]) || fabsf(n[k]) > MESH_FARTHEST)
                return fail(PL_ERROR_ARGUMENT, "%s: plane %lld has the number %g; give finite ones within %g", name,
                            (long long)i, (double)n[k], (double)MESH_FARTHEST);
        if (!(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] > 1e-12f))
            return fail(PL_ERROR_ARGUMENT, "%s: plane %lld has no normal; give one of length 1", name, (long long)i);
    }
    return PL_OK;
}

typedef struct half_space
{
    double n[3], offset;
} half_space;

static void outer(const double a[3], const double b[3], double r[3])
{
    for (int k = 0; k < 3; k++)
        r[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double inner(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static int meet(const half_space *a, const half_space *b, const half_space *c, double x[3])
{
    double bc[3], ca[3], ab[3];
    outer(b->n, c->n, bc);
    outer(c->n, a->n, ca);
    outer(a->n, b->n, ab);
    double det = inner(a->n, bc);
    if (!(fabs(det) > 1e-9))
        return 0;
    for (int k = 0; k < 3; k++)
        x[k] = (a->offset * bc[k] + b->offset * ca[k] + c->offset * ab[k]) / det;
    return 1;
}

// Is x behind all planes? The tolerance is for the three planes that it lies on.
static int behind_all(const half_space *p, int count, const double x[3], double leeway)
{
    for (int i = 0; i < count; i++)
        if (inner(p[i].n, x) > p[i].offset + leeway)
            return 0;
    return 1;
}

// The last six planes are a huge box; a corner on it shows that the user's planes leave that side open.
static int64_t find_corners(const half_space *p, int count, double size, float *corner, int *open)
{
    int64_t found = 0;
    *open = 0;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            for (int k = j + 1; k < count; k++)
            {
                double x[3];
                if (!meet(&p[i], &p[j], &p[k], x) || !behind_all(p, count, x, 1e-7 * size))
                    continue;
                *open |= k >= count - 6;
                for (int c = 0; corner && c < 3; c++)
                    corner[3 * found + c] = (float)x[c];
                found++;
            }
    return found;
}

static int open_half_spaces(const float *planes, int64_t count, half_space *p, double *size)
{
    *size = 1e-3;
    for (int64_t i = 0; i < count; i++)
    {
        const float *f = planes + 4 * i;
        double n[3] = {(double)f[0], (double)f[1], (double)f[2]}, len = sqrt(inner(n, n));
        p[i] = (half_space){{n[0] / len, n[1] / len, n[2] / len}, (double)f[3] / len};
        *size = fabs(p[i].offset) > *size ? fabs(p[i].offset) : *size;
    }
    for (int k = 0; k < 6; k++)
    {
        half_space wall = {{0.0, 0.0, 0.0}, 1e4 * *size};
        wall.n[k / 2] = k % 2 ? -1.0 : 1.0;
        p[count + k] = wall;
    }
    return (int)count + 6;
}

pl_result hull_of_planes(memory *m, const char *name, const float *planes, int64_t count, hull *out)
{
    *out = (hull){0};
    pl_result result = check_planes(name, planes, count);
    if (result != PL_OK)
        return result;
    half_space p[HULL_MOST_PLANES + 6];
    double size;
    int open, all_of_them = open_half_spaces(planes, count, p, &size);
    int64_t corners = find_corners(p, all_of_them, size, NULL, &open);
    if (corners < 4)
        return fail(PL_ERROR_ARGUMENT,
                    "%s: the hull's planes contradict each other: no point lies behind all %lld; do the normals point "
                    "outwards?",
                    name, (long long)count);
    if (open)
        return fail(PL_ERROR_ARGUMENT, "%s: the hull's %lld planes leave a side open; add the planes that close it",
                    name, (long long)count);
    void *block = NULL;
    size_t bytes = (size_t)corners * 3 * sizeof(float);
    result = memory_resize(m, &block, 0, bytes);
    if (result != PL_OK)
        return result;
    find_corners(p, all_of_them, size, block, &open);
    result = hull_build(m, name, block, corners, out);
    memory_free(m, block, bytes);
    return result;
}
