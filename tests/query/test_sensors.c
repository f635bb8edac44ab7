// Sensors: what comes in and leaves is reported once, in order, by every form; filters; snapshots; removal; refusals.
#include "physics/rigid_world.h"

enum
{
    MOST = 256,
};

static pl_sensor_event told[MOST];
static pl_sensor_visit inside[MOST];

static int events_of(const pl_world *w)
{
    int count = pl_sensor_events(w, told, MOST);
    assert_true(count <= MOST);
    return count;
}

static int visits_of(const pl_world *w, pl_id sensor) { return pl_sensor_visits(w, sensor, inside, MOST); }

static const float corners[24] = {-1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1, -1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1, 1};

// A ball of radius 0.5 falls through a sensor whose top is at 1 and whose bottom is at -1: it comes in at 1.5, leaves at
// -1.5, and is not slowed down.
static void a_ball_falls_through(void **unused)
{
    (void)unused;
    const pl_shape_kind kinds[] = {PL_SHAPE_SPHERE, PL_SHAPE_CAPSULE, PL_SHAPE_BOX, PL_SHAPE_HULL};
    for (int k = 0; k < 4; k++)
    {
        pl_world *w = open_world(8);
        pl_shape_def d = pl_default_shape_def();
        pl_id zone, ball = add_body(w, PL_RIGID_SPHERE, 0.0f, 3.0f, 0.0, 1.0f);
        d.kind = kinds[k], d.sensor = true;
        d.radius = d.kind == PL_SHAPE_SPHERE ? 1.0f : d.kind == PL_SHAPE_CAPSULE ? 0.5f : 0.0f;
        d.half = (pl_vec3){1.0f, 1.0f, 1.0f}, d.length = 1.0f;
        d.vertices = corners, d.vertex_count = 8;
        good(pl_add_shape(w, &d, &zone));
        good(pl_set_user_data(w, zone, 7));
        good(pl_set_user_data(w, ball, 8));
        bool was = false;
        int begun = 0, ended = 0;
        for (int f = 0; f < 90; f++)
        {
            frames(w, 1);
            double y = (double)state_of(w, ball).position.y;
            int n = events_of(w);
            bool is = fabs(y) <= 1.5;
            if (fabs(fabs(y) - 1.5) > 1e-3)
            {
                assert_int_equal(n, is != was);
                assert_int_equal(visits_of(w, zone), is);
                was = is;
            }
            for (int i = 0; i < n; i++)
            {
                assert_true(told[i].sensor.index == zone.index && told[i].visitor.index == ball.index);
                assert_true(told[i].part == -1 && told[i].user_data[0] == 7 && told[i].user_data[1] == 8);
                begun += told[i].phase == PL_CONTACT_BEGIN, ended += told[i].phase == PL_CONTACT_END;
            }
        }
        assert_true(begun == 1 && ended == 1);
        near_to("free fall", state_of(w, ball).velocity.y, -GRAVITY * 1.5, 1e-3);
        pl_world_destroy(w);
    }
}

// A sensor on a body moves with it, adds no contact, and does not see its own body.
static void bodies_carry_sensors(void **unused)
{
    (void)unused;
    const pl_rigid_shape_kind kinds[] = {PL_RIGID_SPHERE, PL_RIGID_CAPSULE, PL_RIGID_BOX, PL_RIGID_CYLINDER,
                                         PL_RIGID_HULL};
    for (int k = 0; k < 5; k++)
    {
        pl_world *w = open_world(8);
        pl_rigid_shape s[2] = {pl_default_rigid_shape(), pl_default_rigid_shape()}, got;
        pl_rigid_def d = pl_default_rigid_def();
        pl_id car, post = add_body(w, PL_RIGID_BOX, 4.0f, 0.0f, 0.0, 1.0f);
        no_gravity(w);
        s[1].kind = kinds[k], s[1].sensor = true, s[1].density = 0.0f;
        s[1].radius = 1.0f, s[1].length = kinds[k] == PL_RIGID_CAPSULE ? 0.5f : 2.0f;
        s[1].half = (pl_vec3){1.0f, 1.0f, 1.0f};
        s[1].vertices = corners, s[1].vertex_count = 8;
        d.shapes = s, d.shape_count = 2, d.velocity.x = 1.0f; // the sensor reaches from -1 to 1 of the car
        good(pl_add_rigid(w, &d, &car));
        good(pl_get_rigid_shape(w, car, 1, &got, NULL, NULL));
        assert_true(got.sensor);
        int begun = 0;
        for (int f = 0; f < 170; f++)
        {
            frames(w, 1);
            double front = (double)state_of(w, car).position.x + 1.0;
            for (int i = 0, n = events_of(w); i < n; i++)
            {
                assert_true(told[i].phase == PL_CONTACT_BEGIN && told[i].part == 1);
                assert_true(told[i].sensor.index == car.index && told[i].visitor.index == post.index);
                near_to("came in", front, 3.5, 0.02);
                begun++;
            }
        }
        assert_int_equal(begun, 1); // its own box has not met the post yet
        near_to("not slowed", state_of(w, car).velocity.x, 1.0, 1e-5);
        assert_int_equal(visits_of(w, car), 1);
        assert_true(inside[0].part == 1 && inside[0].visitor.index == post.index && inside[0].particles == 0);
        pl_world_destroy(w);
    }
}

// Bodies by 64-bit categories, particles by channels and by number.
static void filters_hold(void **unused)
{
    (void)unused;
    pl_world *w = open_world(4);
    pl_rigid_shape s = pl_default_rigid_shape();
    pl_rigid_def d = pl_default_rigid_def();
    pl_shape_def zone = pl_default_shape_def();
    pl_id seen, unseen, sensor, own, cloud;
    no_gravity(w);
    zone.kind = PL_SHAPE_BOX, zone.half = (pl_vec3){3.0f, 3.0f, 3.0f}, zone.sensor = true, zone.mask = 2;
    good(pl_add_shape(w, &zone, &sensor));
    d.shapes = &s, d.shape_count = 1, d.mask = 2, d.category = (uint64_t)1 << 50;
    good(pl_add_rigid(w, &d, &seen));
    d.mask = ~(uint64_t)2, d.position.x = 1.5f;
    good(pl_add_rigid(w, &d, &unseen));
    s.sensor = true, s.half = (pl_vec3){3.0f, 3.0f, 3.0f};
    d.category = 4, d.mask = (uint64_t)1 << 50, d.position.z = 1.5f;
    good(pl_add_rigid(w, &d, &own));
    pl_particles_def p = pl_default_particles_def();
    const float x[9] = {0.0f, 2.0f, 0.0f, 0.0f, 2.5f, 0.0f, 0.0f, 9.0f, 0.0f};
    p.count = 3, p.position = x, p.mass_each = 1.0f;
    good(pl_add_particles(w, &p, &cloud));
    frames(w, 1);
    // The zone: the first body, and two of the three particles. The sensor of the third body is no visitor.
    assert_int_equal(visits_of(w, sensor), 2);
    for (int i = 0; i < 2; i++)
        assert_true(inside[i].visitor.index == seen.index
                        ? inside[i].particles == 0
                        : inside[i].visitor.index == cloud.index && inside[i].particles == 2);
    // The sensor of the body: only what collides with category 4, and has category 50; here it finds the second body.
    assert_int_equal(visits_of(w, own), 2);
    bool found = false;
    for (int i = 0; i < 2; i++)
        found |= inside[i].visitor.index == unseen.index;
    assert_true(found);
    good(pl_set_rigid_filter(w, unseen, (uint64_t)1 << 50, 0));
    frames(w, 1);
    assert_int_equal(events_of(w), 1);
    assert_true(told[0].phase == PL_CONTACT_END && told[0].visitor.index == unseen.index);
    pl_phase phase = pl_default_phase();
    int first, count;
    phase.mask = 1;
    good(pl_object_range(w, cloud, &first, &count));
    good(pl_set_phase(w, first, count, &phase));
    frames(w, 1);
    assert_int_equal(visits_of(w, sensor), 1);
    // Casts do not find sensors.
    pl_cast_def ray = pl_default_cast_def();
    pl_hit hit;
    ray.origin = (pl_vec3){-2.5f, 10.0f, -2.5f};
    good(pl_cast(w, &ray, &hit));
    assert_false(hit.found);
    pl_world_destroy(w);
}

// Nothing begins again after a load; what is removed leaves without an event; the same on other threads and lanes.
static void lists_are_kept(void **unused)
{
    (void)unused;
    uint64_t first = 0;
    for (int how = 0; how < 4; how++)
    {
        pl_world *w = open_world(6);
        pl_shape_def zone = pl_default_shape_def();
        pl_id sensor;
        uint64_t hash = 14695981039346656037u;
        int all = 0;
        add_plane(w, 0.0);
        zone.kind = PL_SHAPE_BOX, zone.half = (pl_vec3){2.0f, 1.0f, 2.0f}, zone.position.y = 2.0f, zone.sensor = true;
        good(pl_add_shape(w, &zone, &sensor));
        pile_up(w, 24);
        good(pl_world_set_workers(w, 1 + how % 2, how < 2 ? 1 : 0));
        for (int f = 0; f < 60; f++)
        {
            frames(w, 1);
            int n = events_of(w);
            all += n;
            for (int i = 0; i < n; i++)
                hash = (hash ^ ((uint64_t)told[i].visitor.index << 8 | (uint64_t)told[i].phase)) * 1099511628211u;
            if (how == 3 && f % 9 == 4)
                w = saved_and_loaded(w);
        }
        first = how ? first : hash;
        assert_true(hash == first && all > 15);
        int before = visits_of(w, sensor);
        assert_true(before > 1);
        good(pl_remove(w, inside[0].visitor));
        assert_int_equal(visits_of(w, sensor), before - 1);
        good(pl_remove(w, sensor));
        frames(w, 1);
        assert_int_equal(events_of(w), 0);
        assert_int_equal(visits_of(w, sensor), 0);
        pl_world_destroy(w);
    }
}

static void bad_sensors_are_refused(void **unused)
{
    (void)unused;
    pl_world *w = open_world(4);
    pl_shape_def d = pl_default_shape_def();
    pl_rigid_shape s = pl_default_rigid_shape();
    pl_rigid_def b = pl_default_rigid_def();
    const int32_t sides[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                               1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
    d.sensor = true;
    refused(pl_add_shape(w, &d, NULL), PL_ERROR_ARGUMENT, "a sensor must be");
    d.kind = PL_SHAPE_SPHERE, d.radius = 1.0f, d.inside = true;
    refused(pl_add_shape(w, &d, NULL), PL_ERROR_ARGUMENT, "a sensor must be");
    s.kind = PL_RIGID_MESH, s.sensor = true;
    s.vertices = corners, s.vertex_count = 8, s.triangles = sides, s.triangle_count = 12;
    b.shapes = &s, b.shape_count = 1;
    refused(pl_add_rigid(w, &b, NULL), PL_ERROR_ARGUMENT, "is a sensor");
    assert_int_equal(pl_shape_count(w), 0);
    assert_int_equal(pl_world_rigids(w, NULL, 0), 0);
    assert_int_equal(pl_sensor_visits(w, (pl_id){9, 9}, inside, MOST), 0);
    assert_int_equal(pl_sensor_events(NULL, told, MOST), 0);
    pl_world_destroy(w);
}

static pl_result parse(const char *text, pl_scene **scene)
{
    return pl_scene_parse(text, strlen(text), "test", NULL, 0, scene);
}

// The fields of scenes: sensors of both sorts, and a joint whose bodies collide.
static void scenes_have_them(void **unused)
{
    (void)unused;
    const char *text = "{ \"shape\": { \"kind\": \"box\", \"sensor\": true, \"half\": [1, 1, 1] },"
                       "  \"rigid\": [ { \"name\": \"a\", \"shapes\": { \"kind\": \"sphere\", \"radius\": 0.2 } },"
                       "    { \"name\": \"b\", \"position\": [0.5, 0, 0], \"shapes\": [ { \"kind\": \"sphere\","
                       "      \"radius\": 0.2 }, { \"kind\": \"sphere\", \"radius\": 0.4, \"sensor\": true } ] } ],"
                       "  \"joint\": { \"kind\": \"ball\", \"a\": \"a\", \"b\": \"b\", \"point\": [0.25, 0, 0],"
                       "    \"collide\": true } }";
    pl_scene *scene;
    pl_world_def def = pl_default_world_def();
    pl_world *w;
    pl_id body[2];
    good(parse(text, &scene));
    good(pl_scene_world(scene, &def, &w));
    pl_scene_free(scene);
    frames(w, 1);
    assert_int_equal(visits_of(w, pl_shape_at(w, 0)), 2);
    assert_int_equal(pl_world_rigids(w, body, 2), 2);
    assert_int_equal(visits_of(w, body[1]), 1);
    assert_int_equal(inside[0].visitor.index, body[0].index);
    assert_int_equal(visits_of(w, body[0]), 0);
    pl_world_destroy(w);
    // A plane has no inside.
    pl_result result = parse("{ \"shape\": { \"kind\": \"plane\", \"sensor\": true } }", &scene);
    if (result == PL_OK)
    {
        result = pl_scene_world(scene, &def, &w);
        pl_scene_free(scene);
    }
    assert_int_not_equal(result, PL_OK);
    assert_non_null(strstr(pl_error_message(), "sensor"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_falls_through),
        cmocka_unit_test(bodies_carry_sensors),
        cmocka_unit_test(filters_hold),
        cmocka_unit_test(lists_are_kept),
        cmocka_unit_test(bad_sensors_are_refused),
        cmocka_unit_test(scenes_have_them),
    };
    return cmocka_run_group_tests_name("sensors", tests, NULL, NULL);
}
