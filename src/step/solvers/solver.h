// solver.h: declares the solvers. A solver plans what the rows of elements do in one iteration of a substep; what else is
// in an iteration is the same for all of them (iteration.c). To add a solver, write one function in its own file and add
// a line to solver_of.
#pragma once
#include "step/substep.h"

// iteration: 0 for the substep's first.
typedef void solver(planner *p, int iteration);

solver gauss_seidel; // and, for rows without a colour, Jacobi iteration
solver chebyshev;
solver hierarchical;
solver factorised;

// The solver of a world. XPBD and PBD differ in how a row is solved, not in the order of rows; Jacobi and hybrid differ
// in which rows have a colour (colour_cap).
static inline solver *solver_of(const pl_settings *settings)
{
    return settings->solver == PL_SOLVER_CHEBYSHEV   ? chebyshev
           : settings->solver == PL_SOLVER_HIERARCHY ? hierarchical
           : settings->solver == PL_SOLVER_DIRECT    ? factorised
                                                     : gauss_seidel;
}

// Plans everything that constraints do to positions in one iteration.
void plan_iteration(planner *p, int iteration);
