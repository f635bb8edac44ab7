// edit_in_place.h: edits of a world that has been stepped, inserted where there is room for them.
//
// The result depends on the slots of the particles and the colours of the rows. Both are kept, in snapshots too, and a
// new row or particle is added by a rule that reads nothing else. Positions in memory do not change the result, so
// arrays may be enlarged at any time.
#pragma once
#include "layout/colour.h"

enum
{
    COLOUR_PLAIN = COLOUR_CAP,      // below: a colour inside the row's tile; from here on: a plain colour, outside
    COLOUR_JACOBI = 2 * COLOUR_CAP, // no colour: the row is solved by Jacobi iteration
    COLOUR_NONE = 255,              // the row is broken, or not coloured yet
};

// The plain colours of the rows of one kind, and the places of each colour.
typedef struct colour_places
{
    bool ready;         // masks and degrees are up to date
    colour_masks masks; // colours in use at each slot
    int32_t *degree;    // for each slot how many rows move it; only for kinds whose rows may be spokes
    int64_t moved_capacity, read_capacity, degree_capacity;
    int32_t start[COLOUR_CAP + 2]; // first place of each plain colour, of Jacobi, and the end
    int32_t count[COLOUR_CAP];     // rows of each colour
    int32_t growth;                // how often a colour had no room; each time doubles its spare room, to a limit
    int32_t next[COLOUR_CAP];      // no place before this one is free
} colour_places;

// A range of bytes that a backend with its own memory has yet to copy.
typedef struct patch
{
    int64_t at;
    int32_t bytes, array; // array: slot array, -1: the packed memory
} patch;

// ---- row_colours.c
bool keeps_order(const pl_world *w);                                      // true: edits keep slots and colours
void row_slots(const pl_world *w, int kind, int64_t row, int32_t *slots); // the slots of a row's particles
int32_t tile_of(const pl_world *w, const int32_t *slots, int arity);      // the tile that contains all of them, or -1
void colour_kind(pl_world *w, int kind, colour_masks m, int32_t *degree); // colours all rows; m, degree: scratch
pl_result colours_open(pl_world *w, int kind);                            // builds masks and degrees
pl_result colours_reserve(pl_world *w);                                   // enlarges masks and degrees for new slots
bool colour_join(pl_world *w, int kind, int64_t row);  // gives a new row a colour; false: all must be coloured again
void colour_leave(pl_world *w, int kind, int64_t row); // before its particles change
void colour_enter(pl_world *w, int kind, int64_t row); // after they changed; it keeps its colour
pl_result colours_check(pl_world *w, int kind);        // checks the colours read from a snapshot
void colours_forget(pl_world *w);                      // drops the masks; they are built again when needed
void colours_free(pl_world *w);

// ---- edit_in_place.c
int32_t spare_slot(const pl_world *w, int64_t place, int32_t tile); // dummy slot of a free place
pl_result unpack_all(pl_world *w, bool colours, bool particles);    // marks for packing, colouring, ordering
pl_result edit_begin(pl_world *w);                                  // makes room for new rows and particles
pl_result edit_reserve_rows(pl_world *w, int kind, int64_t count);  // reserves memory for new rows
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
void patch_slot(pl_world *w, int32_t slot);                     // records that a slot's data have changed
void patch_packed(pl_world *w, const void *from, size_t bytes); // records that packed bytes have changed
void patches_free(pl_world *w);
