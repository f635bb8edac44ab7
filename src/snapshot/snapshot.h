// snapshot.h: declares the functions that walk over the parts of a world to save or load them (core/stream.h).
#pragma once
#include "core/stream.h"
#include "model/world.h"

void walk_contacts(stream *s, pl_world *w);
void walk_surface(stream *s, pl_world *w);
void walk_events(stream *s, pl_world *w);
void walk_heat(stream *s, pl_world *w);
// Reads a snapshot into a world without contents. On failure the contents may be invalid: only free them.
pl_result snapshot_read(pl_world *w, const void *data, size_t size);
// Checks what was read; PL_ERROR_FORMAT: it is damaged. Particles and ids are checked as soon as they are read, because the
// parts behind them refer to them.
pl_result snapshot_check_particles(pl_world *w);
pl_result snapshot_check_ids(const pl_world *w);
pl_result snapshot_check(pl_world *w); // the rest: how the parts fit each other
