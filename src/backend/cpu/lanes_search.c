// lanes_search.c: compiles the search for elements of surfaces that are near each other, for one lane width.
#include "backend/cpu/lanes_names.h"
#include "neighbours/surface/element_pairs.h"

extern const element_lanes LANE_NAME(element_search);
const element_lanes LANE_NAME(element_search) = {fit_elements, fit_level, find_elements};
