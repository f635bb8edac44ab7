// test_table.c: the table of fields says what the API says, and the committed schema is what the table makes.
#include "core/files.h"
#include "io/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *word(const struct record *record, const char *field, int number)
{
    return field_choice(record_field(record, field), number);
}

static void words_stand_in_the_order_of_the_enums(void **state)
{
    (void)state;
    assert_string_equal(word(&scene_record, "solver", PL_SOLVER_XPBD), "xpbd");
    assert_string_equal(word(&scene_record, "solver", PL_SOLVER_PBD), "pbd");
    assert_string_equal(word(&scene_record, "integrator", PL_INTEGRATOR_BDF1), "bdf1");
    assert_string_equal(word(&scene_record, "integrator", PL_INTEGRATOR_BDF2), "bdf2");
    assert_string_equal(word(&cloth_record, "bending", PL_BENDING_NONE), "none");
    assert_string_equal(word(&cloth_record, "bending", PL_BENDING_LINKS), "links");
    assert_string_equal(word(&cloth_record, "bending", PL_BENDING_DIHEDRAL), "dihedral");
    assert_string_equal(word(&cloth_record, "bending", PL_BENDING_ISOMETRIC), "isometric");
    assert_string_equal(word(&cloth_record, "model", PL_CLOTH_LINKS), "links");
    assert_string_equal(word(&cloth_record, "model", PL_CLOTH_STVK), "stvk");
    assert_string_equal(word(&cloth_record, "model", PL_CLOTH_STRAIN), "strain");
    assert_string_equal(word(&bar_record, "model", PL_SOLID_LINKS), "links");
    assert_string_equal(word(&bar_record, "model", PL_SOLID_STVK), "stvk");
    assert_string_equal(word(&bar_record, "model", PL_SOLID_COROTATED), "corotated");
    assert_string_equal(word(&bar_record, "model", PL_SOLID_NEO_HOOKEAN), "neo_hookean");
    assert_string_equal(word(&bar_record, "model", PL_SOLID_STRAIN), "strain");
    assert_string_equal(word(&field_record, "kind", PL_FIELD_UNIFORM), "uniform");
    assert_string_equal(word(&field_record, "kind", PL_FIELD_POINT), "point");
    assert_string_equal(word(&field_record, "kind", PL_FIELD_DRAG), "drag");
    assert_string_equal(word(&field_record, "kind", PL_FIELD_ELECTRIC), "electric");
    for (int k = 0; k < PL_KIND_COUNT; k++)
    {
        assert_string_equal(word(&constraints_record, "kind", k), pl_kind_describe((pl_kind)k)->name);
    }
    assert_null(word(&constraints_record, "kind", PL_KIND_COUNT));
}

static const struct record *const records[] = {
#define OBJECT(key, NAME, about) &key##_record,
#include "io/objects.def"
#undef OBJECT
    &scene_record, &constraints_record, &motion_record, &expect_record, &place_record,
};
#define RECORDS (sizeof records / sizeof *records)

static void tables_fit_their_bit_masks(void **state)
{
    (void)state;
    for (size_t i = 0; i < RECORDS; i++)
    {
        int count = 0;
        while (records[i]->fields[count].name)
        {
            assert_non_null(records[i]->fields[count].about);
            count++;
        }
        assert_true(count > 0 && count < 64);
    }
}

static bool is_word(const struct field *choice, const char *text, size_t length)
{
    for (int n = 0; field_choice(choice, n); n++)
    {
        if (strlen(field_choice(choice, n)) == length && strncmp(field_choice(choice, n), text, length) == 0)
        {
            return true;
        }
    }
    return false;
}

static void uses_name_fields_choices_and_words_that_there_are(void **state)
{
    (void)state;
    int found = 0;
    for (size_t i = 0; i < RECORDS; i++)
    {
        for (const struct field_use *use = records[i]->uses; use && use->field; use++, found++)
        {
            const struct field *choice = record_field(records[i], use->choice);
            assert_non_null(record_field(records[i], use->field));
            assert_non_null(choice);
            for (const char *at = use->words; choice->type == FIELD_CHOICE && *at;
                 at += strcspn(at, " "), at += *at == ' ')
            {
                if (!is_word(choice, at, strcspn(at, " ")))
                {
                    fail_msg("%s of %s is for %s, which %s cannot be", use->field, records[i]->name, at, use->choice);
                }
            }
        }
    }
    assert_in_range(found, 30, 1000);
}

// The words that a field is for where it does nothing, or NULL.
static const char *idle(const char *text, const char *path)
{
    static pl_scene_field all[1000];
    pl_scene *scene;
    assert_int_equal(pl_scene_parse(text, strlen(text), "scene.json", NULL, 0, &scene), PL_OK);
    int count = pl_scene_fields(scene, all, 1000);
    assert_in_range(count, 1, 1000);
    pl_scene_free(scene);
    for (int i = 0; i < count; i++)
    {
        if (strcmp(all[i].path, path) == 0)
        {
            return all[i].only_for;
        }
    }
    fail_msg("no field %s", path);
    return NULL;
}

static void what_does_nothing_is_told(void **state)
{
    (void)state;
    assert_null(idle("{\"shape\": {\"kind\": \"box\"}}", "shape[0].half"));
    assert_string_equal(idle("{\"shape\": {\"kind\": \"plane\"}}", "shape[0].half"), "box");
    assert_null(idle("{\"field\": {\"kind\": \"drag\"}}", "field[0].strength"));
    assert_string_equal(idle("{\"field\": {\"kind\": \"uniform\"}}", "field[0].strength"), "point drag");
    assert_null(idle("{\"cloth\": {\"model\": \"stvk\"}}", "cloth[0].fabric.shear")); // in a record of its own
    assert_string_equal(idle("{\"cloth\": {}}", "cloth[0].fabric.shear"), "stvk strain");
    assert_string_equal(idle("{\"rope\": {\"name\": \"r\"}, \"heat\": {\"of\": \"r\"}}", "heat[0].molten.rolling"),
                        "heat with a \"melting\" point");
    assert_null(
        idle("{\"rope\": {\"name\": \"r\"}, \"heat\": {\"of\": \"r\", \"melting\": 1}}", "heat[0].molten.rolling"));
    assert_string_equal(idle("{\"rope\": {}}", "ambient"), "scenes with \"heat\"");
    for (int n = 0; pl_builtin_scene_name(n); n++)
    {
        static pl_scene_field all[1000];
        size_t length;
        pl_scene *scene;
        const char *name = pl_builtin_scene_name(n), *text = pl_builtin_scene(name, &length);
        assert_int_equal(pl_scene_parse(text, length, name, NULL, 0, &scene), PL_OK);
        int count = pl_scene_fields(scene, all, 1000);
        for (int i = 0; i < count && i < 1000; i++)
        {
            if (all[i].given && all[i].only_for)
            {
                fail_msg("%s sets %s, which is for %s", name, all[i].path, all[i].only_for);
            }
        }
        pl_scene_free(scene);
    }
}

static void the_committed_schema_is_current(void **state)
{
    (void)state;
    char *committed, *made = scene_schema();
    size_t length;
    assert_int_equal(file_read(PLIANT_SOURCE_DIR "/scenes/schema.json", 1 << 20, &committed, &length), PL_OK);
    assert_non_null(made);
    if (strcmp(made, committed) != 0)
    {
        fail_msg("scenes/schema.json is not what the table makes; run tests/scenes/regolden.sh");
    }
    free(committed);
    free(made);
}

// How often a definition of this name stands in the schema.
static int definitions_of(const char *schema, const char *name, size_t length)
{
    char want[80];
    int found = 0;
    snprintf(want, sizeof want, "\n    \"%.*s\": {\n", (int)length, name);
    for (const char *at = strstr(schema, want); at; at = strstr(at + 1, want))
    {
        found++;
    }
    return found;
}

static void every_reference_of_the_schema_has_its_definition(void **state)
{
    (void)state;
    static const char before[] = "\"#/definitions/";
    char *made = scene_schema();
    int references = 0;
    assert_non_null(made);
    for (const char *at = strstr(made, before); at; at = strstr(at, before))
    {
        at += sizeof before - 1;
        size_t length = strcspn(at, "\"");
        references++;
        if (definitions_of(made, at, length) != 1)
        {
            fail_msg("the schema refers to \"%.*s\", of which it has %d definitions", (int)length, at,
                     definitions_of(made, at, length));
        }
    }
    assert_in_range(references, 30, 1000);
    free(made);
}

// What several objects have has in each the object's own defaults: a rope's stretch is another than a balloon's.
static void records_have_the_defaults_of_their_object(void **state)
{
    (void)state;
    static const char *const wanted[] = {
        "\"default\": {\"mode\": \"rigid\", \"stiffness\": 1, \"beta\": 0, \"yield\": 0, ",
        "\"description\": \"balloon: softness along its edges\", \"default\": {\"compliance\": 0.0001, \"damping\": "
        "0, ",
        "\"description\": \"soft: material of the tetrahedra\", \"default\": {\"young\": 100000, \"poisson\": 0.4, ",
    };
    char *made = scene_schema();
    assert_non_null(made);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    {
        if (!strstr(made, wanted[i]))
        {
            fail_msg("the schema has no %s", wanted[i]);
        }
    }
    free(made);
}

// docs/scenes.md: "pinned": one item or a list of them.
static void the_schema_takes_one_pinned_particle(void **state)
{
    (void)state;
    char *made = scene_schema(), *pinned = made ? strstr(made, "\"pinned\": {") : NULL;
    assert_non_null(pinned);
    *strchr(pinned, '\n') = 0;
    assert_non_null(
        strstr(pinned, "{\"anyOf\": [{\"type\": [\"string\", \"integer\", \"object\"]}, {\"type\": \"array\""));
    free(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_stand_in_the_order_of_the_enums),
                                       cmocka_unit_test(tables_fit_their_bit_masks),
                                       cmocka_unit_test(uses_name_fields_choices_and_words_that_there_are),
                                       cmocka_unit_test(what_does_nothing_is_told),
                                       cmocka_unit_test(the_committed_schema_is_current),
                                       cmocka_unit_test(every_reference_of_the_schema_has_its_definition),
                                       cmocka_unit_test(records_have_the_defaults_of_their_object),
                                       cmocka_unit_test(the_schema_takes_one_pinned_particle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
