// Probes of fluids: still water has the pressure of its depth, moving water its velocity; nothing where there is none.
#include "support/support.h"

#include <stdio.h>

static pl_world *world_of(const char *text)
{
    pl_scene *scene = NULL;
    pl_world *world = NULL;
    pl_world_def def = pl_default_world_def();
    def.threads = 1;
    good(pl_scene_parse(text, strlen(text), "t", NULL, 0, &scene));
    good(pl_scene_world(scene, &def, &world));
    pl_scene_free(scene);
    return world;
}

// A tank of 8 x 10 x 8 spacings of 2 cm.
#define TANK                                                                                                           \
    "\"substeps\": 10, \"iterations\": 2, \"frames\": 60, \"fluid\": {\"size\": [0.16, 0.2, 0.16]}, \"shape\": ["      \
    "{\"kind\": \"plane\"}, {\"kind\": \"plane\", \"rotation\": [0, 0, -90]}, {\"kind\": \"plane\", \"rotation\": "    \
    "[90, 0, "                                                                                                         \
    "0]}, {\"kind\": \"plane\", \"position\": [0.16, 0, 0], \"rotation\": [0, 0, 90]}, {\"kind\": \"plane\", "         \
    "\"position\": "                                                                                                   \
    "[0, 0, 0.16], \"rotation\": [-90, 0, 0]}]"

static void pressure_follows_the_depth(void **state)
{
    (void)state;
    pl_world *w = world_of("{" TANK "}");
    pl_fluid_probe low, high;
    play(w, 120);
    good(pl_probe_fluid(w, (pl_vec3){0.08f, 0.05f, 0.08f}, &low));
    good(pl_probe_fluid(w, (pl_vec3){0.08f, 0.15f, 0.08f}, &high));
    printf("pressure %.0f Pa at 0.05 m, %.0f Pa at 0.15 m, density %.1f kg/m^3\n", (double)low.pressure,
           (double)high.pressure, (double)low.density);
    near_to("difference", (double)(low.pressure - high.pressure), 981.0, 60.0);
    near_to("density", (double)low.density, 1000.0, 10.0);
    assert_true(low.particles > 20 && low.particles < 45);
    pl_world_destroy(w);
}

static void velocity_is_that_of_the_fluid(void **state)
{
    (void)state;
    pl_world *w = world_of("{\"fluid\": {\"velocity\": [1, 2, 3]}}");
    pl_fluid_probe p;
    good(pl_probe_fluid(w, (pl_vec3){0.1f, 0.1f, 0.1f}, &p));
    assert_true(p.velocity.x == 1.0f && p.velocity.y == 2.0f && p.velocity.z == 3.0f && p.particles > 20);
    good(pl_probe_fluid(w, (pl_vec3){0.1f, 0.3f, 0.1f}, &p));
    assert_true(p.particles == 0 && p.velocity.x == 0.0f && p.pressure == 0.0f);
    refused(pl_probe_fluid(w, (pl_vec3){NAN, 0.3f, 0.1f}, &p), PL_ERROR_ARGUMENT, "must be finite");
    refused(pl_probe_fluid(w, (pl_vec3){0.0f, 0.0f, 0.0f}, NULL), PL_ERROR_ARGUMENT, "probe is NULL");
    refused(pl_probe_fluid(NULL, (pl_vec3){0.0f, 0.0f, 0.0f}, &p), PL_ERROR_ARGUMENT, "world is NULL");
    pl_world_destroy(w);
}

// Two conditions hold, one does not, one finds no fluid.
static void scenes_expect_probes(void **state)
{
    (void)state;
    static const char text[] = "{" TANK ", \"expect\": {\"probe\": [{\"at\": [0.08, 0.05, 0.08], \"pressure\": [1000, "
                               "2000], \"speed\": [0, 0.1]}, {\"at\": [0.08, 0.05, 0.08], \"density\": [2000, 3000]}, "
                               "{\"at\": [9, 9, 9], \"pressure\": [0, 1]}]}}";
    pl_scene *scene = NULL;
    pl_world *w = world_of(text);
    int checked = 0, failed = 0;
    char report[1024];
    play(w, 60);
    good(pl_scene_parse(text, strlen(text), "t", NULL, 0, &scene));
    good(pl_scene_expect(scene, w, report, sizeof report, &checked, &failed));
    assert_int_equal(failed, 2);
    assert_non_null(strstr(report, "probe at [0.08, 0.05, 0.08]: density"));
    assert_non_null(strstr(report, "probe at [9, 9, 9]: pressure was not measured"));
    pl_scene_free(scene);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pressure_follows_the_depth),
                                       cmocka_unit_test(velocity_is_that_of_the_fluid),
                                       cmocka_unit_test(scenes_expect_probes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
