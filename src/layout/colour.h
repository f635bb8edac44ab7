// colour.h: which rows may run side by side.
#pragma once
#include "model/state.h"

typedef struct colour_masks
{
    uint64_t *moved, *read; // for each slot
} colour_masks;

// The colour of a row, given all rows coloured before it; COLOUR_CAP when every colour is taken.
int colour_row(const int32_t *slots, int arity, int writes, colour_masks m);
