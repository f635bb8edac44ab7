// pool.h: a pool of worker threads that wake for a job, run it together with barriers, and sleep again.
#pragma once
#include "core/memory.h"

typedef struct pool pool;

// threads includes the caller; 1 makes a pool without threads. The pool may have fewer if the system cannot start as
// many; pool_threads returns the number.
pl_result pool_open(memory *m, int threads, pool **out);
void pool_close(memory *m, pool *p);
int pool_threads(const pool *p);

// Calls job(arg, worker) on every worker at once, the caller being worker 0, and returns when all are done.
void pool_run(pool *p, void (*job)(void *arg, int worker), void *arg);
// Inside a job: waits until every worker has called it.
void pool_wait(pool *p);

// Returns the number of online processors, from 1 to 64.
int pool_processors(void);
