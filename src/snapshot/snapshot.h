// snapshot.h: declares the functions that walk over the parts of a world to save or load them (core/stream.h).
#pragma once
#include "core/stream.h"
#include "model/world.h"

void walk_contacts(stream *s, pl_world *w);
void walk_surface(stream *s, pl_world *w);
void walk_events(stream *s, pl_world *w);
void walk_heat(stream *s, pl_world *w);
pl_result snapshot_check(pl_world *w); // a world that was read; PL_ERROR_FORMAT: it is damaged
