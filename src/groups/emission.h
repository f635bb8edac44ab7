// emission.h: declares what happens to the particles of emitters and drains after a frame.
//
// An inactive particle keeps its slot, its number, its radius and its place in every list, so that nothing is laid out
// again when it comes or goes. It has no mass, no velocity, the phase PHASE_INACTIVE with an empty mask, and lies on a
// lattice around the opening of its emitter, a spacing from the next one: with that it has no neighbours, no contacts,
// and no force. What changes is a few slots, which go to a device as patches.
#pragma once
#include "model/world.h"

// The emitter whose reserve holds the particles of an object; NULL: there is none.
emitter *emitter_of_object(const pl_world *w, const id_entry *object);

// ---- emission.c
// Drains, ends lifetimes and emits for a frame of length dt that has just been done.
pl_result emission_frame(pl_world *w, float dt);
// Sets the velocity of the particles inside of a nozzle.
void emission_speed(pl_world *w, int64_t index, float speed);
// Makes an active particle inactive. place: its number among those of its object.
void emission_take(pl_world *w, int32_t number, const float *park, float spacing, int32_t place, int32_t of);

// ---- emitters.c
// Adds an emitter for the particles [first, first + count), which are active. Its lattice and phase are set.
pl_result emitter_add(pl_world *w, const emitter *e, int32_t first, int32_t count, pl_id *id);
// Makes all particles of a new emitter its reserve.
void emitter_fill(pl_world *w, int64_t index);
// Sets the lattice of the opening: places, pitch, layer, area and the number of layers behind it.
void emitter_lattice(emitter *e);
// The coordinates of a place of a layer across the jet, m.
void emitter_place(const emitter *e, int32_t row, int32_t column, double at[2], bool *inside);
