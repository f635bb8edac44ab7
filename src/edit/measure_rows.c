// measure_rows.c: computes the values C of rows at the present positions.
#include "backend/cpu/cpu.h"
#include "edit/add.h"
#include "elements/row.h"
#include "groups/oriented.h"

#include <string.h>

enum
{
    STRETCH = 256, // rows measured at a time
};

// Measures at most STRETCH rows of a kind whose ends may be oriented particles. Their positions and orientations are
// first copied side by side.
static void measure_frames(const pl_world *w, int kind, int64_t first, int32_t count, packed_rows *p, float *values)
{
    float x[4 * PL_MAX_ARITY * STRETCH];
    int32_t own[PL_MAX_ARITY * STRETCH]; // for each end the index of its pose, -1: it has none
    orient_pose pose[PL_MAX_ARITY * STRETCH];
    const int arity = facts_of(kind)->info.arity;
    state s = {.slot = {[SLOT_X] = x}, .oriented = {.of_slot = own, .pose = pose}};
    s.rows[kind] = *p;
    for (int32_t j = 0; j < arity * count; j++)
    {
        int32_t number = w->rows[kind].index[first * arity + j];
        const orient_pose *from = pose_of(w, number);
        memcpy(x + 4 * j, w->state.slot[SLOT_X] + 4 * (size_t)w->numbers.slot_of[number], 4 * sizeof *x);
        own[j] = from ? s.oriented.count : -1;
        if (from)
            pose[s.oriented.count++] = *from;
        p->index[j % arity][j / arity] = 4 * (uint32_t)j;
    }
    lanes_of(1)->measure[kind](&s, 0, count, values);
}

// Computes C of rows [first, first + count) of a kind at the present positions, in the users' order.
void rows_measure(const pl_world *w, int kind, int64_t first, int32_t count, float *values)
{
    const kind_facts *k = facts_of(kind);
    const rows *r = &w->rows[kind];
    uint32_t slots[PL_MAX_ARITY][STRETCH];
    float param[PL_MAX_PARAMS][STRETCH];
    damage_pull(w); // plastic flow may have changed the parameters
    state s = {.slot = {[SLOT_X] = w->state.slot[SLOT_X]}};
    packed_rows *p = &s.rows[kind];
    for (int i = 0; i < PL_MAX_ARITY; i++)
        p->index[i] = slots[i];
    for (int i = 0; i < PL_MAX_PARAMS; i++)
    {
        p->param[i] = param[i];
        p->param_step[i] = 1;
    }
    for (int32_t done = 0; done < count; done += STRETCH)
    {
        int32_t here = count - done < STRETCH ? count - done : STRETCH;
        for (int32_t j = 0; j < here; j++)
        {
            int64_t row = first + done + j;
            for (int i = 0; i < k->info.arity; i++)
                slots[i][j] = 4 * (uint32_t)w->numbers.slot_of[r->index[row * k->info.arity + i]];
            for (int i = 0; i < k->info.params; i++)
                param[i][j] = r->param[row * k->info.params + i];
        }
        if (k->frames)
            measure_frames(w, kind, first + done, here, p, values + done);
        else
            lanes_of(1)->measure[kind](&s, 0, here, values + done);
        for (int32_t j = 0; r->damage && j < here; j++)
            if (r->damage[first + done + j].broken > 0.0f)
                values[done + j] = 0.0f;
    }
}

double row_violation(const kind_facts *k, float value)
{
    if ((k->bound == BOUND_AT_MOST && value < 0.0f) || (k->bound == BOUND_AT_LEAST && value > 0.0f))
        return 0.0;
    return (double)value;
}
