// colour.h: the colours of rows: rows of one colour may be solved in parallel.
#pragma once
#include "model/world.h"

// Returns the colour of a row, given all rows coloured before it; COLOUR_CAP when
// each of the first `cap` is taken.
int colour_row(const int32_t *slots, int arity, int writes, int cap, colour_masks m);

// ---- row_colours.c
bool keeps_order(const pl_world *w);                                      // true: edits keep slots and colours
void row_slots(const pl_world *w, int kind, int64_t row, int32_t *slots); // the slots of a row's particles
int32_t tile_of(const pl_world *w, const int32_t *slots, int arity);      // the tile that contains all of them, or -1
void colours_clear(pl_world *w);                                          // before all rows are coloured
// Colours all rows that have none; m, degree: scratch.
void colour_kind(pl_world *w, int kind, colour_masks m, int32_t *degree);
pl_result colours_open(pl_world *w, int kind);         // builds masks and degrees
pl_result colours_reserve(pl_world *w);                // enlarges masks and degrees for new slots
bool colour_join(pl_world *w, int kind, int64_t row);  // gives a new row a colour; false: all must be coloured again
void colour_leave(pl_world *w, int kind, int64_t row); // before its particles change
void colour_enter(pl_world *w, int kind, int64_t row); // after they changed; it keeps its colour
pl_result colours_check(pl_world *w, int kind);        // checks the colours read from a snapshot
void colours_forget(pl_world *w);                      // drops the masks; they are built again when needed
void colours_free(pl_world *w);
