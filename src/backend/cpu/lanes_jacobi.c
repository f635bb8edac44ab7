// lanes_jacobi.c: Jacobi iterations over the rows of every element kind.
#include "stages/element_stages.h"

#define EXPORT_JACOBI EXPORT
#include "backend/cpu/lanes_unit.h"
