// store.c: implements store.h. Blocks grow, so that a scene of any size needs few calls to malloc.
#include "store.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct store_block
{
    struct store_block *next;
    size_t padding; // keeps the data that follows aligned to 16 bytes
};

void *store_take(struct store *store, size_t size)
{
    if (size > SIZE_MAX / 4)
    {
        return NULL;
    }
    size = size ? (size + 15) & ~(size_t)15 : 16; // an empty piece has an address too
    if (store->capacity - store->used < size)
    {
        size_t capacity = store->capacity < 4096 ? 4096 : store->capacity;
        if (capacity < ((size_t)1 << 22))
        {
            capacity *= 2;
        }
        if (capacity < size)
        {
            capacity = size;
        }
        struct store_block *block = malloc(sizeof *block + capacity);
        if (!block)
        {
            return NULL;
        }
        block->next = store->blocks;
        store->blocks = block;
        store->capacity = capacity;
        store->used = 0;
    }
    char *start = (char *)(store->blocks + 1) + store->used;
    store->used += size;
    return memset(start, 0, size);
}

char *store_text(struct store *store, const char *text, size_t length)
{
    char *copy = store_take(store, length + 1);
    if (copy && length)
    {
        memcpy(copy, text, length);
    }
    return copy;
}

void store_free(struct store *store)
{
    for (struct store_block *block = store->blocks; block;)
    {
        struct store_block *next = block->next;
        free(block);
        block = next;
    }
    *store = (struct store){0};
}
