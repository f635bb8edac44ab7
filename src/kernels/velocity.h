// velocity.h: computes the velocity from a substep's displacement.
//   BDF1   v = d/h
//   BDF2   v = (3/2 d - 1/2 d')/h = (d + (d - d')/2)/h            (d': of the last substep)
// then v/(1 + damping h): dv/dt = -damping v by implicit Euler, which no damping can make unstable. A product with 1/h
// instead of the division would change a uniform velocity by the rounding error of 1/h in every substep.
// A kinematic particle (w = 0) keeps its given velocity.
#pragma once
#include "kernels/contact.h"

// fade: 1/(1 + damping h).
PL_FN vec velocity_first(vec d, float h, float fade)
{
    return vec_of(fade * (d.x / h), fade * (d.y / h), fade * (d.z / h));
}

PL_FN vec velocity_second(vec d, vec d1, float h, float fade)
{
    return velocity_first(add(d, times(splat(0.5f), sub(d, d1))), h, fade);
}

// The error of a product p = a b (Dekker 1971).
PL_FN f32 product_error(f32 a, f32 b, f32 p)
{
    f32 sa = 4097.0f * a, sb = 4097.0f * b, ha = sa - (sa - a), hb = sb - (sb - b), la = a - ha, lb = b - hb;
    return ((ha * hb - p) + ha * lb + la * hb) + la * lb;
}

// The part of d/h that the velocity v = d/h has lost by rounding. What is added to v later is small, and with v alone
// would be rounded to the same side in every substep: together with this part it is not.
PL_FN f32 velocity_lost_axis(f32 d, f32 low, f32 v, float h)
{
    f32 p = v * h;
    return (((d - p) - product_error(v, splat(h), p)) + low) / h;
}

PL_FN vec velocity_lost_first(vec d, vec v, float h)
{
    f32 none = splat(0.0f);
    return vec_of(velocity_lost_axis(d.x, none, v.x, h), velocity_lost_axis(d.y, none, v.y, h),
                  velocity_lost_axis(d.z, none, v.z, h));
}

PL_FN f32 velocity_lost_second_axis(f32 d, f32 d1, f32 v, float h)
{
    f32 half = 0.5f * (d - d1), sum = d + half, of_half = sum - d;
    return velocity_lost_axis(sum, (d - (sum - of_half)) + (half - of_half), v, h);
}

PL_FN vec velocity_lost_second(vec d, vec d1, vec v, float h)
{
    return vec_of(velocity_lost_second_axis(d.x, d1.x, v.x, h), velocity_lost_second_axis(d.y, d1.y, v.y, h),
                  velocity_lost_second_axis(d.z, d1.z, v.z, h));
}

// The same from the velocity v at the substep's start, that before, v1, and the displacement `pushed` by constraints
// beyond the prediction with acceleration a:
//   BDF1   v + h a + pushed/h
//   BDF2   v + (v - v1)/3 + 2/3 h a + 3/2 pushed/h
// Small numbers are added to v, so their momentum is not rounded off always to the same side.
PL_FN vec velocity_pushed_first(vec v, vec a, vec pushed, float h, float fade)
{
    vec change = add(times(splat(h), a), times(splat(1.0f / h), pushed));
    return times(splat(fade), add(v, change));
}

PL_FN vec velocity_pushed_second(vec v, vec v1, vec a, vec pushed, float h, float fade)
{
    vec free = add(times(splat(1.0f / 3.0f), sub(v, v1)), times(splat(2.0f / 3.0f * h), a));
    return times(splat(fade), add(v, add(free, times(splat(1.5f / h), pushed))));
}

// Returns `next` for a free particle and the old v for a kinematic one; the impact speed in w decays.
PL_FN point velocity_of(f32 w, vec next, point v)
{
    vec r = pick_vec(w > 0.0f, next, at(v));
    point p = {r.x, r.y, r.z, struck_fades(v.w)};
    return p;
}
