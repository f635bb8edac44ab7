// frame.h: what surrounds a frame: the numbers that its stages read beside the arrays, and the way back from one that failed.
#pragma once
#include "model/world.h"

// Wind, fields, contact rules and all else that settings and dt amount to, into the state.
void set_frame(pl_world *w, float dt);
// After a frame that blew up: the world is as it was before, and the error says where the trouble was.
pl_result go_back(pl_world *w);
