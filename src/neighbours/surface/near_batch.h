// near_batch.h: pieces of skin that may be near each other, looked at many at a time.
#pragma once
#include "neighbours/surface/near_test.h"

enum
{
    NEAR_BATCH = 64,
};

// Vertices and triangles, or pairs of edges, that wait to be looked at.
typedef struct near_batch
{
    uint32_t index[4][NEAR_BATCH]; // 4 * slot
    int32_t a[NEAR_BATCH], b[NEAR_BATCH];
    float reach[NEAR_BATCH]; // out: how near they may come; below 0: they are not near
    int32_t count;
} near_batch;

void near_look(const near_rule *rule, near_batch *batch, bool vertex);
