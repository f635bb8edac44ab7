// gauss_seidel.c: plans the rows of an iteration by coloured Gauss-Seidel: inside the tiles, then colour by colour. Rows
// of a colour share no particle, so they are solved in parallel; colours follow each other. Rows without a colour are
// solved by Jacobi iteration, kind by kind: all of them, if the world has the solver jacobi.
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

void gauss_seidel(planner *p, int iteration)
{
    const state *s = &p->world->state;
    stage g = {.first = iteration == 0, .keep = keeps_multipliers(p)};
    if (s->tiles)
    {
        g.op = OP_TILES, g.begin = 0, g.end = s->tiles, g.grain_size = 1;
        plan_stage(p, g);
    }
    for (int64_t i = 0; i < p->world->run_count; i++)
    {
        const run *r = &p->world->runs[i];
        if (is_solved_apart(&p->world->settings, r->kind))
            continue;
        g.op = OP_SWEEP, g.kind = (uint8_t)r->kind, g.begin = r->begin, g.end = r->end, g.grain_size = PAD;
        plan_stage(p, g);
    }
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        const packed_rows *r = &s->rows[kind];
        if (r->jacobi_begin == r->jacobi_end || kind == PL_KIND_ATTACHMENT ||
            is_solved_apart(&p->world->settings, kind))
            continue;
        g.op = OP_JACOBI, g.kind = (uint8_t)kind, g.begin = r->jacobi_begin, g.end = r->jacobi_end, g.grain_size = PAD;
        plan_stage(p, g);
        g.op = OP_JACOBI_MOVE, g.begin = 0, g.end = r->jacobi_slots, g.grain_size = 1;
        plan_stage(p, g);
    }
}
