// test_heat_melting.c: solids of particles that melt and freeze: when, what holds together then, and what must be kept.
#include "heat.h"

// On a hot plate a block melts from below, layer after layer, and takes up what melting needs.
static void a_block_melts_from_below(void **state)
{
    (void)state;
    const int n[3] = {5, 6, 5};
    int count = n[0] * n[1] * n[2], when[150];
    pl_world *w = make_world(4, 1);
    pl_settings tilted = pl_world_settings(w);
    tilted.gravity.x = 0.5f, tilted.gravity.z = 0.3f; // or columns of grains would stand on their heads
    good(pl_world_set_settings(w, &tilted));
    hot_floor(w, 200.0f);
    pl_heat_def d = wax();
    d.conductivity = 100.0f, d.capacity = 2.0f;
    pl_material slippery = {.static_friction = 0.02f, .kinetic_friction = 0.01f};
    good(pl_add_material(w, &slippery, &d.molten));
    good(pl_set_heat(w, add_block(w, n, true, RADIUS, -1, -1), &d));
    memset(when, 0, sizeof when);
    uint8_t molten[150];
    for (int f = 1; f <= 400; f++)
    {
        steps(w, 1, 1.0 / 60.0);
        good(pl_get_molten(w, 0, count, molten));
        for (int i = 0; i < count; i++)
            when[i] = when[i] || molten[i] < 2 ? when[i] : f;
    }
    double mean[6] = {0};
    for (int i = 0; i < count; i++)
        mean[i / 25] += (when[i] ? when[i] : 1000) / 25.0;
    for (int layer = 1; layer < 4; layer++)
        if (!(mean[layer] > mean[layer - 1] + 2.0))
            fail_msg("layer %d melts in frame %.1f, the one below in %.1f", layer, mean[layer], mean[layer - 1]);
    pl_heat_totals all = pl_world_heat(w);
    assert_int_equal(all.melted - all.frozen, all.molten);
    assert_int_equal(all.frozen, 0);
    assert_true(all.molten > 50);
    double top = 0.0;
    for (int i = 0; i < count; i++)
        top = fmax(top, (double)where(w, i).y);
    below("the top, which stood at 0.55", top, 0.45);
    pl_world_destroy(w);
}

static int cluster_sizes(pl_world *w) // in how many pieces everything is
{
    int pieces;
    good(pl_count_pieces(w, (pl_id){0, 0}, &pieces));
    return pieces;
}

// Everything melts, runs together, and sets: one lump, which then keeps its shape when it is thrown.
static void what_has_frozen_holds_together(void **state)
{
    (void)state;
    const int n[3] = {4, 4, 4};
    pl_world *w = make_world(10, 2);
    pl_id floor = hot_floor(w, 300.0f);
    good(pl_set_heat(w, add_block(w, n, true, RADIUS, -1, -1),
                     &(pl_heat_def){.temperature = 20.0f,
                                    .conductivity = 200.0f,
                                    .capacity = 2.0f,
                                    .melts = true,
                                    .melting = 60.0f,
                                    .freezing = 50.0f,
                                    .solid = pl_default_cluster_material()}));
    steps(w, 120, 1.0 / 60.0);
    assert_int_equal(pl_world_heat(w).molten, 64);
    assert_int_equal(cluster_sizes(w), 64);
    good(pl_set_shape_heat(w, floor, true, 0.0f));
    steps(w, 200, 1.0 / 60.0);
    assert_int_equal(pl_world_heat(w).molten, 0);
    below("the pieces that it has frozen to", cluster_sizes(w), 20);
    // The largest lump: those whose neighbours keep their distance in the throw. Distances within pieces must stay.
    float before[3 * 64], after[3 * 64], v[3 * 64];
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, 64, before));
    for (int i = 0; i < 64; i++)
        v[3 * i] = -3.0f * (before[3 * i + 1]), v[3 * i + 1] = 4.0f + 3.0f * before[3 * i], v[3 * i + 2] = 0.5f;
    good(pl_set(w, PL_ATTRIBUTE_VELOCITY, 0, 64, v));
    steps(w, 90, 1.0 / 60.0);
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, 64, after));
    int32_t piece[64];
    int kept = 0;
    for (int i = 0; i < 64; i++)
    {
        piece[i] = 0;
        for (int j = 0; j < 64; j++)
        {
            double a = 0.0, b = 0.0;
            for (int c = 0; c < 3; c++)
            {
                a += pow((double)before[3 * i + c] - (double)before[3 * j + c], 2);
                b += pow((double)after[3 * i + c] - (double)after[3 * j + c], 2);
            }
            piece[i] += fabs(sqrt(a) - sqrt(b)) < 0.01 * (double)RADIUS;
        }
        kept = piece[i] > kept ? piece[i] : kept;
    }
    assert_true(kept > 32); // more than half of it flew as one, no distance changed by a hundredth of a radius
    pl_world_destroy(w);
}

// A cold grain between two lumps joins all to one, and neither momentum notices.
static void lumps_weld_and_momentum_stays(void **state)
{
    (void)state;
    const int n[3] = {3, 3, 3};
    pl_world *w = make_world(4, 1);
    weightless(w);
    pl_heat_def d = wax();
    d.conductivity = 0.0f;
    pl_id left = add_block(w, n, true, 0.0, -1, -1);
    good(pl_set_heat(w, left, &d));
    const float at[3] = {0.3f, 0.1f, 0.1f}, mass[1] = {1.0f}, radius[1] = {RADIUS}, cold[1] = {40.0f};
    pl_id particle = add_particles(w, 1, at, mass);
    good(pl_set(w, PL_ATTRIBUTE_RADIUS, 27, 1, radius));
    d.temperature = 80.0f;
    good(pl_set_heat(w, particle, &d));
    pl_id right = add_block(w, n, true, 0.0, -1, -1);
    float x[3 * 27], v[3 * 28];
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 28, 27, x));
    for (int i = 0; i < 27; i++)
        x[3 * i] += 0.4f;
    good(pl_set(w, PL_ATTRIBUTE_POSITION, 28, 27, x));
    d.temperature = 20.0f;
    good(pl_set_heat(w, right, &d));
    for (int i = 0; i < 27; i++)
        v[3 * i] = 0.0f, v[3 * i + 1] = 0.3f, v[3 * i + 2] = -0.1f * x[3 * i + 1];
    good(pl_set(w, PL_ATTRIBUTE_VELOCITY, 28, 27, v));
    steps(w, 1, 1.0 / 60.0);
    assert_int_equal(cluster_sizes(w), 3);
    good(pl_set_temperature(w, 27, 1, cold));
    double linear[3], angular[3], linear_after[3], angular_after[3];
    pl_world_momentum(w, linear, angular);
    steps(w, 1, 1.0 / 60.0);
    pl_world_momentum(w, linear_after, angular_after);
    assert_int_equal(cluster_sizes(w), 1);
    for (int c = 0; c < 3; c++)
    {
        near("linear momentum at the change", linear_after[c], linear[c], 1e-4);
        near("angular momentum at the change", angular_after[c], angular[c], 1e-4);
    }
    for (int f = 0; f < 60; f++)
        steps(w, 1, 1.0 / 60.0);
    pl_world_momentum(w, linear_after, angular_after);
    for (int c = 0; c < 3; c++)
    {
        near("linear momentum", linear_after[c], linear[c], 1e-3 * 27.0 * 0.3); // a thousandth of what moves
        near("angular momentum", angular_after[c], angular[c], 0.01 * 1.5);
    }
    pl_world_destroy(w);
}

// Two lumps that froze together stay one when the object of the first is taken out: in both orders.
static void a_weld_outlives_its_first_object(void **state)
{
    (void)state;
    for (int second = 0; second < 2; second++)
    {
        const int n[3] = {3, 1, 1};
        const float hot[1] = {80.0f}, cold[1] = {40.0f};
        pl_world *w = make_world(4, 1);
        pl_heat_def d = wax();
        pl_id lump[3];
        weightless(w);
        d.conductivity = 0.0f;
        for (int i = 0; i < 3; i++)
        {
            lump[i] = add_block(w, n, true, SPACING * i, -1, -1);
            good(pl_set_heat(w, lump[i], &d));
        }
        for (int i = 1; i < 9; i += 3)
            good(pl_set_temperature(w, i, 1, hot));
        steps(w, 1, 1.0 / 60.0);
        for (int i = 1; i < 9; i += 3)
            good(pl_set_temperature(w, i, 1, cold));
        steps(w, 1, 1.0 / 60.0);
        assert_int_equal(cluster_sizes(w), 1);
        good(pl_remove(w, lump[second ? 2 : 0]));
        assert_int_equal(cluster_sizes(w), 1);
        assert_int_equal(pl_object_blocks(w, lump[second ? 0 : 1], NULL, 0), 1);
        float spin[3] = {0.0f, 0.0f, 5.0f}; // one of its corners is thrown: a body turns, grains would fly apart
        int corner = second ? 0 : 3, other = second ? 5 : 8;
        good(pl_set(w, PL_ATTRIBUTE_VELOCITY, corner, 1, spin));
        pl_vec3 a = where(w, corner), b = where(w, other);
        double before = hypot(hypot((double)a.x - b.x, (double)a.y - b.y), (double)a.z - b.z);
        steps(w, 60, 1.0 / 60.0);
        a = where(w, corner), b = where(w, other);
        near("its diagonal", hypot(hypot((double)a.x - b.x, (double)a.y - b.y), (double)a.z - b.z), before, 1e-3);
        pl_world_destroy(w);
    }
}

// A perfect stack that melts at once comes down, without friction, and by itself.
static void a_perfect_stack_comes_down(void **state)
{
    (void)state;
    const int n[3] = {3, 6, 3};
    pl_world *w = make_world(10, 1);
    pl_heat_def d = wax();
    pl_material oil = {0};
    float top = 0.0f;
    oil.rolling = 1.0f;
    good(pl_add_material(w, &oil, &d.molten));
    hot_floor(w, 20.0f);
    pl_id stack = add_block(w, n, true, (double)RADIUS, -1, -1);
    d.temperature = 80.0f, d.conductivity = 0.0f;
    good(pl_set_heat(w, stack, &d));
    steps(w, 180, 1.0 / 60.0);
    for (int i = 0; i < 54; i++)
        top = fmaxf(top, where(w, i).y);
    print_message("from %.2f m the highest has come to %.2f m\n", 5.0 * SPACING + (double)RADIUS, (double)top);
    below("the highest", (double)top, 1.5 * SPACING + (double)RADIUS);
    pl_world_destroy(w);
}

// A bar that melts through in the middle falls into two, and only there.
static void a_bar_melts_through(void **state)
{
    (void)state;
    const int n[3] = {9, 2, 2};
    pl_world *w = make_world(4, 1);
    weightless(w);
    pl_heat_def d = wax();
    d.conductivity = 0.0f;
    good(pl_set_heat(w, add_block(w, n, true, 0.0, -1, -1), &d));
    const float hot[1] = {100.0f};
    for (int i = 0; i < 36; i++)
        if (i % 9 == 4)
            good(pl_set_temperature(w, i, 1, hot));
    steps(w, 1, 0.01);
    assert_int_equal(cluster_sizes(w), 2 + 4);
    assert_int_equal(pl_world_heat(w).melted, 4);
    pl_world_destroy(w);
}

// Between the freezing and the melting point nothing changes, whichever way it came.
static void between_the_points_nothing_flickers(void **state)
{
    (void)state;
    const int n[3] = {2, 2, 2};
    pl_world *w = make_world(2, 1);
    weightless(w);
    pl_heat_def d = wax();
    good(pl_set_heat(w, add_block(w, n, true, 0.0, -1, -1), &d));
    float t[8];
    for (int k = 0; k < 8; k++)
        t[k] = 55.0f;
    good(pl_set_temperature(w, 0, 8, t));
    steps(w, 50, 0.01);
    assert_int_equal(pl_world_heat(w).melted, 0);
    for (int k = 0; k < 8; k++)
        t[k] = 70.0f;
    good(pl_set_temperature(w, 0, 8, t));
    steps(w, 1, 0.01);
    assert_int_equal(pl_world_heat(w).melted, 8);
    for (int k = 0; k < 8; k++)
        t[k] = 55.0f;
    good(pl_set_temperature(w, 0, 8, t));
    steps(w, 50, 0.01);
    pl_heat_totals all = pl_world_heat(w);
    assert_int_equal(all.melted, 8);
    assert_int_equal(all.frozen, 0);
    assert_int_equal(all.molten, 8);
    near("T", temperature(w, 3), 55.0, 1e-4);
    pl_world_destroy(w);
}

// What melting has taken up freezing gives back: in a closed world the sum stays.
static void latent_heat_is_given_back(void **state)
{
    (void)state;
    const int n[3] = {8, 1, 1};
    pl_world *w = make_world(1, 1);
    weightless(w);
    pl_heat_def d = wax();
    good(pl_set_heat(w, add_block(w, n, false, 0.0, -1, -1), &d));
    const float hot[1] = {100.0f};
    for (int i = 0; i < 2; i++)
        good(pl_set_temperature(w, i, 1, hot));
    double before = pl_world_heat(w).heat;
    steps(w, 600, 0.1);
    pl_heat_totals all = pl_world_heat(w);
    near("the sum of all heat", all.heat / before, 1.0, 1e-12);
    assert_int_equal(all.melted, 2); // the others are too cold for it
    assert_int_equal(all.frozen, 2);
    near("in the end", temperature(w, 0), (8 * 20.0 + 2 * (80.0 + 10.0)) / 8.0, 0.1);
    pl_world_destroy(w);
}

// ---- bits ----------------------------------------------------------------------------------------------------------

static pl_world *melting_world(int threads, int lanes)
{
    const int n[3] = {5, 5, 5};
    pl_world_def def = pl_default_world_def();
    def.threads = threads, def.lanes = lanes;
    def.settings.substeps = 4;
    pl_world *w;
    good(pl_world_create(&def, &w));
    hot_floor(w, 300.0f);
    good(pl_set_heat(w, add_block(w, n, true, RADIUS, -1, -1),
                     &(pl_heat_def){.temperature = 20.0f,
                                    .conductivity = 100.0f,
                                    .capacity = 2.0f,
                                    .exchange = 300.0f,
                                    .melts = true,
                                    .melting = 60.0f,
                                    .freezing = 58.0f,
                                    .solid = pl_default_cluster_material()}));
    return w;
}

static void the_same_bits_everywhere(void **state)
{
    (void)state;
    pl_world *one = melting_world(1, 1), *two = melting_world(2, 0);
    steps(one, 60, 1.0 / 60.0);
    steps(two, 30, 1.0 / 60.0);
    assert_true(pl_world_heat(two).molten > 5);
    two = saved_and_loaded(two);
    steps(two, 30, 1.0 / 60.0);
    assert_true(pl_world_hash(one) == pl_world_hash(two));
    pl_world_destroy(one);
    pl_world_destroy(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_melts_from_below),
        cmocka_unit_test(what_has_frozen_holds_together),
        cmocka_unit_test(lumps_weld_and_momentum_stays),
        cmocka_unit_test(a_weld_outlives_its_first_object),
        cmocka_unit_test(a_perfect_stack_comes_down),
        cmocka_unit_test(a_bar_melts_through),
        cmocka_unit_test(between_the_points_nothing_flickers),
        cmocka_unit_test(latent_heat_is_given_back),
        cmocka_unit_test(the_same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
