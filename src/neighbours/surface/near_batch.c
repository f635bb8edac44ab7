// near_batch.c: runs the proximity test of near_test.h on a batch. It uses four lanes on every machine; the number of
// lanes does not change the bits.
#undef LANES
#define LANES 4
#include "neighbours/surface/near_test.h"
#include "neighbours/surface/near_batch.h"

PL_FN void test_batch(const near_rule *r, near_batch *b, bool vertex)
{
    for (int k = 0; k < b->count; k += LANES)
    {
        const near_corners index = {b->index[0] + k, b->index[1] + k, b->index[2] + k, b->index[3] + k};
        store(b->reach + k, near_reach(r, index, vertex));
    }
}

void near_look(const near_rule *rule, near_batch *batch, bool vertex)
{
    for (int32_t k = batch->count; k % LANES; k++) // fill the last four lanes with copies of the last candidate
        for (int i = 0; i < 4; i++)
            batch->index[i][k] = batch->index[i][batch->count - 1];
    if (vertex)
        test_batch(rule, batch, true);
    else
        test_batch(rule, batch, false);
}
