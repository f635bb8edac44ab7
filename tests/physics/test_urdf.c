// Robots from URDF texts against analytic answers: masses and inertias, forward kinematics, a pendulum's period, torques,
// servos, limits, damping, sensors; the same bits on threads and lanes; and that a snapshot goes on.
#include "physics/robots.h"

// ---- an arm --------------------------------------------------------------------------------------------------------

#define LINK(name, mass, z)                                                                                            \
    "<link name='" name "'><inertial><origin xyz='0 0 " z "'/><mass value='" mass                                      \
    "'/><inertia ixx='0.02' iyy='0.02' izz='0.01' ixy='0' iyz='0' ixz='0'/></inertial></link>"
#define JOINT(name, type, parent, child, origin, axis, limit)                                                          \
    "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/><origin " origin       \
    "/><axis xyz='" axis "'/>" limit "</joint>"
#define WIDE "<limit lower='-3' upper='3' effort='500' velocity='3'/>"

static const char arm[] = "<?xml version='1.0'?><robot name='arm'>" LINK("base", "5", "0.1") LINK("l1", "2", "0.1")
    LINK("l2", "2", "0.2") LINK("l3", "1", "0.1") LINK("hand", "0.5", "0.05") LINK("tip", "0.1", "0.01")
        JOINT("j1", "revolute", "base", "l1", "xyz='0 0 0.2' rpy='0 0 0.3'", "0 0 1",
              WIDE) JOINT("j2", "revolute", "l1", "l2", "xyz='0.05 0 0.2' rpy='0.4 0 0'", "0 2 0", WIDE)
            JOINT("j3", "prismatic", "l2", "l3", "xyz='0 0 0.4' rpy='0 -0.2 0.1'", "0 0 1",
                  "<limit lower='-0.1' upper='0.3' effort='500' velocity='1'/>")
                JOINT("j4", "continuous", "l3", "hand", "xyz='0 0.02 0.2'", "1 0 0", "")
                    JOINT("fix", "fixed", "hand", "tip", "xyz='0.01 0 0.1' rpy='0.5 0.6 0.7'", "0 0 1", "") "</robot>";

static matrix rpy(double r, double p, double y) { return times(turned(2, y), times(turned(1, p), turned(0, r))); }

static matrix tip_of(const double q[4])
{
    matrix t = times(upright(), moved(0, 0, 0.2));
    t = times(t, times(rpy(0, 0, 0.3), turned(2, q[0])));
    t = times(t, times(moved(0.05, 0, 0.2), times(rpy(0.4, 0, 0), turned(1, q[1]))));
    t = times(t, times(moved(0, 0, 0.4), times(rpy(0, -0.2, 0.1), moved(0, 0, q[2]))));
    t = times(t, times(moved(0, 0.02, 0.2), turned(0, q[3])));
    return times(t, times(moved(0.01, 0, 0.1), rpy(0.5, 0.6, 0.7)));
}

static void forward_kinematics(void **state)
{
    (void)state;
    pl_world *w = make_world(20, 1);
    pl_robot *r = add_text(w, arm, NULL);
    const double q[3][4] = {{0, 0, 0, 0}, {0.7, -1.1, 0.2, 2.5}, {-2.9, 2.2, -0.1, -3.0}};
    pl_rigid_state links[6];
    assert_int_equal(pl_robot_links(r), 6);
    assert_int_equal(pl_robot_joints(r), 4);
    assert_int_equal(pl_world_rigids(w, NULL, 0), 5); // the tip is a part of the hand
    assert_string_equal(pl_robot_name(r), "arm");
    assert_int_equal(pl_robot_find_link(r, "nobody"), -1);
    double worst = differs(link_state(r, w, "tip"), tip_of(q[0]));
    for (int i = 0; i < 3; i++)
    {
        good(pl_robot_forward(r, q[i], links));
        worst = fmax(worst, differs(links[pl_robot_find_link(r, "tip")], tip_of(q[i])));
        good(pl_robot_set_pose(r, w, q[i]));
        worst = fmax(worst, differs(link_state(r, w, "tip"), tip_of(q[i])));
        const char *const names[4] = {"j1", "j2", "j3", "j4"};
        for (int j = 0; j < 4; j++)
            near_to(names[j], position_of(r, w, names[j]), q[i][j], 1e-6);
    }
    print_message("forward kinematics within %.1e\n", worst);
    below("difference", worst, 1e-6);
    pl_robot_free(r);
    // Placed elsewhere, with the axes of the file, and free: the root is where it was put.
    pl_robot_def def = pl_default_robot_def();
    def.keep_axes = true, def.fixed = false, def.position = (pl_vec3){1.0f, 2.0f, 3.0f}, def.keep_fixed = true;
    r = add_text(w, arm, &def);
    near_to("bodies", pl_world_rigids(w, NULL, 0), 11, 0);
    matrix back =
        times(times(moved(1, 2, 3), (matrix){{{1, 0, 0, 0}, {0, 0, -1, 0}, {0, 1, 0, 0}, {0, 0, 0, 1}}}), tip_of(q[0]));
    below("difference", differs(link_state(r, w, "tip"), back), 1e-6);
    pl_robot_free(r);
    pl_world_destroy(w);
}

// Servos of an arm with gravity hold a pose: each position is off by its torque/kp.
static void servos_hold(void **state)
{
    (void)state;
    pl_world *w = make_world(20, 8);
    pl_robot_def def = pl_default_robot_def();
    def.control = PL_CONTROL_POSITION, def.kp = 1e6f, def.kv = 1e4f;
    pl_robot *r = add_text(w, arm, &def);
    const double q[4] = {0.7, -1.1, 0.2, 1.0};
    const float controls[4] = {0.7f, -1.1f, 0.2f, 1.0f};
    good(pl_robot_set_controls(r, w, controls));
    play(w, 240);
    double off = differs(link_state(r, w, "tip"), tip_of(q));
    print_message("the tip is off by %.1e m\n", off);
    below("off", off, 5e-4);
    pl_robot_free(r);
    pl_world_destroy(w);
}

// ---- masses --------------------------------------------------------------------------------------------------------

static void masses(void **state)
{
    (void)state;
    static const char text[] =
        "<robot name='m'><link name='a'><inertial><origin xyz='1 0 0' rpy='0 0 1.5707963267948966'/><mass value='3'/>"
        "<inertia ixx='1' iyy='2' izz='2.5' ixy='0.1' iyz='0' ixz='0'/></inertial></link>"
        "<link name='b'><inertial><mass value='1'/><inertia ixx='0.5' iyy='0.5' izz='0.5'/></inertial></link>"
        "<joint name='j' type='fixed'><parent link='a'/><child link='b'/><origin xyz='-3 0 0'/></joint></robot>";
    pl_world *w = make_world(20, 1);
    pl_robot_def def = pl_default_robot_def();
    pl_mass_properties p;
    def.fixed = false;
    pl_robot *r = add_text(w, text, &def);
    good(pl_get_rigid_mass(w, pl_robot_link_at(r, 0).body, &p));
    near_to("mass", (double)p.mass, 4.0, 1e-6);
    near_to("centre", (double)p.centre.x, 0.0, 1e-6); // (3 x 1 - 1 x 3)/4
    // The first is rotated by 90 degrees: xx and yy change places and xy its sign; both are moved along x.
    const double wanted[6] = {2.0 + 0.5, 1.0 + 0.5 + 3.0 * 1.0 + 1.0 * 9.0, 2.5 + 0.5 + 3.0 + 9.0, -0.1, 0.0, 0.0};
    for (int i = 0; i < 6; i++)
        near_to("inertia", (double)p.inertia[i], wanted[i], 2e-6);
    pl_rigid_state s = link_state(r, w, "b");
    near_to("b", (double)s.position.x, -3.0, 1e-6);
    pl_robot_free(r);
    pl_world_destroy(w);
}

// ---- single joints -------------------------------------------------------------------------------------------------

// A bar of 1 m and 2 kg on a hinge about y of the file at its end, horizontal along x, with what `more` adds to the joint.
static pl_robot *bar(pl_world *w, const char *type, const char *more, const pl_robot_def *def)
{
    char text[2048];
    snprintf(text, sizeof text,
             "<robot name='bar'><link name='w'/><link name='bar'><inertial><origin xyz='0.5 0 0'/><mass value='2'/>"
             "<inertia ixx='0.01' iyy='0.17' izz='0.17'/></inertial><collision><origin xyz='0.5 0 0' rpy='0 1.5708 0'/>"
             "<geometry><cylinder radius='0.05' length='1'/></geometry></collision></link>"
             "<joint name='j' type='%s'><parent link='w'/><child link='bar'/><axis xyz='0 1 0'/>%s</joint></robot>",
             type, more);
    return add_text(w, text, def);
}

static void pendulum_period(void **state)
{
    (void)state;
    pl_world *w = make_world(100, 1);
    pl_robot *r = bar(w, "continuous", "", NULL);
    const double start = pi / 2.0 - 0.05; // z is up: the bar hangs at +90 degrees about y
    const float dt = 1.0f / 60.0f;
    good(pl_robot_set_pose(r, w, &start));
    double before = position_of(r, w, "j"), crossings[2];
    int count = 0;
    for (int i = 0; i < 400 && count < 2; i++)
    {
        good(pl_world_step(w, dt));
        double now = position_of(r, w, "j"), a = before - pi / 2.0, b = now - pi / 2.0;
        if (a < 0.0 && b >= 0.0)
            crossings[count++] = ((double)i + a / (a - b)) * (double)dt;
        before = now;
    }
    assert_int_equal(count, 2);
    // T = 2 pi sqrt(I/(m g l)) (1 + a^2/16), I about the hinge
    double wanted = 2.0 * pi * sqrt((0.17 + 2.0 * 0.25) / (2.0 * 9.81 * 0.5)) * (1.0 + 0.05 * 0.05 / 16.0);
    print_message("period %.6f s; %.6f s by the formula\n", crossings[1] - crossings[0], wanted);
    near_to("period", crossings[1] - crossings[0], wanted, 1e-3 * wanted);
    pl_robot_free(r);
    pl_world_destroy(w);
}

static void servo_error_is_torque_by_kp(void **state)
{
    (void)state;
    for (int damping = 0; damping < 2; damping++)
    {
        pl_world *w = make_world(20, 4);
        pl_robot_def def = pl_default_robot_def();
        def.control = PL_CONTROL_POSITION, def.kp = 500.0f, def.kv = 40.0f;
        pl_robot *r = bar(w, "revolute",
                          damping ? "<limit lower='-1' upper='1' effort='100' velocity='0'/><dynamics damping='5'/>"
                                  : "<limit lower='-1' upper='1' effort='100' velocity='0'/>",
                          &def);
        play(w, 300);
        double q = position_of(r, w, "j"); // kp q = m g l cos q
        near_to("q", q, 2.0 * 9.81 * 0.5 * cos(q) / 500.0, 2e-6);
        control(r, w, "j", 0.3f);
        play(w, 300);
        q = position_of(r, w, "j");
        near_to("q", q, 0.3 + 2.0 * 9.81 * 0.5 * cos(q) / 500.0, 2e-6);
        control(r, w, "j", 5.0f); // clamped to the limit
        play(w, 300);
        near_to("q", position_of(r, w, "j"), 1.0, 2e-4);
        pl_robot_free(r);
        pl_world_destroy(w);
    }
}

static void effort_is_a_limit(void **state)
{
    (void)state;
    pl_world *w = make_world(20, 4);
    pl_robot_def def = pl_default_robot_def();
    def.control = PL_CONTROL_POSITION, def.kp = 1e5f, def.kv = 1e3f;
    pl_robot *r =
        bar(w, "revolute", "<limit lower='-1' upper='3.5' effort='5' velocity='0'/><dynamics damping='2'/>", &def);
    play(w, 600); // too weak to hold the bar: it sinks to where m g l cos q = effort
    double wanted = acos(5.0 / (2.0 * 9.81 * 0.5));
    near_to("q", position_of(r, w, "j"), wanted, 2e-4);
    pl_robot_free(r);
    pl_world_destroy(w);
}

static void torques_and_speeds(void **state)
{
    (void)state;
    const float dt = 1.0f / 60.0f;
    pl_world *w = make_world(20, 1);
    set_gravity(w, 0.0f);
    pl_robot *r = bar(w, "continuous", "<limit effort='10' velocity='2'/>", NULL);
    for (int sign = -1; sign <= 1; sign += 2)
    {
        double rest = 0.0;
        good(pl_robot_set_pose(r, w, &rest));
        control(r, w, "j", (float)(sign * 4.0));
        play(w, 30);
        near_to("speed", velocity_of(r, w, "j"), sign * 4.0 * 30.0 * (double)dt / 0.67, 1e-4);
        control(r, w, "j", (float)(sign * 50.0)); // clamped to the effort
        play(w, 30);
        near_to("speed", velocity_of(r, w, "j"), sign * (4.0 + 10.0) * 30.0 * (double)dt / 0.67, 5e-4);
    }
    pl_robot_free(r);
    pl_world_destroy(w);
    // kv (target - v) = I dv/dt
    w = make_world(20, 1);
    set_gravity(w, 0.0f);
    pl_robot_def def = pl_default_robot_def();
    def.control = PL_CONTROL_VELOCITY, def.kv = 2.0f;
    r = bar(w, "continuous", "<limit effort='1000' velocity='2'/>", &def);
    control(r, w, "j", 9.0f); // clamped to 2 rad/s
    play(w, 20);
    near_to("speed", velocity_of(r, w, "j"), 2.0 * (1.0 - exp(-2.0 / 0.67 * 20.0 * (double)dt)), 2e-3);
    play(w, 400);
    near_to("speed", velocity_of(r, w, "j"), 2.0, 1e-4);
    pl_robot_free(r);
    pl_world_destroy(w);
}

static void damping_and_friction(void **state)
{
    (void)state;
    const float dt = 1.0f / 60.0f;
    pl_world *w = make_world(40, 1);
    set_gravity(w, 0.0f);
    pl_robot *r = bar(w, "continuous", "<dynamics damping='0.5'/>", NULL);
    pl_id body = pl_robot_link_at(r, pl_robot_find_link(r, "bar")).body;
    pl_rigid_state s;
    good(pl_get_rigids(w, &body, 1, &s));
    s.spin.z = -3.0f, s.velocity.y = -1.5f; // the file's y axis is -z here
    good(pl_set_rigids(w, &body, 1, &s));
    double v = velocity_of(r, w, "j");
    near_to("speed", v, 3.0, 1e-5);
    play(w, 60);
    double wanted = v * exp(-0.5 / 0.67 * 60.0 * (double)dt);
    near_to("speed", velocity_of(r, w, "j"), wanted, 2e-3 * wanted);
    pl_robot_free(r);
    pl_world_destroy(w);
    w = make_world(20, 4); // the bar needs 9.81 N m
    r = bar(w, "continuous", "<dynamics friction='12'/>", NULL);
    play(w, 120);
    near_to("held", position_of(r, w, "j"), 0.0, 1e-4);
    pl_robot_free(r);
    pl_world_destroy(w);
    w = make_world(20, 4);
    r = bar(w, "continuous", "<dynamics friction='9.0'/>", NULL);
    play(w, 120);
    assert_true(position_of(r, w, "j") > 0.1);
    pl_robot_free(r);
    pl_world_destroy(w);
}

static void limits_hold(void **state)
{
    (void)state;
    // The second range is beyond pi, and its zero is outside: it is placed at the nearer limit. The third is no range.
    static const char *const limits[3] = {"<limit lower='-0.5' upper='0.8' effort='10' velocity='0'/>",
                                          "<limit lower='0.4' upper='5' effort='10' velocity='0'/>",
                                          "<limit lower='-6.3' upper='6.3' effort='10' velocity='0'/>"};
    const double low[3] = {-0.5, 0.4, -1e9}, high[3] = {0.8, 5.0, 1e9};
    for (int i = 0; i < 3; i++)
    {
        pl_world *w = make_world(20, 1);
        pl_robot *r = bar(w, "revolute", limits[i], NULL);
        for (int sign = -1; sign <= 1; sign += 2)
        {
            double least = 1e9, most = -1e9;
            control(r, w, "j", (float)sign * 10.0f);
            set_gravity(w, (float)sign * -9.81f);
            for (int frame = 0; frame < 150; frame++)
            {
                play(w, 1);
                double q = position_of(r, w, "j");
                least = fmin(least, q), most = fmax(most, q);
            }
            assert_true(least > low[i] - 2e-3 && most < high[i] + 2e-3);
            if (i < 2)
                near_to("q", position_of(r, w, "j"), sign < 0 ? low[i] : high[i], 2e-3);
        }
        assert_true(warns_of(r, "a whole turn") == (i == 2));
        assert_true(warns_of(r, "outside of its limits") == (i == 1));
        pl_robot_free(r);
        pl_world_destroy(w);
    }
}

// ---- sensors -------------------------------------------------------------------------------------------------------

static void sensors_read(void **state)
{
    (void)state;
    pl_world *w = make_world(20, 16);
    double v[4];
    pl_robot_def def = pl_default_robot_def();
    def.control = PL_CONTROL_POSITION, def.kp = 1e6f, def.kv = 1e4f;
    pl_robot *r = bar(w, "continuous", "", &def);
    good(pl_robot_add_sensor(r, PL_SENSOR_FORCE, "bar"));
    good(pl_robot_add_sensor(r, PL_SENSOR_TORQUE, "bar"));
    assert_int_equal(pl_robot_sensor_size(r), 8);
    refused(pl_robot_add_sensor(r, PL_SENSOR_FORCE, "w"), PL_ERROR_ARGUMENT, "no joint holds");
    refused(pl_robot_add_sensor(r, PL_SENSOR_GYRO, "x"), PL_ERROR_ARGUMENT, "no link called \"x\"");
    play(w, 120);
    float all[8];
    good(pl_robot_sense(r, w, all)); // position, velocity, force, torque in the axes of the link: z is up, y the hinge
    near_to("position", (double)all[0], 9.81 / 1e6, 2e-6);
    near_to("velocity", (double)all[1], 0.0, 1e-5);
    near_to("force up", (double)all[4], 2.0 * 9.81, 2e-3);
    near_to("force x", (double)all[2], 0.0, 2e-3);
    near_to("torque", (double)all[6], -9.81, 2e-3);
    pl_robot_free(r);
    pl_world_destroy(w);
    // At rest an accelerometer reads +g up; in free fall 0; on a spinning link w^2 r inwards, and a gyro w.
    w = make_world(20, 4);
    r = bar(w, "continuous", "", NULL);
    good(pl_robot_add_sensor(r, PL_SENSOR_ACCELEROMETER, "w"));
    near_to("x", sensed(r, w, "w", v), 0.0, 1e-6);
    near_to("y", v[1], 0.0, 1e-6);
    near_to("z", v[2], 9.81, 1e-6); // up in the axes of the link
    pl_robot_free(r);
    pl_world_destroy(w);
    w = make_world(40, 4);
    set_gravity(w, 0.0f);
    def.control = PL_CONTROL_VELOCITY;
    r = bar(w, "continuous", "", &def);
    good(pl_robot_add_sensor(r, PL_SENSOR_GYRO, "bar"));
    control(r, w, "j", 3.0f);
    play(w, 60);
    sensed(r, w, "bar", v);
    near_to("gyro x", v[0], 0.0, 5e-4);
    near_to("gyro y", v[1], 3.0, 5e-4);
    near_to("gyro z", v[2], 0.0, 5e-4);
    pl_robot_free(r);
    pl_world_destroy(w);
}

// ---- determinism ---------------------------------------------------------------------------------------------------

// Any threads and lanes give the same bits, and a robot goes on in a world that was saved and loaded.
static void same_bits(void **state)
{
    (void)state;
    uint64_t hash[3];
    for (int i = 0; i < 3; i++)
    {
        pl_world_def def = small_def(20, 4);
        pl_robot_def how = pl_default_robot_def();
        pl_world *w, *again;
        void *data;
        size_t size;
        def.threads = i ? 3 : 1, def.lanes = i ? 8 : 1;
        how.control = PL_CONTROL_POSITION;
        good(pl_world_create(&def, &w));
        pl_robot *r = add_text(w, arm, &how);
        control(r, w, "j2", 0.5f);
        play(w, 20);
        if (i == 2)
        {
            good(pl_world_save_memory(w, &data, &size));
            good(pl_world_load_memory(&def, data, size, &again));
            pl_free(data);
            pl_world_destroy(w);
            w = again;
        }
        control(r, w, "j4", -0.5f);
        play(w, 20);
        hash[i] = pl_world_hash(w);
        pl_robot_free(r);
        pl_world_destroy(w);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forward_kinematics),
        cmocka_unit_test(servos_hold),
        cmocka_unit_test(masses),
        cmocka_unit_test(pendulum_period),
        cmocka_unit_test(servo_error_is_torque_by_kp),
        cmocka_unit_test(effort_is_a_limit),
        cmocka_unit_test(torques_and_speeds),
        cmocka_unit_test(damping_and_friction),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(sensors_read),
        cmocka_unit_test(same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
