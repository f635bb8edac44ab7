// test_select.c: selectors: what each form names, what is refused, and the same grammar wherever particles are named.
#include "own_folder.h"
#include <pliant/pliant.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Particles 0 to 11: a grid of 4 columns and 3 rows, 1 m wide and 0.5 m high; 12 to 16: a rope; 17 to 32: a tube of 4
// columns and 4 rings.
static const char text[] = "{\"cloth\": [{\"name\": \"c\", \"size\": [4, 3], \"width\": 0.75, \"height\": 0.5}],"
                           " \"rope\": {\"name\": \"r\", \"segments\": 4, \"from\": [0, 0, 1], \"to\": [0, -1, 1]},"
                           " \"animated\": {\"name\": \"t\", \"form\": {\"kind\": \"lathe\", \"cells\": [4, 3],"
                           " \"profile\": [[1, 2, 0], [1, 1, 0]]}}}";

static pl_scene *load(const char *scene_text)
{
    pl_scene *scene = NULL;
    char path[64];
    path_of("s.json", path, sizeof path);
    if (pl_scene_parse(scene_text, strlen(scene_text), path, NULL, 0, &scene) != PL_OK)
        fail_msg("%s", pl_error_message());
    return scene;
}

static void write_file(const char *name, const char *contents)
{
    char path[96];
    path_of(name, path, sizeof path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(contents, file);
    fclose(file);
}

static const struct
{
    const char *selector, *numbers;
} forms[] = {
    {"c", "0 1 2 3 4 5 6 7 8 9 10 11"},
    {"c[3]", "3"},
    {"c[-1]", "11"},
    {"c[2:5]", "2 3 4"},
    {"r[-2:]", "15 16"},
    {"c.top", "0 1 2 3"},
    {"c.bottom", "8 9 10 11"},
    {"c.left", "0 4 8"},
    {"c.right", "3 7 11"},
    {"c.bottom_right", "11"},
    {"c.corners", "0 3 8 11"},
    {"t.top", "17 18 19 20"},
    {"14", "14"},
    {"[14, \"c[0]\", \"c[0:2]\"]", "14 0 1"},
    {"{\"of\": \"c\"}", "0 1 2 3 4 5 6 7 8 9 10 11"},
    {"{\"of\": \"c\", \"edge\": \"left\"}", "0 4 8"},
    {"{\"of\": \"c\", \"edge\": \"top\", \"every\": 2}", "0 2 3"},
    {"{\"of\": \"c\", \"particles\": [[1, 1], [-1, -1], 2, \"[5:7]\", -3]}", "5 11 2 6 9"},
    {"{\"of\": \"c[4:8]\", \"every\": 3}", "4 7"},
    {"{\"of\": \"c\", \"box\": [[0.8, -1, -1], [0.2, -0.2, 1]]}", "5 6 7 9 10 11"},
    {"{\"of\": \"c\", \"sphere\": [0.25, 0, 0], \"radius\": 0.26}", "0 1 2 5"},
    {"{\"box\": [[-1, -2, 0.5], [1, -0.7, 1.5]]}", "15 16"},
    {"{\"of\": \"r\", \"file\": \"numbers.txt\"}", "12 15 13"},
    {"[{\"of\": \"c\", \"edge\": \"top\"}, \"r[0]\"]", "0 1 2 3 12"},
};

static void test_forms(void **state)
{
    (void)state;
    write_file("numbers.txt", "0, 3 # the fourth\n1;0\n");
    pl_scene *scene = load(text);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    {
        int32_t numbers[64];
        char found[256] = "";
        int count = 0;
        if (pl_scene_select(scene, NULL, forms[i].selector, numbers, 64, &count) != PL_OK)
            fail_msg("%s: %s", forms[i].selector, pl_error_message());
        for (int k = 0; k < count; k++)
            snprintf(found + strlen(found), sizeof found - strlen(found), "%s%d", k ? " " : "", numbers[k]);
        if (strcmp(found, forms[i].numbers) != 0)
            fail_msg("%s names %s; expected %s", forms[i].selector, found, forms[i].numbers);
    }
    pl_scene_free(scene);
}

static const struct
{
    const char *selector, *words;
} wrong[] = {
    {"x", "no object called \"x\""},
    {"c[12]", "no particle \"c[12]\"; \"c[0]\" to \"c[11]\" exist"},
    {"c[0:13]", "\"c[0:12]\" is all of them"},
    {"c.middle", "no part of a cloth; expected left"},
    {"r.top", "this object has none"},
    {"33", "no particle 33; 0 to 32 exist"},
    {"[]", "names no particle"},
    {"[[0, 0]]", "of which object?"},
    {"true", "no object called \"true\""},
    {"[true]", "true or false is no selector"},
    {"{}", "it has no \"of\""},
    {"{\"of\": 3}", "a number names no object"},
    {"{\"of\": \"c\", \"boks\": 1}", "selector:1:13: error: a selector of an unknown form; use"},
    {"{\"of\": \"c\", \"edge\": \"top\", \"box\": 1}", "\"edge\" and \"box\" in one selector"},
    {"{\"of\": \"c\", \"box\": [[0, 0, 0]]}", "not a box"},
    {"{\"of\": \"c\", \"box\": [[7, 0, 0], [8, 1, 1]]}", "chooses none of 12 particles"},
    {"{\"of\": \"c\", \"sphere\": [0, 0, 0]}", "needs a \"radius\" above 0"},
    {"{\"of\": \"c\", \"sphere\": [0, 0], \"radius\": 1}", "not a point"},
    {"{\"of\": \"c\", \"radius\": 1}", "unknown form"},
    {"{\"of\": \"c\", \"every\": 0}", "\"every\" counts particles"},
    {"{\"of\": \"c\", \"particles\": [[4, 0]]}", "no such column; 0 to 3"},
    {"{\"of\": \"c\", \"particles\": \"r[0]\"}", "is of another object"},
    {"{\"of\": \"c\", \"particles\": {\"of\": \"r\"}}", "\"r\" is of another object"},
    {"{\"of\": \"r\", \"particles\": \"c.top\"}", "\"c.top\" is of another object"},
    {"{\"of\": \"c[4:8]\", \"particles\": 1}", "\"c[4:8]\" is a part of an object"},
    {"{\"of\": \"c.top\", \"file\": \"numbers.txt\"}", "\"c.top\" is a part of an object"},
    {"{\"of\": \"c\", \"particles\": true}", "true or false is no selector"},
    {"{\"of\": \"c\", \"file\": \"missing.txt\"}", "cannot read it"},
    {"{\"of\": \"c\", \"file\": \"bad.txt\"}", "\"12\" in the file is no particle; 0 to 11 exist"},
    {"{\"of\": \"c\"", "selector:1:"},
};

static void test_wrong(void **state)
{
    (void)state;
    write_file("bad.txt", "0 12");
    pl_scene *scene = load(text);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    {
        int count = -7;
        pl_result result = pl_scene_select(scene, NULL, wrong[i].selector, NULL, 0, &count);
        if (result != PL_ERROR_FORMAT && result != PL_ERROR_FILE)
            fail_msg("%s is not refused", wrong[i].selector);
        if (!strstr(pl_error_message(), wrong[i].words))
            fail_msg("%s: %s; expected: %s", wrong[i].selector, pl_error_message(), wrong[i].words);
        assert_int_equal(count, -7);
    }
    pl_scene_free(scene);
}

// Pins are of their own cloth, so that regions ask for the places of its own particles only.
static void test_pins_of_others(void **state)
{
    (void)state;
    static const char scene_text[] =
        "{\"rope\": {\"name\": \"r\", \"segments\": 500000}, \"cloth\": {\"vertices\": [[0, 0, 0], [1, 0, 0], [0, 0, "
        "1]],"
        " \"triangles\": [[0, 1, 2]], \"pinned\": {\"of\": \"r\", \"box\": [[-9, -9, -9], [9, 9, 9]]}}}";
    pl_scene *scene = NULL;
    assert_int_equal(pl_scene_parse(scene_text, sizeof scene_text - 1, "pins", NULL, 0, &scene), PL_ERROR_FORMAT);
    assert_non_null(strstr(pl_error_message(), "\"r\" is of another object"));
}

// Boxes look at the world that is given.
static void test_world(void **state)
{
    (void)state;
    pl_scene *scene = load(text);
    pl_world *world = NULL;
    int32_t number = -1;
    int count = 0;
    assert_int_equal(pl_scene_world(scene, NULL, &world), PL_OK);
    assert_int_equal(pl_set(world, PL_ATTRIBUTE_POSITION, 6, 1, (float[]){9, 9, 9}), PL_OK);
    assert_int_equal(pl_scene_select(scene, world, "{\"box\": [[8, 8, 8], [10, 10, 10]]}", &number, 1, &count), PL_OK);
    assert_int_equal(count, 1);
    assert_int_equal(number, 6);
    static const char everywhere[] = "{\"sphere\": [0, 0, 0], \"radius\": 1000}";
    assert_int_equal(pl_remove(world, pl_object_of_particle(world, 12)), PL_OK); // the rope
    assert_int_equal(pl_scene_select(scene, world, everywhere, NULL, 0, &count), PL_OK);
    assert_int_equal(count, pl_particle_count(world));
    pl_world_destroy(world);
    pl_scene_free(scene);
}

// One grammar: the same selector pins, moves, attaches and is expected.
static void test_everywhere(void **state)
{
    (void)state;
    pl_scene *scene = load(
        "{\"frames\": 30, \"gravity\": [0, 0, 0],"
        " \"cloth\": {\"name\": \"c\", \"size\": [4, 3], \"pinned\": [{\"edge\": \"top\"}, \"[8:10]\"]},"
        " \"rope\": {\"name\": \"r\", \"segments\": 4, \"from\": [5, 0, 0], \"to\": [5, -1, 0]},"
        " \"shape\": {\"name\": \"s\", \"kind\": \"sphere\", \"radius\": 0.1, \"position\": [5, -1.2, 0],"
        "   \"keys\": [{\"time\": 0}, {\"time\": 0.5, \"position\": [6, -1.2, 0]}]},"
        " \"attach\": {\"what\": {\"of\": \"r\", \"box\": [[4, -2, -1], [6, -0.9, 1]]}, \"to\": \"s\"},"
        " \"script\": {\"particles\": {\"of\": \"c\", \"edge\": \"top\"}, \"velocity\": [0, 2, 0], \"stop\": 0.25},"
        " \"expect\": {\"at\": [{\"of\": {\"of\": \"c\", \"edge\": \"top\"}, \"every\": true, \"y\": [0.499, 0.501]},"
        "   {\"of\": {\"of\": \"r\", \"sphere\": [5, -1, 0], \"radius\": 0.01}, \"x\": [5.99, 6.01]}]}}");
    pl_world *world = NULL;
    float mass[12];
    char report[400];
    int failed = 1;
    assert_int_equal(pl_scene_world(scene, NULL, &world), PL_OK);
    assert_int_equal(pl_get(world, PL_ATTRIBUTE_MASS, 0, 12, mass), PL_OK);
    for (int i = 0; i < 12; i++)
        assert_int_equal(mass[i] == 0.0f, i < 4 || i == 8 || i == 9);
    for (int i = 0; i < 30; i++)
    {
        assert_int_equal(pl_scene_before_step(scene, world), PL_OK);
        assert_int_equal(pl_world_step(world, 1.0f / 60.0f), PL_OK);
    }
    assert_int_equal(pl_scene_expect(scene, world, report, sizeof report, NULL, &failed), PL_OK);
    if (failed)
        fail_msg("%s", report);
    pl_world_destroy(world);
    pl_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forms), cmocka_unit_test(test_wrong),
                                       cmocka_unit_test(test_pins_of_others), cmocka_unit_test(test_world),
                                       cmocka_unit_test(test_everywhere)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
