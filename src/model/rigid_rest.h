// rigid_rest.h: declares which rigid bodies sleep. Edits call these functions; a body that wakes does so when the next step
// begins.
#pragma once
#include "model/world.h"

void rigid_wake(pl_world *w, int64_t body);                                // with all that fell asleep with it
void rigid_wake_all(pl_world *w);                                          // what acts on all bodies changes
void rigid_wake_particle(pl_world *w, int32_t number);                     // if it is a body
void rigid_wake_rows(pl_world *w, int kind, int64_t first, int64_t count); // the bodies at their ends
void rigid_stir(pl_world *w, int64_t body); // an edit moves the body: it and what is near it wake
void rigid_stir_particles(pl_world *w, int32_t first, int32_t count); // the same, of those that are bodies
void rigid_lost(pl_world *w, int32_t number);                         // the particle is about to be removed
float rigid_set_weight(pl_world *w, int32_t number, float weight);    // its inverse mass changes; returns it
pl_result rigid_rest_list(pl_world *w);                               // finds awake_weight and asleep from the records
uint32_t rigid_name_serial(uint64_t name); // the serial number of a collider's body; 0: a shape of the world
int64_t rigid_of_serial(const rigids *r, uint32_t serial); // the body, or -1
