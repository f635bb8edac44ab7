// soup.h: meshes by hand, triangle by triangle, to be mended or refused.
#ifndef PLIANT_TESTS_SOUP_H
#define PLIANT_TESTS_SOUP_H

#include "solids.h"

#include "author/repair.h"

typedef struct soup
{
    float x[3 * 400];
    int32_t t[3 * 800];
    int vertices, triangles;
} soup;

static inline int vertex(soup *s, float x, float y, float z)
{
    memcpy(s->x + 3 * s->vertices, (float[]){x, y, z}, 12);
    return s->vertices++;
}

static inline void triangle(soup *s, int a, int b, int c)
{
    memcpy(s->t + 3 * s->triangles++, (int32_t[]){a, b, c}, 12);
}

static inline void box(soup *s, float x, float y, float z, float half)
{
    static const int32_t t[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                  2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    int first = s->vertices;
    for (int i = 0; i < 8; i++)
        vertex(s, x + (i & 1 ? half : -half), y + (i & 2 ? half : -half), z + (i & 4 ? half : -half));
    for (int i = 0; i < 12; i++)
        triangle(s, first + t[3 * i], first + t[3 * i + 1], first + t[3 * i + 2]);
}

static inline void turn(soup *s, int t)
{
    int32_t a = s->t[3 * t];
    s->t[3 * t] = s->t[3 * t + 1];
    s->t[3 * t + 1] = a;
}

static inline mesh_view view(const soup *s) { return (mesh_view){"soup", s->x, s->t, s->vertices, s->triangles}; }

static inline pl_result mend(const soup *s, double tolerance, mesh_repairs *done, double *volume)
{
    memory m = open_memory();
    mesh_view v = view(s);
    pl_mesh out;
    pl_result result = mesh_repair(&m, &v, tolerance, &out, done);
    if (result == PL_OK)
    {
        mesh_view fresh = view_of(&out, "mended");
        good(mesh_check(&m, &fresh, 1));
        *volume = mesh_volume(&fresh);
    }
    else
        assert_true(!out.vertices && !out.triangles && out.vertex_count == 0);
    mesh_drop(&m, &out);
    assert_int_equal(m.bytes, 0);
    return result;
}

// Mends to the volume; what was done is so many of each.
static inline void mends(const soup *s, double volume, mesh_repairs wanted)
{
    mesh_repairs done;
    double got = 0.0;
    good(mend(s, -1.0, &done, &got));
    near_to("the volume", got, volume, 1e-5 * volume);
    assert_int_equal(done.merged, wanted.merged);
    assert_int_equal(done.collapsed, wanted.collapsed);
    assert_int_equal(done.doubled, wanted.doubled);
    assert_int_equal(done.slivers, wanted.slivers);
    assert_int_equal(done.flipped, wanted.flipped);
    assert_int_equal(done.shells, wanted.shells);
}

static inline void refuses(const soup *s, const char *words)
{
    mesh_repairs done;
    double volume;
    refused(mend(s, -1.0, &done, &volume), PL_ERROR_ARGUMENT, words);
}

#endif
