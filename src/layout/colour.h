// colour.h: the colours of rows: rows of one colour may be solved in parallel.
#pragma once
#include "model/state.h"

typedef struct colour_masks
{
    uint64_t *moved, *read; // for each slot: bits of the colours that move it, and that read it
} colour_masks;

// Returns the colour of a row, given all rows coloured before it; COLOUR_CAP when every colour is taken.
int colour_row(const int32_t *slots, int arity, int writes, colour_masks m);
