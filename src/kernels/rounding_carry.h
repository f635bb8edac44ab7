// rounding_carry.h: what could not be added to a position, kept for the velocity.
//
// A position of 10 m moves in steps of a micrometre. Over a substep of a millisecond gravity's share of the way is about as
// much: x + d rounds it off, and a velocity that is made of differences of positions never learns of it. So the part that
// a prediction and the way to a body's goal have lost waits in the fourth number of SLOT_X0, which costs no memory, and the velocity
// has it back: for each axis ten bits, in 256ths of the step between positions there, up to two steps. More is lost only by a way that
// is longer than x0 itself and has digits enough; of that the ten bits are what they are, less than what was lost.
//
// The bits are never a number: the topmost two are zero, so that no processor takes them for a NaN.
#pragma once
#include "core/vec.h"

// A number of 2^k has steps of 2^(k - 23), and 2^8 parts make a step. 1/x of a power of two has the exponent 254 - e.
#define ROUNDING_PART 0x1p-31f
#define ROUNDING_EXPONENT 0x7f800000

// How many parts. Of x0 = 0, where a part is nothing, any number.
PL_FN f32 rounding_parts(f32 x0, f32 lost)
{
    return 1.0f / ROUNDING_PART * lost * of_lane_bits(0x7f000000 - (lane_bits(x0) & ROUNDING_EXPONENT));
}

// 2^23 * 1.5 keeps the whole part of what is added to it, rounded to the nearest, in its low bits.
PL_FN i32 rounding_bits(f32 parts) { return lane_bits(parts + 12582912.0f) & 1023; }
PL_FN f32 rounding_whole(i32 bits) { return of_lane_bits(((bits & 1023) ^ 512) | 0x4b000000) - 8389120.0f; }

PL_FN f32 rounding_pack(i32 x, i32 y, i32 z) { return of_lane_bits(x | y << 10 | z << 20); }

// The fourth number of x0 when so much has been lost.
PL_FN f32 rounding_first(point x0, vec lost)
{
    return rounding_pack(rounding_bits(rounding_parts(x0.x, lost.x)), rounding_bits(rounding_parts(x0.y, lost.y)),
                         rounding_bits(rounding_parts(x0.z, lost.z)));
}

PL_FN i32 rounding_add(f32 x0, i32 bits, f32 lost)
{
    return rounding_bits(clamp(rounding_whole(bits) + rounding_parts(x0, lost), -511.0f, 511.0f));
}

// ... and when so much more has been, in a substep that began at x0 as it lies in SLOT_X0.
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

// All that it has lost.
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

// What of d has not come to x + d, which is `next`.
PL_FN vec rounding_error(point x, vec d, point next) { return sub(d, sub(at(next), at(x))); }
