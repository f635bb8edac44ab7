// pool.c: see pool.h. Blocks grow, so that a scene of any size takes few calls to malloc.
#include "pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct pool_block
{
    struct pool_block *next;
    size_t padding; // keeps what follows aligned to 16 bytes
};

void *pool_take(struct pool *pool, size_t size)
{
    if (size > SIZE_MAX / 4)
    {
        return NULL;
    }
    size = (size + 15) & ~(size_t)15;
    if (pool->capacity - pool->used < size)
    {
        size_t capacity = pool->capacity < 4096 ? 4096 : pool->capacity;
        if (capacity < ((size_t)1 << 22))
        {
            capacity *= 2;
        }
        if (capacity < size)
        {
            capacity = size;
        }
        struct pool_block *block = malloc(sizeof *block + capacity);
        if (!block)
        {
            return NULL;
        }
        block->next = pool->blocks;
        pool->blocks = block;
        pool->capacity = capacity;
        pool->used = 0;
    }
    char *start = (char *)(pool->blocks + 1) + pool->used;
    pool->used += size;
    return memset(start, 0, size);
}

char *pool_text(struct pool *pool, const char *text, size_t length)
{
    char *copy = pool_take(pool, length + 1);
    if (copy && length)
    {
        memcpy(copy, text, length);
    }
    return copy;
}

void pool_free(struct pool *pool)
{
    for (struct pool_block *block = pool->blocks; block;)
    {
        struct pool_block *next = block->next;
        free(block);
        block = next;
    }
    *pool = (struct pool){0};
}
