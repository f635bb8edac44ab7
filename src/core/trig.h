// trig.h: sine, cosine and arc tangent of our own, so that the results do not depend on a libm.
//
// Polynomials on reduced intervals. The coefficients minimise the maximum error in float32 (Remez exchange in double,
// then rounded). tests/core/test_trig.c measures the remaining error: below 2.5e-7 absolute for sine_of_turns, 4e-7 for
// angle_of.
#pragma once
#include "core/lane.h"

// Rounds to the nearest whole number, for |a| < 2^22. Adding 1.5 * 2^23 pushes the fraction out of the mantissa.
PL_FN f32 nearest(f32 a)
{
    const float push = 12582912.0f;
    return (a + push) - push;
}

// sin(2 pi t): t in turns, any |t| < 2^22.
PL_FN f32 sine_of_turns(f32 t)
{
    f32 a = t - nearest(t);           // [-0.5, 0.5]
    a = pick(a > 0.25f, 0.5f - a, a); // fold to [-0.25, 0.25]: sin(pi - x) = sin(x)
    a = pick(a < -0.25f, -0.5f - a, a);
    f32 s = a * a;
    f32 p = s * 39.5367081f - 76.5497826f;
    p = p * s + 81.6010041f;
    p = p * s - 41.341655f;
    p = p * s + 6.28318516f;
    return a * p;
}

PL_FN f32 cosine_of_turns(f32 t) { return sine_of_turns(t + 0.25f); }

// atan2(y, x) in radians, in [-pi, pi]; 0 when both are 0.
PL_FN f32 angle_of(f32 y, f32 x)
{
#if defined(LANE_DOUBLE) // the gradient check differentiates this numerically and would see the polynomial's ripple
    return atan2(y, x);
#else
    f32 ax = magnitude(x), ay = magnitude(y);
    i32 steep = ay > ax;
    f32 big = pick(steep, ay, ax), small = pick(steep, ax, ay);
    i32 live = big > 0.0f;
    f32 a = keep(live, small / pick(live, big, splat(1.0f))); // [0, 1]
    f32 s = a * a;
    f32 p = s * 0.00245672384f - 0.014401354f;
    p = p * s + 0.039781215f;
    p = p * s - 0.0723485638f;
    p = p * s + 0.104989454f;
    p = p * s - 0.141612289f;
    p = p * s + 0.199859067f;
    p = p * s - 0.33332597f;
    p = p * s + 0.999999886f;
    f32 r = a * p;
    r = pick(steep, 1.57079633f - r, r);
    r = pick(x < 0.0f, 3.14159265f - r, r);
    return pick(y < 0.0f, -r, r);
#endif
}
