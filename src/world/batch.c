// batch.c: runs many worlds side by side, each on one thread at a time.
//
// The threads take the next world until none is left: worlds differ in their cost. Which thread steps a world changes no
// bits, since worlds are independent.
#include "backend/cpu/cpu.h"
#include "model/world.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MESSAGE_LENGTH = 1024,
};

struct pl_batch
{
    memory memory;
    cpu cpu;
    const pl_world **sorted; // scratch: finds worlds that are given twice
    int64_t sorted_capacity;

    // of the present call
    pl_world *const *worlds;
    int count;
    pl_batch_task *task;
    void *user;
    pl_result *results;
    atomic_int next;
    pthread_mutex_t mutex; // of what follows
    int failed;            // the first world that has failed, or count
    pl_result result;
    char message[MESSAGE_LENGTH];
};

pl_batch_def pl_default_batch_def(void) { return (pl_batch_def){0}; }

pl_result pl_batch_create(const pl_batch_def *def, pl_batch **batch)
{
    NEED(def);
    NEED(batch);
    *batch = NULL;
    memory m;
    memory_open(&m, &def->allocator);
    void *block = NULL;
    pl_result result = memory_resize(&m, &block, 0, sizeof(pl_batch));
    if (result != PL_OK)
        return result;
    pl_batch *b = block;
    b->memory = m;
    result = cpu_open(&b->cpu, &b->memory, def->threads, 0, &def->tasks);
    if (result == PL_OK && pthread_mutex_init(&b->mutex, NULL) != 0)
    {
        cpu_close(&b->cpu, &b->memory);
        result = fail(PL_ERROR_MEMORY, "no mutex for a batch; free some memory and try again");
    }
    if (result != PL_OK)
    {
        memory last = b->memory;
        memory_free(&last, b, sizeof *b);
        return result;
    }
    *batch = b;
    return PL_OK;
}

void pl_batch_destroy(pl_batch *b)
{
    if (!b)
        return;
    pthread_mutex_destroy(&b->mutex);
    cpu_close(&b->cpu, &b->memory);
    array_free(&b->memory, &b->sorted, &b->sorted_capacity, sizeof *b->sorted);
    memory last = b->memory;
    memory_free(&last, b, sizeof *b);
}

int pl_batch_threads(const pl_batch *b) { return b ? cpu_workers(&b->cpu) : 0; }

// ---- what may be in a batch ----------------------------------------------------------------------------------------

static int compare_worlds(const void *a, const void *b)
{
    const pl_world *x = *(const pl_world *const *)a, *y = *(const pl_world *const *)b;
    return (x > y) - (x < y);
}

static int place_of(const pl_batch *b, const pl_world *w, int from)
{
    while (b->worlds[from] != w)
        from++;
    return from;
}

static pl_result check_worlds(pl_batch *b)
{
    for (int i = 0; i < b->count; i++)
    {
        const pl_world *w = b->worlds[i];
        if (!w)
            return fail(PL_ERROR_ARGUMENT, "world %d of the batch is NULL; leave it out", i);
        if (w->backend->which != PL_BACKEND_CPU)
            return fail(PL_ERROR_ARGUMENT, "world %d of the batch is on %s; a batch needs worlds on PL_BACKEND_CPU", i,
                        pl_world_device(w));
        if (cpu_workers(&w->cpu) != 1)
            return fail(PL_ERROR_ARGUMENT,
                        "world %d of the batch has %d threads; it must have 1: pl_world_set_workers(world, 1, 0)", i,
                        cpu_workers(&w->cpu));
    }
    pl_result result = array_reserve(&b->memory, &b->sorted, &b->sorted_capacity, b->count, sizeof *b->sorted);
    if (result != PL_OK || b->count == 0)
        return result;
    memcpy(b->sorted, b->worlds, (size_t)b->count * sizeof *b->sorted);
    qsort(b->sorted, (size_t)b->count, sizeof *b->sorted, compare_worlds);
    for (int i = 1; i < b->count; i++)
        if (b->sorted[i] == b->sorted[i - 1])
        {
            int first = place_of(b, b->sorted[i], 0);
            return fail(PL_ERROR_ARGUMENT, "worlds %d and %d of the batch are the same; give each once", first,
                        place_of(b, b->sorted[i], first + 1));
        }
    return PL_OK;
}

// ---- running -------------------------------------------------------------------------------------------------------

static void note_failure(pl_batch *b, int world, pl_result result)
{
    pthread_mutex_lock(&b->mutex);
    if (world < b->failed)
    {
        b->failed = world;
        b->result = result;
        snprintf(b->message, sizeof b->message, "%s", pl_error_message());
    }
    pthread_mutex_unlock(&b->mutex);
}

static void take_worlds(void *arg, int64_t begin, int64_t end)
{
    pl_batch *b = arg;
    (void)begin, (void)end; // a part for each thread: none owns certain worlds
    for (int i = atomic_fetch_add(&b->next, 1); i < b->count; i = atomic_fetch_add(&b->next, 1))
    {
        pl_result result = b->task(b->worlds[i], i, b->user);
        if (b->results)
            b->results[i] = result;
        if (result != PL_OK)
            note_failure(b, i, result);
    }
}

pl_result pl_batch_each(pl_batch *b, pl_world *const *worlds, int count, pl_batch_task *task, void *user,
                        pl_result *results)
{
    NEED(b);
    NEED(task);
    if (count < 0 || (count > 0 && !worlds))
        return fail(PL_ERROR_ARGUMENT, "batch: %d worlds at %p; give an array and how many it has", count,
                    (const void *)worlds);
    b->worlds = worlds, b->count = count, b->task = task, b->user = user, b->results = results;
    pl_result result = check_worlds(b);
    if (result != PL_OK)
        return result;
    b->failed = count;
    b->result = PL_OK;
    atomic_store(&b->next, 0);
    parallel threads = cpu_parallel(&b->cpu);
    int64_t shares = cpu_workers(&b->cpu) < count ? cpu_workers(&b->cpu) : count;
    parallel_for(&threads, take_worlds, b, shares, 1);
    if (b->result != PL_OK)
        return fail(b->result, "world %d of the batch: %s", b->failed, b->message);
    return PL_OK;
}

static pl_result step_world(pl_world *w, int index, void *user)
{
    (void)index;
    return pl_world_step(w, *(const float *)user);
}

pl_result pl_batch_step(pl_batch *b, pl_world *const *worlds, int count, float dt, pl_result *results)
{
    return pl_batch_each(b, worlds, count, step_world, &dt, results);
}
