// lanes_elements.c: compiles the Gauss-Seidel sweeps over the rows of every element kind, by colour and in tiles, for
// one lane width (lanes_unit.h).
#include "stages/element_stages.h"

#define EXPORT_ELEMENTS EXPORT
#include "backend/cpu/lanes_unit.h"
