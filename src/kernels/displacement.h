// displacement.h: positions as x + d: x, where a particle is at the substep's start, and d, its displacement since.
//
// A position of 10 m changes in steps of a micrometre. In a substep of a millisecond a constraint may push a particle
// by less: added to the position, the push is lost. So a substep changes d alone, which is small, and never x. A row
// computes its points relative to its first point, (x_k - x_0) + (d_k - d_0), where the large coordinates cancel without
// an error. At the end of the substep the position becomes x + d, rounded, and the part that is rounded off, `low`, is
// kept in the fourth number of SLOT_X. The next substep begins with d = low + h v...: so the start is x + low, and the
// displacement of the substep, from which its velocity comes, is d - low.
//
// The low part has ten bits for each axis, in 512ths of the spacing of float32 at x. The bits are never used as a
// float; the topmost two are zero, so that no processor takes them for a NaN.
#pragma once
#include "core/vec.h"

// A number of 2^k has a spacing of 2^(k - 23), and 2^9 parts make one spacing. The reciprocal of a power of two with
// the exponent bits e has the exponent bits 254 - e.
#define LOW_PART 0x1p-32f
#define LOW_EXPONENT 0x7f800000

// The error of x + d = sum, exactly, for any x and d (Knuth's two-sum).
PL_FN f32 sum_error(f32 x, f32 d, f32 sum)
{
    f32 of_d = sum - x;
    return (x - (sum - of_d)) + (d - of_d);
}

// Converts the error into parts, at most 256 of either sign. Adding 2^23 * 1.5 leaves the nearest whole number in the
// low bits. For x = 0 the error is 0.
PL_FN i32 low_bits(f32 x, f32 error)
{
    f32 parts = 1.0f / LOW_PART * error * of_lane_bits(0x7f000000 - (lane_bits(x) & LOW_EXPONENT));
    return lane_bits(parts + 12582912.0f) & 1023;
}

// The inverse of low_bits.
PL_FN f32 low_of(f32 x, i32 bits)
{
    f32 parts = of_lane_bits(((bits & 1023) ^ 512) | 0x4b000000) - 8389120.0f;
    return parts * (LOW_PART * of_lane_bits(lane_bits(x) & LOW_EXPONENT));
}

// The low part of a position, which SLOT_X holds: its start is x + low.
PL_FN vec low_part(point x)
{
    i32 bits = lane_bits(x.w);
    return vec_of(low_of(x.x, bits), low_of(x.y, bits >> 10), low_of(x.z, bits >> 20));
}

// The position x + d and its low part. x's own low part is not added: at a substep's end d contains it.
PL_FN point moved_to(point x, vec d)
{
    vec to = add(at(x), d);
    i32 bits = low_bits(to.x, sum_error(x.x, d.x, to.x)) | low_bits(to.y, sum_error(x.y, d.y, to.y)) << 10 |
               low_bits(to.z, sum_error(x.z, d.z, to.z)) << 20;
    point r = {to.x, to.y, to.z, of_lane_bits(bits)};
    return r;
}

// The displacement since the substep's start.
PL_FN vec moved_by(point x, point d) { return sub(at(d), low_part(x)); }
