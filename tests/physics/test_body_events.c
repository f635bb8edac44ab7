// test_body_events.c: contact events between rigid bodies and objects of particles: begin, hit, end, forces, equal streams.
#include "physics/body_particles.h"

enum
{
    ROOM = 64
};

static pl_id add_sheet(pl_world *w, float mass)
{
    pl_cloth_def def = pl_default_cloth_def();
    pl_id id;
    const int32_t corners[] = {0, 4, 20, 24};
    def.columns = def.rows = 5, def.mass = mass, def.thickness = 0.02f;
    def.origin = (pl_vec3){-1.0f, 0.0f, -1.0f}, def.u = (pl_vec3){2.0f, 0.0f, 0.0f};
    def.v = (pl_vec3){0.0f, 0.0f, 2.0f};
    def.pinned = corners, def.pinned_count = 4;
    good(pl_add_cloth(w, &def, &id));
    return id;
}

static pl_id add_sphere(pl_world *w, pl_vec3 at, float radius, float mass, uint64_t data)
{
    pl_rigid_shape shape = pl_default_rigid_shape();
    pl_rigid_def def = pl_default_rigid_def();
    pl_id id;
    shape.kind = PL_RIGID_SPHERE, shape.radius = radius;
    def.shapes = &shape, def.shape_count = 1, def.position = at, def.mass = mass, def.user_data = data;
    good(pl_add_rigid(w, &def, &id));
    return id;
}

static void watch_bodies(pl_world *w, bool stay)
{
    pl_watch_def watch = pl_default_watch_def();
    watch.particles = watch.shapes = watch.surfaces = false, watch.stay = stay;
    good(pl_watch_contacts(w, &watch));
}

// The speed of the nearest particle of a cloth of 25 along y.
static double speed_below(const pl_world *w, pl_id cloth, pl_vec3 at)
{
    int first, count, nearest = 0;
    double best = 1e9;
    good(pl_object_range(w, cloth, &first, &count));
    for (int n = first; n < first + count; n++)
    {
        pl_vec3 x = value_of(w, PL_ATTRIBUTE_POSITION, n);
        double far = hypot((double)x.x - (double)at.x, (double)x.z - (double)at.z);
        if (far < best)
            best = far, nearest = n;
    }
    return (double)value_of(w, PL_ATTRIBUTE_VELOCITY, nearest).y;
}

// A ball flies at a cloth at rest, between its particles: it hits at its own speed.
static void a_hit_has_the_speed_of_the_ball(void **unused)
{
    (void)unused;
    for (int substeps = 4; substeps <= 20; substeps += 16)
    {
        pl_world *w = make_world(substeps, 1);
        pl_contact_event e[ROOM];
        double approach = 0.0;
        no_gravity(w);
        add_sheet(w, 1.0f);
        pl_id ball = add_sphere(w, (pl_vec3){0.1f, 0.6f, 0.15f}, 0.08f, 0.5f, 42);
        good(pl_push_rigid(w, ball, (pl_vec3){0.0f, -0.5f * 3.1f, 0.0f}, (pl_vec3){0.1f, 0.6f, 0.15f}));
        watch_bodies(w, true);
        for (int i = 0; i < 15 && approach == 0.0; i++)
        {
            play(w, 1);
            int count = pl_contact_events(w, e, ROOM);
            for (int k = 0; k < count; k++)
                if (e[k].phase == PL_CONTACT_HIT)
                    approach = (double)e[k].approach;
        }
        near_to("the approach", approach, 3.1, 1e-4);
        pl_world_destroy(w);
    }
}

// A ball falls on a cloth that hangs at its corners and swings: it begins, hits at the speed of its fall relative to the
// cloth, and what the cloth gives it over two seconds is its weight. Taken away, it ends.
static void a_ball_on_a_cloth(void **unused)
{
    (void)unused;
    pl_world *w = make_world(20, 1);
    pl_settings set = pl_world_settings(w);
    pl_contact_event e[ROOM];
    int begun = 0, hits = 0, ended = 0;
    double approach = 0.0, relative = 0.0, given = 0.0, mean = 0.0;
    set.damping = 0.5f;
    good(pl_world_set_settings(w, &set));
    pl_id cloth = add_sheet(w, 1.0f), ball = add_sphere(w, (pl_vec3){0.1f, 0.6f, 0.15f}, 0.08f, 0.5f, 42);
    watch_bodies(w, true);
    for (int i = 0; i < 360; i++)
    {
        const pl_rigid_state before = state_of(w, ball);
        const double closing = speed_below(w, cloth, before.position) - (double)before.velocity.y;
        play(w, 1);
        int count = pl_contact_events(w, e, ROOM);
        for (int k = 0; k < count; k++)
        {
            assert_int_equal(e[k].kind, PL_CONTACT_BODY_OBJECT);
            assert_true(e[k].bodies[0].index == ball.index && e[k].object.index == cloth.index);
            assert_true(e[k].user_data[0] == 42 && e[k].shape.index == 0 && e[k].bodies[1].index == 0);
            begun += e[k].phase == PL_CONTACT_BEGIN, ended += e[k].phase == PL_CONTACT_END;
            hits += e[k].phase == PL_CONTACT_HIT;
            if (e[k].phase == PL_CONTACT_HIT && approach == 0.0)
                approach = (double)e[k].approach, relative = closing;
            if (i >= 240 && e[k].phase != PL_CONTACT_HIT)
                given += (double)e[k].impulse.y, mean += (double)e[k].force.y / 120.0;
        }
    }
    const double speed = (double)state_of(w, ball).velocity.y, weight = 0.5 * GRAVITY;
    print_message("begun %d, hits %d, ended %d; hit at %.3f m/s, %.3f a frame before; gave %.4f of the weight, mean "
                  "largest force %.3f of "
                  "it, now at %.2g m/s\n",
                  begun, hits, ended, approach, relative, given / (2.0 * weight), mean / weight, speed);
    assert_true(begun >= 1 && hits >= 1);
    // In the frame of the hit gravity adds up to 0.16 m/s, and the cloth is slowed or pulled along.
    near_to("the approach", approach, relative, 0.2);
    near_to("the impulse over the weight", given / (2.0 * weight), 1.0, 0.02);
    pl_rigid_state s = state_of(w, ball);
    s.position.y = 5.0f, s.velocity = (pl_vec3){0.0f, 0.0f, 0.0f};
    good(pl_set_rigids(w, &ball, 1, &s));
    ended = 0;
    for (int i = 0; i < 4; i++)
    {
        play(w, 1);
        int count = pl_contact_events(w, e, ROOM);
        for (int k = 0; k < count; k++)
            ended += e[k].phase == PL_CONTACT_END;
    }
    assert_int_equal(ended, 1);
    pl_world_destroy(w);
}

// An elastic impact: the impulse is twice the momentum.
static void an_impact_is_told(void **unused)
{
    (void)unused;
    for (int bouncy = 0; bouncy < 2; bouncy++)
    {
        pl_world *w = make_world(8, 1);
        pl_contact_event e[ROOM];
        double given = 0.0;
        no_gravity(w);
        set_friction(w, 0.0f, bouncy ? 1.0f : 0.0f);
        pl_id box = add_box(w, (pl_vec3){0.5f, 0.5f, 0.5f}, (pl_vec3){0.0f, 0.0f, 0.0f}, 3.0f);
        int n = add_ball(w, (pl_vec3){-1.0f, 0.0f, 0.0f}, (pl_vec3){4.0f, 0.0f, 0.0f}, 1.0f, 0.1f);
        watch_bodies(w, true);
        for (int i = 0; i < 30; i++)
        {
            play(w, 1);
            int count = pl_contact_events(w, e, ROOM);
            for (int k = 0; k < count; k++)
            {
                assert_int_equal(e[k].b, n);
                if (e[k].phase != PL_CONTACT_HIT)
                    given += (double)e[k].impulse.x;
                else
                    near_to("the approach", (double)e[k].approach, 4.0, 0.01);
            }
        }
        double got = 3.0 * (double)state_of(w, box).velocity.x;
        print_message("bouncy %d: impulse %.4f N s, momentum of the box %.4f\n", bouncy, given, got);
        near_to("the impulse", given, got, 0.02 * got);
        pl_world_destroy(w);
    }
}

// ---- equal streams -------------------------------------------------------------------------------------------------

static uint64_t mixed(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
    return hash;
}

static uint64_t stream_of(int threads, int lanes, bool saved)
{
    pl_world_def def = small_def(8, 1);
    pl_world *w = NULL;
    pl_contact_event e[ROOM];
    uint64_t hash = 0xcbf29ce484222325u;
    def.threads = threads, def.lanes = lanes;
    good(pl_world_create(&def, &w));
    set_friction(w, 0.4f, 0.3f);
    add_sheet(w, 1.0f);
    for (int i = 0; i < 5; i++)
    {
        add_sphere(w, (pl_vec3){0.15f * (float)i - 0.3f, 0.2f + 0.1f * (float)i, 0.1f}, 0.06f, 0.2f, (uint64_t)i);
        add_ball(w, (pl_vec3){0.15f * (float)i - 0.3f, 0.8f, 0.1f}, (pl_vec3){0}, 0.05f, 0.04f);
    }
    watch_bodies(w, true);
    for (int i = 0; i < 45; i++)
    {
        play(w, 1);
        int count = pl_contact_events(w, e, ROOM);
        assert_true(count <= ROOM);
        for (int k = 0; k < count; k++)
        {
            const int32_t who[4] = {(int32_t)e[k].phase, (int32_t)e[k].kind, e[k].a, e[k].b};
            const float much[4] = {e[k].impulse.y, e[k].force.y, e[k].normal_force, e[k].approach};
            hash = mixed(mixed(hash, who, sizeof who), much, sizeof much);
        }
        if (saved && i % 15 == 10)
        {
            void *bytes = NULL;
            size_t size = 0;
            good(pl_world_save_memory(w, &bytes, &size));
            pl_world_destroy(w);
            good(pl_world_load_memory(&def, bytes, size, &w));
            pl_free(bytes);
        }
    }
    pl_world_destroy(w);
    return hash;
}

static void the_same_events(void **unused)
{
    (void)unused;
    uint64_t wanted = stream_of(1, 1, false);
    assert_true(stream_of(1, 1, true) == wanted);
    for (const int *lanes = pl_lane_widths(); *lanes; lanes++)
        assert_true(stream_of(2, *lanes, false) == wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hit_has_the_speed_of_the_ball),
        cmocka_unit_test(a_ball_on_a_cloth),
        cmocka_unit_test(an_impact_is_told),
        cmocka_unit_test(the_same_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
