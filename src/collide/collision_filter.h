// collision_filter.h: the phase of a particle: 32 bits that say what it collides with. The filters in
// neighbours/query.h read them. Bits:
//   0-15 group   16 self   17 filter   18 fluid   19 inactive   24-31 mask
#pragma once
#include "core/lane.h"

#include <stdbool.h>

enum phase_bit
{
    PHASE_GROUP = 0xffff,
    PHASE_SELF = 1 << 16,
    PHASE_FILTER = 1 << 17,
    PHASE_FLUID = 1 << 18,
    PHASE_INACTIVE = 1 << 19, // in the reserve of an emitter (groups/emission.h); its mask is 0
    PHASE_MASK_AT = 24,
};

// Particles of one object whose distance at rest is less than this many sums of their radii are not contact pairs: the
// object's links hold them, the diagonals of touching balls included, so testing them as contacts would be wasted work.
#define SPARED_REACH 1.5f

PL_FN uint32_t phase_of(const float *collision, int32_t slot) { return bits_of(collision[4 * (size_t)slot + 1]); }

PL_FN bool is_inactive(const float *collision, int32_t slot)
{
    return (phase_of(collision, slot) & PHASE_INACTIVE) != 0;
}

// Is the particle a corner of a collision surface? A particle with a thickness that belongs to no face is not.
PL_FN bool is_surface(const float *collision, int32_t slot) { return collision[4 * (size_t)slot + 3] > 0.0f; }

// The material m, and whether the particle is a corner, are one number: m + 1 of a corner, -m of all others. Float32
// holds them exactly up to 2^24.
PL_FN int material_of(const float *collision, int32_t slot)
{
    float both = collision[4 * (size_t)slot + 3];
    return (int)(both > 0.0f ? both - 1.0f : -both);
}
PL_FN void put_corner(float *collision, int32_t slot, bool corner, int material)
{
    collision[4 * (size_t)slot + 3] = corner ? (float)material + 1.0f : 0.0f - (float)material;
}
PL_FN void put_slot_material(float *collision, int32_t slot, int material)
{
    put_corner(collision, slot, is_surface(collision, slot), material);
}

// Does the particle collide as a sphere of its radius?
PL_FN bool is_free_particle(const float *collision, int32_t slot)
{
    return collision[4 * (size_t)slot] > 0.0f && !is_surface(collision, slot);
}
