// lanes_slots.c: stages of single particles and faces, internal damping, events.
#include "stages/element_stages.h"

#define EXPORT_SLOTS EXPORT
#include "backend/cpu/lanes_unit.h"
