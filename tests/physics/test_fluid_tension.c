// test_fluid_tension.c: surface tension in N/m: a cube of water without gravity becomes a ball, a ball oscillates at Rayleigh's
// frequency, a drop that turns keeps its momentum, and drops on a floor have their contact angle. Bad values are refused.
// long: too
#include "fluid.h"
#include "support/long.h"

#define SPACING 0.01
static const double pi = 3.14159265358979;

static pl_world *add_drop(pl_fluid_form form, int points, pl_fluid_def *def)
{
    pl_world *world = water_world(10, 2, 0.0);
    float size = (float)(SPACING * points), corner = -0.5f * size;
    *def = pl_default_fluid_def();
    def->spacing = (float)SPACING, def->form = form, def->tension = 1.0f, def->smoothing = 0.05f;
    def->size = (pl_vec3){size, size, size}, def->origin = (pl_vec3){corner, corner, corner};
    good(pl_add_fluid(world, def, NULL));
    return world;
}

static double radius_of(int count) { return cbrt(count * SPACING * SPACING * SPACING * 3.0 / (4.0 * pi)); }

// Rayleigh (1879), mode 2: omega^2 = 8 tension/(density radius^3).
static double rayleigh(double tension, double radius)
{
    return sqrt(8.0 * tension / (1000.0 * radius * radius * radius));
}

// ---- a cube becomes a ball -----------------------------------------------------------------------------------------

static void a_cube_becomes_a_ball(void **state)
{
    (void)state;
    pl_fluid_def def;
    pl_world *world = add_drop(PL_FLUID_BOX, 14, &def);
    int count = pl_particle_count(world), looks = 200;
    steps(world, (int)(60.0 * 4.0 * pi / rayleigh(1.0, radius_of(count))), 1.0 / 60.0);
    float *x = positions(world, count);
    double centre[3] = {0.0, 0.0, 0.0}, low = 1e9, high = 0.0, mean = 0.0;
    for (int i = 0; i < 3 * count; i++)
        centre[i % 3] += (double)x[i] / count;
    for (int k = 0; k < looks; k++) // the farthest particle in each of many directions
    {
        double z = 1.0 - 2.0 * (k + 0.5) / looks, r = sqrt(1.0 - z * z), most = 0.0;
        double way[3] = {r * cos(2.399963 * k), r * sin(2.399963 * k), z};
        for (int i = 0; i < count; i++)
        {
            double along = 0.0, square = 0.0;
            for (int c = 0; c < 3; c++)
            {
                double u = (double)x[3 * i + c] - centre[c];
                along += u * way[c], square += u * u;
            }
            most = along > 0.0 && along * along > 0.95 * square && square > most * most ? sqrt(square) : most;
        }
        low = fmin(low, most), high = fmax(high, most), mean += most / looks;
    }
    print_message("%d particles: radius from %+.1f %% to %+.1f %% of its mean\n", count, 100.0 * (low / mean - 1.0),
                  100.0 * (high / mean - 1.0));
    below("deviation of the radius", fmax(1.0 - low / mean, high / mean - 1.0), 0.05);
    free(x);
    pl_world_destroy(world);
}

// ---- oscillation ---------------------------------------------------------------------------------------------------

typedef struct swing
{
    double q, rate; // y^2 - (x^2 + z^2)/2 and its rate, mean over the particles
} swing;

static swing look_at_swing(const pl_world *world, int count)
{
    float *x = positions(world, count), *v = malloc(3 * (size_t)count * sizeof *v);
    good(pl_get(world, PL_ATTRIBUTE_VELOCITY, 0, count, v));
    swing s = {0.0, 0.0};
    for (int i = 0; i < 3 * count; i++)
    {
        double share = (i % 3 == 1 ? 1.0 : -0.5) / count;
        s.q += share * (double)x[i] * (double)x[i], s.rate += 2.0 * share * (double)x[i] * (double)v[i];
    }
    free(x);
    free(v);
    return s;
}

// Solves three equations by elimination; row: coefficients and right side.
static void solve3(double row[3][4], double *answer)
{
    for (int i = 0; i < 3; i++)
        for (int j = i + 1; j < 3; j++)
        {
            double k = row[j][i] / row[i][i];
            for (int c = i; c < 4; c++)
                row[j][c] -= k * row[i][c];
        }
    for (int i = 2; i >= 0; i--)
    {
        answer[i] = row[i][3];
        for (int j = i + 1; j < 3; j++)
            answer[i] -= row[i][j] * answer[j];
        answer[i] /= row[i][i];
    }
}

// Fits q' - q'(0) = -2 g (q - q(0)) - w^2 (integral of q - q at rest) over a period, and returns w^2.
static double fit_swing(pl_world *world, int count, int frames, double dt)
{
    double sums[3][4] = {{0.0}}, answer[3], integral = 0.0;
    swing first = look_at_swing(world, count), before = first;
    for (int frame = 1; frame <= frames; frame++)
    {
        steps(world, 1, dt);
        swing now = look_at_swing(world, count);
        integral += 0.5 * dt * (before.q + now.q);
        double term[4] = {first.q - now.q, -integral, frame * dt, now.rate - first.rate};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 4; j++)
                sums[i][j] += term[i] * term[j];
        before = now;
    }
    solve3(sums, answer);
    return answer[1];
}

static void a_drop_oscillates(void **state)
{
    (void)state;
    pl_fluid_def def;
    pl_world *world = add_drop(PL_FLUID_BALL, is_long() ? 20 : 16, &def);
    int count = pl_particle_count(world);
    double radius = radius_of(count), omega = rayleigh(1.0, radius), period = 2.0 * pi / omega, dt = 1.0 / 60.0;
    steps(world, (int)(period / dt), dt); // it leaves its lattice
    def.smoothing = 0.002f;
    good(pl_set_fluid(world, 0, count, &def));
    float *x = positions(world, count), *v = malloc(3 * (size_t)count * sizeof *v);
    for (int i = 0; i < 3 * count; i++)
        v[i] = (float)(0.1 * omega * (i % 3 == 1 ? 2.0 : -1.0)) * x[i];
    good(pl_set(world, PL_ATTRIBUTE_VELOCITY, 0, count, v));
    double found = sqrt(fit_swing(world, count, (int)(period / dt), dt));
    print_message("%d particles: frequency %.3f of Rayleigh's\n", count, found / omega);
    near("frequency", found / omega, 1.0, 0.1);
    free(x);
    free(v);
    pl_world_destroy(world);
}

// ---- momentum ------------------------------------------------------------------------------------------------------

static void a_turning_drop_keeps_its_momentum(void **state)
{
    (void)state;
    for (int thick = 0; thick < 2; thick++) // explicit and implicit viscosity
    {
        pl_fluid_def def;
        pl_world *world = add_drop(PL_FLUID_BALL, 10, &def);
        int count = pl_particle_count(world);
        def.viscosity = thick ? 0.05f : 1e-4f;
        good(pl_set_fluid(world, 0, count, &def));
        float *x = positions(world, count), *v = malloc(3 * (size_t)count * sizeof *v);
        for (int i = 0; i < count; i++)
            v[3 * i] = 1.0f - 5.0f * x[3 * i + 1], v[3 * i + 1] = 0.3f + 5.0f * x[3 * i], v[3 * i + 2] = -0.2f;
        good(pl_set(world, PL_ATTRIBUTE_VELOCITY, 0, count, v));
        double p0[3], l0[3], p[3], l[3], lost = 0.0, turned = 0.0, size = 0.0, spin = 0.0;
        pl_world_momentum(world, p0, l0);
        steps(world, is_long() ? 300 : 60, 1.0 / 60.0);
        pl_world_momentum(world, p, l);
        for (int k = 0; k < 3; k++)
        {
            lost += (p[k] - p0[k]) * (p[k] - p0[k]), size += p0[k] * p0[k];
            turned += (l[k] - l0[k]) * (l[k] - l0[k]), spin += l0[k] * l0[k];
        }
        print_message("viscosity %g: momentum lost %.1e, angular momentum %.1e\n", (double)def.viscosity,
                      sqrt(lost / size), sqrt(turned / spin));
        below("momentum lost", sqrt(lost / size), 1e-5);
        below("angular momentum lost", sqrt(turned / spin), 1e-3);
        free(x);
        free(v);
        pl_world_destroy(world);
    }
}

// ---- contact angle -------------------------------------------------------------------------------------------------

// How high the middle of a drop on a floor lies, over that of a ball of its volume.
static double height_on_floor(double angle)
{
    pl_world *world = water_world(10, 2, 0.05);
    pl_fluid_def def = pl_default_fluid_def();
    def.spacing = (float)SPACING, def.form = PL_FLUID_BALL, def.tension = 1.0f, def.smoothing = 0.05f;
    def.size = (pl_vec3){0.1f, 0.1f, 0.1f}, def.contact_angle = (float)angle;
    good(pl_add_fluid(world, &def, NULL));
    add_plane(world, (pl_vec3){0.0f, 0.0f, 0.0f}, 0.0, 1.0, 0.0);
    int count = pl_particle_count(world);
    steps(world, 150, 1.0 / 60.0);
    float *x = positions(world, count);
    double height = 0.0;
    for (int i = 0; i < count; i++)
        height += (double)x[3 * i + 1] / count;
    free(x);
    pl_world_destroy(world);
    return height / radius_of(count);
}

// Of a spherical cap: the height of its centre of mass, over the radius of a ball of its volume.
static double cap_height(double angle)
{
    double c = cos(angle * pi / 180.0), r = cbrt(4.0 / ((1.0 - c) * (1.0 - c) * (2.0 + c)));
    double centre = 0.75 * (1.0 + c) * (1.0 + c) / (2.0 + c); // of the cap, above the centre of its sphere
    return r * (centre - c);
}

static void drops_have_a_contact_angle(void **state)
{
    (void)state;
    static const double angles[] = {60.0, 90.0, 120.0, 180.0};
    double before = 0.0;
    for (int i = 0; i < 4; i++)
    {
        double height = height_on_floor(angles[i]);
        print_message("angle %g: height %.3f, of a cap %.3f\n", angles[i], height, cap_height(angles[i]));
        assert_true(height > before + 0.03);
        near("height", height, cap_height(angles[i]), 0.2);
        before = height;
    }
}

// ---- properties ----------------------------------------------------------------------------------------------------

static void bad_properties_are_refused(void **state)
{
    (void)state;
    pl_fluid_def def;
    pl_world *world = add_drop(PL_FLUID_BALL, 6, &def);
    int count = pl_particle_count(world);
    float grain[3] = {1.0f, 0.0f, 0.0f}, mass[1] = {0.001f};
    add_grains(world, 1, grain, mass, 0.005);
    steps(world, 2, 1.0 / 60.0);
    uint64_t hash = pl_world_hash(world);
    const struct
    {
        float viscosity, smoothing, tension, interface_tension, angle, friction;
        int phase;
    } bad[] = {{-1.0f, 0, 0, 0, 180, 0, 0}, {0, 0.6f, 0, 0, 180, 0, 0}, {0, 0, -1.0f, 0, 180, 0, 0},
               {0, 0, 0, 2e6f, 180, 0, 0},  {0, 0, 0, 0, 181, 0, 0},    {0, 0, 0, 0, 180, 1.5f, 0},
               {0, 0, 0, 0, 180, 0, -1},    {0, 0, 0, 0, 180, 0, 256},  {NAN, 0, 0, 0, 180, 0, 0}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    {
        pl_fluid_def d = def;
        d.viscosity = bad[i].viscosity, d.smoothing = bad[i].smoothing, d.tension = bad[i].tension;
        d.interface_tension = bad[i].interface_tension, d.contact_angle = bad[i].angle;
        d.wall_friction = bad[i].friction, d.phase = bad[i].phase;
        assert_int_equal(pl_set_fluid(world, 0, count, &d), PL_ERROR_ARGUMENT);
        assert_int_equal(pl_add_fluid(world, &d, NULL), PL_ERROR_ARGUMENT);
    }
    assert_int_equal(pl_set_fluid(world, 0, count + 1, &def), PL_ERROR_ARGUMENT); // the grain is not of a fluid
    assert_int_equal(pl_set_fluid(world, -1, 1, &def), PL_ERROR_ARGUMENT);
    assert_int_equal(pl_set_fluid(world, count, 5, &def), PL_ERROR_ARGUMENT);
    assert_int_equal(pl_world_hash(world), hash);
    steps(world, 1, 1.0 / 60.0);
    pl_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_cube_becomes_a_ball), cmocka_unit_test(a_drop_oscillates),
                                       cmocka_unit_test(a_turning_drop_keeps_its_momentum),
                                       cmocka_unit_test(drops_have_a_contact_angle),
                                       cmocka_unit_test(bad_properties_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
