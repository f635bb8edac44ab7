// memory.h: the allocator of a world. All memory of a world comes from the user's allocator through these functions,
// which count it.
//
// Blocks are aligned to 64 bytes (a cache line, the widest lane). Arrays grow by half, so that a world allocates
// nothing more once it has reached its size.
#pragma once
#include "core/error.h"

struct block;

typedef struct memory
{
    pl_allocator hook;
    size_t bytes;        // in use
    size_t limit;        // the most that may be in use; 0: no limit
    struct block *first; // all blocks, the newest first
    struct guard *guard; // NULL: none
} memory;

void memory_open(memory *m, const pl_allocator *hook); // without a limit
// Resizes *block (NULL: allocates a new one); new bytes are zero. On failure *block does not change.
pl_result memory_resize(memory *m, void **block, size_t old_size, size_t new_size);
void memory_free(memory *m, void *block, size_t size);

// A growing array: `data` points to the array's pointer, `capacity` counts items.
pl_result array_reserve(memory *m, void *data, int64_t *capacity, int64_t wanted, size_t item);
void array_free(memory *m, void *data, int64_t *capacity, size_t item);

// Moves all blocks of another memory to this one.
void memory_join(memory *m, memory *other);

// ---- calls that change nothing if they fail ------------------------------------------------------------------------
//
// A guard copies all blocks, and so everything that a world is: its struct lies in one of them. After a failure,
// memory_undo puts all of it back. It costs a copy of the world, so it is for changes that are rare and deep, such as
// tearing; others make room before they change anything.
pl_result memory_guard(memory *m); // fails with PL_ERROR_MEMORY if there is no room for the copy
void memory_keep(memory *m);       // ends the guard: what has been done stays
void memory_undo(memory *m);       // ends the guard: everything is as it was. m may lie in a guarded block
// Leaves a block out: it belongs to running threads.
void memory_leave_out(void *block);
