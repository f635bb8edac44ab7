// A pile of ellipsoids: enough of them that a colour of contacts has many rows, in every way of running it, and over a snapshot.
#include "physics/physics.h"

enum
{
    SIDE = 5,
    LAYERS = 6,
    COUNT = SIDE * SIDE * LAYERS,
};

static pl_world *make_pile(int threads, int lanes, int stabilise)
{
    pl_world_def def = pl_default_world_def();
    pl_orient_def orient = pl_default_orient_def();
    pl_shape_def floor = pl_default_shape_def();
    pl_world *w;
    pl_id id;
    float x[3 * COUNT], mass[COUNT], radius[COUNT], radii[3 * COUNT];
    int32_t list[COUNT];
    for (int i = 0; i < COUNT; i++)
    {
        x[3 * i] = 0.19f * (float)(i % SIDE) + 0.002f * (float)(i * 37 % 11);
        x[3 * i + 1] = 0.05f + 0.09f * (float)(i / SIDE / SIDE) + 0.0005f * (float)(i * 23 % 13);
        x[3 * i + 2] = 0.19f * (float)(i / SIDE % SIDE) + 0.002f * (float)(i * 53 % 17);
        mass[i] = 1.0f;
        radius[i] = 0.1f;
        radii[3 * i] = radii[3 * i + 2] = 0.1f;
        radii[3 * i + 1] = 0.04f;
        list[i] = i;
    }
    def.threads = threads;
    def.lanes = lanes;
    def.settings.substeps = 6;
    def.settings.stabilise = stabilise;
    good(pl_world_create(&def, &w));
    add_particles(w, COUNT, x, mass);
    good(pl_set(w, PL_RADIUS, 0, COUNT, radius));
    orient.count = COUNT;
    orient.particles = list;
    orient.radii = radii;
    good(pl_orient(w, &orient, &id));
    floor.kind = PL_SHAPE_PLANE;
    good(pl_add_shape(w, &floor, &id));
    return w;
}

static void a_pile_of_lentils_lies_flat(void **state)
{
    (void)state;
    pl_world *w = make_pile(1, 0, 0);
    steps(w, 120, 1.0 / 60.0);
    double top = 0.0, bottom = 1.0;
    for (int i = 0; i < COUNT; i++)
    {
        top = fmax(top, (double)where(w, i).y);
        bottom = fmin(bottom, (double)where(w, i).y);
    }
    print_message("centres from %.3f to %.3f m; %lld contacts\n", bottom, top,
                  (long long)pl_world_penetration(w).contacts);
    near("the lowest lies on its side; a ball would lie at 0.1", bottom, 0.04, 0.01);
    below("the highest", top, 0.15); // they slide off each other
    assert_true(pl_world_penetration(w).contacts > COUNT);
    pl_world_destroy(w);
}

static void the_same_bits(void **state)
{
    (void)state;
    static const int ways[][2] = {{1, 1}, {3, 4}, {2, 0}};
    for (int stabilise = 0; stabilise < 3; stabilise += 2)
    {
        uint64_t wanted = 0;
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        {
            pl_world *w = make_pile(ways[i][0], ways[i][1], stabilise);
            steps(w, 20, 1.0 / 60.0);
            wanted = i == 0 ? pl_world_hash(w) : wanted;
            assert_int_equal(pl_world_hash(w), wanted);
            pl_world_destroy(w);
        }
        pl_world *w = make_pile(1, 0, stabilise);
        steps(w, 9, 1.0 / 60.0);
        w = saved_and_loaded(w);
        steps(w, 11, 1.0 / 60.0);
        assert_int_equal(pl_world_hash(w), wanted);
        pl_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_pile_of_lentils_lies_flat), cmocka_unit_test(the_same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
