// lanes_surfaces.c: self-collision of surfaces.
#include "stages/skin_items.h"

#define EXPORT_SURFACES EXPORT
#include "cpu/lanes_unit.h"
