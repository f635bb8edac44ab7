// The pool: every share of every phase runs once, phases are ordered, and workers that are not running are not waited for.
#include "support/support.h"

#include "core/pool.h"

#include <time.h>

typedef struct job
{
    pool *p;
    int rounds, round;
    int runs, wrong;
    int turns[64]; // of each share, written without atomics: the phases must order them
} job;

static void take_turn(void *arg, int share)
{
    job *j = arg;
    j->turns[share]++;
}

static bool check_turns(void *arg)
{
    job *j = arg;
    j->round++;
    j->runs += pool_workers(j->p);
    for (int i = 0; i < pool_workers(j->p); i++)
        j->wrong += j->turns[i] != j->round;
    return j->round % j->rounds != 0;
}

static void phases_are_ordered(void **state)
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
            pool_run(j.p, take_turn, check_turns, &j);
        assert_int_equal(j.runs, 40 * 60 * threads[t]);
        assert_int_equal(j.wrong, 0);
        pool_run(j.p, take_turn, NULL, &j); // one phase
        for (int i = 0; i < threads[t]; i++)
            assert_int_equal(j.turns[i], 40 * 60 + 1);
        pool_close(&m, j.p);
        assert_int_equal(m.bytes, 0);
    }
}

// Jobs for fewer workers, and for all of them again.
static void workers_come_and_go(void **state)
{
    (void)state;
    memory m;
    memory_open(&m, &(pl_allocator){0});
    job j = {.rounds = 20};
    good(pool_open(&m, 8, &j.p));
    int fewest = 8, most = 0;
    for (int frame = 0; frame < 400; frame++)
    {
        int workers = pool_workers(j.p);
        for (int i = 0; i < 8; i++)
            j.turns[i] = j.round;
        pool_run(j.p, take_turn, check_turns, &j);
        pool_run(j.p, take_turn, NULL, &j); // one phase
        for (int i = 0; i < 8; i++)
            assert_int_equal(j.turns[i], i < workers ? j.round + 1 : j.round - j.rounds);
        // At first one worker is the best number, then all of them are.
        pool_frame(j.p, frame < 100 ? (double)workers : 1.0 / workers);
        fewest = frame == 99 ? workers : fewest;
        most = frame == 399 ? workers : most;
    }
    assert_int_equal(j.wrong, 0);
    assert_int_equal(fewest, 1);
    assert_int_equal(most, 8);
    pool_close(&m, j.p);
    assert_int_equal(m.bytes, 0);
}

// A job in which a share takes long now and then, so that the other workers sleep.
typedef struct slow_job
{
    pool *p;
    int phases, left;
    int turns[4];
} slow_job;

static void rest(void)
{
    struct timespec t = {0, 2000000};
    nanosleep(&t, NULL);
}

static void sleepy_turn(void *arg, int share)
{
    slow_job *j = arg;
    j->turns[share]++;
    if (share == 1 && j->left % 50 == 0)
        rest();
}

static bool sleepy_next(void *arg)
{
    slow_job *j = arg;
    for (int i = 0; i < pool_threads(j->p); i++)
        assert_int_equal(j->turns[i], j->phases - j->left + 1);
    return --j->left > 0;
}

static void slow_workers_lose_nothing(void **state)
{
    (void)state;
    memory m;
    memory_open(&m, &(pl_allocator){0});
    slow_job j = {.phases = 500, .left = 500};
    good(pool_open(&m, 4, &j.p));
    pool_run(j.p, sleepy_turn, sleepy_next, &j);
    for (int i = 0; i < 4; i++)
        assert_int_equal(j.turns[i], 500);
    pool_close(&m, j.p);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(phases_are_ordered), cmocka_unit_test(workers_come_and_go),
                                       cmocka_unit_test(slow_workers_lose_nothing), cmocka_unit_test(open_and_close)};
    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
