// rigid_row_bodies.h: the bodies of rows of contacts between rigid bodies: finds their frames, and stores what moves.
#pragma once
#include "elements/frame_rotation.h"
#include "stages/stage_common.h"

PL_FN frame_lanes rigid_frames(const packed_rigid_contacts *c, int end, int32_t k)
{
    frame_lanes f;
    for (int l = 0; l < LANES; l++)
        f.frame[l] = c->frame[end][k + l];
    memcpy(&f.has, c->frame[end] + k, sizeof f.has);
    f.has = f.has >= 0;
    return f;
}

// Stores a point of each slot that moves; others, such as the ground, belong to many rows.
PL_FN void rigid_scatter(float *x, const uint32_t *index, f32 w, point p)
{
#if LANES == 1
    if (w > 0.0f)
        store_points(x + index[0], p);
#else
    if (everywhere(w > 0.0f))
    {
        scatter(x, index, p);
        return;
    }
    _Alignas(64) float rows[4 * LANES], mass[LANES];
    store_points(rows, p);
    store(mass, w);
    for (int l = 0; l < LANES; l++)
        if (mass[l] > 0.0f)
            memcpy(x + index[l], rows + 4 * l, 4 * sizeof(float));
#endif
}

PL_FN void rigid_scatter_frames(float *array, const frame_lanes *f, uint32_t size, f32 w, point p)
{
    frame_lanes moving = *f;
#if LANES == 1
    moving.has = f->has && w > 0.0f;
#else
    if (everywhere(f->has & (w > 0.0f)))
    {
        uint32_t at_frame[LANES];
        frame_offsets(f, size, at_frame);
        scatter(array, at_frame, p);
        return;
    }
    _Alignas(64) float mass[LANES];
    store(mass, w);
    for (int l = 0; l < LANES; l++)
        moving.frame[l] = mass[l] > 0.0f ? f->frame[l] : -1;
#endif
    frame_scatter(array, &moving, size, p);
}
