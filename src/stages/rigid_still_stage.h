// rigid_still_stage.h: measures how long rigid bodies have been still, for sleep (groups/rigid_sleep.c).
//
// A body is still while it stays within still_speed * still_time of its anchor, the pose where it began to be still, and
// is slower than STILL_SHAKE * still_speed; of rotations, a point at the distance of the body's size counts. So a
// body that creeps faster than still_speed is not still, while one that trembles in its place is. The fourth number of the
// spin has the time.
#pragma once
#include "kernels/rigid_load.h"
#include "stages/stage_common.h"

#define STILL_SHAKE 5.0f

#if LANES == 1

PL_FN float rigid_square(const float *v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

// The square of how far a body is from its anchor: its centre of mass, or a point at the distance `size`, if that is
// more. The vector part of p^-1 q has the length of the sine of half the angle between the orientations p and q.
PL_FN float rigid_strayed(const rigid_anchor *a, const float *x, const float *q, float size)
{
    const float way[3] = {x[0] - a->position[0], x[1] - a->position[1], x[2] - a->position[2]};
    const float *p = a->rotation;
    const float turn[3] = {(p[3] * q[0] - q[3] * p[0]) - (p[1] * q[2] - p[2] * q[1]),
                           (p[3] * q[1] - q[3] * p[1]) - (p[2] * q[0] - p[0] * q[2]),
                           (p[3] * q[2] - q[3] * p[2]) - (p[0] * q[1] - p[1] * q[0])};
    return most(rigid_square(way), 4.0f * size * size * rigid_square(turn));
}

STAGE_FN void rigid_keep_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    for (int32_t i = begin; i < end; i++)
        s->rigids.safe[i] = s->rigids.anchor[i];
}

// At the end of a frame. Bodies that sleep or that nothing moves are left out.
STAGE_FN void rigid_still_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const float way = s->contact.still_speed * s->contact.still_time, speed = STILL_SHAKE * s->contact.still_speed;
    for (int32_t i = begin; i < end; i++)
    {
        const rigid_load *b = &s->rigids.load[i];
        if (b->frame < 0 || b->size < 0.0f || !(s->slot[SLOT_D][b->member + 3] > 0.0f))
            continue;
        rigid_anchor *a = &s->rigids.anchor[i];
        const float *x = s->slot[SLOT_X] + b->member, *v = s->slot[SLOT_V] + b->member;
        const float *q = s->oriented.pose[b->frame].rotation;
        float *spin = s->oriented.pose[b->frame].spin;
        bool still = a->position[3] > 0.0f && rigid_strayed(a, x, q, b->size) < way * way &&
                     rigid_square(v) < speed * speed && b->size * b->size * rigid_square(spin) < speed * speed;
        spin[3] = still ? spin[3] + s->h / s->frame_share : 0.0f;
        for (int c = 0; c < 4 && !still; c++)
        {
            a->position[c] = c < 3 ? x[c] : 1.0f; // 0: there is no anchor yet
            a->rotation[c] = q[c];
        }
        if (spin[3] >= s->contact.still_time)
            flag_up(&s->now->rigid_still);
    }
}

#endif
