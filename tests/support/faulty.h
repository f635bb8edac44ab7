// faulty.h: an allocator that counts, and that can be told to fail.
#ifndef PLIANT_TESTS_FAULTY_H
#define PLIANT_TESTS_FAULTY_H

#include "support/support.h"

typedef struct faulty
{
    int64_t calls, blocks, bytes;
    int64_t fail_at; // the call that gives nothing; 0: none
} faulty;

static inline void *faulty_resize(void *user, void *block, size_t old_size, size_t new_size)
{
    faulty *f = user;
    if (new_size == 0)
    {
        f->blocks -= block != NULL;
        f->bytes -= (int64_t)old_size;
        free(block);
        return NULL;
    }
    if (++f->calls == f->fail_at)
        return NULL;
    f->blocks += block == NULL;
    f->bytes += (int64_t)new_size - (int64_t)old_size;
    return realloc(block, new_size);
}

#endif
