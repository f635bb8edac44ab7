// melting.h: declares the checks of which particles may melt.
#pragma once
#include "model/world.h"

bool heat_melts(const pl_world *w, int32_t number);
// Checks whether these particles, and all that melt already, may melt.
pl_result heat_check_free(pl_world *w, int32_t first, int32_t count);
// Checks whether these particles may be members of clusters.
pl_result heat_check_members(pl_world *w, const int32_t *members, int64_t count);
pl_result heat_check_added(const pl_world *w, const int32_t *index, int64_t count, const char *what);
