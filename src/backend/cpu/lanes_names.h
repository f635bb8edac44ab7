// lanes_names.h: names a function that is compiled for one lane width: predict_w8, predict_w8_vl, ...
#pragma once
#include "backend/cpu/lanes.h"

#define LANE_NAME(function) LANE_NAME_(function, LANE_WIDTH)
#define LANE_NAME_(function, width) LANE_NAME__(function, width)
#define LANE_NAME__(function, width) function##_w##width
