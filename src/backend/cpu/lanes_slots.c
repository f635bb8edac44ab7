// lanes_slots.c: compiles the stages of single particles and of faces, internal damping, and events, for one lane width
// (lanes_unit.h).
#include "stages/element_stages.h"
#include "stages/chebyshev_stages.h"
#include "stages/component_stages.h"
#include "stages/direct_stages.h"
#include "stages/hierarchy_stages.h"
#include "stages/particle_stages.h"

#define EXPORT_SLOTS EXPORT
#include "backend/cpu/lanes_unit.h"
