// test_scene_visual.c: which bodies of a scene show their mesh without being asked, and that it changes no bit of a simulation.
// labels: io
#include "support/support.h"

#include <stdio.h>
#include <string.h>

// The world of a scene with one body, after some frames.
static pl_world *world_with(const char *body, const char *rest, int frames)
{
    char text[1024];
    pl_scene *scene;
    pl_world *world;
    int length = snprintf(
        text, sizeof text,
        "{\"frames\": 1, \"dt\": 0.01, \"body\": {\"name\": \"b\", \"spacing\": 0.1, \"position\": [0, 1, 0], %s}%s}",
        body, rest);
    assert_true(length > 0 && (size_t)length < sizeof text);
    good(pl_scene_parse(text, (size_t)length, "x.json", NULL, 0, &scene));
    good(pl_scene_world(scene, NULL, &world));
    for (int i = 0; i < frames; i++)
    {
        good(pl_scene_before_step(scene, world));
        good(pl_world_step(world, 0.01f));
    }
    pl_scene_free(scene);
    return world;
}

static int visuals_of(const char *body, const char *rest)
{
    pl_world *world = world_with(body, rest, 0);
    int count = pl_world_visuals(world, NULL, 0);
    pl_world_destroy(world);
    return count;
}

static void bodies_show_their_mesh(void **state)
{
    (void)state;
    const char heat[] = ", \"heat\": {\"of\": \"b\", \"melting\": 60}", warm[] = ", \"heat\": {\"of\": \"b\"}";
    assert_int_equal(visuals_of("\"kind\": \"rigid\", \"form\": \"box\"", ""), 1);
    assert_int_equal(visuals_of("\"kind\": \"jelly\", \"form\": \"sphere\"", ""), 1);
    assert_int_equal(
        visuals_of("\"kind\": \"rigid\", \"form\": \"box\", \"copies\": [3, 1, 1], \"step\": [2, 2, 2]", ""), 3);
    assert_int_equal(visuals_of("\"kind\": \"rigid\", \"form\": \"box\", \"visual\": false", ""), 0);
    // Triangles of half a metre cannot follow a lattice of 0.1 m; a rigid body does not bend.
    assert_int_equal(visuals_of("\"kind\": \"lattice\", \"form\": \"box\", \"edge\": 0.5", ""), 0);
    assert_int_equal(visuals_of("\"kind\": \"lattice\", \"form\": \"box\", \"edge\": 0.1", ""), 1);
    assert_int_equal(visuals_of("\"kind\": \"rigid\", \"form\": \"box\", \"edge\": 0.5", ""), 1);
    // What melts flows apart, and what is only warm does not; a soft body has a surface of its own.
    assert_int_equal(visuals_of("\"kind\": \"rigid\", \"form\": \"box\"", heat), 0);
    assert_int_equal(visuals_of("\"kind\": \"rigid\", \"form\": \"box\", \"visual\": true", heat), 1);
    assert_int_equal(visuals_of("\"kind\": \"rigid\", \"form\": \"box\"", warm), 1);
    assert_int_equal(visuals_of("\"kind\": \"soft\", \"form\": \"box\"", ""), 0);
}

static void simulations_keep_their_bits(void **state)
{
    (void)state;
    uint64_t hash[2];
    for (int i = 0; i < 2; i++)
    {
        pl_world *world = world_with(i ? "\"kind\": \"jelly\", \"form\": \"sphere\", \"visual\": false"
                                       : "\"kind\": \"jelly\", \"form\": \"sphere\"",
                                     ", \"shape\": {\"kind\": \"plane\"}", 60);
        hash[i] = pl_world_hash(world);
        pl_world_destroy(world);
    }
    assert_true(hash[0] == hash[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bodies_show_their_mesh),
                                       cmocka_unit_test(simulations_keep_their_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
