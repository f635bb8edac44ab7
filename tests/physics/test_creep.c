// test_creep.c: a pile that has come to rest stays where it is for a minute, at the 10 substeps x 2 iterations that contacts were tuned for.
// labels: slow
// timeout: 300
#include "contact.h"

static void no_creep(void **state)
{
    (void)state;
    pl_world *w = make_world(10, 2);
    frictions(w, 0.6, 0.4, 0, 1);
    fill_box(w, 7, 8, 0.1, NULL);
    steps(w, 600, 1.0 / 60);
    enum
    {
        COUNT = 7 * 7 * 8,
    };
    static float before[3 * COUNT], after[3 * COUNT];
    good(pl_get(w, PL_POSITION, 0, COUNT, before));
    double most = 0.0, energy = 0.0;
    for (int quarter = 0; quarter < 240; quarter++)
    {
        steps(w, 15, 1.0 / 60);
        double now = kinetic_per_mass(w);
        energy = now > energy ? now : energy;
    }
    good(pl_get(w, PL_POSITION, 0, COUNT, after));
    for (int i = 0; i < COUNT; i++)
    {
        double x = after[3 * i] - before[3 * i], y = after[3 * i + 1] - before[3 * i + 1],
               z = after[3 * i + 2] - before[3 * i + 2], far = sqrt(x * x + y * y + z * z);
        most = far > most ? far : most;
    }
    print_message("creep in 60 s %.3g radii, kinetic energy at most %.3g J/kg, overlap %.3g mean %.3g largest\n",
                  most / 0.1, energy, pl_world_penetration(w).mean, pl_world_penetration(w).max);
    below("kinetic energy at rest, J/kg", energy, 1e-6);
    below("creep in 60 s, radii", most / 0.1, 0.01);
    below("mean overlap", pl_world_penetration(w).mean, 0.005);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_creep)};
    return cmocka_run_group_tests_name("creep", tests, NULL, NULL);
}
