// collide.h: what the tests of the geometry share: random numbers, checks that tell numbers, and twins in double: slow,
// plain, written apart from the engine's own code.
#pragma once
#include "collide/bvh.h" // before cmocka.h, whose macro fail() would swallow ours

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- random numbers, the same on every machine ---------------------------------------------------------------------

static uint64_t random_state = 1;

static inline uint32_t random_bits(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    uint64_t a = random_state;
    a ^= a >> 29;
    a *= 0xbf58476d1ce4e5b9u;
    return (uint32_t)(a >> 32);
}

static inline float uniform(float low, float high)
{
    return low + (high - low) * ((float)(random_bits() >> 8) * 0x1p-24f);
}

static inline int one_of(int count) { return (int)(random_bits() % (uint32_t)count); }
static inline vec in_cube(float half)
{
    float x = uniform(-half, half), y = uniform(-half, half);
    return vec_of(x, y, uniform(-half, half));
}

static inline vec on_sphere(void)
{
    for (;;)
    {
        vec a = in_cube(1.0f);
        float s = square(a);
        if (s > 0.01f && s < 1.0f)
            return times(1.0f / sqrtf(s), a);
    }
}

// ---- checks --------------------------------------------------------------------------------------------------------

#define check(condition, ...)                                                                                          \
    do                                                                                                                 \
    {                                                                                                                  \
        if (!(condition))                                                                                              \
        {                                                                                                              \
            print_error(__VA_ARGS__);                                                                                  \
            print_error("\n");                                                                                         \
            fail_msg("%s", #condition);                                                                                \
        }                                                                                                              \
    }                                                                                                                  \
    while (0)

static inline void refused(pl_result result, const char *words)
{
    const char *told = pl_error_message();
    check(result != PL_OK, "not refused; expected: %s", words);
    check(strstr(told, words), "told: %s\nexpected: %s", told, words);
}

static inline void good(pl_result result) { check(result == PL_OK, "%s", pl_error_message()); }

static inline memory open_memory(void)
{
    memory m;
    pl_allocator hook = {0};
    memory_open(&m, &hook);
    return m;
}

// ---- vectors in double ---------------------------------------------------------------------------------------------

typedef struct dvec
{
    double x, y, z;
} dvec;

static inline dvec d_of(vec a) { return (dvec){(double)a.x, (double)a.y, (double)a.z}; }
static inline dvec d_add(dvec a, dvec b) { return (dvec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline dvec d_sub(dvec a, dvec b) { return (dvec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline dvec d_times(double s, dvec a) { return (dvec){s * a.x, s * a.y, s * a.z}; }
static inline double d_dot(dvec a, dvec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double d_length(dvec a) { return sqrt(d_dot(a, a)); }
static inline dvec d_cross(dvec a, dvec b)
{
    return (dvec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline dvec d_mix(dvec a, dvec b, double t) { return d_add(a, d_times(t, d_sub(b, a))); }

static inline double d_clamp(double a) { return a < 0.0 ? 0.0 : a > 1.0 ? 1.0 : a; }

// ---- distances in double -------------------------------------------------------------------------------------------

static inline double twin_point_edge(dvec p, dvec a, dvec b, dvec *on)
{
    dvec e = d_sub(b, a);
    double ee = d_dot(e, e), t = ee > 0.0 ? d_clamp(d_dot(d_sub(p, a), e) / ee) : 0.0;
    *on = d_mix(a, b, t);
    return d_length(d_sub(p, *on));
}

static inline double twin_point_triangle(dvec p, dvec a, dvec b, dvec c, dvec *on)
{
    dvec n = d_cross(d_sub(b, a), d_sub(c, a)), q;
    double nn = d_dot(n, n), best = twin_point_edge(p, a, b, on), d = twin_point_edge(p, b, c, &q);
    if (d < best)
        best = d, *on = q;
    d = twin_point_edge(p, c, a, &q);
    if (d < best)
        best = d, *on = q;
    if (nn > 0.0 && d_dot(d_cross(d_sub(b, a), d_sub(p, a)), n) >= 0.0 &&
        d_dot(d_cross(d_sub(c, b), d_sub(p, b)), n) >= 0.0 && d_dot(d_cross(d_sub(a, c), d_sub(p, c)), n) >= 0.0)
    {
        double h = d_dot(d_sub(p, a), n) / nn;
        dvec foot = d_sub(p, d_times(h, n));
        if (fabs(h) * sqrt(nn) < best)
            best = fabs(h) * sqrt(nn), *on = foot;
    }
    return best;
}

static inline double twin_edge_edge(dvec a, dvec b, dvec c, dvec d)
{
    dvec on, u = d_sub(b, a), v = d_sub(d, c), n = d_cross(u, v), r = d_sub(c, a);
    double best = twin_point_edge(a, c, d, &on), nn = d_dot(n, n), e;
    if ((e = twin_point_edge(b, c, d, &on)) < best)
        best = e;
    if ((e = twin_point_edge(c, a, b, &on)) < best)
        best = e;
    if ((e = twin_point_edge(d, a, b, &on)) < best)
        best = e;
    if (nn > 0.0)
    {
        double s = d_dot(d_cross(r, v), n) / nn, t = d_dot(d_cross(r, u), n) / nn;
        if (s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0)
        {
            e = d_length(d_sub(d_mix(a, b, s), d_mix(c, d, t)));
            best = e < best ? e : best;
        }
    }
    return best;
}

// ---- meshes --------------------------------------------------------------------------------------------------------

typedef struct test_mesh
{
    float *x;
    int32_t *triangle;
    int32_t vertices, triangles;
} test_mesh;

static inline test_mesh new_mesh(int vertices, int triangles)
{
    test_mesh r = {malloc(3 * sizeof(float) * (size_t)vertices), malloc(3 * sizeof(int32_t) * (size_t)triangles), 0, 0};
    return r;
}

static inline void drop_mesh(test_mesh *m)
{
    free(m->x);
    free(m->triangle);
}

static inline int32_t put_vertex(test_mesh *m, float x, float y, float z)
{
    float *p = m->x + 3 * m->vertices;
    p[0] = x;
    p[1] = y;
    p[2] = z;
    return m->vertices++;
}

static inline void put_triangle(test_mesh *m, int32_t a, int32_t b, int32_t c)
{
    int32_t *t = m->triangle + 3 * m->triangles++;
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

static inline vec mesh_corner(const test_mesh *m, int t, int i)
{
    const float *p = m->x + 3 * m->triangle[3 * t + i];
    return vec_of(p[0], p[1], p[2]);
}

static inline mesh_view view(const test_mesh *m)
{
    return (mesh_view){"shape 'test'", m->x, m->triangle, m->vertices, m->triangles};
}

// A box of 12 triangles, looking outwards.
static inline test_mesh box_mesh(float hx, float hy, float hz)
{
    static const int32_t t[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                  2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    test_mesh m = new_mesh(8, 12);
    for (int i = 0; i < 8; i++)
        put_vertex(&m, i & 1 ? hx : -hx, i & 2 ? hy : -hy, i & 4 ? hz : -hz);
    for (int i = 0; i < 12; i++)
        put_triangle(&m, t[3 * i], t[3 * i + 1], t[3 * i + 2]);
    return m;
}

// A torus about y: `rings` around, `sides` around the tube.
static inline test_mesh torus_mesh(double big, double small, int rings, int sides)
{
    const double rotation = 6.283185307179586;
    test_mesh m = new_mesh(rings * sides, 2 * rings * sides);
    for (int i = 0; i < rings; i++)
        for (int j = 0; j < sides; j++)
        {
            double a = rotation * i / rings, b = rotation * j / sides, r = big + small * cos(b);
            put_vertex(&m, (float)(r * cos(a)), (float)(small * sin(b)), (float)(r * sin(a)));
        }
    for (int i = 0; i < rings; i++)
        for (int j = 0; j < sides; j++)
        {
            int i1 = (i + 1) % rings, j1 = (j + 1) % sides;
            put_triangle(&m, i * sides + j, i * sides + j1, i1 * sides + j);
            put_triangle(&m, i1 * sides + j, i * sides + j1, i1 * sides + j1);
        }
    return m;
}

// A sphere by latitudes, its poles single vertices.
static inline test_mesh sphere_mesh(double radius, int rings, int sides)
{
    const double rotation = 6.283185307179586;
    test_mesh m = new_mesh(rings * sides + 2, 2 * rings * sides);
    for (int i = 1; i <= rings; i++)
        for (int j = 0; j < sides; j++)
        {
            double a = 0.5 * rotation * i / (rings + 1), b = rotation * j / sides;
            put_vertex(&m, (float)(radius * sin(a) * cos(b)), (float)(radius * cos(a)),
                       (float)(radius * sin(a) * sin(b)));
        }
    int32_t top = put_vertex(&m, 0.0f, (float)radius, 0.0f), bottom = put_vertex(&m, 0.0f, (float)-radius, 0.0f);
    for (int j = 0; j < sides; j++)
    {
        int j1 = (j + 1) % sides, last = (rings - 1) * sides;
        put_triangle(&m, top, j1, j);
        for (int i = 0; i + 1 < rings; i++)
        {
            put_triangle(&m, i * sides + j, i * sides + j1, (i + 1) * sides + j);
            put_triangle(&m, i * sides + j1, (i + 1) * sides + j1, (i + 1) * sides + j);
        }
        put_triangle(&m, last + j, last + j1, bottom);
    }
    return m;
}

// A thin, open sheet about the origin, wavy, n x n cells over [-half, half]^2.
static inline test_mesh sheet_mesh(float half, float wave, int n)
{
    test_mesh m = new_mesh((n + 1) * (n + 1), 2 * n * n);
    for (int j = 0; j <= n; j++)
        for (int i = 0; i <= n; i++)
        {
            float x = half * (2.0f * (float)i / (float)n - 1.0f), z = half * (2.0f * (float)j / (float)n - 1.0f);
            put_vertex(&m, x, wave * (float)((i * 7 + j * 11) % 5) * 0.25f, z);
        }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
        {
            int32_t a = j * (n + 1) + i;
            put_triangle(&m, a, a + n + 1, a + 1);
            put_triangle(&m, a + n + 2, a + 1, a + n + 1);
        }
    return m;
}
