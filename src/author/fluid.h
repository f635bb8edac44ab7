// fluid.h: declares what emitters use of the making of fluids.
#pragma once
#include "author/build.h"

pl_result fluid_check(const pl_fluid_def *d);                          // the def alone
pl_result fluid_check_world(const pl_world *w, const pl_fluid_def *d); // what depends on the world
// Makes the first `count` particles of an object a fluid. The last thing that can fail.
void fluid_make(build *b, const pl_fluid_def *d, int count);
