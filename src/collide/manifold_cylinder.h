// manifold_cylinder.h: manifolds of a cylinder with a capsule, another cylinder, a box or a hull.
//
// The normal is searched in two ways. Along the side, where the axis of the cylinder is nearest to the other shape: as
// for a capsule, so a cylinder rolls without bumps. Elsewhere (caps and rims), by the separating axes of a prism around
// the cylinder, one of whose sides is tangent near the contact; what meets a rim is then refined on the true circle.
// The points come from what each shape shows along the normal: a face, a cap, a line or a point of the rim, all on the
// true surface.
#pragma once
#include "collide/manifold_round.h"
#include "collide/prism.h"

enum
{
    PRISM_TURNS = 2,
    CAP_INCIDENT = 8, // vertices of a cap that is clipped
    CAP_REFERENCE = 16,
    SIDE_NUMBER = 32, // numbers of the ends of a line on the side
    CLIMB_STEPS = 22,
};

#define CLIMB_REACH 0.7f // tangent: half the range of the search for a normal
#define CAP_TILT 0.004f  // sine: below, the points of a cap stay where they are in the body, above they follow the tilt
#define FACE_SAME 0.98f  // cosine: a face this near to the normal, and nearly as good, is the reference face
#define SIDE_ACROSS 0.035f // sine: a normal this near to perpendicular to the axis meets a line of the side

#if LANES == 1 && !defined(LANE_DOUBLE)

// The separation of two shapes along n (unit, from A to B, in A's frame), without roundings.
PL_FN float separation_along(const convex *a, const convex *b, const pose *p, vec n)
{
    vec on_a = convex_support(a, n), on_b = convex_support(b, negative(transposed_times(&p->rotation, n)));
    return dot(n, sub(pose_out(p, on_b), on_a));
}

// ---- what a shape shows along a direction --------------------------------------------------------------------------

// The cap of a cylinder as a polygon of `count` vertices, anticlockwise seen from outside; d: outward.
PL_FN void polygon_of_cap(const convex *c, vec d, int count, polygon *out)
{
    float tilt, up = d.y < 0.0f ? -1.0f : 1.0f;
    const float cosine = count == CAP_INCIDENT ? 0.70710678f : 0.92387953f,
                sine = (count == CAP_INCIDENT ? 0.70710678f : 0.38268343f) * -up;
    vec way = direction(vec_of(d.x, 0.0f, d.z), vec_of(1.0f, 0.0f, 0.0f), &tilt);
    way = tilt < CAP_TILT ? vec_of(1.0f, 0.0f, 0.0f) : way;
    out->count = count;
    for (int k = 0; k < count; k++)
    {
        out->at[k] = vec_of(c->radius * way.x, up * c->half.y, c->radius * way.z);
        out->number[k] = (uint8_t)(k + (d.y < 0.0f ? 0 : CAP_REFERENCE));
        way = turned_about_y(way, cosine, sine);
    }
}

// d: outward, in the shape's frame. Returns the normal of the polygon where it has one.
PL_FN vec shown_polygon(const convex *c, vec d, int as_reference, polygon *out)
{
    vec x = vec_of(1.0f, 0.0f, 0.0f);
    if (c->kind == CONVEX_CYLINDER && magnitude(d.y) > 0.7071f)
    {
        polygon_of_cap(c, d, as_reference ? CAP_REFERENCE : CAP_INCIDENT, out);
        return vec_of(0.0f, d.y < 0.0f ? -1.0f : 1.0f, 0.0f);
    }
    if (c->kind == CONVEX_CYLINDER || c->kind == CONVEX_CAPSULE)
    {
        vec side = c->kind == CONVEX_CAPSULE ? vec_of(0.0f, 0.0f, 0.0f) : times(c->radius, side_direction(d, x));
        out->count = 2;
        out->at[0] = sub(side, vec_of(0.0f, c->half.y, 0.0f));
        out->at[1] = add(side, vec_of(0.0f, c->half.y, 0.0f));
        out->number[0] = SIDE_NUMBER, out->number[1] = SIDE_NUMBER + 1;
        return vec_of(0.0f, 0.0f, 0.0f);
    }
    solid_arrays s;
    polyhedron h = polyhedron_for(c, d, &s);
    int f = incident_face(&h, negative(d));
    polygon_of_face(&h, f, (const pose *)0, out);
    return poly_normal(&h, f);
}

// The edge of a polygon that lies farthest along d.
PL_FN int foremost_edge(const polygon *g, vec d)
{
    int best = 0;
    float far = -SAT_APART;
    for (int i = 0; i < g->count; i++)
    {
        float h = dot(d, add(g->at[i], g->at[i + 1 < g->count ? i + 1 : 0]));
        if (h > far)
        {
            far = h;
            best = i;
        }
    }
    return best;
}

PL_FN void place_polygon(polygon *g, const pose *p)
{
    for (int i = 0; i < g->count; i++)
        g->at[i] = pose_out(p, g->at[i]);
}

// Fills the points for a known normal n. lonely: also where only a point of a rim meets the other shape.
PL_CALL void points_along(const convex *a, const convex *b, const pose *p, vec n, int lonely, float slop, float margin,
                          manifold *m)
{
    const float round[2] = {convex_round(a), convex_round(b)};
    vec n_b = negative(transposed_times(&p->rotation, n));
    polygon fa, fb;
    vec na = shown_polygon(a, n, 0, &fa), nb = shown_polygon(b, n_b, 0, &fb);
    float gap = separation_along(a, b, p, n), s = gap - (round[0] + round[1]);
    int like_a = dot(na, n) > FACE_SAME && separation_along(a, b, p, na) > gap - slop;
    int like_b =
        dot(nb, n_b) > FACE_SAME && separation_along(a, b, p, negative(mat_times(&p->rotation, nb))) > gap - slop;
    m->normal = n;
    place_polygon(&fb, p);
    if (like_a || like_b)
    {
        // A cap is the reference face only where the other shape has none.
        int by_a = like_a && !(like_b && b->kind != CONVEX_CYLINDER);
        vec face = by_a ? na : mat_times(&p->rotation, nb);
        shown_polygon(by_a ? a : b, by_a ? n : n_b, 1, by_a ? &fa : &fb);
        if (!by_a)
            place_polygon(&fb, p);
        face_points(by_a ? &fa : &fb, face, by_a ? fa.at[0] : fb.at[0], by_a ? &fb : &fa, (const extra_vertex *)0, by_a,
                    round, slop, margin, p, m);
        if (m->count)
            return;
    }
    int side_a = a->kind == CONVEX_CYLINDER && magnitude(n.y) < SIDE_ACROSS;
    int side_b = b->kind == CONVEX_CYLINDER && magnitude(n_b.y) < SIDE_ACROSS;
    m->normal = n;
    if (side_a || side_b)
    {
        int i = foremost_edge(&fa, n), j = foremost_edge(&fb, negative(n));
        vec a0 = fa.at[i], a1 = fa.at[i + 1 < fa.count ? i + 1 : 0], b0 = fb.at[j],
            b1 = fb.at[j + 1 < fb.count ? j + 1 : 0];
        closest c = edge_edge(a0, a1, b0, b1);
        segment_points(a0, a1, b0, b1, &c, round, margin, p, m);
        if (m->count)
            return;
    }
    if (s > margin || !lonely)
        return;
    int by_a = a->kind == CONVEX_CYLINDER;
    vec on = by_a ? convex_support(a, n) : pose_out(p, convex_support(b, n_b));
    vec on_a = by_a ? on : sub(on, times(gap, n)), on_b = by_a ? add(on, times(gap, n)) : on;
    manifold_add(m, p, add(on_a, times(round[0], n)), sub(on_b, times(round[1], n)), s, id_of(FEATURE_ROUND, 1));
}

// ---- the normal ----------------------------------------------------------------------------------------------------

// The normal at which the axis of cylinder a meets b: exact along its side.
PL_CALL vec normal_of_side(const convex *a, const convex *b, const pose *p, float slop)
{
    vec up = vec_of(0.0f, a->half.y, 0.0f), aside;
    if (b->kind == CONVEX_CAPSULE || b->kind == CONVEX_CYLINDER)
    {
        vec along = times(b->half.y, p->rotation.c[1]);
        aside = negative(edge_edge(negative(up), up, sub(p->at, along), add(p->at, along)).between);
    }
    else
    {
        solid_arrays s;
        polyhedron h = polyhedron_for(b, up, &s);
        segment_axis x = segment_poly(&h, pose_in(p, negative(up)), pose_in(p, up), -1, slop, SAT_APART);
        aside = negative(mat_times(&p->rotation, x.normal));
    }
    return side_direction(aside, side_direction(p->at, vec_of(1.0f, 0.0f, 0.0f)));
}

// Improves a normal by turning it towards `way` (perpendicular to it) until the separation is largest: bisection on its
// slope, which is the way's share of the vector between the support points.
PL_CALL vec climb(const convex *a, const convex *b, const pose *p, vec n, vec way)
{
    float low = -CLIMB_REACH, high = CLIMB_REACH, len;
    vec unit = direction(way, vec_of(0.0f, 0.0f, 0.0f), &len);
    for (int i = 0; i < CLIMB_STEPS; i++)
    {
        float t = 0.5f * (low + high);
        vec d = add(n, times(t, unit)), slope = sub(unit, times(t, n));
        vec on_a = convex_support(a, d),
            on_b = pose_out(p, convex_support(b, negative(transposed_times(&p->rotation, d))));
        if (dot(slope, sub(on_b, on_a)) > 0.0f)
            low = t;
        else
            high = t;
    }
    return direction(add(n, times(0.5f * (low + high), unit)), n, &len);
}

// The direction of the line in which an edge of a shape lies: none for an edge of a rim.
PL_FN vec line_of_edge(const convex *c, const polyhedron *h, int edge)
{
    if (c->kind == CONVEX_CYLINDER && edge % 3 != 0)
        return vec_of(0.0f, 0.0f, 0.0f);
    return sub(poly_vertex(h, h->edge[4 * edge + 1]), poly_vertex(h, h->edge[4 * edge]));
}

// From the edges of the prisms to the true rims: perpendicular to a straight edge, and where rim meets rim both ways.
PL_FN vec climb_edges(const convex *a, const convex *b, const pose *p, vec n, vec line_a, vec line_b)
{
    vec line = square(line_a) > 0.0f ? line_a : line_b;
    if (square(line_a) > 0.0f && square(line_b) > 0.0f)
        return n; // straight against straight: exact already
    if (square(line) > 0.0f)
        return climb(a, b, p, n, cross(n, line));
    for (int round = 0; round < 3; round++)
    {
        n = climb(a, b, p, n, across(n));
        n = climb(a, b, p, n, cross(n, across(n)));
    }
    return n;
}

// A cylinder and a capsule: along the nearest points of the capsule's ends, or of its axis and the rim.
PL_FN vec normal_of_capsule(const convex *a, const convex *b, const pose *p, vec n, float slop, int last,
                            uint32_t *axis)
{
    solid_arrays s;
    vec up = times(b->half.y, p->rotation.c[1]), c = sub(p->at, up), d = add(p->at, up);
    polyhedron h = polyhedron_for(a, n, &s);
    segment_axis x = segment_poly(&h, c, d, last, slop, SAT_APART);
    vec best = x.normal;
    float most_of_all = separation_along(a, b, p, best);
    *axis = (uint32_t)AXIS_FACE_A << 30 | (uint32_t)x.face;
    surface_distance end[2] = {probe_cylinder(c, a->half.y, a->radius), probe_cylinder(d, a->half.y, a->radius)};
    for (int k = 0; k < 3; k++)
    {
        vec now = k < 2 ? end[k].normal : climb(a, b, p, best, cross(best, up));
        float sep = separation_along(a, b, p, now);
        if (sep > most_of_all + slop)
        {
            most_of_all = sep;
            best = now;
            *axis = 0;
        }
    }
    return best;
}

// The best separating axis of the prisms, each turned towards the direction n (in A's frame), with the advantage of
// faces; plain: without it.
PL_CALL vec normal_of_prisms(const convex *a, const convex *b, const pose *p, vec n, float width, uint32_t last,
                             uint32_t *axis, vec *plain)
{
    if (b->kind == CONVEX_CAPSULE)
    {
        *plain = normal_of_capsule(a, b, p, n, least(SLOP_FACE, SLOP_SHARE * width),
                                   last >> 30 == AXIS_FACE_A ? (int)(last & 0xffffu) : -1, axis);
        return *plain;
    }
    solid_arrays sa, sb;
    polyhedron ha = polyhedron_for(a, n, &sa), hb = polyhedron_for(b, negative(transposed_times(&p->rotation, n)), &sb);
    sat s = sat_of(&ha, &hb, p, width, SAT_APART, last);
    *axis = s.chosen == AXIS_FACE_A ? (uint32_t)AXIS_FACE_A << 30 | (uint32_t)s.face_a.index
                                    : (uint32_t)AXIS_FACE_B << 30 | (uint32_t)s.face_b.index;
    vec face = s.face_a.separation > s.face_b.separation ? s.face_a.normal
                                                         : negative(mat_times(&p->rotation, s.face_b.normal));
    if (s.chosen == AXIS_FACE_A)
        face = s.face_a.normal;
    if (s.chosen == AXIS_FACE_B)
        face = negative(mat_times(&p->rotation, s.face_b.normal));
    *plain = face;
    if (s.edges.index < 0)
        return face;
    // The edges of a prism lie outside of the cylinder, so their separation is too small: the true one decides.
    vec edges = climb_edges(a, b, p, s.edges.normal, line_of_edge(a, &ha, s.edges.index),
                            mat_times(&p->rotation, line_of_edge(b, &hb, s.edges.other)));
    float by_edges = separation_along(a, b, p, edges), by_face = separation_along(a, b, p, face);
    *plain = by_edges > by_face ? edges : face;
    if (by_edges <= by_face + s.slop_edge)
        return face;
    *axis = 0;
    return edges;
}

// At least one is a cylinder; of a capsule and a cylinder the cylinder is A.
PL_CALL void manifold_cylinder(const convex *a, const convex *b, const pose *p, float margin, uint32_t last,
                               manifold *m)
{
    float width = least(convex_width(a), convex_width(b)), slop = least(SLOP_FACE, SLOP_SHARE * width);
    float both = convex_round(a) + convex_round(b);
    pose back = pose_inverse(p);
    m->count = 0;
    m->axis = 0;
    vec best = vec_of(0.0f, 1.0f, 0.0f);
    float s = -SAT_APART;
    if (a->kind == CONVEX_CYLINDER)
    {
        best = normal_of_side(a, b, p, slop);
        s = separation_along(a, b, p, best);
    }
    if (b->kind == CONVEX_CYLINDER)
    {
        vec n = negative(mat_times(&p->rotation, normal_of_side(b, a, &back, slop)));
        float now = separation_along(a, b, p, n);
        best = now > s ? n : best;
        s = most(now, s);
    }
    vec n = best, plain = best, other;
    uint32_t axis;
    for (int turn = 0; turn < PRISM_TURNS; turn++)
    {
        n = normal_of_prisms(a, b, p, n, width, last, &axis, &other);
        if (separation_along(a, b, p, other) > separation_along(a, b, p, plain))
            plain = other;
        float now = separation_along(a, b, p, n);
        if (now > s + (turn ? 0.0f : slop))
        {
            s = now;
            best = n;
            m->axis = axis;
        }
    }
    if (!(s - both <= margin) || separation_along(a, b, p, plain) - both > margin)
        return;
    points_along(a, b, p, best, 0, slop, margin, m);
    if (m->count == 0) // the face does not meet the other shape: the rim does
        points_along(a, b, p, plain, 1, slop, margin, m);
}

#endif
