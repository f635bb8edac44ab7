// test_memory.c: a world with the solver direct that runs out of memory.
#include "support/faulty.h"

// The first step fails for want of memory, wherever that is; the next one does the same as if it had not, and nothing is lost.
static void no_memory(void **state)
{
    (void)state;
    uint64_t wanted = 0;
    bool failed = true;
    for (int64_t n = 0; failed; n++)
    {
        faulty f = {0};
        pl_world_def def = pl_default_world_def();
        pl_world *world;
        def.threads = 1;
        def.allocator = (pl_allocator){faulty_resize, &f};
        def.settings.solver = PL_SOLVER_DIRECT;
        good(pl_world_create(&def, &world));
        pl_cloth_def cloth = pl_default_cloth_def();
        cloth.columns = cloth.rows = 5;
        good(pl_add_cloth(world, &cloth, NULL));
        f.fail_at = n ? f.calls + n : 0;
        pl_result result = pl_world_step(world, 1.0f / 60.0f);
        failed = n == 0 || result != PL_OK;
        if (result != PL_OK)
        {
            assert_int_equal(result, PL_ERROR_MEMORY);
            good(pl_world_step(world, 1.0f / 60.0f));
        }
        wanted = n ? wanted : pl_world_hash(world);
        assert_true(pl_world_hash(world) == wanted);
        pl_world_destroy(world);
        assert_int_equal(f.blocks, 0);
        assert_int_equal(f.bytes, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
