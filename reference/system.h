// system.h: the judge's linear systems: a symmetric sparse matrix made of small dense blocks.
#ifndef PLIANT_REFERENCE_SYSTEM_H
#define PLIANT_REFERENCE_SYSTEM_H

#include <stdbool.h>

typedef struct linear_system linear_system;

linear_system *system_create(int unknowns);
void system_destroy(linear_system *s);
void system_clear(linear_system *s);
// Adds to entry (row, column) of the symmetric matrix; only row >= column is kept.
void system_add(linear_system *s, int row, int column, double value);
// Factorises and solves A out = right. False: A is singular.
bool system_solve(linear_system *s, const double *right, double *out);

#endif
