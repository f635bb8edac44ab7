// contacts.h: the contact lists of a world: which particles are near each other and near shapes, when the lists were
// made, and the contact multipliers.
//
// Neighbours are searched with a margin, and the list is kept until it may become invalid: while no two particles have
// moved relative to each other by more than the margin since it was made, every touching pair is in it. Before each
// substep the distances moved so far, plus what the present speeds add in the substep, are compared with the margin
// (stages/list_validity.h). A resting pile keeps its list for good. The margin grows with the speed, up to MARGIN_MOST
// radii, or MARGIN_SPARSE after a list of few pairs: particles that move more than half of that in one substep may pass
// through each other. When the speeds have dropped so much that half the margin would do, the margin is too wide and a
// new list is made: most of the old one would be pairs that never touch.
#pragma once
#include "core/parallel_for.h"
#include "model/world.h"

// carry_multipliers.c
// Converts kept multipliers from particle numbers to the current slots; drops contacts that have lost a particle.
// pairs: `b` is a particle number too, not the key of a shape.
pl_result carry_kept(pl_world *w, carry *c, const kept_list *list, bool pairs);
// Reduces the friction of a material between particles that roll freely (pairs.c).
pl_material between_free_particles(pl_material m);
pl_result carry_list(pl_world *w, const parallel *threads); // from the current list of pairs
// pairs.c: which pairs there are at the positions at `from`; builds the list of them
neighbour_query pairs_query(const pl_world *w, const float *from, float margin);
pl_result pairs_build(pl_world *w, const float *from);
// contacts.c
pl_result contacts_compile(pl_world *w);              // after the particles have their slots
pl_result contacts_refresh(pl_world *w, int substep); // before a substep: search for contacts again where it is due
pl_result contacts_keep(pl_world *w);                 // brings the multipliers home, by particle numbers
void contacts_forget(pl_world *w);                    // no multipliers: after a failed frame
void contacts_free(pl_world *w);
// shape_contacts.c
pl_result shape_contacts_build(pl_world *w, int substep);
pl_result shape_contacts_keep(pl_world *w);
