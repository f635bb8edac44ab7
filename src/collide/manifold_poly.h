// manifold_poly.h: the manifold of two convex polyhedra, by separating axes: the faces of both, and the pairs of edges
// whose arcs on the Gauss map cross (Gregorius, GDC 2013). The axis with the largest separation is the normal. A face
// becomes the reference face: the face of the other shape that looks against it is clipped by its sides. A pair of
// edges gives one point.
//
// Bias: a face of B is taken only if it is better than A's by SLOP_FACE, a pair of edges only if it is better than the
// faces by SLOP_EDGE, each less for small shapes; the axis of the last call gets the same advantage (lab: without it,
// pyramids walk). A rounding of the shapes (radius) is a distance on top of the polyhedra.
#pragma once
#include "collide/manifold.h"

#define SLOP_FACE 1e-3f      // m
#define SLOP_EDGE 5e-3f      // m
#define SLOP_SHARE 0.01f     // of the smallest half width, for small shapes
#define EDGES_PARALLEL 1e-6f // squared sine: such a pair has no axis of its own
#define SAT_APART 1e30f      // m

#if LANES == 1 && !defined(LANE_DOUBLE)

typedef struct sat_axis
{
    float separation;
    int index, other; // face; or edge of A, edge of B
    vec normal;       // in A's frame, from A to B
} sat_axis;

// How far the whole of `other` lies above face f of h; p: the pose of `other` in the frame of h.
PL_FN float face_separation(const polyhedron *h, int f, const polyhedron *other, const pose *p)
{
    float height;
    vec n = poly_normal(h, f);
    poly_support(other, negative(transposed_times(&p->rotation, n)), &height);
    return (dot(n, p->at) - h->plane[4 * f + 3]) - height;
}

// The best face of h. `last`: the face of the last call, or -1; it stays unless another is better by `slop`.
PL_FN sat_axis best_face(const polyhedron *h, const polyhedron *other, const pose *p, int last, float slop,
                         float margin)
{
    sat_axis best = {-SAT_APART, 0, 0, {0.0f, 0.0f, 0.0f}};
    if (last >= 0 && last < h->faces)
    {
        best.separation = face_separation(h, last, other, p) + slop;
        best.index = last;
        if (best.separation - slop > margin)
            return best; // apart: nothing else matters
    }
    int kept = last >= 0 && last < h->faces ? last : -1;
    for (int f = 0; f < h->faces; f++)
    {
        float s = f == kept ? -SAT_APART : face_separation(h, f, other, p);
        if (s > best.separation || s > margin)
        {
            best.separation = s;
            best.index = f;
        }
        if (s > margin)
            return best;
    }
    if (best.index == kept)
        best.separation = best.separation - slop;
    best.normal = poly_normal(h, best.index);
    return best;
}

// Do the arcs of two edges cross? a0 a1: the normals of the faces of A's edge along ea, b0 b1: of B's edge along eb.
PL_FN int arcs_cross(vec a0, vec a1, vec ea, vec b0, vec b1, vec eb)
{
    float cba = dot(b0, ea), dba = dot(b1, ea); // of the negated normals of B: both signs turn
    if (cba * dba >= 0.0f)
        return 0;
    float adc = dot(a0, eb), bdc = dot(a1, eb);
    return adc * bdc < 0.0f && cba * bdc < 0.0f;
}

// The separation along the axis of a pair of edges; 0 returned: there is none.
PL_FN int edge_axis(const polyhedron *a, int ea, vec b_at, vec b_along, vec b0, vec b1, sat_axis *out)
{
    const uint8_t *e = a->edge + 4 * ea;
    vec from = poly_vertex(a, e[0]), along = sub(poly_vertex(a, e[1]), from);
    vec n0 = poly_normal(a, e[2]), n1 = poly_normal(a, e[3]);
    if (!arcs_cross(n0, n1, along, b0, b1, b_along))
        return 0;
    vec n = cross(along, b_along);
    if (square(n) < EDGES_PARALLEL * square(along) * square(b_along))
        return 0;
    float len;
    n = direction(n, n0, &len);
    n = dot(n, add(n0, n1)) < 0.0f ? negative(n) : n;
    out->normal = n;
    out->separation = dot(n, sub(b_at, from));
    return 1;
}

// The best pair of edges. keep: the pair of the last call, ea << 15 | eb, or -1.
PL_CALL sat_axis best_edges(const polyhedron *a, const polyhedron *b, const pose *p, int keep, float slop, float margin)
{
    sat_axis best = {-SAT_APART, -1, -1, {0.0f, 0.0f, 0.0f}}, now;
    for (int j = 0; j < b->edges; j++)
    {
        const uint8_t *e = b->edge + 4 * j;
        vec from = poly_vertex(b, e[0]), at = pose_out(p, from);
        vec along = mat_times(&p->rotation, sub(poly_vertex(b, e[1]), from));
        vec n0 = mat_times(&p->rotation, poly_normal(b, e[2])), n1 = mat_times(&p->rotation, poly_normal(b, e[3]));
        for (int i = 0; i < a->edges; i++)
        {
            if (!edge_axis(a, i, at, along, n0, n1, &now))
                continue;
            float bonus = keep == (i << 15 | j) ? slop : 0.0f;
            if (now.separation + bonus > best.separation)
            {
                best = now;
                best.separation = now.separation + bonus;
                best.index = i;
                best.other = j;
            }
            if (now.separation > margin)
            {
                best.separation = now.separation;
                return best;
            }
        }
    }
    if (best.index >= 0 && keep == (best.index << 15 | best.other))
        best.separation = best.separation - slop;
    return best;
}

// ---- points --------------------------------------------------------------------------------------------------------

// The face of h that looks most against the direction d (in the frame of h).
PL_FN int incident_face(const polyhedron *h, vec d)
{
    int best = 0;
    float least_dot = dot(poly_normal(h, 0), d);
    for (int f = 1; f < h->faces; f++)
    {
        float now = dot(poly_normal(h, f), d);
        if (now < least_dot - 1e-5f)
        {
            least_dot = now;
            best = f;
        }
    }
    return best;
}

// Moves a corner of the moved sides to the corner of the face itself, along the plane of the incident polygon: where
// sides meet sharply, their slop is many times as far.
PL_FN vec at_corner(const polygon *reference, vec n, const polygon *incident, const clip_vertex *v, int count, int i)
{
    int out = v[i].out - CLIP_SIDE, in = v[i > 0 ? i - 1 : count - 1].out - CLIP_SIDE, m = reference->count;
    if (incident->count < 3 || out < 0 || in < 0 || !(in == out + 1 || (in == 0 && out == m - 1)))
        return v[i].at;
    vec plane = cross(sub(incident->at[1], incident->at[0]), sub(incident->at[2], incident->at[0]));
    vec way = sub(reference->at[in], v[i].at);
    way = sub(way, times(dot(way, n), n));
    float up = dot(plane, n);
    if (up * up < 0.01f * square(plane))
        return v[i].at; // nearly upright: where it is, its height is not known well
    return add(v[i].at, sub(way, times(dot(plane, way) / up, n)));
}

// The vertex of the incident shape that is deepest below the reference face.
typedef struct extra_vertex
{
    vec at;
    int number;
} extra_vertex;

// Adds it where it is within the sides of the face: it need not belong to the face that is clipped.
PL_FN void put_extra(const polygon *reference, vec n, vec on, const extra_vertex *e, int reference_is_a,
                     const float *round, float slop, float margin, contact_set *set)
{
    float s = dot(n, sub(e->at, on)) - (round[0] + round[1]);
    for (int i = 0; i < reference->count; i++)
    {
        vec a = reference->at[i], out = cross(sub(reference->at[i + 1 < reference->count ? i + 1 : 0], a), n);
        float over = dot(out, sub(e->at, a));
        if (over > 0.0f && over * over > slop * slop * square(out))
            return;
    }
    if (s <= margin)
        contact_put(set, e->at, s, id_of(reference_is_a ? FEATURE_VERTEX_B : FEATURE_VERTEX_A, (uint32_t)e->number));
}

// Fills the points of a reference face with normal n (unit, away from its shape) through `on`. round: the radii of A
// and B.
PL_CALL void face_points(const polygon *reference, vec n, vec on, const polygon *incident, const extra_vertex *extra,
                         int reference_is_a, const float *round, float slop, float margin, const pose *p, manifold *m)
{
    clip_vertex v[CLIP_ROOM];
    contact_set set;
    int chosen[MANIFOLD_POINTS], count = clip_polygon(reference, n, incident, slop, v);
    set.count = 0;
    if (extra)
        put_extra(reference, n, on, extra, reference_is_a, round, slop, margin, &set);
    for (int i = 0; i < count; i++)
    {
        vec at = at_corner(reference, n, incident, v, count, i);
        float s = dot(n, sub(at, on)) - (round[0] + round[1]);
        uint32_t id = clip_id(reference, incident, v, count, i, reference_is_a);
        if (s <= margin && !(set.count > 0 && extra && set.id[0] == id))
            contact_put(&set, at, s, id);
    }
    m->normal = reference_is_a ? n : negative(n);
    int left = choose_points(&set, n, slop, chosen);
    for (int k = 0; k < left; k++)
    {
        int i = chosen[k];
        float s = set.separation[i] + (round[0] + round[1]);
        vec mirror = sub(set.at[i], times(s, n)), on_a = reference_is_a ? mirror : set.at[i],
            on_b = reference_is_a ? set.at[i] : mirror;
        manifold_add(m, p, add(on_a, times(round[0], m->normal)), sub(on_b, times(round[1], m->normal)),
                     set.separation[i], set.id[i]);
    }
}

// The points of the reference face `face` against face `against` of the other shape.
PL_FN void poly_face_points(const polyhedron *a, const polyhedron *b, const pose *p, const sat_axis *face, int of_a,
                            int against, const float *round, float slop, float margin, manifold *m)
{
    polygon reference, incident;
    vec n = of_a ? face->normal : mat_times(&p->rotation, face->normal);
    polygon_of_face(of_a ? a : b, face->index, of_a ? (const pose *)0 : p, &reference);
    polygon_of_face(of_a ? b : a, against, of_a ? p : (const pose *)0, &incident);
    // The plane lies on the highest vertex: of a merged face the others are a little below.
    vec on = times(of_a ? a->plane[4 * face->index + 3] : b->plane[4 * face->index + 3] + dot(n, p->at), n);
    const polyhedron *other = of_a ? b : a;
    float unused;
    extra_vertex extra;
    extra.number = poly_support(other, negative(of_a ? transposed_times(&p->rotation, n) : n), &unused);
    extra.at = of_a ? pose_out(p, poly_vertex(other, extra.number)) : poly_vertex(other, extra.number);
    m->count = 0;
    face_points(&reference, n, on, &incident, &extra, of_a, round, slop, margin, p, m);
    m->axis = (uint32_t)(of_a ? AXIS_FACE_A : AXIS_FACE_B) << 30 | (uint32_t)face->index;
}

PL_FN float deepest_of(const manifold *m)
{
    float deepest = SAT_APART;
    for (int i = 0; i < m->count; i++)
        deepest = least(deepest, m->point[i].separation);
    return deepest;
}

// The face of the other shape that looks most against the reference face is clipped. Where none of it is left (it lies
// beside, but another part of the shape pierces the face), each of the others that look against it is tried, and the
// deepest result is taken.
PL_CALL void poly_face(const polyhedron *a, const polyhedron *b, const pose *p, const sat_axis *face, int of_a,
                       const float *round, float slop, float margin, manifold *m)
{
    vec n = of_a ? transposed_times(&p->rotation, face->normal) : mat_times(&p->rotation, face->normal);
    const polyhedron *other = of_a ? b : a;
    int first = incident_face(other, n);
    poly_face_points(a, b, p, face, of_a, first, round, slop, margin, m);
    if (m->count || face->separation > round[0] + round[1])
        return;
    manifold now;
    for (int f = 0; f < other->faces; f++)
    {
        if (f == first || dot(poly_normal(other, f), n) > 0.0f)
            continue;
        poly_face_points(a, b, p, face, of_a, f, round, slop, margin, &now);
        if (now.count && deepest_of(&now) < deepest_of(m))
            *m = now;
    }
}

PL_CALL void poly_edge_point(const polyhedron *a, const polyhedron *b, const pose *p, const sat_axis *best,
                             const float *round, float margin, manifold *m)
{
    const uint8_t *ea = a->edge + 4 * best->index, *eb = b->edge + 4 * best->other;
    vec a0 = poly_vertex(a, ea[0]), a1 = poly_vertex(a, ea[1]), b0 = pose_out(p, poly_vertex(b, eb[0])),
        b1 = pose_out(p, poly_vertex(b, eb[1])), n = best->normal;
    float s = best->separation - (round[0] + round[1]);
    if (s > margin)
        return;
    // In the plane across the normal, the edges cross; if they do not, this pair does not meet.
    vec u = sub(a1, a0), w = sub(b1, b0), d = sub(b0, a0), c = cross(u, w);
    float cc = square(c), t = dot(cross(d, w), c) / cc, q = dot(cross(d, u), c) / cc;
    if (!(t > -0.01f && t < 1.01f && q > -0.01f && q < 1.01f))
        return;
    vec on_a = blend(a0, a1, clamp(t, 0.0f, 1.0f)), on_b = blend(b0, b1, clamp(q, 0.0f, 1.0f));
    // Where an end limits one, the two are not opposite: the middle counts for both.
    vec middle = times(0.5f, add(on_a, on_b));
    float lift_a = dot(n, sub(on_a, middle)), lift_b = dot(n, sub(on_b, middle));
    m->normal = n;
    m->axis = (uint32_t)AXIS_EDGES << 30 | (uint32_t)best->index << 15 | (uint32_t)best->other;
    manifold_add(m, p, add(middle, times(lift_a + round[0], n)), add(middle, times(lift_b - round[1], n)),
                 (lift_b - lift_a) - (round[0] + round[1]), id_of_edges(ea[0], ea[1], eb[0], eb[1]));
}

// The axes of one pair, and which of them is chosen.
typedef struct sat
{
    sat_axis face_a, face_b, edges;
    float slop_face, slop_edge; // for this pair
    uint32_t chosen;            // AXIS_...; AXIS_NONE: farther apart than the margin
} sat;

// width: the smallest half width of the two shapes.
PL_CALL sat sat_of(const polyhedron *a, const polyhedron *b, const pose *p, float width, float margin, uint32_t last)
{
    sat r;
    pose back = pose_inverse(p);
    uint32_t sort = last >> 30;
    int index = (int)(last & 0x3fffffffu);
    r.slop_face = least(SLOP_FACE, SLOP_SHARE * width);
    r.slop_edge = least(SLOP_EDGE, 5.0f * SLOP_SHARE * width);
    r.chosen = AXIS_NONE;
    r.edges.index = r.edges.other = -1;
    r.edges.separation = r.face_b.separation = -SAT_APART;
    r.edges.normal = vec_of(0.0f, 1.0f, 0.0f);
    r.face_b.normal = r.edges.normal;
    r.face_b.index = 0;
    r.face_a = best_face(a, b, p, sort == AXIS_FACE_A ? index : -1, r.slop_face, margin);
    if (!(r.face_a.separation <= margin))
        return r;
    r.face_b = best_face(b, a, &back, sort == AXIS_FACE_B ? index : -1, r.slop_face, margin);
    if (r.face_b.separation > margin)
        return r;
    r.edges = best_edges(a, b, p, sort == AXIS_EDGES ? index : -1, 0.5f * r.slop_edge, margin);
    if (r.edges.separation > margin)
        return r;
    // On a large A the faces of a small B are known less well than A's own: by the rounding error of its position.
    float rounding = 1e-6f * reach_of(p->at);
    int by_b =
        r.face_b.separation >
        r.face_a.separation + (sort == AXIS_FACE_B && rounding < r.slop_face ? -r.slop_face : r.slop_face + rounding);
    float face = by_b ? r.face_b.separation : r.face_a.separation;
    float lead = (sort == AXIS_EDGES ? 0.5f * r.slop_edge : r.slop_edge) + rounding;
    r.chosen = by_b ? AXIS_FACE_B : AXIS_FACE_A;
    if (r.edges.index >= 0 && r.edges.separation > face + lead)
        r.chosen = AXIS_EDGES;
    return r;
}

PL_CALL void manifold_poly_poly(const polyhedron *a, const polyhedron *b, const pose *p, const float *round,
                                float width, float margin, uint32_t last, manifold *m)
{
    m->count = 0;
    m->axis = 0;
    sat s = sat_of(a, b, p, width, margin + round[0] + round[1], last);
    if (s.chosen == AXIS_NONE)
        return;
    int by_a = s.chosen == AXIS_EDGES ? s.face_a.separation >= s.face_b.separation : s.chosen == AXIS_FACE_A;
    const sat_axis *face = by_a ? &s.face_a : &s.face_b;
    if (s.chosen != AXIS_EDGES)
        poly_face(a, b, p, face, by_a, round, s.slop_face, margin, m);
    // No point within the sides of the face: then the edges meet, if anything does; and the other way around.
    if (m->count == 0 && s.edges.index >= 0 && s.edges.separation > face->separation - s.slop_edge)
        poly_edge_point(a, b, p, &s.edges, round, margin, m);
    if (m->count == 0 && s.chosen == AXIS_EDGES)
        poly_face(a, b, p, face, by_a, round, s.slop_face, margin, m);
}

#endif
