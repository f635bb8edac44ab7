// edit_in_place.h: edits of a world that has been stepped, put where there is room for them.
//
// What decides the bits is who has which slot and which row has which colour; both are kept, in snapshots too, and a new row or particle
// adds to them by a rule that looks at nothing else. Where in memory things lie decides nothing: rooms may be made larger at any time.
#pragma once
#include "layout/colour.h"

enum
{
    COLOUR_PLAIN = COLOUR_CAP,      // a row's colour: below, one inside its tile; from here on, one of the rest,
    COLOUR_JACOBI = 2 * COLOUR_CAP, // ... none, and it is solved the Jacobi way
    COLOUR_NONE = 255,              // it is broken, or has not been coloured yet
};

// Of one kind: who has which plain colour, and where the places of each colour are.
typedef struct colour_places
{
    bool ready;         // masks and degrees are those of the rows
    colour_masks masks; // for each slot
    int32_t *degree;    // for each slot how many rows move it; only where rows may be spokes
    int64_t moved_capacity, read_capacity, degree_capacity;
    int32_t start[COLOUR_CAP + 2]; // for each plain colour its first place; those of Jacobi; the end
    int32_t count[COLOUR_CAP];     // rows in it
    int32_t growth;                // how often a colour had no room, which gives it twice as much, to a limit
    int32_t next[COLOUR_CAP];      // no place before this one is free
} colour_places;

// Bytes that a backend with memory of its own has yet to be told.
typedef struct patch
{
    int64_t at;
    int32_t bytes, array; // -1: of what is packed
} patch;

// ---- colours.c
bool keeps_order(const pl_world *w); // an edit leaves slots and colours as they are
void row_slots(const pl_world *w, int kind, int64_t row, int32_t *slots);
int32_t tile_of(const pl_world *w, const int32_t *slots, int arity); // that holds them all, or -1
void colour_kind(pl_world *w, int kind, colour_masks m, int32_t *degree);
pl_result colours_open(pl_world *w, int kind);         // masks and degrees
pl_result colours_reserve(pl_world *w);                // ... for slots that have come
bool colour_join(pl_world *w, int kind, int64_t row);  // false: everything is to be coloured anew
void colour_leave(pl_world *w, int kind, int64_t row); // before its particles change
void colour_enter(pl_world *w, int kind, int64_t row); // after; with the colour it had
pl_result colours_check(pl_world *w, int kind);        // of a world that was read
void colours_forget(pl_world *w);                      // masks: they will be made again when they are needed
void colours_free(pl_world *w);

// ---- edit_in_place.c
int32_t spare_slot(const pl_world *w, int64_t place, int32_t tile); // where a place points that nobody has
pl_result unpack_all(pl_world *w, bool colours, bool particles);   // ... to be packed anew, coloured anew, ordered anew
pl_result edit_begin(pl_world *w);                                 // room for what comes, or none is needed
pl_result edit_reserve_rows(pl_world *w, int kind, int64_t count); // memory for so many rows to come
pl_result edit_insert_rows(pl_world *w, int kind, int64_t first, int64_t count); // that were added at the end
void edit_undo_rows(pl_world *w, int kind,
                    int64_t first); // ... and are not to be: those from `first` on, which came in place
pl_result edit_remove_row(pl_world *w, int kind, int64_t row);   // the row is about to go, or is broken
pl_result edit_lift_row(pl_world *w, int kind, int64_t row);     // before one of its particles changes,
pl_result edit_reinsert_row(pl_world *w, int kind, int64_t row); // and after
pl_result edit_reserve_particles(pl_world *w, int64_t count);    // before they come
int32_t edit_take_slot(pl_world *w);                             // for one that comes
void edit_free_slot(pl_world *w, int32_t slot);                  // its particle is gone
pl_result contacts_pull(pl_world *w); // before particles come or go: lists are told by numbers
void edit_contacts(pl_world *w);      // they come or go: lists are to be made anew
void edit_parted(pl_world *w);        // particles have gone: nothing is kept of them
pl_result patches_reserve(pl_world *w, int64_t count);
void patch_slot(pl_world *w, int32_t slot);
void patch_packed(pl_world *w, const void *from, size_t bytes);
void patches_free(pl_world *w);
