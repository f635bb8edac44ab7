// direct_terms.h: single constraints in an iteration of the solver direct.
#pragma once
#include "direct/direct.h"
#include "direct/direct_rows.h"

// What an iteration knows.
typedef struct direct_step
{
    direct_system *d;
    const state *s;
    bool second;
    double inverse_h, ahead, drift_share;
    double softness; // the least A over W
} direct_step;

// Computes J of a row, its A and what is left of it. Returns its part of the merit.
double direct_open(const direct_step *w, direct_row *row);
// The merit of a row at the point that the line search tries.
double direct_try(const direct_step *w, const direct_row *row);
// Solves a single row, as a sweep does, and moves its particles.
void direct_sweep(const direct_step *w, const direct_row *row);
// L of a row, and L^-T b in place.
double (*direct_triangle(const direct_system *d, const direct_row *row))[DIRECT_PARTS];
void direct_solve_upper(double (*l)[DIRECT_PARTS], int parts, double *b);
