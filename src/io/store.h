// store.h: memory that is given out piece by piece and freed all at once, for what a scene's text turns into.
#ifndef PLIANT_IO_STORE_H
#define PLIANT_IO_STORE_H

#include <stddef.h>

struct store_block;

struct store
{
    struct store_block *blocks;
    size_t used, capacity; // of the newest block
};

// Zeroed memory that lives until store_free, or NULL.
void *store_take(struct store *store, size_t size);
// A copy of length bytes with a 0 behind them, or NULL.
char *store_text(struct store *store, const char *text, size_t length);
void store_free(struct store *store);

#endif
