// oriented_stages.h: the stages of oriented particles: each function processes the oriented particles [begin, end).
#pragma once
#include "stages/contact_stages.h"

#if LANES == 1 // one particle at a time; the tables for more lanes use these functions

PL_FN int orient_held(const state *s, int32_t i) { return !(s->slot[SLOT_D][s->oriented.member[i] + 3] > 0.0f); }

// A sleeping rigid body keeps its orientation, low part included.
PL_FN bool orient_sleeps(const orient_pose *p) { return p->spin[3] < 0.0f; }

STAGE_FN void orient_keep_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    for (int32_t i = begin; i < end; i++)
        s->oriented.safe[i] = s->oriented.pose[i];
}

STAGE_FN void orient_wind_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_oriented *o = &s->oriented;
    for (int32_t i = begin; i < end; i++)
    {
        point x = load_points(s->slot[SLOT_X] + o->member[i]), v = load_points(s->slot[SLOT_V] + o->member[i]);
        float w = s->slot[SLOT_D][o->member[i] + 3];
        if (!(o->form[i].drag > 0.0f && w > 0.0f))
            continue;
        vec u = sub(wind_at(&s->wind, s->substeps[g->substep].phase, at(x)), at(v));
        float k = orient_drag(&o->form[i], quat_load(o->pose[i].rotation), u, s->wind.half_density, s->h * w);
        v.x = v.x + k * u.x, v.y = v.y + k * u.y, v.z = v.z + k * u.z;
        store_points(s->slot[SLOT_V] + o->member[i], v);
    }
}

STAGE_FN void orient_predict_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_oriented *o = &s->oriented;
    for (int32_t i = begin; i < end; i++)
    {
        orient_pose *p = &o->pose[i];
        orient_way *way = &o->way[i];
        quat q = quat_load(p->rotation);
        vec spin = vec_of(p->spin[0], p->spin[1], p->spin[2]);
        if (orient_sleeps(p))
        {
            const orient_way none = {{0.0f}, {0.0f}, {q.v.x, q.v.y, q.v.z, q.w}, {0.0f}};
            *way = none;
            continue;
        }
        if (!orient_held(s, i)) // a kinematic particle rotates by its given spin alone
            spin = orient_half_way(&o->inertia[i], p, s->h);
        orient_foresee(way, q, spin, s->h);
    }
}

STAGE_FN void orient_spin_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_oriented *o = &s->oriented;
    for (int32_t i = begin; i < end; i++)
    {
        orient_pose *p = &o->pose[i];
        orient_way *way = &o->way[i];
        if (orient_sleeps(p))
            continue;
        turn64 q = orient_end(p, way);
        vec spin = orient_spin(&o->inertia[i], p, way, q, s->h);
        orient_settle(p, q);
        way->rotated[0] = way->rotated[1] = way->rotated[2] = 0.0f; // the rotation is in p now
        if (orient_held(s, i))
            continue;
        if (!(square(spin) < 1e30f))
            flag_up(&s->now->bad);
        p->spin[0] = s->fade * spin.x, p->spin[1] = s->fade * spin.y, p->spin[2] = s->fade * spin.z;
    }
}

// Internal damping: relaxes the spin towards that of the object.
STAGE_FN void orient_damp_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_oriented *o = &s->oriented;
    for (int32_t i = begin; i < end; i++)
    {
        if (o->form[i].object < 0 || orient_held(s, i))
            continue;
        const float *rigid = s->lists[LISTS_OBJECTS].motion[o->form[i].object].spin;
        for (int c = 0; c < 3; c++)
            o->pose[i].spin[c] = o->pose[i].spin[c] + s->internal_k * (rigid[c] - o->pose[i].spin[c]);
    }
}

#endif
