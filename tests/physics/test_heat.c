// test_heat.c: heat that flows: against what is known in closed form, against a twin of a few lines, and what must be kept.
#include "heat.h"

// ---- flow ----------------------------------------------------------------------------------------------------------

// T = cos(pi x/L) falls off as exp(-a (pi/L)^2 t), a = k/(rho c), in a bar whose ends are closed; its cells have their middles at the
// particles, so L = n d.
static void a_bar_evens_out_as_fourier_says(void **state)
{
    (void)state;
    const int n[3] = {40, 1, 1};
    pl_world *w = make_world(1, 1);
    weightless(w);
    pl_heat_def d = pl_default_heat_def();
    d.conductivity = 50.0f, d.capacity = 0.5f;
    pl_id bar = add_block(w, n, false, 0.0, -1, -1);
    good(pl_set_heat(w, bar, &d));
    const double pi = 3.14159265358979, length = n[0] * SPACING;
    for (int i = 0; i < n[0]; i++)
    {
        float t = (float)(100.0 + 50.0 * cos(pi * (i + 0.5) / n[0]));
        good(pl_set_temperature(w, i, 1, &t));
    }
    double before = pl_world_heat(w).heat;
    steps(w, 300, 0.01);
    double a = 50.0 / (1.0 / (SPACING * SPACING * SPACING) * 0.5), fall = exp(-a * pi * pi / (length * length) * 3.0);
    assert_true(fall < 0.95); // there is something to see
    for (int i = 0; i < n[0]; i += 3)
        near("T", temperature(w, i), 100.0 + 50.0 * fall * cos(pi * (i + 0.5) / n[0]), 0.02 * 50.0 * fall);
    near("the sum of all heat", pl_world_heat(w).heat / before, 1.0, 1e-12);
    pl_world_destroy(w);
}

// Ends that are held keep their temperatures: in the end, a straight line between them.
static void held_ends_draw_a_straight_line(void **state)
{
    (void)state;
    const int n[3] = {12, 1, 1};
    pl_world *w = make_world(1, 1);
    weightless(w);
    pl_heat_def d = pl_default_heat_def();
    d.conductivity = 100.0f, d.capacity = 1.0f;
    pl_id bar = add_block(w, n, false, 0.0, 0, 11);
    good(pl_set_heat(w, bar, &d));
    const float hot = 130.0f;
    good(pl_set_temperature(w, 0, 1, &hot));
    steps(w, 600, 0.1);
    for (int i = 0; i < n[0]; i++)
        near("T", temperature(w, i), 130.0 + i / 11.0 * (20.0 - 130.0), 0.01);
    pl_world_destroy(w);
}

// Newton: T - Ta falls off as exp(-h A t/(m c)), A: six sides of (2 r)^2.
static void a_grain_cools_in_air(void **state)
{
    (void)state;
    const int one[3] = {1, 1, 1};
    pl_world *w = make_world(1, 1);
    weightless(w);
    pl_heat_def d = pl_default_heat_def();
    d.temperature = 90.0f, d.capacity = 10.0f, d.exchange = 50.0f;
    good(pl_set_heat(w, add_block(w, one, false, 0.0, -1, -1), &d));
    good(pl_set_ambient(w, 10.0f));
    steps(w, 200, 0.01);
    near("T", temperature(w, 0), 10.0 + 80.0 * exp(-50.0 * 6.0 * 0.01 * 2.0 / 10.0), 0.2);
    pl_world_destroy(w);
}

// However good a conductor and however long the step: no temperature leaves the span of those at the start.
static void no_conductor_is_too_good(void **state)
{
    (void)state;
    const int n[3] = {6, 6, 6};
    pl_world *w = make_world(1, 1);
    weightless(w);
    pl_heat_def d = pl_default_heat_def();
    d.conductivity = 1e9f, d.capacity = 1.0f;
    good(pl_set_heat(w, add_block(w, n, true, 0.0, -1, -1), &d));
    const float hot = 1000.0f;
    good(pl_set_temperature(w, 100, 1, &hot));
    double before = pl_world_heat(w).heat;
    for (int f = 0; f < 5; f++)
    {
        steps(w, 1, 0.05);
        pl_heat_totals all = pl_world_heat(w);
        assert_true(all.coldest >= 20.0f - 1e-3f && all.hottest <= 1000.0f);
        near("the sum of all heat", all.heat / before, 1.0, 1e-12);
    }
    pl_world_destroy(w);
}

// ---- many ----------------------------------------------------------------------------------------------------------

enum
{
    SIDE = 12,
    MANY = SIDE * SIDE * SIDE, // more than one hand takes at a time
};

static const float conductivity[2] = {40.0f, 150.0f}, capacity[2] = {1.0f, 3.0f}, exchange = 20.0f, ambient = 5.0f;

static double dice(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 16777216.0;
}

// Grains of two materials and many sizes beside each other, some near enough and some not, at rest, each with its own temperature; on a
// hot floor and in the air, if not closed.
static pl_world *scattered(int threads, int lanes, bool closed)
{
    pl_world_def def = pl_default_world_def();
    def.threads = threads, def.lanes = lanes;
    def.settings.substeps = 1;
    pl_world *w;
    good(pl_world_create(&def, &w));
    weightless(w);
    uint32_t seed = 5;
    for (int half = 0; half < 2; half++)
    {
        float *x = malloc(sizeof *x * 5 * MANY / 2), *mass = x + 3 * MANY / 2, *radius = mass + MANY / 2;
        for (int i = 0; i < MANY / 2; i++)
        {
            int at = 2 * i + half; // the materials alternate
            const int cell[3] = {at % SIDE, at / SIDE / SIDE, at / SIDE % SIDE};
            for (int c = 0; c < 3; c++)
                x[3 * i + c] = RADIUS * (float)(1.1 + 2.3 * cell[c] + 0.24 * (dice(&seed) - 0.5));
            mass[i] = i % 50 == 7 ? 0.0f : (float)(0.5 + dice(&seed));
            radius[i] = RADIUS * (float)(0.9 + 0.1 * dice(&seed));
        }
        pl_id id = add_particles(w, MANY / 2, x, mass);
        good(pl_set(w, PL_ATTRIBUTE_RADIUS, half * MANY / 2, MANY / 2, radius));
        pl_heat_def d = pl_default_heat_def();
        d.conductivity = conductivity[half], d.capacity = capacity[half], d.exchange = closed ? 0.0f : exchange;
        good(pl_set_heat(w, id, &d));
        for (int i = 0; i < MANY / 2; i++)
            mass[i] = (float)(20.0 + 100.0 * dice(&seed));
        good(pl_set_temperature(w, half * MANY / 2, MANY / 2, mass));
        free(x);
    }
    good(pl_set_ambient(w, ambient));
    if (!closed)
        hot_floor(w, 400.0f);
    return w;
}

typedef struct twin
{
    float x[3 * MANY], radius[MANY], mass[MANY];
    double t[MANY], gain[MANY], leaves[MANY], wall[MANY], brought[MANY];
    int around[MANY];
} twin;

static bool twin_near(const twin *a, int i, int j)
{
    const float *p = a->x + 3 * i, *q = a->x + 3 * j;
    float x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2], far = 1.2f * a->radius[i] + 1.2f * a->radius[j];
    return i != j && x * x + y * y + z * z < far * far;
}

static double twin_conducts(const twin *a, int i, int j)
{
    double k = (double)conductivity[2 * i / MANY], l = (double)conductivity[2 * j / MANY];
    return 2.0 * k * l / (k + l) * ((double)a->radius[i] + (double)a->radius[j]);
}

static double twin_capacity(const twin *a, int i) { return (double)a->mass[i] * (double)capacity[2 * i / MANY]; }

// One frame, everybody against everybody, as the rule is written down.
static void twin_step(twin *a, double dt)
{
    double most = 0.0;
    for (int i = 0; i < MANY; i++)
    {
        double r = (double)a->radius[i], floor = 4.0 * (double)conductivity[2 * i / MANY] * r;
        bool low = a->x[3 * i + 1] < 1.2f * a->radius[i];
        a->leaves[i] = 0.0, a->around[i] = low;
        for (int j = 0; j < MANY; j++)
            if (twin_near(a, i, j))
                a->leaves[i] += twin_conducts(a, i, j), a->around[i]++;
        double air = (double)exchange * 4.0 * r * r * fmax(0.0, 6.0 - a->around[i]);
        a->wall[i] = air + (low ? floor : 0.0);
        a->brought[i] = air * (double)ambient + (low ? floor * 400.0 : 0.0);
        a->leaves[i] += a->wall[i];
        most = a->mass[i] > 0.0f ? fmax(most, a->leaves[i] / twin_capacity(a, i)) : most;
    }
    int count = (int)ceil(2.0 * dt * most);
    assert_in_range(count, 3, 20); // or there is little to see
    for (int k = 0; k < count; k++)
    {
        for (int i = 0; i < MANY; i++)
        {
            a->gain[i] = a->brought[i] - a->wall[i] * a->t[i];
            for (int j = 0; j < MANY; j++)
                if (twin_near(a, i, j))
                    a->gain[i] += twin_conducts(a, i, j) * (a->t[j] - a->t[i]);
        }
        for (int i = 0; i < MANY; i++)
            a->t[i] += a->mass[i] > 0.0f ? dt / count * a->gain[i] / twin_capacity(a, i) : 0.0;
    }
}

static void all_pairs_say_the_same(void **state)
{
    (void)state;
    pl_world *w = scattered(2, 0, false);
    twin *a = calloc(1, sizeof *a);
    float t[MANY], before[MANY];
    good(pl_get_temperature(w, 0, MANY, before));
    good(pl_get(w, PL_ATTRIBUTE_RADIUS, 0, MANY, a->radius));
    good(pl_get(w, PL_ATTRIBUTE_MASS, 0, MANY, a->mass));
    for (int i = 0; i < MANY; i++)
        a->t[i] = (double)before[i];
    steps(w, 1, 0.05);
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, MANY, a->x));
    twin_step(a, (double)0.05f);
    good(pl_get_temperature(w, 0, MANY, t));
    int near_ones = 0;
    for (int i = 0; i < MANY; i++)
    {
        near("T", (double)t[i], a->t[i], 1e-4); // a float's last digits
        near_ones += a->around[i];
    }
    assert_in_range(near_ones, 2 * MANY, 5 * MANY);
    free(a);
    pl_world_destroy(w);
}

static void the_same_bits_whoever_works(void **state)
{
    (void)state;
    const int threads[] = {1, 2, 3, 7}, lanes[] = {1, 0, 4, 0};
    pl_heat_totals first = {0};
    float t[4][MANY];
    for (int k = 0; k < 4; k++)
    {
        pl_world *w = scattered(threads[k], lanes[k], false);
        steps(w, 12, 1.0 / 60.0);
        pl_heat_totals all = pl_world_heat(w);
        first = k ? first : all;
        assert_true(all.heat == first.heat);
        good(pl_get_temperature(w, 0, MANY, t[k]));
        assert_memory_equal(t[k], t[0], sizeof t[0]);
        pl_world_destroy(w);
    }
}

// Each sums for itself, and still nothing is lost.
static void the_heat_of_many_is_kept(void **state)
{
    (void)state;
    pl_world *w = scattered(2, 0, true);
    for (int i = 7; i < MANY; i++) // who is held keeps its temperature, and gives without end
        if (i % (MANY / 2) % 50 == 7)
        {
            const float mass = 1.0f;
            good(pl_set(w, PL_ATTRIBUTE_MASS, i, 1, &mass));
        }
    double before = pl_world_heat(w).heat;
    float hottest = pl_world_heat(w).hottest;
    steps(w, 60, 1.0 / 60.0);
    near("the sum of all heat", pl_world_heat(w).heat / before, 1.0, 1e-12);
    below("the hottest", (double)pl_world_heat(w).hottest, (double)hottest - 1.0);
    pl_world_destroy(w);
}

// ---- bad input -----------------------------------------------------------------------------------------------------

// A frame whose heat cannot flow is a frame all the same: it counts, its message says so, and the next goes on.
static void a_frame_stands_whose_heat_cannot_flow(void **state)
{
    (void)state;
    const int two[3] = {2, 1, 1};
    const float away[3] = {1e6f, 0.0f, 0.0f}, here[3] = {0.1f, 0.0f, 0.0f}, still[3] = {0.0f, 0.0f, 0.0f}, hot = 90.0f;
    pl_heat_def d = pl_default_heat_def();
    pl_world *w = make_world(1, 1);
    weightless(w);
    d.conductivity = 100.0f, d.capacity = 1.0f;
    good(pl_set_heat(w, add_block(w, two, false, 0.0, -1, -1), &d));
    good(pl_set_temperature(w, 0, 1, &hot));
    good(pl_set(w, PL_ATTRIBUTE_VELOCITY, 1, 1, away));
    assert_int_equal(pl_world_step(w, 1.0f), PL_ERROR_DIVERGED);
    assert_non_null(
        strstr(pl_error_message(), "frame 0 succeeded, but the work after it, heat, failed: a colliding particle"));
    assert_true(pl_world_frame(w) == 1 && pl_world_time(w) == 1.0 && where(w, 1).x > 9e5f);
    near("T", temperature(w, 0), 90.0, 0.0);
    good(pl_set(w, PL_ATTRIBUTE_VELOCITY, 1, 1, still));
    good(pl_set(w, PL_ATTRIBUTE_POSITION, 1, 1, here));
    steps(w, 10, 0.1);
    below("T", temperature(w, 0), 89.0);
    pl_world_destroy(w);
}

static void bad_heat_is_refused(void **state)
{
    (void)state;
    const int n[3] = {3, 1, 1};
    pl_world *w = make_world(1, 1);
    pl_id bar = add_block(w, n, false, 0.0, -1, -1);
    pl_heat_def d = wax();
    d.conductivity = -1.0f;
    refused_for(pl_set_heat(w, bar, &d), "conductivity");
    d = wax(), d.capacity = 0.0f;
    refused_for(pl_set_heat(w, bar, &d), "capacity");
    d = wax(), d.temperature = NAN;
    refused_for(pl_set_heat(w, bar, &d), "temperature");
    d = wax(), d.freezing = 61.0f;
    refused_for(pl_set_heat(w, bar, &d), "freezing");
    d = wax(), d.latent = INFINITY;
    refused_for(pl_set_heat(w, bar, &d), "latent");
    d = wax(), d.molten = 3;
    refused_for(pl_set_heat(w, bar, &d), "molten");
    d = wax(), d.solid.stiffness = 2.0f;
    refused_for(pl_set_heat(w, bar, &d), "stiffness");
    float t = 0.0f;
    refused_for(pl_set_temperature(w, 0, 1, &t), "no temperature");
    refused_for(pl_set_ambient(w, NAN), "ambient");
    refused_for(pl_set_shape_heat(w, bar, true, 20.0f), "shape");
    const int32_t index[2] = {0, 1};
    add_rows(w, PL_KIND_DISTANCE, 1, index, NULL, 0.0, 1.0);
    d = wax();
    refused_for(pl_set_heat(w, bar, &d), "constraints");
    const float none = 0.0f;
    good(pl_set(w, PL_ATTRIBUTE_RADIUS, 2, 1, &none));
    refused_for(pl_set_heat(w, bar, &d), "radius");
    const float radius = RADIUS;
    good(pl_set(w, PL_ATTRIBUTE_RADIUS, 2, 1, &radius));
    d.melts = false; // heat alone may flow in anything
    good(pl_set_heat(w, bar, &d));
    t = NAN;
    refused_for(pl_set_temperature(w, 0, 1, &t), "temperature");
    assert_int_equal(pl_world_heat(w).warm, 3);
    good(pl_remove(w, bar));
    assert_int_equal(pl_world_heat(w).warm, 0);
    steps(w, 1, 0.01);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bar_evens_out_as_fourier_says),
        cmocka_unit_test(held_ends_draw_a_straight_line),
        cmocka_unit_test(a_grain_cools_in_air),
        cmocka_unit_test(no_conductor_is_too_good),
        cmocka_unit_test(all_pairs_say_the_same),
        cmocka_unit_test(the_same_bits_whoever_works),
        cmocka_unit_test(the_heat_of_many_is_kept),
        cmocka_unit_test(a_frame_stands_whose_heat_cannot_flow),
        cmocka_unit_test(bad_heat_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
