// Constraints in and out: parameters, softness, forces, values.
#include "support/support.h"

static void a_hanging_mass(void **state)
{
    (void)state;
    for (int integrator = 0; integrator < 2; integrator++)
    {
        pl_world *w = make_world(10, 2);
        pl_settings s = pl_world_settings(w);
        s.integrator = (pl_integrator)integrator;
        s.damping = 5.0f;
        good(pl_world_set_settings(w, &s));
        add_one(w, 0, 0, 0, 0, NULL);
        add_one(w, 0, -1, 0, 2, NULL);
        const int32_t index[2] = {0, 1};
        const float rest = 1.0f;
        pl_id block = add_rows(w, PL_KIND_DISTANCE, 1, index, &rest, 1e-3f);
        play(w, 300);
        float force, value, x[3];
        good(pl_get_rows(w, block, PL_ROW_FORCE, 0, 1, &force));
        good(pl_get_rows(w, block, PL_ROW_VALUE, 0, 1, &value));
        good(pl_get(w, PL_ATTRIBUTE_POSITION, 1, 1, x));
        near_to("force", fabs((double)force), 2 * 9.81, 0.02);
        near_to("stretch", (double)value, 2 * 9.81 * 1e-3, 2e-5);
        near_to("height", (double)x[1], -1.0 - 2 * 9.81 * 1e-3, 2e-5);
        // An edit elsewhere must not lose the force.
        add_one(w, 5, 0, 0, 1, NULL);
        float again;
        good(pl_get_rows(w, block, PL_ROW_FORCE, 0, 1, &again));
        assert_true(again == force);
        pl_world_destroy(w);
    }
}

static void read_and_change(void **state)
{
    (void)state;
    pl_world *w = make_world(4, 10);
    add_one(w, 0, 0, 0, 0, NULL);
    add_one(w, 0, -1, 0, 1, NULL);
    add_one(w, 0, -2, 0, 1, NULL);
    const int32_t index[4] = {0, 1, 1, 2};
    pl_softness each[2] = {{1e-4f, 0.5f, 0.9f}, {2e-4f, 0.0f, 0.8f}};
    pl_constraints_def def = pl_default_constraints_def();
    def.kind = PL_KIND_DISTANCE;
    def.count = 2;
    def.index = index;
    def.each = each;
    pl_id block;
    good(pl_add_constraints(w, &def, &block));
    float out[2];
    int32_t particles[4];
    pl_kind kind;
    int count;
    good(pl_block_info(w, block, &kind, &count));
    assert_int_equal(kind, PL_KIND_DISTANCE);
    assert_int_equal(count, 2);
    good(pl_get_row_particles(w, block, 0, 2, particles));
    assert_memory_equal(particles, index, sizeof index);
    good(pl_get_rows(w, block, PL_ROW_PARAM, 0, 2, out));
    assert_true(out[0] == 1.0f && out[1] == 1.0f);
    good(pl_get_rows(w, block, PL_ROW_COMPLIANCE, 0, 2, out));
    assert_true(out[0] == 1e-4f && out[1] == 2e-4f);
    good(pl_get_rows(w, block, PL_ROW_DAMPING, 1, 1, out));
    assert_true(out[0] == 0.0f);
    good(pl_get_rows(w, block, PL_ROW_STIFFNESS, 0, 2, out));
    assert_true(out[0] == 0.9f && out[1] == 0.8f);
    play(w, 10);
    // Shorten the second link and make both rigid: seen from the next step on.
    const float shorter = 0.5f, rigid[2] = {0, 0};
    good(pl_set_rows(w, block, PL_ROW_PARAM, 1, 1, &shorter));
    good(pl_set_rows(w, block, PL_ROW_COMPLIANCE, 0, 2, rigid));
    pl_settings s = pl_world_settings(w);
    s.damping = 10.0f;
    good(pl_world_set_settings(w, &s));
    play(w, 120);
    float x[3];
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 2, 1, x));
    near_to("height", (double)x[1], -1.5, 1e-3);
    refused(pl_set_rows(w, block, PL_ROW_FORCE, 0, 1, &shorter), PL_ERROR_ARGUMENT, "read, not set");
    pl_world_destroy(w);
}

// k' = 1 - (1 - k)^(1/n): after one substep of n iterations the share k is corrected.
static void classic_stiffness(void **state)
{
    (void)state;
    for (int iterations = 1; iterations <= 16; iterations *= 4)
    {
        pl_world *w = make_world(1, iterations);
        pl_settings s = pl_world_settings(w);
        s.solver = PL_SOLVER_PBD;
        s.gravity = (pl_vec3){0};
        good(pl_world_set_settings(w, &s));
        add_one(w, 0, 0, 0, 0, NULL);
        add_one(w, 2, 0, 0, 1, NULL);
        pl_constraints_def def = pl_default_constraints_def();
        const int32_t index[2] = {0, 1};
        const float rest = 1.0f;
        def.kind = PL_KIND_DISTANCE;
        def.count = 1;
        def.index = index;
        def.param = &rest;
        def.soft.stiffness = 0.6f;
        good(pl_add_constraints(w, &def, NULL));
        play(w, 1);
        float x[3];
        good(pl_get(w, PL_ATTRIBUTE_POSITION, 1, 1, x));
        near_to("what is left", (double)x[0], 1.4, 1e-5);
        pl_world_destroy(w);
    }
}

// Damping with a compliance slows an oscillation by the given N s/m: x'' = -(x/c + d x')/m.
static void constraint_damping(void **state)
{
    (void)state;
    double amplitude[2];
    for (int damped = 0; damped < 2; damped++)
    {
        pl_world *w = make_world(20, 1);
        set_gravity(w, 0.0f);
        add_one(w, 0, 0, 0, 0, NULL);
        add_one(w, 1.1f, 0, 0, 1, NULL);
        pl_constraints_def def = pl_default_constraints_def();
        const int32_t index[2] = {0, 1};
        const float rest = 1.0f;
        def.kind = PL_KIND_DISTANCE;
        def.count = 1;
        def.index = index;
        def.param = &rest;
        def.soft.compliance = 1e-2f;
        def.soft.damping = damped ? 2.0f : 0.0f;
        good(pl_add_constraints(w, &def, NULL));
        play(w, 60);
        pl_energy e = pl_world_energy(w);
        amplitude[damped] = sqrt(2.0 * 1e-2 * (e.kinetic + e.elastic));
        pl_world_destroy(w);
    }
    near_to("what one second leaves", amplitude[1] / amplitude[0], exp(-1.0), 0.03); // exp(-d t/2m)
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hanging_mass),
        cmocka_unit_test(read_and_change),
        cmocka_unit_test(classic_stiffness),
        cmocka_unit_test(constraint_damping),
    };
    return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
