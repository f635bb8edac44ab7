// memory.h: the allocator of a world. All memory of a world comes from the user's allocator through these functions,
// which count it.
//
// Blocks are aligned to 64 bytes (a cache line, the widest lane). Arrays grow by half, so that a world allocates
// nothing more once it has reached its size.
#pragma once
#include "core/error.h"

typedef struct memory
{
    pl_allocator hook;
    size_t bytes; // in use
} memory;

void memory_open(memory *m, const pl_allocator *hook);
// Resizes *block (NULL: allocates a new one); new bytes are zero. On failure *block does not change.
pl_result memory_resize(memory *m, void **block, size_t old_size, size_t new_size);
void memory_free(memory *m, void *block, size_t size);

// A growing array: `data` points to the array's pointer, `capacity` counts items.
pl_result array_reserve(memory *m, void *data, int64_t *capacity, int64_t wanted, size_t item);
void array_free(memory *m, void *data, int64_t *capacity, size_t item);
