// volume_stages.h: the stages of closed volumes: each function processes the items [begin, end): chunks of members, or
// volumes.
#pragma once
#include "elements/row.h"
#include "stages/stage_common.h"

#if LANES == 1

STAGE_FN void volume_sum_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_volumes *p = &s->volumes;
    for (int32_t chunk = begin; chunk < end; chunk++)
    {
        int32_t volume = p->chunk_volume[chunk], first = p->chunk_start[chunk];
        vec origin = at(load_points(s->slot[SLOT_X] + p->member[p->start[volume]]));
        volume_sum sums[VOLUME_SUMS];
        memset(sums, 0, sizeof sums);
        for (int32_t k = first; k < p->chunk_start[chunk + 1]; k++)
        {
            vec gradient = vec_of(0.0f, 0.0f, 0.0f);
            float w = s->slot[SLOT_D][p->member[k] + 3];
            for (int32_t f = p->corner_start[k]; f < p->corner_start[k + 1]; f++)
            {
                vec b = slot_from(s, p->corner[2 * (size_t)f], origin);
                vec c = slot_from(s, p->corner[2 * (size_t)f + 1], origin);
                gradient = add(gradient, volume_gradient(b, c));
            }
            volume_sum *sum = &sums[(k - first) % VOLUME_SUMS];
            sum->volume = sum->volume + (1.0f / 3.0f) * dot(slot_from(s, p->member[k], origin), gradient);
            sum->weight = sum->weight + w * square(gradient);
            point out = {gradient.x, gradient.y, gradient.z, 0.0f};
            store_points(p->gradient + 4 * (size_t)k, out);
        }
        for (int half = VOLUME_SUMS / 2; half; half /= 2)
            for (int i = 0; i < half; i++)
            {
                sums[i].volume = sums[i].volume + sums[i + half].volume;
                sums[i].weight = sums[i].weight + sums[i + half].weight;
            }
        p->sum[chunk] = sums[0];
    }
}

STAGE_FN void volume_solve_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_volumes *p = &s->volumes;
    for (int32_t i = begin; i < end; i++)
    {
        volume_sum all = p->sum[p->volume_chunk[i]];
        for (int32_t k = p->volume_chunk[i] + 1; k < p->volume_chunk[i + 1]; k++)
        {
            all.volume = all.volume + p->sum[k].volume;
            all.weight = all.weight + p->sum[k].weight;
        }
        volume_solve(&p->body[i], all, s->h, g->first);
    }
}

STAGE_FN void volume_move_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_volumes *p = &s->volumes;
    for (int32_t chunk = begin; chunk < end; chunk++)
    {
        float change = p->body[p->chunk_volume[chunk]].change;
        for (int32_t k = p->chunk_start[chunk]; k < p->chunk_start[chunk + 1]; k++)
        {
            point d = load_points(s->slot[SLOT_D] + p->member[k]), gradient = load_points(p->gradient + 4 * (size_t)k);
            move(&d, change, at(gradient));
            store_points(s->slot[SLOT_D] + p->member[k], d);
        }
    }
}

#endif
