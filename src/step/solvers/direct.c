// direct.c: plans one iteration of the solver direct (direct/direct.h): the constraints between particles all at once, then
// those between frames as the other solvers run them.
#include "step/solvers/solver.h"

void factorised(planner *p, int iteration)
{
    plan_stage(p, (stage){.op = OP_DIRECT, .first = iteration == 0, .end = 1, .grain_size = 1});
    gauss_seidel(p, iteration);
}
