// test_export_lines.c: the strands of hair are lines in OBJ, VTP and PLY files, point by point.
#include "io/exports.h"

static const char *const text_of_scene = "{\"hair\": {\"points\": 3, \"length\": 2, \"roots\": [[0, 0, 0], [1, 0, "
                                         "0]]}, \"particles\": {\"position\": [0, 9, 0]}}";

// As many as the scene has: two strands of three points; point k of strand i is particle 2 k + i.
static const int32_t wanted[6] = {0, 2, 4, 1, 3, 5};

static void obj_has_lines(void **state)
{
    (void)state;
    char path[256];
    size_t length;
    pl_world *world = world_of(text_of_scene);
    export_now(world, in_folder("a.obj", path));
    char *text = slurp("a.obj", &length);
    assert_non_null(strstr(text, "o hair\nl 1 3 5\nl 2 4 6\n"));
    assert_null(strstr(text, "\np ")); // as of faces: what is no part of a line is left out
    assert_null(strstr(text, "v 0 9 0"));
    free(text);
    pl_world_destroy(world);
}

static void vtp_has_lines(void **state)
{
    (void)state;
    char path[256];
    size_t length;
    pl_world *world = world_of(text_of_scene);
    export_now(world, in_folder("a.vtp", path));
    char *text = slurp("a.vtp", &length), *raw = strstr(text, "\n_");
    assert_non_null(strstr(text, "NumberOfPoints=\"7\" NumberOfVerts=\"0\" NumberOfLines=\"2\""));
    assert_non_null(raw);
    raw += 2;
    // velocity, position, no verts (twice), points of the lines, their ends, no triangles (twice)
    static const uint32_t sizes[] = {84, 84, 0, 0, 24, 8, 0, 0};
    static const int32_t ends[2] = {3, 6};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    {
        assert_int_equal(u32_at(raw), sizes[i]);
        raw += 8;
        if (i == 4)
            assert_memory_equal(raw, wanted, sizeof wanted);
        if (i == 5)
            assert_memory_equal(raw, ends, sizeof ends);
        raw += sizes[i];
    }
    assert_memory_equal(raw, "\n</AppendedData>", 16);
    free(text);
    pl_world_destroy(world);
}

static void ply_has_edges(void **state)
{
    (void)state;
    char path[256];
    size_t length;
    pl_world *world = world_of(text_of_scene);
    export_now(world, in_folder("a.ply", path));
    char *text = slurp("a.ply", &length);
    static const int32_t edges[8] = {0, 2, 2, 4, 1, 3, 3, 5};
    assert_non_null(strstr(text, "element edge 4\nproperty int vertex1\nproperty int vertex2\nend_header\n"));
    assert_memory_equal(text + length - sizeof edges, edges, sizeof edges);
    free(text);
    pl_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(obj_has_lines, empty_folder, empty_folder),
        cmocka_unit_test_setup_teardown(vtp_has_lines, empty_folder, empty_folder),
        cmocka_unit_test_setup_teardown(ply_has_edges, empty_folder, empty_folder),
    };
    return RUN_IN_FOLDER(tests);
}
