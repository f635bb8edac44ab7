// Energies, momentum, residual and hash on numbers worked out by hand.
#include "support/support.h"

static void energies_and_momentum(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    set_gravity(w, -10.0f);
    add_one(w, 1, 2, 3, 2, NULL);
    add_one(w, 1, 5, 3, 4, NULL);
    add_one(w, 9, 9, 9, 0, NULL); // held: counts nowhere
    const float v[9] = {3, 0, 4, 0, 0, 0, 7, 7, 7}, charge[3] = {0.5f, 0, 1};
    good(pl_set(w, PL_ATTRIBUTE_VELOCITY, 0, 3, v));
    good(pl_set(w, PL_ATTRIBUTE_CHARGE, 0, 3, charge));
    const int32_t index[2] = {0, 1};
    const float rest = 2.0f;
    add_rows(w, PL_KIND_DISTANCE, 1, index, &rest, 0.25f);
    add_rows(w, PL_KIND_DISTANCE_MIN, 1, index, &rest, 0.25f); // content
    add_rows(w, PL_KIND_DISTANCE_MAX, 1, index, &rest, 0.5f);
    pl_energy e = pl_world_energy(w);
    near_to("kinetic", e.kinetic, 25.0, 1e-9);
    near_to("potential", e.potential, 10.0 * (2 * 2 + 4 * 5), 1e-4);
    near_to("elastic", e.elastic, 0.5 / 0.25 + 0.5 / 0.5, 1e-5);
    pl_residual r = pl_world_residual(w);
    near_to("residual", r.max, 0.5, 1e-6);
    near_to("mean residual", r.mean, (0.5 + 0.0 + 0.5) / 3.0, 1e-6);
    assert_int_equal(r.count, 3);
    double linear[3], angular[3];
    pl_world_momentum(w, linear, angular);
    near_to("px", linear[0], 6.0, 1e-6);
    near_to("pz", linear[2], 8.0, 1e-6);
    near_to("lx", angular[0], 2.0 * 8.0 - 3.0 * 0.0, 1e-5);
    near_to("ly", angular[1], 3.0 * 6.0 - 1.0 * 8.0, 1e-5);
    near_to("lz", angular[2], 1.0 * 0.0 - 2.0 * 6.0, 1e-5);
    good(pl_add_field(w, &(pl_field){.kind = PL_FIELD_UNIFORM, .vector = {1, 0, 0}}, NULL));
    near_to("uniform", pl_world_energy(w).potential - e.potential, -(2.0 * 1 + 4.0 * 1), 1e-5);
    e = pl_world_energy(w);
    good(pl_add_field(w, &(pl_field){.kind = PL_FIELD_ELECTRIC, .vector = {0, 6, 0}}, NULL));
    near_to("electric", pl_world_energy(w).potential - e.potential, -0.5 * 6.0 * 2.0, 1e-5);
    e = pl_world_energy(w);
    good(pl_add_field(w, &(pl_field){.kind = PL_FIELD_POINT, .origin = {1, 2, 0}, .strength = 6, .radius = 4}, NULL));
    near_to("point", pl_world_energy(w).potential - e.potential, -2.0 * 6.0 / 5.0 - 4.0 * 6.0 / sqrt(9.0 + 9.0 + 16.0),
            1e-5);
    e = pl_world_energy(w);
    good(pl_add_field(w, &(pl_field){.kind = PL_FIELD_DRAG, .strength = 6}, NULL));
    near_to("a drag has none", pl_world_energy(w).potential - e.potential, 0.0, 0.0);
    pl_world_destroy(w);
}

static void more_rows_than_one_stretch(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    pl_rope_def rope = pl_default_rope_def();
    rope.segments = 700;
    rope.length = 0.5f; // laid out to 1 m: every link is twice its length
    rope.stretch.compliance = 0.1f;
    good(pl_add_rope(w, &rope, NULL));
    near_to("residual", pl_world_residual(w).mean, 1.0, 1e-3);
    near_to("elastic", pl_world_energy(w).elastic, 700 * 0.5 * pow(0.5 / 700, 2.0) / 0.1, 1e-6);
    pl_world_destroy(w);
}

static void the_hash_sees_every_bit(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    fill_world(w, 5);
    uint64_t before = pl_world_hash(w);
    pl_world_order(w);
    assert_true(before == pl_world_hash(w)); // not how it lies inside
    float x[3];
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 7, 1, x));
    float moved[3] = {x[0], nextafterf(x[1], 10.0f), x[2]};
    good(pl_set(w, PL_ATTRIBUTE_POSITION, 7, 1, moved));
    assert_true(before != pl_world_hash(w));
    good(pl_set(w, PL_ATTRIBUTE_POSITION, 7, 1, x));
    assert_true(before == pl_world_hash(w));
    const float v[3] = {0, 0, 1e-30f};
    good(pl_set(w, PL_ATTRIBUTE_VELOCITY, 20, 1, v));
    assert_true(before != pl_world_hash(w));
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energies_and_momentum),
        cmocka_unit_test(more_rows_than_one_stretch),
        cmocka_unit_test(the_hash_sees_every_bit),
    };
    return cmocka_run_group_tests_name("measure", tests, NULL, NULL);
}
