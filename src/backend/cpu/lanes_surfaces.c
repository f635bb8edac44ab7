// lanes_surfaces.c: self-collision of surfaces.
#include "stages/surface_stages.h"

#define EXPORT_SURFACES EXPORT
#include "backend/cpu/lanes_unit.h"
