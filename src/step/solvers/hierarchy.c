// hierarchy.c: plans one iteration of hierarchical position-based dynamics (kernels/hierarchy.h): the coarse levels from
// the coarsest to the finest, then the rows as the other solvers run them.
#include "kernels/hierarchy.h"
#include "step/solvers/solver.h"

static void plan_level(planner *p, const hierarchy *h, int level, int iteration)
{
    int sweeps = level < 4 ? COARSE_SWEEPS << level : MOST_COARSE_SWEEPS;
    stage g = {.op = OP_COARSE_MOVE, .grain_size = PAD, .begin = h->node_start[level], .end = h->node_start[level + 1]};
    if (level + 1 < h->levels)
        plan_stage(p, g);
    for (int i = 0; i < sweeps; i++)
        for (int32_t r = h->run_start[level]; r < h->run_start[level + 1]; r++)
        {
            g = (stage){.op = OP_COARSE_SWEEP, .first = iteration == 0 && i == 0, .grain_size = PAD};
            g.begin = h->runs[r].begin, g.end = h->runs[r].end;
            plan_stage(p, g);
        }
}

void hierarchical(planner *p, int iteration)
{
    const hierarchy *h = &p->world->hierarchy;
    stage g = {.op = OP_COARSE_START, .end = p->world->state.hierarchy.nodes, .grain_size = PAD};
    if (h->levels)
    {
        plan_stage(p, g);
        for (int level = h->levels; level-- > 0;)
            plan_level(p, h, level, iteration);
        plan_slots(p, OP_COARSE_RETURN);
    }
    gauss_seidel(p, iteration);
}
