// compile.h: declares how a world is brought into the form that the stages read.
#pragma once
#include "model/world.h"

// Brings everything that is stale up to date before a frame.
pl_result compile(pl_world *w);
pl_result arrange_now_and_then(pl_world *w);            // before a frame
pl_result particles_reserve(pl_world *w, int64_t more); // makes room for so many more
