// predict.h: predicts a particle's position at the end of a substep without constraints.
//   BDF1   x~ = x + h v + h^2 a
//   BDF2   x~ = 4/3 x - 1/3 x' + 8/9 h v - 2/9 h v' + 4/9 h^2 a        (x', v': one substep earlier)
// English and Bridson 2008; Macklin's form for position-based dynamics. x' enters as a difference, so that large
// coordinates cancel first. A particle of inverse mass 0 moves by its own velocity alone.
#pragma once
#include "kernels/rounding_carry.h"

typedef struct prediction
{
    point next;
    f32 lost; // packed rounding error: rounding_carry.h
} prediction;

PL_FN prediction predict_by(point x, vec d)
{
    point next = stepped(x, d);
    prediction r = {next, rounding_first(x, rounding_error(x, d, next))};
    return r;
}

PL_FN vec way_first(point x, point v, vec a, float h)
{
    f32 hh = keep(x.w > 0.0f, splat(h * h));
    return vec_of(h * v.x + hh * a.x, h * v.y + hh * a.y, h * v.z + hh * a.z);
}

PL_FN prediction predict_first(point x, point v, vec a, float h) { return predict_by(x, way_first(x, v, a, h)); }

PL_FN f32 way_second(f32 x, f32 x1, f32 v, f32 v1, f32 a, float h)
{
    const float third = 1.0f / 3.0f, e = 8.0f / 9.0f, t = 2.0f / 9.0f, f = 4.0f / 9.0f;
    return third * (x - x1) + (h * (e * v - t * v1) + (f * (h * h)) * a);
}

PL_FN prediction predict_second(point x, point x1, point v, point v1, vec a, float h)
{
    vec held = way_first(x, v, a, h); // used for kinematic particles
    i32 free = x.w > 0.0f;
    vec d = {pick(free, way_second(x.x, x1.x, v.x, v1.x, a.x, h), held.x),
             pick(free, way_second(x.y, x1.y, v.y, v1.y, a.y, h), held.y),
             pick(free, way_second(x.z, x1.z, v.z, v1.z, a.z, h), held.z)};
    return predict_by(x, d);
}
