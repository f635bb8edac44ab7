// packing.h: sorting of rows into their places while a world is compiled.
#pragma once
#include "model/world.h"

// The sorted rows of one kind. The groups are in this order: (tile, colour) for rows inside a tile, then plain colours,
// then Jacobi.
typedef struct sorting
{
    int32_t *group;       // group of each row, -1: the row is broken
    int32_t *group_start; // first place of each group; groups are padded
    int64_t groups;
    int64_t padded;
} sorting;

static inline int64_t round_up(int64_t a) { return (a + PAD - 1) / PAD * PAD; }

// ---- groups/group.c
// Stores the contact lists so that they can be built again unchanged for arrays of another size.
pl_result set_lists_aside(pl_world *w);

// ---- row_layout.c
int64_t groups_of(const pl_world *w);                // number of groups of a kind
void size_groups(pl_world *w, int kind, sorting *s); // fills in `s`, and the places of each plain colour
// Assigns each row its place. Scratch: by_slot has an entry for each row, slot_start one more than there are slots,
// next one for each group.
void place_rows(const pl_world *w, int kind, const sorting *s, int32_t *by_slot, int32_t *slot_start, int32_t *next);
void fill_rows(pl_world *w, int kind, const sorting *s);
void fill_jacobi(pl_world *w, int kind, int32_t *next);
int64_t count_tile_runs(const pl_world *w, const sorting *sorted);
void list_tile_runs(pl_world *w, const sorting *sorted);
pl_result list_runs(pl_world *w);
