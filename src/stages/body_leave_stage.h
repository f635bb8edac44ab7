// body_leave_stage.h: tests whether the list of contacts between rigid bodies and particles is still valid.
#pragma once
#include "elements/frame_rotation.h"
#include "stages/stage_common.h"

#if LANES == 1

// Tests at the end of a frame whether every particle stays where rows were listed for it in the next one.
STAGE_FN void body_leave(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const float dt = s->h / s->frame_share, fall = dt * dt * length(splat_vec(s->gravity));
    for (int32_t i = begin; i < end; i++)
    {
        const float *place = s->body_particles.place + 4 * (size_t)i;
        point x = load_points(s->slot[SLOT_X] + 4 * (size_t)i), v = load_points(s->slot[SLOT_V] + 4 * (size_t)i);
        float way = length(sub(at(x), frame_along(place))) + (dt * length(at(v)) + fall);
        if (!(way <= place[3]))
            flag_up(&s->now->place_left);
    }
}

#endif
