// row_weight.h: W = sum w |grad C|^2 of a constraint, in double.
#pragma once
#include "pliant/pliant.h"

// Returns the weight of a row at PL_MAX_ARITY points (x, y, z, inverse mass); of a block with the compliance matrix S, the
// mean eigenvalue of S^-1 J W J^T. 0 for joints.
double row_weight(int kind, const double x[][4], const double *param);
