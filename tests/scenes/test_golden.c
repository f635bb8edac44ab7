// test_golden.c: every scene gives the golden hash on every lane width and thread count.
//   test_golden         every scene has its rows; with PLIANT_LONG set, all scenes, every width with every count of threads
//   test_golden SCENE   one scene: every width, and every count of threads, but not every pair of them, and only the
//                       width that is used by default for more than a few frames
// labels: scenes
// each: scene
// long: too
#include "golden.h"
#include "support/long.h"

static const int thread_counts[] = {2, 3, 8};
enum
{
    THREAD_COUNTS = sizeof thread_counts / sizeof *thread_counts,
    MOST_FRAMES = 20, // test_expect.c runs the longer rows
    FEW_FRAMES = 5,   // more threads than cores are slow, and a few frames show what they do
};

static const char *scene_name; // or NULL
static struct golden_row rows[GOLDEN_MAX];
static int row_count;

// One world, run on from row to row of the scene, up to so many frames.
static void check(const pl_scene *scene, const char *name, int most, int threads, int lanes)
{
    pl_world *world = NULL;
    int at = 0, compared = 0;
    for (int i = 0; i < row_count; i++) // frames rise
    {
        const struct golden_row *row = &rows[i];
        if (strcmp(row->scene, name) != 0 || row->frames > most)
            continue;
        world = world ? world : golden_run(scene, 0, threads, lanes);
        golden_step(scene, world, row->frames - at);
        at = row->frames;
        compared++;
        uint64_t hash = pl_world_hash(world);
        if (hash != row->hash)
        {
            fail_msg("%s, %d frames, %d threads, %d lanes: %016" PRIx64 " instead of %016" PRIx64
                     "; if the change was meant, run tests/scenes/regolden.sh",
                     name, row->frames, threads, lanes, hash, row->hash);
        }
    }
    pl_world_destroy(world);
    assert_true(compared > 0);
}

static void check_scene(const char *name)
{
    pl_scene *scene = golden_scene(name);
    const int *widths = pl_lane_widths();
    int width_count = 0, threads, usual;
    while (widths[width_count])
        width_count++;
    pl_world *world = golden_run(scene, 0, 1, 0);
    pl_world_workers(world, &threads, &usual);
    pl_world_destroy(world);
    for (int i = 0; i < width_count; i++)
    {
        check(scene, name, is_long() || widths[i] == usual ? MOST_FRAMES : FEW_FRAMES, 1, widths[i]);
        for (int k = 0; k < THREAD_COUNTS; k++)
        {
            if (is_long() || k == i % THREAD_COUNTS || i == k % width_count)
                check(scene, name, FEW_FRAMES, thread_counts[k], widths[i]);
        }
    }
    pl_scene_free(scene);
}

static void same_bits_everywhere(void **state)
{
    (void)state;
    if (scene_name)
        check_scene(scene_name);
    for (int i = 0; !scene_name && is_long() && pl_builtin_scene_name(i); i++)
        check_scene(pl_builtin_scene_name(i));
}

static void every_scene_has_rows(void **state)
{
    (void)state;
    for (int i = 0; pl_builtin_scene_name(i); i++)
    {
        int found = 0;
        for (int k = 0; k < row_count; k++)
        {
            found += strcmp(rows[k].scene, pl_builtin_scene_name(i)) == 0;
        }
        if (found < 2)
        {
            fail_msg("%s has %d golden rows; run tests/scenes/regolden.sh", pl_builtin_scene_name(i), found);
        }
    }
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_scene_has_rows), cmocka_unit_test(same_bits_everywhere)};
    scene_name = count > 1 ? words[1] : NULL;
    row_count = golden_read(rows);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
