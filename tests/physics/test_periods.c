// test_periods.c: how long a swing takes, and how much of it is left: oscillator and pendulum.
#include "physics.h"

static const double PI = 3.14159265358979323846;

// The mean period from the upward zero crossings of a particle's x, interpolated between frames.
static double period(pl_world *world, int particle, double centre, double dt, int swings)
{
    double first = -1.0, last = 0.0, before = (double)where(world, particle).x - centre;
    int crossings = 0;
    for (int n = 1; n < 100000 && crossings <= swings; ++n)
    {
        steps(world, 1, dt);
        double now = (double)where(world, particle).x - centre;
        if (before < 0.0 && now >= 0.0)
        {
            last = (n - now / (now - before)) * dt;
            first = crossings == 0 ? last : first;
            ++crossings;
        }
        before = now;
    }
    assert_int_equal(crossings, swings + 1);
    return (last - first) / swings;
}

static void oscillator(void **state)
{
    (void)state;
    for (int integrator = PL_INTEGRATOR_BDF1; integrator <= PL_INTEGRATOR_BDF2; ++integrator)
    {
        const double mass = 0.5, compliance = 0.05; // omega = 6.32 rad/s
        pl_world *world = make_world(10, 2);
        weightless(world);
        change(world, PL_SOLVER_XPBD, (pl_integrator)integrator, 0.0);
        add_particles(world, 2, (float[]){0, 0, 0, 1.2f, 0, 0}, (float[]){0, (float)mass});
        add_rows(world, PL_KIND_DISTANCE, 1, (int32_t[]){0, 1}, (float[]){1}, compliance, 1.0);
        double wanted = 2.0 * PI * sqrt(mass * compliance);
        near("period of the oscillator", period(world, 1, 1.0, 1.0 / 60.0, 5), wanted, 5e-3 * wanted);
        pl_world_destroy(world);
    }
}

static pl_world *pendulum(int substeps, pl_integrator integrator, double angle)
{
    pl_world *world = make_world(substeps, 4);
    change(world, PL_SOLVER_XPBD, integrator, 0.0);
    add_particles(world, 2, (float[]){0, 0, 0, (float)sin(angle), (float)-cos(angle), 0}, (float[]){0, 1});
    add_rows(world, PL_KIND_DISTANCE, 1, (int32_t[]){0, 1}, (float[]){1}, 0.0, 1.0);
    return world;
}

static void pendulum_period(void **state)
{
    (void)state;
    for (int integrator = PL_INTEGRATOR_BDF1; integrator <= PL_INTEGRATOR_BDF2; ++integrator)
    {
        pl_world *world = pendulum(20, (pl_integrator)integrator, 0.2);
        double wanted = 2.0 * PI * sqrt(1.0 / GRAVITY) * (1.0 + 0.2 * 0.2 / 16.0);
        near("period at 0.2 rad", period(world, 1, 0.0, 1.0 / 60.0, 4), wanted, 5e-3 * wanted);
        pl_world_destroy(world);
    }
    // From 90 degrees the period is longer by K(sin 45 degrees) 2/pi = 1.180341.
    pl_world *world = pendulum(20, PL_INTEGRATOR_BDF2, PI / 2.0);
    double wanted = 2.0 * PI * sqrt(1.0 / GRAVITY) * 1.180341;
    near("period from 90 degrees", period(world, 1, 0.0, 1.0 / 60.0, 4), wanted, 5e-3 * wanted);
    pl_world_destroy(world);
}

// One substep of 1/60 s for 10 s. The wanted numbers were computed independently with an exact projection on the circle.
static void pendulum_energy(void **state)
{
    (void)state;
    const double wanted[2] = {0.104, 0.974};
    for (int integrator = PL_INTEGRATOR_BDF1; integrator <= PL_INTEGRATOR_BDF2; ++integrator)
    {
        pl_world *world = pendulum(1, (pl_integrator)integrator, PI / 2.0);
        steps(world, 600, 1.0 / 60.0);
        float v[3];
        good(pl_get(world, PL_ATTRIBUTE_VELOCITY, 1, 1, v));
        double kinetic = 0.0;
        for (int k = 0; k < 3; ++k)
        {
            kinetic += 0.5 * (double)v[k] * (double)v[k];
        }
        double kept = (kinetic + GRAVITY * ((double)where(world, 1).y + 1.0)) / GRAVITY;
        near("energy kept", kept, wanted[integrator], 0.01);
        near("the world's own account", pl_world_energy(world).kinetic, kinetic, 1e-6);
        pl_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oscillator),
        cmocka_unit_test(pendulum_period),
        cmocka_unit_test(pendulum_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
