// substep.c: plans the parts of a substep beside contacts: forces, damping, and the stages after the velocity update.
#include "neighbours/clients/client.h"
#include "groups/body_particles.h"
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

// Plans stages that find the rigid motion of each list of particles: its sums by running sum, by block, and all of
// them.
static void plan_motions(planner *p, const packed_lists *l, int sum, int join, int solve)
{
    plan_stage(p, (stage){.op = (uint8_t)sum, .end = l->chunks * MOTION_SUMS, .grain_size = MOTION_SUMS});
    plan_items(p, join, l->blocks * MOTION_TERMS);
    plan_items(p, solve, l->count);
}

void plan_internal_damping(planner *p)
{
    if (!(p->world->settings.internal_damping > 0.0f))
        return;
    plan_motions(p, &p->world->state.lists[LISTS_OBJECTS], OP_MOTION_SUM, OP_MOTION_JOIN, OP_MOTION_SOLVE);
    plan_slots(p, OP_MOTION_DAMP);
    plan_hook(p, PLAN_DAMPING, 0);
}

bool others_move(const pl_world *w)
{
    return has_contacts(w) || w->state.clusters.count || w->state.lattices.count || has_body_particles(w);
}

// The constraints of components act between these two. If nothing else does, what they must not have changed is
// returned once for all iterations of the substep.
void plan_components_keep(planner *p, int iteration)
{
    if (p->world->state.lists[LISTS_COMPONENTS].count && (iteration == 0 || others_move(p->world)))
    {
        plan_slots(p, OP_COMPONENT_KEEP);
        if (p->world->state.lists[LISTS_COMPONENTS].frames)
            plan_items(p, OP_COMPONENT_KEEP_FRAMES, p->world->state.oriented.count);
    }
}

void plan_components_return(planner *p, int iteration)
{
    const packed_lists *l = &p->world->state.lists[LISTS_COMPONENTS];
    if (!l->count || (iteration + 1 < p->world->settings.iterations && !others_move(p->world)))
        return;
    plan_motions(p, l, OP_COMPONENT_SUM, OP_COMPONENT_JOIN, OP_COMPONENT_SOLVE);
    plan_slots(p, OP_COMPONENT_RETURN);
    if (l->frames)
        plan_items(p, OP_COMPONENT_RETURN_FRAMES, p->world->state.oriented.count);
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
