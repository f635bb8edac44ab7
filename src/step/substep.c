// substep.c: plans the parts of a substep beside contacts: forces, damping, and the stages after the velocity update.
#include "neighbours/clients/client.h"
#include "groups/group.h"
#include "step/substep.h"

void plan_hook(planner *p, enum plan_hook hook, int iteration)
{
    groups_plan(p, hook, iteration);
    clients_plan(p, hook, iteration);
}

void plan_wind(planner *p)
{
    const state *s = &p->world->state;
    if (!(p->world->settings.wind.density > 0.0f))
        return;
    if (s->faces.count)
    {
        plan_stage(p, (stage){.op = OP_WIND, .end = s->faces.count, .grain_size = PAD});
        plan_slots(p, OP_AIR);
    }
    plan_hook(p, PLAN_WIND, 0);
}

void plan_internal_damping(planner *p)
{
    const packed_objects *o = &p->world->state.objects;
    stage g = {.grain_size = 1};
    if (!(p->world->settings.internal_damping > 0.0f))
        return;
    g.op = OP_MOTION_SUM, g.end = o->chunks;
    plan_stage(p, g);
    g.op = OP_MOTION_SOLVE, g.end = o->count;
    plan_stage(p, g);
    g.op = OP_MOTION_DAMP, g.end = o->chunks;
    plan_stage(p, g);
    plan_hook(p, PLAN_DAMPING, 0);
}

void plan_damage(planner *p)
{
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        const packed_rows *r = &p->world->state.rows[kind];
        if (r->damaged)
            plan_stage(p, (stage){.op = OP_DAMAGE, .kind = (uint8_t)kind, .end = r->jacobi_end, .grain_size = PAD});
    }
}

// Plans the detection of non-smooth events. BDF2 uses the previous substep, which is not valid across an event: an
// inequality that began or ceased to hold.
void plan_events(planner *p)
{
    if (p->world->settings.integrator != PL_INTEGRATOR_BDF2)
        return;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        const packed_rows *r = &p->world->state.rows[kind];
        if (facts_of(kind)->bound && r->jacobi_end)
            plan_stage(p, (stage){.op = OP_EVENTS, .kind = (uint8_t)kind, .end = r->jacobi_end, .grain_size = PAD});
    }
    plan_contact_events(p);
    plan_items(p, OP_ADVANCE, 1);
}
