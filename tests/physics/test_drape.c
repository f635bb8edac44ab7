// test_drape.c: the scene `drape`, half of it, or, when long, all, and no triangle goes through another: told by crossings.h, not by the engine.
// labels: slow
// long: too
#include "crossings.h"
#include "support/long.h"

static pl_scene *open_drape(pl_world **world, const char *const *sets, int count)
{
    size_t length;
    pl_scene *scene;
    pl_world_def def = pl_default_world_def();
    const char *text = pl_builtin_scene("drape", &length);
    assert_non_null(text);
    good(pl_scene_parse(text, length, "drape.json", sets, count, &scene));
    good(pl_scene_world(scene, &def, world));
    return scene;
}

static void nothing_crosses(void **state)
{
    (void)state;
    pl_world *world;
    pl_scene *scene = open_drape(&world, NULL, 0);
    pl_scene_info info = pl_scene_describe(scene);
    assert_int_equal(pl_particle_count(world), 10000);
    int frames = is_long() ? info.frames : info.frames / 2; // by then it would cross without a skin, see below
    for (int frame = 1; frame <= frames; frame++)
    {
        steps(world, 1, info.dt);
        long crossings = frame % 10 && frame != frames ? 0 : count_crossings(world);
        if (crossings)
        {
            fail_msg("%ld pairs of triangles go through each other after frame %d", crossings, frame);
        }
    }
    assert_int_equal(pl_world_penetration(world).crossings, 0);
    pl_world_destroy(world);
    pl_scene_free(scene);
}

// The same cloth without a skin goes through itself: there is something to keep apart.
static void without_a_skin_it_crosses(void **state)
{
    (void)state;
    pl_world *world;
    const char *const sets[] = {"cloth.thickness=0"};
    pl_scene *scene = open_drape(&world, sets, 1);
    steps(world, 60, 1.0 / 60.0);
    long crossings = count_crossings(world);
    print_message("%ld pairs cross\n", crossings);
    assert_true(crossings > 10);
    pl_world_destroy(world);
    pl_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(without_a_skin_it_crosses), cmocka_unit_test(nothing_crosses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
