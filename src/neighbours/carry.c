// carry.c: implements carry.h.
#include "neighbours/carry.h"

#include <string.h>

pl_result carry_open(carry *c, memory *m, int32_t slots, int64_t entries)
{
    pl_result r = array_reserve(m, &c->first, &c->first_capacity, slots, sizeof *c->first);
    if (r == PL_OK)
        r = array_reserve(m, &c->count, &c->count_capacity, slots, sizeof *c->count);
    if (r == PL_OK)
        r = array_reserve(m, &c->other, &c->other_capacity, entries, sizeof *c->other);
    if (r == PL_OK)
        r = array_reserve(m, &c->lambda, &c->lambda_capacity, 4 * entries, sizeof *c->lambda);
    if (r == PL_OK && slots)
        memset(c->count, 0, (size_t)slots * sizeof *c->count);
    c->entries = 0;
    return r;
}

void carry_free(carry *c, memory *m)
{
    array_free(m, &c->first, &c->first_capacity, sizeof *c->first);
    array_free(m, &c->count, &c->count_capacity, sizeof *c->count);
    array_free(m, &c->other, &c->other_capacity, sizeof *c->other);
    array_free(m, &c->lambda, &c->lambda_capacity, sizeof *c->lambda);
}

const float *carry_find(const carry *c, int32_t slot, int32_t other)
{
    for (int32_t i = c->first[slot]; i < c->first[slot] + c->count[slot]; i++)
        if (c->other[i] == other)
            return c->lambda + 4 * (size_t)i;
    return NULL;
}
