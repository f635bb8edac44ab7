// islands.h: finds islands: the sets of bodies that contacts, joints and other ties connect.
#pragma once
#include "core/union_find.h"

#include <stdbool.h>

// What is known of a body before its island is decided.
typedef struct island_body
{
    bool moves; // contacts and joints can push it; others connect nothing and belong to no island
    bool ready; // it has been still for long enough
} island_body;

// set: one number for each of count bodies. Gives every body its island by the lowest body in it.
static inline void islands_open(int32_t *set, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        set[i] = (int32_t)i;
}

static inline void islands_tie(int32_t *set, const island_body *body, int32_t a, int32_t b)
{
    if (body[a].moves && body[b].moves)
        union_join(set, a, b);
}

// After all ties: set[i] becomes the lowest body of the island of i, or -1 if i does not move or some body of its island
// is not ready. The order of the ties does not change the result.
static inline void islands_close(int32_t *set, island_body *body, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        set[i] = union_find(set, (int32_t)i);
    for (int64_t i = 0; i < count; i++)
        body[set[i]].ready &= body[i].ready;
    for (int64_t i = 0; i < count; i++)
        set[i] = body[i].moves && body[set[i]].ready ? set[i] : -1;
}
