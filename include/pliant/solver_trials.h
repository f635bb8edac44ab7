// solver_trials.h: trials that tell which solver, substeps and iterations reach a wanted accuracy with the least work.
#ifndef PLIANT_SOLVER_TRIALS_H
#define PLIANT_SOLVER_TRIALS_H

#include <pliant/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What pl_try_solvers tries, and how good is good enough.
typedef struct pl_solver_trials_def
{
    /// The length of a frame, s. The default is 1/60.
    float dt;
    /// How many frames each trial runs, from 1 to 1,000. The default is 12.
    int frames;
    /// The wanted error, above 0 and at most 1: the root mean square of the distances of all particles from a fine run, at the
    /// end of the trial, over the diagonal of the box around the particles at its start. The default is 0.005.
    double error;
    /// If above 0, all trials have this number of substeps. 0, the default: powers of two from 1 to 64 are tried.
    int substeps;
    /// If above 0, all trials have this number of iterations. 0, the default: powers of two from 1 to 32 are tried.
    int iterations;
    /// Whether to leave out solvers that not every backend has: PL_SOLVER_DIRECT. The default is false.
    bool portable;
    /// The most work of all trials together, in the unit of pl_solver_trial.work; 0: 20e9. Trials that would exceed it are not
    /// made.
    double budget;
} pl_solver_trials_def;

PL_API pl_solver_trials_def pl_default_solver_trials_def(void);

/// A solver with its settings, what it costs, and what error it leaves.
typedef struct pl_solver_trial
{
    /// The solver.
    pl_solver solver;
    /// Substeps of a frame.
    int substeps;
    /// Iterations of a substep.
    int iterations;
    /// The work of a frame by a model that counts constraints, particles, contacts and the entries of the factor; about ns of
    /// one thread. It does not depend on the machine.
    double work;
    /// The error as in pl_solver_trials_def.error; infinite if the trial diverged.
    double error;
} pl_solver_trial;

/// The result of pl_try_solvers.
typedef struct pl_solver_advice
{
    /// The trial with the least work that reaches the wanted error or, if none does, the one with the least error.
    pl_solver_trial best;
    /// Whether it reaches the wanted error.
    bool reached;
    /// How many trials were made.
    int trials;
    /// The fine run that they were compared with.
    pl_solver_trial reference;
} pl_solver_advice;

/// Copies the world and runs the next frames of the copies on the CPU with different solvers, substeps and iterations, the ones
/// with the least work first, until one reaches the wanted error. The world stays as it is; pass the result to
/// pl_world_set_settings. The choice is by counted work, never by a clock, and has the same bits on every machine. Scripts of
/// scenes do not run in trials. `trials`: if not NULL, the first `room` of the trials are written there, in their order. Fails
/// with PL_ERROR_UNSUPPORTED if the solver is PL_SOLVER_PBD, in which stiffness depends on the iterations, if there are no
/// constraints that the solvers differ in, or if the world is too large for the budget.
PL_API pl_result pl_try_solvers(const pl_world *world, const pl_solver_trials_def *def, pl_solver_advice *advice,
                                pl_solver_trial *trials, int room);

#ifdef __cplusplus
}
#endif

#endif
