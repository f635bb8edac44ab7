// manifold_cylinder.h: manifolds of a cylinder with a capsule, another cylinder, a box or a hull.
//
// The normal is searched in two ways. Along the side, where the axis of the cylinder is nearest to the other shape: as
// for a capsule, so a cylinder rolls without bumps. Elsewhere (caps and rims), by the separating axes of a prism around
// the cylinder that is turned until one of its sides is tangent at the contact; the turn converges quadratically and is
// made PRISM_TURNS times. The points come from what each shape shows along the normal: a face, a cap, a line or a point
// of the rim, all on the true surface.
#pragma once
#include "collide/manifold_round.h"

enum
{
    PRISM_SIDES = 12,
    PRISM_TURNS = 2,
    CAP_INCIDENT = 8, // vertices of a cap that is clipped
    CAP_REFERENCE = 16,
    SIDE_NUMBER = 32, // numbers of the ends of a line on the side
};

#define CAP_TILT 0.004f // sine: below, the points of a cap stay where they are in the body, above they follow the tilt
#define FACE_SAME 0.9995f  // cosine: a face this near to the normal is the reference face
#define SIDE_ACROSS 0.035f // sine: a normal this near to perpendicular to the axis meets a line of the side

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
PL_FN polyhedron polyhedron_for(const convex *c, vec d, solid_arrays *s)
{
    if (c->kind == CONVEX_CYLINDER)
        return prism_of(c, side_direction(d, vec_of(1.0f, 0.0f, 0.0f)), &s->prism);
    return c->kind == CONVEX_BOX ? polyhedron_of_box(c->half, &s->box) : c->hull;
}

// The separation of two shapes along n (unit, from A to B, in A's frame), without roundings.
PL_FN float separation_along(const convex *a, const convex *b, const pose *p, vec n)
{
    vec on_a = convex_support(a, n), on_b = convex_support(b, negative(transposed_times(&p->turn, n)));
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

// Fills the points for a known normal n.
PL_FN void points_along(const convex *a, const convex *b, const pose *p, vec n, float slop, float margin, manifold *m)
{
    const float round[2] = {convex_round(a), convex_round(b)};
    vec n_b = negative(transposed_times(&p->turn, n));
    polygon fa, fb;
    vec na = shown_polygon(a, n, 0, &fa), nb = shown_polygon(b, n_b, 0, &fb);
    float like_a = dot(na, n), like_b = dot(nb, n_b);
    m->normal = n;
    place_polygon(&fb, p);
    if (like_a > FACE_SAME || like_b > FACE_SAME)
    {
        // A cap is the reference face only where the other shape has none.
        int by_a = like_a > FACE_SAME && !(like_b > FACE_SAME && b->kind != CONVEX_CYLINDER);
        vec face = by_a ? na : mat_times(&p->turn, nb);
        shown_polygon(by_a ? a : b, by_a ? n : n_b, 1, by_a ? &fa : &fb);
        if (!by_a)
            place_polygon(&fb, p);
        face_points(by_a ? &fa : &fb, face, by_a ? fa.at[0] : fb.at[0], by_a ? &fb : &fa, by_a, round, slop, margin, p,
                    m);
        if (m->count)
            return;
    }
    int side_a = a->kind == CONVEX_CYLINDER && magnitude(n.y) < SIDE_ACROSS;
    int side_b = b->kind == CONVEX_CYLINDER && magnitude(n_b.y) < SIDE_ACROSS;
    float s = separation_along(a, b, p, n) - (round[0] + round[1]);
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
    if (s > margin)
        return;
    int by_a = a->kind == CONVEX_CYLINDER;
    vec on = by_a ? convex_support(a, n) : pose_out(p, convex_support(b, n_b));
    float gap = s + (round[0] + round[1]);
    vec on_a = by_a ? on : sub(on, times(gap, n)), on_b = by_a ? add(on, times(gap, n)) : on;
    manifold_add(m, p, add(on_a, times(round[0], n)), sub(on_b, times(round[1], n)), s, id_of(FEATURE_ROUND, 1));
}

// ---- the normal ----------------------------------------------------------------------------------------------------

// The normal at which the axis of cylinder a meets b: exact along its side.
PL_FN vec normal_of_side(const convex *a, const convex *b, const pose *p, float slop)
{
    vec up = vec_of(0.0f, a->half.y, 0.0f), aside;
    if (b->kind == CONVEX_CAPSULE || b->kind == CONVEX_CYLINDER)
    {
        vec along = times(b->half.y, p->turn.c[1]);
        aside = negative(edge_edge(negative(up), up, sub(p->at, along), add(p->at, along)).between);
    }
    else
    {
        solid_arrays s;
        polyhedron h = polyhedron_for(b, up, &s);
        segment_axis x = segment_poly(&h, pose_in(p, negative(up)), pose_in(p, up), -1, slop, SAT_APART);
        aside = negative(mat_times(&p->turn, x.normal));
    }
    return side_direction(aside, side_direction(p->at, vec_of(1.0f, 0.0f, 0.0f)));
}

// The best separating axis of the prisms, each turned towards the direction n (in A's frame).
PL_FN vec normal_of_prisms(const convex *a, const convex *b, const pose *p, vec n, float width, uint32_t last,
                           uint32_t *axis)
{
    solid_arrays sa, sb;
    vec n_b = negative(transposed_times(&p->turn, n));
    polyhedron hb = polyhedron_for(b, n_b, &sb);
    if (a->kind == CONVEX_CAPSULE)
    {
        vec up = vec_of(0.0f, a->half.y, 0.0f);
        segment_axis x = segment_poly(&hb, pose_in(p, negative(up)), pose_in(p, up),
                                      last >> 30 == AXIS_FACE_B ? (int)(last & 0xffffu) : -1,
                                      least(SLOP_FACE, SLOP_SHARE * width), SAT_APART);
        *axis = (uint32_t)AXIS_FACE_B << 30 | (uint32_t)x.face;
        return negative(mat_times(&p->turn, x.normal));
    }
    polyhedron ha = polyhedron_for(a, n, &sa);
    sat s = sat_of(&ha, &hb, p, width, SAT_APART, last);
    *axis = s.chosen == AXIS_EDGES    ? 0
            : s.chosen == AXIS_FACE_A ? (uint32_t)AXIS_FACE_A << 30 | (uint32_t)s.face_a.index
                                      : (uint32_t)AXIS_FACE_B << 30 | (uint32_t)s.face_b.index;
    return s.chosen == AXIS_EDGES    ? s.edges.normal
           : s.chosen == AXIS_FACE_A ? s.face_a.normal
                                     : negative(mat_times(&p->turn, s.face_b.normal));
}

// At least one is a cylinder; of a capsule and a cylinder the capsule is A.
PL_WALK void manifold_cylinder(const convex *a, const convex *b, const pose *p, float margin, uint32_t last,
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
        vec n = negative(mat_times(&p->turn, normal_of_side(b, a, &back, slop)));
        float now = separation_along(a, b, p, n);
        best = now > s ? n : best;
        s = most(now, s);
    }
    vec n = best;
    uint32_t axis;
    for (int turn = 0; turn < PRISM_TURNS; turn++)
    {
        n = normal_of_prisms(a, b, p, n, width, last, &axis);
        float now = separation_along(a, b, p, n);
        if (now > s + (turn ? 0.0f : slop))
        {
            s = now;
            best = n;
            m->axis = axis;
        }
    }
    if (s - both <= margin)
        points_along(a, b, p, best, slop, margin, m);
}

#endif
