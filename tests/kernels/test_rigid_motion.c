// Internal damping spares what moves as a rigid body, and damps everything else.
#include "support/support.h"

static pl_world *free_world(float internal, int lanes)
{
    pl_world_def def = small_def(1, 1);
    def.lanes = lanes;
    def.settings.gravity = (pl_vec3){0};
    def.settings.wind.density = 0.0f;
    def.settings.internal_damping = internal;
    pl_world *w;
    good(pl_world_create(&def, &w));
    return w;
}

// 700 loose particles (three chunks), far from the origin; v = V + spin x r, plus noise.
static void add_swarm(pl_world *w, float noise)
{
    enum
    {
        COUNT = 700
    };
    static float x[3 * COUNT], v[3 * COUNT], mass[COUNT];
    uint64_t seed = 4;
    for (int i = 0; i < COUNT; i++)
    {
        float r[3] = {dice(&seed), dice(&seed), dice(&seed)};
        const float spin[3] = {0.3f, -0.5f, 0.2f}, drift[3] = {1, 2, -1}, centre[3] = {100, 50, -30};
        mass[i] = i % 50 == 0 ? 0.0f : 1.0f + 0.5f * dice(&seed);
        for (int c = 0; c < 3; c++)
        {
            x[3 * i + c] = centre[c] + r[c];
            v[3 * i + c] = drift[c] + spin[(c + 1) % 3] * r[(c + 2) % 3] - spin[(c + 2) % 3] * r[(c + 1) % 3] +
                           noise * dice(&seed);
        }
    }
    pl_particles_def def = {COUNT, x, v, mass, 0.0f};
    good(pl_add_particles(w, &def, NULL));
}

static void rigid_motion_is_spared(void **state)
{
    (void)state;
    pl_world *w = free_world(50.0f, 0);
    add_swarm(w, 0.0f);
    static float before[2100], after[2100];
    good(pl_get(w, PL_ATTRIBUTE_VELOCITY, 0, 700, before));
    good(pl_world_step(w, 1e-3f)); // 5 % of what is not rigid
    good(pl_get(w, PL_ATTRIBUTE_VELOCITY, 0, 700, after));
    double most = 0.0;
    for (int i = 0; i < 2100; i++)
        most = fmax(most, fabs((double)after[i] - (double)before[i]));
    // Positions near 100 m have 7.6e-6 m of resolution, so a velocity over 1 ms has 4e-3 m/s of it.
    below("change of a rigid motion", most, 1e-2);
    pl_world_destroy(w);
}

// Kinetic energy for each kilogram beyond the best rigid motion, in double.
static double noise_left(float internal, int frames)
{
    pl_world *w = free_world(internal, 0);
    add_swarm(w, 0.2f);
    static float v[2100], x[2100], m[700];
    for (int i = 0; i < frames; i++)
        good(pl_world_step(w, 1e-2f));
    good(pl_get(w, PL_ATTRIBUTE_VELOCITY, 0, 700, v));
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, 700, x));
    good(pl_get(w, PL_ATTRIBUTE_MASS, 0, 700, m));
    double mean[3] = {0}, centre[3] = {0}, mass = 0.0, spin[3] = {0}, l[3] = {0}, inertia[3][3] = {{0}}, sum = 0.0;
    for (int i = 0; i < 700; i++)
    {
        mass += (double)m[i];
        for (int c = 0; c < 3; c++)
        {
            mean[c] += (double)m[i] * (double)v[3 * i + c];
            centre[c] += (double)m[i] * (double)x[3 * i + c];
        }
    }
    for (int c = 0; c < 3; c++)
        mean[c] /= mass, centre[c] /= mass;
    near_to("drift x", mean[0], 1.0, 0.02);
    near_to("drift y", mean[1], 2.0, 0.02);
    for (int i = 0; i < 700; i++)
    {
        double r[3], rr = 0.0;
        for (int c = 0; c < 3; c++)
        {
            r[c] = (double)x[3 * i + c] - centre[c];
            rr += r[c] * r[c];
        }
        for (int c = 0; c < 3; c++)
        {
            int d = (c + 1) % 3, e = (c + 2) % 3;
            l[c] += (double)m[i] * (r[d] * ((double)v[3 * i + e] - mean[e]) - r[e] * ((double)v[3 * i + d] - mean[d]));
            for (int k = 0; k < 3; k++)
                inertia[c][k] += (double)m[i] * ((c == k ? rr : 0.0) - r[c] * r[k]);
        }
    }
    for (int sweep = 0; sweep < 100; sweep++) // Gauss-Seidel: a swarm's inertia is nearly diagonal
        for (int c = 0; c < 3; c++)
            spin[c] =
                (l[c] - inertia[c][(c + 1) % 3] * spin[(c + 1) % 3] - inertia[c][(c + 2) % 3] * spin[(c + 2) % 3]) /
                inertia[c][c];
    for (int i = 0; i < 700; i++)
        for (int c = 0; c < 3; c++)
        {
            int d = (c + 1) % 3, e = (c + 2) % 3;
            double rigid =
                mean[c] + spin[d] * ((double)x[3 * i + e] - centre[e]) - spin[e] * ((double)x[3 * i + d] - centre[d]);
            sum += (double)m[i] * pow((double)v[3 * i + c] - rigid, 2.0);
        }
    assert_true(spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2] > 0.1);
    pl_world_destroy(w);
    return sum / mass;
}

static void the_rest_is_damped(void **state)
{
    (void)state;
    double without = noise_left(0.0f, 20), with = noise_left(20.0f, 20);
    // (1 + 20/s * 0.01 s)^-20 in velocity: 7e-4 in energy, and a little that the spin of loose particles makes anew
    below("noise beyond the rigid motion", with, 0.02 * without);
}

static void momentum_is_kept(void **state)
{
    (void)state;
    pl_world *w = free_world(20.0f, 0);
    add_swarm(w, 0.2f);
    double before[3], after[3], angular[3];
    pl_world_momentum(w, before, angular);
    for (int i = 0; i < 20; i++)
        good(pl_world_step(w, 1e-2f));
    pl_world_momentum(w, after, angular);
    for (int c = 0; c < 3; c++)
        near_to("momentum", after[c] / before[c], 1.0, 1e-3);
    pl_world_destroy(w);
}

static void equal_over_lanes(void **state)
{
    (void)state;
    uint64_t hash = 0;
    for (const int *lanes = pl_lane_widths(); *lanes; lanes++)
    {
        pl_world *w = free_world(5.0f, *lanes);
        add_swarm(w, 0.2f);
        for (int i = 0; i < 10; i++)
            good(pl_world_step(w, 1e-2f));
        assert_true(hash == 0 || hash == pl_world_hash(w));
        hash = pl_world_hash(w);
        pl_world_destroy(w);
    }
}

// One particle and a straight line of them have no full inertia; nothing may become NaN.
static void thin_objects(void **state)
{
    (void)state;
    pl_world *w = free_world(5.0f, 0);
    add_one(w, 1, 2, 3, 1, NULL);
    add_one(w, 1, 2, 3, 0, NULL);
    const float line[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0}, v[9] = {0, -1, 0, 0, 0, 0, 0, 1, 0};
    pl_particles_def def = {3, line, v, NULL, 1.0f};
    good(pl_add_particles(w, &def, NULL));
    double before[3], after[3], linear[3];
    pl_world_momentum(w, linear, before);
    for (int i = 0; i < 10; i++)
        good(pl_world_step(w, 1e-2f));
    pl_world_momentum(w, linear, after);
    near_to("the line's spin", after[2], before[2], 2e-3 * fabs(before[2]));
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid_motion_is_spared), cmocka_unit_test(the_rest_is_damped),
        cmocka_unit_test(momentum_is_kept),       cmocka_unit_test(equal_over_lanes),
        cmocka_unit_test(thin_objects),
    };
    return cmocka_run_group_tests_name("rigid_motion", tests, NULL, NULL);
}
