// solver.h: declares the solvers. A solver plans one iteration of a substep: everything that constraints do to
// positions. To add a solver, write one function in its own file and add a line to solver_of.
#pragma once
#include "step/substep.h"

// iteration: 0 for the substep's first.
typedef void solver(planner *p, int iteration);

solver gauss_seidel;

// The solver of a world. XPBD and PBD differ in how a row is solved, not in the order of rows.
static inline solver *solver_of(const pl_settings *settings)
{
    (void)settings;
    return gauss_seidel;
}
