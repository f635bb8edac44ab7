// Contact events of rigid bodies: begin, hit and end, with impulses that mechanics asks for; the same stream whoever
// computes it, and across snapshots.
#include "physics/rigid_world.h"

enum
{
    MOST = 2048,
};

static pl_contact_event told[MOST];

static int events_of(const pl_world *w)
{
    int count = pl_contact_events(w, told, MOST);
    assert_true(count <= MOST);
    return count;
}

static void watch(pl_world *w, bool stay, float hit_speed)
{
    pl_watch_def def = pl_default_watch_def();
    def.stay = stay, def.hit_speed = hit_speed;
    good(pl_watch_contacts(w, &def));
}

// A box falls by 1 m, lands flat and stays: it begins once, hits once at sqrt(2 g h), and what the floor gives it over
// time is its weight.
static void a_box_lands(void **unused)
{
    (void)unused;
    pl_world *w = open_world(20);
    pl_id box = add_box(w, (pl_vec3){0.5f, 0.5f, 0.5f}, (pl_vec3){2.0f, 1.5f, 0.0f}, 3.0f), floor;
    pl_shape_def ground = pl_default_shape_def();
    good(pl_add_shape(w, &ground, &floor));
    good(pl_set_user_data(w, box, 11));
    good(pl_set_user_data(w, floor, 22));
    watch(w, true, 1.0f);
    int count[4] = {0};
    double impulse = 0.0, approach = 0.0;
    for (int f = 0; f < 120; f++)
    {
        frames(w, 1);
        for (int i = 0, n = events_of(w); i < n; i++)
        {
            const pl_contact_event *e = &told[i];
            count[e->phase]++;
            assert_int_equal(e->kind, PL_CONTACT_BODY_SHAPE);
            assert_int_equal(e->a, number_of(w, box));
            assert_int_equal(e->b, -1);
            assert_int_equal(e->bodies[0].index, box.index);
            assert_int_equal(e->bodies[1].index, 0);
            assert_int_equal(e->shape.index, floor.index);
            assert_true(e->user_data[0] == 11 && e->user_data[1] == 22);
            near_to("normal", e->normal.y, 1.0, 1e-4);
            near_to("point", e->point.y, 0.0, 5e-3);
            near_to("point", e->point.x, 2.0, 0.51);
            if (e->phase != PL_CONTACT_HIT)
                impulse += (double)e->impulse.y;
            else
                approach = (double)e->approach;
        }
    }
    assert_int_equal(count[PL_CONTACT_BEGIN], 1);
    assert_int_equal(count[PL_CONTACT_HIT], 1);
    assert_int_equal(count[PL_CONTACT_END], 0);
    assert_true(count[PL_CONTACT_STAY] > 80);
    near_to("approach", approach, sqrt(2.0 * GRAVITY), 0.02 * sqrt(2.0 * GRAVITY));
    near_to("impulse", impulse, 3.0 * GRAVITY * 2.0, 3.0 * GRAVITY * 2.0 * 5e-3); // at rest before and after
    pl_contact_counts all = pl_world_contact_counts(w);
    assert_true(all.all_begun == 1 && all.all_hits == 1 && all.touching == 1 && all.hits == 0);
    pl_world_destroy(w);
}

// Two balls without gravity: one event of each sort, and the impulse of an elastic or plastic impact, (1 + e) m v/2.
static void two_balls_meet(void **unused)
{
    (void)unused;
    for (int elastic = 0; elastic < 2; elastic++)
    {
        pl_world *w = open_world(8);
        pl_id a = add_body(w, PL_RIGID_SPHERE, 0.0f, 0.0f, 0.0, 2.0f),
              b = add_body(w, PL_RIGID_SPHERE, 2.013f, 0.0f, 0.0, 2.0f);
        int begun = 0, hit = 0, ended = 0;
        double impulse = 0.0;
        no_gravity(w);
        rub(w, 0.0f, (float)elastic);
        good(pl_push_rigid(w, b, (pl_vec3){-6.0f, 0.0f, 0.0f}, (pl_vec3){2.013f, 0.0f, 0.0f})); // 3 m/s
        good(pl_set_user_data(w, b, 5));
        watch(w, false, 0.5f);
        for (int f = 0; f < 60; f++)
        {
            frames(w, 1);
            for (int i = 0, n = events_of(w); i < n; i++)
            {
                const pl_contact_event *e = &told[i];
                assert_int_equal(e->kind, PL_CONTACT_BODIES);
                assert_true(e->bodies[0].index == a.index && e->bodies[1].index == b.index);
                assert_true(e->user_data[0] == 0 && e->user_data[1] == 5);
                near_to("normal", e->normal.x, -1.0, 1e-4); // towards a
                near_to("point", e->point.x, 0.5, 0.1);     // they move on together after a plastic impact
                begun += e->phase == PL_CONTACT_BEGIN, ended += e->phase == PL_CONTACT_END;
                hit += e->phase == PL_CONTACT_HIT;
                if (e->phase == PL_CONTACT_HIT)
                    near_to("approach", e->approach, 3.0, 0.01);
                if (e->phase == PL_CONTACT_BEGIN)
                    impulse = (double)e->impulse.x;
            }
        }
        assert_int_equal(begun, 1);
        assert_int_equal(hit, 1);
        assert_int_equal(ended, 1); // what moves on together without a force does not press
        near_to("impulse on a", impulse, -(1.0 + elastic) * 2.0 * 3.0 / 2.0, 0.05);
        pl_world_destroy(w);
    }
}

// A body of two boxes on the floor is one contact, with the weight of both.
static void compounds_are_one(void **unused)
{
    (void)unused;
    pl_world *w = open_world(8);
    pl_rigid_shape s[2] = {pl_default_rigid_shape(), pl_default_rigid_shape()};
    pl_rigid_def d = pl_default_rigid_def();
    s[0].position.x = -1.0f, s[1].position.x = 1.0f;
    d.shapes = s, d.shape_count = 2, d.mass = 4.0f, d.position.y = 0.5f;
    add_plane(w, 0.0);
    good(pl_add_rigid(w, &d, NULL));
    watch(w, true, 1e30f);
    frames(w, 60);
    assert_int_equal(events_of(w), 1);
    near_to("impulse", told[0].impulse.y, 4.0 * GRAVITY / 60.0, 4.0 * GRAVITY / 60.0 * 0.01);
    pl_world_destroy(w);
}

static void only_what_was_asked_for(void **unused)
{
    (void)unused;
    pl_world *w = open_world(8);
    pl_watch_def def = pl_default_watch_def();
    pl_id floor, box[3];
    pl_shape_def ground = pl_default_shape_def();
    good(pl_add_shape(w, &ground, &floor));
    for (int i = 0; i < 3; i++)
        box[i] = add_box(w, (pl_vec3){0.5f, 0.5f, 0.5f}, (pl_vec3){0.0f, 0.5f + (float)i, 0.0f}, 1.0f);
    frames(w, 30);
    def.stay = true;
    good(pl_watch_contacts(w, &def));
    frames(w, 1);
    assert_int_equal(events_of(w), 3);
    for (int i = 0; i < 3; i++) // a new watch starts from nothing
        assert_int_equal(told[i].phase, PL_CONTACT_BEGIN);
    assert_true(told[0].kind == PL_CONTACT_BODIES && told[1].kind == PL_CONTACT_BODIES);
    assert_int_equal(told[2].kind, PL_CONTACT_BODY_SHAPE);
    def.object = box[0];
    good(pl_watch_contacts(w, &def));
    frames(w, 1);
    assert_int_equal(events_of(w), 2);
    def.object = (pl_id){0, 0}, def.shape = floor;
    good(pl_watch_contacts(w, &def));
    frames(w, 1);
    assert_int_equal(events_of(w), 1);
    def.shape = (pl_id){0, 0}, def.bodies = false;
    good(pl_watch_contacts(w, &def));
    frames(w, 1);
    assert_int_equal(events_of(w), 0);
    def.bodies = true, def.hit_speed = -1.0f;
    refused(pl_watch_contacts(w, &def), PL_ERROR_ARGUMENT, "hit_speed");
    def.hit_speed = NAN;
    refused(pl_watch_contacts(w, &def), PL_ERROR_ARGUMENT, "hit_speed");
    def.hit_speed = 1.0f;
    good(pl_watch_contacts(w, &def));
    frames(w, 1);
    assert_int_equal(events_of(w), 3);
    good(pl_remove(w, box[1])); // its contacts end without an event
    frames(w, 1);
    assert_int_equal(events_of(w), 1);
    assert_int_equal(pl_world_contact_counts(w).touching, 1);
    pl_world_destroy(w);
}

static uint64_t add_hash(uint64_t h, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++)
        h = (h ^ bytes[i]) * 1099511628211u;
    return h;
}

// The same events on other lanes and threads, and with a snapshot now and then: no contact begins twice.
static void the_same_stream(void **unused)
{
    (void)unused;
    uint64_t first = 0, state = 0;
    for (int how = 0; how < 5; how++)
    {
        uint64_t hash = 14695981039346656037u;
        int64_t seen = 0;
        pl_world *w = open_world(6);
        add_plane(w, 0.0);
        rub(w, 0.5f, 0.3f);
        pile_up(w, 40);
        if (how < 4)
            watch(w, false, 1.0f);
        good(pl_world_set_workers(w, 1 + how % 2, how < 2 ? 1 : 0));
        for (int f = 0; f < 60; f++)
        {
            frames(w, 1);
            int n = events_of(w);
            seen += n;
            for (int i = 0; i < n; i++)
            {
                const pl_contact_event *e = &told[i];
                const int who[4] = {(int)e->phase, (int)e->kind, e->a, e->b};
                hash = add_hash(hash, who, sizeof who);
                hash = add_hash(hash, &e->force, 4 * sizeof e->force);
                hash = add_hash(hash, &e->approach, sizeof e->approach);
                assert_true(i == 0 || e[-1].kind < e->kind || (e[-1].kind == e->kind && e[-1].a <= e->a));
            }
            if (how == 3 && f % 7 == 3)
                w = saved_and_loaded(w);
        }
        if (how == 0)
            first = hash, state = pl_world_hash(w);
        assert_true(pl_world_hash(w) == state); // a watch changes nothing
        assert_true(how == 4 ? seen == 0 : seen > 80 && hash == first);
        pl_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_lands),       cmocka_unit_test(two_balls_meet),
        cmocka_unit_test(compounds_are_one), cmocka_unit_test(only_what_was_asked_for),
        cmocka_unit_test(the_same_stream),
    };
    return cmocka_run_group_tests_name("rigid events", tests, NULL, NULL);
}
