// rigid_stages.h: the stages of rigid bodies beside those of their frames (oriented_stages.h): each function processes
// the bodies [begin, end).
#pragma once
#include "kernels/displacement.h"
#include "kernels/rigid_load.h"
#include "stages/stage_common.h"

#if LANES == 1 // one body at a time; the tables for more lanes use these functions

PL_FN void rigid_lock_motion(const state *s, const rigid_load *b)
{
    if (b->locks & LOCKED_MOVES)
    {
        vec low = low_part(load_points(s->slot[SLOT_X] + b->member)); // a displacement begins with it
        const float start[3] = {low.x, low.y, low.z};
        rigid_lock(s->slot[SLOT_D] + b->member, b->locks, start);
    }
    if (b->locks & LOCKED_TURNS && b->frame >= 0)
        rigid_lock(s->oriented.way[b->frame].rotated, b->locks >> 3, NULL);
}

// Moves and rotates a body to where the shape that it follows is at the substep's end. For the rotation matrix R from
// the one orientation to the other, 2 tan(angle/2) along its axis is 2 (R - R^T)/(1 + trace R), as a vector.
PL_FN void rigid_follow(const state *s, const rigid_load *b, int substep)
{
    const placement *to = s->placements + (size_t)b->shape * (size_t)s->placement_step + (size_t)substep + 1;
    float *d = s->slot[SLOT_D] + b->member;
    const float *x = s->slot[SLOT_X] + b->member;
    for (int c = 0; c < 3; c++)
        d[c] = (to->at[c] - x[c]) + to->low[c];
    if (b->frame < 0)
        return;
    mat3 from = quat_axes(quat_load(s->oriented.pose[b->frame].rotation));
    float r[3][3];
    for (int i = 0; i < 3; i++)
    {
        const float *row = to->rotation + 3 * i;
        vec sum = add(add(times(row[0], from.c[0]), times(row[1], from.c[1])), times(row[2], from.c[2]));
        r[i][0] = sum.x, r[i][1] = sum.y, r[i][2] = sum.z;
    }
    float scale = 2.0f / most(1.0f + r[0][0] + r[1][1] + r[2][2], 0.01f), *rotated = s->oriented.way[b->frame].rotated;
    rotated[0] = scale * (r[2][1] - r[1][2]);
    rotated[1] = scale * (r[0][2] - r[2][0]);
    rotated[2] = scale * (r[1][0] - r[0][1]);
}

// Adds what acts on the bodies to their predicted motion.
STAGE_FN void rigid_predict_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    float hh = s->h * s->h, share = second_order(s) ? 4.0f / 9.0f * hh : hh;
    for (int32_t i = begin; i < end; i++)
    {
        const rigid_load *b = &s->rigids.load[i];
        float *d = s->slot[SLOT_D] + b->member;
        if (b->shape >= 0)
            rigid_follow(s, b, g->substep);
        if (!(d[3] > 0.0f))
            continue;
        for (int c = 0; c < 3 && b->more_gravity != 0.0f; c++)
            d[c] = d[c] + share * b->more_gravity * s->gravity[c];
        if (b->frame >= 0 && (b->torque[0] != 0.0f || b->torque[1] != 0.0f || b->torque[2] != 0.0f))
        {
            orient_way *way = &s->oriented.way[b->frame];
            frame_add(way->rotated, times(hh, rigid_torque(b, &s->oriented.inertia[b->frame], way, d[3])));
        }
        rigid_lock_motion(s, b);
    }
}

STAGE_FN void rigid_lock_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    for (int32_t i = begin; i < end; i++)
        if (s->slot[SLOT_D][s->rigids.load[i].member + 3] > 0.0f)
            rigid_lock_motion(s, &s->rigids.load[i]);
}

STAGE_FN void rigid_damp_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    for (int32_t i = begin; i < end; i++)
    {
        const rigid_load *b = &s->rigids.load[i];
        float *v = s->slot[SLOT_V] + b->member, slower = 1.0f / (1.0f + s->h * b->linear);
        if (!(s->slot[SLOT_D][b->member + 3] > 0.0f))
            continue;
        v[0] = slower * v[0], v[1] = slower * v[1], v[2] = slower * v[2];
        rigid_lock(v, b->locks, NULL);
        if (b->frame < 0)
            continue;
        float *spin = s->oriented.pose[b->frame].spin;
        slower = 1.0f / (1.0f + s->h * b->angular);
        spin[0] = slower * spin[0], spin[1] = slower * spin[1], spin[2] = slower * spin[2];
        rigid_lock(spin, b->locks >> 3, NULL);
    }
}

#endif
