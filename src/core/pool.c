// pool.c: a pool of worker threads with a barrier that first spins, then yields, then sleeps.
//
// On an idle machine the workers arrive within a tenth of a microsecond of each other, and spinning is cheapest. On a
// busy machine the worker that the others wait for may not be running, and spinning keeps it from running. So the
// number of spins is halved each time it was not enough, and grows again when it was. Yielding comes before sleeping
// because threads that put each other to sleep look like one thread to a scheduler, which leaves them all on one core.
// Threads that stay ready to run are spread over the cores.
#include "core/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

enum
{
    PATIENCE_MOST = 1 << 12, // spins before yielding
    PATIENCE_LEAST = 1 << 5,
    YIELDS = 1 << 10, // before sleeping
};

typedef struct helper
{
    pool *p;
    pthread_t thread;
    int worker;
} helper;

struct pool
{
    int threads;
    helper *helpers; // the threads of all workers but the caller
    int64_t capacity;

    void (*job)(void *arg, int worker);
    void *arg;
    bool closing;

    _Alignas(64) atomic_int arrived;
    _Alignas(64) atomic_uint generation; // increases each time that all workers have arrived
    _Alignas(64) atomic_int sleepers;
    atomic_int patience; // spins before yielding, adapted at every barrier
    pthread_mutex_t mutex;
    pthread_cond_t wake;
};

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void sleep_until(pool *p, unsigned generation)
{
    pthread_mutex_lock(&p->mutex);
    atomic_fetch_add(&p->sleepers, 1);
    while (atomic_load(&p->generation) == generation)
        pthread_cond_wait(&p->wake, &p->mutex);
    atomic_fetch_sub(&p->sleepers, 1);
    pthread_mutex_unlock(&p->mutex);
}

void pool_wait(pool *p)
{
    if (p->threads == 1)
        return;
    unsigned generation = atomic_load(&p->generation);
    if (atomic_fetch_add(&p->arrived, 1) == p->threads - 1)
    {
        atomic_store(&p->arrived, 0);
        atomic_fetch_add(&p->generation, 1);
        if (atomic_load(&p->sleepers))
        {
            pthread_mutex_lock(&p->mutex);
            pthread_cond_broadcast(&p->wake);
            pthread_mutex_unlock(&p->mutex);
        }
        return;
    }
    int patience = atomic_load_explicit(&p->patience, memory_order_relaxed);
    for (int i = 0; i < patience; i++)
    {
        if (atomic_load_explicit(&p->generation, memory_order_acquire) != generation)
        {
            if (patience < PATIENCE_MOST)
                atomic_store_explicit(&p->patience, patience + patience / 8 + 1, memory_order_relaxed);
            return;
        }
        relax();
    }
    if (patience > PATIENCE_LEAST)
        atomic_store_explicit(&p->patience, patience / 2, memory_order_relaxed);
    for (int i = 0; i < YIELDS; i++)
    {
        sched_yield();
        if (atomic_load_explicit(&p->generation, memory_order_acquire) != generation)
            return;
    }
    sleep_until(p, generation);
}

// Between jobs a worker waits at the barrier of pool_wait; the caller's arrival starts the job.
static void *work(void *arg)
{
    const helper *h = arg;
    pool *p = h->p;
    pthread_mutex_lock(&p->mutex); // waits until pool_open has set the number of threads
    pthread_mutex_unlock(&p->mutex);
    for (;;)
    {
        pool_wait(p);
        if (p->closing)
            return NULL;
        p->job(p->arg, h->worker);
        pool_wait(p);
    }
}

void pool_run(pool *p, void (*job)(void *arg, int worker), void *arg)
{
    p->job = job;
    p->arg = arg;
    pool_wait(p);
    job(arg, 0);
    pool_wait(p);
}

// If the system provides fewer threads than asked for (a browser without threads provides none), the pool is smaller.
// The number of threads changes only the time, not the result.
pl_result pool_open(memory *m, int threads, pool **out)
{
    void *block = NULL;
    pl_result result = memory_resize(m, &block, 0, sizeof(pool));
    if (result != PL_OK)
        return result;
    pool *p = block;
    result = array_reserve(m, &p->helpers, &p->capacity, threads - 1, sizeof *p->helpers);
    if (result != PL_OK)
    {
        memory_free(m, p, sizeof(pool));
        return result;
    }
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->wake, NULL);
    atomic_init(&p->patience, PATIENCE_MOST);
    pthread_mutex_lock(&p->mutex);
    for (p->threads = 1; p->threads < threads; p->threads++)
    {
        helper *h = &p->helpers[p->threads - 1];
        h->p = p;
        h->worker = p->threads;
        if (pthread_create(&h->thread, NULL, work, h) != 0)
            break;
    }
    pthread_mutex_unlock(&p->mutex);
    *out = p;
    return PL_OK;
}

void pool_close(memory *m, pool *p)
{
    if (!p)
        return;
    p->closing = true;
    pool_wait(p);
    for (int i = 0; i < p->threads - 1; i++)
        pthread_join(p->helpers[i].thread, NULL);
    pthread_cond_destroy(&p->wake);
    pthread_mutex_destroy(&p->mutex);
    array_free(m, &p->helpers, &p->capacity, sizeof *p->helpers);
    memory_free(m, p, sizeof(pool));
}

int pool_threads(const pool *p) { return p->threads; }

int pool_processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > 64 ? 64 : (int)n;
}
