// near_test.h: tests whether a vertex and a triangle, or two edges, that share no corner are near each other.
#pragma once
#include "collide/collision_filter.h"
#include "kernels/surface_contact.h"

typedef struct near_rule
{
    const float *x, *v, *rest, *collision; // 4 floats a slot: state.h
    // A pair is near if its gap is less than `near` plus what it may close of the gap until the horizon (s).
    float near, horizon;
} near_rule;

// index[i]: 4 * slot of each lane's i-th corner.
typedef const uint32_t *near_corners[4];

PL_FN closest near_points(bool vertex, const vec *x)
{
    return vertex ? point_triangle(x[0], x[1], x[2], x[3]) : edge_edge(x[0], x[1], x[2], x[3]);
}

PL_FN void gather_corners(const float *from, const near_corners index, vec *x, f32 *w)
{
    for (int i = 0; i < 4; i++)
    {
        point p = gather(from, index[i]);
        x[i] = at(p);
        w[i] = p.w;
    }
}

// The greatest speed at which a corner of one approaches a corner of the other along n. The two elements cannot
// approach each other faster.
PL_FN f32 near_closing(bool vertex, vec n, const vec *v)
{
    f32 a = dot(n, v[0]), b = dot(n, v[1]), c = dot(n, v[2]), d = dot(n, v[3]);
    f32 fast = vertex ? most(b, most(c, d)) - a : most(c, d) - least(a, b);
    return most(fast, splat(0.0f));
}

// The distance to keep: half the thickness of each side; for a particle of no surface, its radius.
PL_FN f32 reach_between(const near_rule *r, const near_corners index, bool vertex)
{
    f32 thick[4];
    for (int i = 0; i < 4; i++)
    {
        point own = gather(r->collision, index[i]);
        thick[i] = pick(own.w > 0.0f, own.z, 2.0f * own.x);
    }
    f32 back = most(thick[2], thick[3]);
    return vertex ? 0.5f * (thick[0] + most(thick[1], back)) : 0.5f * (most(thick[0], thick[1]) + back);
}

PL_FN i32 same_bits(f32 a, f32 b)
{
#if LANES == 1
    return bits_of(a) == bits_of(b);
#else
    return (i32)a == (i32)b;
#endif
}

// Within one object, the distance to keep is at most 0.9 of the distance at rest, so that a fine cloth does not push
// itself apart. `object` holds integer bits.
PL_FN f32 spare_neighbours(const near_rule *r, const near_corners index, bool vertex, f32 reach)
{
    vec rest[4];
    f32 object[4];
    gather_corners(r->rest, index, rest, object);
    i32 together = same_bits(object[0], object[1]) & same_bits(object[0], object[2]) & same_bits(object[0], object[3]);
    return pick(together, least(reach, 0.9f * root(near_points(vertex, rest).square)), reach);
}

// Are the two near each other?
PL_FN i32 are_near(const near_rule *r, const near_corners index, bool vertex)
{
    vec x[4], v[4];
    f32 w[4], gap;
    gather_corners(r->x, index, x, w);
    closest c = near_points(vertex, x);
    vec n = direction(c.between, vec_of(splat(0.0f), splat(0.0f), splat(0.0f)), &gap);
    if (!(r->horizon > 0.0f))
        return gap < r->near;
    gather_corners(r->v, index, v, w);
    return gap < r->near + r->horizon * near_closing(vertex, n, v);
}

// The distance to keep between the two.
PL_FN f32 near_distance(const near_rule *r, const near_corners index, bool vertex)
{
    return spare_neighbours(r, index, vertex, reach_between(r, index, vertex));
}
