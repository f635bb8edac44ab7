// fluid_properties.h: declares the properties of a fluid that may change while it flows: viscosity, tension and their kin.
#pragma once
#include "model/world.h"

pl_result fluid_check_range(const char *what, float value, float least, float most, const char *unit);
pl_result fluid_check_properties(const pl_fluid_def *d);
// Writes the properties of a particle of a fluid.
void fluid_put_properties(pl_world *w, int32_t slot, const pl_fluid_def *d);
