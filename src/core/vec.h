// vec.h: three-component vectors of lanes.
#pragma once
#include "core/lane.h"

typedef struct vec
{
    f32 x, y, z;
} vec;

PL_FN vec vec_of(f32 x, f32 y, f32 z)
{
    vec r = {x, y, z};
    return r;
}

// The same three numbers in every lane.
PL_FN vec splat_vec(const float *a) { return vec_of(splat(a[0]), splat(a[1]), splat(a[2])); }

PL_FN vec at(point p) { return vec_of(p.x, p.y, p.z); }

#if !defined(LANE_DOUBLE)
// The vector from the particles at `from` to those at `to`. The difference is taken before the transpose.
PL_FN vec gather_between(const float *x, const uint32_t *to, const uint32_t *from)
{
#if LANES == 1
    point a = gather(x, to), b = gather(x, from);
    return vec_of(a.x - b.x, a.y - b.y, a.z - b.z);
#else
#define AT(k) (quad_at(x, to[k]) - quad_at(x, from[k]))
    point rows = {JOIN(AT, 0), JOIN(AT, 1), JOIN(AT, 2), JOIN(AT, 3)};
#undef AT
    return at(transpose(rows));
#endif
}
#endif

PL_FN vec add(vec a, vec b) { return vec_of(a.x + b.x, a.y + b.y, a.z + b.z); }
PL_FN vec sub(vec a, vec b) { return vec_of(a.x - b.x, a.y - b.y, a.z - b.z); }
PL_FN vec times(f32 s, vec a) { return vec_of(s * a.x, s * a.y, s * a.z); }
PL_FN f32 dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
PL_FN f32 square(vec a) { return dot(a, a); }
PL_FN f32 length(vec a) { return root(dot(a, a)); }

PL_FN vec cross(vec a, vec b) { return vec_of(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }

PL_FN vec keep_vec(i32 mask, vec a) { return vec_of(keep(mask, a.x), keep(mask, a.y), keep(mask, a.z)); }
PL_FN vec pick_vec(i32 mask, vec a, vec b)
{
    return vec_of(pick(mask, a.x, b.x), pick(mask, a.y, b.y), pick(mask, a.z, b.z));
}
