// packing.h: rows on their way to their places, while a world is compiled.
#pragma once
#include "model/world.h"

// A kind's rows. Groups run in order: (tile, colour) for rows inside a tile, then plain colours, then Jacobi.
typedef struct sorting
{
    int32_t *group;       // for each row, -1: it is broken
    int32_t *group_start; // for each group its first place, padded
    int64_t groups;
    int64_t padded;
} sorting;

static inline int64_t round_up(int64_t a) { return (a + PAD - 1) / PAD * PAD; }

// ---- groups/group.c
pl_result set_lists_aside(pl_world *w); // of contacts: they will be made again as they are, for other sizes

// ---- row_layout.c
int64_t groups_of(const pl_world *w);
void size_groups(pl_world *w, int kind, sorting *s);
// Scratch: a number for each row, for each slot and one more, for each group.
void place_rows(const pl_world *w, int kind, const sorting *s, int32_t *by_slot, int32_t *slot_start, int32_t *next);
void fill_rows(pl_world *w, int kind, const sorting *s);
void fill_jacobi(pl_world *w, int kind, int32_t *next);
int64_t count_tile_runs(const pl_world *w, const sorting *sorted);
void list_tile_runs(pl_world *w, const sorting *sorted);
pl_result list_runs(pl_world *w);
