// row_forces.h: the forces of all constraints that have a compliance.
#ifndef PLIANT_QUERY_ROW_FORCES_H
#define PLIANT_QUERY_ROW_FORCES_H

#include <pliant/pliant.h>

// Copies at most `capacity` forces, as PL_ROW_FORCE tells them, kind by kind, row by row and part by part, and returns how
// many there are. Rigid constraints are left out: where there are more of them than the particles can move, their forces
// have no single answer. 0 if they cannot be read from the device.
int64_t row_forces(const pl_world *world, double *out, int64_t capacity);

#endif
