// pool.h: memory that is given out piece by piece and freed all at once, for what a scene's text turns into.
#ifndef PLIANT_IO_POOL_H
#define PLIANT_IO_POOL_H

#include <stddef.h>

struct pool_block;

struct pool
{
    struct pool_block *blocks;
    size_t used, capacity; // of the newest block
};

// Zeroed memory that lives until pool_free, or NULL.
void *pool_take(struct pool *pool, size_t size);
// A copy of length bytes with a 0 behind them, or NULL.
char *pool_text(struct pool *pool, const char *text, size_t length);
void pool_free(struct pool *pool);

#endif
