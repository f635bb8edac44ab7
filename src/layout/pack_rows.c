// pack_rows.c: copies the parameters of a constraint kind from the user's rows to the packed columns that the stages
// read.
//
// A column with the same number in every row is stored as that number PAD times, and every row reads it there: a cloth
// of one material then streams 16 bytes a link instead of 20 and stays in the cache.
#include "core/power.h"
#include "layout/packing.h"
#include "model/world.h"

#include <string.h>

// Packs column `from` (every `stride`-th float) into `to`, with `fill` where no row is; returns the step to
// read it with. own: every row keeps its own number, even if all are equal now.
static uint8_t pack_column(const rows *r, const float *from, int stride, bool own, float fill, float *to,
                           int64_t padded)
{
    uint8_t step = own;
    for (int64_t i = 1; i < r->count && !step; i++)
        step = memcmp(&from[i * stride], &from[0], sizeof(float)) != 0;
    if (!step)
    {
        for (int i = 0; i < PAD; i++)
            to[i] = from[0];
        return 0;
    }
    for (int64_t i = 0; i < padded; i++)
        to[i] = fill;
    for (int64_t i = 0; i < r->count; i++)
        if (r->packed_at[i] >= 0)
            to[r->packed_at[i]] = from[i * stride];
    return 1;
}

void pack_rows(pl_world *w, int kind)
{
    const rows *r = &w->rows[kind];
    packed_rows *p = &w->state.rows[kind];
    const int stride = sizeof(pl_softness) / sizeof(float), params = facts_of(kind)->info.params;
    int64_t padded = p->jacobi_end;
    if (r->count == 0)
        return;
    // Places without a row hold a copy of the first row's parameters: an element with zero volume would divide by it.
    for (int i = 0; i < params && i < PL_MAX_PARAMS; i++)
        p->param_step[i] = pack_column(r, r->param + i, params, p->damaged & 1, p->parts > 1 ? r->param[i] : 0.0f,
                                       p->param[i], padded);
    p->compliance_step = pack_column(r, &r->soft->compliance, stride, false, 0.0f, p->compliance, padded);
    p->damping_step = pack_column(r, &r->soft->damping, stride, false, 0.0f, p->damping, padded);
    p->stiffness_step = pack_column(r, &r->soft->stiffness, stride, false, 0.0f, p->stiffness, padded);
    int64_t stored = p->stiffness_step ? padded : PAD;
    float last = -1.0f, last_k = 0.0f; // consecutive values are mostly equal
    for (int64_t i = 0; i < stored; i++)
    {
        if (p->stiffness[i] != last)
        {
            last = p->stiffness[i];
            last_k = per_iteration(last, w->settings.iterations);
        }
        p->stiffness[i] = last_k;
    }
    damage_pack(w, kind);
    p->damped = false;
    for (int64_t i = 0; i < r->count && !p->damped; i++)
        p->damped = r->soft[i].compliance > 0.0f && r->soft[i].damping > 0.0f;
}
