// arena.h: allocates many arrays from one block. The caller runs the same code twice: first with base NULL, to find the
// size (`used`), then with the block, to get the pointers. Each array is aligned to 64 bytes.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct arena
{
    char *base;
    size_t used;
} arena;

static inline void *arena_take(arena *a, int64_t count, size_t item)
{
    size_t at = a->used;
    a->used += ((size_t)(count > 0 ? count : 0) * item + 63) / 64 * 64;
    return a->base ? a->base + at : NULL;
}
