// lanes_elements.c: sweeps over the rows of every kind, by colours and in tiles.
#include "stages/items.h"

#define EXPORT_ELEMENTS EXPORT
#include "cpu/lanes_unit.h"
