// test_creep.c: piles that have come to rest stay where they are for a minute, at 8 substeps x 1 iteration and at 10 x 2.
// labels: slow
#include "contact.h"

static void stays(int substeps, int iterations, double most_overlap)
{
    pl_world *w = make_world(substeps, iterations);
    frictions(w, 0.6, 0.4, 0, 1);
    fill_box(w, 7, 8, 0.1, NULL);
    steps(w, 600, 1.0 / 60);
    enum
    {
        COUNT = 7 * 7 * 8,
    };
    static float before[3 * COUNT], after[3 * COUNT];
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, COUNT, before));
    double most = 0.0, energy = 0.0;
    for (int frame = 0; frame < 3600; frame++) // each of them: a grain that is kicked is still again after a few
    {
        steps(w, 1, 1.0 / 60);
        double now = kinetic_per_mass(w);
        energy = now > energy ? now : energy;
    }
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, COUNT, after));
    for (int i = 0; i < COUNT; i++)
    {
        double x = after[3 * i] - before[3 * i], y = after[3 * i + 1] - before[3 * i + 1],
               z = after[3 * i + 2] - before[3 * i + 2], far = sqrt(x * x + y * y + z * z);
        most = far > most ? far : most;
    }
    print_message(
        "%d x %d: creep in 60 s %.3g radii, kinetic energy at most %.3g J/kg, overlap %.3g mean %.3g largest\n",
        substeps, iterations, most / 0.1, energy, pl_world_penetration(w).mean, pl_world_penetration(w).max);
    below("kinetic energy at rest, J/kg", energy, 1e-6);
    below("creep in 60 s, radii", most / 0.1, 0.01);
    below("mean overlap", pl_world_penetration(w).mean, most_overlap);
    pl_world_destroy(w);
}

static void stays_at_one_iteration(void **state)
{
    (void)state;
    stays(8, 1, 0.005);
}

static void stays_at_two_iterations(void **state)
{
    (void)state;
    stays(10, 2, 0.002);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stays_at_one_iteration),
        cmocka_unit_test(stays_at_two_iterations),
    };
    return cmocka_run_group_tests_name("creep", tests, NULL, NULL);
}
