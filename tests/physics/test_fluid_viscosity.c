// test_fluid_viscosity.c: thick fluids: plane Poiseuille flow, any viscosity is stable, a block of honey spreads slowly, and
// the bits do not depend on threads and lanes with everything on.
// long: too
#include "fluid.h"
#include "support/long.h"

#define SPACING 0.01

// ---- plane Poiseuille flow -----------------------------------------------------------------------------------------

// A slug between two plates, pulled along x by a weight. Tension keeps it in shape; only its middle is looked at.
static void flow_between_plates(void **state)
{
    (void)state;
    const int n = 10;
    const double wide = n * SPACING, nu = 0.01, mean = 0.01, pull = 12.0 * nu * mean / (wide * wide);
    pl_world *world = water_world(10, 2, 0.0);
    pl_fluid_def def = pl_default_fluid_def();
    def.spacing = (float)SPACING, def.viscosity = (float)nu, def.wall_friction = 1.0f, def.smoothing = 0.0f;
    def.jitter = 0.5f, def.tension = 0.3f, def.contact_angle = 90.0f;
    def.size = (pl_vec3){(float)(3.0 * wide), (float)wide, (float)(24.0 * SPACING)};
    good(pl_add_fluid(world, &def, NULL));
    add_plane(world, (pl_vec3){0.0f, 0.0f, 0.0f}, 0.0, 1.0, 0.0);
    add_plane(world, (pl_vec3){0.0f, (float)wide, 0.0f}, 0.0, -1.0, 0.0);
    int count = pl_particle_count(world), inside = 0;
    steps(world, 40, 1.0 / 60.0);
    pl_settings s = pl_world_settings(world);
    s.gravity.x = (float)pull;
    good(pl_world_set_settings(world, &s));
    steps(world, 36, 1.0 / 60.0); // 0.6 wide^2/nu
    float *x = positions(world, count), *v = malloc(3 * (size_t)count * sizeof *v);
    good(pl_get(world, PL_ATTRIBUTE_VELOCITY, 0, count, v));
    double speed = 0.0, off = 0.0;
    for (int i = 0; i < count; i++)
    {
        double y = (double)x[3 * i + 1] / wide, u = (double)v[3 * i] / mean;
        if (fabs((double)x[3 * i] - 1.5 * wide) > 0.5 * wide ||
            fabs((double)x[3 * i + 2] - 12.0 * SPACING) > 3.0 * SPACING)
            continue;
        speed += u, off += (u - 6.0 * y * (1.0 - y)) * (u - 6.0 * y * (1.0 - y)), inside++;
    }
    speed /= inside, off = sqrt(off / inside);
    print_message("%d particles: mean speed %.3f of Poiseuille's, off its profile by %.1f %%\n", inside, speed,
                  100.0 * off);
    near("mean speed", speed, 1.0, 0.05);
    below("deviation from the profile", off, 0.05);
    free(x);
    free(v);
    pl_world_destroy(world);
}

// ---- any viscosity is stable ---------------------------------------------------------------------------------------

// How wide a block is that has stood on a floor without slip for a second, over its width at first.
static double spread_of(double viscosity)
{
    pl_world *world = water_world(10, 2, 9.81);
    pl_fluid_def def = pl_default_fluid_def();
    def.spacing = (float)SPACING, def.viscosity = (float)viscosity, def.wall_friction = 1.0f;
    def.size = (pl_vec3){0.08f, 0.12f, 0.08f};
    good(pl_add_fluid(world, &def, NULL));
    add_plane(world, (pl_vec3){0.0f, 0.0f, 0.0f}, 0.0, 1.0, 0.0);
    int count = pl_particle_count(world);
    steps(world, 60, 1.0 / 60.0);
    float *x = positions(world, count);
    float low = 1e9f, high = -1e9f;
    for (int i = 0; i < count; i++)
        low = x[3 * i] < low ? x[3 * i] : low, high = x[3 * i] > high ? x[3 * i] : high;
    free(x);
    pl_world_destroy(world);
    return (double)(high - low) / 0.08;
}

static void thicker_fluids_spread_less(void **state)
{
    (void)state;
    static const double viscosity[] = {0.01, 0.1, 1.0, 10.0};
    double before = 1e9;
    for (int i = 0; i < 4; i++)
    {
        double wide = spread_of(viscosity[i]);
        print_message("%g m^2/s: %.2f times as wide after a second\n", viscosity[i], wide);
        assert_true(wide > 0.8 && wide < 0.97 * before);
        before = wide;
    }
}

// ---- the same bits -------------------------------------------------------------------------------------------------

// Two phases of different density, grains, a floor that they wet and rub on.
static pl_world *everything(int threads, int lanes, pl_integrator integrator)
{
    pl_world_def def = pl_default_world_def();
    def.settings.substeps = 6, def.settings.iterations = 2, def.settings.integrator = integrator;
    def.threads = threads, def.lanes = lanes;
    pl_world *world = NULL;
    good(pl_world_create(&def, &world));
    pl_fluid_def fluid = pl_default_fluid_def();
    fluid.spacing = (float)SPACING, fluid.tension = 0.1f, fluid.interface_tension = 0.05f;
    fluid.contact_angle = 60.0f, fluid.wall_friction = 0.7f, fluid.viscosity = 0.01f;
    fluid.size = (pl_vec3){0.06f, 0.06f, 0.06f};
    good(pl_add_fluid(world, &fluid, NULL));
    fluid.phase = 1, fluid.density = 700.0f, fluid.viscosity = 1e-4f, fluid.origin.y = 0.06f;
    good(pl_add_fluid(world, &fluid, NULL));
    float x[3 * 9], mass[9];
    for (int i = 0; i < 9; i++)
    {
        x[3 * i] = 0.02f + 0.01f * (float)(i % 3), x[3 * i + 1] = 0.13f, x[3 * i + 2] = 0.02f + 0.01f * (float)(i / 3);
        mass[i] = 0.002f;
    }
    add_grains(world, 9, x, mass, 0.0045);
    add_plane(world, (pl_vec3){0.0f, 0.0f, 0.0f}, 0.0, 1.0, 0.0);
    return world;
}

static void threads_and_lanes_change_nothing(void **state)
{
    (void)state;
    static const int lanes[] = {1, 4, 8, 16};
    for (int second = 0; second < 2; second++)
    {
        uint64_t first = 0;
        for (int i = 0; i < 4; i++)
        {
            pl_world_def def = pl_default_world_def();
            pl_world *trial = NULL;
            def.lanes = lanes[i];
            if (pl_world_create(&def, &trial) != PL_OK)
                continue; // this build or machine does not have that width
            pl_world_destroy(trial);
            pl_world *world = everything(i == 0 ? 1 : 2, lanes[i], second ? PL_INTEGRATOR_BDF2 : PL_INTEGRATOR_BDF1);
            steps(world, 20, 1.0 / 60.0);
            first = first ? first : pl_world_hash(world);
            assert_int_equal(pl_world_hash(world), first);
            pl_world_destroy(world);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(flow_between_plates),
                                       cmocka_unit_test(thicker_fluids_spread_less),
                                       cmocka_unit_test(threads_and_lanes_change_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
