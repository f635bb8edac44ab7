// skin.h: what the files of skins on the device share.
#pragma once
#include "cuda/inside.h"

// May the grain meet a skin until the horizon (collide/skin_flock.h)?
static __device__ __forceinline__ bool at_skin(const state &s, int32_t slot)
{
    return s.slot[SLOT_SKIN][4 * (size_t)slot + 3] == 1.0f;
}

// Making a list has failed: whatever follows does nothing.
static __device__ __forceinline__ bool halted(const skin_arrays &k) { return k.now->trouble != SKIN_FITS; }
