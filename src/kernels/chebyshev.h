// chebyshev.h: the Chebyshev semi-iterative method for the rows of an iteration.
//
// An iteration of the rows, by colours or by Jacobi, moves the displacements d and the multipliers lambda by g. Instead of
//   q' = q + g                                    q: all d and lambda
// the method moves by a way that also has a part of the last one:
//   q' = q + p',   p' = w' g + (w' - 1) p         p: the last way, q - q of the iteration before
//   w1 = 1,   w2 = 2/(2 - r^2),   w' = 4/(4 - r^2 w)
//                     Wang 2015 (A Chebyshev semi-iterative approach for accelerating projective and position-based dynamics)
// written there with the iterates themselves: q' = w' (F(q) - q_last) + q_last. r is an estimate of the spectral radius of
// the iteration. Each g keeps the momentum, so every p does. d and lambda have the same factors, so what d owes to the
// multipliers stays with them.
//
// Contacts, joints, groups and everything else between two iterations are not part of F: they move d, and p does not
// repeat it. The method is only safe for a linear F, so it begins again with w = 1 whenever
//   - the largest |g| of a particle has grown since the last iteration (O'Donoghue and Candes 2015, in this norm),
//   - what is between two iterations moves some particle farther than it did the time before: contacts have changed.
// Both are maxima over all particles, which do not depend on the order, so all backends decide alike. The last iteration
// of a substep is a plain one, so that bounds hold.
#pragma once
#include "core/vec.h"

typedef struct chebyshev_now
{
    float rows, others;           // largest squares of |g|, and of what other constraints move, in this iteration; m^2
    float last_rows, last_others; // in the last one
    float recurrence;             // w of the recurrence, where 2 stands for w1
    float factor;                 // w' of this iteration; 1: it is a plain one
} chebyshev_now;

// Chooses the factor of the iteration, and begins to measure the next.
PL_FN void chebyshev_next(chebyshev_now *c, bool first, float radius2)
{
    bool again = first || c->rows > c->last_rows || c->others > c->last_others;
    c->recurrence = again ? 2.0f : 4.0f / (4.0f - radius2 * c->recurrence);
    c->factor = again ? 1.0f : c->recurrence;
    c->last_rows = c->rows, c->last_others = c->others;
    c->rows = c->others = 0.0f;
}

// The next way from the change g by the rows. A plain iteration forgets the way.
PL_FN f32 chebyshev_way(float factor, f32 g, f32 way)
{
    return factor == 1.0f ? g : factor * g + (factor - 1.0f) * way;
}
