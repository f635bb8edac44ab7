// test_stabilise.c: overlap that a scene begins with is taken away without making velocity of it.
#include "contact.h"

static pl_world *crowded(int stabilise, int threads, int lanes, pl_integrator integrator)
{
    pl_world_def def = pl_default_world_def();
    def.threads = threads;
    def.lanes = lanes;
    def.settings.substeps = 10;
    def.settings.iterations = 2;
    def.settings.stabilise = stabilise;
    def.settings.integrator = integrator;
    def.settings.gravity = (pl_vec3){0, 0, 0};
    pl_world *w;
    good(pl_world_create(&def, &w));
    // 5 x 5 x 5 grains of radius 0.1, 0.14 apart where 0.2 would be right, half in the floor.
    float x[375], mass[125];
    for (int i = 0; i < 125; i++)
    {
        x[3 * i] = 0.14f * (float)(i % 5) + 0.01f * jitter(i, 0);
        x[3 * i + 1] = 0.05f + 0.14f * (float)(i / 25) + 0.01f * jitter(i, 1);
        x[3 * i + 2] = 0.14f * (float)(i / 5 % 5) + 0.01f * jitter(i, 2);
        mass[i] = 0.5f + (float)(i % 3);
    }
    add_grains(w, 125, x, mass, 0.1);
    add_plane(w, (pl_vec3){0, 0, 0}, 0, 1, 0);
    return w;
}

// The greatest kinetic energy on the way.
static double burst(pl_world *w, int frames)
{
    double most = 0.0;
    for (int f = 0; f < frames; f++)
    {
        steps(w, 1, 1.0 / 60);
        double now = kinetic_per_mass(w);
        most = now > most ? now : most;
    }
    return most;
}

static void parts_calmly(void **state)
{
    (void)state;
    for (int integrator = PL_INTEGRATOR_BDF1; integrator <= PL_INTEGRATOR_BDF2; integrator++)
    {
        pl_world *plain = crowded(0, 1, 0, (pl_integrator)integrator);
        pl_world *calm = crowded(20, 1, 0, (pl_integrator)integrator);
        double wild = burst(plain, 20), quiet = burst(calm, 20);
        assert_true(wild > 0.5); // J/kg: it bursts
        // What is pushed out goes as its square: the hundredth that is left alone, against the 0.3 of the start, and as much again
        // for what the visits leave.
        below("kinetic energy with stabilisation, against that without", quiet / wild, 2.0 * 0.01 * 0.01 / (0.3 * 0.3));
        below("greatest overlap", pl_world_penetration(calm).max, 0.05);
        pl_world_destroy(plain);
        pl_world_destroy(calm);
    }
}

// Two grains part by their masses, and stand still.
static void by_masses(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    weightless(w);
    pl_settings s = pl_world_settings(w);
    s.stabilise = 1;
    good(pl_world_set_settings(w, &s));
    const float x[6] = {0, 0, 0, 0.1f, 0, 0}, mass[2] = {3, 1};
    add_grains(w, 2, x, mass, 0.1);
    steps(w, 1, 1.0 / 60);
    // 0.198 m apart: the last hundredth is left alone, and the substep takes half of it as ever
    double a = where(w, 0).x, b = where(w, 1).x;
    assert_true(b - a > 0.1979 && b - a < 0.2001);
    near("the middle of mass", (3 * a + b) / 4, 0.025, 1e-6);
    below("speed", fabs((double)velocity_of(w, 1).x), 0.1); // of the last hundredth; without stabilisation, 2.2 m/s
    s.stabilise = 101;
    assert_int_equal(pl_world_set_settings(w, &s), PL_ERROR_ARGUMENT);
    assert_non_null(strstr(pl_error_message(), "stabilise is 101; it must be from 0 to 100"));
    pl_world_destroy(w);
}

static void same_bits(void **state)
{
    (void)state;
    uint64_t wanted = 0;
    for (const int *lanes = pl_lane_widths(); *lanes; lanes++)
        for (int threads = 1; threads <= 3; threads++)
        {
            pl_world *w = crowded(3, threads, *lanes, PL_INTEGRATOR_BDF1), *loaded;
            steps(w, 5, 1.0 / 60);
            void *data;
            size_t size;
            pl_world_def def = pl_default_world_def();
            def.threads = 1;
            good(pl_world_save_memory(w, &data, &size));
            good(pl_world_load_memory(&def, data, size, &loaded));
            pl_free(data);
            assert_int_equal(pl_world_settings(loaded).stabilise, 3);
            steps(w, 15, 1.0 / 60);
            steps(loaded, 15, 1.0 / 60);
            assert_true(pl_world_hash(w) == pl_world_hash(loaded));
            wanted = wanted ? wanted : pl_world_hash(w);
            assert_true(pl_world_hash(w) == wanted);
            pl_world_destroy(w);
            pl_world_destroy(loaded);
        }
}

// A pile that rests does so with it as well.
static void a_pile_rests(void **state)
{
    (void)state;
    pl_world *w = make_world(8, 1);
    pl_settings s = pl_world_settings(w);
    s.stabilise = 1;
    good(pl_world_set_settings(w, &s));
    frictions(w, 0.6, 0.4, 0, 1);
    fill_box(w, 8, 6, 0.1, NULL);
    steps(w, 300, 1.0 / 60);
    below("kinetic energy at rest, J/kg", kinetic_per_mass(w), 1e-6);
    below("mean overlap", pl_world_penetration(w).mean, 0.005);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_calmly),
        cmocka_unit_test(by_masses),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(a_pile_rests),
    };
    return cmocka_run_group_tests_name("stabilise", tests, NULL, NULL);
}
