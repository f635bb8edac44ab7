// test_fluid_vorticity.c: vorticity confinement keeps the energy of an eddy longer, adds none whatever its strength, and keeps
// momentum; drag brings a drop to its terminal velocity and acts on exposed particles alone; neither threads nor lanes
// change the bits.
#include "fluid.h"

#define SPACING 0.05
#define FRAME (1.0 / 60.0)

// A tank of n x 6 x n spacings, in which all of the water turns about the vertical: u = curl of sin(kx) sin(kz).
static pl_world *eddy(int n, int still, float vorticity, int threads, int lanes)
{
    pl_world_def w = pl_default_world_def();
    pl_world *world = NULL;
    pl_id id;
    w.settings.substeps = 10, w.settings.iterations = 2;
    w.threads = threads, w.lanes = lanes;
    good(pl_world_create(&w, &world));
    pl_fluid_def def = pl_default_fluid_def();
    const float side = (float)SPACING * (float)n;
    def.spacing = (float)SPACING, def.size = (pl_vec3){side, 6.0f * (float)SPACING, side};
    def.vorticity = vorticity;
    def.smoothing = 0.05f;
    good(pl_add_fluid(world, &def, &id));
    add_tank(world, (pl_vec3){0.0f, 0.0f, 0.0f}, (double)side, (double)side);
    int count = pl_particle_end(world);
    steps(world, still, FRAME); // comes to rest
    float *x = positions(world, count);
    for (int i = 0; i < count; i++)
    {
        double a = 3.14159265 * (double)x[3 * i] / (double)side, b = 3.14159265 * (double)x[3 * i + 2] / (double)side;
        x[3 * i] = (float)(0.4 * sin(a) * cos(b)), x[3 * i + 1] = 0.0f, x[3 * i + 2] = (float)(-0.4 * cos(a) * sin(b));
    }
    good(pl_set(world, PL_ATTRIBUTE_VELOCITY, 0, count, x));
    free(x);
    return world;
}

static void an_eddy_keeps_more_energy(void **state)
{
    (void)state;
    static const float strength[] = {0.0f, 3.0f, 1e6f};
    double left[3], first = 0.0;
    for (int k = 0; k < 3; k++)
    {
        pl_world *world = eddy(14, 45, strength[k], 2, 0);
        double most = 0.0;
        first = pl_world_energy(world).kinetic;
        for (int frame = 0; frame < 24; frame++)
        {
            steps(world, 1, FRAME);
            double now = pl_world_energy(world).kinetic;
            most = now > most ? now : most;
        }
        left[k] = pl_world_energy(world).kinetic / first;
        print_message("strength %g: %.4f of the energy after 0.4 s, at most %.4f\n", (double)strength[k], left[k],
                      most / first);
        assert_true(most <= first);
        pl_world_destroy(world);
    }
    assert_true(left[1] > 1.1 * left[0] && left[2] > 1.1 * left[0]);
}

// A free ball with an eddy in it and a part that flies off: the sum of momenta stays, two masses included.
static void momentum_is_kept(void **state)
{
    (void)state;
    pl_world *world = water_world(6, 2, 0.0);
    pl_fluid_def def = pl_default_fluid_def();
    pl_id id;
    def.spacing = (float)SPACING, def.form = PL_FLUID_BALL, def.size = (pl_vec3){0.5f, 0.5f, 0.5f};
    def.vorticity = 5.0f;
    good(pl_add_fluid(world, &def, &id));
    def.density = 3000.0f, def.origin.x = 0.5f, def.velocity = (pl_vec3){-1.0f, 0.3f, 0.0f};
    good(pl_add_fluid(world, &def, &id));
    double p[3], before[3], l[3];
    pl_world_momentum(world, before, l);
    steps(world, 40, FRAME);
    pl_world_momentum(world, p, l);
    double size = sqrt(before[0] * before[0] + before[1] * before[1]);
    for (int c = 0; c < 3; c++)
        near("momentum", p[c], before[c], 1e-5 * size);
    print_message("momentum kept to %.1e\n", fabs(p[0] - before[0]) / size);
    pl_world_destroy(world);
}

static pl_world *drop(float drag)
{
    static const float at[3] = {0.0f, 0.0f, 0.0f};
    pl_world *world = water_world(10, 1, 9.81);
    pl_fluid_def def = pl_default_fluid_def();
    pl_id id;
    def.position = at, def.count = 1, def.drag = drag;
    good(pl_add_fluid(world, &def, &id));
    return world;
}

// v(t) = g/k (1 - exp(-k t)), of a single drop; in wind it takes on its velocity.
static void a_drop_reaches_its_terminal_velocity(void **state)
{
    (void)state;
    const double k = 4.0, last = -9.81 / k;
    pl_world *world = drop((float)k);
    pl_settings s = pl_world_settings(world);
    s.wind.velocity = (pl_vec3){0.5f, 0.0f, 0.0f}, s.wind.density = 0.0f;
    good(pl_world_set_settings(world, &s));
    float v[3];
    steps(world, 15, FRAME);
    good(pl_get(world, PL_ATTRIBUTE_VELOCITY, 0, 1, v));
    near("speed after 0.25 s", (double)v[1], last * (1.0 - exp(-1.0)), 0.01 * fabs(last));
    steps(world, 165, FRAME);
    good(pl_get(world, PL_ATTRIBUTE_VELOCITY, 0, 1, v));
    print_message("terminal velocity %.5f m/s, wanted %.5f; with the wind %.5f of 0.5\n", (double)v[1], last,
                  (double)v[0]);
    near("terminal velocity", (double)v[1], last, 1e-4 * fabs(last));
    near("speed of the wind", (double)v[0], 0.5, 1e-4);
    pl_world_destroy(world);
}

// The particles inside of a block are covered: only its outer layer is slowed down, and the block as a whole by a share.
static void covered_particles_have_no_drag(void **state)
{
    (void)state;
    pl_world *world = water_world(10, 1, 0.0);
    pl_fluid_def def = pl_default_fluid_def();
    pl_id id;
    def.spacing = (float)SPACING, def.size = (pl_vec3){0.6f, 0.6f, 0.6f};
    def.drag = 4.0f, def.velocity = (pl_vec3){1.0f, 0.0f, 0.0f}, def.smoothing = def.jitter = 0.0f;
    good(pl_add_fluid(world, &def, &id));
    int count = pl_particle_end(world);
    float *v = malloc(3 * (size_t)count * sizeof *v), *x = positions(world, count);
    double inner = 0.0, outer = 0.0;
    int inside = 0;
    steps(world, 3, FRAME);
    good(pl_get(world, PL_ATTRIBUTE_VELOCITY, 0, count, v));
    for (int i = 0; i < count; i++)
    {
        bool in = true;
        for (int c = 0; c < 3; c++)
            in &= fabs((double)x[3 * i + c] - 0.3) < 0.25 - 0.5 * SPACING;
        inside += in;
        *(in ? &inner : &outer) += (double)v[3 * i];
    }
    inner /= inside, outer /= count - inside;
    print_message("inside %.4f m/s, at the surface %.4f, alone %.4f\n", inner, outer, exp(-4.0 * 0.05));
    near("speed inside", inner, 1.0, 0.01);
    assert_true(outer < 0.98 && outer > 0.85);
    free(v), free(x);
    pl_world_destroy(world);
}

static void nothing_changes_the_bits(void **state)
{
    (void)state;
    static const int lanes[] = {1, 4, 8, 16};
    uint64_t first = 0;
    for (int i = 0; i < 4; i++)
    {
        pl_world_def def = pl_default_world_def();
        pl_world *trial = NULL;
        def.lanes = lanes[i];
        if (pl_world_create(&def, &trial) != PL_OK)
            continue; // this build or machine does not have that width
        pl_world_destroy(trial);
        pl_world *world = eddy(8, 1, 3.0f, i == 0 ? 1 : 3, lanes[i]);
        pl_fluid_def flow = pl_default_fluid_def();
        flow.vorticity = 2.0f, flow.drag = 3.0f, flow.viscosity = 1e-4f;
        steps(world, 5, FRAME);
        good(pl_set_fluid(world, 0, pl_particle_end(world), &flow)); // while it flows
        if (i)
            world = saved_and_loaded(world);
        steps(world, 5, FRAME);
        first = first ? first : pl_world_hash(world);
        assert_int_equal(pl_world_hash(world), first);
        pl_world_destroy(world);
    }
}

static void bad_values_are_refused(void **state)
{
    (void)state;
    pl_world *world = drop(1.0f);
    pl_fluid_def def = pl_default_fluid_def();
    def.vorticity = -1.0f;
    refused_for(pl_set_fluid(world, 0, 1, &def), "vorticity");
    def = pl_default_fluid_def();
    def.drag = NAN;
    refused_for(pl_set_fluid(world, 0, 1, &def), "drag");
    pl_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_eddy_keeps_more_energy),
                                       cmocka_unit_test(momentum_is_kept),
                                       cmocka_unit_test(a_drop_reaches_its_terminal_velocity),
                                       cmocka_unit_test(covered_particles_have_no_drag),
                                       cmocka_unit_test(nothing_changes_the_bits),
                                       cmocka_unit_test(bad_values_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
