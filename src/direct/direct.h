// direct.h: the solver direct: an iteration solves all constraints between particles together, by factorisation.
//
//   (J M^-1 J^T + a) dlambda = -(C + a lambda),   dx = M^-1 J^T dlambda          a = compliance/h^2
//
// This is the linear system of XPBD (Macklin, Mueller, Chentanez 2016, eq. 18), which Gauss-Seidel iteration only
// approaches, and for rigid constraints that of Fast Projection (Goldenthal, Harmon, Fattal, Bercovier, Grinspun 2007). One
// solution of it is a step of Newton's method for C + a lambda = 0, so the error is squared in each iteration.
//
// The constraints of a cloth are more than the coordinates of its particles, and each shares particles with many others. So
// the multipliers are eliminated, instead of the particles (Sherman, Morrison, Woodbury), which gives the same answer:
//
//   K dx = -J^T A^-1 (C + a lambda),   K = M + J^T A^-1 J,   dlambda = -A^-1 (C + a lambda + J dx)
//
// A is a, or a small fraction of W = J M^-1 J^T where a constraint is softer than that: only in the matrix, so that rigid
// constraints need an iteration more, and what they come to does not change. K has a block of 3 x 3 for each two particles
// that share a constraint; its pattern, the order of elimination and the pattern of the factor (core/cholesky.h) are kept
// until constraints come or go. All of it is in double precision and in the order of the user's constraints, on one thread:
// lanes and threads do not change the bits.
#pragma once
#include "core/cholesky.h"
#include "plan/stage.h"

// One constraint.
typedef struct direct_row
{
    int32_t kind, at;                // its place among the packed rows of its kind
    int32_t first_point, first_part; // in `block`; in `lambda` and its kin
    int64_t first_gradient;          // in `gradient`: parts x moved points x 3
    bool slack;                      // one-sided, and not held in this iteration: its multiplier goes to 0
} direct_row;

// What the system consists of, in the order of the user.
typedef struct direct_list
{
    direct_row *row;
    int32_t *block; // for each point of each row its block of unknowns, -1: it has none
    int64_t rows, points, parts, gradients;
    int64_t row_capacity, point_capacity;
} direct_list;

typedef struct direct_system
{
    direct_list list, fresh; // fresh: made before each frame and compared with the list that the matrix is for
    int32_t blocks;          // particles that it moves
    int32_t *block_of;       // for each particle number, while a list is made
    uint32_t *slot;          // 4 * slot, for each block
    int64_t block_of_capacity, slot_capacity;
    sparse_lower matrix;
    int64_t start_capacity, column_capacity, value_capacity;
    cholesky factor;
    bool ready; // the matrix is that of the list

    // By block: 3 numbers each, and their masses; 0: held
    double *d, *tried, *right, *move, *mass;
    // By part: multipliers and their change; the weight of the residual in the line search; -L^-1 (C + a lambda), A = L L^T
    double *lambda, *tried_lambda, *change, *weight, *residual;
    double *triangle; // L: DIRECT_PARTS numbers for each part
    double *gradient; // L^-1 J
    double *numbers;  // the memory of all these
    double aim;       // the merit that the substep needs not go below
    int64_t number_capacity;
} direct_system;

// Lists the constraints and, where they are others than before, makes the matrix. Called whenever a world has been packed.
pl_result direct_prepare(pl_world *w);
void direct_free(pl_world *w);

// One iteration: writes displacements and multipliers.
void direct_iterate(state *s, const stage *g);

// The multiplications of a factorisation and a solution.
double direct_multiplications(const direct_system *d);
