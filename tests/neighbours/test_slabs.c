// A large pile runs slab by slab where workers are few, and colour by colour where they are many: with the same bits.
#include "support/support.h"

#include "model/world.h"

enum
{
    WIDE = 40,
    LONG = 60,
    GRAINS = WIDE * WIDE * LONG,
    DUST = 300, // particles without a radius
};

// Calls the last piece first.
static void backwards(void *user, int count, void (*task)(void *arg, int i), void *arg)
{
    (void)user;
    for (int i = count - 1; i >= 0; i--)
        task(arg, i);
}

static pl_world *make_block(int threads, pl_tasks tasks)
{
    pl_world_def world = pl_default_world_def();
    pl_world *w;
    world.threads = threads;
    world.tasks = tasks;
    world.settings.substeps = 4;
    good(pl_world_create(&world, &w));
    float *x = malloc(3 * GRAINS * sizeof *x), *radius = malloc(GRAINS * sizeof *radius);
    uint64_t seed = 4;
    assert_true(x && radius);
    for (int i = 0; i < GRAINS; i++)
    {
        x[3 * i] = 0.2f * (float)(i % WIDE) + 0.01f * dice(&seed);
        x[3 * i + 1] = 0.2f * (float)(i / WIDE % WIDE) + 0.01f * dice(&seed);
        x[3 * i + 2] = 0.2f * (float)(i / WIDE / WIDE) + 0.01f * dice(&seed);
        radius[i] = 0.1f;
    }
    pl_particles_def def = {GRAINS, x, NULL, NULL, 1.0f};
    good(pl_add_particles(w, &def, NULL));
    good(pl_set(w, PL_ATTRIBUTE_RADIUS, 0, GRAINS, radius));
    for (int i = 0; i < DUST; i++) // in no cell, but above the floor
        x[3 * i] = 0.05f * (float)i, x[3 * i + 1] = 0.05f, x[3 * i + 2] = -3.0f;
    def.count = DUST;
    good(pl_add_particles(w, &def, NULL));
    pl_shape_def floor = pl_default_shape_def();
    floor.kind = PL_SHAPE_PLANE;
    floor.position = (pl_vec3){0.0f, -0.1f, 0.0f};
    good(pl_add_shape(w, &floor, NULL));
    free(x);
    free(radius);
    return w;
}

static void slabs_change_nothing(void **state)
{
    (void)state;
    pl_tasks pool = {0}, own = {backwards, NULL};
    pl_world *few = make_block(1, pool), *two = make_block(2, pool), *other = make_block(2, own),
             *many = make_block(12, pool);
    for (int frame = 0; frame < 3; frame++)
    {
        good(pl_world_step(few, 0.01f));
        good(pl_world_step(two, 0.01f));
        good(pl_world_step(other, 0.01f));
        good(pl_world_step(many, 0.01f));
        assert_int_equal(pl_world_hash(few), pl_world_hash(many));
        assert_int_equal(pl_world_hash(two), pl_world_hash(many));
        assert_int_equal(pl_world_hash(other), pl_world_hash(many));
    }
    assert_true(few->contacts.slabs >= 8);
    assert_non_null(few->state.pairs.slab);
    assert_non_null(other->state.pairs.slab);
    assert_int_equal(many->contacts.slabs, 1);
    assert_true(pl_world_penetration(few).contacts > GRAINS / 2); // there was something to do
    pl_world_destroy(few);
    pl_world_destroy(two);
    pl_world_destroy(other);
    pl_world_destroy(many);
}

// Slabs are cut for the workers of the time when a list is made; more that come later find too few of them.
static void workers_may_come_later(void **state)
{
    (void)state;
    static const int counts[] = {3, 8, 12, 24};
    pl_world *alone = make_block(1, (pl_tasks){0});
    good(pl_world_step(alone, 0.001f));
    good(pl_world_step(alone, 0.001f));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    {
        pl_world *w = make_block(1, (pl_tasks){0});
        good(pl_world_step(w, 0.001f));
        assert_non_null(w->state.pairs.slab);
        good(pl_world_set_workers(w, counts[i], 0));
        good(pl_world_step(w, 0.001f));
        assert_int_equal(pl_world_hash(w), pl_world_hash(alone));
        pl_world_destroy(w);
    }
    pl_world_destroy(alone);
}

// More pairs than an int32_t can tell the places of: the step fails, says so, and loses nothing.
static void too_many_pairs_are_told(void **state)
{
    (void)state;
    pl_world *w = make_block(1, (pl_tasks){0});
    good(pl_world_step(w, 0.001f));
    float radius = 0.1001f;
    good(pl_set(w, PL_ATTRIBUTE_RADIUS, 0, 1, &radius)); // a new list
    uint64_t before = pl_world_hash(w);
    w->contacts.row_most = 1000000;
    assert_int_equal(pl_world_step(w, 0.001f), PL_ERROR_MEMORY);
    assert_non_null(strstr(pl_error_message(), "pairs of particles are near each other, more than fit"));
    assert_int_equal(pl_world_hash(w), before);
    assert_int_equal(pl_world_frame(w), 1);
    w->contacts.row_most = INT32_MAX;
    good(pl_world_step(w, 0.001f)); // and goes on
    assert_true(pl_world_penetration(w).contacts > GRAINS / 2);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slabs_change_nothing), cmocka_unit_test(workers_may_come_later),
                                       cmocka_unit_test(too_many_pairs_are_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
