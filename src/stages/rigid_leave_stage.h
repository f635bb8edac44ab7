// rigid_leave_stage.h: tests whether the list of pairs of rigid bodies is still valid.
#pragma once
#include "stages/rigid_box.h"
#include "stages/stage_common.h"

#if LANES == 1

// Tests at the end of a frame whether every collider of a body stays in the box for which the pairs were listed.
STAGE_FN void rigid_leave(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_rigid_contacts *c = &s->rigid_contacts;
    for (int32_t i = begin; i < end; i++)
    {
        const rigid_collider *k = &c->collider[i];
        float low[3], high[3];
        if (k->frame >= 0 && s->oriented.pose[k->frame].spin[3] < 0.0f) // it sleeps
            continue;
        if (!rigid_box_of(s, k, s->h / s->frame_share, low, high))
            continue;
        const float *box = c->box + 8 * (size_t)i;
        for (int a = 0; a < 3; a++)
            if (!(low[a] >= box[a] && high[a] <= box[4 + a]))
                flag_up(&s->now->rigid_left);
    }
}

#endif
