// broad_phase.h: finds the pairs of boxes that overlap, for bodies of very different sizes (1 cm to 1 km).
//
// The result is defined by the boxes alone: all pairs a < b whose boxes overlap or touch and of which at least one moves,
// sorted by (a, b). So the algorithm, the number of threads and the backend do not change it.
// Here: boxes are sorted by (size class, Morton code of their centre); every four neighbours in that order have a common
// box, four of those again, and so on: a tree without pointers. Size classes (powers of 4) keep large boxes out of the
// groups of small ones. Each body searches the tree. The form of the tree affects the time only.
#pragma once
#include "core/memory.h"
#include "core/parallel_for.h"
#include "core/radix_sort.h"

enum
{
    BROAD_WAYS = 4,
    BROAD_LEVELS = 16,
    BROAD_KEPT = 16, // partners of a body that the first search keeps; a body with more is searched for again
};

typedef struct broad_box
{
    float low[3];
    int32_t moves; // 0: static; two static bodies are no pair
    float high[3];
    int32_t skip; // 1: not there (removed, no shape)
} broad_box;

typedef struct broad_phase
{
    sortable_items sort;
    int64_t sort_room[SORTABLE_ARRAYS];
    broad_box *node; // level after level, the leaves (in sorted order) first; there `skip` is the highest body below
    int32_t *kept;   // BROAD_KEPT for each body, and before them the counts
    int32_t *pair;   // the result: a, b
    int64_t node_room, kept_room, pair_room, start_room;
    int64_t *start; // of each body's row, in pairs
    int64_t level[BROAD_LEVELS + 1];
    int levels;
    int64_t pairs, count;
    // for the duration of a search
    const broad_box *box;
    float origin[3], scale[3];
} broad_phase;

// Finds the pairs of `count` boxes. On failure the last result is lost, and the memory stays valid.
pl_result broad_phase_find(memory *m, broad_phase *b, const broad_box *box, int64_t count, const parallel *c);
void broad_phase_free(memory *m, broad_phase *b);

static inline int boxes_overlap(const broad_box *a, const broad_box *b)
{
    return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] && b->low[1] <= a->high[1] &&
           a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
}

// Calls `meet` for every box that overlaps `with`, in an order that depends on the tree; it returns 0 to end the search.
void broad_phase_query(const broad_phase *b, const broad_box *with, int (*meet)(void *arg, int32_t body), void *arg);
