// Emitters and drains: what they make, what is refused, what can be changed, removal.
#include "author/author.h"

static void refuse(pl_world *w, pl_emitter_def def, const char *words)
{
    picture before = picture_of(w);
    pl_id id = {7, 7};
    refused(pl_add_emitter(w, &def, &id), PL_ERROR_ARGUMENT, words);
    assert_true(id.index == 7);
    same_picture(&before, w, words);
    pl_free(before.data);
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    pl_world *w = make_world(4, 2);
    pl_fluid_def water = pl_default_fluid_def();
    pl_emitter_def def = pl_default_emitter_def(), bad;
    pl_id source, grain;
    good(pl_add_fluid(w, &water, &source));
    add_one(w, 3.0f, 3.0f, 3.0f, 1.0f, &grain);
    bad = def, bad.fluid.spacing = 0.03f, refuse(w, bad, "the world has a fluid of 0.02 m");
    bad = def, bad.fluid.density = -1.0f, refuse(w, bad, "density is -1");
    bad = def, bad.direction = (pl_vec3){0.0f, 0.0f, 0.0f}, refuse(w, bad, "direction is (0, 0, 0)");
    bad = def, bad.direction.x = NAN, refuse(w, bad, "direction");
    bad = def, bad.up = bad.direction, refuse(w, bad, "up is parallel");
    bad = def, bad.position.y = INFINITY, refuse(w, bad, "position and up must be finite");
    bad = def, bad.size[0] = 0.005f, refuse(w, bad, "size[0] is 0.005 m; it must be from half of the spacing, 0.01 m");
    bad = def, bad.nozzle = (pl_nozzle)5, refuse(w, bad, "nozzle is 5");
    bad = def, bad.speed = -1.0f, refuse(w, bad, "speed is -1 m/s");
    bad = def, bad.rate = 1e6f, refuse(w, bad, "at most 10000 is possible");
    bad = def, bad.stop = -1.0, refuse(w, bad, "stop must not be before start");
    bad = def, bad.lifetime = -1.0f, refuse(w, bad, "lifetime is -1 s");
    bad = def, bad.capacity = 20, refuse(w, bad, "capacity is 20 particles; the nozzle alone may hold");
    bad = def, bad.source = grain, refuse(w, bad, "the source is not a fluid");
    def.source = source;
    good(pl_add_emitter(w, &def, NULL));
    refuse(w, def, "the source has an emitter already");
    refused(pl_set_emitter(w, source, -1.0f, true), PL_ERROR_ARGUMENT, "speed is -1");
    refused(pl_set_emitter(w, grain, 1.0f, true), PL_ERROR_ARGUMENT, "the object has no emitter");
    pl_world_destroy(w);
}

static void bad_drains_are_refused(void **state)
{
    (void)state;
    pl_world *w = make_world(4, 2);
    pl_drain_def def = pl_default_drain_def(), bad;
    pl_id id;
    bad = def, bad.size.y = 0.0f;
    refused(pl_add_drain(w, &bad, NULL), PL_ERROR_ARGUMENT, "size.y is 0 m");
    bad = def, bad.form = PL_DRAIN_PLANE, bad.normal.y = 0.0f;
    refused(pl_add_drain(w, &bad, NULL), PL_ERROR_ARGUMENT, "normal is (0, 0, 0)");
    bad = def, bad.rate = NAN;
    refused(pl_add_drain(w, &bad, NULL), PL_ERROR_ARGUMENT, "rate is");
    bad = def, bad.form = (pl_drain_form)4;
    refused(pl_add_drain(w, &bad, NULL), PL_ERROR_ARGUMENT, "form is 4");
    good(pl_add_drain(w, &def, &id));
    refused(pl_set_drain(w, id, -1.0f, true), PL_ERROR_ARGUMENT, "rate is -1");
    good(pl_set_drain(w, id, 0.5f, false));
    good(pl_remove(w, id));
    refused(pl_get_drain(w, id, NULL, NULL), PL_ERROR_ARGUMENT, "drain");
    pl_world_destroy(w);
}

// The reserve is no fluid yet: it has no mass, nothing touches it, and what is set for it is ignored.
static void a_reserve_is_inactive(void **state)
{
    (void)state;
    pl_world *w = make_world(4, 2);
    pl_emitter_def def = pl_default_emitter_def();
    pl_id id;
    def.capacity = 500, def.speed = 0.0f;
    good(pl_add_emitter(w, &def, &id));
    float before[1500], after[1500], mass[500], one[500];
    uint8_t active[500];
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, 500, before));
    for (int i = 0; i < 500; i++)
        one[i] = 1.0f;
    good(pl_set(w, PL_ATTRIBUTE_MASS, 0, 500, one));
    pl_phase phase = pl_default_phase();
    phase.fluid = true;
    good(pl_set_phase(w, 0, 500, &phase));
    play(w, 5);
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, 500, after));
    good(pl_get(w, PL_ATTRIBUTE_MASS, 0, 500, mass));
    good(pl_get_active(w, 0, 500, active));
    assert_memory_equal(before, after, sizeof before);
    for (int i = 0; i < 500; i++)
        assert_true(mass[i] == 0.0f && !active[i]);
    assert_int_equal(pl_world_fluid(w).particles, 0);
    good(pl_set_emitter(w, id, 1.0f, true));
    play(w, 10);
    assert_true(pl_world_fluid(w).particles > 0);
    good(pl_set_emitter(w, id, 1.0f, false));
    play(w, 1);
    pl_emitter_state s;
    good(pl_get_emitter(w, id, &s));
    assert_int_equal(s.held, 0);
    good(pl_remove(w, id));
    assert_int_equal(pl_particle_count(w), 0);
    play(w, 2);
    pl_world_destroy(w);
}

// The speed changes while it runs, the particles inside of the nozzle with it.
static void a_jet_changes_its_speed(void **state)
{
    (void)state;
    pl_world *w = make_world(4, 2);
    set_gravity(w, 0.0f);
    pl_emitter_def def = pl_default_emitter_def();
    pl_emitter_state a, b;
    pl_id id;
    def.capacity = 3000;
    good(pl_add_emitter(w, &def, &id));
    play(w, 20);
    good(pl_get_emitter(w, id, &a));
    good(pl_set_emitter(w, id, 2.0f, true));
    play(w, 30);
    good(pl_get_emitter(w, id, &b));
    double volume = (double)(b.emitted - a.emitted) * b.particle_volume;
    near_to("volume", volume, b.area * 2.0 * 0.5, 0.02 * b.area);
    near_to("compression", pl_world_fluid(w).compression_max, 0.0, 0.02);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_wrong_is_refused), cmocka_unit_test(bad_drains_are_refused),
        cmocka_unit_test(a_reserve_is_inactive), cmocka_unit_test(a_jet_changes_its_speed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
