// lanes_groups.c: compiles the stages of clusters (shape matching), lattices, volumes and oriented particles, and the
// plastic flow of elements, for one lane width (lanes_unit.h).
#include "groups/group_stages.h"
#include "stages/damage_stages.h"
#include "stages/shape_match_wide.h"

#define EXPORT_GROUPS EXPORT
#include "backend/cpu/lanes_unit.h"
