// rounding.h: what could not be added to a position, kept for the velocity.
//
// A position of 10 m moves in steps of a micrometre. Over a substep of a millisecond gravity's share of the way is about as
// much: x + d rounds it off, and a velocity that is made of differences of positions never learns of it. So the part that
// a prediction and the way to a body's goal have lost, in 256ths of a step of the position that the substep begins at, ten bits for
// each axis, waits in the fourth number of SLOT_X0, which costs no memory, and the velocity has it back.
//
// The bits are never a number: the topmost two are zero, so that no processor takes them for a NaN.
#pragma once
#include "core/vec.h"

// 2^23 * 1.5: what is added to it keeps its whole part, rounded to the nearest, in the low bits of the sum.
#define ROUNDING_WHOLE 12582912.0f

// The 256th part of the step from x to the next float, at least that of a micrometre. A power of two.
PL_FN f32 rounding_unit(f32 x)
{
    f32 binade = of_lane_bits(lane_bits(x) & 0x7f800000);
    return most(binade, splat(0x1p-20f)) * 0x1p-31f;
}

// 1/unit, exactly: the exponent, the other way round.
PL_FN f32 rounding_scale(f32 unit) { return of_lane_bits(0x7f000000 - lane_bits(unit)); }

// Ten bits of what x0's substep has lost so far. Two steps at the most: more is lost only where a way is as long as x0, and needs no help.
PL_FN i32 rounding_bits(f32 x0, f32 lost)
{
    f32 parts = lost * rounding_scale(rounding_unit(x0));
    return lane_bits(clamp(parts, -511.0f, 511.0f) + ROUNDING_WHOLE) & 1023;
}

PL_FN f32 rounding_found(f32 x0, i32 bits)
{
    f32 whole = of_lane_bits(((bits & 1023) ^ 512) | 0x4b000000); // 2^23 + 512 + what it is
    return (whole - 8389120.0f) * rounding_unit(x0);
}

PL_FN f32 rounding_pack(point x0, vec lost)
{
    return of_lane_bits(rounding_bits(x0.x, lost.x) | rounding_bits(x0.y, lost.y) << 10 |
                        rounding_bits(x0.z, lost.z) << 20);
}

// x0 as it lies in SLOT_X0.
PL_FN vec rounding_unpack(point x0)
{
    i32 bits = lane_bits(x0.w);
    return vec_of(rounding_found(x0.x, bits), rounding_found(x0.y, bits >> 10), rounding_found(x0.z, bits >> 20));
}

// ... once more has been lost.
PL_FN f32 rounding_more(point x0, vec lost) { return rounding_pack(x0, add(rounding_unpack(x0), lost)); }

PL_FN point stepped(point x, vec d)
{
    point r = {x.x + d.x, x.y + d.y, x.z + d.z, x.w};
    return r;
}

// What of d has not come to x + d, which is `next`.
PL_FN vec rounded_off(point x, vec d, point next) { return sub(d, sub(at(next), at(x))); }
