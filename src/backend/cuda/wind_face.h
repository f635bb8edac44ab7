// wind_face.h: the force of the wind on a face, as kernels compute it.
#pragma once
#include "backend/cuda/device_internal.h"

// ended: the stage that writes the velocities of the substep's end, and does more than that, runs after this kernel. So
// the face computes the velocities of its corners itself.
static __device__ __forceinline__ point blow_on(const state *s, const air *wind, const uint32_t *index, bool ended,
                                                float drag, float lift)
{
    float inverse_h = 1.0f / s->h;
    point x[3], v[3];
    for (int c = 0; c < 3; c++)
        x[c] = load_points(s->slot[SLOT_X] + index[c]), v[c] = load_points(s->slot[SLOT_V] + index[c]);
    for (int c = 0; c < 3 && ended; c++)
        v[c] = velocity_slot(s, false, inverse_h, index[c], x[c], v[c]);
    return wind_on_face(wind, x, v, drag, lift);
}
