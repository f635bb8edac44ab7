// lanes_slots.c: stages of single particles and faces, internal damping, events.
#include "stages/items.h"

#define EXPORT_SLOTS EXPORT
#include "cpu/lanes_unit.h"
