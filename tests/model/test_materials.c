// Any number of materials: their mix, pairs with values of their own, snapshots, removal, and contacts that use them.
#include "physics/rigid_world.h"

enum
{
    MANY = 1000,
};

static pl_material numbered(int i)
{
    pl_material m = pl_default_material();
    m.static_friction = 0.01f + 0.0009f * (float)i, m.kinetic_friction = m.static_friction;
    m.rolling = (float)(i % 7) / 7.0f;
    return m;
}

static void add_many(pl_world *w)
{
    for (int i = 1; i < MANY; i++)
    {
        pl_material m = numbered(i);
        int number;
        good(pl_add_material(w, &m, &number));
        assert_int_equal(number, i);
    }
}

static float friction_of(const pl_world *w, int a, int b)
{
    pl_material m;
    good(pl_get_material_pair(w, a, b, &m));
    return m.static_friction;
}

static void a_thousand_mix(void **unused)
{
    (void)unused;
    pl_world *w = make_world(4, 1);
    pl_material own = pl_default_material(), got;
    add_many(w);
    for (int a = 1; a < MANY; a += 37)
        for (int b = 1; b < MANY; b += 41)
        {
            double p = (double)numbered(a).static_friction, q = (double)numbered(b).static_friction;
            near_to("friction", (double)friction_of(w, a, b), sqrt(p * q), 1e-6);
            assert_true(friction_of(w, a, b) == friction_of(w, b, a));
        }
    assert_true(friction_of(w, 777, 777) == numbered(777).static_friction);
    for (int i = 0; i < 200; i++) // in a scrambled order, some of them twice
    {
        own.static_friction = 2.0f + 0.5f * (float)((i * 73) % 150);
        good(pl_set_material_pair(w, (i * 73) % 150 + 300, 999 - (i * 73) % 150, &own));
    }
    for (int i = 0; i < 150; i++)
    {
        assert_true(friction_of(w, 300 + i, 999 - i) == 2.0f + 0.5f * (float)i);
        assert_true(friction_of(w, 999 - i, 300 + i) == 2.0f + 0.5f * (float)i);
    }
    near_to("no pair", (double)friction_of(w, 300, 998),
            sqrt((double)numbered(300).static_friction * (double)numbered(998).static_friction), 1e-6);
    refused(pl_get_material_pair(w, 0, MANY, &got), PL_ERROR_ARGUMENT, "from 0 to 999");
    refused(pl_set_material_pair(w, -1, 0, &own), PL_ERROR_ARGUMENT, "from 0 to 999");
    refused(pl_set_material(w, MANY, &own), PL_ERROR_ARGUMENT, "from 0 to 999");
    pl_world_destroy(w);
}

// Boxes and particles on a floor tilted by gravity, each with another of a thousand materials: those with too little
// friction slide. The same after a snapshot.
static void each_slides_by_its_own(void **unused)
{
    (void)unused;
    pl_world *w = make_world(8, 1);
    pl_settings s = pl_world_settings(w);
    pl_shape_def floor = pl_default_shape_def();
    pl_id body[10], grain[10];
    s.gravity = (pl_vec3){9.81f * 0.45f, -9.81f, 0.0f};
    good(pl_world_set_settings(w, &s));
    add_many(w);
    pl_material one = pl_default_material();
    one.static_friction = one.kinetic_friction = 1.0f;
    good(pl_set_material(w, 0, &one));
    good(pl_add_shape(w, &floor, NULL));
    for (int i = 0; i < 10; i++)
    {
        pl_rigid_shape shape = pl_default_rigid_shape();
        pl_rigid_def def = pl_default_rigid_def();
        pl_phase phase = pl_default_phase();
        int number = add_one(w, 0.0f, 0.5f, 3.0f * (float)i + 1.5f, 1.0f, &grain[i]);
        float radius = 0.5f;
        phase.material = shape.material = 50 + 100 * i; // frictions sqrt(0.055) to sqrt(0.865): half of them slide
        good(pl_set(w, PL_ATTRIBUTE_RADIUS, number, 1, &radius));
        good(pl_set_phase(w, number, 1, &phase));
        good(pl_get_phase(w, number, &phase));
        assert_int_equal(phase.material, 50 + 100 * i);
        def.shapes = &shape, def.shape_count = 1, def.position = (pl_vec3){0.0f, 0.5f, 3.0f * (float)i};
        good(pl_add_rigid(w, &def, &body[i]));
    }
    for (int loaded = 0; loaded < 2; loaded++)
    {
        play(w, 30);
        for (int i = 0; i < 10; i++)
        {
            pl_rigid_state state;
            pl_phase phase;
            int first, count;
            float x[3];
            good(pl_get_rigids(w, &body[i], 1, &state));
            good(pl_object_range(w, grain[i], &first, &count));
            good(pl_get(w, PL_ATTRIBUTE_POSITION, first, 1, x));
            good(pl_get_phase(w, first, &phase));
            assert_int_equal(phase.material, 50 + 100 * i);
            bool slides = sqrt((double)numbered(50 + 100 * i).static_friction) < 0.45;
            assert_true(((double)state.position.x > 0.05) == slides);
            assert_true(((double)x[0] > 0.05) == slides);
        }
        w = saved_and_loaded(w);
        assert_true(friction_of(w, 777, 777) == numbered(777).static_friction);
    }
    pl_world_destroy(w);
}

// A particle that takes the place of a removed one has the default material.
static void places_are_taken_clean(void **unused)
{
    (void)unused;
    pl_world *w = make_world(4, 1);
    pl_phase phase = pl_default_phase();
    pl_id object;
    add_many(w);
    add_one(w, 0.0f, 1.0f, 0.0f, 1.0f, NULL);
    phase.material = 900;
    good(pl_set_phase(w, add_one(w, 0.0f, 2.0f, 0.0f, 1.0f, &object), 1, &phase));
    play(w, 1);
    good(pl_remove(w, object));
    good(pl_get_phase(w, add_one(w, 0.0f, 3.0f, 0.0f, 1.0f, NULL), &phase));
    assert_int_equal(phase.material, 0);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_mix),
        cmocka_unit_test(each_slides_by_its_own),
        cmocka_unit_test(places_are_taken_clean),
    };
    return cmocka_run_group_tests_name("materials", tests, NULL, NULL);
}
