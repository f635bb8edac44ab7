// near_batch.h: batches of surface pairs that may be near each other, tested several at a time.
#pragma once
#include "neighbours/surface/near_test.h"

enum
{
    NEAR_BATCH = 64,
};

// Candidates to be tested: vertices with triangles, or pairs of edges.
typedef struct near_batch
{
    uint32_t index[4][NEAR_BATCH]; // 4 * slot
    int32_t a[NEAR_BATCH], b[NEAR_BATCH];
    float reach[NEAR_BATCH]; // out: the distance to keep; below 0: they are not near
    int32_t count;
} near_batch;

// Tests all candidates and fills in `reach`. vertex: they are vertices with triangles.
void near_look(const near_rule *rule, near_batch *batch, bool vertex);
