// parallel_for.h: runs a loop on several threads. The division into parts does not change the result.
#pragma once
#include <stdint.h>

typedef void parallel_fn(void *arg, int64_t begin, int64_t end);

typedef struct parallel
{
    // NULL: the calling thread runs the loop alone
    void (*run)(void *self, parallel_fn *fn, void *arg, int64_t count, int64_t grain_size);
    void *self;
} parallel;

// Calls fn on parts of [0, count) whose bounds are multiples of grain_size.
static inline void parallel_for(const parallel *c, parallel_fn *fn, void *arg, int64_t count, int64_t grain_size)
{
    if (count <= 0)
        return;
    if (c && c->run && count > grain_size)
        c->run(c->self, fn, arg, count, grain_size);
    else
        fn(arg, 0, count);
}
