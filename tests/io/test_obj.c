// test_obj.c: OBJ files: polygons, negative numbers, and what is refused where.
#include "io/obj.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static pl_result parse(struct store *store, const char *text, struct obj_mesh *mesh)
{
    return obj_parse(store, text, strlen(text), "m.obj", mesh);
}

static void reads_faces_of_every_form(void **state)
{
    (void)state;
    struct store store = {0};
    struct obj_mesh mesh;
    static const char text[] = "# a comment\r\no thing\nv 0 0 0\nv 1 0 0 1.0\nv +1 1. 0\nv 0 .5e1 -0\nvn 0 0 1\n"
                               "f 1/1 2/2/2 3//1 4 # a quad\nf -4 -3 -2\n\ns off";
    static const int32_t expected[] = {0, 1, 2, 0, 2, 3, 0, 1, 2};
    assert_int_equal(parse(&store, text, &mesh), PL_OK);
    assert_int_equal(mesh.vertex_count, 4);
    assert_int_equal(mesh.triangle_count, 3);
    assert_memory_equal(mesh.triangles, expected, sizeof expected);
    assert_true(mesh.vertices[10] == 5.0f);
    store_free(&store);
}

static void refuses_and_says_where(void **state)
{
    (void)state;
    static const struct
    {
        const char *text, *words;
    } wrong[] = {
        {"", "no faces"},
        {"v 0 0 0\n", "no faces"},
        {"v 0 0\n", "m.obj:1:6: error: a vertex with too few"},
        {"v 0 x 0\n", "m.obj:1:5: error: not a number"},
        {"v 0 nan 0\n", "not a number"},
        {"v 0 1e39 0\n", "not a number that fits"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "m.obj:4:7: error: no vertex 4; the file has 3"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", "a bad corner"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n", "no vertex -4"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 1.5\n", "a bad corner"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", "fewer than three"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 2\n", "a corner twice"},
        {"{\"frames\": 3}", "no faces"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    {
        struct store store = {0};
        struct obj_mesh mesh;
        assert_int_equal(parse(&store, wrong[i].text, &mesh), PL_ERROR_FORMAT);
        if (!strstr(pl_error_message(), wrong[i].words))
        {
            fail_msg("%s gave %s", wrong[i].text, pl_error_message());
        }
        store_free(&store);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_faces_of_every_form),
                                       cmocka_unit_test(refuses_and_says_where)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
