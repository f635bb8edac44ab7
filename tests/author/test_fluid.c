// Fluids: how many particles fill a form, their mass and contacts, what is refused, snapshots, removal.
#include "author/author.h"

static void forms_are_filled(void **state)
{
    (void)state;
    pl_fluid_def def = pl_default_fluid_def();
    def.size = (pl_vec3){0.2f, 0.1f, 0.06f};
    assert_int_equal(pl_fluid_particle_count(&def), 10 * 5 * 3);
    pl_world *w = make_world(1, 1);
    pl_id id;
    good(pl_add_fluid(w, &def, &id));
    near_to("mass", total_mass(w), 1000.0 * 0.2 * 0.1 * 0.06, 1e-5);
    pl_phase phase;
    good(pl_get_phase(w, 0, &phase));
    assert_true(phase.fluid && phase.material == 1);
    float *x = positions(w);
    for (int i = 0; i < 150; i++)
        assert_true(x[3 * i] > 0.008f && x[3 * i] < 0.192f && x[3 * i + 1] > 0.008f && x[3 * i + 1] < 0.092f);
    free(x);
    good(pl_add_fluid(w, &def, NULL)); // it shares the material
    good(pl_get_phase(w, 150, &phase));
    assert_int_equal(phase.material, 1);
    def.size = (pl_vec3){0.4f, 0.4f, 0.4f};
    def.form = PL_FLUID_BALL;
    near_to("ball", (double)pl_fluid_particle_count(&def), 3.14159 / 6.0 * 8000.0, 200.0);
    def.form = PL_FLUID_CYLINDER;
    near_to("cylinder", (double)pl_fluid_particle_count(&def), 3.14159 / 4.0 * 8000.0, 200.0);
    pl_world_destroy(w);
}

// Refused, and nothing has changed.
static void refuse(pl_world *w, pl_fluid_def def, const char *words)
{
    uint64_t hash = pl_world_hash(w);
    int count = pl_particle_count(w);
    pl_id id = {7, 7};
    refused(pl_add_fluid(w, &def, &id), PL_ERROR_ARGUMENT, words);
    assert_int_equal(pl_particle_count(w), count);
    assert_int_equal(pl_world_hash(w), hash);
    assert_true(id.index == 7);
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    pl_world *w = make_world(4, 2);
    pl_fluid_def def = pl_default_fluid_def(), bad;
    good(pl_add_fluid(w, &def, NULL));
    bad = def, bad.spacing = 0.0f, refuse(w, bad, "spacing is 0; it must be from 1e-06 to 1e+06 m");
    bad = def, bad.spacing = 0.03f, refuse(w, bad, "the world has a fluid of 0.02 m");
    bad = def, bad.density = -1.0f, refuse(w, bad, "density is -1");
    bad = def, bad.size.y = 0.001f, refuse(w, bad, "size.y is 0.001 m; it must be at least half of the spacing");
    bad = def, bad.size.x = 1e30f, refuse(w, bad, "use a larger spacing");
    bad = def, bad.jitter = 0.7f, refuse(w, bad, "jitter is 0.7");
    bad = def, bad.viscosity = -1.0f, refuse(w, bad, "viscosity is -1");
    bad = def, bad.smoothing = 0.6f, refuse(w, bad, "smoothing is 0.6; it must be from 0 to 0.5");
    bad = def, bad.origin.x = NAN, refuse(w, bad, "origin and velocity must be finite");
    bad = def, bad.form = (pl_fluid_form)9, refuse(w, bad, "form is 9");
    bad = def, bad.material = 77, refuse(w, bad, "material");
    const float one[3] = {0.0f, 0.0f, 0.0f};
    bad = def, bad.position = one, refuse(w, bad, "count is 0");
    refused(pl_get_fluid(w, 0, 100000, NULL, NULL), PL_ERROR_ARGUMENT, "particles 0 to 99999 were asked for");
    refused(pl_add_fluid(w, NULL, NULL), PL_ERROR_ARGUMENT, "def is NULL");
    assert_int_equal(pl_world_fluid(NULL).particles, 0);
    pl_world_destroy(w);
}

// A world with water over a floor; grains: beside it, so that particles differ.
static pl_world *pool(void)
{
    pl_world *w = make_world(4, 2);
    pl_fluid_def def = pl_default_fluid_def();
    def.size = (pl_vec3){0.1f, 0.08f, 0.1f};
    good(pl_add_fluid(w, &def, NULL));
    pl_shape_def floor = pl_default_shape_def();
    good(pl_add_shape(w, &floor, NULL));
    return w;
}

static void a_snapshot_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    pl_world *w = pool();
    play(w, 7);
    void *bytes = NULL;
    size_t size = 0;
    good(pl_world_save_memory(w, &bytes, &size));
    pl_world_def def = pl_default_world_def();
    pl_world *copy = NULL;
    good(pl_world_load_memory(&def, bytes, size, &copy));
    play(w, 9);
    play(copy, 9);
    assert_int_equal(pl_world_hash(w), pl_world_hash(copy));
    assert_true(pl_world_fluid(copy).compression_max == pl_world_fluid(w).compression_max);
    pl_free(bytes);
    pl_world_destroy(copy);
    pl_world_destroy(w);
}

// Water comes into a world that runs without, mixes with grains, and goes again.
static void fluids_come_and_go(void **state)
{
    (void)state;
    pl_world *w = make_world(4, 2);
    pl_particles_def grain = pl_default_particles_def();
    const float at[3] = {0.05f, 0.12f, 0.05f}, radius = 0.01f;
    grain.count = 1, grain.position = at, grain.mass_each = 0.01f;
    good(pl_add_particles(w, &grain, NULL));
    good(pl_set(w, PL_ATTRIBUTE_RADIUS, 0, 1, &radius));
    pl_shape_def floor = pl_default_shape_def();
    good(pl_add_shape(w, &floor, NULL));
    play(w, 3);
    pl_fluid_def def = pl_default_fluid_def();
    def.size = (pl_vec3){0.1f, 0.08f, 0.1f};
    pl_id water;
    good(pl_add_fluid(w, &def, &water));
    play(w, 10);
    pl_fluid_totals totals = pl_world_fluid(w);
    assert_int_equal(totals.particles, 100);
    near_to("volume", totals.volume, 100 * 8e-6, 1e-9);
    assert_true(totals.pressure_max > 0.0);
    float density[2], pressure[2];
    good(pl_get_fluid(w, 0, 2, density, pressure));
    assert_true(density[0] == 0.0f && pressure[0] == 0.0f && density[1] > 300.0f && density[1] < 1100.0f);
    good(pl_remove(w, water));
    play(w, 5);
    assert_int_equal(pl_world_fluid(w).particles, 0);
    def.spacing = 0.05f; // now another is possible
    good(pl_add_fluid(w, &def, NULL));
    play(w, 2);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(forms_are_filled), cmocka_unit_test(what_is_wrong_is_refused),
                                       cmocka_unit_test(a_snapshot_goes_on_with_the_same_bits),
                                       cmocka_unit_test(fluids_come_and_go)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
