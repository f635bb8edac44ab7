// test_export_obj.c: what OBJ files say is read again by the library's own reader, bit for bit.
#include "io/exports.h"
#include "io/obj.h"

static struct obj_mesh read_obj(struct store *store, const char *name)
{
    struct obj_mesh mesh = {0};
    size_t length;
    char *text = slurp(name, &length);
    if (obj_parse(store, text, length, name, &mesh) != PL_OK)
        fail_msg("%s", pl_error_message());
    free(text);
    return mesh;
}

static void obj(void **state)
{
    (void)state;
    char path[256];
    struct store store = {0};
    float x[18];
    int32_t face[12];
    export_run(in_folder("a.obj", path));
    export_run(in_folder("b_%03d.obj", path));
    assert_int_equal(count_files(), 4);
    pl_world *world = make_world();
    for (int i = 0; i < 2; i++)
        assert_int_equal(pl_world_step(world, 0.1f), PL_OK);
    assert_int_equal(pl_get(world, PL_ATTRIBUTE_POSITION, 0, 6, x), PL_OK);
    assert_int_equal(pl_get_faces(world, 0, 4, face), PL_OK);
    static const char *const names[] = {"a.obj", "b_002.obj"};
    for (int i = 0; i < 2; i++)
    {
        struct obj_mesh mesh = read_obj(&store, names[i]);
        assert_int_equal(mesh.vertex_count, 6);
        assert_int_equal(mesh.triangle_count, 4);
        assert_memory_equal(mesh.vertices, x, sizeof x);
        assert_memory_equal(mesh.triangles, face, sizeof face);
    }
    assert_true(read_obj(&store, "b_000.obj").vertices[1] == 2.0f);
    pl_world_destroy(world);
    store_free(&store);
}

// What carries a visual is not seen; what has no triangles is, as points.
static void obj_shows_what_is_seen(void **state)
{
    (void)state;
    char path[256], *text;
    size_t length;
    struct store store = {0};
    pl_world *world = world_of(
        "{\"body\": {\"kind\": \"soft\", \"form\": \"box\", \"size\": [1, 1, 1], \"spacing\": 0.5, \"visual\": "
        "true, \"position\": [5, 0, 0]}, \"cloth\": {\"size\": [3, 2]}, \"particles\": {\"position\": [0, 9, 0]}}");
    pl_visual_info info;
    pl_id id;
    assert_int_equal(pl_world_visuals(world, &id, 1), 1);
    assert_int_equal(pl_describe_visual(world, id, &info), PL_OK);
    assert_true(pl_face_count(world) > 4); // the body has faces of its own
    export_now(world, in_folder("a.obj", path));
    struct obj_mesh mesh = read_obj(&store, "a.obj");
    assert_int_equal(mesh.vertex_count, 6 + info.vertices);
    assert_int_equal(mesh.triangle_count, 4 + info.triangles);
    for (int i = 0; i < mesh.vertex_count; i++)
        assert_true(i < 6 ? mesh.vertices[3 * i] < 4.0f : mesh.vertices[3 * i] > 4.0f);
    text = slurp("a.obj", &length);
    assert_true(strstr(text, "o surfaces\nf ") && strstr(text, "o visuals\nf ") && !strstr(text, "\np "));
    free(text);
    pl_world_destroy(world);
    world = world_of("{\"particles\": {\"position\": [[0, 9, 0], [0.1, -2, 3]]}}");
    export_now(world, in_folder("b.obj", path));
    text = slurp("b.obj", &length);
    assert_non_null(strstr(text, "up\nv 0 9 0\nv 0.1 -2 3\no particles\np 1\np 2\n"));
    free(text);
    pl_world_destroy(world);
    store_free(&store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(obj, empty_folder, empty_folder),
        cmocka_unit_test_setup_teardown(obj_shows_what_is_seen, empty_folder, empty_folder),
    };
    return RUN_IN_FOLDER(tests);
}
