// test_lists.c: what the viewer asks the library for: lists of objects and blocks, and the camera of a scene.
#include "support/support.h"

static void objects_and_blocks_are_listed(void **state)
{
    (void)state;
    pl_world *world = make_world(1, 1);
    pl_cloth_def cloth = pl_default_cloth_def();
    pl_id made, single, block, ids[16];
    assert_int_equal(pl_world_objects(world, NULL, 0), 0);
    assert_int_equal(pl_world_blocks(world, NULL, 0), 0);
    cloth.columns = cloth.rows = 4;
    good(pl_add_cloth(world, &cloth, &made));
    int blocks = pl_world_blocks(world, NULL, 0);
    assert_int_equal(blocks, pl_object_blocks(world, made, NULL, 0) - 1); // faces are no constraints
    int p = add_one(world, 0.0f, 3.0f, 0.0f, 1.0f, &single);
    block = add_rows(world, PL_KIND_DISTANCE, 1, (int32_t[]){0, p}, NULL, 0.0f);
    assert_int_equal(pl_world_objects(world, ids, 16), 2);
    assert_memory_equal(&ids[0], &made, sizeof made);
    assert_memory_equal(&ids[1], &single, sizeof single);
    assert_int_equal(pl_world_blocks(world, ids, 16), blocks + 1);
    assert_memory_equal(&ids[blocks], &block, sizeof block);
    ids[1] = (pl_id){77, 77}; // no more is filled than there is room for
    assert_int_equal(pl_world_objects(world, ids, 1), 2);
    assert_int_equal(ids[1].index, 77);
    good(pl_remove(world, single)); // and the constraint that touches it
    assert_int_equal(pl_world_objects(world, ids, 16), 1);
    assert_int_equal(pl_world_blocks(world, ids, 16), blocks);
    pl_world_destroy(world);
}

static pl_result parse(const char *camera, pl_camera *out)
{
    char text[512];
    pl_scene *scene;
    snprintf(text, sizeof text, "{ \"particles\": { \"position\": [0, 0, 0] }%s%s }", camera[0] ? ", \"camera\": " : "",
             camera);
    pl_result result = pl_scene_parse(text, strlen(text), "scene.json", NULL, 0, &scene);
    if (result == PL_OK)
    {
        *out = pl_scene_describe(scene).camera;
        pl_scene_free(scene);
    }
    return result;
}

static void a_scene_has_a_camera(void **state)
{
    (void)state;
    pl_camera c;
    good(parse("", &c));
    assert_false(c.given);
    assert_false(c.has_floor);
    good(parse("{ \"eye\": [1, 2, 3], \"target\": [0, 1, 0] }", &c));
    assert_true(c.given && !c.has_floor && !c.follow);
    assert_true(c.eye.x == 1.0f && c.eye.z == 3.0f && c.target.y == 1.0f && c.fov == 35.0f);
    good(parse("{ \"eye\": [1, 2, 3], \"target\": [0, 1, 0], \"fov\": 50, \"floor\": -1, \"follow\": true }", &c));
    assert_true(c.has_floor && c.follow && c.floor == -1.0f && c.fov == 50.0f);
    refused(parse("{ \"eye\": [1, 2, 3] }", &c), PL_ERROR_FORMAT, "target");
    refused(parse("{ \"eye\": [1, 2, 3], \"target\": [0, 1, 0], \"fov\": 170 }", &c), PL_ERROR_FORMAT, "fov");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_and_blocks_are_listed),
        cmocka_unit_test(a_scene_has_a_camera),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
