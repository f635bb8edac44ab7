// cholesky.h: solves sparse symmetric systems A x = b, above all positive definite ones, in double precision, with the same bits on every
// machine: A = L D L^T, row by row, in the order of nested dissection (dissection.h).
//                                              Liu 1990 (elimination trees); Davis 2006, chapter 4
#pragma once
#include "core/memory.h"

// The lower triangle of A: row i has the entries start[i] to start[i + 1] - 1, each in a column of at most i, in rising
// order; the last one is the diagonal.
typedef struct sparse_lower
{
    int32_t rows;
    int64_t *start;
    int32_t *column;
    double *value;
} sparse_lower;

typedef struct cholesky
{
    memory *memory;
    int32_t rows, *order, *place; // order: the unknown that is eliminated k-th; place: its inverse
    int64_t *start;               // of A with rows and columns in that order, without the diagonal:
    int32_t *column;              // ... its columns
    int64_t *from, *diagonal;     // ... and where its values stand in sparse_lower.value
    int32_t *parent;              // elimination tree; -1: a root
    int64_t *l_start;             // L without its diagonal, by columns
    int32_t *l_row, *l_filled;
    double *l, *d;
    double *work;
    int32_t *path, *mark;
    int64_t entries, factor_entries;
} cholesky;

// Finds the order and the pattern of L, which depend on the pattern of A alone. `block` unknowns that follow each other,
// such as the 3 coordinates of a particle, stay together in the order. On failure nothing is left.
pl_result cholesky_open(cholesky *c, memory *m, const sparse_lower *a, int32_t block);
// Computes L and D for the values of A. Returns how many entries of D are negative: 0 if A is positive definite, and else as
// many as A has negative eigenvalues; such a factor may be inaccurate. -1: there is none, A is singular or not finite.
int32_t cholesky_factor(cholesky *c, const sparse_lower *a);
// Solves with the last factor. `right` and `out` may be the same.
void cholesky_solve(cholesky *c, const double *right, double *out);
void cholesky_close(cholesky *c);
