// lanes_slots.c: stages of single particles and of faces, internal damping, and events.
#include "stages/element_stages.h"
#include "stages/object_stages.h"
#include "stages/particle_stages.h"

#define EXPORT_SLOTS EXPORT
#include "backend/cpu/lanes_unit.h"
