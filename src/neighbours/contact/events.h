// events.h: reports which contacts begin and end. Off by default; then it costs nothing.
#pragma once
#include "model/world.h"

pl_result events_note(pl_world *w);    // after a substep: records the load of every contact
pl_result events_flush(pl_world *w);   // before the lists change: stores the loads by particle numbers
pl_result events_publish(pl_world *w); // after a frame: reports the contacts that began and ended
void events_drop(pl_world *w);         // discards what a failed frame recorded
void events_lost(pl_world *w);         // drops contacts of removed particles and shapes
// During a frame or at its end: adds a contact that was recorded elsewhere, if it matches the watch.
pl_result events_see(pl_world *w, const seen_contact *contact);
// Are contacts watched that must be read after every substep?
bool events_need_substeps(const pl_world *w);
bool events_fit(const pl_world *w); // are the stored contacts consistent with the world?
void events_free(pl_world *w);

static inline bool contact_has_two(int kind) { return kind == PL_CONTACT_PARTICLES || kind == PL_CONTACT_BODIES; }
static inline bool contact_has_shape(int kind) { return kind == PL_CONTACT_SHAPE || kind == PL_CONTACT_BODY_SHAPE; }
static inline bool contact_of_bodies(int kind)
{
    return kind == PL_CONTACT_BODIES || kind == PL_CONTACT_BODY_SHAPE || kind == PL_CONTACT_BODY_OBJECT;
}
static inline bool contact_has_object(int kind) { return kind == PL_CONTACT_SURFACE || kind == PL_CONTACT_BODY_OBJECT; }
