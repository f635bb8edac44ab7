// carry.h: stores the multipliers of contacts by slot, while a new contact list replaces the old one (warm start).
#pragma once
#include "core/memory.h"

// Kept multipliers by slot: each slot has a contiguous range of entries.
typedef struct carry
{
    int32_t *first, *count; // of the range, for each slot
    int32_t *other;         // for each entry the other side of the contact: a slot, or the key of a shape contact
    float *lambda;          // 4 floats for each entry
    int64_t entries, first_capacity, count_capacity, other_capacity, lambda_capacity;
} carry;

pl_result carry_open(carry *c, memory *m, int32_t slots, int64_t entries); // reserves the memory and empties it
void carry_free(carry *c, memory *m);
// The four multipliers of a contact; NULL: there is none.
const float *carry_find(const carry *c, int32_t slot, int32_t other);
