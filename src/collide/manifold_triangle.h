// manifold_triangle.h: contacts of a convex shape with one triangle of a surface.
//
// Ghost contacts: a shape that slides over a surface must not be caught by the edges between its triangles. A normal
// that belongs to an edge or a corner is valid only if it lies between the normals of the triangles that meet there: it
// must not point into a neighbour (its farthest vertex lies in front), the edge must be convex, and a corner needs a
// convex edge. Otherwise the normal of the triangle is taken; or, if it looks more like that of a neighbour, nothing:
// the neighbour has the contact.
// One-sided: the front is where the triangle appears anticlockwise; a shape whose middle is behind has no contact.
#pragma once
#include "collide/facets.h"
#include "collide/manifold_plane.h"

#define EDGE_FLAT 0.025f // sine (1.4 degrees): an edge whose triangles differ by less counts as flat

#if LANES == 1 && !defined(LANE_DOUBLE)

// In A's frame. beyond[i]: the farthest vertex of the triangle across the edge from t[i] to t[i + 1]; open[i]: there is
// none.
typedef struct triangle
{
    vec t[3], beyond[3];
    int open[3];
    int32_t id;
    int two_sided;
} triangle;

typedef struct triangle_job
{
    const convex *shape;
    const polyhedron *hull; // of the core; NULL for spheres and capsules
    vec middle;             // of the shape
    float round, thick;     // of the shape, of the surface
    float margin, slop, slop_edge;
    ground *to;
} triangle_job;

PL_FN uint32_t triangle_point_id(const triangle *t, uint32_t low)
{
    uint32_t x =
        (uint32_t)t->id * 0x9e3779b9u ^ low * 0x85ebca6bu; // two features of one triangle never have one number
    x ^= x >> 15;
    return id_of(8u | x >> 29, x & 0x0fffffffu);
}

// The unit normal of the triangle across edge i, of the same orientation.
PL_FN vec neighbour_normal(const triangle *t, int i, vec n)
{
    float len;
    int k = i < 2 ? i + 1 : 0;
    return direction(cross(sub(t->t[i], t->t[k]), sub(t->beyond[i], t->t[k])), n, &len);
}

// -1: concave or flat, 0: open, 1: convex.
PL_FN int edge_sort(const triangle *t, int i, vec n)
{
    if (t->open[i])
        return 0;
    float len;
    vec away = direction(sub(t->beyond[i], t->t[i]), n, &len);
    vec other = neighbour_normal(t, i, n);
    vec rotated = cross(n, other);
    return dot(away, n) < 0.0f && square(rotated) > EDGE_FLAT * EDGE_FLAT ? 1 : -1;
}

// Does m (from the surface to the shape) point away from what lies across edge i?
PL_FN int edge_lets(const triangle *t, int i, vec m)
{
    float len;
    if (t->open[i])
        return 1;
    return dot(direction(sub(t->beyond[i], t->t[i]), m, &len), m) <= EDGE_FLAT;
}

enum normal_verdict
{
    NORMAL_VALID,
    NORMAL_FACE,    // take that of the triangle
    NORMAL_NOTHING, // the neighbour has the contact
};

// m: unit, from the triangle to the shape; n: the triangle's normal on the side of the shape.
PL_FN int normal_verdict(const triangle *t, vec m, vec n, float size)
{
    int far[3], count = 0, valid = 1, convex_edges = 0, inner = 0;
    float highest = most(most(dot(m, t->t[0]), dot(m, t->t[1])), dot(m, t->t[2]));
    if (dot(m, n) > 0.99999f)
        return NORMAL_FACE;
    for (int i = 0; i < 3; i++)
        count += far[i] = dot(m, t->t[i]) > highest - 0.001f * size;
    for (int i = 0; i < 3; i++)
    {
        int k = i < 2 ? i + 1 : 0, touches = count == 2 ? far[i] && far[k] : far[i] || far[k];
        if (!touches)
            continue;
        int sort = edge_sort(t, i, n);
        valid &= edge_lets(t, i, m);
        convex_edges += sort >= 0;
        inner |= sort < 0;
    }
    if (valid && (count == 2 ? !inner : convex_edges > 0) && count < 3)
        return NORMAL_VALID;
    for (int i = 0; i < 3; i++)
        if (!t->open[i] && edge_sort(t, i, n) > 0 && dot(neighbour_normal(t, i, n), m) > dot(n, m) + 0.01f)
            return NORMAL_NOTHING;
    return NORMAL_FACE;
}

// ---- spheres and capsules ------------------------------------------------------------------------------------------

// A point of a core against the triangle. Behind a one-sided triangle it is as deep as its distance from the plane.
PL_FN void triangle_sphere(const triangle_job *j, const triangle *t, vec n, vec x, uint32_t id)
{
    closest c = point_triangle(x, t->t[0], t->t[1], t->t[2]);
    float len, size = length(sub(t->t[1], t->t[0])) + length(sub(t->t[2], t->t[0])), up = dot(n, sub(x, t->t[0]));
    vec m = direction(c.between, n, &len);
    int over = c.weight[0] > 0.0f && c.weight[1] > 0.0f && c.weight[2] > 0.0f;
    float both = j->round + j->thick;
    if (over || len <= 0x1p-20f * size)
    {
        if (up - both <= j->margin && (t->two_sided || up > -j->round))
            ground_add(j->to, negative(n), x, up - both, id, j->slop);
        return;
    }
    if (len - both > j->margin || up <= -j->round)
        return;
    // Over an edge that is (nearly) flat the triangle itself is met; elsewhere beside it, only a valid direction
    // counts.
    if (dot(m, n) > 0.999f)
        ground_add(j->to, negative(n), x, len - both, id, j->slop);
    else if (normal_verdict(t, m, n, size) == NORMAL_VALID)
        ground_add(j->to, negative(m), x, len - both, id, j->slop);
}

// The axis of a capsule: its ends, and where it crosses an edge.
PL_CALL void triangle_capsule(const triangle_job *j, const triangle *t, vec n)
{
    vec up = vec_of(0.0f, j->shape->half.y, 0.0f);
    float both = j->round + j->thick, size = length(sub(t->t[1], t->t[0])) + length(sub(t->t[2], t->t[0]));
    triangle_sphere(j, t, n, negative(up), id_of(FEATURE_VERTEX_A, 0));
    triangle_sphere(j, t, n, up, id_of(FEATURE_VERTEX_A, 1));
    for (int i = 0; i < 3; i++)
    {
        int k = i < 2 ? i + 1 : 0;
        closest c = edge_edge(negative(up), up, t->t[i], t->t[k]);
        if (c.weight[0] == 0.0f || c.weight[1] == 0.0f)
            continue;
        float len;
        vec m = direction(c.between, n, &len), x = vec_of(0.0f, (c.weight[1] - c.weight[0]) * up.y, 0.0f);
        // An axis that has passed through the surface is above it on one side of the edge only: the edge pushes it up.
        if (dot(m, n) < 0.0f && dot(n, sub(x, t->t[i])) < 0.0f)
            continue;
        if (len - both <= j->margin && normal_verdict(t, m, n, size) == NORMAL_VALID)
            ground_add(j->to, negative(m), x, len - both, triangle_point_id(t, (uint32_t)i + 1u), j->slop);
    }
}

// ---- polyhedra -----------------------------------------------------------------------------------------------------

// The separation of the triangle from the core along m (from the triangle to the shape).
PL_FN float triangle_separation(const polyhedron *h, const triangle *t, vec m)
{
    float height;
    poly_support(h, negative(m), &height);
    return -height - most(most(dot(m, t->t[0]), dot(m, t->t[1])), dot(m, t->t[2]));
}

typedef struct triangle_axis
{
    float separation;
    vec m;
} triangle_axis;

// The best axis other than the triangle's normal: a face of the polyhedron, or a pair of edges.
PL_FN triangle_axis triangle_best(const polyhedron *h, const triangle *t, vec n, float margin)
{
    triangle_axis best = {-SAT_APART, n};
    for (int f = 0; f < h->faces; f++)
    {
        vec m = negative(poly_normal(h, f));
        float s = -h->plane[4 * f + 3] - most(most(dot(m, t->t[0]), dot(m, t->t[1])), dot(m, t->t[2]));
        if (s > best.separation)
        {
            best.separation = s;
            best.m = m;
        }
    }
    for (int i = 0; i < 3 && best.separation <= margin; i++)
    {
        vec along = sub(t->t[i < 2 ? i + 1 : 0], t->t[i]);
        for (int e = 0; e < h->edges; e++)
        {
            const uint8_t *k = h->edge + 4 * e;
            vec n0 = poly_normal(h, k[2]), n1 = poly_normal(h, k[3]), from = poly_vertex(h, k[0]);
            if (dot(n0, along) * dot(n1, along) >= 0.0f) // the arc of the edge does not cross the plane across `along`
                continue;
            float len;
            vec m = cross(sub(poly_vertex(h, k[1]), from), along);
            if (square(m) < EDGES_PARALLEL * square(along) * square(sub(poly_vertex(h, k[1]), from)))
                continue;
            m = direction(m, n, &len);
            m = dot(m, add(n0, n1)) > 0.0f ? negative(m) : m;
            float s = dot(m, from) - most(most(dot(m, t->t[0]), dot(m, t->t[1])), dot(m, t->t[2]));
            if (s > best.separation)
            {
                best.separation = s;
                best.m = m;
            }
        }
    }
    return best;
}

// Adds the vertices of the polyhedron that are under the margin and over the triangle: the deepest one need not belong
// to the face that is clipped.
PL_FN void triangle_vertices(const triangle_job *j, const triangle *t, vec n)
{
    for (int i = 0; i < j->hull->vertices; i++)
    {
        vec x = poly_vertex(j->hull, i), from = sub(x, t->t[0]);
        float s = dot(n, from) - (j->round + j->thick);
        int inside = s <= j->margin;
        for (int e = 0; e < 3 && inside; e++)
        {
            vec along = sub(t->t[e < 2 ? e + 1 : 0], t->t[e]), out = cross(along, n);
            float over = dot(out, sub(x, t->t[e]));
            inside = over <= 0.0f || over * over <= j->slop * j->slop * square(out);
        }
        if (inside)
            ground_add(j->to, negative(n), x, s, id_of(FEATURE_VERTEX_A, (uint32_t)i), j->slop);
    }
}

// Clips what the shape shows against the triangle, and adds the points; m: from the triangle to the shape.
PL_CALL void triangle_face_points(const triangle_job *j, const triangle *t, vec m)
{
    polygon reference, incident;
    clip_vertex v[CLIP_ROOM];
    vec n = m;
    int flip = dot(cross(sub(t->t[1], t->t[0]), sub(t->t[2], t->t[0])), n) < 0.0f;
    reference.count = 3;
    for (int i = 0; i < 3; i++)
    {
        reference.at[i] = t->t[flip ? 2 - i : i];
        reference.number[i] = (uint8_t)(flip ? 2 - i : i);
    }
    shown_polygon(j->shape, negative(m), 0, &incident);
    int count = clip_polygon(&reference, n, &incident, j->slop, v);
    for (int i = 0; i < count; i++)
    {
        float s = dot(n, sub(v[i].at, t->t[0])) - (j->round + j->thick);
        uint32_t id = clip_id(&reference, &incident, v, count, i, 0);
        if (s <= j->margin)
            ground_add(j->to, negative(m), v[i].at, s, id >> 28 == FEATURE_VERTEX_A ? id : triangle_point_id(t, id),
                       j->slop);
    }
}

// A valid normal of an edge or a corner of the triangle: the nearest point of the shape's core to that feature.
PL_CALL void triangle_edge_points(const triangle_job *j, const triangle *t, vec m, float size)
{
    float highest = most(most(dot(m, t->t[0]), dot(m, t->t[1])), dot(m, t->t[2]));
    polygon reference, incident;
    incident.count = 0;
    for (int i = 0; i < 3; i++)
        if (dot(m, t->t[i]) > highest - 0.001f * size && incident.count < 2)
        {
            incident.at[incident.count] = t->t[i];
            incident.number[incident.count++] = (uint8_t)i;
        }
    vec face = shown_polygon(j->shape, negative(m), 1, &reference);
    // Of the true shape: a cylinder lies within the prism that gave the axis.
    float gap = (dot(m, convex_support(j->shape, negative(m))) - highest) - (j->round + j->thick);
    if (gap > j->margin)
        return;
    if (reference.count >= 3 && dot(face, negative(m)) > 0.9999f)
    {
        clip_vertex v[CLIP_ROOM];
        int count = clip_polygon(&reference, face, &incident, j->slop, v);
        for (int i = 0; i < count; i++)
        {
            float s = dot(face, sub(v[i].at, reference.at[0]));
            ground_add(j->to, negative(m), sub(v[i].at, times(s, face)), s - (j->round + j->thick),
                       triangle_point_id(t, clip_id(&reference, &incident, v, count, i, 1)), j->slop);
        }
        if (count)
            return;
    }
    // Edge against edge, or a corner: one point.
    int e = foremost_edge(&reference, negative(m));
    vec a0 = reference.at[e], a1 = reference.at[e + 1 < reference.count ? e + 1 : 0];
    closest c = edge_edge(a0, a1, incident.at[0], incident.at[incident.count - 1]);
    vec at = add(times(c.weight[0], a0), times(c.weight[1], a1));
    ground_add(j->to, negative(m), at, gap, triangle_point_id(t, 64u + incident.number[0]), j->slop);
}

PL_CALL void triangle_poly(const triangle_job *j, const triangle *t, vec n)
{
    float both = j->round + j->thick, size = length(sub(t->t[1], t->t[0])) + length(sub(t->t[2], t->t[0]));
    float s = triangle_separation(j->hull, t, n);
    if (s - both > j->margin)
        return;
    triangle_axis best = triangle_best(j->hull, t, n, j->margin + both);
    if (best.separation - both > j->margin)
        return;
    if (best.separation > s + j->slop_edge)
    {
        int verdict = normal_verdict(t, best.m, n, size);
        if (verdict == NORMAL_NOTHING)
            return;
        if (verdict == NORMAL_VALID)
        {
            triangle_edge_points(j, t, best.m, size);
            return;
        }
    }
    if (j->shape->kind != CONVEX_CYLINDER)
        triangle_vertices(j, t, n);
    triangle_face_points(j, t, n);
}

// The triangle as seen from `from`, and its normal on that side: 1 from the front, 0 from behind, -1 without area.
PL_FN int triangle_seen(const triangle *t, vec from, triangle *side, vec *n)
{
    float len;
    *n = direction(cross(sub(t->t[1], t->t[0]), sub(t->t[2], t->t[0])), vec_of(0.0f, 0.0f, 0.0f), &len);
    *side = *t;
    if (!(len > 0.0f))
        return -1;
    if (!(dot(*n, sub(from, t->t[0])) < 0.0f))
        return 1;
    *n = negative(*n);
    for (int i = 0; i < 3; i++)
    {
        int corner = i == 0 ? 0 : i == 1 ? 2 : 1, edge = i == 0 ? 2 : i == 1 ? 1 : 0;
        side->t[i] = t->t[corner];
        side->beyond[i] = t->beyond[edge];
        side->open[i] = t->open[edge];
    }
    return 0;
}

// Adds the contacts of the shape of the job with a triangle.
PL_CALL void manifold_triangle(const triangle_job *j, const triangle *t)
{
    triangle side;
    vec n;
    int front = triangle_seen(t, j->middle, &side, &n);
    if (front < 0 || (front == 0 && !t->two_sided))
        return;
    if (j->shape->kind == CONVEX_SPHERE)
        triangle_sphere(j, &side, n, vec_of(0.0f, 0.0f, 0.0f), id_of(FEATURE_ROUND, 1));
    else if (j->shape->kind == CONVEX_CAPSULE)
        triangle_capsule(j, &side, n);
    else
        triangle_poly(j, &side, n);
}

#endif
