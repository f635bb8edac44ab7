// crowd.h: the particles that may meet each other, and who of them may. The phase of a particle is 32 bits:
//   0-15 group   16 self   17 filter   18 fluid   19-23 material   24-31 mask
#pragma once
#include "core/lane.h"

#include <stdbool.h>

enum phase_bit
{
    PHASE_GROUP = 0xffff,
    PHASE_SELF = 1 << 16,
    PHASE_FILTER = 1 << 17,
    PHASE_FLUID = 1 << 18,
    PHASE_MATERIAL_AT = 19,
    PHASE_MASK_AT = 24,
};

// Particles of one object that lie nearer at rest than this many sums of their radii are held by its links, the diagonals of touching balls
// among them: as contacts they would only be looked at, again and again.
#define SPARED_REACH 1.5f

typedef struct crowd
{
    const float *x;      // 4 floats a slot: position, inverse mass
    const float *grain;  // radius, phase, thickness
    const float *rest;   // position at rest, object; NULL: everybody may touch everybody
    const int32_t *slot; // of those with a radius
    int32_t count;
    float radius; // the largest
    float margin; // pairs nearer than the sum of radii and this are neighbours
} crowd;

PL_FN uint32_t phase_of(const float *grain, int32_t slot) { return bits_of(grain[4 * (size_t)slot + 1]); }
PL_FN int material_of(uint32_t phase) { return phase >> PHASE_MATERIAL_AT & 31; }

// Is the particle a corner of a skin? One with a thickness that no face has is none.
PL_FN bool is_skin(const float *grain, int32_t slot) { return grain[4 * (size_t)slot + 3] > 0.0f; }

// Does the particle meet others by its radius?
PL_FN bool is_grain(const float *grain, int32_t slot)
{
    return grain[4 * (size_t)slot] > 0.0f && !is_skin(grain, slot);
}

// May two particles, given by their slots, touch at all?
PL_FN bool may_touch(const crowd *c, int32_t a, int32_t b)
{
    uint32_t p = phase_of(c->grain, a), q = phase_of(c->grain, b), both = p & q;
    if (both >> PHASE_MASK_AT == 0 || both & PHASE_FLUID)
        return false;
    if (c->x[4 * (size_t)a + 3] == 0.0f && c->x[4 * (size_t)b + 3] == 0.0f)
        return false; // neither can move
    if (is_skin(c->grain, a) || is_skin(c->grain, b))
        return false; // skins are met as surfaces
    if ((p ^ q) & PHASE_GROUP)
        return true;
    if (!(both & PHASE_SELF))
        return false;
    const float *ra = c->rest + 4 * (size_t)a, *rb = c->rest + 4 * (size_t)b;
    if (!((p | q) & PHASE_FILTER) || bits_of(ra[3]) != bits_of(rb[3]))
        return true;
    float x = ra[0] - rb[0], y = ra[1] - rb[1], z = ra[2] - rb[2];
    float reach = SPARED_REACH * (c->grain[4 * (size_t)a] + c->grain[4 * (size_t)b]);
    return x * x + y * y + z * z >= reach * reach;
}
