// test_body_particles.c: contacts between rigid bodies and particles against analytic answers: friction, momentum,
// restitution, fast particles, every shape, filters, snapshots, equal bits.
#include "physics/body_particles.h"

// ---- friction ------------------------------------------------------------------------------------------------------

static pl_id add_slope(pl_world *w, double angle, pl_rigid_type type)
{
    pl_rigid_shape shape;
    pl_rigid_def def = box_def(&shape, (pl_vec3){20.0f, 0.5f, 1.0f}, (pl_vec3){0.0f, 0.0f, 0.0f}, 0.0f);
    pl_id id;
    def.type = type, def.rotation = about_z(-angle);
    good(pl_add_rigid(w, &def, &id));
    return id;
}

static void particles_stick_and_slide(void **unused)
{
    (void)unused;
    const double degree = 3.14159265358979 / 180.0, hold = atan(0.5), off[] = {-1.0, 1.0, 10.0};
    for (int i = 0; i < 6; i++)
        for (int substeps = 4; substeps <= 20; substeps += 16)
        {
            double a = hold + off[i % 3] * degree;
            pl_world *w = make_world(substeps, 1);
            set_friction(w, 0.5f, 0.0f);
            add_slope(w, a, i < 3 ? PL_RIGID_STATIC : PL_RIGID_KINEMATIC);
            int n =
                add_ball(w, (pl_vec3){(float)(0.6 * sin(a)), (float)(0.6 * cos(a)), 0.0f}, (pl_vec3){0}, 0.3f, 0.1f);
            play(w, 20);
            pl_vec3 from = value_of(w, PL_ATTRIBUTE_VELOCITY, n), at = value_of(w, PL_ATTRIBUTE_POSITION, n);
            play(w, 60);
            pl_vec3 to = value_of(w, PL_ATTRIBUTE_VELOCITY, n), there = value_of(w, PL_ATTRIBUTE_POSITION, n);
            double exact = GRAVITY * (sin(a) - 0.5 * cos(a)), gain = size_of(to) - size_of(from);
            if (off[i % 3] < 0.0)
                below("how far it slips", size_of((pl_vec3){there.x - at.x, there.y - at.y, there.z - at.z}), 1e-5);
            else
                near_to("the acceleration", gain, exact, 1e-3 * exact);
            pl_world_destroy(w);
        }
}

// A ball on a box that slides on a smooth floor: friction slows the ball and drags the box until both have one speed.
static void friction_drags_a_body(void **unused)
{
    (void)unused;
    pl_world *w = make_world(8, 1);
    pl_shape_def floor = pl_default_shape_def();
    pl_material smooth = pl_default_material();
    int number;
    set_friction(w, 0.4f, 0.0f);
    smooth.static_friction = smooth.kinetic_friction = 0.0f;
    good(pl_add_material(w, &smooth, &number));
    floor.material = number;
    good(pl_add_shape(w, &floor, NULL));
    pl_id box = add_box(w, (pl_vec3){3.0f, 0.1f, 1.0f}, (pl_vec3){0.0f, 0.1f, 0.0f}, 2.0f);
    int n = add_ball(w, (pl_vec3){-1.0f, 0.25f, 0.0f}, (pl_vec3){3.0f, 0.0f, 0.0f}, 1.0f, 0.05f);
    play(w, 15); // t = 0.25 s: they have not one speed yet
    near_to("the speed of the ball", (double)value_of(w, PL_ATTRIBUTE_VELOCITY, n).x, 3.0 - 0.4 * GRAVITY * 0.25, 0.01);
    near_to("the speed of the box", (double)state_of(w, box).velocity.x, 0.5 * 0.4 * GRAVITY * 0.25, 0.01);
    play(w, 45);
    near_to("the last speed of the ball", (double)value_of(w, PL_ATTRIBUTE_VELOCITY, n).x, 1.0, 1e-3);
    near_to("the last speed of the box", (double)state_of(w, box).velocity.x, 1.0, 1e-3);
    pl_world_destroy(w);
}

// ---- momentum ------------------------------------------------------------------------------------------------------

static void momentum_stays(void **unused)
{
    (void)unused;
    for (int bouncy = 0; bouncy < 2; bouncy++)
    {
        pl_world *w = make_world(8, 1);
        double p0[3], l0[3], p[3], l[3], dp = 0.0, dl = 0.0, size_p = 0.0, size_l = 0.0;
        uint64_t seed = 7;
        pl_phase phase = pl_default_phase();
        phase.group = 5, phase.self = false;
        no_gravity(w);
        set_friction(w, 0.5f, bouncy ? 0.5f : 0.0f);
        pl_id box = add_box(w, (pl_vec3){0.4f, 0.2f, 0.3f}, (pl_vec3){0.0f, 0.0f, 0.0f}, 2.0f);
        for (int i = 0; i < 20; i++)
        {
            pl_vec3 at = {1.0f + 0.2f * (float)i, 0.25f * dice(&seed), 0.3f * dice(&seed)};
            int n = add_ball(w, at, (pl_vec3){-3.0f, 0.3f * dice(&seed), 0.3f * dice(&seed)}, 0.1f, 0.05f);
            good(pl_set_phase(w, n, 1, &phase)); // friction between two particles does not keep the angular momentum
        }
        pl_world_momentum(w, p0, l0);
        play(w, 120);
        pl_world_momentum(w, p, l);
        for (int c = 0; c < 3; c++)
        {
            dp += (p[c] - p0[c]) * (p[c] - p0[c]), size_p += p0[c] * p0[c];
            dl += (l[c] - l0[c]) * (l[c] - l0[c]), size_l += l0[c] * l0[c];
        }
        double speed = (double)state_of(w, box).velocity.x;
        print_message("bouncy %d: momentum %.2g, angular momentum %.2g, speed of the box %.3g m/s\n", bouncy,
                      sqrt(dp / size_p), sqrt(dl / size_l), speed);
        below("the speed of the box", speed, -0.5); // it was hit
        below("change of momentum", sqrt(dp / size_p), 1e-5);
        below("change of angular momentum", sqrt(dl / size_l), 1e-4);
        pl_world_destroy(w);
    }
}

// ---- impacts -------------------------------------------------------------------------------------------------------

static void balls_bounce(void **unused)
{
    (void)unused;
    for (int k = 0; k <= 4; k++)
    {
        const double e = 0.25 * k;
        pl_world *w = make_world(8, 1);
        no_gravity(w);
        set_friction(w, 0.0f, (float)e);
        pl_id box = add_box(w, (pl_vec3){0.5f, 0.5f, 0.5f}, (pl_vec3){0.0f, 0.0f, 0.0f}, 3.0f);
        int n = add_ball(w, (pl_vec3){-1.0f, 0.0f, 0.0f}, (pl_vec3){4.0f, 0.0f, 0.0f}, 1.0f, 0.1f);
        play(w, 30);
        double apart = (double)(state_of(w, box).velocity.x - value_of(w, PL_ATTRIBUTE_VELOCITY, n).x);
        near_to("the speed at which they part", apart, 4.0 * e, 0.04);
        pl_world_destroy(w);
    }
}

// Dropped on a body that does not move: the height of the bounce.
static void balls_bounce_on_a_table(void **unused)
{
    (void)unused;
    for (int k = 1; k <= 4; k++)
    {
        const double e = 0.25 * k;
        pl_world *w = make_world(20, 1);
        set_friction(w, 0.0f, (float)e);
        add_slope(w, 0.0, PL_RIGID_STATIC);
        int n = add_ball(w, (pl_vec3){0.0f, 1.6f, 0.0f}, (pl_vec3){0}, 1.0f, 0.1f);
        double high = 0.0, low = 10.0;
        for (int i = 0; i < 60; i++)
        {
            play(w, 1);
            double y = (double)value_of(w, PL_ATTRIBUTE_POSITION, n).y - 0.6;
            low = fmin(low, y);
            if ((double)value_of(w, PL_ATTRIBUTE_VELOCITY, n).y > 0.0 || high > 0.0)
                high = fmax(high, y);
        }
        print_message("e %.2f: bounces to %.4f m\n", e, high);
        near_to("the height", high, e * e, 0.025);
        pl_world_destroy(w);
    }
}

// ---- fast particles, every shape -----------------------------------------------------------------------------------

static void fast_balls_do_not_pass(void **unused)
{
    (void)unused;
    for (int type = 0; type < 2; type++)
        for (float speed = 5.0f; speed < 400.0f; speed = 3.0f * speed)
        {
            pl_rigid_shape shape;
            pl_world *w = make_world(8, 1);
            pl_rigid_def def = box_def(&shape, (pl_vec3){1.0f, 0.01f, 1.0f}, (pl_vec3){0.0f, 0.0f, 0.0f}, 5.0f);
            pl_id plate;
            int ball[9];
            no_gravity(w);
            def.type = type ? PL_RIGID_STATIC : PL_RIGID_DYNAMIC;
            good(pl_add_rigid(w, &def, &plate));
            for (int i = 0; i < 9; i++)
                ball[i] = add_ball(w, (pl_vec3){0.2f * (float)(i - 4), 0.3f + 0.07f * (float)i, 0.1f * (float)(i % 3)},
                                   (pl_vec3){0.0f, -speed, 0.0f}, 0.01f, 0.02f);
            play(w, 60);
            for (int i = 0; i < 9; i++) // in front of the plate still
            {
                pl_rigid_state s = state_of(w, plate);
                pl_vec3 x = value_of(w, PL_ATTRIBUTE_POSITION, ball[i]);
                const double off[3] = {(double)(x.x - s.position.x), (double)(x.y - s.position.y),
                                       (double)(x.z - s.position.z)};
                double own[3];
                pl_quat back = {-s.rotation.x, -s.rotation.y, -s.rotation.z, s.rotation.w};
                turn_point(back, off, own);
                if (fabs(own[0]) < 0.9 && fabs(own[2]) < 0.9 && !(own[1] > 0.0))
                    fail_msg("at %g m/s ball %d is at %g %g %g of the plate", (double)speed, i, own[0], own[1], own[2]);
            }
            pl_world_destroy(w);
        }
}

// A ball rests on top of each shape.
static void every_shape_carries(void **unused)
{
    (void)unused;
    static const float tips[] = {-0.5f, 0.0f, -0.5f, 0.5f, 0.0f, -0.5f, 0.5f, 0.0f, 0.5f, -0.5f, 0.0f, 0.5f,
                                 -0.3f, 0.5f, -0.3f, 0.3f, 0.5f, -0.3f, 0.3f, 0.5f, 0.3f, -0.3f, 0.5f, 0.3f};
    for (int kind = 0; kind < PL_RIGID_SHAPE_KIND_COUNT; kind++)
    {
        if (kind == PL_RIGID_MESH)
            continue; // as its hull
        pl_world *w = make_world(8, 1);
        pl_rigid_shape shape = pl_default_rigid_shape();
        pl_rigid_def def = pl_default_rigid_def();
        shape.kind = kind, shape.radius = 0.3f, shape.length = 0.6f;
        if (kind == PL_RIGID_HULL)
            shape.vertices = tips, shape.vertex_count = 8;
        def.shapes = &shape, def.shape_count = 1, def.type = PL_RIGID_STATIC;
        good(pl_add_rigid(w, &def, NULL));
        int n = add_ball(w, (pl_vec3){0.0f, 0.9f, 0.0f}, (pl_vec3){0}, 1.0f, 0.1f);
        play(w, 60);
        double top = kind == PL_RIGID_SPHERE || kind == PL_RIGID_CYLINDER ? 0.3 : kind == PL_RIGID_CAPSULE ? 0.6 : 0.5;
        near_to("the height of the ball", (double)value_of(w, PL_ATTRIBUTE_POSITION, n).y, top + 0.1, 1e-3);
        pl_world_destroy(w);
    }
}

// ---- filters, ties -------------------------------------------------------------------------------------------------

static float height_after(pl_world *w, int n)
{
    play(w, 60);
    float y = value_of(w, PL_ATTRIBUTE_POSITION, n).y;
    pl_world_destroy(w);
    return y;
}

static void filters_count(void **unused)
{
    (void)unused;
    for (int k = 0; k < 3; k++)
    {
        pl_world *w = make_world(8, 1);
        pl_rigid_shape shape;
        pl_rigid_def def = box_def(&shape, (pl_vec3){1.0f, 0.1f, 1.0f}, (pl_vec3){0.0f, 0.0f, 0.0f}, 1.0f);
        pl_phase phase = pl_default_phase();
        def.type = PL_RIGID_STATIC;
        def.mask = k == 0 ? UINT64_MAX : k == 1 ? ~(uint64_t)4 : 4 + ((uint64_t)1 << 40);
        good(pl_add_rigid(w, &def, NULL));
        int n = add_ball(w, (pl_vec3){0.0f, 0.3f, 0.0f}, (pl_vec3){0}, 1.0f, 0.05f);
        phase.mask = 4;
        good(pl_set_phase(w, n, 1, &phase));
        float y = height_after(w, n);
        assert_true(k == 1 ? y < -1.0f : fabsf(y - 0.15f) < 1e-3f);
    }
}

// A particle that is attached to a body, deep inside of it, does not touch it.
static void attached_particles_do_not_touch(void **unused)
{
    (void)unused;
    pl_world *w = make_world(8, 1);
    pl_attach_def def = pl_default_attach_def();
    pl_id box = add_box(w, (pl_vec3){0.5f, 0.5f, 0.5f}, (pl_vec3){0.0f, 0.0f, 0.0f}, 1.0f);
    int n = add_ball(w, (pl_vec3){0.3f, 0.2f, 0.1f}, (pl_vec3){0}, 1.0f, 0.05f);
    def.particles = &n, def.count = 1, def.to = box;
    no_gravity(w);
    good(pl_attach(w, &def, NULL));
    play(w, 60);
    below("the speed of the box", size_of(state_of(w, box).velocity), 1e-6);
    pl_world_destroy(w);
}

// A ball that is added while the world runs rests on the body; without the body it falls.
static void things_come_and_go(void **unused)
{
    (void)unused;
    pl_world *w = make_world(8, 1);
    pl_rigid_shape shape;
    pl_rigid_def def = box_def(&shape, (pl_vec3){1.0f, 0.1f, 1.0f}, (pl_vec3){0.0f, 0.0f, 0.0f}, 1.0f);
    pl_id table;
    void *bytes = NULL;
    size_t size = 0;
    def.type = PL_RIGID_STATIC;
    good(pl_add_rigid(w, &def, &table));
    play(w, 2);
    int n = add_ball(w, (pl_vec3){0.0f, 0.2f, 0.0f}, (pl_vec3){0}, 1.0f, 0.05f);
    play(w, 30);
    near_to("the height", (double)value_of(w, PL_ATTRIBUTE_POSITION, n).y, 0.15, 1e-3);
    int other = add_ball(w, (pl_vec3){0.5f, 0.2f, 0.0f}, (pl_vec3){0}, 1.0f, 0.05f);
    play(w, 30);
    near_to("the height of the other", (double)value_of(w, PL_ATTRIBUTE_POSITION, other).y, 0.15, 1e-3);
    good(pl_world_save_memory(w, &bytes, &size));
    play(w, 5);
    uint64_t hash = pl_world_hash(w);
    good(pl_remove(w, table));
    play(w, 30);
    below("the height", (double)value_of(w, PL_ATTRIBUTE_POSITION, n).y, -0.5);
    good(pl_world_restore(w, bytes, size));
    play(w, 5);
    assert_true(pl_world_hash(w) == hash);
    pl_free(bytes);
    pl_world_destroy(w);
}

// ---- equal bits ----------------------------------------------------------------------------------------------------

// Grains poured on a seesaw of two boxes, and a cloth over it.
static uint64_t hash_of(int threads, int lanes, bool saved)
{
    pl_world_def def = small_def(8, 2);
    pl_world *w = NULL;
    def.threads = threads, def.lanes = lanes;
    good(pl_world_create(&def, &w));
    set_friction(w, 0.4f, 0.3f);
    add_tray(w, 0.8f);
    add_bed(w, 8, 2, 0.05f, 0.2f);
    add_box(w, (pl_vec3){0.3f, 0.1f, 0.2f}, (pl_vec3){0.05f, 0.4f, 0.0f}, 2.0f);
    add_box(w, (pl_vec3){0.1f, 0.1f, 0.2f}, (pl_vec3){-0.1f, 0.65f, 0.03f}, 1.0f);
    pl_cloth_def cloth = pl_default_cloth_def();
    cloth.columns = cloth.rows = 12, cloth.origin = (pl_vec3){-0.5f, 0.9f, -0.5f}, cloth.thickness = 0.02f;
    good(pl_add_cloth(w, &cloth, NULL));
    play(w, 15);
    if (saved)
    {
        void *bytes = NULL;
        size_t size = 0;
        good(pl_world_save_memory(w, &bytes, &size));
        pl_world_destroy(w);
        good(pl_world_load_memory(&def, bytes, size, &w));
        pl_free(bytes);
    }
    play(w, 15);
    assert_true(force_on_bodies(w, NULL) > 1.0);
    uint64_t hash = pl_world_hash(w);
    pl_world_destroy(w);
    return hash;
}

static void the_same_bits(void **unused)
{
    (void)unused;
    uint64_t wanted = hash_of(1, 1, false);
    assert_true(hash_of(1, 1, true) == wanted);
    assert_true(hash_of(2, 1, false) == wanted);
    for (const int *lanes = pl_lane_widths(); *lanes; lanes++)
        assert_true(hash_of(3, *lanes, false) == wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_stick_and_slide),
        cmocka_unit_test(friction_drags_a_body),
        cmocka_unit_test(momentum_stays),
        cmocka_unit_test(balls_bounce),
        cmocka_unit_test(balls_bounce_on_a_table),
        cmocka_unit_test(fast_balls_do_not_pass),
        cmocka_unit_test(every_shape_carries),
        cmocka_unit_test(filters_count),
        cmocka_unit_test(attached_particles_do_not_touch),
        cmocka_unit_test(things_come_and_go),
        cmocka_unit_test(the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
