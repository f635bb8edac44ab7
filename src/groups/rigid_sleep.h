// rigid_sleep.h: declares the sleep of rigid bodies.
#pragma once
#include "model/rigid_rest.h"

enum
{
    SLEEP_EVERY = 8, // frames: islands are looked for no more often
};

// Before a frame, while groups are packed: wakes the bodies that edits have marked.
pl_result rigid_wake_marked(pl_world *w);
// After the pairs were listed: lets the islands that have been still for long enough fall asleep. *again: some have; list
// the pairs once more.
pl_result rigid_sleep(pl_world *w, bool *again);

// Of a collider: does it move without being pushed (a kinematic body, a shape), or has an edit moved it? Then it wakes
// what is near it.
bool rigid_stirs(const pl_world *w, int32_t collider);
// Two colliders are near each other: wakes the one that sleeps if the other moves. True: one of them can be pushed.
bool rigid_meets(pl_world *w, int32_t a, int32_t b);
void rigid_forget_stirs(
    pl_world *w); // after the list was made: edits of bodies that nothing pushes have had their effect

// ---- rigid_resting.c: the rows of sleeping bodies
pl_result rigid_rows_rest(pl_world *w, const int32_t *set); // takes those of bodies with set >= 0 out of the list
pl_result rigid_rows_return(pl_world *w);                   // returns those of bodies that have woken, to `kept`
