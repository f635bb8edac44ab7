// chebyshev.c: plans one iteration of the Chebyshev semi-iterative method (kernels/chebyshev.h): the rows as the other
// solvers run them, then a step along the way of this and the last iteration.
#include "step/solvers/solver.h"

// Returns whether the iteration is accelerated. The last one is not, so that two of them have nothing to accelerate.
// Rotations are not accelerated, so a world with rows between frames is solved as it is without.
static bool is_accelerated(const pl_world *w, int iteration)
{
    bool able = w->settings.iterations > 2 && iteration + 1 < w->settings.iterations;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        able &= !w->state.rows[kind].frames || w->state.rows[kind].jacobi_end == 0;
    return able;
}

void chebyshev(planner *p, int iteration)
{
    bool first = iteration == 0, accelerated = is_accelerated(p->world, iteration);
    stage g = {.op = OP_CHEBYSHEV_START, .first = first, .end = p->world->state.slots, .grain_size = PAD};
    if (accelerated)
        plan_stage(p, g);
    gauss_seidel(p, iteration);
    if (!accelerated)
        return;
    plan_slots(p, OP_CHEBYSHEV_MEASURE);
    plan_stage(p, (stage){.op = OP_CHEBYSHEV_CHOOSE, .first = first, .end = 1, .grain_size = 1});
    plan_slots(p, OP_CHEBYSHEV_MOVE);
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        g = (stage){.op = OP_CHEBYSHEV_ROWS, .kind = (uint8_t)kind, .first = first, .grain_size = PAD};
        g.end = p->world->state.rows[kind].jacobi_end;
        if (g.end)
            plan_stage(p, g);
    }
}
