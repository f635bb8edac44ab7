// lanes_groups.c: clusters, lattices, volumes, oriented particles, and the plastic flow of elements.
#include "stages/lattice_items.h"
#include "stages/match_wide.h"
#include "stages/orient_items.h"
#include "stages/volume_items.h"
#include "stages/wear_items.h"

#define EXPORT_GROUPS EXPORT
#include "cpu/lanes_unit.h"
