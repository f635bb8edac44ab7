// lanes_surfaces.c: stages of the self-collision of surfaces.
#include "stages/surface_stages.h"

#define EXPORT_SURFACES EXPORT
#include "backend/cpu/lanes_unit.h"
