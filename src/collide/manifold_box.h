// manifold_box.h: the manifold of two boxes: what manifold_poly.h computes, in a fraction of the time. The fifteen axes
// are written out (Gottschalk, Lin, Manocha 1996), and the incident face is clipped by an upright rectangle.
// Axes, ids and numbers of features are those of boxes as polyhedra.
#pragma once
#include "collide/convex.h"
#include "collide/manifold_poly.h"

enum
{
    BOX_CLIP = 12, // a rectangle clipped by another has at most 8 corners; rounding may add some
};

#if LANES == 1 && !defined(LANE_DOUBLE)

// A matrix whose elements can be indexed: m[i][j] is row i of column j.
typedef struct box_pair
{
    float m[3][3], size[3][3]; // B's axes in A's frame, and their magnitudes
    float t[3], back[3];       // B's centre in A's frame and A's directions seen from B: t . (column j)
    float a[3], b[3];          // half sides
} box_pair;

PL_FN box_pair box_pair_of(const convex *a, const convex *b, const pose *p)
{
    box_pair r;
    const vec half[2] = {a->half, b->half};
    for (int j = 0; j < 3; j++)
    {
        r.m[0][j] = p->rotation.c[j].x, r.m[1][j] = p->rotation.c[j].y, r.m[2][j] = p->rotation.c[j].z;
        for (int i = 0; i < 3; i++)
            r.size[i][j] = magnitude(r.m[i][j]);
        r.back[j] = dot(p->at, p->rotation.c[j]);
    }
    r.t[0] = p->at.x, r.t[1] = p->at.y, r.t[2] = p->at.z;
    r.a[0] = half[0].x, r.a[1] = half[0].y, r.a[2] = half[0].z;
    r.b[0] = half[1].x, r.b[1] = half[1].y, r.b[2] = half[1].z;
    return r;
}

typedef struct box_axis
{
    float separation;
    int index; // face 2 k + (1: positive), of the box itself
} box_axis;

// `last` stays unless another is better by slop.
PL_FN void box_face_consider(box_axis *best, float separation, int face, int last, float slop)
{
    float bonus = face == last ? slop : 0.0f;
    if (separation + bonus > best->separation)
    {
        best->separation = separation + bonus;
        best->index = face;
    }
}

// The best face of A, on the side of B.
PL_FN box_axis box_face_a(const box_pair *q, int last, float slop)
{
    box_axis best = {-SAT_APART, 0};
    for (int i = 0; i < 3; i++)
    {
        float s = magnitude(q->t[i]) -
                  (q->a[i] + (q->b[0] * q->size[i][0] + q->b[1] * q->size[i][1] + q->b[2] * q->size[i][2]));
        box_face_consider(&best, s, 2 * i + (q->t[i] < 0.0f ? 0 : 1), last, slop);
    }
    best.separation = best.index == last ? best.separation - slop : best.separation;
    return best;
}

// The best face of B, on the side of A.
PL_FN box_axis box_face_b(const box_pair *q, int last, float slop)
{
    box_axis best = {-SAT_APART, 0};
    for (int j = 0; j < 3; j++)
    {
        float s = magnitude(q->back[j]) -
                  (q->b[j] + (q->a[0] * q->size[0][j] + q->a[1] * q->size[1][j] + q->a[2] * q->size[2][j]));
        box_face_consider(&best, s, 2 * j + (q->back[j] < 0.0f ? 1 : 0), last, slop);
    }
    best.separation = best.index == last ? best.separation - slop : best.separation;
    return best;
}

PL_FN int next_axis(int k) { return k < 2 ? k + 1 : 0; }

// The edge of a box along axis k that is farthest along n (in the box's frame), numbered as in polyhedron_of_box.
PL_FN int box_edge(int k, const float *n)
{
    int i = next_axis(k), j = next_axis(i);
    return 4 * k + (n[i] > 0.0f ? 1 : 0) + (n[j] > 0.0f ? 2 : 0);
}

// The best pair of edges, its normal from A to B.
PL_FN sat_axis box_edges(const box_pair *q, int last, float slop)
{
    sat_axis best = {-SAT_APART, -1, -1, {0.0f, 0.0f, 0.0f}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
        {
            int i1 = next_axis(i), i2 = next_axis(i1), j1 = next_axis(j), j2 = next_axis(j1);
            float square_of = 1.0f - q->m[i][j] * q->m[i][j];
            if (square_of < EDGES_PARALLEL)
                continue;
            float along = q->t[i2] * q->m[i1][j] - q->t[i1] * q->m[i2][j], inverse = 1.0f / root(square_of);
            float ra = q->a[i1] * q->size[i2][j] + q->a[i2] * q->size[i1][j];
            float rb = q->b[j1] * q->size[i][j2] + q->b[j2] * q->size[i][j1];
            float s = (magnitude(along) - (ra + rb)) * inverse;
            if (!(s + slop > best.separation))
                continue;
            float n[3], sign = along < 0.0f ? -inverse : inverse, nb[3];
            n[i] = 0.0f;
            n[i1] = -sign * q->m[i2][j];
            n[i2] = sign * q->m[i1][j];
            for (int k = 0; k < 3; k++)
                nb[k] = -(q->m[0][k] * n[0] + q->m[1][k] * n[1] + q->m[2][k] * n[2]);
            int ea = box_edge(i, n), eb = box_edge(j, nb);
            float bonus = last == (ea << 15 | eb) ? slop : 0.0f;
            if (s + bonus > best.separation)
            {
                best.separation = s + bonus;
                best.index = ea, best.other = eb;
                best.normal = vec_of(n[0], n[1], n[2]);
            }
        }
    if (best.index >= 0 && last == (best.index << 15 | best.other))
        best.separation = best.separation - slop;
    return best;
}

// ---- points --------------------------------------------------------------------------------------------------------

PL_FN float part_of(vec a, int k) { return k == 0 ? a.x : k == 1 ? a.y : a.z; }

// The vertices of a face, anticlockwise, as in polyhedron_of_box.
PL_FN void box_face_numbers(int face, uint8_t *number)
{
    int k = face / 2, u = 1 << next_axis(k), w = 1 << next_axis(next_axis(k)), up = face & 1, base = up << k;
    number[0] = (uint8_t)base;
    number[1] = (uint8_t)(base + (up ? u : w));
    number[2] = (uint8_t)(base + u + w);
    number[3] = (uint8_t)(base + (up ? w : u));
}

PL_FN vec box_vertex(vec half, int number)
{
    return vec_of(number & 1 ? half.x : -half.x, number & 2 ? half.y : -half.y, number & 4 ? half.z : -half.z);
}

// Keeps the part where sign * x[axis] <= limit.
PL_FN int clip_upright(const clip_vertex *in, int count, int axis, float sign, float limit, int side, clip_vertex *out)
{
    int left = 0;
    for (int i = 0; i < count && left < BOX_CLIP - 1; i++)
    {
        const clip_vertex *a = &in[i], *b = &in[i + 1 < count ? i + 1 : 0];
        float da = sign * part_of(a->at, axis) - limit, db = sign * part_of(b->at, axis) - limit;
        if (da <= 0.0f)
            out[left++] = *a;
        if ((da <= 0.0f) != (db <= 0.0f))
        {
            clip_vertex c = {add(a->at, times(da / (da - db), sub(b->at, a->at))),
                             da <= 0.0f ? CLIP_SIDE + side : a->out};
            out[left++] = c;
        }
    }
    return left;
}

// In the frame of the reference box: `p` places the other box there.
PL_FN int box_clip(vec own, int face, vec other, const pose *p, float slop, polygon *reference, polygon *incident,
                   clip_vertex *v)
{
    clip_vertex w[BOX_CLIP];
    int k = face / 2, u = next_axis(k), n = next_axis(u), up = face & 1, best = 0, count = 4;
    float most_of_all = -1.0f;
    for (int j = 0; j < 3; j++)
    {
        float like = magnitude(part_of(p->rotation.c[j], k));
        if (like > most_of_all + 1e-5f)
        {
            most_of_all = like;
            best = j;
        }
    }
    int against = (part_of(p->rotation.c[best], k) > 0.0f) == (up == 1) ? 2 * best : 2 * best + 1;
    reference->count = incident->count = 4;
    box_face_numbers(face, reference->number);
    box_face_numbers(against, incident->number);
    for (int i = 0; i < 4; i++)
    {
        clip_vertex c = {pose_out(p, box_vertex(other, incident->number[i])), i};
        v[i] = c;
    }
    // The sides of a positive face, in the order of its vertices: -w, +u, +w, -u; of a negative one: -u, +w, +u, -w.
    float hu = part_of(own, u) + slop, hw = part_of(own, n) + slop;
    count = clip_upright(v, count, up ? n : u, -1.0f, up ? hw : hu, 0, w);
    count = clip_upright(w, count, up ? u : n, 1.0f, up ? hu : hw, 1, v);
    count = clip_upright(v, count, up ? n : u, 1.0f, up ? hw : hu, 2, w);
    return clip_upright(w, count, up ? u : n, -1.0f, up ? hu : hw, 3, v);
}

PL_FN void box_face_points(const convex *a, const convex *b, const pose *p, int face, int of_a, float slop,
                           float margin, manifold *m)
{
    pose back = pose_inverse(p);
    const convex *own = of_a ? a : b, *other = of_a ? b : a;
    const pose *there = of_a ? p : &back;
    clip_vertex v[BOX_CLIP];
    polygon reference, incident;
    contact_set set;
    int k = face / 2, count = box_clip(own->half, face, other->half, there, slop, &reference, &incident, v);
    float sign = face & 1 ? 1.0f : -1.0f, h = part_of(own->half, k), both = a->radius + b->radius;
    vec n = vec_of(k == 0 ? sign : 0.0f, k == 1 ? sign : 0.0f, k == 2 ? sign : 0.0f);
    set.count = 0;
    for (int i = 0; i < count; i++)
    {
        float s = (sign * part_of(v[i].at, k) - h) - both;
        if (s <= margin)
            contact_put(&set, v[i].at, s, clip_id(&reference, &incident, v, count, i, of_a));
    }
    int chosen[MANIFOLD_POINTS], left = choose_points(&set, n, slop, chosen);
    m->normal = of_a ? n : negative(mat_times(&p->rotation, n));
    m->axis = (uint32_t)(of_a ? AXIS_FACE_A : AXIS_FACE_B) << 30 | (uint32_t)face;
    m->count = left;
    for (int c = 0; c < left; c++)
    {
        int i = chosen[c];
        vec on_other = sub(set.at[i], times(other->radius, n)),
            on_own = sub(set.at[i], times((set.separation[i] + both) - own->radius, n));
        manifold_point *q = &m->point[c];
        q->a = of_a ? on_own : pose_in(there, on_other);
        q->b = of_a ? pose_in(there, on_other) : on_own;
        q->separation = set.separation[i];
        q->id = set.id[i];
    }
}

PL_FN void box_edge_point(const convex *a, const convex *b, const pose *p, const sat_axis *e, float margin, manifold *m)
{
    box_arrays sa, sb;
    polyhedron ha = polyhedron_of_box(a->half, &sa), hb = polyhedron_of_box(b->half, &sb);
    const float round[2] = {a->radius, b->radius};
    poly_edge_point(&ha, &hb, p, e, round, margin, m);
}

PL_CALL void manifold_boxes(const convex *a, const convex *b, const pose *p, float margin, uint32_t last, manifold *m)
{
    box_pair q = box_pair_of(a, b, p);
    float width = least(convex_width(a), convex_width(b)), far = margin + a->radius + b->radius;
    float slop = least(SLOP_FACE, SLOP_SHARE * width), slop_edge = least(SLOP_EDGE, 5.0f * SLOP_SHARE * width);
    uint32_t sort = last >> 30;
    int index = (int)(last & 0x3fffffffu);
    m->count = 0;
    m->axis = 0;
    box_axis by_a = box_face_a(&q, sort == AXIS_FACE_A ? index : -1, slop);
    if (!(by_a.separation <= far))
        return;
    box_axis by_b = box_face_b(&q, sort == AXIS_FACE_B ? index : -1, slop);
    if (!(by_b.separation <= far))
        return;
    sat_axis edges = box_edges(&q, sort == AXIS_EDGES ? index : -1, 0.5f * slop_edge);
    if (edges.separation > far)
        return;
    float rounding = 1e-6f * reach_of(p->at); // as in sat_of
    int of_b = by_b.separation > by_a.separation + (sort == AXIS_FACE_B && rounding < slop ? -slop : slop + rounding);
    float face = of_b ? by_b.separation : by_a.separation;
    int by_edges =
        edges.index >= 0 && edges.separation > face + rounding + (sort == AXIS_EDGES ? 0.5f * slop_edge : slop_edge);
    if (by_edges)
        box_edge_point(a, b, p, &edges, margin, m);
    if (m->count == 0)
        box_face_points(a, b, p, of_b ? by_b.index : by_a.index, !of_b, slop, margin, m);
    if (m->count == 0 && !by_edges && edges.index >= 0 && edges.separation > face - slop_edge)
        box_edge_point(a, b, p, &edges, margin, m);
    if (m->count == 0 && face <= a->radius + b->radius)
    {
        // A corner of the incident face lies beside: the general search tries its other faces.
        box_arrays sa, sb;
        const float round[2] = {a->radius, b->radius};
        polyhedron ha = polyhedron_of_box(a->half, &sa), hb = polyhedron_of_box(b->half, &sb);
        manifold_poly_poly(&ha, &hb, p, round, width, margin, last, m);
    }
}

#endif
