// test_golden.c: every scene gives the golden hash on every lane width and thread count.
// labels: scenes
#include "golden.h"

static const int thread_counts[] = {1, 2, 3, 8};

static void check(const pl_scene *scene, const struct golden_row *row, int threads, int lanes)
{
    pl_world *world = golden_run(scene, row->frames, threads, lanes);
    uint64_t hash = pl_world_hash(world);
    pl_world_destroy(world);
    if (hash != row->hash)
    {
        fail_msg("%s, %d frames, %d threads, %d lanes: %016" PRIx64 " instead of %016" PRIx64
                 "; if the change was meant, run tests/scenes/regolden.sh",
                 row->scene, row->frames, threads, lanes, hash, row->hash);
    }
}

static void same_bits_everywhere(void **state)
{
    (void)state;
    static struct golden_row rows[GOLDEN_MAX];
    int count = golden_read(rows);
    for (int i = 0; i < count; i++)
    {
        if (rows[i].frames > 20)
        {
            continue; // test_expect.c runs these
        }
        pl_scene *scene = golden_scene(rows[i].scene);
        for (const int *lanes = pl_lane_widths(); *lanes; lanes++)
        {
            for (size_t k = 0; k < sizeof thread_counts / sizeof *thread_counts; k++)
            {
                // More threads than cores are slow, and a few frames show what they do.
                if (rows[i].frames <= 5 || thread_counts[k] == 1)
                {
                    check(scene, &rows[i], thread_counts[k], *lanes);
                }
            }
        }
        pl_scene_free(scene);
    }
}

static void every_scene_has_rows(void **state)
{
    (void)state;
    static struct golden_row rows[GOLDEN_MAX];
    int count = golden_read(rows);
    for (int i = 0; pl_builtin_scene_name(i); i++)
    {
        int found = 0;
        for (int k = 0; k < count; k++)
        {
            found += strcmp(rows[k].scene, pl_builtin_scene_name(i)) == 0;
        }
        if (found < 2)
        {
            fail_msg("%s has %d golden rows; run tests/scenes/regolden.sh", pl_builtin_scene_name(i), found);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_scene_has_rows), cmocka_unit_test(same_bits_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
