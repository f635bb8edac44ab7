// wind_face.h: the force of the wind on a face, as kernels compute it.
#pragma once
#include "backend/cuda/device_internal.h"

// ended: the stage that ends the substep, and does more than that, runs after this kernel. So the face computes the
// positions and velocities of its corners at the end itself.
// k: the number of the face. end: the phases at the end of an interval that begins.
static __device__ __forceinline__ point blow_on(const state *s, const air *wind, int32_t k, const uint32_t *index,
                                                bool ended, float drag, float lift, const gust_moment *m, bool first,
                                                const float *end)
{
    point x[3], v[3];
    for (int c = 0; c < 3; c++)
        x[c] = load_points(s->slot[SLOT_X] + index[c]), v[c] = load_points(s->slot[SLOT_V] + index[c]);
    for (int c = 0; c < 3 && ended; c++)
    {
        settled p = {x[c], load_points(s->slot[SLOT_D] + index[c]), v[c]};
        p = settle_slot(s, false, has_components(s), index[c], p);
        x[c] = p.x, v[c] = p.v;
    }
    float *const *gust = s->faces.gust;
    vec u =
        wind_between(wind, m, first, end, gust[0] + 4 * (size_t)k, gust[1] + 4 * (size_t)k, face_mean(x), face_mean(v));
    return wind_on_face(wind, u, x, v, drag, lift);
}
