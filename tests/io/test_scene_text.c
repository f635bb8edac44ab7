// test_scene_text.c: a scene that is written and read again is the same scene, with the changes that were made to it; and its
// fields know the names of their objects.
// labels: io
#include "support/support.h"

#include <string.h>

static char *text_of(const pl_scene *scene)
{
    size_t length = pl_scene_text(scene, NULL, 0);
    char *text = malloc(length + 1);
    assert_non_null(text);
    assert_int_equal(pl_scene_text(scene, text, length + 1), length);
    assert_int_equal(strlen(text), length);
    return text;
}

// Every built-in scene comes back with the same fields, and written once more it is the same text.
static void scenes_come_back(void **state)
{
    (void)state;
    static pl_scene_field before[4000], after[4000];
    for (int i = 0; pl_builtin_scene_name(i); i++)
    {
        size_t length;
        pl_scene *scene, *again;
        const char *name = pl_builtin_scene_name(i), *source = pl_builtin_scene(name, &length);
        good(pl_scene_parse(source, length, name, NULL, 0, &scene));
        char *text = text_of(scene);
        good(pl_scene_parse(text, strlen(text), name, NULL, 0, &again));
        int count = pl_scene_fields(scene, before, 4000);
        assert_int_equal(pl_scene_fields(again, after, 4000), count);
        assert_true(count > 0 && count <= 4000);
        for (int k = 0; k < count; k++)
        {
            assert_string_equal(before[k].path, after[k].path);
            assert_memory_equal(before[k].value, after[k].value, sizeof before[k].value);
            assert_true(before[k].given == after[k].given);
        }
        char *twice = text_of(again);
        assert_string_equal(text, twice);
        free(text);
        free(twice);
        pl_scene_free(scene);
        pl_scene_free(again);
    }
}

static void changes_and_odd_strings_are_kept(void **state)
{
    (void)state;
    const char source[] =
        "{\"name\": \"a \\\"b\\\" \\\\ \\n c\", \"about\": \"\", \"cloth\": [{\"name\": \"sail\"}, {}],"
        " \"frames\": 7, \"dt\": 1.250e-2}";
    const char *const sets[] = {"cloth[0].mass=0.125", "iterations=9"};
    pl_scene *scene, *again;
    pl_scene_field fields[400];
    good(pl_scene_parse(source, sizeof source - 1, "x.json", sets, 2, &scene));
    char *text = text_of(scene), small[8];
    assert_non_null(strstr(text, "\"mass\": 0.125"));
    assert_non_null(strstr(text, "\"iterations\": 9"));
    assert_non_null(strstr(text, "1.250e-2")); // as it was written
    good(pl_scene_parse(text, strlen(text), "y.json", NULL, 0, &again));
    assert_string_equal(pl_scene_describe(again).name, "a \"b\" \\ \n c");
    assert_int_equal(pl_scene_text(scene, small, sizeof small), strlen(text)); // too small: it ends with a 0
    assert_int_equal(small[7], 0);
    int count = pl_scene_fields(scene, fields, 400), named = 0;
    for (int i = 0; i < count && i < 400; i++)
    {
        bool sail = strncmp(fields[i].path, "cloth[0].", 9) == 0;
        assert_true(sail ? fields[i].object && strcmp(fields[i].object, "sail") == 0 : !fields[i].object);
        named += sail;
    }
    assert_true(named > 10);
    assert_int_equal(pl_scene_text(NULL, NULL, 0), 0);
    free(text);
    pl_scene_free(scene);
    pl_scene_free(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(scenes_come_back),
                                       cmocka_unit_test(changes_and_odd_strings_are_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
