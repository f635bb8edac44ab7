// test_solver_trials.c: trials find settings that reach the wanted error, the cheapest of those that they try; the choice does
// not depend on threads and lanes; `"solver": "auto"` uses it.
#include "physics/physics.h"

enum
{
    SIDE = 9,
    ROOM = 256,
};

static pl_world *make_sheet(int threads, int lanes)
{
    pl_world_def def = pl_default_world_def();
    def.threads = threads, def.lanes = lanes;
    pl_world *world;
    good(pl_world_create(&def, &world));
    pl_cloth_def cloth = pl_default_cloth_def();
    cloth.columns = cloth.rows = SIDE;
    cloth.u = (pl_vec3){1.0f, 0.0f, 0.0f};
    cloth.v = (pl_vec3){0.0f, 0.0f, 1.0f};
    cloth.mass = 0.2f;
    cloth.stretch.compliance = cloth.shear.compliance = 1e-7f;
    cloth.pinned = (int32_t[]){0, SIDE - 1};
    cloth.pinned_count = 2;
    good(pl_add_cloth(world, &cloth, NULL));
    return world;
}

static void positions_with(const pl_solver_trial *t, pl_integrator integrator, int frames, float *x)
{
    pl_world *world = make_sheet(1, 0);
    pl_settings s = pl_world_settings(world);
    s.solver = t->solver, s.substeps = t->substeps, s.iterations = t->iterations, s.integrator = integrator;
    good(pl_world_set_settings(world, &s));
    steps(world, frames, (double)pl_default_solver_trials_def().dt);
    good(pl_get(world, PL_ATTRIBUTE_POSITION, 0, SIDE * SIDE, x));
    pl_world_destroy(world);
}

static void cheapest_that_reaches(void **state)
{
    (void)state;
    static pl_solver_trial trials[ROOM];
    pl_solver_trials_def def = pl_default_solver_trials_def();
    pl_solver_advice advice;
    float x[3 * SIDE * SIDE], truth[3 * SIDE * SIDE];
    def.frames = 8, def.error = 0.01;
    pl_world *world = make_sheet(1, 0);
    uint64_t before = pl_world_hash(world);
    good(pl_try_solvers(world, &def, &advice, trials, ROOM));
    assert_true(pl_world_hash(world) == before);
    pl_world_destroy(world);
    assert_true(advice.reached && advice.trials > 1 && advice.trials <= ROOM);
    below("error", advice.best.error, def.error * 1.000001);
    for (int i = 0; i + 1 < advice.trials; i++)
        assert_true(trials[i].work <= trials[i + 1].work && trials[i].error > def.error);
    positions_with(&advice.best, PL_INTEGRATOR_BDF1, def.frames, x);
    positions_with(&advice.reference, PL_INTEGRATOR_BDF2, def.frames, truth);
    double sum = 0.0;
    for (int u = 0; u < 3 * SIDE * SIDE; u++)
        sum += ((double)x[u] - (double)truth[u]) * ((double)x[u] - (double)truth[u]);
    near("error", sqrt(sum / (SIDE * SIDE)) / sqrt(2.0), advice.best.error, 1e-9);
    print_message("%d trials: solver %d, %d x %d, error %.2e\n", advice.trials, (int)advice.best.solver,
                  advice.best.substeps, advice.best.iterations, advice.best.error);
}

static void same_on_all_workers(void **state)
{
    (void)state;
    pl_solver_trials_def def = pl_default_solver_trials_def();
    pl_solver_advice wanted, advice;
    def.frames = 4, def.error = 0.002, def.iterations = 2;
    pl_world *world = make_sheet(1, 1);
    good(pl_try_solvers(world, &def, &wanted, NULL, 0));
    pl_world_destroy(world);
    assert_int_equal(wanted.best.iterations, 2);
    world = make_sheet(3, 0);
    good(pl_try_solvers(world, &def, &advice, NULL, 0));
    pl_world_destroy(world);
    assert_memory_equal(&advice.best.error, &wanted.best.error, sizeof(double));
    assert_true(advice.best.solver == wanted.best.solver && advice.best.substeps == wanted.best.substeps &&
                advice.best.work == wanted.best.work && advice.trials == wanted.trials);
}

static void refusals(void **state)
{
    (void)state;
    pl_solver_trials_def def = pl_default_solver_trials_def();
    pl_solver_advice advice;
    pl_world *empty = make_world(1, 1), *world = make_sheet(1, 0);
    assert_int_equal(pl_try_solvers(empty, &def, &advice, NULL, 0), PL_ERROR_UNSUPPORTED);
    def.error = 0.0;
    assert_int_equal(pl_try_solvers(world, &def, &advice, NULL, 0), PL_ERROR_ARGUMENT);
    def.error = 0.1, def.budget = 1.0;
    assert_int_equal(pl_try_solvers(world, &def, &advice, NULL, 0), PL_ERROR_UNSUPPORTED);
    change(world, PL_SOLVER_PBD, PL_INTEGRATOR_BDF1, 0.0);
    def.budget = 0.0;
    assert_int_equal(pl_try_solvers(world, &def, &advice, NULL, 0), PL_ERROR_UNSUPPORTED);
    pl_world_destroy(empty);
    pl_world_destroy(world);
}

static void scene_chooses(void **state)
{
    (void)state;
    static const char text[] =
        "{\"solver\": \"auto\", \"substeps\": 4, \"frames\": 3, \"rope\": {\"name\": \"r\", \"segments\": 30, "
        "\"from\": [0, 0, 0], \"to\": [1, 0, 0], \"stretch\": {\"compliance\": 1e-6}, \"pin_first\": true}}";
    pl_solver_trials_def def = pl_default_solver_trials_def();
    pl_solver_advice advice;
    pl_scene *scene = NULL;
    pl_world *chosen = NULL, *plain = NULL;
    const char *xpbd[] = {"solver=xpbd"};
    good(pl_scene_parse(text, sizeof text - 1, "rope.json", NULL, 0, &scene));
    good(pl_scene_world(scene, NULL, &chosen));
    pl_scene_free(scene);
    good(pl_scene_parse(text, sizeof text - 1, "rope.json", xpbd, 1, &scene));
    good(pl_scene_world(scene, NULL, &plain));
    def.dt = pl_scene_describe(scene).dt;
    def.frames = 3, def.substeps = 4, def.portable = true;
    good(pl_try_solvers(plain, &def, &advice, NULL, 0));
    pl_settings s = pl_world_settings(chosen);
    assert_int_equal(s.solver, advice.best.solver);
    assert_int_equal(s.substeps, 4);
    assert_int_equal(s.iterations, advice.best.iterations);
    pl_world_destroy(chosen);
    pl_world_destroy(plain);
    pl_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cheapest_that_reaches),
        cmocka_unit_test(same_on_all_workers),
        cmocka_unit_test(refusals),
        cmocka_unit_test(scene_chooses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
