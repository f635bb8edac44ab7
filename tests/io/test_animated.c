// test_animated.c: scripted motion that rotates and scales, and animated meshes: where they are, how fast, and that
// friction drags along what lies on them, by the formula of sliding friction.
#include "own_folder.h"
#include <pliant/pliant.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static pl_result parse(const char *text, pl_scene **scene)
{
    char path[96];
    path_of("s.json", path, sizeof path);
    return pl_scene_parse(text, strlen(text), path, NULL, 0, scene);
}

static pl_world *make(const char *text, pl_scene **scene, int threads, int lanes)
{
    pl_world *world = NULL;
    pl_world_def def = pl_default_world_def();
    def.threads = threads, def.lanes = lanes;
    if (parse(text, scene) != PL_OK || pl_scene_world(*scene, &def, &world) != PL_OK)
        fail_msg("%s", pl_error_message());
    return world;
}

static void run(const pl_scene *scene, pl_world *world, int frames)
{
    for (int i = 0; i < frames; i++)
        if (pl_scene_before_step(scene, world) != PL_OK || pl_world_step(world, pl_scene_describe(scene).dt) != PL_OK)
            fail_msg("%s", pl_error_message());
}

static void at(const pl_world *world, int particle, float x[3])
{
    assert_int_equal(pl_get(world, PL_ATTRIBUTE_POSITION, particle, 1, x), PL_OK);
}

static void near_to(const float x[3], double a, double b, double c, double within)
{
    if (!(fabs(x[0] - a) < within && fabs(x[1] - b) < within && fabs(x[2] - c) < within))
        fail_msg("(%.7f, %.7f, %.7f) is not (%g, %g, %g)", (double)x[0], (double)x[1], (double)x[2], a, b, c);
}

// ---- the script ----------------------------------------------------------------------------------------------------

#define BEAD "\"particles\": {\"name\": \"b\", \"position\": [2, 1, 0], \"mass\": 0}, "

// A rotation by keys about a moving centre, with a scale.
static void test_keys(void **state)
{
    pl_scene *scene;
    float x[3];
    pl_world *world = make("{" BEAD "\"script\": {\"particles\": \"b\", \"centre\": [1, 1, 0], \"keys\": ["
                           "{\"time\": 0}, {\"time\": 1, \"offset\": [0, 2, 0], \"rotation\": [0, 0, 90]},"
                           "{\"time\": 2, \"offset\": [0, 2, 0], \"rotation\": [0, 0, 450], \"scale\": 3}]}}",
                           &scene, 1, 0);
    (void)state;
    run(scene, world, 60);
    at(world, 0, x);
    near_to(x, 1, 4, 0, 2e-6); // centre (1, 3, 0), and one up
    run(scene, world, 60);
    at(world, 0, x);
    near_to(x, 1, 6, 0, 5e-6); // once around, and three up
    run(scene, world, 30);
    at(world, 0, x);
    near_to(x, 1, 6, 0, 5e-6);
    pl_world_destroy(world);
    pl_scene_free(scene);
}

// A constant rate: 2000 frames do not drift, and the radius stays.
static void test_rate(void **state)
{
    pl_scene *scene;
    float x[3];
    pl_world *world = make("{\"substeps\": 2, " BEAD "\"script\": {\"particles\": \"b\", \"velocity\": [0, 0, 0.5],"
                           "\"spin\": [0, 0, 3], \"start\": 0.1, \"stop\": 33.1}}",
                           &scene, 1, 0);
    (void)state;
    run(scene, world, 2000);
    at(world, 0, x);
    double angle = 3.0 * 33.0, c = cos(angle), s = sin(angle);
    near_to(x, 2 * c - s, 2 * s + c, 16.5, 5e-5);
    pl_world_destroy(world);
    pl_scene_free(scene);
}

// Pins move alike, and smooth keys are at the middle at half time.
static void test_pins(void **state)
{
    pl_scene *scene;
    float x[3];
    pl_world *world =
        make("{\"gravity\": [0, 0, 0], \"particles\": {\"name\": \"b\", \"position\": [2, 1, 0]},"
             "\"constraints\": {\"name\": \"hand\", \"kind\": \"pin\", \"particles\": \"b\"},"
             "\"script\": {\"pin\": \"hand\", \"smooth\": true, \"keys\": [{\"time\": 0}, {\"time\": 1, \"rotation\": "
             "[0, 0, 180]}]}}",
             &scene, 1, 0);
    (void)state;
    run(scene, world, 30);
    at(world, 0, x);
    near_to(x, -1, 2, 0, 1e-5);
    run(scene, world, 30);
    at(world, 0, x);
    near_to(x, -2, -1, 0, 1e-5);
    pl_world_destroy(world);
    pl_scene_free(scene);
}

// ---- sequences of meshes -------------------------------------------------------------------------------------------

// A flat sheet of 4 x 1 m with four triangles, shifted by x and raised by y.
static void write_sheet(const char *name, double x, double y, int extra)
{
    char path[96];
    path_of(name, path, sizeof path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 3; i++)
        fprintf(file, "v %.9g %.9g -0.5\nv %.9g %.9g 0.5\n", -2 + 2 * i + x, y, -2 + 2 * i + x, y);
    for (int i = 0; i < extra; i++)
        fprintf(file, "v 0 0 0\n");
    fprintf(file, "f 1 2 4 3\nf 3 4 6 5\n");
    fclose(file);
}

static void put_int(FILE *file, int32_t value) { fwrite(&value, 4, 1, file); }

static void write_cache(const char *name, int points, int samples, bool whole)
{
    char path[96];
    float one = 1.0f;
    path_of(name, path, sizeof path);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite("POINTCACHE2", 1, 12, file);
    put_int(file, 1), put_int(file, points);
    fwrite(&one, 4, 1, file), fwrite(&one, 4, 1, file);
    put_int(file, samples);
    for (int s = 0; s < samples - !whole; s++)
        for (int i = 0; i < points; i++)
        {
            float x[3] = {(float)(i / 2) * 2 - 2, (float)(i % 2) - 0.5f, (float)s}; // z is up
            fwrite(x, 4, 3, file);
        }
    fclose(file);
}

// Between two meshes the vertices move on straight lines; a loop leads back to the first.
static void test_obj_frames(void **state)
{
    pl_scene *scene;
    float x[3], v[3];
    (void)state;
    for (int i = 0; i < 4; i++)
    {
        char name[32];
        snprintf(name, sizeof name, "sheet_%02d.obj", i + 1);
        write_sheet(name, i, 0, 0);
    }
    pl_world *world = make("{\"animated\": {\"frames\": \"sheet_%02d.obj\", \"rate\": 10, \"start\": 0.5, \"scale\": 2,"
                           "\"origin\": [0, 1, 0], \"thickness\": 0.02}}",
                           &scene, 1, 0);
    run(scene, world, 30);
    at(world, 0, x);
    near_to(x, -4, 1, -1, 1e-6);
    run(scene, world, 9); // 0.65 s: 1.5 meshes further
    at(world, 0, x);
    near_to(x, -1, 1, -1, 1e-5);
    assert_int_equal(pl_get(world, PL_ATTRIBUTE_VELOCITY, 0, 1, v), PL_OK);
    near_to(v, 20, 0, 0, 1e-3);
    run(scene, world, 60);
    at(world, 5, x);
    near_to(x, 10, 1, 1, 1e-5);
    pl_world_destroy(world);
    pl_scene_free(scene);
    world = make("{\"animated\": {\"frames\": \"sheet_%02d.obj\", \"rate\": 10, \"loop\": true}}", &scene, 1, 0);
    run(scene, world, 21); // 0.35 s: half of the way back
    at(world, 0, x);
    near_to(x, -0.5, 0, -0.5, 1e-5);
    run(scene, world, 24 * 3 + 6); // 1.65 s: half a mesh after four loops
    at(world, 0, x);
    near_to(x, -1.5, 0, -0.5, 1e-5);
    pl_world_destroy(world);
    pl_scene_free(scene);
}

static void test_cache(void **state)
{
    pl_scene *scene;
    float x[3];
    (void)state;
    write_sheet("sheet.obj", 0, 0, 0);
    write_cache("rise.pc2", 6, 3, true);
    pl_world *world =
        make("{\"animated\": {\"frames\": \"rise.pc2\", \"mesh\": \"sheet.obj\", \"rate\": 4, \"up\": \"z\"}}", &scene,
             1, 0);
    at(world, 0, x);
    near_to(x, -2, 0, 0.5, 1e-6);
    run(scene, world, 15);
    at(world, 0, x);
    near_to(x, -2, 1, 0.5, 1e-5);
    run(scene, world, 60);
    at(world, 0, x);
    near_to(x, -2, 2, 0.5, 1e-5);
    pl_world_destroy(world);
    pl_scene_free(scene);
}

// A cloth on a sheet that moves at 1 m/s slides until friction has brought it to that speed: x = 1/2 mu g t^2 until
// t = v / (mu g), then at the speed of the sheet.
#define BELT                                                                                                           \
    "{\"substeps\": 20, \"animated\": {\"frames\": \"belt_%d.obj\", \"rate\": 1, \"thickness\": 0.02,"                 \
    "  \"material\": {\"static_friction\": 0.2, \"kinetic_friction\": 0.2}},"                                          \
    " \"cloth\": {\"name\": \"c\", \"size\": [7, 7], \"u\": [0.3, 0, 0], \"v\": [0, 0, 0.3], \"origin\": [-0.6, "      \
    "0.02, "                                                                                                           \
    "-0.15], \"thickness\": 0.02, \"drag\": 0, \"material\": {\"static_friction\": 0.2, \"kinetic_friction\": 0.2}}}"

static double mean_x(const pl_world *world, pl_attribute what)
{
    float x[3 * 49];
    double sum = 0.0;
    assert_int_equal(pl_get(world, what, 6, 49, x), PL_OK);
    for (int i = 0; i < 49; i++)
        sum += (double)x[3 * i];
    return sum / 49.0;
}

static void test_friction(void **state)
{
    pl_scene *scene;
    (void)state;
    for (int i = 0; i < 3; i++)
    {
        char name[32];
        snprintf(name, sizeof name, "belt_%d.obj", i);
        write_sheet(name, i, 0, 0);
    }
    pl_world *world = make(BELT, &scene, 1, 0);
    double start = mean_x(world, PL_ATTRIBUTE_POSITION), slide = 0.2 * 9.81, until = 1.0 / slide;
    run(scene, world, 18);
    double moved = mean_x(world, PL_ATTRIBUTE_POSITION) - start, wanted = 0.5 * slide * 0.3 * 0.3;
    if (!(fabs(moved - wanted) < 0.03 * wanted))
        fail_msg("it has slid by %.5f m; %.5f expected", moved, wanted);
    run(scene, world, 42);
    moved = mean_x(world, PL_ATTRIBUTE_POSITION) - start, wanted = 0.5 / slide + (1.0 - until);
    if (!(fabs(moved - wanted) < 0.02 * wanted))
        fail_msg("it has moved by %.5f m; %.5f expected", moved, wanted);
    double speed = mean_x(world, PL_ATTRIBUTE_VELOCITY);
    if (!(fabs(speed - 1.0) < 0.01))
        fail_msg("it moves at %.5f m/s; 1 expected", speed);
    pl_world_destroy(world);
    pl_scene_free(scene);
}

// The same bits on all lanes and threads, and after a snapshot.
static void test_bits(void **state)
{
    pl_scene *scene[2];
    float x[2][3 * 55];
    const int *lanes = pl_lane_widths();
    const pl_world_def def = pl_default_world_def();
    (void)state;
    pl_world *one = make(BELT, &scene[0], 1, 1);
    run(scene[0], one, 40);
    assert_int_equal(pl_get(one, PL_ATTRIBUTE_POSITION, 0, 55, x[0]), PL_OK);
    for (int i = 0; lanes[i]; i++)
    {
        pl_world *other = make(BELT, &scene[1], 3, lanes[i]), *loaded = NULL;
        void *data;
        size_t size;
        run(scene[1], other, 20);
        assert_int_equal(pl_world_save_memory(other, &data, &size), PL_OK);
        assert_int_equal(pl_world_load_memory(&def, data, size, &loaded), PL_OK);
        run(scene[1], loaded, 20);
        assert_int_equal(pl_get(loaded, PL_ATTRIBUTE_POSITION, 0, 55, x[1]), PL_OK);
        assert_memory_equal(x[0], x[1], sizeof x[0]);
        pl_free(data);
        pl_world_destroy(loaded);
        pl_world_destroy(other);
        pl_scene_free(scene[1]);
    }
    pl_world_destroy(one);
    pl_scene_free(scene[0]);
}

// ---- what is refused -----------------------------------------------------------------------------------------------

static const struct
{
    const char *text, *words;
} wrong[] = {
    {"{\"animated\": {}}", "needs \"frames\", \"mesh\" or \"form\""},
    {"{\"animated\": {\"frames\": \"walk.fbx\"}}", "is no sequence of meshes; use numbered files"},
    {"{\"animated\": {\"frames\": \"walk_%s.obj\"}}", "is no sequence of meshes"},
    {"{\"animated\": {\"frames\": \"walk_%d.obj\"}}", "there are no files \"walk_%d.obj\""},
    {"{\"animated\": {\"frames\": \"rise.pc2\"}}", "a cache has no faces; give the \"mesh\""},
    {"{\"animated\": {\"frames\": \"none.pc2\", \"mesh\": \"sheet.obj\"}}", "cannot read it"},
    {"{\"animated\": {\"frames\": \"sheet.pc2\", \"mesh\": \"sheet.obj\"}}", "no PC2 cache of version 1"},
    {"{\"animated\": {\"frames\": \"short.pc2\", \"mesh\": \"sheet.obj\"}}", "ends before its last sample"},
    {"{\"animated\": {\"frames\": \"other.pc2\", \"mesh\": \"sheet.obj\"}}", "the cache has 5 points, the mesh 6"},
    {"{\"animated\": {\"frames\": \"odd_%d.obj\"}}", "\"odd_1.obj\" has 7 vertices and 4 triangles, the first mesh 6"},
    {"{\"animated\": {\"frames\": \"belt_%d.obj\", \"mesh\": \"sheet.obj\"}}", "the files have the faces"},
    {"{\"animated\": {\"mesh\": \"sheet.obj\", \"form\": {\"kind\": \"ball\"}}}", "expected one of them"},
    {"{\"animated\": {\"form\": {\"kind\": \"lathe\", \"profile\": [[1, 0, 0]]}}}", "at least 2 are needed"},
    {"{\"animated\": {\"form\": {\"kind\": \"lathe\", \"profile\": [[1, 0, 0], [0, 1, 0], [1, 2, 0]]}}}",
     "point 1 of the profile has the half width 0"},
    {"{" BEAD "\"script\": {\"particles\": \"b\"}}", "a motion without keys; give \"keys\", or a rate"},
    {"{" BEAD "\"script\": {\"particles\": \"b\", \"spin\": [0, 1, 0], \"keys\": [{\"time\": 0}]}}", "keys and a rate"},
    {"{" BEAD "\"script\": {\"particles\": \"b\", \"stop\": 1, \"keys\": [{\"time\": 0}]}}", "keys have times"},
    {"{" BEAD "\"script\": {\"particles\": \"b\", \"spin\": [0, 1, 0], \"start\": 2, \"stop\": 1}}",
     "\"stop\" must be later"},
    {"{" BEAD "\"script\": {\"particles\": \"b\", \"keys\": [{\"time\": 0, \"scale\": 0}]}}", "\"scale\" is 0"},
};

static void test_wrong(void **state)
{
    (void)state;
    write_sheet("sheet.pc2", 0, 0, 0);
    write_sheet("odd_0.obj", 0, 0, 0);
    write_sheet("odd_1.obj", 0, 0, 1);
    write_cache("short.pc2", 6, 3, false);
    write_cache("other.pc2", 5, 3, true);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    {
        pl_scene *scene = NULL;
        if (parse(wrong[i].text, &scene) == PL_OK)
            fail_msg("%s is not refused", wrong[i].text);
        if (!strstr(pl_error_message(), wrong[i].words))
            fail_msg("%s: %s; expected: %s", wrong[i].text, pl_error_message(), wrong[i].words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_keys),  cmocka_unit_test(test_rate),
                                       cmocka_unit_test(test_pins),  cmocka_unit_test(test_obj_frames),
                                       cmocka_unit_test(test_cache), cmocka_unit_test(test_friction),
                                       cmocka_unit_test(test_bits),  cmocka_unit_test(test_wrong)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
