// convex.h: the convex shapes of bodies: sphere, capsule, cylinder, box, hull, triangle; their support points and the
// distance of a point.
//
// Each is a core (point, segment, cylinder, polyhedron) grown by `radius`. Axes are y. A cylinder is a true one: rolled
// as a prism it would bump at every edge. The search for its contact normal still uses a prism, turned so that one of
// its sides is tangent where the shapes meet (manifold_cylinder.h); there both agree.
#pragma once
#include "collide/manifold.h"
#include "collide/simplex.h"

enum convex_kind
{
    CONVEX_SPHERE,
    CONVEX_CAPSULE,
    CONVEX_CYLINDER,
    CONVEX_BOX,
    CONVEX_HULL,
};

typedef struct convex
{
    int32_t kind;
    float radius;    // of the sphere, capsule or cylinder; of boxes and hulls: their rounding
    vec half;        // half sides of a box; y: half the length of the axis of a capsule (between centres) or cylinder
    polyhedron hull; // of a hull: its arrays
    float width;     // of a hull: its smallest half width (poly_block.inner)
    vec middle;      // a point inside, in the shape's frame
    float reach;     // no point is farther from the shape's origin
} convex;

#if LANES == 1 && !defined(LANE_DOUBLE)

PL_FN convex convex_of(int kind, vec half, float radius)
{
    convex c;
    c.kind = kind;
    c.radius = radius;
    c.half = half;
    c.hull.vertices = c.hull.faces = c.hull.edges = 0;
    c.width = 0.0f;
    c.middle = vec_of(0.0f, 0.0f, 0.0f);
    // A cylinder's own radius is half.x: the corner of its outline.
    c.reach =
        kind == CONVEX_CYLINDER ? 1.000001f * length(vec_of(half.x, half.y, 0.0f)) : 1.000001f * length(half) + radius;
    return c;
}

PL_FN convex convex_sphere(float radius) { return convex_of(CONVEX_SPHERE, vec_of(0.0f, 0.0f, 0.0f), radius); }
PL_FN convex convex_capsule(float half_length, float radius)
{
    return convex_of(CONVEX_CAPSULE, vec_of(0.0f, half_length, 0.0f), radius);
}
PL_FN convex convex_cylinder(float half_length, float radius)
{
    return convex_of(CONVEX_CYLINDER, vec_of(radius, half_length, radius), radius);
}
PL_FN convex convex_box(vec half, float radius) { return convex_of(CONVEX_BOX, half, radius); }
// bytes: from polyhedron_build.
PL_FN convex convex_hull(const void *bytes, float radius)
{
    convex c = convex_of(CONVEX_HULL, vec_of(0.0f, 0.0f, 0.0f), radius);
    c.hull = polyhedron_of(bytes);
    const poly_block *b = (const poly_block *)bytes;
    c.width = b->inner;
    c.middle = vec_of(b->centre[0], b->centre[1], b->centre[2]);
    c.reach = b->reach + radius;
    return c;
}

// The radius that is added to the core: a cylinder's own is part of its core.
PL_FN float convex_round(const convex *c) { return c->kind == CONVEX_CYLINDER ? 0.0f : c->radius; }

PL_FN float convex_width(const convex *c)
{
    switch (c->kind)
    {
    case CONVEX_SPHERE:
    case CONVEX_CAPSULE:
        return c->radius;
    case CONVEX_CYLINDER:
        return least(c->radius, c->half.y);
    case CONVEX_BOX:
        return least(least(c->half.x, c->half.y), c->half.z) + c->radius;
    default:
        return c->width + c->radius;
    }
}

// The point of the core farthest along d.
PL_FN vec convex_support(const convex *c, vec d)
{
    float none, y = d.y < 0.0f ? -c->half.y : c->half.y;
    if (c->kind == CONVEX_SPHERE)
        return vec_of(0.0f, 0.0f, 0.0f);
    if (c->kind == CONVEX_CAPSULE)
        return vec_of(0.0f, y, 0.0f);
    if (c->kind == CONVEX_BOX)
        return vec_of(d.x < 0.0f ? -c->half.x : c->half.x, y, d.z < 0.0f ? -c->half.z : c->half.z);
    if (c->kind == CONVEX_HULL)
        return poly_vertex(&c->hull, poly_support(&c->hull, d, &none));
    vec flat = direction(vec_of(d.x, 0.0f, d.z), vec_of(0.0f, 0.0f, 0.0f), &none);
    return vec_of(c->radius * flat.x, y, c->radius * flat.z);
}

// No point of the shape is farther from its origin.
PL_FN float convex_reach(const convex *c) { return c->reach; }

// The box around a shape, its rounding included, in another frame; p: the pose of the shape there.
PL_FN void convex_box_around(const convex *c, const pose *p, vec *low, vec *high)
{
    const mat3 back = mat_transpose(&p->rotation);
    float r = convex_round(c), l[3], h[3];
    for (int k = 0; k < 3; k++)
    {
        vec d = back.c[k];
        h[k] = dot(d, convex_support(c, d)) + r;
        l[k] = dot(d, convex_support(c, negative(d))) - r;
    }
    *low = add(p->at, vec_of(l[0], l[1], l[2]));
    *high = add(p->at, vec_of(h[0], h[1], h[2]));
}

// ---- the signed distance of a point --------------------------------------------------------------------------------

// Is x over face f, within its sides?
PL_FN int over_face(const polyhedron *h, int f, vec x)
{
    vec n = poly_normal(h, f);
    int first = h->first[f], end = h->first[f + 1];
    for (int i = first; i < end; i++)
    {
        vec a = poly_vertex(h, h->loop[i]), b = poly_vertex(h, h->loop[i + 1 < end ? i + 1 : first]);
        if (dot(cross(sub(b, a), n), sub(x, a)) > 0.0f)
            return 0;
    }
    return 1;
}

PL_CALL surface_distance probe_poly(const polyhedron *h, vec x)
{
    int deepest = 0;
    float deep = -1e30f;
    for (int f = 0; f < h->faces; f++)
    {
        float d = dot(poly_normal(h, f), x) - h->plane[4 * f + 3];
        if (d > deep)
        {
            deep = d;
            deepest = f;
        }
    }
    surface_distance s = {deep, poly_normal(h, deepest)};
    // Over a face, its plane tells more exactly than the triangles of a large face.
    if (deep <= 0.0f || over_face(h, deepest, x))
        return s;
    closest best;
    best.square = 0x1p126f;
    best.between = s.normal;
    float rounding = 0x1p-20f * reach_of(x);
    for (int f = 0; f < h->faces; f++)
    {
        if (dot(poly_normal(h, f), x) - h->plane[4 * f + 3] < -rounding)
            continue;
        vec o = poly_vertex(h, h->loop[h->first[f]]);
        for (int i = h->first[f] + 1; i + 1 < h->first[f + 1]; i++)
        {
            closest now = point_triangle(x, o, poly_vertex(h, h->loop[i]), poly_vertex(h, h->loop[i + 1]));
            if (now.square < best.square)
                best = now;
        }
    }
    float len;
    vec n = direction(best.between, s.normal, &len);
    s.distance = len;
    s.normal = len <= 0x1p-22f * reach_of(x) ? s.normal : n;
    return s;
}

// In the half plane of (distance from the axis, y) a cylinder is a rectangle.
PL_FN surface_distance probe_cylinder(vec x, float half, float radius)
{
    float far, len;
    vec out = direction(vec_of(x.x, 0.0f, x.z), vec_of(1.0f, 0.0f, 0.0f), &far);
    float side = far - radius, end = magnitude(x.y) - half, up = x.y < 0.0f ? -1.0f : 1.0f;
    if (side > 0.0f && end > 0.0f)
    {
        vec d = add(times(side, out), vec_of(0.0f, up * end, 0.0f));
        surface_distance corner;
        corner.normal = direction(d, out, &len);
        corner.distance = len;
        return corner;
    }
    surface_distance s = {most(side, end), side > end ? out : vec_of(0.0f, up, 0.0f)};
    return s;
}

PL_FN surface_distance convex_probe(const convex *c, vec x)
{
    vec zero = vec_of(0.0f, 0.0f, 0.0f), up = vec_of(0.0f, c->half.y, 0.0f);
    switch (c->kind)
    {
    case CONVEX_SPHERE:
        return probe_sphere(x, zero, c->radius);
    case CONVEX_CAPSULE:
        return probe_capsule(x, negative(up), up, c->radius);
    case CONVEX_CYLINDER:
        return probe_cylinder(x, c->half.y, c->radius);
    case CONVEX_BOX:
        return probe_box(x, c->half, c->radius);
    default:
    {
        surface_distance s = probe_poly(&c->hull, x);
        s.distance = s.distance - c->radius;
        return s;
    }
    }
}

#endif
