// batch.h: many worlds side by side, for machine learning, parameter studies and servers.
#ifndef PLIANT_BATCH_H
#define PLIANT_BATCH_H

#include <pliant/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Threads that step many independent worlds. Each world is stepped by one thread at a time, so a batch of small worlds
/// keeps all cores busy where one small world cannot. It holds no worlds: they are given with each call.
typedef struct pl_batch pl_batch;

/// Describes a batch.
typedef struct pl_batch_def
{
    /// Number of threads, the caller included, from 1 to 256. 0, the default, selects one for each processor core.
    int threads;
    /// Provides memory. The default uses realloc and free.
    pl_allocator allocator;
    /// Runs the work. The default is a thread pool of the batch's own.
    pl_tasks tasks;
} pl_batch_def;

/// Returns the defaults named above.
PL_API pl_batch_def pl_default_batch_def(void);

/// Creates a batch and stores it in *batch. Destroy it with pl_batch_destroy. On failure *batch is NULL. Fails with
/// PL_ERROR_ARGUMENT if the number of threads is out of range.
PL_API pl_result pl_batch_create(const pl_batch_def *def, pl_batch **batch);

/// Destroys a batch, but no world. NULL is allowed.
PL_API void pl_batch_destroy(pl_batch *batch);

/// Returns the number of threads that are in use.
PL_API int pl_batch_threads(const pl_batch *batch);

/// Advances every world by dt seconds, as pl_world_step does, with the same bits. Worlds are taken in the order of the
/// array, so put large ones first. Worlds must differ, must be on PL_BACKEND_CPU and must have one thread
/// (pl_world_def.threads = 1 or pl_world_set_workers); otherwise fails with PL_ERROR_ARGUMENT, and no world is stepped.
///
/// A world that fails does not stop the others: it is left as pl_world_step leaves it. The call returns the result of
/// the first world of the array that failed, and pl_error_message names its place. results may be NULL; else it receives
/// the result of each world. Different threads must use different batches.
PL_API pl_result pl_batch_step(pl_batch *batch, pl_world *const *worlds, int count, float dt, pl_result *results);

/// What pl_batch_each does with a world; index is its place in the array.
typedef pl_result pl_batch_task(pl_world *world, int index, void *user);

/// Calls task for every world on the threads of the batch: to read observations, set actions, or restore snapshots. What
/// several calls write must not overlap. The worlds, the failures and the results are as in pl_batch_step.
PL_API pl_result pl_batch_each(pl_batch *batch, pl_world *const *worlds, int count, pl_batch_task *task, void *user,
                               pl_result *results);

#ifdef __cplusplus
}
#endif
#endif
