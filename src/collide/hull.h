// hull.h: the convex hull of points, as planes with the triangles that lie in them.
//   inside     distance = the largest plane distance (the shortest way out), normal = that plane's
//   outside    distance to the nearest face, edge or corner, exactly; normal = away from it
// Barber, Dobkin, Huhdanpaa 1996 (quickhull), on coordinates rounded to 38 bits of the hull's extent, where every test
// is exact.
#pragma once
#include "collide/ccd.h"
#include "core/memory.h"

typedef struct hull
{
    float *plane;   // 4 for each plane: unit normal, offset; no vertex lies above any of them
    float *corner;  // 9 for each triangle; triangles of one plane are consecutive
    int32_t *first; // planes + 1: index of each plane's first triangle
    float *vertex;  // 3 for each vertex
    int64_t planes, triangles, vertices;
} hull;

// `name` is for messages. Fewer than 4 points, or all in one plane, fail. On failure `out` is empty.
pl_result hull_build(memory *m, const char *name, const float *x, int64_t count, hull *out);
// The hull of the points behind all planes (4 floats each: outward normal of any length, offset). Fails if the planes
// contradict each other or leave a side open.
pl_result hull_of_planes(memory *m, const char *name, const float *planes, int64_t count, hull *out);
// Replaces a hull by that of at most `most` (at least 4) of its vertices: a greedy choice, each time the vertex that lies
// farthest outside. lost: how far a vertex now lies outside [m]. On failure `h` does not change.
pl_result hull_reduce(memory *m, const char *name, hull *h, int most, double *lost);
void hull_free(memory *m, hull *h);

#if !defined(LANE_DOUBLE)

PL_FN void consider_face(closest *best, const hull *h, int64_t plane, i32 seen, vec x)
{
    for (int32_t t = h->first[plane]; t < h->first[plane + 1]; t++)
    {
        const float *c = h->corner + 9 * (int64_t)t;
        closest now = point_triangle(x, splat_vec(c), splat_vec(c + 3), splat_vec(c + 6));
        i32 nearer = seen & (now.square < best->square);
        best->square = pick(nearer, now.square, best->square);
        best->between = pick_vec(nearer, now.between, best->between);
    }
}

PL_WALK surface_distance hull_probe(const hull *h, vec x)
{
    f32 deep = splat(-0x1p120f);
    vec n = vec_of(splat(0.0f), splat(1.0f), splat(0.0f));
    for (int64_t i = 0; i < h->planes; i++)
    {
        vec m = splat_vec(h->plane + 4 * i);
        f32 d = dot(m, x) - splat(h->plane[4 * i + 3]);
        i32 more = d > deep;
        deep = pick(more, d, deep);
        n = pick_vec(more, m, n);
    }
    surface_distance s = {deep, n};
    i32 outside = deep > 0.0f;
    if (none_of(outside))
        return s;

    closest best;
    best.square = splat(0x1p126f);
    best.between = n;
    for (int64_t i = 0; i < h->planes; i++) // the nearest point lies on a face visible from x, up to rounding
    {
        f32 d = dot(splat_vec(h->plane + 4 * i), x) - splat(h->plane[4 * i + 3]);
        f32 rounding = 0x1p-20f * (reach_of(x) + magnitude(splat(h->plane[4 * i + 3])));
        i32 seen = outside & (d > -rounding);
        if (!none_of(seen))
            consider_face(&best, h, i, seen, x);
    }
    f32 len;
    vec away = direction(best.between, n, &len);
    i32 near_by = len <= 0x1p-22f * reach_of(x); // the difference is only rounding error: use the face's normal
    s.distance = pick(outside, len, s.distance);
    s.normal = pick_vec(outside & not_so(near_by), away, s.normal);
    return s;
}

#endif
