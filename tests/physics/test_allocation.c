// test_allocation.c: after warm-up a step allocates nothing, counted through the allocator hook; and all is given back.
#include "contact.h"

typedef struct ledger
{
    long calls;
    long long held; // bytes
} ledger;

static void *count_resize(void *user, void *block, size_t old_size, size_t new_size)
{
    ledger *l = user;
    ++l->calls;
    l->held += (long long)new_size - (long long)old_size;
    if (new_size == 0)
    {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

static void fill(pl_world *world)
{
    pl_id id;
    pl_cloth_def cloth = pl_default_cloth_def();
    cloth.columns = cloth.rows = 30;
    cloth.u = (pl_vec3){1.0f, 0.0f, 0.0f};
    cloth.v = (pl_vec3){0.0f, 0.0f, 1.0f};
    cloth.mass = 0.3f;
    cloth.drag = cloth.lift = 1.0f;
    cloth.bending = PL_BENDING_DIHEDRAL;
    cloth.pinned = (int32_t[]){0, 29};
    cloth.pinned_count = 2;
    cloth.tethers = true;
    good(pl_add_cloth(world, &cloth, &id));

    pl_bar_def bar = pl_default_bar_def();
    bar.cells[0] = 6;
    bar.cells[1] = bar.cells[2] = 3;
    bar.origin = (pl_vec3){3.0f, 0.0f, 0.0f};
    bar.size = (pl_vec3){1.2f, 0.6f, 0.6f};
    bar.mass = 2.0f;
    bar.pin_start = true;
    good(pl_add_bar(world, &bar, &id));

    pl_rope_def rope = pl_default_rope_def();
    rope.segments = 20;
    rope.from = (pl_vec3){-2.0f, 0.0f, 0.0f};
    rope.to = (pl_vec3){-1.0f, 0.0f, 0.0f};
    rope.mass = 0.1f;
    rope.pin_first = true;
    good(pl_add_rope(world, &rope, &id));
}

static void steps_allocate_nothing(void **state)
{
    (void)state;
    ledger account = {0};
    pl_world_def def = pl_default_world_def();
    def.allocator = (pl_allocator){.resize = count_resize, .user = &account};
    def.threads = 2;
    def.settings.substeps = 4;
    def.settings.wind.velocity = (pl_vec3){5.0f, 0.0f, 0.0f};
    def.settings.wind.density = 1.2f;
    pl_world *world;
    good(pl_world_create(&def, &world));
    fill(world);
    for (int integrator = PL_INTEGRATOR_BDF1; integrator <= PL_INTEGRATOR_BDF2; ++integrator)
    {
        for (int solver = PL_SOLVER_XPBD; solver <= PL_SOLVER_PBD; ++solver)
        {
            change(world, (pl_solver)solver, (pl_integrator)integrator, 0.1);
            steps(world, 3, 1.0 / 60.0);
            long before = account.calls;
            steps(world, 30, 1.0 / 60.0);
            assert_int_equal(account.calls - before, 0);
        }
    }
    assert_true(account.calls > 0); // the hook is in use
    pl_world_destroy(world);
    assert_true(account.held == 0);
}

// Grains at rest, watched: neither contacts nor their events need more.
static void contacts_allocate_nothing(void **state)
{
    (void)state;
    ledger account = {0};
    pl_world_def def = pl_default_world_def();
    def.allocator = (pl_allocator){.resize = count_resize, .user = &account};
    def.threads = 2;
    def.settings.substeps = 4;
    def.settings.iterations = 2;
    pl_world *world;
    good(pl_world_create(&def, &world));
    fill_box(world, 6, 4, 0.05, NULL);
    pl_watch_def watch = pl_default_watch_def();
    watch.stay = true;
    good(pl_watch_contacts(world, &watch));
    steps(world, 150, 1.0 / 60.0);
    long before = account.calls;
    steps(world, 60, 1.0 / 60.0);
    assert_int_equal(account.calls - before, 0);
    assert_true(pl_contact_events(world, NULL, 0) > 144);
    pl_world_destroy(world);
    assert_true(account.held == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_allocate_nothing),
                                       cmocka_unit_test(contacts_allocate_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
