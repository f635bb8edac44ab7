// crossings.h: which triangles of a world go through each other, told by code of its own: it shares nothing with the engine's.
#ifndef PLIANT_TESTS_CROSSINGS_H
#define PLIANT_TESTS_CROSSINGS_H

#include "physics.h"

typedef struct tri
{
    int corner[3];
    double low[3], high[3];
} tri;

static inline int by_low_x(const void *p, const void *q)
{
    const tri *a = p, *b = q;
    return (a->low[0] > b->low[0]) - (a->low[0] < b->low[0]);
}

static inline void minus(const float *a, const float *b, double out[3])
{
    for (int c = 0; c < 3; c++)
    {
        out[c] = (double)a[c] - (double)b[c];
    }
}

static inline void times_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double times_dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Where along the segment, and inside the triangle? Moeller, Trumbore 1997.
static inline bool pierces(const float *p, const float *q, const float *a, const float *b, const float *c)
{
    double d[3], ab[3], ac[3], h[3], s[3], g[3];
    minus(q, p, d);
    minus(b, a, ab);
    minus(c, a, ac);
    times_cross(d, ac, h);
    double det = times_dot(ab, h);
    if (det == 0.0)
    {
        return false;
    }
    minus(p, a, s);
    double u = times_dot(s, h) / det;
    times_cross(s, ab, g);
    double v = times_dot(d, g) / det, t = times_dot(ac, g) / det;
    return u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > 0.0 && t < 1.0;
}

static inline bool has_corner(const tri *t, int vertex)
{
    return t->corner[0] == vertex || t->corner[1] == vertex || t->corner[2] == vertex;
}

static inline bool goes_through(const float *x, const tri *a, const tri *b)
{
    for (int i = 0; i < 3; i++)
    {
        int p = a->corner[i], q = a->corner[(i + 1) % 3];
        if (!has_corner(b, p) && !has_corner(b, q) &&
            pierces(x + 3 * p, x + 3 * q, x + 3 * b->corner[0], x + 3 * b->corner[1], x + 3 * b->corner[2]))
        {
            return true;
        }
    }
    return false;
}

// Pairs of faces that cross.
static inline long count_crossings(const pl_world *world)
{
    int faces = pl_face_count(world), particles = pl_particle_end(world);
    int32_t *index = malloc((size_t)faces * 3 * sizeof *index);
    float *x = malloc((size_t)particles * 3 * sizeof *x);
    tri *t = malloc((size_t)faces * sizeof *t);
    good(pl_get_faces(world, 0, faces, index));
    good(pl_get(world, PL_ATTRIBUTE_POSITION, 0, particles, x));
    for (int f = 0; f < faces; f++)
    {
        for (int c = 0; c < 3; c++)
        {
            t[f].corner[c] = index[3 * f + c];
            t[f].low[c] = 1e30, t[f].high[c] = -1e30;
        }
        for (int i = 0; i < 9; i++)
        {
            double a = x[3 * index[3 * f + i / 3] + i % 3];
            t[f].low[i % 3] = fmin(t[f].low[i % 3], a);
            t[f].high[i % 3] = fmax(t[f].high[i % 3], a);
        }
    }
    qsort(t, (size_t)faces, sizeof *t, by_low_x);
    long count = 0;
    for (int i = 0; i < faces; i++)
    {
        for (int j = i + 1; j < faces && t[j].low[0] <= t[i].high[0]; j++)
        {
            if (t[j].low[1] <= t[i].high[1] && t[i].low[1] <= t[j].high[1] && t[j].low[2] <= t[i].high[2] &&
                t[i].low[2] <= t[j].high[2] && (goes_through(x, &t[i], &t[j]) || goes_through(x, &t[j], &t[i])))
            {
                count++;
            }
        }
    }
    free(index);
    free(x);
    free(t);
    return count;
}

// A square cloth of n x n particles from `origin`, spanned by u and v.
static inline pl_id add_sheet(pl_world *world, int n, pl_vec3 origin, pl_vec3 u, pl_vec3 v, float thickness)
{
    pl_cloth_def def = pl_default_cloth_def();
    pl_id id;
    def.columns = def.rows = n;
    def.origin = origin;
    def.u = u;
    def.v = v;
    def.mass = 0.2f;
    def.stretch.compliance = 1e-6f;
    def.shear.compliance = 1e-5f;
    def.bend.compliance = 1e-2f;
    def.drag = 0.0f;
    def.thickness = thickness;
    good(pl_add_cloth(world, &def, &id));
    return id;
}

static inline void throw_object(pl_world *world, pl_id id, double x, double y, double z)
{
    int first, count;
    good(pl_object_range(world, id, &first, &count));
    for (int i = first; i < first + count; i++)
    {
        const float v[3] = {(float)x, (float)y, (float)z};
        good(pl_set(world, PL_ATTRIBUTE_VELOCITY, i, 1, v));
    }
}

// The mean of an object's positions or velocities.
static inline pl_vec3 mean_of(const pl_world *world, pl_id id, pl_attribute what)
{
    int first, count;
    double sum[3] = {0};
    good(pl_object_range(world, id, &first, &count));
    for (int i = first; i < first + count; i++)
    {
        float a[3];
        good(pl_get(world, what, i, 1, a));
        for (int c = 0; c < 3; c++)
        {
            sum[c] += (double)a[c] / count;
        }
    }
    return (pl_vec3){(float)sum[0], (float)sum[1], (float)sum[2]};
}

#endif
