// gjk.h: the distance of two convex shapes and their nearest points (Gilbert, Johnson, Keerthi 1988). Used where the
// shapes are apart: time of impact, casts, overlap tests. How deep shapes overlap is a matter of manifolds.
// The nearest point of each simplex comes from simplex.h, whose candidates are always points of the simplex. At most
// GJK_STEPS rounds, so the result depends on the shapes and the pose alone.
#pragma once
#include "collide/convex.h"

enum
{
    GJK_STEPS = 40,
};

// Relative: the distance is at most this much too large, and rounding: 4e-5 of the size; 4e-4 for cylinders, where
// slivers of points on a rim end the search early.
#define GJK_FINE 1e-6f

typedef struct gjk_result
{
    float distance; // of the surfaces (roundings subtracted); <= 0 where they overlap, and then not a depth
    float core;     // of the cores; 0: they overlap
    vec normal;     // unit, from A to B, in A's frame; where the cores overlap: from A's middle to B's
    vec a, b;       // the nearest points of the cores, in A's frame
    int steps;
} gjk_result;

#if LANES == 1 && !defined(LANE_DOUBLE)

typedef struct gjk_simplex
{
    int count;
    vec w[4], a[4], b[4];
    float weight[4];
} gjk_simplex;

PL_FN void gjk_keep(gjk_simplex *s, const int *of, const float *weight, int count)
{
    gjk_simplex r;
    r.count = 0;
    for (int i = 0; i < count; i++)
        if (weight[i] > 0.0f)
        {
            r.w[r.count] = s->w[of[i]], r.a[r.count] = s->a[of[i]], r.b[r.count] = s->b[of[i]];
            r.weight[r.count++] = weight[i];
        }
    *s = r;
}

// The point of a tetrahedron nearest to the origin: on one of its faces that the origin is in front of. Returns 0 if it
// is inside.
PL_FN int gjk_tetrahedron(gjk_simplex *s, vec *v)
{
    vec zero = vec_of(0.0f, 0.0f, 0.0f);
    float best = 0x1p126f;
    int found = 0, chosen[3] = {0, 1, 2};
    closest at;
    at.square = best;
    for (int skip = 0; skip < 4; skip++)
    {
        int i = skip == 0 ? 1 : 0, j = skip <= 1 ? 2 : 1, k = skip <= 2 ? 3 : 2;
        vec u = sub(s->w[j], s->w[i]), w = sub(s->w[k], s->w[i]), n = cross(u, w);
        float origin = -dot(n, s->w[i]), apex = dot(n, sub(s->w[skip], s->w[i]));
        // The rounding error of the products; of a sliver it is as large as the normal.
        float flat = 2e-6f * reach_of(u) * reach_of(w) * (reach_of(sub(s->w[skip], s->w[i])) + reach_of(s->w[i]));
        if (apex * origin > 0.0f && magnitude(apex) > flat && magnitude(origin) > flat)
            continue; // surely on the inner side of this face
        closest c = point_triangle(zero, s->w[i], s->w[j], s->w[k]);
        if (c.square < best)
        {
            best = c.square;
            at = c;
            chosen[0] = i, chosen[1] = j, chosen[2] = k;
            found = 1;
        }
    }
    if (!found)
        return 0;
    *v = negative(at.between);
    gjk_keep(s, chosen, at.weight, 3);
    return 1;
}

// Replaces the simplex by the part that holds its point v nearest to the origin. Returns 0 if the origin is inside.
PL_FN int gjk_nearest(gjk_simplex *s, vec *v)
{
    const int of[3] = {0, 1, 2};
    vec zero = vec_of(0.0f, 0.0f, 0.0f);
    if (s->count == 1)
    {
        *v = s->w[0];
        s->weight[0] = 1.0f;
        return 1;
    }
    if (s->count == 4)
        return gjk_tetrahedron(s, v);
    closest c = s->count == 2 ? point_edge(zero, s->w[0], s->w[1]) : point_triangle(zero, s->w[0], s->w[1], s->w[2]);
    *v = negative(c.between);
    gjk_keep(s, of, c.weight, s->count);
    return 1;
}

PL_FN void gjk_points(const gjk_simplex *s, vec *a, vec *b)
{
    *a = *b = vec_of(0.0f, 0.0f, 0.0f);
    for (int i = 0; i < s->count; i++)
    {
        *a = add(*a, times(s->weight[i], s->a[i]));
        *b = add(*b, times(s->weight[i], s->b[i]));
    }
}

PL_CALL gjk_result gjk_distance(const convex *a, const convex *b, const pose *p)
{
    gjk_simplex s;
    gjk_result r;
    float len;
    vec between = sub(pose_out(p, b->middle), a->middle), v = negative(between);
    r.normal = direction(between, vec_of(0.0f, 1.0f, 0.0f), &len);
    s.count = 0;
    r.core = len;
    if (!(square(v) > 0.0f))
        v = vec_of(0.0f, -1.0f, 0.0f);
    for (r.steps = 0; r.steps < GJK_STEPS; r.steps++)
    {
        vec on_a = convex_support(a, negative(v)),
            on_b = pose_out(p, convex_support(b, transposed_times(&p->rotation, v)));
        vec w = sub(on_a, on_b);
        // v.w/|v| is a lower bound of the distance: done if it is as large as |v| itself.
        int known = 0;
        for (int i = 0; i < s.count; i++)
            known |= w.x == s.w[i].x && w.y == s.w[i].y && w.z == s.w[i].z;
        if (s.count > 0 && (known || square(v) - dot(v, w) <= GJK_FINE * square(v)))
            break;
        float was = s.count ? square(v) : 0x1p126f;
        gjk_simplex next = s;
        vec nearer = v;
        next.w[next.count] = w, next.a[next.count] = on_a, next.b[next.count] = on_b;
        next.count++;
        if (!gjk_nearest(&next, &nearer))
        {
            r.core = 0.0f;
            break;
        }
        if (square(nearer) >= was)
            break; // no nearer: rounding
        s = next;
        v = nearer;
        if (square(v) <= 0x1p-44f * (square(w) + square(s.w[0])))
        {
            r.core = 0.0f;
            break;
        }
    }
    gjk_points(&s, &r.a, &r.b);
    if (r.core > 0.0f)
        r.normal = direction(negative(v), r.normal, &r.core);
    r.distance = r.core - (convex_round(a) + convex_round(b));
    return r;
}

// Do the shapes overlap, or come nearer than `margin`?
PL_FN int convex_overlap(const convex *a, const convex *b, const pose *p, float margin)
{
    return gjk_distance(a, b, p).distance <= margin;
}

#endif
