// surface_manifold.h: where a triangle of a cloth or of the skin of a soft body touches a convex shape, as the triangle
// moves relative to it during a substep. Everything is in the frame of the shape.
//   normal      unit, from the shape to the triangle
//   foot        the point of the shape's surface
//   weight      of the corners: the point of the triangle
//   separation  n . (sum weight corner - foot) - thick, at the end of the way [m]
//   id          names the features that meet, as in manifolds (manifold.h)
// The points come from manifold_triangle.h: so the inner edges of a flat cloth do not count. A triangle has two sides; the
// middle of the shape decides which one touches. Corners of the triangle are left out: they are particles, and touch
// by themselves.
//
// Slow: the points at the end of the way. A way of more than half of the width is followed until the two touch
// (conservative advancement: no point of a triangle moves farther than its corners), with the planes that they have there.
#pragma once
#include "collide/ground_cast.h"

enum
{
    SURFACE_POINTS = 4,
    SURFACE_STEPS = 32, // at most, of an advancement
};

#define SURFACE_CORNER 0.999f // weight: nearer to a corner, the particle touches

typedef struct surface_point
{
    vec normal, foot;
    float weight[3];
    float separation;
    uint32_t id;
} surface_point;

typedef struct surface_points
{
    int count;
    surface_point point[SURFACE_POINTS];
} surface_points;

#if LANES == 1 && !defined(LANE_DOUBLE)

// The way of a triangle: corners at the start and at the end. `to` has its id, open edges, and neighbours at the end.
typedef struct surface_motion
{
    vec from[3];
    triangle to;
    float thick;    // half of the thickness
    float farthest; // m: the longest way of a corner
} surface_motion;

// Do all three corners lie over one flat side of the shape? Then the corners alone touch it.
PL_FN int surface_lies_flat(const convex *c, const vec *t)
{
    int flat[3] = {1, 1, 1}, up[3] = {0, 0, 0}, out[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++)
    {
        out[0] |= magnitude(t[i].x) > c->half.x;
        out[1] |= magnitude(t[i].y) > c->half.y;
        out[2] |= magnitude(t[i].z) > c->half.z;
        up[0] += t[i].x > 0.0f, up[1] += t[i].y > 0.0f, up[2] += t[i].z > 0.0f;
        flat[1] &= t[i].x * t[i].x + t[i].z * t[i].z <= c->radius * c->radius;
    }
    for (int a = 0; a < 3; a++)
        up[a] = up[a] == 0 || up[a] == 3;
    if (c->kind == CONVEX_CYLINDER)
        return flat[1] && up[1];
    return c->kind == CONVEX_BOX &&
           ((up[0] && !out[1] && !out[2]) || (up[1] && !out[2] && !out[0]) || (up[2] && !out[0] && !out[1]));
}

// The part of the way after which the triangle touches the shape; 1: it does not.
PL_CALL float surface_touch(const convex *c, const surface_motion *m, float width)
{
    const float fine = 1e-3f * (width + m->thick) + 1e-6f * m->farthest;
    const pose unit = pose_unit();
    float time = 0.0f;
    for (int i = 0; i < SURFACE_STEPS; i++)
    {
        vec t[3];
        float x[9];
        for (int k = 0; k < 3; k++)
            t[k] = blend(m->from[k], m->to.t[k], time);
        convex tri = convex_triangle(t, vec_of(0.0f, 0.0f, 0.0f), m->thick, x);
        float gap = gjk_distance(c, &tri, &unit).distance;
        if (gap <= fine)
            break;
        time = time + gap / m->farthest;
        if (time >= 1.0f)
            return 1.0f;
    }
    return time;
}

PL_FN int surface_side(const convex *c, const vec *t)
{
    return dot(cross(sub(t[1], t[0]), sub(t[2], t[0])), sub(c->middle, t[0])) < 0.0f;
}

// Places the triangle where its points are found.
PL_FN void surface_place(const convex *c, const surface_motion *m, triangle *at)
{
    float width = convex_width(c), time = 1.0f;
    *at = m->to;
    if (m->farthest > 0.5f * (width + m->thick))
        time = surface_touch(c, m, width);
    else if (surface_side(c, m->from) != surface_side(c, m->to.t))
        time = 0.0f;
    if (time >= 1.0f)
        return;
    for (int i = 0; i < 3; i++)
    {
        at->t[i] = blend(m->from[i], m->to.t[i], time);
        // The neighbour moves along with the edge.
        int k = i < 2 ? i + 1 : 0;
        vec back = times(0.5f * (1.0f - time), add(sub(m->from[i], m->to.t[i]), sub(m->from[k], m->to.t[k])));
        at->beyond[i] = add(m->to.beyond[i], back);
    }
}

// Adds a point of the shape's core, with the normal n into the triangle.
PL_FN void surface_put(const convex *c, const surface_motion *m, const triangle *at, vec n, vec x, float separation,
                       uint32_t id, surface_points *out)
{
    float round = convex_round(c);
    vec on = add(x, times(round + separation + m->thick, n));
    closest w = point_triangle(on, at->t[0], at->t[1], at->t[2]);
    if (most(most(w.weight[0], w.weight[1]), w.weight[2]) > SURFACE_CORNER || out->count == SURFACE_POINTS)
        return;
    surface_point *p = &out->point[out->count++];
    p->normal = n;
    p->foot = add(x, times(round, n));
    vec end = vec_of(0.0f, 0.0f, 0.0f);
    for (int i = 0; i < 3; i++)
    {
        p->weight[i] = w.weight[i];
        end = add(end, times(w.weight[i], sub(m->to.t[i], p->foot)));
    }
    p->separation = dot(n, end) - m->thick;
    p->id = id;
}

// Finds the points that may touch during the substep: those up to `margin` apart.
PL_CALL void surface_manifold(const convex *c, const surface_motion *m, float margin, surface_points *out)
{
    triangle at;
    ground g;
    solid_arrays arrays;
    polyhedron hull;
    triangle_job j;
    vec third = times(1.0f / 3.0f, add(m->to.t[0], add(m->to.t[1], m->to.t[2])));
    float size = most(most(length(sub(m->to.t[0], third)), length(sub(m->to.t[1], third))),
                      length(sub(m->to.t[2], third))),
          width = convex_width(c);
    out->count = 0;
    if (length(third) - size > c->reach + margin + m->thick + m->farthest)
        return;
    surface_place(c, m, &at);
    if (surface_lies_flat(c, at.t))
        return;
    j.shape = c;
    j.hull = (const polyhedron *)0;
    if (c->kind >= CONVEX_CYLINDER)
    {
        hull = polyhedron_for(c, sub(third, c->middle), &arrays);
        j.hull = &hull;
    }
    j.middle = c->middle;
    j.round = convex_round(c), j.thick = m->thick;
    j.margin = margin;
    j.slop = least(SLOP_FACE, SLOP_SHARE * width);
    j.slop_edge = least(SLOP_EDGE, 5.0f * SLOP_SHARE * width);
    j.to = &g;
    g.count = 0;
    manifold_triangle(&j, &at);
    for (int k = 0; k < g.count; k++)
    {
        int chosen[MANIFOLD_POINTS];
        contact_sort(&g.set[k]);
        int left = choose_points(&g.set[k], g.normal[k], j.slop, chosen);
        for (int i = 0; i < left; i++)
            surface_put(c, m, &at, g.normal[k], g.set[k].at[chosen[i]], g.set[k].separation[chosen[i]],
                        g.set[k].id[chosen[i]], out);
    }
}

#endif
