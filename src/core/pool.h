// pool.h: a pool of worker threads that wake for a job, run its phases together, and sleep again.
#pragma once
#include "core/memory.h"

typedef struct pool pool;

// threads includes the caller; 1 makes a pool without threads. The pool may have fewer if the system cannot start as
// many; pool_threads returns the number.
pl_result pool_open(memory *m, int threads, pool **out);
void pool_close(memory *m, pool *p);
int pool_threads(const pool *p);

// Runs one share of a phase.
typedef void pool_share(void *arg, int share);
// Runs after all shares of a phase, on one worker, and prepares the next phase. false: there is none.
typedef bool pool_next(void *arg);

// How many of the threads the next job is for. All of them, until pool_frame has found that fewer are faster.
int pool_workers(const pool *p);
// Tells how long all jobs of a frame took together. From time to time it tries half as many workers, or twice as many,
// for some frames, and keeps the number that was faster: small work does not pay for many threads, and a machine may be
// busy with other work.
void pool_frame(pool *p, double ms);

// Calls run(arg, share) for each share of a phase, from 0 to pool_workers - 1, side by side, then next(arg); and again,
// until that returns false. next may be NULL: one phase. On an idle machine each share is run by the same worker in
// every phase.
void pool_run(pool *p, pool_share *run, pool_next *next, void *arg);

// Returns the number of online processors, from 1 to 64.
int pool_processors(void);
