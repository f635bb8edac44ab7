// workers.c: runs loops outside a plan on the worker threads of a world.
#include "core/pool.h"
#include "core/rounding.h"
#include "model/workers.h"

typedef struct loop
{
    cpu *c;
    parallel_fn *fn;
    void *arg;
    int64_t count, grain_size;
} loop;

static void loop_share(const loop *l, int worker, int workers)
{
    int64_t units = (l->count + l->grain_size - 1) / l->grain_size, first = units * worker / workers * l->grain_size;
    int64_t last = units * (worker + 1) / workers * l->grain_size;
    last = last > l->count ? l->count : last;
    if (first < last)
        l->fn(l->arg, first, last);
}

static void loop_work(void *arg, int share) { loop_share(arg, share, pool_workers(((const loop *)arg)->c->workers)); }

static void loop_piece(void *arg, int i)
{
    PLAIN_ROUNDING;
    loop_share(arg, i, ((const loop *)arg)->c->pieces);
}

static void run_loop(void *self, parallel_fn *fn, void *arg, int64_t count, int64_t grain_size)
{
    cpu *c = self;
    loop l = {c, fn, arg, count, grain_size};
    if (c->tasks.run)
        c->tasks.run(c->tasks.user, c->pieces, loop_piece, &l);
    else
        pool_run(c->workers, loop_work, NULL, &l);
}

int cpu_shares(const cpu *c) { return c->tasks.run ? c->pieces : pool_workers(c->workers); }

parallel cpu_parallel(cpu *c) { return (parallel){run_loop, c}; }
