// recommend.h: which substeps and iterations bring a given error of forces down to a small one.
#pragma once
#include "query/stiffness.h"

#define GOOD_FORCE_ERROR 0.05  // the largest error of forces that a recommendation allows
#define GOOD_RIGID_STRAIN 0.01 // the largest strain of rigid rows that it allows

// The model: q = elastic h^2 + viscous h, and one iteration leaves q/(1 + q) of the error of the forces.
double force_error_of(double q, int iterations);
double q_of_force_error(double error, int iterations);

// The part of dt that counts in the model: BDF2 weighs forces with (2 h/3)^2 where BDF1 has h^2.
double counted_step(const pl_world *w, double dt);

// The rates of the stiffest block of rows of a world.
row_rates stiffest_rates(const pl_world *w);

// Sets the substeps and iterations of *c so that its errors become small enough. *c was found with the given substeps
// and iterations, for frames of dt (counted_step) and rows of these rates.
void recommend(pl_convergence *c, row_rates rates, double dt, int substeps, int iterations);
