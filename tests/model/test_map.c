// pl_world_map and pl_world_set_backend, as far as a machine without a GPU can tell.
#include "support/support.h"

static void map_shows_what_get_copies(void **state)
{
    (void)state;
    pl_world_def def = pl_default_world_def();
    pl_world *w;
    assert_int_equal(pl_world_create(&def, &w), PL_OK);
    pl_cloth_def c = pl_default_cloth_def();
    c.columns = c.rows = 12;
    assert_int_equal(pl_add_cloth(w, &c, NULL), PL_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(pl_world_step(w, 1.0f / 60.0f), PL_OK);
    float x[3 * 144];
    pl_map map;
    assert_int_equal(pl_get(w, PL_ATTRIBUTE_VELOCITY, 0, 144, x), PL_OK);
    assert_int_equal(pl_world_map(w, PL_ATTRIBUTE_VELOCITY, &map), PL_OK);
    assert_false(map.on_device);
    assert_int_equal(map.floats, 3);
    for (int i = 0; i < 144; i++)
    {
        assert_in_range(map.slot_of[i], 0, map.slots - 1);
        assert_memory_equal(map.data + 4 * map.slot_of[i] + map.offset, x + 3 * i, 3 * sizeof(float));
    }
    assert_int_equal(pl_world_map(w, (pl_attribute)99, &map), PL_ERROR_ARGUMENT);
    assert_int_equal(pl_world_map(NULL, PL_ATTRIBUTE_POSITION, &map), PL_ERROR_ARGUMENT);
    assert_int_equal(pl_world_map(w, PL_ATTRIBUTE_POSITION, NULL), PL_ERROR_ARGUMENT);
    pl_world_destroy(w);
}

// Without a GPU the change is refused, and the world goes on as if it had not been asked.
static void a_refused_backend_changes_nothing(void **state)
{
    (void)state;
    uint64_t hash[2];
    for (int asked = 0; asked < 2; asked++)
    {
        pl_world_def def = pl_default_world_def();
        pl_world *w;
        assert_int_equal(pl_world_create(&def, &w), PL_OK);
        pl_cloth_def c = pl_default_cloth_def();
        c.columns = c.rows = 12;
        assert_int_equal(pl_add_cloth(w, &c, NULL), PL_OK);
        assert_int_equal(pl_world_step(w, 1.0f / 60.0f), PL_OK);
        if (asked)
        {
            assert_int_equal(pl_world_set_backend(w, (pl_backend)7), PL_ERROR_ARGUMENT);
            assert_int_equal(pl_world_set_backend(w, PL_BACKEND_CPU), PL_OK);
            pl_result result = pl_world_set_backend(w, PL_BACKEND_CUDA);
            assert_true(result == PL_OK || result == PL_ERROR_UNSUPPORTED);
            assert_int_equal(pl_world_set_backend(w, PL_BACKEND_CPU), PL_OK);
        }
        for (int i = 0; i < 5; i++)
            assert_int_equal(pl_world_step(w, 1.0f / 60.0f), PL_OK);
        hash[asked] = pl_world_hash(w);
        pl_world_destroy(w);
    }
    assert_true(hash[0] == hash[1]);
    assert_int_equal(pl_world_set_backend(NULL, PL_BACKEND_CPU), PL_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(map_shows_what_get_copies),
        cmocka_unit_test(a_refused_backend_changes_nothing),
    };
    return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
