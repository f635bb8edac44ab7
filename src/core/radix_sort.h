// radix_sort.h: a stable sort of (key, value) by the lowest `bits` of the key. The number of threads does not change
// the result.
#pragma once
#include "core/parallel_for.h"
#include "core/memory.h"

enum
{
    RADIX_CHUNK = 16384, // items that one thread counts at a time
    RADIX_BITS = 11,
    RADIX_DIGITS = 1 << RADIX_BITS,
    KEY_BITS = 61, // bits of a cell's key; the three above them hold the colour of its block
    SORTABLE_ARRAYS = 5,
};

typedef struct sortable_items
{
    uint64_t *key, *spare_key;
    int32_t *value, *spare_value;
    int32_t *counts; // RADIX_DIGITS for each chunk
} sortable_items;

// Reserves memory for `count` items; `capacity` holds the capacity of each of the SORTABLE_ARRAYS arrays.
pl_result sortable_reserve(memory *m, sortable_items *s, int64_t *capacity, int64_t count);
void sortable_free(memory *m, sortable_items *s, int64_t *capacity);

static inline int64_t radix_chunks(int64_t count) { return (count + RADIX_CHUNK - 1) / RADIX_CHUNK; }
// On return `key` and `value` hold the sorted items; they may have been swapped with the spare arrays.
void radix_sort(sortable_items *s, int64_t count, int bits, const parallel *c);
// The same, but sorts by the bits [from, bits) only.
void radix_sort_from(sortable_items *s, int64_t count, int from, int bits, const parallel *c);
