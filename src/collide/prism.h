// prism.h: a prism around a cylinder, for the search of its contact normals (manifold_cylinder.h), and the polyhedron for
// the core of any shape that has one.
#pragma once
#include "collide/convex.h"

enum
{
    PRISM_SIDES = 12,
};

#if LANES == 1 && !defined(LANE_DOUBLE)

typedef struct prism_arrays
{
    float vertex[6 * PRISM_SIDES], plane[4 * (PRISM_SIDES + 2)];
    uint16_t first[PRISM_SIDES + 3];
    uint8_t loop[6 * PRISM_SIDES], edge[12 * PRISM_SIDES];
} prism_arrays;

// The direction across the axis, (x, z), in which a cylinder is met along d; `fallback` along the axis.
PL_FN vec side_direction(vec d, vec fallback)
{
    float len;
    return direction(vec_of(d.x, 0.0f, d.z), fallback, &len);
}

PL_FN vec turned_about_y(vec a, float c, float s) { return vec_of(c * a.x - s * a.z, 0.0f, s * a.x + c * a.z); }

PL_FN void prism_edge(prism_arrays *s, int at, int from, int to, int left, int right)
{
    uint8_t *e = s->edge + 4 * at;
    int swap = from > to;
    e[0] = (uint8_t)(swap ? to : from);
    e[1] = (uint8_t)(swap ? from : to);
    e[2] = (uint8_t)(swap ? right : left);
    e[3] = (uint8_t)(swap ? left : right);
}

// Vertices 2 k (below) and 2 k + 1 stand between the sides k and k + 1; faces PRISM_SIDES (below) and + 1 are the caps.
PL_FN polyhedron prism_of(const convex *c, vec facing, prism_arrays *s)
{
    const float C = 0.8660254f, S = 0.5f, c2 = 0.9659258f, s2 = 0.2588190f; // of 30 and of 15 degrees
    float big = c->radius / c2, h = c->half.y;
    const int n = PRISM_SIDES, low = PRISM_SIDES, high = PRISM_SIDES + 1;
    vec normal = facing;
    for (int k = 0; k < n; k++)
    {
        int before = k > 0 ? k - 1 : n - 1, after = k + 1 < n ? k + 1 : 0;
        vec corner = times(big, turned_about_y(normal, c2, s2));
        for (int i = 0; i < 2; i++)
        {
            s->vertex[6 * k + 3 * i] = corner.x;
            s->vertex[6 * k + 3 * i + 1] = i ? h : -h;
            s->vertex[6 * k + 3 * i + 2] = corner.z;
        }
        s->plane[4 * k] = normal.x, s->plane[4 * k + 1] = 0.0f, s->plane[4 * k + 2] = normal.z;
        s->plane[4 * k + 3] = c->radius;
        s->first[k] = (uint16_t)(4 * k);
        s->loop[4 * k] = (uint8_t)(2 * before), s->loop[4 * k + 1] = (uint8_t)(2 * before + 1);
        s->loop[4 * k + 2] = (uint8_t)(2 * k + 1), s->loop[4 * k + 3] = (uint8_t)(2 * k);
        s->loop[4 * n + k] = (uint8_t)(2 * k);
        s->loop[5 * n + k] = (uint8_t)(2 * (n - 1 - k) + 1);
        prism_edge(s, 3 * k, 2 * k, 2 * k + 1, after, k);
        prism_edge(s, 3 * k + 1, 2 * before, 2 * k, low, k);
        prism_edge(s, 3 * k + 2, 2 * before + 1, 2 * k + 1, k, high);
        normal = turned_about_y(normal, C, S);
    }
    for (int i = 0; i < 2; i++)
    {
        float *plane = s->plane + 4 * (n + i);
        plane[0] = plane[2] = 0.0f;
        plane[1] = i ? 1.0f : -1.0f;
        plane[3] = h;
        s->first[n + i] = (uint16_t)((4 + i) * n);
    }
    s->first[n + 2] = (uint16_t)(6 * n);
    polyhedron p = {s->vertex, s->plane, s->first, s->loop, s->edge, 2 * n, n + 2, 3 * n};
    return p;
}

// The arrays of either sort of polyhedron that has none in memory.
typedef union solid_arrays
{
    box_arrays box;
    prism_arrays prism;
} solid_arrays;

// A polyhedron for the core of a shape; d: where it is met, in its own frame.
PL_CALL polyhedron polyhedron_for(const convex *c, vec d, solid_arrays *s)
{
    if (c->kind == CONVEX_CYLINDER)
        return prism_of(c, side_direction(d, vec_of(1.0f, 0.0f, 0.0f)), &s->prism);
    return c->kind == CONVEX_BOX ? polyhedron_of_box(c->half, &s->box) : c->hull;
}

#endif
