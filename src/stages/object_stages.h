// object_stages.h: the stages of internal damping, which concern whole objects (stage_common.h).
#pragma once
#include "stages/stage_common.h"

#if LANES == 1 // objects are summed one particle at a time; the tables for more lanes use these functions

STAGE_FN void motion_sum_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_objects *o = &s->objects;
    for (int32_t c = begin; c < end; c++)
    {
        int32_t object = o->chunk_object[c], first = o->chunk_start[c], last = o->chunk_start[c + 1];
        vec origin = at(load_points(s->slot[SLOT_X] + 4 * (size_t)o->member[o->start[object]]));
        motion_sum sums[MOTION_SUMS];
        memset(sums, 0, sizeof sums);
        for (int32_t k = first; k < last; k++)
        {
            size_t i = 4 * (size_t)o->member[k];
            motion_add(&sums[(k - first) % MOTION_SUMS], slot_at(s, i), load_points(s->slot[SLOT_V] + i), origin);
        }
        for (int half = MOTION_SUMS / 2; half; half /= 2)
            for (int i = 0; i < half; i++)
                motion_join(&sums[i], &sums[i + half]);
        o->sum[c] = sums[0];
    }
}

STAGE_FN void motion_solve_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_objects *o = &s->objects;
    for (int32_t i = begin; i < end; i++)
    {
        motion_sum sum;
        memset(&sum, 0, sizeof sum);
        for (int32_t c = o->object_chunk[i]; c < o->object_chunk[i + 1]; c++)
            motion_join(&sum, &o->sum[c]);
        o->motion[i] = motion_of(&sum, at(load_points(s->slot[SLOT_X] + 4 * (size_t)o->member[o->start[i]])));
    }
}

STAGE_FN void motion_damp_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_objects *o = &s->objects;
    for (int32_t c = begin; c < end; c++)
        for (int32_t k = o->chunk_start[c]; k < o->chunk_start[c + 1]; k++)
        {
            size_t i = 4 * (size_t)o->member[k];
            point v = motion_damp(&o->motion[o->chunk_object[c]], slot_at(s, i), load_points(s->slot[SLOT_V] + i),
                                  s->internal_k);
            store_points(s->slot[SLOT_V] + i, v);
        }
}

#endif
