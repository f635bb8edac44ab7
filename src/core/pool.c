// pool.c: a pool of worker threads. A job is a sequence of phases, each of as many shares as there are workers.
//
// On an idle machine each worker takes its own share of every phase, so that its data is in its core's cache, and the
// workers arrive within a tenth of a microsecond of each other: spinning is cheapest. On a busy machine a worker may not
// be running. The others do not wait for it: when they have spun in vain they take the shares that are left. Only a
// worker that is stopped within a share holds them up. A worker that was late finds its share taken and goes on with
// the present phase.
//
// The number of spins is halved each time it was not enough, and grows again when it was. Yielding comes before
// sleeping because threads that put each other to sleep look like one thread to a scheduler, which leaves them all on
// one core. Threads that stay ready to run are spread over the cores.
//
// How a worker that is late never runs anything twice or too late: phases are numbered through all jobs, and a share
// is taken by raising its own counter from a lower number to that of the phase. This succeeds once for each phase, and
// only while the phase is open, because the phase cannot end before the share is done. A worker reads what the phase is
// to do only after it has taken a share.
//
// A job may be for fewer workers than there are (pool_frame). Their number is part of the word that names the phase, so
// that no worker can take a share that the phase does not have. The others sleep until a job is for more.
#include "core/pool.h"
#include "core/pool_tuning.h"
#include "core/rounding.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

enum
{
    PATIENCE_MOST = 1 << 12, // spins before yielding
    PATIENCE_LEAST = 1 << 5,
    YIELDS = 1 << 10, // before sleeping
    CACHE_LINE = 64,
};

typedef struct helper
{
    pool *p;
    pthread_t thread;
    int worker;
} helper;

// The number of the last phase whose share this was taken.
typedef struct share
{
    _Alignas(CACHE_LINE) atomic_ullong taken;
} share;

struct pool
{
    int threads;
    pool_tuning tuning;
    helper *helpers; // the threads of all workers but the caller
    int64_t capacity, share_capacity;
    share *shares;

    pool_share *run;
    pool_next *next;
    void *arg;
    atomic_bool closing;

    // The number of the phase, its workers, and whether it is over and the job done: phase_of_job
    _Alignas(CACHE_LINE) atomic_ullong phase;
    _Alignas(CACHE_LINE) atomic_int done; // shares of the phase
    _Alignas(CACHE_LINE) atomic_int sleepers;
    atomic_int patience; // spins before yielding, adapted at every phase
    pthread_mutex_t mutex;
    pthread_cond_t wake, wanted; // wanted: a job is for more workers than the one before
};

enum
{
    PHASE_WORKERS = 1, // first bit of the number of workers
    PHASE_NUMBER = 10, // first bit of the number of the phase
};

static unsigned long long phase_of_job(unsigned long long number, int workers, bool over)
{
    return number << PHASE_NUMBER | (unsigned long long)workers << PHASE_WORKERS | over;
}
static unsigned long long number_of(unsigned long long phase) { return phase >> PHASE_NUMBER; }
static int workers_of(unsigned long long phase)
{
    return (int)(phase >> PHASE_WORKERS & ((1u << (PHASE_NUMBER - PHASE_WORKERS)) - 1));
}
static bool is_open(unsigned long long phase) { return phase % 2 == 0; }

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// Tells all workers the new phase.
static void publish(pool *p, unsigned long long phase)
{
    atomic_store(&p->phase, phase);
    if (atomic_load(&p->sleepers))
    {
        pthread_mutex_lock(&p->mutex);
        pthread_cond_broadcast(&p->wake);
        pthread_mutex_unlock(&p->mutex);
    }
}

static void sleep_until_not(pool *p, unsigned long long phase)
{
    pthread_mutex_lock(&p->mutex);
    atomic_fetch_add(&p->sleepers, 1);
    while (atomic_load(&p->phase) == phase && !atomic_load(&p->closing))
        pthread_cond_wait(&p->wake, &p->mutex);
    atomic_fetch_sub(&p->sleepers, 1);
    pthread_mutex_unlock(&p->mutex);
}

// Sleeps until there is a job for this worker.
static unsigned long long sleep_until_wanted(pool *p, int worker)
{
    pthread_mutex_lock(&p->mutex);
    while (workers_of(atomic_load(&p->phase)) <= worker && !atomic_load(&p->closing))
        pthread_cond_wait(&p->wanted, &p->mutex);
    pthread_mutex_unlock(&p->mutex);
    return atomic_load(&p->phase);
}

// ---- shares --------------------------------------------------------------------------------------------------------

// Runs a share of the phase if no worker has taken it. The worker that ends the last share begins the next phase.
static bool run_share(pool *p, unsigned long long phase, int worker)
{
    unsigned long long number = number_of(phase),
                       before = atomic_load_explicit(&p->shares[worker].taken, memory_order_relaxed);
    if (before >= number || !atomic_compare_exchange_strong(&p->shares[worker].taken, &before, number))
        return false;
    p->run(p->arg, worker);
    if (atomic_fetch_add(&p->done, 1) == workers_of(phase) - 1)
    {
        atomic_store_explicit(&p->done, 0, memory_order_relaxed);
        bool more = p->next && p->next(p->arg);
        publish(p, phase_of_job(more ? number + 1 : number, workers_of(phase), !more));
    }
    return true;
}

// Runs the shares that the others have not taken yet.
static void run_rest(pool *p, unsigned long long phase, int worker)
{
    for (int k = 1, workers = workers_of(phase); k < workers; k++)
    {
        if (atomic_load_explicit(&p->phase, memory_order_relaxed) != phase)
            return;
        run_share(p, phase, (worker + k) % workers);
    }
}

// Waits until the phase is over, and returns what comes then.
static unsigned long long wait_for_next(pool *p, unsigned long long phase, int worker)
{
    unsigned long long now;
    if (worker >= workers_of(phase))
        return sleep_until_wanted(p, worker);
    int patience = atomic_load_explicit(&p->patience, memory_order_relaxed);
    for (int i = 0; i < patience; i++)
    {
        if ((now = atomic_load_explicit(&p->phase, memory_order_acquire)) != phase)
        {
            if (patience < PATIENCE_MOST)
                atomic_store_explicit(&p->patience, patience + patience / 8 + 1, memory_order_relaxed);
            return now;
        }
        relax();
    }
    if (patience > PATIENCE_LEAST)
        atomic_store_explicit(&p->patience, patience / 2, memory_order_relaxed);
    if (is_open(phase))
        run_rest(p, phase, worker);
    for (int i = 0; i < YIELDS; i++)
    {
        if ((now = atomic_load_explicit(&p->phase, memory_order_acquire)) != phase ||
            atomic_load_explicit(&p->closing, memory_order_relaxed))
            return now;
        sched_yield();
    }
    sleep_until_not(p, phase);
    return atomic_load(&p->phase);
}

// Takes part in the present job; returns when it is over.
static unsigned long long take_part(pool *p, unsigned long long phase, int worker)
{
    while (is_open(phase) && worker < workers_of(phase) && !atomic_load_explicit(&p->closing, memory_order_relaxed))
    {
        if (!run_share(p, phase, worker))
            run_rest(p, phase, worker); // it was late, so others may be
        phase = wait_for_next(p, phase, worker);
    }
    return phase;
}

static void *work(void *arg)
{
    PLAIN_ROUNDING;
    const helper *h = arg;
    pool *p = h->p;
    pthread_mutex_lock(&p->mutex); // waits until pool_open has set the number of threads
    pthread_mutex_unlock(&p->mutex);
    unsigned long long phase = phase_of_job(0, p->threads, true);
    while (!atomic_load(&p->closing))
        phase = take_part(p, wait_for_next(p, phase, h->worker), h->worker);
    return NULL;
}

void pool_run(pool *p, pool_share *run, pool_next *next, void *arg)
{
    int workers = pool_workers(p);
    if (workers == 1)
    {
        do
            run(arg, 0);
        while (next && next(arg));
        return;
    }
    p->run = run, p->next = next, p->arg = arg;
    unsigned long long before = atomic_load_explicit(&p->phase, memory_order_relaxed),
                       phase = phase_of_job(number_of(before) + 1, workers, false);
    publish(p, phase);
    if (workers > workers_of(before))
    {
        pthread_mutex_lock(&p->mutex);
        pthread_cond_broadcast(&p->wanted);
        pthread_mutex_unlock(&p->mutex);
    }
    take_part(p, phase, 0);
}

static void free_pool(memory *m, pool *p)
{
    array_free(m, &p->helpers, &p->capacity, sizeof *p->helpers);
    array_free(m, &p->shares, &p->share_capacity, sizeof *p->shares);
    memory_free(m, p, sizeof(pool));
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
    if (result == PL_OK)
        result = array_reserve(m, &p->shares, &p->share_capacity, threads, sizeof *p->shares);
    if (result != PL_OK)
    {
        free_pool(m, p);
        return result;
    }
    memory_leave_out(p);
    memory_leave_out(p->shares);
    if (p->helpers)
        memory_leave_out(p->helpers);
    for (int i = 0; i < threads; i++)
        atomic_init(&p->shares[i].taken, 0);
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->wake, NULL);
    pthread_cond_init(&p->wanted, NULL);
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
    atomic_init(&p->phase, phase_of_job(0, p->threads, true));
    tuning_open(&p->tuning, p->threads);
    pthread_mutex_unlock(&p->mutex);
    *out = p;
    return PL_OK;
}

void pool_close(memory *m, pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->mutex);
    atomic_store(&p->closing, true);
    pthread_cond_broadcast(&p->wake);
    pthread_cond_broadcast(&p->wanted);
    pthread_mutex_unlock(&p->mutex);
    for (int i = 0; i < p->threads - 1; i++)
        pthread_join(p->helpers[i].thread, NULL);
    pthread_cond_destroy(&p->wake);
    pthread_cond_destroy(&p->wanted);
    pthread_mutex_destroy(&p->mutex);
    free_pool(m, p);
}

int pool_threads(const pool *p) { return p->threads; }

int pool_workers(const pool *p) { return p->tuning.workers; }

void pool_frame(pool *p, double ms) { tuning_frame(&p->tuning, ms); }

int pool_processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > 64 ? 64 : (int)n;
}
