// test_compliance.c: a mass m on a link of compliance a hangs m g a below its rest length, whatever the iterations and
// the time step, in XPBD; in PBD the stretch follows both.
#include "physics.h"

static const int iterations[] = {5, 20, 80, 200};
static const double rates[] = {30.0, 60.0, 120.0, 480.0};

// How far a mass on a link of 0.5 m has sunk once it is at rest. It hangs near the origin, because rounding sets a limit:
// float32 positions come to rest where the forces' imbalance moves them by less than one unit in the last place a step,
// ulp(y)/h^2 in acceleration. At |y| < 0.5 m and 1/480 s that is 0.07 % of gravity; at 1 m it would be 0.28 %.
static double sag(pl_solver solver, pl_integrator integrator, int sweeps, double rate, double compliance,
                  double stiffness)
{
    pl_world *world = make_world(1, sweeps);
    change(world, solver, integrator, 5.0);
    add_particles(world, 2, (float[]){0, 0.25f, 0, 0, -0.25f, 0}, (float[]){0, 2});
    add_rows(world, PL_KIND_DISTANCE, 1, (int32_t[]){0, 1}, (float[]){0.5f}, compliance, stiffness);
    steps(world, (int)(8.0 * rate), 1.0 / rate);
    double y = (double)where(world, 1).y;
    pl_world_destroy(world);
    return -0.25 - y;
}

static void xpbd_is_the_same_everywhere(void **state)
{
    (void)state;
    const double compliance = 0.002, wanted = 2.0 * GRAVITY * compliance;
    for (size_t i = 0; i < 4; ++i)
    {
        for (size_t r = 0; r < 4; ++r)
        {
            double first = sag(PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, iterations[i], rates[r], compliance, 1.0);
            double second = sag(PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, iterations[i], rates[r], compliance, 1.0);
            near("stretch of the link", first, wanted, 1e-3 * wanted);
            near("stretch of the link with BDF2", second, wanted, 1e-3 * wanted);
        }
    }
}

static void the_force_is_the_weight(void **state)
{
    (void)state;
    for (int integrator = PL_INTEGRATOR_BDF1; integrator <= PL_INTEGRATOR_BDF2; ++integrator)
    {
        pl_world *world = make_world(2, 10);
        change(world, PL_SOLVER_XPBD, (pl_integrator)integrator, 5.0);
        add_particles(world, 2, (float[]){0, 0, 0, 0, -1, 0}, (float[]){0, 2});
        pl_id link = add_rows(world, PL_KIND_DISTANCE, 1, (int32_t[]){0, 1}, (float[]){1}, 0.002, 1.0);
        steps(world, 600, 1.0 / 60.0);
        float force;
        good(pl_get_rows(world, link, PL_ROW_FORCE, 0, 1, &force));
        near("force in the link", fabs((double)force), 2.0 * GRAVITY, 1e-3 * 2.0 * GRAVITY);
        pl_world_destroy(world);
    }
}

// k' = 1 - (1 - k)^(1/n) frees one link from the iterations, but never from the step: s = (1 - k)/k g h^2.
static void pbd_follows_the_step(void **state)
{
    (void)state;
    const double k = 0.5, g = 9.81, rates[] = {30.0, 60.0, 120.0};
    for (int i = 0; i < 3; ++i)
    {
        double wanted = (1.0 - k) / k * g / (rates[i] * rates[i]);
        double stretch = sag(PL_SOLVER_PBD, PL_INTEGRATOR_BDF1, 20, rates[i], 0.0, (float)k);
        below("PBD's stretch against (1 - k)/k g h^2, relative", fabs(stretch / wanted - 1.0), 0.01);
    }
}

// And a chain of them depends on the iterations too.
static double chain_sag(pl_solver solver, int sweeps)
{
    enum
    {
        COUNT = 9
    };
    float x[3 * COUNT] = {0}, mass[COUNT];
    int32_t index[2 * (COUNT - 1)];
    for (int i = 0; i < COUNT; ++i)
    {
        x[3 * i + 1] = -0.1f * (float)i;
        mass[i] = i == 0 ? 0.0f : 0.1f;
    }
    for (int i = 0; i + 1 < COUNT; ++i)
    {
        index[2 * i] = i;
        index[2 * i + 1] = i + 1;
    }
    pl_world *world = make_world(1, sweeps);
    change(world, solver, PL_INTEGRATOR_BDF1, 5.0);
    add_particles(world, COUNT, x, mass);
    add_rows(world, PL_KIND_DISTANCE, COUNT - 1, index, NULL, 0.002, 1.0);
    steps(world, 600, 1.0 / 60.0);
    double y = (double)where(world, COUNT - 1).y;
    pl_world_destroy(world);
    return -0.1 * (COUNT - 1) - y;
}

static void chains(void **state)
{
    (void)state;
    // The link above mass i carries the i-th and all below: 0.1 g a (1 + 2 + ... + 8).
    double wanted = 0.1 * GRAVITY * 0.002 * 36.0;
    near("XPBD chain, 20 iterations", chain_sag(PL_SOLVER_XPBD, 20), wanted, 0.01 * wanted);
    near("XPBD chain, 200 iterations", chain_sag(PL_SOLVER_XPBD, 200), wanted, 1e-3 * wanted);
    double few = chain_sag(PL_SOLVER_PBD, 5), many = chain_sag(PL_SOLVER_PBD, 200);
    below("PBD's stretch at 200 iterations over that at 5", many / few, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(xpbd_is_the_same_everywhere),
        cmocka_unit_test(the_force_is_the_weight),
        cmocka_unit_test(pbd_follows_the_step),
        cmocka_unit_test(chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
