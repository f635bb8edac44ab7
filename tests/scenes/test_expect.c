// test_expect.c: every scene, run to its end, does what its expect block says, and has its golden hash there.
//   test_expect         expectations can fail
//   test_expect SCENE   one scene; those that take long are left to ./dev test-long
// labels: scenes slow
// each: scene
// long: curtain drape dress pile sandpile stack fountain tower_of_cloth
#include "golden.h"

static void check_hash(const char *name, int frames, uint64_t hash)
{
    static struct golden_row rows[GOLDEN_MAX];
    int count = golden_read(rows), found = 0;
    for (int i = 0; i < count; i++)
    {
        bool same = strcmp(rows[i].scene, name) == 0 && rows[i].frames == frames;
        found += same;
        if (same && rows[i].hash != hash)
        {
            fail_msg("%s at its end: %016" PRIx64 " instead of %016" PRIx64, name, hash, rows[i].hash);
        }
    }
    if (found != 1)
    {
        fail_msg("%s has %d golden rows for its end, frame %d; run tests/scenes/regolden.sh", name, found, frames);
    }
}

static const char *scene_name;

static void a_scene_keeps_its_word(void **state)
{
    (void)state;
    char report[2048];
    int checked = 0, failed = 0;
    pl_scene *scene = golden_scene(scene_name);
    int frames = pl_scene_describe(scene).frames;
    pl_world *world = golden_run(scene, frames, 1, 0);
    golden_good(pl_scene_expect(scene, world, report, sizeof report, &checked, &failed));
    if (failed)
    {
        fail_msg("%s:\n%s", scene_name, report);
    }
    assert_true(checked >= 2); // more than that everything is finite
    check_hash(scene_name, frames, pl_world_hash(world));
    pl_world_destroy(world);
    pl_scene_free(scene);
}

// A check that cannot fail checks nothing: a scene that runs one frame must miss its expectations.
static void expectations_can_fail(void **state)
{
    (void)state;
    static const char *const names[] = {"oscillator", "pendulum", "rope", "paper_plane", "soft_bar", "stiffness"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
        char report[2048];
        int checked = 0, failed = 0;
        pl_scene *scene = golden_scene(names[i]);
        pl_world *world = golden_run(scene, 20, 1, 0);
        assert_int_equal(pl_scene_expect(scene, world, report, sizeof report, &checked, &failed), PL_OK);
        assert_true(failed > 0);
        assert_non_null(strstr(report, "was expected"));
        pl_world_destroy(world);
        pl_scene_free(scene);
    }
}

int main(int count, char **words)
{
    const struct CMUnitTest all[] = {cmocka_unit_test(expectations_can_fail)};
    const struct CMUnitTest one[] = {cmocka_unit_test(a_scene_keeps_its_word)};
    scene_name = count > 1 ? words[1] : NULL;
    return scene_name ? cmocka_run_group_tests(one, NULL, NULL) : cmocka_run_group_tests(all, NULL, NULL);
}
