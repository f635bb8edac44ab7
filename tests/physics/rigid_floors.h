// rigid_floors.h: triangulated floors for tests of rigid bodies, and the bodies that slide over them.
#ifndef TESTS_PHYSICS_RIGID_FLOORS_H
#define TESTS_PHYSICS_RIGID_FLOORS_H

#include "physics/rigid.h"

enum floor_sort
{
    FLOOR_GRID,
    FLOOR_RANDOM,    // a grid whose inner vertices are moved at random
    FLOOR_FANS,      // many slivers around points
    FLOOR_SLIVERS,   // strips of 1 cm by 4 m
    FLOOR_JUNCTIONS, // rows of different resolution: vertices in the middle of edges
    FLOOR_SORTS
};

enum
{
    FLOOR_ROOM = 20000,
};

// y = 0, from -2 to 2 in x and z.
typedef struct floor_mesh
{
    float x[3 * FLOOR_ROOM];
    int32_t t[3 * FLOOR_ROOM];
    int vertices, triangles;
} floor_mesh;

static inline int32_t floor_vertex(floor_mesh *f, double x, double z)
{
    f->x[3 * f->vertices] = (float)x, f->x[3 * f->vertices + 1] = 0.0f, f->x[3 * f->vertices + 2] = (float)z;
    return f->vertices++;
}

// Anticlockwise seen from above.
static inline void floor_triangle(floor_mesh *f, int32_t a, int32_t b, int32_t c)
{
    const float *p = f->x + 3 * a, *q = f->x + 3 * b, *r = f->x + 3 * c;
    double up = ((double)q[2] - p[2]) * ((double)r[0] - p[0]) - ((double)q[0] - p[0]) * ((double)r[2] - p[2]);
    int32_t *t = f->t + 3 * f->triangles++;
    t[0] = a, t[1] = up > 0.0 ? b : c, t[2] = up > 0.0 ? c : b;
}

static inline void floor_grid(floor_mesh *f, int columns, int rows, double z0, double z1, double jitter, uint64_t *seed)
{
    int32_t first = f->vertices;
    for (int j = 0; j <= rows; j++)
        for (int i = 0; i <= columns; i++)
        {
            bool inner = i > 0 && i < columns && j > 0 && j < rows;
            double u = inner ? jitter * (double)dice(seed) : 0.0, v = inner ? jitter * (double)dice(seed) : 0.0;
            floor_vertex(f, -2.0 + 4.0 * (i + u) / columns, z0 + (z1 - z0) * (j + v) / rows);
        }
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < columns; i++)
        {
            int32_t a = first + j * (columns + 1) + i, b = a + 1, c = a + columns + 1, d = c + 1;
            bool other = (i + j) % 2;
            floor_triangle(f, a, b, other ? d : c);
            floor_triangle(f, other ? a : b, d, c);
        }
}

static inline void floor_fans(floor_mesh *f, int cells, int spokes)
{
    for (int j = 0; j < cells; j++)
        for (int i = 0; i < cells; i++)
        {
            const double side = 4.0 / cells, x = -2.0 + side * i, z = -2.0 + side * j;
            int32_t hub = floor_vertex(f, x + 0.37 * side, z + 0.55 * side), last = -1, first = -1;
            for (int k = 0; k < 4 * spokes; k++)
            {
                double at = (double)(k % spokes) / spokes * side;
                int edge = k / spokes;
                int32_t v = floor_vertex(f,
                                         edge == 0   ? x + at
                                         : edge == 1 ? x + side
                                         : edge == 2 ? x + side - at
                                                     : x,
                                         edge == 0   ? z
                                         : edge == 1 ? z + at
                                         : edge == 2 ? z + side
                                                     : z + side - at);
                if (last >= 0)
                    floor_triangle(f, hub, last, v);
                first = first < 0 ? v : first, last = v;
            }
            floor_triangle(f, hub, last, first);
        }
}

static inline floor_mesh *floor_make(int sort)
{
    static floor_mesh f;
    uint64_t seed = 7;
    f.vertices = f.triangles = 0;
    if (sort == FLOOR_GRID || sort == FLOOR_RANDOM)
        floor_grid(&f, 24, 24, -2.0, 2.0, sort == FLOOR_RANDOM ? 0.4 : 0.0, &seed);
    if (sort == FLOOR_FANS)
        floor_fans(&f, 8, 8);
    if (sort == FLOOR_SLIVERS)
        floor_grid(&f, 1, 400, -2.0, 2.0, 0.0, &seed);
    for (int j = 0; sort == FLOOR_JUNCTIONS && j < 16; j++)
        floor_grid(&f, j % 2 ? 21 : 8, 1, -2.0 + 0.25 * j, -1.75 + 0.25 * j, 0.0, &seed);
    return &f;
}

// A static body.
static inline pl_id add_floor(pl_world *w, const floor_mesh *f)
{
    pl_rigid_shape s = pl_default_rigid_shape();
    pl_rigid_def d = pl_default_rigid_def();
    pl_id id;
    s.kind = PL_RIGID_MESH, s.two_sided = true;
    s.vertices = f->x, s.vertex_count = f->vertices, s.triangles = f->t, s.triangle_count = f->triangles;
    d.type = PL_RIGID_STATIC, d.shapes = &s, d.shape_count = 1;
    d.position.y = -5e-4f; // half of its thickness
    good(pl_add_rigid(w, &d, &id));
    return id;
}

// A body of the size 0.2 m; *rest: the height of its centre above a floor.
static inline pl_id add_slider(pl_world *w, int kind, pl_vec3 at, pl_vec3 velocity, double angle)
{
    static float hull[24];
    for (int i = 0; i < 24; i++)
        hull[i] = i / 3 >> i % 3 & 1 ? 0.1f : -0.1f;
    pl_rigid_shape s = pl_default_rigid_shape();
    pl_rigid_def d = pl_default_rigid_def();
    pl_id id;
    s.kind = (pl_rigid_shape_kind)kind, s.radius = 0.1f, s.length = 0.2f, s.half = (pl_vec3){0.1f, 0.1f, 0.1f};
    s.vertices = hull, s.vertex_count = 8;
    if (kind == PL_RIGID_CAPSULE) // it lies
        s.rotation = (pl_quat){0.0f, 0.0f, 0.70710678f, 0.70710678f};
    d.shapes = &s, d.shape_count = 1, d.position = at, d.velocity = velocity;
    d.rotation = (pl_quat){0.0f, (float)sin(0.5 * angle), 0.0f, (float)cos(0.5 * angle)};
    good(pl_add_rigid(w, &d, &id));
    return id;
}

static inline void slippery(pl_world *w)
{
    pl_material m = pl_default_material();
    m.static_friction = m.kinetic_friction = m.restitution = 0.0f;
    good(pl_set_material(w, 0, &m));
}

#endif
