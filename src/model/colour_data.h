// colour_data.h: declares what a world holds of the colours of its rows (layout/colour.h).
#pragma once
#include "model/state.h"

typedef struct colour_masks
{
    uint64_t *moved, *read; // for each slot: bits of the colours that move it, and that read it
} colour_masks;

enum
{
    COLOUR_PLAIN = COLOUR_CAP,     // below: a colour inside the row's tile; from here on: a plain colour, outside
    COLOUR_GROUP = 2 * COLOUR_CAP, // no colour: a group solves the row in stages of its own
    COLOUR_JACOBI,                 // no colour: the row is solved by Jacobi iteration
    COLOUR_NONE = 255,             // the row is broken, or not coloured yet
};

// The plain colours of the rows of one kind, and the range of packed rows of each colour.
typedef struct colour_ranges
{
    bool ready;         // masks and degrees are up to date
    colour_masks masks; // colours in use at each slot
    int32_t *degree;    // for each slot how many rows move it; only for kinds whose rows may be spokes
    int64_t moved_capacity, read_capacity, degree_capacity;
    int32_t start[COLOUR_CAP + 3]; // first row of each plain colour, of groups, of Jacobi, and the end
    int32_t count[COLOUR_CAP];     // rows of each colour
    int32_t growth;                // how often a colour had no room; each time doubles its spare room, to a limit
    int32_t next[COLOUR_CAP];      // no row before this one is unused
} colour_ranges;
