// sensors.h: declares the search for what is inside sensors.
#pragma once
#include "model/world.h"

// After a frame: finds what is inside every sensor, and reports what came and what left.
pl_result sensors_update(pl_world *w);
