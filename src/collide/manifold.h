// manifold.h: contact manifolds of two convex shapes: up to four points with one normal.
//
// Everything is computed in the frame of shape A: `pose` places B there. Its shift is the difference of two positions,
// which the caller takes in displacement form, so that the distance from the origin costs no accuracy.
//   normal      unit, from A to B, in A's frame
//   separation  n . (b - a) [m]: negative where the shapes overlap; points up to `margin` are reported
//   a, b        the points on the two surfaces, each in the frame of its own shape
//   id          names the features that meet: a vertex of A or B, or two edges. It stays the same while the shapes slide
//               and turn, and when the roles of reference and incident face are exchanged.
// `axis` tells which features gave the normal: the next call prefers them (hysteresis), so that a box that rests does
// not change between equally good normals.
#pragma once
#include "collide/polyhedron.h"
#include "core/mat3.h"

enum
{
    MANIFOLD_POINTS = 4,
    CLIP_LOOP = 16,            // vertices of a face that take part in clipping; of larger faces evenly chosen ones
    CLIP_ROOM = 2 * CLIP_LOOP, // each side of the reference face adds at most one vertex
    CLIP_SIDE = 32,            // added to the number of a side of the reference face
};

enum feature_sort // the upper 4 bits of an id
{
    FEATURE_ROUND = 0, // the only, or a numbered, point of a round shape
    FEATURE_VERTEX_A = 1,
    FEATURE_VERTEX_B = 2,
    FEATURE_EDGES = 3,
};

enum axis_sort // the upper 2 bits of `axis`; 0: none
{
    AXIS_NONE = 0,
    AXIS_FACE_A = 1,
    AXIS_FACE_B = 2,
    AXIS_EDGES = 3,
};

typedef struct manifold_point
{
    vec a, b;
    f32 separation;
    uint32_t id;
} manifold_point;

typedef struct manifold
{
    vec normal;
    int32_t count;
    uint32_t axis;
    manifold_point point[MANIFOLD_POINTS];
} manifold;

// B's frame in A's: x_A = rotation x_B + at.
typedef struct pose
{
    mat3 rotation;
    vec at;
} pose;

// A function that a kernel calls instead of inlining it: a manifold is thousands of instructions.
#if defined(__CUDACC__)
#define PL_CALL static __device__ __noinline__ __attribute__((unused))
#else
#define PL_CALL PL_WALK
#endif

#if LANES == 1 && !defined(LANE_DOUBLE)

PL_FN vec transposed_times(const mat3 *m, vec a) { return vec_of(dot(m->c[0], a), dot(m->c[1], a), dot(m->c[2], a)); }

PL_FN vec pose_out(const pose *p, vec x) { return add(p->at, mat_times(&p->rotation, x)); }
PL_FN vec pose_in(const pose *p, vec x) { return transposed_times(&p->rotation, sub(x, p->at)); }

// The pose of B in A: rotations of both, and the position of B minus that of A, in the axes of the world.
PL_FN pose pose_between(const mat3 *a, const mat3 *b, vec from_a_to_b)
{
    mat3 back = mat_transpose(a);
    pose p = {mat_mul(&back, b), transposed_times(a, from_a_to_b)};
    return p;
}

PL_FN pose pose_inverse(const pose *p)
{
    pose r = {mat_transpose(&p->rotation), negative(transposed_times(&p->rotation, p->at))};
    return r;
}

PL_FN uint32_t id_of(uint32_t sort, uint32_t low) { return sort << 28 | low; }

PL_FN uint32_t id_of_edges(int a0, int a1, int b0, int b1)
{
    int p = a0 < a1 ? a0 : a1, q = a0 < a1 ? a1 : a0, r = b0 < b1 ? b0 : b1, s = b0 < b1 ? b1 : b0;
    return id_of(FEATURE_EDGES, (uint32_t)p << 21 | (uint32_t)q << 14 | (uint32_t)r << 7 | (uint32_t)s);
}

// Adds a point whose places on both surfaces are given in A's frame.
PL_FN void manifold_add(manifold *m, const pose *p, vec on_a, vec on_b, float separation, uint32_t id)
{
    if (m->count == MANIFOLD_POINTS)
        return;
    manifold_point *q = &m->point[m->count++];
    q->a = on_a;
    q->b = pose_in(p, on_b);
    q->separation = separation;
    q->id = id;
}

// Exchanges A and B of a manifold. `p` is the pose of the old B in the old A.
PL_FN void manifold_swap(manifold *m, const pose *p)
{
    m->normal = negative(transposed_times(&p->rotation, m->normal));
    uint32_t sort = m->axis >> 30, rest = m->axis & 0x3fffffffu;
    if (sort == AXIS_FACE_A || sort == AXIS_FACE_B)
        m->axis = (uint32_t)(sort == AXIS_FACE_A ? AXIS_FACE_B : AXIS_FACE_A) << 30 | rest;
    else if (sort == AXIS_EDGES)
        m->axis = sort << 30 | (rest & 0x7fffu) << 15 | rest >> 15;
    for (int i = 0; i < m->count; i++)
    {
        manifold_point *q = &m->point[i];
        vec a = q->a;
        q->a = q->b;
        q->b = a;
        uint32_t kind = q->id >> 28, low = q->id & 0x0fffffffu;
        if (kind == FEATURE_VERTEX_A || kind == FEATURE_VERTEX_B)
            q->id = id_of(kind == FEATURE_VERTEX_A ? FEATURE_VERTEX_B : FEATURE_VERTEX_A, low);
        else if (kind == FEATURE_EDGES)
            q->id = id_of(kind, (low & 0x3fffu) << 14 | low >> 14);
    }
}

// The axis as the other call order has it, for the hysteresis of a swapped call.
PL_FN uint32_t axis_swap(uint32_t axis)
{
    manifold m;
    pose p;
    m.normal = vec_of(0.0f, 0.0f, 0.0f);
    p.rotation = mat_unit();
    m.count = 0;
    m.axis = axis;
    manifold_swap(&m, &p);
    return m.axis;
}

// ---- polygons ------------------------------------------------------------------------------------------------------

// A convex polygon in A's frame; vertex i begins edge i. number: the vertices in their shape. One or two points are
// allowed where it is the incident one.
typedef struct polygon
{
    int count;
    vec at[CLIP_LOOP];
    uint8_t number[CLIP_LOOP];
} polygon;

typedef struct clip_vertex
{
    vec at;
    int out; // the edge that begins here: of the incident polygon, or CLIP_SIDE + side of the reference polygon
} clip_vertex;

// A face of a polyhedron, placed by `p` (NULL: in A's frame already).
PL_FN void polygon_of_face(const polyhedron *h, int face, const pose *p, polygon *out)
{
    int first = h->first[face], all_of_them = h->first[face + 1] - first;
    out->count = all_of_them < CLIP_LOOP ? all_of_them : CLIP_LOOP;
    for (int i = 0; i < out->count; i++)
    {
        int v = h->loop[first + (all_of_them <= CLIP_LOOP ? i : i * all_of_them / CLIP_LOOP)];
        vec x = poly_vertex(h, v);
        out->at[i] = p ? pose_out(p, x) : x;
        out->number[i] = (uint8_t)v;
    }
}

// Sutherland and Hodgman 1974: keeps the part below the plane n . x = offset.
PL_FN int clip_by(const clip_vertex *in, int count, vec n, float offset, int side, clip_vertex *out)
{
    int left = 0;
    for (int i = 0; i < count; i++)
    {
        const clip_vertex *a = &in[i], *b = &in[i + 1 < count ? i + 1 : 0];
        float da = dot(n, a->at) - offset, db = dot(n, b->at) - offset;
        if (da <= 0.0f && left < CLIP_ROOM)
            out[left++] = *a;
        if ((da <= 0.0f) != (db <= 0.0f) && da != db)
        {
            clip_vertex c = {add(a->at, times(da / (da - db), sub(b->at, a->at))),
                             da <= 0.0f ? CLIP_SIDE + side : a->out};
            if (left < CLIP_ROOM)
                out[left++] = c;
        }
    }
    return left;
}

// Clips a segment (two points) or a point: duplicates of the ends would come from clip_by.
PL_FN int clip_segment_by(clip_vertex *s, int count, vec n, float offset, int side)
{
    float da = dot(n, s[0].at) - offset, db = count > 1 ? dot(n, s[1].at) - offset : da;
    if (da > 0.0f && db > 0.0f)
        return 0;
    if (da > 0.0f || db > 0.0f)
    {
        clip_vertex c = {add(s[0].at, times(da / (da - db), sub(s[1].at, s[0].at))), CLIP_SIDE + side};
        s[da > 0.0f ? 0 : 1] = c;
    }
    return count;
}

// Clips the incident polygon by the sides of the reference polygon, whose normal is n. The sides lie `slop` farther
// out: where edges coincide, as in a stack of equal boxes, rounding does not decide which features meet. Returns the
// number of vertices; `out` has room for CLIP_ROOM.
PL_CALL int clip_polygon(const polygon *reference, vec n, const polygon *incident, float slop, clip_vertex *out)
{
    clip_vertex other[CLIP_ROOM];
    int count = incident->count;
    for (int i = 0; i < count; i++)
    {
        clip_vertex v = {incident->at[i], i};
        out[i] = v;
    }
    for (int s = 0; s < reference->count && count > 0; s++)
    {
        vec a = reference->at[s], b = reference->at[s + 1 < reference->count ? s + 1 : 0];
        vec side = cross(sub(b, a), n);
        float len;
        side = direction(side, vec_of(0.0f, 0.0f, 0.0f), &len);
        float offset = dot(side, a) + slop;
        if (incident->count < 3)
        {
            count = clip_segment_by(out, count, side, offset, s);
            continue;
        }
        count = clip_by(out, count, side, offset, s, other);
        for (int i = 0; i < count; i++)
            out[i] = other[i];
    }
    return count;
}

// The id of vertex i of a clipped polygon.
PL_FN uint32_t clip_id(const polygon *reference, const polygon *incident, const clip_vertex *v, int count, int i,
                       int reference_is_a)
{
    int out = v[i].out, in = v[i > 0 ? i - 1 : count - 1].out, m = reference->count, k = incident->count;
    if (k < 3) // a segment: its ends, or where a side cuts it
        in = i;
    if (out < CLIP_SIDE && (in < CLIP_SIDE || k < 3))
        return id_of(reference_is_a ? FEATURE_VERTEX_B : FEATURE_VERTEX_A, incident->number[out]);
    if (in >= CLIP_SIDE && out >= CLIP_SIDE)
    {
        int p = in - CLIP_SIDE, q = out - CLIP_SIDE;
        int corner = p + 1 == q || (p == m - 1 && q == 0) ? q : p;
        return id_of(reference_is_a ? FEATURE_VERTEX_A : FEATURE_VERTEX_B, reference->number[corner]);
    }
    int side = (out >= CLIP_SIDE ? out : in) - CLIP_SIDE, edge = k < 3 ? 0 : out >= CLIP_SIDE ? in : out;
    int r0 = reference->number[side], r1 = reference->number[side + 1 < m ? side + 1 : 0];
    int i0 = incident->number[edge], i1 = incident->number[edge + 1 < k ? edge + 1 : 0];
    return reference_is_a ? id_of_edges(r0, r1, i0, i1) : id_of_edges(i0, i1, r0, r1);
}

// ---- at most four of many points -----------------------------------------------------------------------------------

typedef struct contact_set
{
    int count;
    vec at[CLIP_ROOM];
    float separation[CLIP_ROOM];
    uint32_t id[CLIP_ROOM];
} contact_set;

PL_FN void contact_put(contact_set *s, vec at, float separation, uint32_t id)
{
    if (s->count == CLIP_ROOM)
        return;
    s->at[s->count] = at;
    s->separation[s->count] = separation;
    s->id[s->count++] = id;
}

// Replaces the chosen point nearest to the deepest of all by it, if that is deeper than all chosen ones by `slop`.
PL_FN void choose_deepest(const contact_set *s, float slop, int *chosen, int count)
{
    int deepest = 0, nearest = 0;
    for (int i = 1; i < s->count; i++)
        deepest = s->separation[i] < s->separation[deepest] ? i : deepest;
    for (int k = 0; k < count; k++)
    {
        if (s->separation[chosen[k]] <= s->separation[deepest] + slop)
            return;
        if (square(sub(s->at[chosen[k]], s->at[deepest])) < square(sub(s->at[chosen[nearest]], s->at[deepest])))
            nearest = k;
    }
    chosen[nearest] = deepest;
}

// Chooses points that keep the area and the deepest one; depths within a quarter of `slop` count as equal, so that those of a box
// that rests do not change. Ties go to the first, unless another is better by a hundredth.
PL_CALL int choose_points(const contact_set *s, vec n, float slop, int *chosen)
{
    int count = s->count;
    for (int i = 0; i < MANIFOLD_POINTS; i++)
        chosen[i] = i < count ? i : -1;
    if (count <= MANIFOLD_POINTS)
        return count;
    vec u = across(n);
    int first = 0, second = -1, above = -1, below = -1, left = 2;
    for (int i = 1; i < count; i++)
        first = dot(u, s->at[i]) > dot(u, s->at[first]) + slop ? i : first;
    float far = 0.0f, most_above = 0.0f, most_below = 0.0f;
    for (int i = 0; i < count; i++)
    {
        float d = square(sub(s->at[i], s->at[first]));
        if (i != first && (second < 0 || d > 1.01f * far))
            far = d, second = i;
    }
    vec across_line = cross(n, sub(s->at[second], s->at[first]));
    for (int i = 0; i < count; i++)
    {
        float area = dot(across_line, sub(s->at[i], s->at[first]));
        if (i == first || i == second)
            continue;
        if (area > 1.01f * most_above)
            most_above = area, above = i;
        if (area < 1.01f * most_below)
            most_below = area, below = i;
    }
    chosen[0] = first, chosen[1] = second;
    if (above >= 0)
        chosen[left++] = above;
    if (below >= 0)
        chosen[left++] = below;
    choose_deepest(s, 0.25f * slop, chosen, left);
    return left;
}
#endif
