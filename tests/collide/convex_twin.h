// convex_twin.h: what the tests of convex shapes share: random shapes and poses, and a twin in double: the separation
// of two shapes is the maximum over all directions n of the gap between their extents along n. It is searched over many
// directions and refined; it knows nothing of faces and edges.
#pragma once
#include "collide.h"
#include "collide/manifold_convex.h"

enum
{
    TWIN_SHAPES = 8, // sphere, capsule, cylinder, box, hull, thin box, rounded box, small hull
    TWIN_STARTS = 400,
};

typedef struct test_shape
{
    convex c;
    void *bytes;
    size_t size;
} test_shape;

static inline test_shape draw_shape(memory *m, int form, float scale)
{
    test_shape s = {.bytes = NULL};
    float side[3]; // one after the other: the order in which arguments are evaluated is the compiler's
    for (int k = 0; k < 3; k++)
        side[k] = scale * uniform(0.2f, 1.0f);
    vec half = vec_of(side[0], side[1], side[2]);
    float radius = scale * uniform(0.1f, 0.6f);
    if (form == 0)
        s.c = convex_sphere(radius);
    else if (form == 1)
        s.c = convex_capsule(half.y, radius);
    else if (form == 2)
        s.c = convex_cylinder(half.y, radius);
    else if (form == 3)
        s.c = convex_box(half, 0.0f);
    else if (form == 5)
        s.c = convex_box(vec_of(half.x, 0.002f * half.x, half.z), 0.0f);
    else if (form == 6)
        s.c = convex_box(half, 0.2f * radius);
    else
    {
        float x[3 * 60];
        int count = form == 4 ? 60 : 6 + one_of(6);
        for (int i = 0; i < count; i++)
        {
            vec p = on_sphere();
            x[3 * i] = half.x * p.x, x[3 * i + 1] = half.y * p.y, x[3 * i + 2] = half.z * p.z;
        }
        good(polyhedron_build(m, "test", x, count, POLY_VERTICES, &s.bytes, &s.size));
        s.c = convex_hull(s.bytes, 0.0f);
    }
    return s;
}

static inline void drop_shape(memory *m, test_shape *s) { polyhedron_free(m, s->bytes, s->size); }

static inline mat3 random_turn(void)
{
    vec a = on_sphere();
    float w = uniform(-1.0f, 1.0f), len = sqrtf(square(a) + w * w);
    quat q = {times(1.0f / len, a), w / len};
    return mat_of_quat(q);
}

// ---- the twin ------------------------------------------------------------------------------------------------------

static inline dvec d_turn(const mat3 *m, dvec a)
{
    return d_add(d_add(d_times(a.x, d_of(m->c[0])), d_times(a.y, d_of(m->c[1]))), d_times(a.z, d_of(m->c[2])));
}

static inline dvec d_turn_back(const mat3 *m, dvec a)
{
    return (dvec){d_dot(d_of(m->c[0]), a), d_dot(d_of(m->c[1]), a), d_dot(d_of(m->c[2]), a)};
}

// The extent of a shape along d (unit).
static inline double d_extent(const convex *c, dvec d)
{
    dvec h = d_of(c->half);
    double best = -1e300;
    switch (c->kind)
    {
    case CONVEX_SPHERE:
        return (double)c->radius;
    case CONVEX_CAPSULE:
        return fabs(d.y) * h.y + (double)c->radius;
    case CONVEX_CYLINDER:
        return fabs(d.y) * h.y + (double)c->radius * sqrt(d.x * d.x + d.z * d.z);
    case CONVEX_BOX:
        return fabs(d.x) * h.x + fabs(d.y) * h.y + fabs(d.z) * h.z + (double)c->radius;
    default:
        for (int i = 0; i < c->hull.vertices; i++)
            best = fmax(best, d_dot(d, d_of(poly_vertex(&c->hull, i))));
        return best + (double)c->radius;
    }
}

static inline double twin_along(const convex *a, const convex *b, const pose *p, dvec n)
{
    return d_dot(n, d_of(p->at)) - d_extent(a, n) - d_extent(b, d_times(-1.0, d_turn_back(&p->rotation, n)));
}

// Climbs from n in ever smaller steps.
static inline double twin_climb(const convex *a, const convex *b, const pose *p, dvec *n)
{
    double best = twin_along(a, b, p, *n);
    for (double step = 0.15; step > 1e-9;)
    {
        dvec u = fabs(n->x) < 0.7 ? (dvec){1.0, 0.0, 0.0} : (dvec){0.0, 1.0, 0.0}, w;
        u = d_cross(*n, u);
        u = d_times(1.0 / d_length(u), u);
        w = d_cross(*n, u);
        int better = 0;
        for (int k = 0; k < 16; k++)
        {
            double angle = 6.283185307179586 * k / 16.0;
            dvec t = d_add(*n, d_times(step, d_add(d_times(cos(angle), u), d_times(sin(angle), w))));
            t = d_times(1.0 / d_length(t), t);
            double s = twin_along(a, b, p, t);
            if (s > best)
                best = s, *n = t, better = 1;
        }
        step = better ? step : 0.5 * step;
    }
    return best;
}

static inline double twin_separation(const convex *a, const convex *b, const pose *p, dvec *n)
{
    double best = -1e300, top[4] = {-1e300, -1e300, -1e300, -1e300};
    dvec way[4] = {{0.0, 1.0, 0.0}};
    for (int i = 0; i < TWIN_STARTS; i++)
    {
        double z = 1.0 - (2.0 * i + 1.0) / TWIN_STARTS, r = sqrt(1.0 - z * z), t = 2.399963229728653 * i;
        dvec d = {r * cos(t), z, r * sin(t)};
        double s = twin_along(a, b, p, d);
        int k = 3;
        if (s <= top[3])
            continue;
        for (; k > 0 && s > top[k - 1]; k--)
            top[k] = top[k - 1], way[k] = way[k - 1];
        top[k] = s, way[k] = d;
    }
    for (int k = 0; k < 4; k++)
    {
        dvec d = way[k];
        double s = twin_climb(a, b, p, &d);
        if (s > best)
            best = s, *n = d;
    }
    return best;
}
