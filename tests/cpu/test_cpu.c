// Who computes decides nothing: threads, lanes, the user's scheduler in any order, worlds side by side.
#include "support/support.h"

#include <pthread.h>

enum
{
    FRAMES = 8,
    SIZE = 14,
    LARGE = 40, // stages that are worth sharing out
};

static uint64_t hash_of(int size, int threads, int lanes, pl_tasks tasks, pl_solver solver, pl_integrator integrator)
{
    pl_world_def def = small_def(4, 2);
    def.threads = threads;
    def.lanes = lanes;
    def.tasks = tasks;
    def.settings.solver = solver;
    def.settings.integrator = integrator;
    pl_world *w;
    good(pl_world_create(&def, &w));
    fill_world(w, size);
    play(w, FRAMES);
    uint64_t hash = pl_world_hash(w);
    pl_world_destroy(w);
    return hash;
}

static uint64_t hash_with(int threads, int lanes, pl_tasks tasks, pl_solver solver, pl_integrator integrator)
{
    return hash_of(SIZE, threads, lanes, tasks, solver, integrator);
}

static void threads_and_lanes(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 3, 8};
    for (int solver = 0; solver < 2; solver++)
        for (int integrator = 0; integrator < 2; integrator++)
        {
            uint64_t wanted = hash_with(1, 1, (pl_tasks){0}, (pl_solver)solver, (pl_integrator)integrator);
            for (const int *lanes = pl_lane_widths(); *lanes; lanes++)
                for (int t = 0; t < 4; t++)
                    assert_true(wanted == hash_with(threads[t], *lanes, (pl_tasks){0}, (pl_solver)solver,
                                                    (pl_integrator)integrator));
        }
}

static void backwards(void *user, int count, void (*task)(void *arg, int i), void *arg)
{
    *(int *)user += count;
    for (int i = count - 1; i >= 0; i--)
        task(arg, i);
}

static void from_the_middle(void *user, int count, void (*task)(void *arg, int i), void *arg)
{
    *(int *)user += count;
    for (int i = 0; i < count; i++)
        task(arg, (i * 7 + count / 2) % count);
}

static void own_schedulers(void **state)
{
    (void)state;
    uint64_t wanted = hash_of(LARGE, 1, 0, (pl_tasks){0}, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1);
    int count = 0;
    const pl_tasks last_first = {backwards, &count}, mixed = {from_the_middle, &count};
    assert_true(wanted == hash_of(LARGE, 5, 0, last_first, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1));
    assert_true(wanted == hash_of(LARGE, 4, 1, mixed, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1));
    assert_true(wanted == hash_of(LARGE, 1, 0, last_first, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1));
    assert_true(count > 1000);
}

static void *other_world(void *arg)
{
    *(uint64_t *)arg = hash_with(2, 0, (pl_tasks){0}, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1);
    return NULL;
}

static void worlds_side_by_side(void **state)
{
    (void)state;
    uint64_t wanted = hash_with(1, 0, (pl_tasks){0}, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1), got[4];
    pthread_t thread[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, other_world, &got[i]), 0);
    for (int i = 0; i < 4; i++)
    {
        pthread_join(thread[i], NULL);
        assert_true(got[i] == wanted);
    }
}

static void workers_change_between_steps(void **state)
{
    (void)state;
    uint64_t wanted = hash_with(1, 0, (pl_tasks){0}, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1);
    pl_world *w = make_world(4, 2);
    fill_world(w, SIZE);
    for (int i = 0; i < FRAMES; i++)
    {
        good(pl_world_set_workers(w, 1 + i % 4, i % 2 ? 1 : 0));
        play(w, 1);
    }
    assert_true(pl_world_hash(w) == wanted);
    refused(pl_world_set_workers(w, -1, 0), PL_ERROR_ARGUMENT, "threads is -1");
    refused(pl_world_set_workers(w, 100000, 0), PL_ERROR_ARGUMENT, "threads is 100000");
    refused(pl_world_set_workers(w, 1, 5), PL_ERROR_UNSUPPORTED, "5 lanes");
    play(w, 1);
    pl_timing t = pl_world_timing(w);
    assert_true(t.total > 0.0 && t.stage[PL_STAGE_ELEMENTS] > 0.0 && t.total < 60000.0);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_and_lanes),
        cmocka_unit_test(own_schedulers),
        cmocka_unit_test(worlds_side_by_side),
        cmocka_unit_test(workers_change_between_steps),
    };
    return cmocka_run_group_tests_name("cpu", tests, NULL, NULL);
}
