// A world that is NULL: calls that return a pl_result refuse it by name, and those that only read give zeros.
#include "support/support.h"

static void getters(void **state)
{
    (void)state;
    double linear[3] = {1, 1, 1}, angular[3] = {1, 1, 1};
    int threads = 7, lanes = 7;
    pl_energy e = pl_world_energy(NULL);
    assert_true(e.kinetic == 0 && e.potential == 0 && e.elastic == 0);
    pl_world_momentum(NULL, linear, angular);
    for (int c = 0; c < 3; c++)
        assert_true(linear[c] == 0 && angular[c] == 0);
    assert_true(pl_world_residual(NULL).max == 0);
    assert_int_equal(pl_world_penetration(NULL).candidates, 0);
    assert_true(pl_world_hash(NULL) == 0);
    assert_int_equal(pl_world_order(NULL).colours, 0);
    assert_int_equal(pl_world_memory(NULL), 0);
    assert_true(pl_world_timing(NULL).total == 0);
    assert_true(pl_world_time(NULL) == 0);
    assert_int_equal(pl_world_frame(NULL), 0);
    assert_int_equal(pl_world_settings(NULL).substeps, 0);
    assert_int_equal(pl_world_backend(NULL), PL_BACKEND_CPU);
    assert_string_equal(pl_world_device(NULL), "none");
    pl_world_workers(NULL, &threads, &lanes);
    assert_int_equal(threads, 0);
    assert_int_equal(lanes, 0);
    assert_int_equal(pl_particle_end(NULL), 0);
    assert_int_equal(pl_particle_count(NULL), 0);
    assert_int_equal(pl_face_count(NULL), 0);
    assert_int_equal(pl_shape_count(NULL), 0);
    assert_int_equal(pl_shape_at(NULL, 0).index, 0);
    assert_int_equal(pl_constraint_count(NULL, PL_KIND_DISTANCE), 0);
    pl_id ids[2];
    assert_int_equal(pl_world_objects(NULL, ids, 2), 0);
    assert_int_equal(pl_world_blocks(NULL, ids, 2), 0);
    assert_int_equal(pl_object_blocks(NULL, (pl_id){1, 1}, ids, 2), 0);
    assert_int_equal(pl_world_visuals(NULL, ids, 2), 0);
    assert_int_equal(pl_oriented_count(NULL), 0);
    assert_false(pl_is_lattice(NULL, (pl_id){1, 1}));
    pl_world_destroy(NULL);
    assert_string_equal(pl_scene_describe(NULL).name, "");
}

// What was asked for besides may be left out where it is one of several.
static void answers_left_out(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    int threads = 0;
    pl_world_workers(w, &threads, NULL);
    assert_int_equal(threads, 1);
    pl_world_workers(w, NULL, NULL);
    pl_world_destroy(w);
}

static void calls(void **state)
{
    (void)state;
    const pl_result no = PL_ERROR_ARGUMENT;
    pl_material m = pl_default_material();
    pl_phase phase = pl_default_phase();
    pl_shape_def shape = pl_default_shape_def();
    pl_id id = {1, 1};
    int number;
    refused(pl_add_material(NULL, &m, &number), no, ": world is NULL");
    refused(pl_set_material(NULL, 0, &m), no, ": world is NULL");
    refused(pl_set_material_pair(NULL, 0, 0, &m), no, ": world is NULL");
    refused(pl_get_material_pair(NULL, 0, 0, &m), no, ": world is NULL");
    refused(pl_set_phase(NULL, 0, 1, &phase), no, ": world is NULL");
    refused(pl_get_phase(NULL, 0, &phase), no, ": world is NULL");
    refused(pl_set_rest_positions(NULL, 0, 1), no, ": world is NULL");
    refused(pl_add_shape(NULL, &shape, &id), no, ": world is NULL");
    refused(pl_set_shape_pose(NULL, id, (pl_vec3){0}, shape.rotation), no, "the world is NULL");
    refused(pl_move_shape(NULL, id, (pl_vec3){0}, shape.rotation), no, "the world is NULL");
    refused(pl_set_shape_velocity(NULL, id, (pl_vec3){0}, (pl_vec3){0}), no, "the world is NULL");
    refused(pl_get_shape(NULL, id, &shape), no, "the world is NULL");
    refused(pl_shape_force(NULL, id, NULL, NULL), no, "the world is NULL");
    refused(pl_world_step(NULL, 0.01f), no, ": world is NULL");
    pl_world *w = make_world(1, 1);
    refused(pl_add_shape(w, NULL, &id), no, "def is NULL");
    refused(pl_add_material(w, NULL, &number), no, "material is NULL");
    refused(pl_set_phase(w, 0, 0, NULL), no, "phase is NULL");
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(getters),
        cmocka_unit_test(answers_left_out),
        cmocka_unit_test(calls),
    };
    return cmocka_run_group_tests_name("null", tests, NULL, NULL);
}
