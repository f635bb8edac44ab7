// predict.h: predicts a particle's displacement in a substep without constraints.
//   BDF1   d = h v + h^2 a
//   BDF2   d = h v + 1/3 (d' - h v) + 2/9 h (v - v') + 4/9 h^2 a        (d', v': of the last substep)
// English and Bridson 2008; Macklin's form for position-based dynamics. In this order the coefficients sum to 1 without
// a rounding error, so that a uniform motion stays uniform. A particle of inverse mass 0 moves by its own velocity
// alone.
#pragma once
#include "core/vec.h"

PL_FN vec predict_first(f32 w, vec v, vec a, float h)
{
    f32 hh = keep(w > 0.0f, splat(h * h));
    return vec_of(h * v.x + hh * a.x, h * v.y + hh * a.y, h * v.z + hh * a.z);
}

PL_FN f32 predict_axis(f32 d1, f32 v, f32 v1, f32 a, float h)
{
    const float third = 1.0f / 3.0f, two = 2.0f / 9.0f, four = 4.0f / 9.0f;
    f32 u = h * v, u1 = h * v1;
    return u + (third * (d1 - u) + (two * (u - u1) + (four * (h * h)) * a));
}

PL_FN vec predict_second(f32 w, vec d1, vec v, vec v1, vec a, float h)
{
    vec free = vec_of(predict_axis(d1.x, v.x, v1.x, a.x, h), predict_axis(d1.y, v.y, v1.y, a.y, h),
                      predict_axis(d1.z, v.z, v1.z, a.z, h));
    return pick_vec(w > 0.0f, free, times(splat(h), v));
}
