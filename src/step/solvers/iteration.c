// iteration.c: plans one iteration of a substep, whatever the solver of the elements.
#include "groups/group.h"
#include "groups/rigid_contacts.h"
#include "step/solvers/solver.h"

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

void plan_iteration(planner *p, int iteration)
{
    solver *solve = solver_of(&p->world->settings);
    plan_hook(p, PLAN_ITERATION_START, iteration);
    plan_components_keep(p, iteration);
    solve(p, iteration);
    plan_hook(p, PLAN_BEFORE_CONTACTS, iteration);
    plan_attachments(p, iteration == 0);
    plan_components_return(p, iteration);
    plan_contacts(p);
    plan_hook(p, PLAN_AFTER_CONTACTS, iteration);
    if (others_move(p->world) || has_rigid_contacts(p->world))
        plan_attachments(p, false);
    plan_hook(p, PLAN_ITERATION_END, iteration);
}
