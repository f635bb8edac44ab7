// Contacts of rigid bodies against analytic answers: friction, rolling, restitution, stacks, overlap, shapes.
#include "physics/rigid_world.h"

static double speed(pl_rigid_state s) { return hypot((double)s.velocity.x, (double)s.velocity.y); }

// ---- friction and rolling ------------------------------------------------------------------------------------------

static void boxes_stick_and_slide(void **unused)
{
    (void)unused;
    const double degree = 3.14159265358979 / 180.0, hold = atan(0.5), off[] = {-1.0, 1.0, 10.0};
    for (int i = 0; i < 3; i++)
        for (int substeps = 4; substeps <= 20; substeps += 8)
        {
            double a = hold + off[i] * degree;
            pl_world *w = open_world(substeps);
            rub(w, 0.5f, 0.0f);
            add_plane(w, a);
            pl_id box = add_body(w, PL_RIGID_BOX, (float)(0.5 * sin(a)), (float)(0.5 * cos(a)), a, 1.0f);
            frames(w, 20);
            pl_rigid_state from = state_of(w, box);
            frames(w, 60);
            pl_rigid_state to = state_of(w, box);
            double exact = GRAVITY * (sin(a) - 0.5 * cos(a)), way = speed(to) - speed(from);
            if (off[i] < 0.0)
                assert_true(
                    hypot((double)(to.position.x - from.position.x), (double)(to.position.y - from.position.y)) < 1e-5);
            else
                assert_true(fabs(way - exact) < 1e-3 * exact);
            pl_world_destroy(w);
        }
}

static void spheres_roll(void **unused)
{
    (void)unused;
    const double a = 20.0 * 3.14159265358979 / 180.0;
    for (int substeps = 4; substeps <= 20; substeps += 8)
    {
        pl_world *w = open_world(substeps);
        rub(w, 1.0f, 0.0f);
        add_plane(w, a);
        pl_id ball = add_body(w, PL_RIGID_SPHERE, (float)(0.5 * sin(a)), (float)(0.5 * cos(a)), 0.0, 1.0f);
        frames(w, 20);
        double from = speed(state_of(w, ball)), exact = 5.0 / 7.0 * GRAVITY * sin(a);
        frames(w, 60);
        pl_rigid_state s = state_of(w, ball);
        assert_true(fabs(speed(s) - from - exact) < 1e-3 * exact);
        assert_true(fabs(speed(s) / 0.5 + (double)s.spin.z) < 1e-3 * speed(s)); // it does not slip
        pl_world_destroy(w);
    }
}

static void sliding_becomes_rolling(void **unused)
{
    (void)unused;
    pl_world *w = open_world(8);
    rub(w, 0.3f, 0.0f);
    add_plane(w, 0.0);
    pl_id ball = add_body(w, PL_RIGID_SPHERE, 0.0f, 0.5f, 0.0, 1.0f);
    pl_rigid_state s = state_of(w, ball);
    s.velocity.x = 7.0f;
    good(pl_set_rigids(w, &ball, 1, &s));
    frames(w, 120);
    assert_true(fabs((double)state_of(w, ball).velocity.x - 5.0) < 5e-3);
    pl_world_destroy(w);
}

static void rolling_friction_stops(void **unused)
{
    (void)unused;
    pl_world *w = open_world(8);
    pl_material m = pl_default_material();
    m.static_friction = m.kinetic_friction = 1.0f;
    m.rolling_friction = 0.05f; // m: a = -(5/7) g arm/r
    good(pl_set_material(w, 0, &m));
    add_plane(w, 0.0);
    pl_id ball = add_body(w, PL_RIGID_SPHERE, 0.0f, 0.5f, 0.0, 1.0f);
    pl_rigid_state s = state_of(w, ball);
    s.velocity.x = 2.0f, s.spin.z = -4.0f;
    good(pl_set_rigids(w, &ball, 1, &s));
    frames(w, 60);
    assert_true(fabs((double)state_of(w, ball).velocity.x - (2.0 - 5.0 / 7.0 * GRAVITY * 0.1)) < 0.01);
    frames(w, 180);
    assert_true(fabs((double)state_of(w, ball).velocity.x) < 1e-4);
    pl_world_destroy(w);
}

// ---- impacts -------------------------------------------------------------------------------------------------------

static void bodies_bounce(void **unused)
{
    (void)unused;
    for (int k = 0; k <= 4; k++)
        for (int shape = 0; shape < 2; shape++)
        {
            const double e = 0.25 * k;
            double top = 0.0;
            pl_world *w = open_world(20);
            rub(w, 0.5f, (float)e);
            add_plane(w, 0.0);
            pl_id id = add_body(w, shape ? PL_RIGID_BOX : PL_RIGID_SPHERE, 0.0f, 1.5f, 0.0, 1.0f);
            frames(w, 28); // it has met the ground
            for (int f = 0; f < 40; f++)
            {
                frames(w, 1);
                double y = (double)state_of(w, id).position.y - 0.5;
                top = y > top ? y : top;
            }
            assert_true(fabs(sqrt(top > 0.0 ? top : 0.0) - e) < 0.01);
            pl_world_destroy(w);
        }
}

static void impacts_pass_through_a_row(void **unused)
{
    (void)unused;
    pl_world *w = open_world(8);
    pl_settings set = pl_world_settings(w);
    pl_id ball[5];
    set.gravity = (pl_vec3){0.0f, 0.0f, 0.0f};
    good(pl_world_set_settings(w, &set));
    rub(w, 0.0f, 1.0f);
    for (int i = 0; i < 5; i++)
        ball[i] = add_body(w, PL_RIGID_SPHERE, i ? (float)i : -1.0f, 0.0f, 0.0, 1.0f);
    pl_rigid_state s = state_of(w, ball[0]);
    s.velocity.x = 3.0f;
    good(pl_set_rigids(w, ball, 1, &s));
    frames(w, 60);
    for (int i = 0; i < 5; i++)
        assert_true(fabs((double)state_of(w, ball[i]).velocity.x - (i == 4 ? 3.0 : 0.0)) < 1e-4);
    pl_world_destroy(w);
}

// Balls without friction do not start to rotate; what meets keeps its momentum and angular momentum.
static void collisions_keep_momentum(void **unused)
{
    (void)unused;
    for (int how = 0; how < 4; how++)
    {
        const int friction = how % 2, bouncy = how / 2;
        pl_world *w = open_world(8);
        pl_settings set = pl_world_settings(w);
        pl_id id[27];
        set.gravity = (pl_vec3){0.0f, 0.0f, 0.0f};
        good(pl_world_set_settings(w, &set));
        rub(w, 0.5f * (float)friction, 0.5f * (float)bouncy);
        for (int i = 0; i < 27; i++)
        {
            pl_id b = id[i] = add_body(w, friction ? PL_RIGID_BOX : PL_RIGID_SPHERE, 1.1f * (float)(i % 3),
                                       1.1f * (float)(i / 3 % 3), 0.3 * i * friction, 1.0f);
            pl_rigid_state s = state_of(w, b);
            s.position.z = 1.7f * (float)(i / 9);
            s.velocity = (pl_vec3){1.0f - (float)(i % 3), 1.3f - (float)(i / 3 % 3), 1.0f - 1.1f * (float)(i / 9)};
            good(pl_set_rigids(w, &b, 1, &s));
        }
        double p[2][3] = {{0}}, l[2][3] = {{0}}, size = 0.0;
        for (int when = 0; when < 2; when++)
        {
            for (int i = 0; i < 27; i++)
            {
                pl_rigid_state s = state_of(w, id[i]);
                const double x[3] = {s.position.x, s.position.y, s.position.z},
                             v[3] = {s.velocity.x, s.velocity.y, s.velocity.z}, o[3] = {s.spin.x, s.spin.y, s.spin.z};
                const double inertia = friction ? 1.0 / 6.0 : 0.1;
                for (int c = 0; c < 3; c++)
                {
                    int d = (c + 1) % 3, e = (c + 2) % 3;
                    p[when][c] += v[c];
                    l[when][c] += x[d] * v[e] - x[e] * v[d] + inertia * o[c];
                    size += when ? 0.0 : fabs(x[d] * v[e]) + fabs(x[e] * v[d]);
                    if (when && !friction)
                        assert_true(fabs(o[c]) < 1e-4);
                }
            }
            if (!when)
                frames(w, 300);
        }
        for (int c = 0; c < 3; c++)
        {
            near_to("momentum", p[1][c], p[0][c], 1e-5 * 27.0);
            near_to("angular momentum", l[1][c], l[0][c], (bouncy ? 1e-3 : 1e-4) * size);
        }
        pl_world_destroy(w);
    }
}

// ---- stacks --------------------------------------------------------------------------------------------------------

static void stacks_stand(void **unused)
{
    (void)unused;
    pl_world *w = open_world(8);
    pl_id top = {0, 0};
    add_plane(w, 0.0);
    for (int i = 0; i < 10; i++)
        top = add_body(w, PL_RIGID_BOX, 0.0f, 0.5f + (float)i, 0.0, 1.0f);
    frames(w, 240);
    pl_rigid_state s = state_of(w, top);
    assert_true(s.position.y > 9.49f && s.position.y < 9.5f);
    assert_true(fabs((double)s.position.x) < 1e-3 && speed(s) < 1e-4);
    pl_world_destroy(w);
}

static void heavy_loads_are_carried(void **unused)
{
    (void)unused;
    pl_world *w = open_world(20);
    pl_id top = {0, 0};
    add_plane(w, 0.0);
    for (int i = 0; i < 8; i++)
        top = add_body(w, PL_RIGID_BOX, 0.0f, 0.5f + (float)i, 0.0, i == 7 ? 300.0f : 1.0f);
    frames(w, 300);
    pl_rigid_state s = state_of(w, top);
    assert_true(s.position.y > 7.45f && speed(s) < 1e-3);
    pl_world_destroy(w);
}

static void overlap_parts_slowly(void **unused)
{
    (void)unused;
    pl_world *w = open_world(8);
    pl_settings set = pl_world_settings(w);
    set.gravity = (pl_vec3){0.0f, 0.0f, 0.0f};
    good(pl_world_set_settings(w, &set));
    pl_id a = add_body(w, PL_RIGID_BOX, 0.0f, 0.0f, 0.0, 1.0f), b = add_body(w, PL_RIGID_BOX, 0.0f, 0.8f, 0.0, 1.0f);
    double fastest = 0.0;
    for (int f = 0; f < 120; f++)
    {
        frames(w, 1);
        double v = (double)(state_of(w, b).velocity.y - state_of(w, a).velocity.y);
        fastest = v > fastest ? v : fastest;
    }
    assert_true(fastest < 0.1);
    assert_true(state_of(w, b).position.y - state_of(w, a).position.y > 0.999f);
    pl_world_destroy(w);
}

// ---- shapes, filters, bits -----------------------------------------------------------------------------------------

static const float corners[24] = {-2, -1, -2, 2, -1, -2, 2, -1, 2, -2, -1, 2, -2, 0, -2, 2, 0, -2, 2, 0, 2, -2, 0, 2};
static const int32_t sides[36] = {0, 1, 2, 0, 2, 3, 4, 6, 5, 4, 7, 6, 0, 4, 5, 0, 5, 1,
                                  1, 5, 6, 1, 6, 2, 2, 6, 7, 2, 7, 3, 3, 7, 4, 3, 4, 0};

static void add_ground(pl_world *w, pl_shape_kind kind)
{
    static const float flat[81];
    pl_shape_def g = pl_default_shape_def();
    g.kind = kind;
    if (kind == PL_SHAPE_SPHERE)
        g.radius = 1000.0f, g.position.y = -1000.0f;
    if (kind == PL_SHAPE_BOX)
        g.half = (pl_vec3){2.0f, 0.5f, 2.0f}, g.position.y = -0.5f;
    if (kind >= PL_SHAPE_HULL && kind <= PL_SHAPE_SDF)
        g.vertices = corners, g.vertex_count = 8, g.triangles = sides, g.triangle_count = 12;
    if (kind == PL_SHAPE_SDF)
        g.spacing = 0.1f;
    if (kind == PL_SHAPE_HEIGHTFIELD)
        g.heights = flat, g.columns = g.rows = 9, g.spacing = 0.5f;
    good(pl_add_shape(w, &g, NULL));
}

static void every_shape_rests_on_every_ground(void **unused)
{
    (void)unused;
    float hull[24];
    for (int i = 0; i < 24; i++)
        hull[i] = i / 3 >> i % 3 & 1 ? 0.3f : -0.3f;
    for (int ground = 0; ground < PL_SHAPE_KIND_COUNT; ground++)
        for (int kind = 0; kind < PL_RIGID_MESH && ground != PL_SHAPE_CAPSULE; kind++)
        {
            pl_world *w = open_world(8);
            pl_rigid_shape s = pl_default_rigid_shape();
            pl_rigid_def d = pl_default_rigid_def();
            pl_id id;
            add_ground(w, (pl_shape_kind)ground);
            s.kind = (pl_rigid_shape_kind)kind, s.radius = 0.3f, s.length = 0.6f, s.half = (pl_vec3){0.3f, 0.3f, 0.3f};
            s.vertices = hull, s.vertex_count = 8;
            d.shapes = &s, d.shape_count = 1, d.position = (pl_vec3){0.13f, 0.9f, 0.07f};
            good(pl_add_rigid(w, &d, &id));
            frames(w, 90);
            double y = (double)state_of(w, id).position.y, rest = kind == PL_RIGID_CAPSULE ? 0.6 : 0.3;
            if (!(fabs(y - rest) < 2e-3))
                fail_msg("shape %d rests on ground %d at %g instead of %g", kind, ground, y, rest);
            pl_world_destroy(w);
        }
}

static void filters_and_joints_keep_apart(void **unused)
{
    (void)unused;
    pl_world *w = open_world(8);
    pl_rigid_shape s = pl_default_rigid_shape();
    pl_rigid_def d = pl_default_rigid_def();
    pl_id a, b;
    add_plane(w, 0.0);
    d.shapes = &s, d.shape_count = 1, d.position.y = 0.5f, d.category = (uint64_t)1 << 40;
    good(pl_add_rigid(w, &d, &a));
    d.position.y = 2.0f, d.mask = ~((uint64_t)1 << 40);
    good(pl_add_rigid(w, &d, &b));
    frames(w, 90); // it falls through the other one
    assert_true(fabs((double)state_of(w, a).position.y - 0.5) < 1e-3);
    assert_true(fabs((double)state_of(w, b).position.y - 0.5) < 1e-3);
    pl_world_destroy(w);
}

// Two boxes on a slider along y: the upper one rests on the lower one only if the joint says so. Not if a second joint
// between them does not.
static void joints_collide_when_asked(void **unused)
{
    (void)unused;
    for (int how = 0; how < 4; how++) // 0: no, 1: yes, 2: yes and after a load, 3: a second joint says no
    {
        pl_world *w = open_world(8);
        pl_joint_def j = pl_default_joint_def();
        pl_joint joint;
        add_plane(w, 0.0);
        pl_id low = add_body(w, PL_RIGID_BOX, 0.0f, 0.5f, 0.0, 10.0f),
              high = add_body(w, PL_RIGID_BOX, 0.0f, 1.8f, 0.0, 1.0f);
        j.kind = PL_JOINT_SLIDER, j.a = low, j.b = high, j.axis = (pl_vec3){0.0f, 1.0f, 0.0f}, j.collide = how > 0;
        good(pl_add_joint(w, &j, &joint));
        assert_int_equal(joint.record.index != 0, how > 0);
        j.collide = false;
        if (how == 3)
            good(pl_add_joint(w, &j, NULL));
        frames(w, 5);
        w = how == 2 ? saved_and_loaded(w) : w;
        frames(w, 85);
        bool rests = fabs((double)state_of(w, high).position.y - 1.5) < 0.01;
        assert_int_equal(rests, how == 1 || how == 2);
        pl_world_destroy(w);
    }
}

// Filters of a running world; velocities of points; forces that are cleared.
static void small_calls(void **unused)
{
    (void)unused;
    pl_world *w = open_world(8);
    pl_vec3 v, here = {1.0f, 2.0f, 0.0f}, bad = {NAN, 0.0f, 0.0f};
    add_plane(w, 0.0);
    pl_id box = add_body(w, PL_RIGID_BOX, 0.0f, 0.5f, 0.0, 2.0f);
    pl_rigid_state s = state_of(w, box);
    frames(w, 10);
    near_to("rests", state_of(w, box).position.y, 0.5, 1e-3);
    good(pl_set_rigid_filter(w, box, 1, 0));
    frames(w, 10);
    below("falls through", state_of(w, box).position.y, 0.45);
    s.velocity = (pl_vec3){1.0f, 0.0f, 0.0f}, s.spin = (pl_vec3){0.0f, 0.0f, 3.0f}, s.position = (pl_vec3){0};
    good(pl_set_rigids(w, &box, 1, &s));
    good(pl_rigid_velocity_at(w, box, here, &v)); // v + spin x r
    near_to("x", v.x, 1.0 - 3.0 * 2.0, 1e-5);
    near_to("y", v.y, 3.0, 1e-5);
    refused(pl_rigid_velocity_at(w, box, bad, &v), PL_ERROR_ARGUMENT, "finite");
    refused(pl_rigid_velocity_at(w, (pl_id){0, 0}, here, &v), PL_ERROR_ARGUMENT, "rigid velocity");
    refused(pl_set_rigid_filter(w, pl_shape_at(w, 0), 1, 1), PL_ERROR_ARGUMENT, "set rigid filter");
    no_gravity(w);
    good(pl_set_rigid_force(w, box, (pl_vec3){100.0f, 0.0f, 0.0f}, (pl_vec3){0.0f, 5.0f, 0.0f}));
    good(pl_clear_rigid_forces(w));
    frames(w, 10);
    near_to("no force", state_of(w, box).velocity.x, 1.0, 1e-5);
    near_to("no torque", state_of(w, box).spin.y, 0.0, 1e-5);
    pl_world_destroy(w);
}

// The same bits on other lanes and threads, and after a snapshot at any frame.
static void bits_are_equal(void **unused)
{
    (void)unused;
    uint64_t hash = 0;
    for (int how = 0; how < 4; how++)
    {
        pl_world *w = open_world(6);
        add_plane(w, 0.0);
        rub(w, 0.5f, 0.3f);
        pile_up(w, 40);
        good(pl_world_set_workers(w, 1 + how % 2, how < 2 ? 1 : 0));
        for (int f = 0; f < 60; f++)
        {
            frames(w, 1);
            if (how == 3 && f % 7 == 3)
                w = saved_and_loaded(w);
        }
        if (how == 0)
            hash = pl_world_hash(w);
        assert_true(pl_world_hash(w) == hash);
        pl_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_stick_and_slide),
        cmocka_unit_test(spheres_roll),
        cmocka_unit_test(sliding_becomes_rolling),
        cmocka_unit_test(rolling_friction_stops),
        cmocka_unit_test(bodies_bounce),
        cmocka_unit_test(impacts_pass_through_a_row),
        cmocka_unit_test(collisions_keep_momentum),
        cmocka_unit_test(stacks_stand),
        cmocka_unit_test(heavy_loads_are_carried),
        cmocka_unit_test(overlap_parts_slowly),
        cmocka_unit_test(every_shape_rests_on_every_ground),
        cmocka_unit_test(filters_and_joints_keep_apart),
        cmocka_unit_test(joints_collide_when_asked),
        cmocka_unit_test(small_calls),
        cmocka_unit_test(bits_are_equal),
    };
    return cmocka_run_group_tests_name("rigid contacts", tests, NULL, NULL);
}
