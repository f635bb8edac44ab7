// test_drape.c: the scene `drape`, whole, and no triangle goes through another: told by crossings.h, not by the engine.
// labels: slow
#include "crossings.h"

static void nothing_crosses(void **state)
{
    (void)state;
    size_t length;
    pl_scene *scene;
    pl_world *world;
    pl_world_def def = pl_default_world_def();
    const char *text = pl_builtin_scene("drape", &length);
    assert_non_null(text);
    good(pl_scene_parse(text, length, "drape.json", NULL, 0, &scene));
    good(pl_scene_world(scene, &def, &world));
    pl_scene_info info = pl_scene_describe(scene);
    assert_int_equal(pl_particle_count(world), 10000);
    int64_t contacts = 0;
    for (int frame = 1; frame <= info.frames; frame++)
    {
        good(pl_scene_before_step(scene, world));
        steps(world, 1, info.dt);
        if (frame % 10 && frame != info.frames)
        {
            continue;
        }
        long crossings = count_crossings(world);
        if (crossings)
        {
            fail_msg("%ld pairs of triangles go through each other after frame %d", crossings, frame);
        }
        assert_int_equal(pl_world_penetration(world).crossings, 0);
        contacts = pl_world_penetration(world).contacts;
        print_message("frame %d: %lld contacts\n", frame, (long long)contacts);
    }
    assert_true(contacts > 500); // it has folded
    pl_world_destroy(world);
    pl_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_crosses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
