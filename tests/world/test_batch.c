// A batch of worlds has the bits that the worlds have one by one, on any threads; failures and what is refused.
#include "support/faulty.h"
#include "support/support.h"

enum
{
    WORLDS = 24,
    FRAMES = 4,
};

static pl_world *worlds[WORLDS];

// Worlds of several sizes: some with a cloth and more, some with falling boxes.
static void open_worlds(void)
{
    for (int i = 0; i < WORLDS; i++)
    {
        worlds[i] = make_world(4, 2);
        if (i % 3)
        {
            fill_world(worlds[i], 4 + i % 5);
            continue;
        }
        pl_rigid_def box = pl_default_rigid_def();
        pl_shape_def floor = pl_default_shape_def();
        pl_rigid_shape cube = pl_default_rigid_shape();
        cube.half = (pl_vec3){0.1f, 0.1f, 0.1f};
        floor.kind = PL_SHAPE_PLANE;
        good(pl_add_shape(worlds[i], &floor, NULL));
        box.shapes = &cube;
        box.shape_count = 1;
        box.mass = 1.0f;
        for (int k = 0; k <= i; k++)
        {
            box.position = (pl_vec3){0.3f * (float)k, 0.6f, 0.0f};
            good(pl_add_rigid(worlds[i], &box, NULL));
        }
    }
}

static void close_worlds(void)
{
    for (int i = 0; i < WORLDS; i++)
        pl_world_destroy(worlds[i]);
}

static pl_batch *make_batch(int threads, pl_tasks tasks)
{
    pl_batch_def def = pl_default_batch_def();
    pl_batch *batch = NULL;
    def.threads = threads;
    def.tasks = tasks;
    good(pl_batch_create(&def, &batch));
    return batch;
}

static void last_first(void *user, int count, void (*task)(void *arg, int i), void *arg)
{
    (void)user;
    for (int i = count - 1; i >= 0; i--)
        task(arg, i);
}

static void has_the_bits_of_single_steps(void **state)
{
    (void)state;
    uint64_t wanted[WORLDS];
    open_worlds();
    for (int i = 0; i < WORLDS; i++)
    {
        play(worlds[i], FRAMES);
        wanted[i] = pl_world_hash(worlds[i]);
    }
    close_worlds();
    const struct
    {
        int threads;
        pl_tasks tasks;
    } ways[] = {{1, {0}}, {2, {0}}, {3, {0}}, {40, {0}}, {3, {last_first, NULL}}};
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++)
    {
        pl_batch *batch = make_batch(ways[way].threads, ways[way].tasks);
        assert_true(pl_batch_threads(batch) >= 1 && pl_batch_threads(batch) <= ways[way].threads);
        open_worlds();
        for (int f = 0; f < FRAMES; f++)
            good(pl_batch_step(batch, worlds, WORLDS, 1.0f / 60.0f, NULL));
        for (int i = 0; i < WORLDS; i++)
            assert_true(pl_world_hash(worlds[i]) == wanted[i]);
        close_worlds();
        pl_batch_destroy(batch);
    }
}

static pl_result note_place(pl_world *world, int index, void *user)
{
    int *places = user;
    places[index] += worlds[index] == world ? index : -1000;
    return index % 10 == 7 ? pl_world_step(world, -1.0f) : PL_OK;
}

static void each_world_once_and_the_first_failure(void **state)
{
    (void)state;
    int places[WORLDS] = {0};
    pl_result results[WORLDS];
    pl_batch *batch = make_batch(3, (pl_tasks){0});
    open_worlds();
    refused(pl_batch_each(batch, worlds, WORLDS, note_place, places, results), PL_ERROR_ARGUMENT,
            "world 7 of the batch: ");
    for (int i = 0; i < WORLDS; i++)
    {
        assert_int_equal(places[i], i);
        assert_int_equal(results[i], i % 10 == 7 ? PL_ERROR_ARGUMENT : PL_OK);
    }
    good(pl_batch_each(batch, worlds, 7, note_place, places, NULL));
    close_worlds();
    pl_batch_destroy(batch);
}

// A world that diverges leaves the others as they would be without it.
static void goes_on_when_one_diverges(void **state)
{
    (void)state;
    const float mad[3] = {3e38f, 3e38f, 0.0f};
    pl_result results[WORLDS];
    pl_batch *batch = make_batch(2, (pl_tasks){0});
    open_worlds();
    play(worlds[23], 1);
    uint64_t wanted = pl_world_hash(worlds[23]);
    close_worlds();
    open_worlds();
    good(pl_set(worlds[4], PL_ATTRIBUTE_VELOCITY, 9, 1, mad));
    refused(pl_batch_step(batch, worlds, WORLDS, 1.0f / 60.0f, results), PL_ERROR_DIVERGED,
            "world 4 of the batch: frame 0");
    for (int i = 0; i < WORLDS; i++)
    {
        assert_int_equal(results[i], i == 4 ? PL_ERROR_DIVERGED : PL_OK);
        assert_int_equal(pl_world_frame(worlds[i]), i != 4);
    }
    assert_true(pl_world_hash(worlds[23]) == wanted);
    close_worlds();
    pl_batch_destroy(batch);
}

static void refuses(void **state)
{
    (void)state;
    pl_batch_def def = pl_default_batch_def();
    pl_batch *batch = NULL, *none = (pl_batch *)&def;
    def.threads = 257;
    refused(pl_batch_create(&def, &none), PL_ERROR_ARGUMENT, "threads is 257");
    assert_null(none);
    refused(pl_batch_create(NULL, &none), PL_ERROR_ARGUMENT, "def");
    refused(pl_batch_step(NULL, worlds, 1, 0.1f, NULL), PL_ERROR_ARGUMENT, "NULL");
    batch = make_batch(2, (pl_tasks){0});
    open_worlds();
    pl_world *some[4] = {worlds[0], worlds[1], worlds[2], worlds[1]};
    refused(pl_batch_step(batch, some, 4, 0.1f, NULL), PL_ERROR_ARGUMENT, "worlds 1 and 3 of the batch are the same");
    some[3] = NULL;
    refused(pl_batch_step(batch, some, 4, 0.1f, NULL), PL_ERROR_ARGUMENT, "world 3 of the batch is NULL");
    good(pl_world_set_workers(worlds[3], 2, 0));
    some[3] = worlds[3];
    refused(pl_batch_step(batch, some, 4, 0.1f, NULL), PL_ERROR_ARGUMENT, "world 3 of the batch has 2 threads");
    refused(pl_batch_step(batch, some, -1, 0.1f, NULL), PL_ERROR_ARGUMENT, "-1 worlds");
    refused(pl_batch_step(batch, NULL, 1, 0.1f, NULL), PL_ERROR_ARGUMENT, "1 worlds");
    refused(pl_batch_each(batch, some, 3, NULL, NULL, NULL), PL_ERROR_ARGUMENT, "task");
    for (int i = 0; i < WORLDS; i++)
        assert_int_equal(pl_world_frame(worlds[i]), 0);
    good(pl_batch_step(batch, NULL, 0, 0.1f, NULL));
    pl_batch_destroy(batch);
    pl_batch_destroy(NULL);
    assert_int_equal(pl_batch_threads(NULL), 0);
    close_worlds();
}

static void lacks_memory(void **state)
{
    (void)state;
    open_worlds();
    for (int64_t at = 1;; at++)
    {
        faulty f = {.fail_at = at};
        pl_batch_def def = pl_default_batch_def();
        pl_batch *batch;
        def.threads = 2;
        def.allocator = (pl_allocator){faulty_resize, &f};
        pl_result result = pl_batch_create(&def, &batch);
        if (result == PL_OK)
            result = pl_batch_step(batch, worlds, WORLDS, 0.01f, NULL);
        pl_batch_destroy(batch);
        assert_int_equal(f.blocks, 0);
        assert_int_equal(f.bytes, 0);
        if (result == PL_OK)
            break;
        assert_int_equal(result, PL_ERROR_MEMORY);
        assert_int_equal(pl_world_frame(worlds[0]), 0);
    }
    close_worlds();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_the_bits_of_single_steps),
        cmocka_unit_test(each_world_once_and_the_first_failure),
        cmocka_unit_test(goes_on_when_one_diverges),
        cmocka_unit_test(refuses),
        cmocka_unit_test(lacks_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
