// Stacks of rigid bodies: how high they stand, and by how many sweeps.
#include "physics/rigid_world.h"

// Adds a column of 1 m boxes, each a little beside the last one; returns the highest.
static pl_id add_column(pl_world *w, int count)
{
    pl_id top = {0, 0};
    for (int i = 0; i < count; i++)
        top = add_body(w, PL_RIGID_BOX, i % 3 ? 1e-4f : 0.0f, 0.5f + (float)i, 0.0, 1.0f);
    return top;
}

static pl_world *with_column(int count, int sweeps, pl_id *top)
{
    pl_world *w = open_world(8);
    pl_settings set = pl_world_settings(w);
    set.contact_sweeps = sweeps;
    good(pl_world_set_settings(w, &set));
    add_plane(w, 0.0);
    *top = add_column(w, count);
    return w;
}

// docs/rigid.md: with one sweep 31 boxes stand; by the height of the stack, 50 do.
static void columns_stand(void **unused)
{
    (void)unused;
    static const struct
    {
        int count, sweeps;
        bool stands;
    } all[] = {{25, 1, true}, {50, 1, false}, {50, 0, true}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
        pl_id top;
        pl_world *w = with_column(all[i].count, all[i].sweeps, &top);
        frames(w, 900);
        pl_rigid_state s = state_of(w, top);
        double side = hypot((double)s.position.x, (double)s.position.z),
               sunk = all[i].count - 0.5 - (double)s.position.y;
        assert_int_equal(side < 0.01 && sunk < 0.05, all[i].stands);
        pl_world_destroy(w);
    }
}

// What the setting selects is what the height selects: 37 boxes need two sweeps.
static void sweeps_follow_the_height(void **unused)
{
    (void)unused;
    pl_id top[3];
    pl_world *w[3] = {with_column(37, 0, &top[0]), with_column(37, 2, &top[1]), with_column(37, 1, &top[2])};
    for (int i = 0; i < 3; i++)
        frames(w[i], 20);
    assert_true(pl_world_hash(w[0]) == pl_world_hash(w[1]));
    assert_true(pl_world_hash(w[0]) != pl_world_hash(w[2]));
    w[0] = saved_and_loaded(w[0]); // the height is found again
    frames(w[0], 5), frames(w[1], 5);
    assert_true(pl_world_hash(w[0]) == pl_world_hash(w[1]));
    for (int i = 0; i < 3; i++)
        pl_world_destroy(w[i]);
    pl_settings set = pl_default_world_def().settings;
    set.contact_sweeps = -1;
    pl_world *none = open_world(8);
    refused(pl_world_set_settings(none, &set), PL_ERROR_ARGUMENT, "contact_sweeps");
    pl_world_destroy(none);
}

// 300 kg on seven boxes of 1 kg: the load counts, not the height alone.
static void loads_stand(void **unused)
{
    (void)unused;
    static const struct
    {
        float side, x;
        int substeps;
    } all[] = {{1.0f, 0.0f, 8}, {0.1f, 0.0f, 20}, {0.1f, 1000.0f, 20}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
        const float half = 0.5f * all[i].side;
        pl_world *w = open_world(all[i].substeps);
        pl_rigid_shape box = pl_default_rigid_shape();
        pl_rigid_def d = pl_default_rigid_def();
        pl_id top;
        add_plane(w, 0.0);
        box.half = (pl_vec3){half, half, half};
        d.shapes = &box, d.shape_count = 1;
        for (int k = 0; k < 8; k++)
        {
            d.position = (pl_vec3){all[i].x, half * (float)(2 * k + 1), 0.0f}, d.mass = k == 7 ? 300.0f : 1.0f;
            good(pl_add_rigid(w, &d, &top));
        }
        frames(w, 900);
        pl_rigid_state s = state_of(w, top);
        double beside = hypot((double)s.position.x - (double)all[i].x, (double)s.position.z);
        assert_true(beside < 0.01 * (double)all[i].side);
        assert_true(15.0 * (double)half - (double)s.position.y < 0.06 * (double)all[i].side);
        pl_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_stand),
        cmocka_unit_test(sweeps_follow_the_height),
        cmocka_unit_test(loads_stand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
