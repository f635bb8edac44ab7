// lanes_surfaces.c: compiles the stages of the self-collision of surfaces, for one lane width (lanes_unit.h).
#include "stages/surface_stages.h"

#define EXPORT_SURFACES EXPORT
#include "backend/cpu/lanes_unit.h"
