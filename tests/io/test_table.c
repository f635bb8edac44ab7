// test_table.c: the table of fields says what the API says, and the committed schema is what the table makes.
#include "io/files.h"
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

static void tables_fit_their_bit_masks(void **state)
{
    (void)state;
    const struct record *const records[] = {&scene_record,     &cloth_record, &rope_record,        &bar_record,
                                            &particles_record, &field_record, &constraints_record, &motion_record,
                                            &expect_record,    &place_record};
    for (size_t i = 0; i < sizeof records / sizeof *records; i++)
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_stand_in_the_order_of_the_enums),
                                       cmocka_unit_test(tables_fit_their_bit_masks),
                                       cmocka_unit_test(the_committed_schema_is_current)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
