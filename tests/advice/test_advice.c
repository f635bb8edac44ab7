// test_advice.c: each warning has a scene that brings it about, and one like it that does not.
#include "advice/slow_frame.h"
#include "support/support.h"

#include <pliant/pliant.h>

#include <stdlib.h>
#include <string.h>

static char text[8192];

// The advice about a scene after so many frames.
static const char *advice(const char *json, unsigned about, int frames)
{
    pl_scene *scene;
    pl_world *world;
    pl_world_def def = pl_default_world_def();
    def.threads = 1;
    good(pl_scene_parse(json, strlen(json), "test.json", NULL, 0, &scene));
    good(pl_scene_world(scene, &def, &world));
    for (int i = 0; i < frames; i++)
    {
        assert_int_equal(pl_scene_before_step(scene, world), PL_OK);
        assert_int_equal(pl_world_step(world, pl_scene_describe(scene).dt), PL_OK);
    }
    uint64_t hash = pl_world_hash(world);
    int lines = 0, count = pl_scene_advice(scene, world, about, 0, text, sizeof text);
    for (const char *c = text; *c; c++)
    {
        lines += *c == '\n';
    }
    assert_int_equal(lines, count);
    assert_int_equal(pl_scene_advice(scene, world, about, 0, NULL, 0), count);
    assert_true(pl_world_hash(world) == hash); // it only looks
    pl_world_destroy(world);
    pl_scene_free(scene);
    return text;
}

static void says(const char *json, unsigned about, int frames, const char *words)
{
    if (!strstr(advice(json, about, frames), words))
    {
        fail_msg("no \"%s\" in \"%s\" of %s", words, text, json);
    }
}

static void is_silent(const char *json, unsigned about, int frames)
{
    if (advice(json, about, frames)[0])
    {
        fail_msg("\"%s\" of %s", text, json);
    }
}

static void thick_cloth(void **state)
{
    (void)state;
    says("{\"cloth\": {\"name\": \"scarf\", \"size\": [11, 11], \"width\": 0.12, \"height\": 0.12, \"thickness\": "
         "0.008}}",
         PL_ADVICE_SCENE, 0, "cloth[0] \"scarf\" is 8 mm thick, more than half of the 12 mm between its particles");
    is_silent("{\"cloth\": {\"size\": [11, 11], \"width\": 0.12, \"height\": 0.12, \"thickness\": 0.006}}",
              PL_ADVICE_SCENE, 0);
}

static void something_sinks_in(void **state)
{
    (void)state;
    const char *net = "{\"cloth\": {\"size\": [5, 5], \"u\": [1, 0, 0], \"v\": [0, 0, 1], \"radius\": 0.05},"
                      " \"grains\": {\"size\": [2, 2, 2], \"origin\": [0, 1, 0], \"radius\": %s}}";
    char json[512];
    snprintf(json, sizeof json, net, "0.1"); // holes of 0.25/sqrt(2) - 0.05 = 0.127
    says(json, PL_ADVICE_SCENE, 0,
         "grains[0], with a radius of 0.1 m, sinks in between them; use particles that are 0.21 m apart, or");
    snprintf(json, sizeof json, net, "0.13");
    is_silent(json, PL_ADVICE_SCENE, 0);
    says("{\"body\": {\"kind\": \"jelly\", \"match\": {\"mode\": \"linear\"}, \"form\": \"box\", \"size\": [1, 1, 1],"
         " \"spacing\": 0.25, \"position\": [0, 2, 0]}, \"shape\": {\"name\": \"rod\", \"kind\": \"capsule\", "
         "\"radius\": 0.02}}",
         PL_ADVICE_SCENE, 0, "shape[0] \"rod\", with a radius of 0.02 m, sinks in between them");
    is_silent(
        "{\"body\": {\"kind\": \"jelly\", \"match\": {\"mode\": \"linear\"}, \"form\": \"box\", \"size\": [1, 1, 1],"
        " \"spacing\": 0.25, \"position\": [0, 2, 0]}, \"shape\": {\"kind\": \"capsule\", \"radius\": 0.1}}",
        PL_ADVICE_SCENE, 0);
    says("{\"cloth\": {\"size\": [5, 5], \"u\": [1, 0, 0], \"v\": [0, 0, 1], \"radius\": 0.05}, \"rigid\": {\"name\": "
         "\"ball\","
         " \"position\": [0.5, 0.5, 0.5], \"shapes\": {\"kind\": \"sphere\", \"radius\": 0.1}}}",
         PL_ADVICE_SCENE, 0, "rigid[0] \"ball\", with a radius of 0.1 m, sinks in");
    is_silent("{\"cloth\": {\"size\": [5, 5], \"u\": [1, 0, 0], \"v\": [0, 0, 1], \"thickness\": 0.1}, \"rigid\": {"
              " \"position\": [0.5, 0.5, 0.5], \"shapes\": {\"kind\": \"sphere\", \"radius\": 0.1}}}",
              PL_ADVICE_SCENE, 0); // its triangles collide
}

static void overlaps(void **state)
{
    (void)state;
    says("{\"particles\": {\"name\": \"pair\", \"position\": [[0, 0, 0], [0.15, 0, 0]], \"radius\": 0.1, \"mass\": 1}}",
         PL_ADVICE_SCENE, 0, "pair[0] overlaps pair[1] by 0.05 m at the start");
    is_silent(
        "{\"stabilise\": 4, \"particles\": {\"position\": [[0, 0, 0], [0.15, 0, 0]], \"radius\": 0.1, \"mass\": 1}}",
        PL_ADVICE_SCENE, 0);
    is_silent("{\"particles\": {\"position\": [[0, 0, 0], [0.2, 0, 0]], \"radius\": 0.1, \"mass\": 1}}",
              PL_ADVICE_SCENE, 0);
    says("{\"particles\": {\"position\": [0, 0.02, 0], \"radius\": 0.1, \"mass\": 1}, \"shape\": {\"kind\": \"plane\", "
         "\"name\": "
         "\"ground\"}}",
         PL_ADVICE_SCENE, 0, "overlaps shape[0] \"ground\" by 0.08 m at the start");
    const char *boxes = "{\"shape\": {\"kind\": \"plane\"}, \"rigid\": [{\"name\": \"low\", \"position\": [0, 0.5, 0], "
                        "\"shapes\": {\"kind\": \"box\"}},"
                        " {\"name\": \"high\", \"position\": [0, %s, 0], \"shapes\": {\"kind\": \"box\"}}]}";
    char json[512];
    snprintf(json, sizeof json, boxes, "1.4");
    says(json, PL_ADVICE_SCENE, 0, "1 contacts of rigid bodies overlap at the start, low and high by 0.1 m");
    snprintf(json, sizeof json, boxes, "1.5"); // they touch
    is_silent(json, PL_ADVICE_SCENE, 0);
    says("{\"cloth\": [{\"size\": [5, 5], \"u\": [1, 0, 0], \"v\": [0, 0, 1], \"thickness\": 0.01},"
         " {\"size\": [5, 5], \"origin\": [0.52, 0.5, 0.52], \"u\": [0, -1, 0], \"v\": [0.1, 0, 1], \"thickness\": "
         "0.01}]}",
         PL_ADVICE_SCENE, 0, "edges of surfaces pass through triangles at the start");
}

static void runaway_strain(void **state)
{
    (void)state;
    const char *rope =
        "{\"rope\": {\"name\": \"band\", \"segments\": 4, \"from\": [0, 0, 0], \"to\": [0.4, 0, 0], \"mass\": 1,"
        " \"stretch\": {\"compliance\": %s}, \"pin_first\": true}}";
    char json[512];
    snprintf(json, sizeof json, rope, "0.1"); // a weight of 9 N on 0.1 m/N stretches 0.1 m by 0.9 m
    says(json, PL_ADVICE_STATE, 40, "in rope[0] \"band\" by ");
    snprintf(json, sizeof json, rope, "0.0001");
    is_silent(json, PL_ADVICE_STATE, 40);
    const char *bar =
        "{\"substeps\": 40, \"bar\": {\"cells\": [6, 1, 1], \"origin\": [0, 0, 0], \"size\": [0.6, 0.1, 0.1],"
        " \"mass\": 6, \"model\": \"corotated\", \"elastic\": {\"young\": %s}, \"pin_start\": true}}";
    snprintf(json, sizeof json, bar, "300"); // its own weight of 59 N on 0.01 m^2 is 5,900 Pa
    says(json, PL_ADVICE_STATE, 30, "constraints are stretched to more than twice their length, in bar[0]");
    snprintf(json, sizeof json, bar, "100000");
    if (strstr(advice(json, PL_ADVICE_STATE, 30), "twice"))
    {
        fail_msg("%s", text);
    }
}

static void poor_convergence(void **state)
{
    (void)state;
    const char *cloth =
        "{\"substeps\": %s, \"cloth\": {\"size\": [20, 20], \"width\": 1, \"height\": 1, \"mass\": 0.3, \"pinned\": "
        "\"top\","
        " \"stretch\": {\"compliance\": 0.002}, \"shear\": {\"compliance\": 0.004}, \"bending\": \"none\"}}";
    char json[512];
    snprintf(json, sizeof json, cloth, "4");
    says(json, PL_ADVICE_START, 0, "forces will be off by");
    says(json, PL_ADVICE_STATE, 10, "forces are off by");
    snprintf(json, sizeof json, cloth, "60");
    is_silent(json, PL_ADVICE_START | PL_ADVICE_STATE, 10);
}

static void a_slow_frame(void **state)
{
    (void)state;
    struct slow_frame s = {0};
    char out[512];
    assert_false(slow_frame_tell(&s, 1.0, 0.01f, out, sizeof out)); // none was seen
    pl_timing usual = {.total = 2.0, .stage = {[PL_STAGE_ELEMENTS] = 2.0}};
    pl_timing slow = {.total = 30.0, .stage = {[PL_STAGE_PREPARE] = 27.0, [PL_STAGE_ELEMENTS] = 3.0}};
    slow_frame_note(&s, 2, &usual);
    slow_frame_note(&s, 3, &slow);
    slow_frame_note(&s, 4, &usual);
    assert_true(slow_frame_tell(&s, 2.0, 0.01f, out, sizeof out));
    assert_non_null(
        strstr(out, "frame 3 took 30 ms, 15 times the median, most of it for prepare: constraints were ordered"));
    assert_false(slow_frame_tell(&s, 3.1, 0.01f, out, sizeof out)); // not ten times the median
    assert_false(slow_frame_tell(&s, 2.0, 0.05f, out, sizeof out)); // not longer than what it simulates
}

static void names_of_particles(void **state)
{
    (void)state;
    const char *json = "{\"rope\": {\"segments\": 3}, \"particles\": [{\"name\": \"bead\", \"position\": [0, 1, 0]},"
                       " {\"name\": \"two\", \"position\": [[0, 2, 0], [0, 3, 0]]}], \"shape\": {\"kind\": \"plane\"}}";
    pl_scene *scene;
    char name[64];
    assert_int_equal(pl_scene_parse(json, strlen(json), "test.json", NULL, 0, &scene), PL_OK);
    const struct
    {
        int particle;
        const char *name;
    } all[] = {{0, "rope[0][0]"}, {3, "rope[0][3]"}, {4, "bead"}, {6, "two[1]"}, {7, "7"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
        pl_scene_particle_name(scene, all[i].particle, name, sizeof name);
        assert_string_equal(name, all[i].name);
    }
    pl_scene_free(scene);
}

static void a_deep_fluid(void **state)
{
    (void)state;
    const char *tank =
        "{\"dt\": 0.016666667, \"substeps\": %d, \"iterations\": %d, \"gravity\": [0, %g, 0], \"fluid\": "
        "{\"name\": \"water\", \"size\": [0.1, 0.24, 0.1], \"spacing\": 0.02, \"jitter\": 0}}";
    char json[512];
    snprintf(json, sizeof json, tank, 1, 4, -9.81);
    says(
        json, PL_ADVICE_SCENE, 0,
        "fluid[0] \"water\" is 12 particles deep: with 1 substep of 4 iterations it is compressed by about 13 %; use 4 "
        "substeps of 4 iterations");
    snprintf(json, sizeof json, tank, 1, 4, 0.0);
    is_silent(json, PL_ADVICE_SCENE, 0);
    snprintf(json, sizeof json, tank, 10, 2, -9.81);
    is_silent(json, PL_ADVICE_SCENE, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(thick_cloth),        cmocka_unit_test(something_sinks_in),
                                       cmocka_unit_test(overlaps),           cmocka_unit_test(runaway_strain),
                                       cmocka_unit_test(poor_convergence),   cmocka_unit_test(a_slow_frame),
                                       cmocka_unit_test(names_of_particles), cmocka_unit_test(a_deep_fluid)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
