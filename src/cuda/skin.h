// skin.h: what the files of skins on the device share.
#pragma once
#include "cuda/inside.h"

// Making a list has failed: whatever follows does nothing.
static __device__ __forceinline__ bool halted(const skin_arrays &k) { return k.now->trouble != SKIN_FITS; }
