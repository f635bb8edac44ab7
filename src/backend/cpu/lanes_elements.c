// lanes_elements.c: sweeps over the rows of every kind, by colours and in tiles.
#include "stages/element_stages.h"

#define EXPORT_ELEMENTS EXPORT
#include "backend/cpu/lanes_unit.h"
