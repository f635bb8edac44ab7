// skin.h: what the files of skins on the device share.
#pragma once
#include "backend/cuda/device_internal.h"

// May the grain meet a skin until the horizon (neighbours/surface/particles_near_surface.h)?
static __device__ __forceinline__ bool at_surface(const state &s, int32_t slot)
{
    return s.slot[SLOT_SURFACE][4 * (size_t)slot + 3] == 1.0f;
}

// Making a list has failed: whatever follows does nothing.
static __device__ __forceinline__ bool halted(const surface_arrays &k) { return k.now->trouble != SURFACE_FITS; }
