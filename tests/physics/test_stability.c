// test_stability.c: what must not explode: one sweep a substep at every size, and a flag in any wind up to 50 m/s.
// labels: slow
// long: too
#include "physics.h"
#include "support/long.h"

// Links sorted by vertex diverge with one sweep a substep; the order that colouring makes must not.
static void one_sweep(void **state)
{
    (void)state;
    const int sizes[] = {10, 14, 20, 33, 50, 70, 100, 141, 200}, substeps[] = {1, 2, 3, 5, 8, 10, 20, 40};
    size_t count = sizeof sizes / sizeof *sizes - (is_long() ? 0 : 2);
    for (size_t s = 0; s < count; ++s)
    {
        int n = sizes[s];
        float *x = malloc((size_t)(n * n) * 3 * sizeof *x), *mass = malloc((size_t)(n * n) * sizeof *mass);
        int32_t *index = malloc((size_t)(n * n) * 12 * sizeof *index);
        assert_true(x && mass && index);
        int links = grid_links(n, index);
        for (int i = 0; i < n * n; ++i)
        {
            x[3 * i] = 0.02f * (float)(i % n);
            x[3 * i + 1] = 0.0f;
            x[3 * i + 2] = 0.02f * (float)(i / n);
            mass[i] = i == 0 || i == n - 1 ? 0.0f : 0.01f;
        }
        for (size_t k = 0; k < sizeof substeps / sizeof *substeps; ++k)
        {
            pl_world *world = make_world(substeps[k], 1);
            add_particles(world, n * n, x, mass);
            add_rows(world, PL_KIND_DISTANCE, links, index, NULL, 0.0, 1.0);
            steps(world, 60, 1.0 / 60.0);
            if (!all_finite(world))
            {
                fail_msg("a cloth of %d x %d exploded at %d substeps", n, n, substeps[k]);
            }
            // It fell for 1 s. What remains is the sag of too few sweeps, not a blow-up: nothing flew upwards.
            pl_energy energy = pl_world_energy(world);
            double total = 0.01 * n * n, fall = GRAVITY; // m/s after 1 s
            below("kinetic energy", energy.kinetic, 2.0 * 0.5 * total * fall * fall);
            pl_world_destroy(world);
        }
        free(x);
        free(mass);
        free(index);
    }
}

static void flag_in_the_wind(void **state)
{
    (void)state;
    const double speeds[] = {0.0, 5.0, 12.0, 25.0, 50.0};
    for (size_t s = 0; s < sizeof speeds / sizeof *speeds; ++s)
    {
        pl_world *world = make_world(10, 2);
        pl_settings settings = pl_world_settings(world);
        settings.wind.velocity = (pl_vec3){(float)speeds[s], 0.0f, 0.3f};
        settings.wind.gust = 0.5f;
        settings.wind.gust_size = 1.0f;
        settings.wind.density = 1.2f;
        good(pl_world_set_settings(world, &settings));
        enum
        {
            COLUMNS = 40,
            ROWS = 27
        };
        int32_t pinned[ROWS];
        for (int i = 0; i < ROWS; ++i)
        {
            pinned[i] = i * COLUMNS;
        }
        pl_cloth_def def = pl_default_cloth_def();
        def.columns = COLUMNS;
        def.rows = ROWS;
        def.origin = (pl_vec3){0.0f, 2.0f, 0.0f};
        def.u = (pl_vec3){1.5f, 0.0f, 0.0f};
        def.v = (pl_vec3){0.0f, -1.0f, 0.0f};
        def.mass = 0.2f;
        def.drag = 1.0f;
        def.lift = 1.0f;
        def.pinned = pinned;
        def.pinned_count = ROWS;
        pl_id flag;
        good(pl_add_cloth(world, &def, &flag));
        double reach = 0.0;
        for (int n = 0; n < 300; ++n)
        {
            steps(world, 1, 1.0 / 60.0);
            assert_true(all_finite(world));
            double x = (double)where(world, ROWS / 2 * COLUMNS + COLUMNS - 1).x;
            reach += n >= 200 ? x / 100.0 : 0.0;
        }
        below("stretch of the flag", pl_world_residual(world).mean, 0.2);
        pl_energy energy = pl_world_energy(world);
        below("speed of the flag", sqrt(2.0 * energy.kinetic / 0.2), 5.0 + 2.0 * speeds[s]);
        if (speeds[s] >= 12.0)
        {
            below("the half of its length", 0.75, reach); // it flies
        }
        else if (speeds[s] == 0.0)
        {
            below("reach without wind", reach, 0.9); // it hangs
        }
        pl_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flag_in_the_wind),
        cmocka_unit_test(one_sweep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
