// lanes_elements.c: Gauss-Seidel sweeps over the rows of every element kind, by colour and in tiles.
#include "stages/element_stages.h"

#define EXPORT_ELEMENTS EXPORT
#include "backend/cpu/lanes_unit.h"
