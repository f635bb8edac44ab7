// lanes_jacobi.c: rows of every kind that are solved the Jacobi way.
#include "stages/items.h"

#define EXPORT_JACOBI EXPORT
#include "cpu/lanes_unit.h"
