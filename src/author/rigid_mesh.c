// rigid_mesh.c: the surface of a shape of a rigid body as triangles, for pictures and exports.
//   sphere, capsule, cylinder   a profile that is revolved about the y axis, with a vertex at either end
//   hull                        the triangles of quickhull (collide/hull.c), with common vertices
// Every mesh is closed, faces outwards and has each vertex once.
#include "author/rigid_mass.h"
#include "collide/hull.h"
#include "core/trig.h"

#include <stdlib.h>
#include <string.h>

enum
{
    MOST_SEGMENTS = 256,
    MOST_PROFILE = MOST_SEGMENTS / 2 + 2,
};

// Where the mesh goes. Arrays that are NULL are only counted.
typedef struct mesh_out
{
    float *vertex;
    int32_t *triangle;
    int vertices, triangles;
} mesh_out;

static void put_vertex(mesh_out *m, float x, float y, float z)
{
    const float v[3] = {x, y, z};
    if (m->vertex)
        memcpy(m->vertex + 3 * (size_t)m->vertices, v, sizeof v);
    m->vertices++;
}

static void put_triangle(mesh_out *m, int32_t a, int32_t b, int32_t c)
{
    const int32_t t[3] = {a, b, c};
    if (m->triangle)
        memcpy(m->triangle + 3 * (size_t)m->triangles, t, sizeof t);
    m->triangles++;
}

// ---- round shapes --------------------------------------------------------------------------------------------------

// A profile from the bottom to the top. Its first and last points are on the axis.
typedef struct profile
{
    float radius[MOST_PROFILE], y[MOST_PROFILE];
    int count;
} profile;

static void put_point(profile *p, float radius, float y)
{
    p->radius[p->count] = radius;
    p->y[p->count++] = y;
}

// A half circle of this radius; the upper and the lower half are `length` apart.
static void half_circle(profile *p, float radius, float length, int segments)
{
    int quarter = segments / 4;
    for (int i = 0; i <= 2 * quarter; i++)
    {
        float turns = (float)(i - quarter) / (float)segments; // from the equator up
        float side = i < quarter ? -0.5f : i > quarter ? 0.5f : 0.0f;
        bool pole = i == 0 || i == 2 * quarter;
        if (i == quarter && length > 0.0f)
        {
            put_point(p, radius, -0.5f * length);
            put_point(p, radius, 0.5f * length);
            continue;
        }
        put_point(p, pole ? 0.0f : radius * cosine_of_turns(turns), radius * sine_of_turns(turns) + side * length);
    }
}

static void revolve(const profile *p, int segments, mesh_out *m)
{
    int32_t rings = p->count - 2, n = segments, top = 1 + rings * n;
    put_vertex(m, 0.0f, p->y[0], 0.0f);
    for (int j = 1; j <= rings; j++)
        for (int k = 0; k < n; k++)
        {
            float turns = (float)k / (float)n;
            put_vertex(m, p->radius[j] * cosine_of_turns(turns), p->y[j], p->radius[j] * sine_of_turns(turns));
        }
    put_vertex(m, 0.0f, p->y[p->count - 1], 0.0f);
    for (int32_t k = 0; k < n; k++)
    {
        int32_t next = (k + 1) % n;
        put_triangle(m, 0, 1 + k, 1 + next);
        for (int32_t j = 0; j + 1 < rings; j++)
        {
            int32_t low = 1 + j * n, high = low + n;
            put_triangle(m, low + k, high + k, high + next);
            put_triangle(m, low + k, high + next, low + next);
        }
        put_triangle(m, top, top - n + next, top - n + k);
    }
}

static void round_mesh(const pl_rigid_shape *s, int segments, mesh_out *m)
{
    profile p = {.count = 0};
    if (s->kind == PL_RIGID_CYLINDER)
    {
        put_point(&p, 0.0f, -0.5f * s->length);
        put_point(&p, s->radius, -0.5f * s->length);
        put_point(&p, s->radius, 0.5f * s->length);
        put_point(&p, 0.0f, 0.5f * s->length);
    }
    else
        half_circle(&p, s->radius, s->kind == PL_RIGID_CAPSULE ? s->length : 0.0f, segments);
    revolve(&p, segments, m);
}

// ---- shapes with flat faces ----------------------------------------------------------------------------------------

// Vertex i: bit k is set where coordinate k is positive.
static void box_mesh(const pl_rigid_shape *s, mesh_out *m)
{
    for (int i = 0; i < 8; i++)
        put_vertex(m, i & 1 ? s->half.x : -s->half.x, i & 2 ? s->half.y : -s->half.y, i & 4 ? s->half.z : -s->half.z);
    for (int axis = 0; axis < 3; axis++)
    {
        int32_t u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, up = 1 << axis;
        put_triangle(m, 0, v, u + v);
        put_triangle(m, 0, u + v, u);
        put_triangle(m, up, up + u, up + u + v);
        put_triangle(m, up, up + u + v, up + v);
    }
}

static int compare_points(const void *a, const void *b)
{
    const float *x = a, *y = b;
    for (int c = 0; c < 3; c++)
        if (x[c] != y[c])
            return x[c] < y[c] ? -1 : 1;
    return 0;
}

// The hull's vertices are sorted, so that the corners of its triangles find their numbers. Equal points are one vertex.
static pl_result hull_mesh(memory *memory, const pl_rigid_shape *s, mesh_out *m)
{
    hull h = {0};
    pl_result result = hull_build(memory, "rigid hull", s->vertices, s->vertex_count, &h);
    if (result != PL_OK)
        return result;
    qsort(h.vertex, (size_t)h.vertices, 3 * sizeof(float), compare_points);
    for (int64_t i = 0; i < h.vertices; i++)
        put_vertex(m, h.vertex[3 * i], h.vertex[3 * i + 1], h.vertex[3 * i + 2]);
    for (int64_t t = 0; t < h.triangles; t++)
    {
        int32_t number[3] = {0};
        for (int k = 0; k < 3; k++)
        {
            const float *found =
                bsearch(h.corner + 9 * t + 3 * k, h.vertex, (size_t)h.vertices, 3 * sizeof(float), compare_points);
            number[k] = found ? (int32_t)((found - h.vertex) / 3) : 0;
        }
        put_triangle(m, number[0], number[1], number[2]);
    }
    hull_free(memory, &h);
    return PL_OK;
}

static void mesh_mesh(const pl_rigid_shape *s, mesh_out *m)
{
    for (int i = 0; i < s->vertex_count; i++)
        put_vertex(m, s->vertices[3 * (size_t)i], s->vertices[3 * (size_t)i + 1], s->vertices[3 * (size_t)i + 2]);
    for (int i = 0; i < s->triangle_count; i++)
    {
        const int32_t *t = s->triangles + 3 * (size_t)i;
        put_triangle(m, t[0], t[1], t[2]);
    }
}

// ---- the whole -----------------------------------------------------------------------------------------------------

static pl_result shape_mesh(memory *memory, const pl_rigid_shape *s, int segments, mesh_out *m)
{
    switch (s->kind)
    {
    case PL_RIGID_BOX:
        box_mesh(s, m);
        return PL_OK;
    case PL_RIGID_HULL:
        return hull_mesh(memory, s, m);
    case PL_RIGID_MESH:
        mesh_mesh(s, m);
        return PL_OK;
    default:
        round_mesh(s, segments, m);
        return PL_OK;
    }
}

// From the axes of the shape to those of the body.
static void place(const pl_rigid_shape *s, mesh_out *m)
{
    double r[3][3];
    const double at[3] = {(double)s->position.x, (double)s->position.y, (double)s->position.z};
    rigid_rotation_matrix(s->rotation, r);
    for (int i = 0; m->vertex && i < m->vertices; i++)
    {
        float *v = m->vertex + 3 * (size_t)i;
        const double x[3] = {(double)v[0], (double)v[1], (double)v[2]};
        for (int c = 0; c < 3; c++)
            v[c] = (float)(at[c] + r[c][0] * x[0] + r[c][1] * x[1] + r[c][2] * x[2]);
    }
}

pl_result pl_rigid_shape_mesh(const pl_rigid_shape *shape, int segments, float *vertices, int *vertex_count,
                              int32_t *triangles, int *triangle_count)
{
    memory memory;
    mesh_out m = {.vertex = vertices, .triangle = triangles};
    if (!shape || !vertex_count || !triangle_count)
        return fail(PL_ERROR_ARGUMENT, "rigid shape mesh: give a shape, and where to store the two numbers");
    if (segments < 8 || segments > MOST_SEGMENTS || segments % 4)
        return fail(PL_ERROR_ARGUMENT, "rigid shape mesh: segments is %d; it must be a multiple of 4 from 8 to %d",
                    segments, MOST_SEGMENTS);
    memory_open(&memory, &(pl_allocator){0});
    pl_result result = rigid_check_shape(&memory, shape, 0);
    if (result == PL_OK)
        result = shape_mesh(&memory, shape, segments, &m);
    if (result != PL_OK)
        return result;
    place(shape, &m);
    *vertex_count = m.vertices;
    *triangle_count = m.triangles;
    return PL_OK;
}
