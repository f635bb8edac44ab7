// surface_internal.h: functions that the files of the self-collision of surfaces share on the device.
#pragma once
#include "backend/cuda/device_internal.h"

// May the particle meet a surface until the horizon (neighbours/surface/particles_near_surface.h)?
static __device__ __forceinline__ bool at_surface(const state &s, int32_t slot)
{
    return s.slot[SLOT_SURFACE][4 * (size_t)slot + 3] == 1.0f;
}

// Has making the list failed? Then the kernels that follow do nothing.
static __device__ __forceinline__ bool halted(const surface_arrays &k) { return k.now->trouble != SURFACE_FITS; }
