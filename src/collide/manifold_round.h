// manifold_round.h: manifolds of spheres and capsules with each other and with polyhedra.
//   sphere           one point, along the distance of its centre from the other shape
//   two capsules     along the nearest points of their axes; two points where the axes are nearly parallel
//   capsule, poly    separating axes of the segment and the polyhedron; apart, the nearest points; two points on a face
#pragma once
#include "collide/convex.h"
#include "collide/manifold_poly.h"

#define AXES_PARALLEL 0.01f // squared sine: below, two capsules touch at two points
#define FACE_ALONG 0.15f    // sine: a capsule steeper than this over a face touches it at one point

#if LANES == 1 && !defined(LANE_DOUBLE)

// B is a sphere.
PL_CALL void manifold_sphere(const convex *a, const convex *b, const pose *p, float margin, manifold *m)
{
    m->count = 0;
    m->axis = 0;
    surface_distance s = convex_probe(a, p->at);
    float separation = s.distance - b->radius;
    if (!(separation <= margin))
        return;
    m->normal = s.normal;
    manifold_add(m, p, sub(p->at, times(s.distance, s.normal)), sub(p->at, times(b->radius, s.normal)), separation,
                 id_of(FEATURE_ROUND, 1));
}

// ---- segments ------------------------------------------------------------------------------------------------------

// The part of the segment b0 b1 beside the segment a0 a1, as positions 0 to 1 on b; returns 0 if there is none.
PL_FN int segment_beside(vec a0, vec a1, vec b0, vec b1, float *from, float *to)
{
    vec u = sub(a1, a0), w = sub(b1, b0);
    float uu = square(u), wu = dot(w, u), start = dot(sub(b0, a0), u);
    if (!(magnitude(wu) > 0.0f))
        return 0;
    float s = (0.0f - start) / wu, t = (uu - start) / wu;
    *from = clamp(least(s, t), 0.0f, 1.0f);
    *to = clamp(most(s, t), 0.0f, 1.0f);
    return *from < *to;
}

// Points of two segments with radii, along the normal n: two where they are nearly parallel, else the nearest ones.
PL_CALL void segment_points(vec a0, vec a1, vec b0, vec b1, const closest *c, const float *round, float margin,
                            const pose *p, manifold *m)
{
    vec u = sub(a1, a0), w = sub(b1, b0), n = m->normal;
    float along[2];
    if (square(cross(u, w)) < AXES_PARALLEL * square(u) * square(w) && segment_beside(a0, a1, b0, b1, along, along + 1))
    {
        int flip = dot(u, w) < 0.0f; // numbered along A, so that an id does not depend on how B lies
        for (int k = 0; k < 2; k++)
        {
            vec on_b = blend(b0, b1, along[flip ? 1 - k : k]), on_a = blend(a0, a1, parameter_on(on_b, a0, a1));
            vec middle = times(0.5f, add(on_a, on_b));
            float la = dot(n, sub(on_a, middle)), lb = dot(n, sub(on_b, middle)), s = (lb - la) - (round[0] + round[1]);
            if (s <= margin)
                manifold_add(m, p, add(middle, times(la + round[0], n)), add(middle, times(lb - round[1], n)), s,
                             id_of(FEATURE_ROUND, (uint32_t)(2 + k)));
        }
        if (m->count)
            return;
    }
    vec on_a = add(times(c->weight[0], a0), times(c->weight[1], a1)),
        on_b = add(times(c->weight[2], b0), times(c->weight[3], b1));
    float s = dot(n, sub(on_b, on_a)) - (round[0] + round[1]);
    if (s <= margin)
        manifold_add(m, p, add(on_a, times(round[0], n)), sub(on_b, times(round[1], n)), s, id_of(FEATURE_ROUND, 1));
}

PL_CALL void manifold_capsules(const convex *a, const convex *b, const pose *p, float margin, manifold *m)
{
    vec a1 = vec_of(0.0f, a->half.y, 0.0f), a0 = negative(a1), up = times(b->half.y, p->rotation.c[1]),
        b0 = sub(p->at, up), b1 = add(p->at, up);
    const float round[2] = {a->radius, b->radius};
    closest c = edge_edge(a0, a1, b0, b1);
    m->count = 0;
    m->axis = 0;
    float len, unused;
    // Axes that cross: out by the common perpendicular, or by any where they are parallel, as is nearer to the centre.
    vec aside = direction(cross(sub(a1, a0), sub(b1, b0)), across(sub(a1, a0)), &unused);
    aside = dot(aside, p->at) < 0.0f ? negative(aside) : aside;
    m->normal = direction(negative(c.between), aside, &len);
    if (len <= 0x1p-20f * (reach_of(a1) + reach_of(b0) + reach_of(b1)))
        m->normal = aside;
    if (len - (round[0] + round[1]) > margin)
        return;
    segment_points(a0, a1, b0, b1, &c, round, margin, p, m);
}

// ---- capsules and polyhedra ----------------------------------------------------------------------------------------

typedef struct segment_axis
{
    float separation; // of the segment and the polyhedron, without radii; a distance where they are apart
    vec normal;       // from the polyhedron to the segment, in its frame
    int face;         // the best face
    float face_separation;
    float weight; // the position of the nearest or deepest point on the segment
} segment_axis;

// Apart: the distance is that of an end, or of two edges. c, d: the ends of the segment.
PL_FN void segment_apart(const polyhedron *h, vec c, vec d, segment_axis *r)
{
    closest best;
    best.square = 0x1p126f;
    best.between = r->normal;
    best.weight[1] = 0.0f;
    for (int e = 0; e < h->edges; e++)
    {
        closest now = edge_edge(c, d, poly_vertex(h, h->edge[4 * e]), poly_vertex(h, h->edge[4 * e + 1]));
        if (now.square < best.square)
            best = now;
    }
    surface_distance end[2] = {probe_poly(h, c), probe_poly(h, d)};
    int k = end[1].distance < end[0].distance;
    float len;
    vec n = direction(best.between, r->normal, &len);
    int by_end = end[k].distance <= len * 1.00001f;
    r->weight = by_end ? (float)k : best.weight[1];
    r->normal = by_end ? end[k].normal : n;
    r->separation = by_end ? end[k].distance : len;
}

// Segment from c to d, in the frame of the polyhedron.
PL_CALL segment_axis segment_poly(const polyhedron *h, vec c, vec d, int last, float slop, float far)
{
    segment_axis r = {-SAT_APART, {0.0f, 1.0f, 0.0f}, 0, -SAT_APART, 0.5f};
    vec along = sub(d, c);
    for (int f = 0; f < h->faces; f++)
    {
        vec n = poly_normal(h, f);
        float s = least(dot(n, c), dot(n, d)) - h->plane[4 * f + 3], bonus = f == last ? slop : 0.0f;
        if (s + bonus > r.face_separation)
        {
            r.face_separation = s + bonus;
            r.face = f;
        }
    }
    r.face_separation = r.face == last ? r.face_separation - slop : r.face_separation;
    r.normal = poly_normal(h, r.face);
    r.separation = r.face_separation;
    r.weight = dot(r.normal, along) < 0.0f ? 1.0f : 0.0f;
    if (r.separation > far)
        return r;
    for (int e = 0; e < h->edges; e++)
    {
        const uint8_t *k = h->edge + 4 * e;
        vec from = poly_vertex(h, k[0]), to = poly_vertex(h, k[1]), n0 = poly_normal(h, k[2]),
            n1 = poly_normal(h, k[3]);
        float len;
        if (dot(n0, along) * dot(n1, along) >= 0.0f)
            continue;
        vec n = direction(cross(sub(to, from), along), n0, &len);
        n = dot(n, add(n0, n1)) < 0.0f ? negative(n) : n;
        float s = dot(n, sub(c, from));
        if (len > 0.0f && s > r.separation + slop)
        {
            r.separation = s;
            r.normal = n;
            r.weight = edge_edge(c, d, from, to).weight[1];
        }
    }
    if (r.separation > 0.0f)
        segment_apart(h, c, d, &r);
    return r;
}

// A is a polyhedron with rounding `round_a`, B a capsule.
PL_CALL void manifold_poly_capsule(const polyhedron *a, float round_a, const convex *b, float width, const pose *p,
                                   float margin, uint32_t last, manifold *m)
{
    vec up = times(b->half.y, p->rotation.c[1]), c = sub(p->at, up), d = add(p->at, up);
    const float round[2] = {round_a, b->radius}, slop = least(SLOP_FACE, SLOP_SHARE * width),
                both = round[0] + round[1];
    segment_axis s = segment_poly(a, c, d, last >> 30 == AXIS_FACE_A ? (int)(last & 0xffffu) : -1, slop, margin + both);
    m->count = 0;
    m->axis = 0;
    if (!(s.separation - both <= margin))
        return;
    // Against a face: the axis of the capsule is clipped by its sides.
    vec n = poly_normal(a, s.face);
    float len, steep = dot(direction(sub(d, c), n, &len), n);
    if (s.face_separation >= s.separation - slop && magnitude(steep) < FACE_ALONG)
    {
        polygon reference, incident;
        polygon_of_face(a, s.face, (const pose *)0, &reference);
        incident.count = 2;
        incident.at[0] = c, incident.at[1] = d;
        incident.number[0] = 0, incident.number[1] = 1;
        face_points(&reference, n, times(a->plane[4 * s.face + 3], n), &incident, (const extra_vertex *)0, 1, round,
                    slop, margin, p, m);
        m->axis = (uint32_t)AXIS_FACE_A << 30 | (uint32_t)s.face;
        if (m->count)
            return;
    }
    m->normal = s.normal;
    m->axis = 0;
    vec on = blend(c, d, s.weight);
    manifold_add(m, p, sub(on, times(s.separation - round[0], s.normal)), sub(on, times(round[1], s.normal)),
                 s.separation - both, id_of(FEATURE_ROUND, 1));
}

#endif
