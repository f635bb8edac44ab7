// packing.h: declares the steps that put particles, rows and faces into their order in memory while a world is
// compiled.
#pragma once
#include "model/world.h"

// The sorted rows of one kind. The groups are in this order: (tile, colour) for rows inside a tile, then plain colours,
// then Jacobi.
typedef struct sorting
{
    int32_t *group;       // group of each row, -1: the row is broken
    int32_t *group_start; // index of the first row of each group; groups are padded
    int64_t groups;
    int64_t padded;
} sorting;

static inline int64_t round_up(int64_t a) { return (a + PAD - 1) / PAD * PAD; }

// ---- row_layout.c
int32_t spare_slot(const pl_world *w, int64_t packed_at, int32_t tile); // dummy slot that an unused row names
int64_t groups_of(const pl_world *w);                                   // number of groups of a kind
void size_groups(pl_world *w, int kind, sorting *s); // fills in `s`, and the range of rows of each plain colour
// Assigns each row its index (packed_at). Scratch: by_slot has an entry for each row, slot_start one more than there
// are slots, next one for each group.
void place_rows(const pl_world *w, int kind, const sorting *s, int32_t *by_slot, int32_t *slot_start, int32_t *next);
void fill_rows(pl_world *w, int kind, const sorting *s);
void fill_jacobi(pl_world *w, int kind, int32_t *next);
int64_t count_tile_runs(const pl_world *w, const sorting *sorted);
void list_tile_runs(pl_world *w, const sorting *sorted);
pl_result list_runs(pl_world *w);

// ---- order.c, arrange.c, pack_rows.c
pl_result order_particles(pl_world *w);
pl_result arrange(pl_world *w, bool *moved); // sorts loose particles by cell
void pack_rows(pl_world *w, int kind);

// ---- pack_faces.c
void pack_faces(pl_world *w); // those on which wind acts
void pack_faces_again(pl_world *w);
bool faces_fit(const pl_world *w);
// Returns how many faces to reserve: those on which wind acts, and more if this packing leaves room for edits.
int64_t faces_room(const pl_world *w);
