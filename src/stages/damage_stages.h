// damage_stages.h: the stage of damage (yield, creep, break): processes the rows [begin, end) of a kind.
#pragma once
#include "stages/stage_common.h"
#include "stages/sweep.h"
#include "kernels/damage_law.h"

#if LANES == 1 // one row at a time; the tables for more lanes use this function

STAGE_FN void damage_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_rows *r = &s->rows[g->kind];
    bool second = second_order(s);
    float inverse_h = (second ? 1.5f : 1.0f) / s->h;
    for (int32_t k = begin; k < end; k++)
    {
        damage *m = &r->damage[k];
        if (g->substep == 0)
            m->load = 0.0f;
        if (m->broken > 0.0f || !(m->yield > 0.0f || m->strength > 0.0f))
            continue;
        point p[ROW_POINTS] = {{0}};
        float param[PL_MAX_PARAMS], lambda[VECTOR_PARTS];
        for (int i = 0; i < r->params; i++)
            param[i] = r->param[i][r->param_step[i] ? k : 0];
        settled_points(r, s->slot[SLOT_X], r->arity, k, param, p);
        for (int i = 0; i < r->parts; i++)
            lambda[i] = r->lambda[(size_t)i * (size_t)r->lambda_step + (size_t)k];
        if (m->strength > 0.0f)
        {
            float load = r->law >= LAW_JOINT_1
                             ? joint_load(r->law, r->parts, lambda, inverse_h * inverse_h, m)
                             : tension(r->law, p, param, lambda) * (inverse_h * inverse_h) / m->strength;
            if (load > m->load)
                m->load = load < MOST_LOAD ? load : MOST_LOAD;
            if (m->load > 1.0f)
                flag_up(&s->now->torn);
        }
        if (m->yield > 0.0f)
        {
            float share = m->creep * s->h;
            int changed = flow_row(r->law, m, p, param, share < 1.0f ? share : 1.0f);
            for (int i = 0; i < changed; i++)
                r->param[i][k] = param[i];
        }
    }
}

#endif
