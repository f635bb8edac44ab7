// test_judge.c: the engine before the judge. With growing iterations XPBD comes near the exact implicit step, positions and
// forces, on a cloth and on a bar; what remains once the sweeps have converged shrinks with the step.
// long: too
#include "support/long.h"
#include "judged.h"

static verdict run(const scene *s, pl_integrator integrator, int frames, int substeps, int iterations)
{
    pl_settings settings = judged_settings(substeps, iterations);
    settings.integrator = integrator;
    return judged(s, settings, frames);
}

static const scene cloth = {"cloth", make_cloth}, isometric = {"isometric cloth", make_isometric},
                   bar = {"bar", make_bar};

static void iterations_bring_it_near(const scene *s)
{
    const int frames = is_long() ? 12 : 6;
    verdict few = run(s, PL_INTEGRATOR_BDF1, frames, 8, 1), more = run(s, PL_INTEGRATOR_BDF1, frames, 8, 8);
    verdict many = run(s, PL_INTEGRATOR_BDF1, frames, 8, 400), second = run(s, PL_INTEGRATOR_BDF2, frames, 8, 400);
    below("positions, more iterations", more.position, 0.5 * few.position);
    below("forces, more iterations", more.force, 0.5 * few.force);
    below("positions, many iterations", many.position, 1e-3);
    below("forces, many iterations", many.force, 1e-2);
    below("positions, BDF2", second.position, 1e-3);
    below("forces, BDF2", second.force, 1e-2);
}

static void a_shorter_step_leaves_less(const scene *s)
{
    verdict last = {1.0, 1.0};
    for (int substeps = 2; substeps <= 8; substeps *= 2)
    {
        verdict v = run(s, PL_INTEGRATOR_BDF1, is_long() ? 12 : 6, substeps, 1000);
        below("positions, converged, shorter step", v.position, 0.75 * last.position);
        last = v;
    }
}

// The kinds that neither cloth nor bar has, each alone on a row of nine particles whose first is held.
static void alone(pl_kind kind, int count, const int32_t *index, const float *param, double compliance, int frames)
{
    float x[27], mass[9];
    for (int i = 0; i < 9; ++i)
    {
        x[3 * i] = 0.09f * (float)i;
        x[3 * i + 1] = 0.0f;
        x[3 * i + 2] = 0.01f * (float)(i % 2);
        mass[i] = i == 0 ? 0.0f : 0.05f;
    }
    pl_world *world = make_world(8, 400);
    add_particles(world, 9, x, mass);
    pl_id block = add_rows(world, kind, count, index, param, compliance, 1.0);
    judge *j = judge_from_world(world);
    assert_non_null(j);
    assert_int_equal(judge_add_block(j, world, block), PL_OK);
    double start[27];
    memcpy(start, j->x, sizeof start);
    for (int n = 0; n < frames * 8; ++n)
    {
        assert_true(judge_step(j, 1.0 / 480.0, NULL));
    }
    steps(world, frames, 1.0 / 60.0);
    verdict v = {position_error(world, j, start), block_error(world, j, block, 0, count)};
    print_message("%s: positions %.2e, forces %.2e\n", pl_kind_describe(kind)->name, v.position, v.force);
    below("positions", v.position, 1e-3);
    below("forces", v.force, 1e-2);
    judge_destroy(j);
    pl_world_destroy(world);
}

static void one_sided_kinds(void **state)
{
    (void)state;
    const int32_t chain[16] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8};
    const float longer[8] = {0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f}; // slack at first, taut as it falls
    alone(PL_KIND_DISTANCE_MAX, 8, chain, longer, 1e-3, 12);
    alone(PL_KIND_DISTANCE_MIN, 8, chain, longer, 1e-2, 1); // pushes while they are too near
    alone(PL_KIND_TETHER, 2, (int32_t[]){8, 0, 6, 0}, (float[]){0.6f, 0.5f}, 1e-2, 1);
    alone(PL_KIND_PIN, 1, (int32_t[]){4}, (float[]){0.3f, 0.2f, 0.1f, 0.0f, 0.0f, 0.0f}, 0.02, 12);
}

static void cloth_near(void **state)
{
    (void)state;
    iterations_bring_it_near(&cloth);
}

static void isometric_near(void **state)
{
    (void)state;
    iterations_bring_it_near(&isometric);
}

static void bar_near(void **state)
{
    (void)state;
    iterations_bring_it_near(&bar);
}

static void cloth_shrinks(void **state)
{
    (void)state;
    a_shorter_step_leaves_less(&cloth);
}

static void bar_shrinks(void **state)
{
    (void)state;
    a_shorter_step_leaves_less(&bar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cloth_near),      cmocka_unit_test(isometric_near), cmocka_unit_test(bar_near),
        cmocka_unit_test(one_sided_kinds), cmocka_unit_test(cloth_shrinks),  cmocka_unit_test(bar_shrinks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
