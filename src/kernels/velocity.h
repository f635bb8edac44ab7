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

// Returns `next` for a free particle and the old v for a kinematic one; the impact speed in w decays.
PL_FN point velocity_of(f32 w, vec next, point v)
{
    vec r = pick_vec(w > 0.0f, next, at(v));
    point p = {r.x, r.y, r.z, struck_fades(v.w)};
    return p;
}
