// contents.h: declares what a world consists of beside its threads, its backend and its hooks.
#pragma once
#include "model/world.h"

// Prepares a world whose memory is zero for its first edits, or for a snapshot.
pl_result world_set_defaults(pl_world *w);
// Frees everything that edits and steps have made.
void world_free_contents(pl_world *w);
