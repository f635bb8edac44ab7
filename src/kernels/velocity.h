// velocity.h: computes the velocity from a substep's displacement.
//   BDF1   v = (x - x0)/h
//   BDF2   v = (3/2 x - 2 x0 + 1/2 x1)/h = (3/2 (x - x0) - 1/2 (x0 - x1))/h
// then v/(1 + damping h): dv/dt = -damping v by implicit Euler, which no damping can make unstable.
// x - x0 includes what the prediction rounded off (rounding_carry.h). A kinematic particle (w = 0) keeps its given
// velocity.
#pragma once
#include "kernels/contact.h"
#include "kernels/rounding_carry.h"

// The displacement; x0 as the prediction left it in SLOT_X0.
PL_FN vec way_gone(point x, point x0) { return add(sub(at(x), at(x0)), rounding_sum(x0)); }

PL_FN point velocity_first(point x, point x0, point v, float inverse_h, float fade)
{
    i32 free = x.w > 0.0f;
    float s = inverse_h * fade;
    vec d = way_gone(x, x0);
    point r = {pick(free, s * d.x, v.x), pick(free, s * d.y, v.y), pick(free, s * d.z, v.z), struck_fades(v.w)};
    return r;
}

PL_FN point velocity_second(point x, point x0, point x1, point v, float inverse_h, float fade)
{
    i32 free = x.w > 0.0f;
    float s = inverse_h * fade;
    vec d = way_gone(x, x0);
    point r = {pick(free, s * (1.5f * d.x - 0.5f * (x0.x - x1.x)), v.x),
               pick(free, s * (1.5f * d.y - 0.5f * (x0.y - x1.y)), v.y),
               pick(free, s * (1.5f * d.z - 0.5f * (x0.z - x1.z)), v.z), struck_fades(v.w)};
    return r;
}
