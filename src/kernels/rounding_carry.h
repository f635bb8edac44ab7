// rounding_carry.h: keeps the rounding error of a position and adds it to the velocity, so that slow motion is not
// lost.
//
// A position of 10 m changes in steps of a micrometre. In a substep of a millisecond gravity moves a particle by about
// as much: x + d rounds it off, and a velocity computed from differences of positions misses it. So the part that a
// prediction and the motion to a body's goal lose is stored in the fourth number of SLOT_X0, which costs no memory, and
// the velocity adds it again. Each axis has ten bits, in 256ths of the spacing of float32 at that position, up to two
// spacings. A larger loss occurs only if the displacement is longer than x0 itself and has enough digits; the ten bits
// then hold less than what was lost.
//
// The bits are never used as a number: the topmost two are zero, so that no processor takes them for a NaN.
#pragma once
#include "core/vec.h"

// A number of 2^k has a spacing of 2^(k - 23), and 2^8 parts make one spacing. 1/x of a power of two has the exponent
// 254 - e.
#define ROUNDING_PART 0x1p-31f
#define ROUNDING_EXPONENT 0x7f800000

// Converts a loss into parts. For x0 = 0, where a part is 0, the result is arbitrary.
PL_FN f32 rounding_parts(f32 x0, f32 lost)
{
    return 1.0f / ROUNDING_PART * lost * of_lane_bits(0x7f000000 - (lane_bits(x0) & ROUNDING_EXPONENT));
}

// Adding 2^23 * 1.5 leaves the nearest whole number in the low bits.
PL_FN i32 rounding_bits(f32 parts) { return lane_bits(parts + 12582912.0f) & 1023; }
PL_FN f32 rounding_whole(i32 bits) { return of_lane_bits(((bits & 1023) ^ 512) | 0x4b000000) - 8389120.0f; }

PL_FN f32 rounding_pack(i32 x, i32 y, i32 z) { return of_lane_bits(x | y << 10 | z << 20); }

// Returns the fourth number of x0 for a first loss.
PL_FN f32 rounding_first(point x0, vec lost)
{
    return rounding_pack(rounding_bits(rounding_parts(x0.x, lost.x)), rounding_bits(rounding_parts(x0.y, lost.y)),
                         rounding_bits(rounding_parts(x0.z, lost.z)));
}

PL_FN i32 rounding_add(f32 x0, i32 bits, f32 lost)
{
    return rounding_bits(clamp(rounding_whole(bits) + rounding_parts(x0, lost), -511.0f, 511.0f));
}

// Returns it after a further loss in the same substep; x0 as SLOT_X0 holds it.
PL_FN f32 rounding_more(point x0, vec lost)
{
    i32 bits = lane_bits(x0.w);
    return rounding_pack(rounding_add(x0.x, bits, lost.x), rounding_add(x0.y, bits >> 10, lost.y),
                         rounding_add(x0.z, bits >> 20, lost.z));
}

PL_FN f32 rounding_found(f32 x0, i32 bits)
{
    return rounding_whole(bits) * (ROUNDING_PART * of_lane_bits(lane_bits(x0) & ROUNDING_EXPONENT));
}

// Returns the accumulated loss.
PL_FN vec rounding_sum(point x0)
{
    i32 bits = lane_bits(x0.w);
    return vec_of(rounding_found(x0.x, bits), rounding_found(x0.y, bits >> 10), rounding_found(x0.z, bits >> 20));
}

PL_FN point stepped(point x, vec d)
{
    point r = {x.x + d.x, x.y + d.y, x.z + d.z, x.w};
    return r;
}

// The part of d that is missing in `next` = x + d.
PL_FN vec rounding_error(point x, vec d, point next) { return sub(d, sub(at(next), at(x))); }
