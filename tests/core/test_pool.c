// The pool: everyone works, barriers hold, also with more threads than processors.
#include "support/support.h"

#include "core/pool.h"

#include <stdatomic.h>

typedef struct job
{
    pool *p;
    int rounds;
    atomic_int count, wrong;
    int turns[64]; // of each worker, written without atomics: the barrier must order them
} job;

static void work(void *arg, int worker)
{
    job *j = arg;
    int threads = pool_threads(j->p);
    for (int r = 0; r < j->rounds; r++)
    {
        j->turns[worker] = r + 1;
        pool_wait(j->p);
        for (int i = 0; i < threads; i++)
            if (j->turns[i] != r + 1)
                atomic_fetch_add(&j->wrong, 1);
        pool_wait(j->p);
    }
    atomic_fetch_add(&j->count, 1);
}

static void barriers_hold(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 3, 7, 16};
    for (int t = 0; t < 5; t++)
    {
        memory m;
        memory_open(&m, &(pl_allocator){0});
        job j = {.rounds = 60};
        good(pool_open(&m, threads[t], &j.p));
        assert_int_equal(pool_threads(j.p), threads[t]);
        for (int i = 0; i < 40; i++)
            pool_run(j.p, work, &j);
        assert_int_equal(j.count, 40 * threads[t]);
        assert_int_equal(j.wrong, 0);
        pool_close(&m, j.p);
        assert_int_equal(m.bytes, 0);
    }
}

static void open_and_close(void **state)
{
    (void)state;
    memory m;
    memory_open(&m, &(pl_allocator){0});
    for (int i = 0; i < 100; i++) // never used
    {
        pool *p;
        good(pool_open(&m, 1 + i % 5, &p));
        pool_close(&m, p);
    }
    pool_close(&m, NULL);
    assert_int_equal(m.bytes, 0);
    assert_true(pool_processors() >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(barriers_hold), cmocka_unit_test(open_and_close)};
    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
