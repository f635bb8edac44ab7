// lanes_jacobi.c: rows of every kind that are solved the Jacobi way.
#include "stages/element_stages.h"

#define EXPORT_JACOBI EXPORT
#include "backend/cpu/lanes_unit.h"
