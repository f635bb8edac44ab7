// test_far.c: what float32 positions cost far from the origin, and in many substeps: gravity, speed and spin are kept.
#include "physics/bricks.h"

static const double places[] = {0.0, 4.0, 15.0, 60.0, 200.0};

enum
{
    PLACES = 5
};

// A step of a position at 60 m is 4 um. Gravity adds 6.8 um to a substep's way at 20 substeps, and 0.3 um at 100.
static void a_grain_falls(void **state)
{
    (void)state;
    for (int i = 0; i < PLACES; i++)
        for (int substeps = 20; substeps <= 100; substeps += 80)
        {
            pl_world *w = make_world(substeps, 1);
            const float x[3] = {(float)places[i], (float)places[i], 0.0f}, mass[1] = {1.0f};
            float v[3];
            add_particles(w, 1, x, mass);
            steps(w, 30, 1.0 / 60.0);
            good(pl_get(w, PL_ATTRIBUTE_VELOCITY, 0, 1, v));
            near("speed", (double)v[1] / (-9.81 * 0.5), 1.0, 2e-4);
            pl_world_destroy(w);
        }
}

// A brick that flies without weight, turning or not.
static pl_world *throw_brick(double place, int substeps, const double spin[3])
{
    brick_yard y = open_yard(substeps, 0.0f);
    weightless(y.world);
    const pl_vec3 at = {(float)place, (float)(place + 2.0), (float)place};
    pl_id id;
    int first, count;
    lay(&y, (pl_vec3){0.4f, 0.2f, 0.3f}, 1, &at, &id);
    good(pl_object_range(y.world, id, &first, &count));
    float *x = all_positions(y.world), *v = calloc((size_t)count, 3 * sizeof *v);
    for (int i = 0; i < count; i++)
    {
        double r[3] = {(double)x[3 * i] - (double)at.x, (double)x[3 * i + 1] - (double)at.y,
                       (double)x[3 * i + 2] - (double)at.z};
        for (int k = 0; k < 3; k++)
            v[3 * i + k] = (float)(0.1 + spin[(k + 1) % 3] * r[(k + 2) % 3] - spin[(k + 2) % 3] * r[(k + 1) % 3]);
    }
    good(pl_set(y.world, PL_ATTRIBUTE_VELOCITY, first, count, v));
    free(x);
    free(v);
    return y.world;
}

static double way_between(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static void a_brick_flies_on(void **state)
{
    (void)state;
    const double spins[2][3] = {{0.0, 0.0, 0.0}, {0.0, 10.0, 0.0}}, none[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < PLACES; i++)
        for (int s = 0; s < 2; s++)
        {
            pl_world *w = throw_brick(places[i], 20, spins[s]);
            double p0[3], p[3], l[3], before = pl_world_energy(w).kinetic;
            pl_world_momentum(w, p0, l);
            steps(w, 300, 1.0 / 60.0);
            pl_world_momentum(w, p, l);
            double lost = way_between(p, p0) / way_between(p0, none), kept = pl_world_energy(w).kinetic / before;
            print_message("at %g m, spin %g: momentum off by %.1e, energy by %+.1e\n", places[i], spins[s][1], lost,
                          kept - 1.0);
            below("momentum", lost, 0.02); // 2 mm/s; a step of 200 m each substep would be 18
            near("energy", kept, 1.0, 0.01);
            pl_world_destroy(w);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_grain_falls), cmocka_unit_test(a_brick_flies_on)};
    return cmocka_run_group_tests_name("far", tests, NULL, NULL);
}
