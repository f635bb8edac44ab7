// test_pool_tuning.c: the number of workers that a pool uses follows the times of frames, which are given here.
#include "support/support.h"

#include "core/pool_tuning.h"

// A frame of so much work that is shared out, and of a cost for each worker.
static double frame_of(int workers, double work, double each) { return work / workers + each * workers; }

static int best_of(int threads, double work, double each)
{
    int best = threads;
    for (int n = threads; n >= 1; n /= 2)
        best = frame_of(n, work, each) < frame_of(best, work, each) ? n : best;
    return best;
}

// Runs frames and returns the mean of their times divided by that of the best number of workers.
static double cost_of(pool_tuning *t, int frames, double work, double each)
{
    double sum = 0.0, best = frame_of(best_of(t->threads, work, each), work, each);
    for (int i = 0; i < frames; i++)
    {
        double ms = frame_of(t->workers, work, each);
        sum += ms;
        assert_in_range(t->workers, 1, t->threads);
        tuning_frame(t, ms);
    }
    return sum / (frames * best);
}

static void the_best_number_is_found(void **state)
{
    (void)state;
    static const double work[] = {0.01, 0.3, 1.0, 4.0, 20.0, 500.0};
    for (int threads = 2; threads <= 16; threads *= 2)
        for (int i = 0; i < 6; i++)
        {
            pool_tuning t;
            tuning_open(&t, threads);
            cost_of(&t, 120, work[i], 0.1);
            double found = frame_of(t.best, work[i], 0.1),
                   best = frame_of(best_of(threads, work[i], 0.1), work[i], 0.1);
            assert_true(found <= best / TUNING_GAIN);
        }
}

// What a trial costs: little for a scene that needs all threads, and for one that needs one.
static void trials_are_cheap(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++)
    {
        pool_tuning t;
        tuning_open(&t, 16);
        double work = i ? 500.0 : 0.01;
        cost_of(&t, 200, work, 0.1);
        assert_true(cost_of(&t, 5000, work, 0.1) < 1.03);
    }
}

// A scene that grows, and one that shrinks.
static void it_follows_the_work(void **state)
{
    (void)state;
    pool_tuning t;
    tuning_open(&t, 8);
    cost_of(&t, 100, 0.01, 0.1);
    assert_int_equal(t.best, 1);
    cost_of(&t, 1500, 100.0, 0.1);
    assert_int_equal(t.best, 8);
    cost_of(&t, 1500, 0.01, 0.1);
    assert_int_equal(t.best, 1);
}

// Lists are made anew in some frames, which take much longer.
static void frames_may_differ(void **state)
{
    (void)state;
    for (int every = 2; every < 8; every++)
    {
        pool_tuning t;
        tuning_open(&t, 4);
        for (int i = 0; i < 400; i++)
            tuning_frame(&t, (i % every ? 1.0 : 3.0) * frame_of(t.workers, 20.0, 0.1));
        assert_int_equal(t.best, 4);
    }
}

static void one_thread_stays(void **state)
{
    (void)state;
    pool_tuning t;
    tuning_open(&t, 1);
    cost_of(&t, 100, 1.0, 0.1);
    assert_int_equal(t.workers, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_number_is_found), cmocka_unit_test(trials_are_cheap),
        cmocka_unit_test(it_follows_the_work),      cmocka_unit_test(frames_may_differ),
        cmocka_unit_test(one_thread_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
