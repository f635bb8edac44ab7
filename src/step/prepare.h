// prepare.h: prepares a frame: sets the numbers that its stages read beside the arrays, and restores the world after a
// frame that failed.
#pragma once
#include "model/world.h"

// Writes wind, fields, contact rules and everything else that follows from the settings and dt into the state.
void prepare_frame(pl_world *w, float dt);
// Call after a frame that diverged. Restores the world to the frame's start; the error names a particle.
pl_result go_back(pl_world *w);
void step_back(pl_world *w); // to the frame's start, from what the host has of it
