// pool.h: workers that wake once for a job, walk it together with barriers, and sleep again.
#pragma once
#include "core/memory.h"

typedef struct pool pool;

// threads counts the caller too; 1 makes a pool without threads. Fewer may come: pool_threads tells.
pl_result pool_open(memory *m, int threads, pool **out);
void pool_close(memory *m, pool *p);
int pool_threads(const pool *p);

// Calls job(arg, worker) on every worker at once, the caller being worker 0, and returns when all are done.
void pool_run(pool *p, void (*job)(void *arg, int worker), void *arg);
// Inside a job: waits until every worker is here.
void pool_wait(pool *p);

// The number of processors.
int pool_processors(void);
