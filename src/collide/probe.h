// probe.h: the signed distance of a point from an analytic shape: plane, sheet, sphere, capsule, box. All exact, inside
// and outside.
//   distance: signed [m], negative inside      normal: unit, outward: the direction in which the distance grows fastest
// A shape is given in its own frame; the caller transforms the point into that frame and rotates the normal back. Where
// several directions are equally near (a sphere's centre, a capsule's axis) the choice is the same on all backends.
#pragma once
#include "core/vec.h"

typedef struct surface_distance
{
    f32 distance;
    vec normal;
} surface_distance;

PL_FN vec negative(vec a) { return vec_of(-a.x, -a.y, -a.z); }
PL_FN i32 not_so(i32 mask) { return mask == 0; } // not ~: the mask of a scalar is 1

// The largest of |x|, |y|, |z|.
PL_FN f32 reach_of(vec a) { return most(most(magnitude(a.x), magnitude(a.y)), magnitude(a.z)); }

// Returns the direction of d and its length; `fallback` where d is (nearly) 0. Very small and very large vectors are
// first scaled by a power of two, which is exact, so that their squares neither underflow nor overflow.
PL_FN vec direction(vec d, vec fallback, f32 *len)
{
    f32 size = reach_of(d);
    f32 scale = pick(size > 0x1p60f, splat(0x1p-64f), pick(size < 0x1p-40f, splat(0x1p64f), splat(1.0f)));
    vec s = times(scale, d);
    f32 l = length(s);
    i32 some = size > 0x1p-100f;
    *len = keep(some, l / scale);
    f32 safe = pick(some, l, splat(1.0f));
    return pick_vec(some, vec_of(s.x / safe, s.y / safe, s.z / safe), fallback);
}

// Returns a unit vector perpendicular to d, made from the axis that d follows least. d = 0 gives an axis.
PL_FN vec across(vec d)
{
    f32 x = magnitude(d.x), y = magnitude(d.y), z = magnitude(d.z), none = splat(0.0f), one = splat(1.0f);
    i32 by_x = (x <= y) & (x <= z), by_y = not_so(by_x) & (y <= z);
    vec axis = vec_of(pick(by_x, one, none), pick(by_y, one, none), pick(by_x | by_y, none, one));
    f32 len;
    vec unit = direction(d, vec_of(none, none, none), &len);
    return direction(cross(unit, axis), axis, &len);
}

// The half space behind the plane n . x = offset; n has unit length.
PL_FN surface_distance probe_plane(vec x, vec n, f32 offset)
{
    surface_distance s = {dot(n, x) - offset, n};
    return s;
}

// A two-sided plane, `half` thick to either side. A point on the middle plane counts as in front.
PL_FN surface_distance probe_sheet(vec x, vec n, f32 offset, f32 half)
{
    f32 d = dot(n, x) - offset;
    i32 back = d < 0.0f;
    surface_distance s = {magnitude(d) - half, pick_vec(back, negative(n), n)};
    return s;
}

PL_FN surface_distance probe_sphere(vec x, vec centre, f32 radius)
{
    f32 len;
    vec up = vec_of(splat(0.0f), splat(1.0f), splat(0.0f));
    vec n = direction(sub(x, centre), up, &len);
    surface_distance s = {len - radius, n};
    return s;
}

// All points within `radius` of the segment from a to b; a = b is a sphere.
PL_FN surface_distance probe_capsule(vec x, vec a, vec b, f32 radius)
{
    vec axis = sub(b, a), d = sub(x, a);
    f32 aa = square(axis);
    i32 line = aa > 0.0f;
    f32 t = keep(line, clamp(dot(d, axis) / pick(line, aa, splat(1.0f)), 0.0f, 1.0f));
    f32 len;
    vec n = direction(sub(d, times(t, axis)), across(axis), &len);
    surface_distance s = {len - radius, n};
    return s;
}

// A box about the origin with half sides `half`, grown and rounded by `radius` (0: sharp edges).
PL_FN surface_distance probe_box(vec x, vec half, f32 radius)
{
    f32 none = splat(0.0f), one = splat(1.0f), len;
    vec sign = vec_of(pick(x.x < 0.0f, -one, one), pick(x.y < 0.0f, -one, one), pick(x.z < 0.0f, -one, one));
    vec q = vec_of(magnitude(x.x) - half.x, magnitude(x.y) - half.y, magnitude(x.z) - half.z);

    // Inside, the nearest face gives the normal.
    f32 deep = most(most(q.x, q.y), q.z);
    i32 by_x = q.x >= deep, by_y = not_so(by_x) & (q.y >= deep);
    vec face = vec_of(keep(by_x, sign.x), keep(by_y, sign.y), pick(by_x | by_y, none, sign.z));

    vec o = vec_of(most(q.x, none), most(q.y, none), most(q.z, none));
    vec n = direction(vec_of(sign.x * o.x, sign.y * o.y, sign.z * o.z), face, &len);
    i32 outside = len > 0.0f;
    surface_distance s = {pick(outside, len, deep) - radius, pick_vec(outside, n, face)};
    return s;
}
