// The measured error of forces against what the same world does with many iterations, and the expected one.
#include "support/support.h"

// A cloth of n x n particles that hangs from its top edge, with a damping that brings it to rest.
static pl_world *hanging(int n, int substeps, int iterations, float compliance)
{
    pl_world_def def = small_def(substeps, iterations);
    def.settings.damping = 8.0f;
    pl_world *w = NULL;
    good(pl_world_create(&def, &w));
    pl_cloth_def cloth = pl_default_cloth_def();
    int32_t pinned[64];
    for (int i = 0; i < n; i++)
        pinned[i] = i;
    cloth.columns = cloth.rows = n;
    cloth.v = (pl_vec3){0, -1, 0};
    cloth.mass = 0.3f;
    cloth.stretch.compliance = compliance;
    cloth.shear.compliance = 2.0f * compliance;
    cloth.bending = PL_BENDING_NONE;
    cloth.pinned = pinned;
    cloth.pinned_count = n;
    good(pl_add_cloth(w, &cloth, NULL));
    return w;
}

static double sag_of(pl_world *w, int frames)
{
    for (int i = 0; i < frames; i++)
        good(pl_world_step(w, 1.0f / 60.0f));
    float x[3];
    good(pl_get(w, PL_ATTRIBUTE_POSITION, pl_particle_end(w) - 1, 1, x));
    return -1.0 - (double)x[1];
}

// A cloth under its weight is 1/(1 - error) times as long as it should: the error is found without knowing the truth.
static void tells_how_far_a_cloth_sags(void **state)
{
    (void)state;
    static const struct
    {
        int n, substeps, iterations;
    } cases[] = {{15, 10, 1}, {15, 20, 1}, {15, 20, 4}, {30, 20, 1}, {30, 20, 4}, {30, 40, 2}};
    double truth[2] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        int fine = cases[i].n == 30;
        if (truth[fine] == 0.0)
        {
            pl_world *exact = hanging(cases[i].n, 20, 60, 0.004f);
            truth[fine] = sag_of(exact, 120);
            pl_convergence c = pl_world_convergence(exact);
            assert_true(c.measured && c.settled);
            below("error of the converged", c.force_error, 1e-3);
            assert_int_equal(c.substeps, 20);
            assert_int_equal(c.iterations, 60);
            pl_world_destroy(exact);
        }
        pl_world *w = hanging(cases[i].n, cases[i].substeps, cases[i].iterations, 0.004f);
        pl_convergence expected = pl_world_expected_convergence(w, 1.0f / 60.0f);
        double error = 1.0 - truth[fine] / sag_of(w, 120);
        uint64_t hash = pl_world_hash(w);
        pl_convergence c = pl_world_convergence(w);
        assert_true(c.measured && c.settled && c.count > 0);
        assert_true(pl_world_hash(w) == hash);
        near_to("measured error", c.force_error, error, 0.25 * error + 0.005);
        near_to("expected error", expected.force_error, error, 0.5 * error + 0.01);
        pl_world_destroy(w);
    }
}

// With the settings that are recommended, the error is about what was promised.
static void advice_helps(void **state)
{
    (void)state;
    for (int measured = 0; measured < 2; measured++)
    {
        pl_world *w = hanging(24, 10, 1, 0.002f);
        pl_settings s = pl_world_settings(w);
        good(pl_recommend_settings(w, 1.0f / 60.0f, &s));
        if (measured)
        {
            sag_of(w, 60);
            pl_convergence c = pl_world_convergence(w);
            assert_true(c.force_error > 0.5);
            s.substeps = c.substeps, s.iterations = c.iterations;
        }
        assert_in_range(s.substeps * s.iterations, 40, 200);
        good(pl_world_set_settings(w, &s));
        sag_of(w, 120);
        below("error", pl_world_convergence(w).force_error, 0.08);
        pl_world_destroy(w);
    }
}

// Damping slows convergence; substeps alone are then a poor remedy.
static void damping_counts(void **state)
{
    (void)state;
    double error[2];
    for (int damped = 0; damped < 2; damped++)
    {
        pl_world *w = make_world(20, 2);
        pl_rope_def rope = pl_default_rope_def();
        rope.stretch.compliance = 1e-3f;
        rope.stretch.damping = damped ? 5.0f : 0.0f;
        rope.bend.compliance = 1.0f;
        rope.pin_first = true;
        good(pl_add_rope(w, &rope, NULL));
        error[damped] = pl_world_expected_convergence(w, 1.0f / 60.0f).force_error;
        pl_world_destroy(w);
    }
    assert_true(error[1] > error[0] + 0.1);
}

// Rigid links have no force to compare with; what they stretch by is told instead, and expected beforehand.
static void rigid_links(void **state)
{
    (void)state;
    pl_world *w = hanging(60, 10, 1, 0.0f);
    pl_convergence before = pl_world_expected_convergence(w, 1.0f / 60.0f);
    sag_of(w, 120);
    pl_convergence c = pl_world_convergence(w);
    assert_true(c.measured && c.settled && c.count == 0 && c.force_error == 0.0);
    assert_int_equal(c.rigid_count, 2 * 59 * 60 + 2 * 59 * 59);
    near_to("strain", c.rigid_strain, pl_world_residual(w).mean, 1e-12);
    assert_true(c.rigid_strain > 0.01 && c.substeps > 10);
    assert_true(before.rigid_strain > c.rigid_strain / 3.0 && before.rigid_strain < c.rigid_strain * 3.0);
    pl_settings s = pl_world_settings(w);
    s.substeps = c.substeps;
    assert_int_equal(c.iterations, 1);
    good(pl_world_set_settings(w, &s));
    sag_of(w, 120);
    below("strain after the advice", pl_world_convergence(w).rigid_strain, 0.013);
    pl_world_destroy(w);
}

// Other threads and SIMD widths, BDF2, and a snapshot give the same numbers.
static void same_bits(void **state)
{
    (void)state;
    pl_convergence first = {0};
    for (int i = 0; i < 3; i++)
    {
        pl_world *w = hanging(15, 10, 1, 0.004f);
        pl_settings s = pl_world_settings(w);
        s.integrator = PL_INTEGRATOR_BDF2;
        good(pl_world_set_settings(w, &s));
        good(pl_world_set_workers(w, i == 1 ? 3 : 1, i == 1 ? 1 : 0));
        sag_of(w, 10);
        if (i == 2)
        {
            void *data;
            size_t size;
            pl_world_def def = small_def(1, 1);
            good(pl_world_save_memory(w, &data, &size));
            pl_world_destroy(w);
            good(pl_world_load_memory(&def, data, size, &w));
            pl_free(data);
        }
        pl_convergence c = pl_world_convergence(w);
        first = i ? first : c;
        assert_true(c.force_error == first.force_error && c.rigid_strain == first.rigid_strain);
        assert_true(c.count == first.count && c.substeps == first.substeps && c.iterations == first.iterations);
        pl_world_destroy(w);
    }
}

static void nothing_to_measure(void **state)
{
    (void)state;
    assert_false(pl_world_convergence(NULL).measured);
    assert_false(pl_world_expected_convergence(NULL, 1.0f).measured);
    pl_world *w = hanging(4, 20, 1, 0.01f);
    assert_false(pl_world_convergence(w).measured);
    assert_non_null(strstr(pl_error_message(), "no step has been made"));
    assert_false(pl_world_expected_convergence(w, 0.0f).measured);
    pl_settings s = pl_world_settings(w);
    refused(pl_recommend_settings(w, -1.0f, &s), PL_ERROR_ARGUMENT, "dt is -1");
    refused(pl_recommend_settings(w, 0.01f, NULL), PL_ERROR_ARGUMENT, "settings is NULL");
    s.solver = PL_SOLVER_PBD;
    s.substeps = 3;
    good(pl_world_set_settings(w, &s));
    good(pl_world_step(w, 0.01f));
    assert_false(pl_world_convergence(w).measured);
    assert_non_null(strstr(pl_error_message(), "pbd"));
    good(pl_recommend_settings(w, 0.01f, &s));
    assert_true(s.substeps == 20 && s.iterations == 1);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_how_far_a_cloth_sags),
        cmocka_unit_test(advice_helps),
        cmocka_unit_test(damping_counts),
        cmocka_unit_test(rigid_links),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(nothing_to_measure),
    };
    return cmocka_run_group_tests_name("convergence", tests, NULL, NULL);
}
