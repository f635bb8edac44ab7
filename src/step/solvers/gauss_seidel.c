// gauss_seidel.c: plans one iteration of coloured Gauss-Seidel. Rows of a colour share no particle, so they are solved
// in parallel; colours follow each other. Rows without a colour are solved by Jacobi iteration.
#include "groups/group.h"
#include "groups/rigid_contacts.h"
#include "step/solvers/solver.h"

// Returns whether the multipliers are read again: by another iteration, by the user, by BDF2, or by stages that check
// loads in every substep.
static bool keeps_multipliers(const planner *p)
{
    const pl_settings *set = &p->world->settings;
    bool keep = set->iterations > 1 || p->substep + 1 == set->substeps || set->integrator == PL_INTEGRATOR_BDF2;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        keep |= (p->world->state.rows[kind].damaged & DAMAGE_BREAKS) != 0;
    return keep;
}

// Solves every element once: inside the tiles, then colour by colour, then those without a colour.
static void plan_elements(planner *p, bool first)
{
    const state *s = &p->world->state;
    stage g = {.first = first, .keep = keeps_multipliers(p)};
    if (s->tiles)
    {
        g.op = OP_TILES, g.begin = 0, g.end = s->tiles, g.grain_size = 1;
        plan_stage(p, g);
    }
    for (int64_t i = 0; i < p->world->run_count; i++)
    {
        const run *r = &p->world->runs[i];
        g.op = OP_SWEEP, g.kind = (uint8_t)r->kind, g.begin = r->begin, g.end = r->end, g.grain_size = PAD;
        plan_stage(p, g);
    }
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        const packed_rows *r = &s->rows[kind];
        if (r->jacobi_begin == r->jacobi_end || kind == PL_KIND_ATTACHMENT)
            continue;
        g.op = OP_JACOBI, g.kind = (uint8_t)kind, g.begin = r->jacobi_begin, g.end = r->jacobi_end, g.grain_size = PAD;
        plan_stage(p, g);
        g.op = OP_JACOBI_MOVE, g.begin = 0, g.end = r->jacobi_slots, g.grain_size = 1;
        plan_stage(p, g);
    }
}

// Solves all attachments, body by body: last, so that nothing else of the iteration separates a particle from its body.
static void plan_attachments(planner *p, bool first)
{
    const packed_rows *r = &p->world->state.rows[PL_KIND_ATTACHMENT];
    stage g = {.op = OP_ATTACH_TERMS, .kind = PL_KIND_ATTACHMENT, .first = first, .grain_size = PAD};
    if (r->jacobi_begin == r->jacobi_end)
        return;
    g.begin = r->jacobi_begin, g.end = r->jacobi_end;
    plan_stage(p, g);
    g.op = OP_ATTACH_SOLVE, g.begin = 0, g.end = r->jacobi_slots, g.grain_size = 1;
    plan_stage(p, g);
    g.op = OP_ATTACH_MOVE;
    plan_stage(p, g);
}

void gauss_seidel(planner *p, int iteration)
{
    plan_hook(p, PLAN_ITERATION_START, iteration);
    plan_components_keep(p, iteration);
    plan_elements(p, iteration == 0);
    plan_hook(p, PLAN_BEFORE_CONTACTS, iteration);
    plan_attachments(p, iteration == 0);
    plan_components_return(p, iteration);
    plan_contacts(p);
    plan_hook(p, PLAN_AFTER_CONTACTS, iteration);
    if (others_move(p->world) || has_rigid_contacts(p->world))
        plan_attachments(p, false);
    plan_hook(p, PLAN_ITERATION_END, iteration);
}
