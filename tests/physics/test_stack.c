// labels: slow
// Nine courses of bricks stand for thirty seconds without creeping.
#include "physics/bricks.h"

static void a_high_wall_does_not_creep(void **state)
{
    (void)state;
    brick_yard y = open_yard(20, 0.6f);
    pl_id ids[64];
    int count = lay_wall(&y, 2, 9, ids);
    steps(y.world, 60, 1.0 / 60.0);
    float *before = all_positions(y.world);
    steps(y.world, 1800, 1.0 / 60.0);
    double creep = farthest_from(y.world, before);
    print_message("%d bricks, %d particles: %.4f mm in 30 s, %.1e J\n", count, pl_particle_count(y.world), 1e3 * creep,
                  pl_world_energy(y.world).kinetic);
    below("creep, m", creep, 1e-3);
    free(before);
    pl_world_destroy(y.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_high_wall_does_not_creep)};
    return cmocka_run_group_tests_name("stack", tests, NULL, NULL);
}
