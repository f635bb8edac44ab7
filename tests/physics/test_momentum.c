// test_momentum.c: a free cloth that spins, flies and trembles keeps its momentum over 300 frames of 20 substeps.
// What is lost of the linear momentum is rounding of positions, of which a substep keeps 24 bits: 2e-5 to 1.1e-4, as it happens; more
// would be an error of ours. Of the angular momentum a link takes a little at every push, which is along where its ends are, not where they were: 3.4e-3.
#include "physics.h"

enum
{
    SIDE = 70,
    COUNT = SIDE * SIDE,
};

// Returns which part of the linear momentum is lost.
static double spin(uint32_t random)
{
    static float x[3 * COUNT], v[3 * COUNT], mass[COUNT];
    static int32_t index[12 * COUNT];
    for (int i = 0; i < COUNT; ++i)
    {
        int column = i % SIDE, row = i / SIDE;
        x[3 * i] = 0.01f * (float)column;
        x[3 * i + 1] = (float)((column * 7919 + row * 104729) % 101) * 2e-5f;
        x[3 * i + 2] = 0.01f * (float)row;
        mass[i] = 1.0f;
        random = random * 1664525u + 1013904223u;
        v[3 * i] = 1.0f + 2.0f * (x[3 * i + 2] - 0.35f);
        v[3 * i + 1] = (float)((random >> 8) % 1000u) * 1e-3f - 0.5f;
        v[3 * i + 2] = -2.0f * (x[3 * i] - 0.35f);
    }
    pl_world *world = make_world(20, 1);
    weightless(world);
    pl_particles_def def = pl_default_particles_def();
    def.count = COUNT;
    def.position = x;
    def.velocity = v;
    def.mass = mass;
    pl_id id;
    good(pl_add_particles(world, &def, &id));
    add_rows(world, PL_KIND_DISTANCE, grid_links(SIDE, index), index, NULL, 0.0, 1.0);

    double p0[3], l0[3], p[3], l[3], lost = 0.0, size = 0.0;
    pl_world_momentum(world, p0, l0);
    steps(world, 300, 1.0 / 60.0);
    pl_world_momentum(world, p, l);
    for (int k = 0; k < 3; ++k)
    {
        lost += (p[k] - p0[k]) * (p[k] - p0[k]);
        size += p0[k] * p0[k];
    }
    print_message("linear momentum lost %.2e, angular %.2e\n", sqrt(lost / size), fabs(l[1] / l0[1] - 1.0));
    below("angular momentum lost", fabs(l[1] / l0[1] - 1.0), 4e-3);
    pl_world_destroy(world);
    return sqrt(lost / size);
}

static void spinning_cloth(void **state)
{
    (void)state;
    double squares = 0.0;
    for (uint32_t seed = 1; seed <= 6; ++seed)
    {
        double lost = spin(seed);
        squares += lost * lost / 6.0;
    }
    below("linear momentum lost", sqrt(squares), 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spinning_cloth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
