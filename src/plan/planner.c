// planner.c: adds stages to a plan.
#include "plan/planner.h"

void plan_stage(planner *p, stage g)
{
    g.group = stage_of(g.op)->group;
    g.substep = p->substep;
    if (p->plan->count < p->plan->capacity)
        p->plan->stages[p->plan->count] = g;
    p->plan->count++;
}

void plan_slots(planner *p, int op)
{
    plan_stage(p, (stage){.op = (uint8_t)op, .end = p->world->state.slots, .grain_size = PAD});
}

void plan_items(planner *p, int op, int32_t count)
{
    if (count)
        plan_stage(p, (stage){.op = (uint8_t)op, .end = count, .grain_size = 1});
}
