// store.h: declares an arena: memory that is allocated piece by piece and freed all at once, for the parsed parts of a
// scene.
#ifndef PLIANT_IO_STORE_H
#define PLIANT_IO_STORE_H

#include <stddef.h>

struct store_block;

struct store
{
    struct store_block *blocks;
    size_t used, capacity; // of the newest block
};

// Returns zeroed memory that lives until store_free, or NULL.
void *store_take(struct store *store, size_t size);
// Returns a copy of `length` bytes followed by a 0, or NULL.
char *store_text(struct store *store, const char *text, size_t length);
void store_free(struct store *store);

#endif
