// labels: long
// timeout: 7200
// The scene `stack`, 8,000 particles: the wall stands for thirty seconds without creeping, and falls when it is struck.
#include "physics/bricks.h"

static void play(const pl_scene *scene, pl_world *world, int frames)
{
    for (int f = 0; f < frames; f++)
    {
        good(pl_scene_before_step(scene, world));
        good(pl_world_step(world, 1.0f / 60.0f));
    }
}

static void stands_and_falls(void **state)
{
    (void)state;
    // The ball comes when the wall has stood: a second to settle, thirty to look on.
    static const char *const sets[] = {"shape[1].keys[1].time=32", "shape[1].keys[2].time=34"};
    size_t length;
    const char *text = pl_builtin_scene("stack", &length);
    pl_scene *scene = NULL;
    pl_world *world = NULL;
    pl_world_def def = pl_default_world_def();
    good(pl_scene_parse(text, length, "stack", sets, 2, &scene));
    good(pl_scene_world(scene, &def, &world));
    int count = pl_particle_count(world), fallen = 0;
    assert_int_equal(count, 8000);
    float *start = all_positions(world);
    play(scene, world, 60);
    float *before = all_positions(world);
    play(scene, world, 1800);
    double creep = farthest_from(world, before), sunk = farthest_from(world, start);
    print_message("%d particles: %.4f mm in 30 s, %.4f mm since they were laid, %.1e J\n", count, 1e3 * creep,
                  1e3 * sunk, pl_world_energy(world).kinetic);
    below("creep, m", creep, 1e-3);
    play(scene, world, 300);
    float *after = all_positions(world);
    for (int i = 0; i < count; i++)
        fallen += start[3 * i + 1] - after[3 * i + 1] > 0.2f; // a course and more
    print_message("struck: %d of %d particles have fallen by more than a course\n", fallen, count);
    assert_true(fallen > count / 4);
    free(start);
    free(before);
    free(after);
    pl_world_destroy(world);
    pl_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stands_and_falls)};
    return cmocka_run_group_tests_name("stack at full size", tests, NULL, NULL);
}
