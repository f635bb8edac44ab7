// parallel_for.h: several hands for a loop. Who takes which part decides nothing but the time.
#pragma once
#include <stdint.h>

typedef void parallel_fn(void *arg, int64_t begin, int64_t end);

typedef struct parallel
{
    void (*run)(void *self, parallel_fn *fn, void *arg, int64_t count, int64_t grain); // NULL: one hand
    void *self;
} parallel;

// Calls fn for [0, count) in parts whose bounds are multiples of grain.
static inline void parallel_for(const parallel *c, parallel_fn *fn, void *arg, int64_t count, int64_t grain)
{
    if (count <= 0)
        return;
    if (c && c->run && count > grain)
        c->run(c->self, fn, arg, count, grain);
    else
        fn(arg, 0, count);
}
