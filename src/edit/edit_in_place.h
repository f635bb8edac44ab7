// edit_in_place.h: edits of a world that has been stepped, inserted where there is room for them.
//
// The result depends on the slots of the particles and the colours of the rows. Both are kept, in snapshots too, and a
// new row or particle is added by a rule that reads nothing else. Positions in memory do not change the result, so
// arrays may be enlarged at any time.
#pragma once
#include "model/world.h"

pl_result edit_begin(pl_world *w);                                 // makes room for new rows and particles
pl_result edit_reserve_rows(pl_world *w, int kind, int64_t count); // reserves memory for new rows
pl_result edit_insert_rows(pl_world *w, int kind, int64_t first, int64_t count); // rows added at the end
void edit_undo_rows(pl_world *w, int kind, int64_t first);     // undoes edit_insert_rows from row `first` on
pl_result edit_remove_row(pl_world *w, int kind, int64_t row); // the row is removed or broken
pl_result edit_lift_row(pl_world *w, int kind, int64_t row);   // takes the row out before one of its particles changes
pl_result edit_reinsert_row(pl_world *w, int kind, int64_t row); // puts the row back after the change
pl_result edit_reserve_particles(pl_world *w, int64_t count);    // before particles are added
int32_t edit_take_slot(pl_world *w);                             // slot for a new particle
void edit_free_slot(pl_world *w, int32_t slot);                  // its particle was removed
pl_result contacts_pull(pl_world *w); // stores contacts by particle number before particles are added or removed
void edit_contacts(pl_world *w);      // particles are added or removed: marks the lists for a new search
void edit_parted(pl_world *w);        // particles were removed: drops their kept multipliers
pl_result patches_reserve(pl_world *w, int64_t count);
