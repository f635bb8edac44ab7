// Gears, racks, pulleys, rods, springs, cone-twist joints and joints that break, against their formulas.
#include "physics/joint_world.h"

static const pl_vec3 x_axis = {1.0f, 0.0f, 0.0f}, z_axis = {0.0f, 0.0f, 1.0f};
static const double pi = 3.14159265358979;

// A wheel of 1 kg at x on a hinge about z; speed: of a motor, 0: there is none.
static pl_id add_wheel(pl_world *w, float x, float radius, float speed, bool direct, pl_joint *hinge)
{
    pl_id id = add_box(w, (pl_vec3){radius, radius, 0.05f}, (pl_vec3){x, 0.0f, 0.0f}, 1.0f);
    pl_joint_def d = joint_def(PL_JOINT_HINGE, world_end, id, (pl_vec3){x, 0.0f, 0.0f}, z_axis);
    d.twist.speed = speed, d.twist.motor = speed != 0.0f ? 100.0f : 0.0f, d.direct = direct;
    *hinge = add_joint(w, &d);
    return id;
}

// The angle about z of a body that only rotates about it.
static double angle_of_body(const pl_world *w, pl_id body)
{
    pl_quat q = state_of(w, body).rotation;
    return 2.0 * atan2((double)q.z, (double)q.w);
}

static double wrapped(double a) { return a - 2.0 * pi * floor(a / (2.0 * pi) + 0.5); }

// ---- gears ---------------------------------------------------------------------------------------------------------

static void gears_turn_in_their_ratio(void **state)
{
    (void)state;
    for (int direct = 0; direct < 2; direct++)
        for (int belt = 0; belt < 2; belt++)
        {
            pl_world *w = make_world(10, direct ? 1 : 2);
            pl_joint hinge[2];
            pl_id a = add_wheel(w, 0.0f, 0.1f, 20.0f, direct, &hinge[0]);
            pl_id b = add_wheel(w, 0.4f, 0.3f, 0.0f, direct, &hinge[1]);
            pl_joint_def d = joint_def(PL_JOINT_GEAR, a, b, (pl_vec3){0.1f, 0.0f, 0.0f}, z_axis);
            d.teeth[0] = 12, d.teeth[1] = belt ? -37 : 37, d.direct = direct;
            pl_joint gear = add_joint(w, &d);
            play(w, 900); // 48 turns of the first
            double spin_a = (double)state_of(w, a).spin.z, spin_b = (double)state_of(w, b).spin.z;
            double off = wrapped(12.0 * angle_of_body(w, a) + (double)d.teeth[1] * angle_of_body(w, b));
            print_message("gear 12:%d%s: spins %.4f and %.4f rad/s, phase off by %.1e rad, C %.1e\n", d.teeth[1],
                          direct ? ", direct" : "", spin_a, spin_b, off, gap_of(w, &gear));
            near_to("the motor", spin_a, 20.0, 0.05);
            near_to("the ratio", spin_b, (belt ? 12.0 : -12.0) / 37.0 * spin_a, 2e-3);
            near_to("phase", off, 0.0, 2e-3);
            pl_world_destroy(w);
        }
}

// A torque of 1 N m on the small wheel is held by 37/12 N m at the large one; bevel gears have other axes.
static void gears_transmit_torque(void **state)
{
    (void)state;
    pl_world *w = make_world(10, 1);
    pl_joint hinge;
    no_gravity(w);
    pl_id a = add_wheel(w, 0.0f, 0.1f, 0.0f, true, &hinge);
    pl_id b = add_box(w, (pl_vec3){0.05f, 0.3f, 0.3f}, (pl_vec3){0.4f, 0.0f, 0.0f}, 1.0f);
    pl_joint_def d = joint_def(PL_JOINT_FIXED, world_end, b, (pl_vec3){0.4f, 0.0f, 0.0f}, x_axis);
    d.direct = true;
    pl_joint held = add_joint(w, &d);
    d = joint_def(PL_JOINT_GEAR, a, b, (pl_vec3){0.1f, 0.0f, 0.0f}, z_axis);
    d.axis_b = x_axis, d.teeth[0] = 12, d.teeth[1] = 37, d.direct = true;
    add_joint(w, &d);
    good(pl_set_rigid_force(w, a, (pl_vec3){0}, (pl_vec3){0.0f, 0.0f, 1.0f}));
    play(w, 30);
    pl_vec3 torque;
    good(pl_joint_force(w, &held, NULL, &torque));
    near_to("torque at the large wheel", (double)torque.x, 37.0 / 12.0, 1e-3);
    near_to("angle of the small wheel", angle_of_body(w, a), 0.0, 1e-3);
    pl_world_destroy(w);
}

static void a_rack_follows_its_pinion(void **state)
{
    (void)state;
    pl_world *w = make_world(10, 4);
    pl_joint hinge;
    pl_id pinion = add_wheel(w, 0.0f, 0.05f, 5.0f, false, &hinge);
    pl_id rack = add_box(w, (pl_vec3){1.0f, 0.02f, 0.02f}, (pl_vec3){0.0f, -0.07f, 0.0f}, 1.0f);
    pl_joint_def d = joint_def(PL_JOINT_SLIDER, world_end, rack, (pl_vec3){0.0f, -0.07f, 0.0f}, x_axis);
    add_joint(w, &d);
    d = joint_def(PL_JOINT_RACK, pinion, rack, (pl_vec3){0.0f, 0.0f, 0.0f}, z_axis);
    d.second = x_axis, d.radius = 0.05f;
    add_joint(w, &d);
    play(w, 300); // about four turns
    double x = (double)state_of(w, rack).position.x, v = (double)state_of(w, rack).velocity.x;
    print_message("a rack after 5 s: %.4f m, %.4f m/s\n", x, v);
    near_to("speed", v, 0.05 * 5.0, 1e-3);
    near_to("way", wrapped(x / 0.05 - angle_of_body(w, pinion)), 0.0, 1e-3);
    assert_true(x > 1.1 && x < 1.3);
    pl_world_destroy(w);
}

// ---- pulleys, rods, springs ----------------------------------------------------------------------------------------

// Atwood's machine with a tackle: T = g (1 + n)/(1/m1 + n^2/m2).
static void a_pulley_lifts(void **state)
{
    (void)state;
    for (int n = 1; n <= 2; n++)
    {
        const double m1 = 1.0, m2 = 3.0, g = 9.81;
        pl_world *w = make_world(8, 1);
        pl_id a = add_box(w, (pl_vec3){0.1f, 0.1f, 0.1f}, (pl_vec3){100.0f, -3.0f, 0.0f}, (float)m1);
        pl_id b = add_box(w, (pl_vec3){0.1f, 0.1f, 0.1f}, (pl_vec3){101.0f, -2.0f, 0.0f}, (float)m2);
        pl_joint_def d = joint_def(PL_JOINT_PULLEY, a, b, (pl_vec3){100.0f, -2.9f, 0.0f}, x_axis);
        d.point_b = (pl_vec3){101.0f, -1.9f, 0.0f}, d.ratio = (float)n;
        d.pulleys[0] = (pl_vec3){100.0f, 0.0f, 0.0f}, d.pulleys[1] = (pl_vec3){101.0f, 0.0f, 0.0f};
        pl_joint j = add_joint(w, &d);
        play(w, 60);
        double tension = g * (1.0 + n) / (1.0 / m1 + n * n / m2), up = tension / m1 - g, down = n * tension / m2 - g;
        pl_vec3 force;
        good(pl_joint_force(w, &j, &force, NULL));
        print_message("a pulley, ratio %d: speeds %.3f and %.3f m/s (%.3f, %.3f), force on b %.3f N (%.3f)\n", n,
                      (double)state_of(w, a).velocity.y, (double)state_of(w, b).velocity.y, up, down, (double)force.y,
                      n * tension);
        near_to("speed of a", (double)state_of(w, a).velocity.y, up, 0.01 * fabs(up));
        near_to("speed of b", (double)state_of(w, b).velocity.y, down, 0.01 * fabs(down));
        near_to("force on b", (double)force.y, n * tension, 0.01 * n * tension);
        pl_world_destroy(w);
    }
}

// A lifted weight slackens the rope: the other one falls freely.
static void a_rope_goes_slack(void **state)
{
    (void)state;
    pl_world *w = make_world(20, 1);
    pl_id a = add_box(w, (pl_vec3){0.1f, 0.1f, 0.1f}, (pl_vec3){0.0f, -3.0f, 0.0f}, 1.0f);
    pl_id b = add_box(w, (pl_vec3){0.1f, 0.1f, 0.1f}, (pl_vec3){1.0f, -3.0f, 0.0f}, 1.0f);
    pl_joint_def d = joint_def(PL_JOINT_PULLEY, a, b, (pl_vec3){0.0f, -3.0f, 0.0f}, x_axis);
    d.point_b = (pl_vec3){1.0f, -3.0f, 0.0f};
    d.pulleys[1] = (pl_vec3){1.0f, 0.0f, 0.0f};
    pl_joint j = add_joint(w, &d);
    good(pl_push_rigid(w, a, (pl_vec3){0.0f, 2.0f, 0.0f}, (pl_vec3){0.0f, -3.0f, 0.0f}));
    play(w, 10); // the rope stays slack for 0.2 s
    pl_vec3 force;
    good(pl_joint_force(w, &j, &force, NULL));
    near_to("no pull", (double)force.y, 0.0, 1e-6);
    near_to("b falls", (double)state_of(w, b).velocity.y, -9.81 / 6.0, 1e-3);
    pl_world_destroy(w);
}

static void rods_and_springs(void **state)
{
    (void)state;
    pl_world *w = make_world(100, 1);
    no_gravity(w);
    pl_id a = add_box(w, (pl_vec3){0.1f, 0.1f, 0.1f}, (pl_vec3){1.0f, 0.0f, 0.0f}, 2.0f);
    pl_joint_def d = joint_def(PL_JOINT_SPRING, world_end, a, (pl_vec3){0.0f, 0.0f, 0.0f}, x_axis);
    d.point_b = (pl_vec3){1.0f, 0.0f, 0.0f}, d.soft.compliance = 1e-2f, d.length = 0.9f;
    add_joint(w, &d);
    // x = 0.9 + 0.1 cos(w t), w = sqrt(1/(m c)): half a period later it is at 0.8.
    int frames = (int)floor(pi * sqrt(2.0 * 1e-2) * 60.0 + 0.5);
    play(w, frames);
    near_to("spring", (double)state_of(w, a).position.x, 0.9 + 0.1 * cos(frames / 60.0 / sqrt(0.02)), 2e-3);
    d.soft.compliance = 0.0f;
    pl_joint j;
    refused(pl_add_joint(w, &d, &j), PL_ERROR_ARGUMENT, "above 0, or use a rod");
    pl_world_destroy(w);
    w = make_world(20, 1);
    a = add_box(w, (pl_vec3){0.1f, 0.1f, 0.1f}, (pl_vec3){1.0f, 0.0f, 0.0f}, 2.0f);
    d = joint_def(PL_JOINT_ROD, world_end, a, (pl_vec3){0.0f, 0.0f, 0.0f}, x_axis);
    d.point_b = (pl_vec3){1.0f, 0.0f, 0.0f};
    add_joint(w, &d);
    double most = 0.0;
    for (int frame = 0; frame < 60; frame++)
    {
        good(pl_world_step(w, 1.0f / 60.0f));
        pl_vec3 p = state_of(w, a).position;
        most = fmax(most, fabs(sqrt((double)p.x * p.x + (double)p.y * p.y) - 1.0));
    }
    below("length of the rod", most, 1e-5);
    pl_world_destroy(w);
}

static void a_cone_and_a_twist(void **state)
{
    (void)state;
    pl_world *w = make_world(20, 2);
    pl_joint j;
    pl_id a = add_box(w, (pl_vec3){0.3f, 0.05f, 0.05f}, (pl_vec3){0.3f, 0.0f, 0.0f}, 1.0f);
    pl_joint_def d = joint_def(PL_JOINT_CONE_TWIST, world_end, a, (pl_vec3){0.0f, 0.0f, 0.0f}, x_axis);
    refused(pl_add_joint(w, &d, &j), PL_ERROR_ARGUMENT, "needs a swing above 0 and limits of twist");
    d.swing = 0.5f, d.twist.limited = true, d.twist.low = -0.2f, d.twist.high = 0.2f;
    j = add_joint(w, &d);
    good(pl_spin_rigid(w, a, (pl_vec3){0.05f, 0.0f, 0.0f}));
    play(w, 120);
    float twist;
    good(pl_joint_position(w, &j, NULL, &twist));
    pl_vec3 p = state_of(w, a).position;
    near_to("on the cone", atan2(-(double)p.y, (double)p.x), 0.5, 2e-3);
    assert_true(fabsf(twist) < 0.201f);
    pl_world_destroy(w);
}

// ---- breaking ------------------------------------------------------------------------------------------------------

// Three bodies of 1 kg hang below each other; the middle joint carries 2 kg.
static pl_world *add_hanging(float force, bool direct, pl_id *body, pl_joint *joint)
{
    pl_world *w = make_world(8, 8);
    for (int i = 0; i < 3; i++)
    {
        float y = -0.2f * (float)i;
        body[i] = add_box(w, (pl_vec3){0.05f, 0.1f, 0.05f}, (pl_vec3){0.0f, y - 0.1f, 0.0f}, 1.0f);
        pl_joint_def d =
            joint_def(PL_JOINT_HINGE, i ? body[i - 1] : world_end, body[i], (pl_vec3){0.0f, y, 0.0f}, z_axis);
        d.direct = direct, d.break_force = i == 1 ? force : 0.0f;
        d.twist.limited = true, d.twist.low = -1.0f, d.twist.high = 1.0f, d.twist.friction = 0.1f;
        joint[i] = add_joint(w, &d);
    }
    return w;
}

static void joints_break_under_a_force(void **state)
{
    (void)state;
    for (int direct = 0; direct < 2; direct++)
    {
        pl_id body[3];
        pl_joint joint[3];
        pl_world *w = add_hanging(30.0f, direct, body, joint);
        play(w, 30); // 19.6 N
        assert_false(is_broken(w, &joint[1]));
        assert_int_equal(pl_world_tears(w).broken, 0);
        good(pl_set_rigid_force(w, body[2], (pl_vec3){0.0f, -9.0f, 0.0f}, (pl_vec3){0})); // 28.6 N
        play(w, 30);
        assert_false(is_broken(w, &joint[1]));
        save_and_load(&w, 8, 8);
        good(pl_set_rigid_force(w, body[2], (pl_vec3){0.0f, -11.0f, 0.0f}, (pl_vec3){0})); // 30.6 N
        play(w, 2);
        assert_true(is_broken(w, &joint[1]) && !is_broken(w, &joint[0]) && !is_broken(w, &joint[2]));
        assert_int_equal(pl_world_tears(w).broken, 3); // with its limits and its friction
        good(pl_set_rigid_force(w, body[2], (pl_vec3){0}, (pl_vec3){0}));
        double start = (double)state_of(w, body[1]).velocity.y;
        play(w, 30);
        near_to("falls", (double)state_of(w, body[1]).velocity.y - start, -9.81 * 0.5, 1e-2);
        near_to("hangs", (double)state_of(w, body[0]).position.y, -0.1, 1e-3);
        below("the last joint", gap_of(w, &joint[2]), 1e-4);
        pl_vec3 force;
        good(pl_joint_force(w, &joint[1], &force, NULL));
        near_to("no force", (double)force.y, 0.0, 1e-9);
        good(pl_remove_joint(w, &joint[1]));
        play(w, 2);
        pl_world_destroy(w);
    }
}

static void joints_break_under_a_torque(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) // a beam of 2 kg and 1 m: 9.81 N m where it is clamped
    {
        pl_world *w = make_world(8, 1);
        pl_id beam = add_box(w, (pl_vec3){0.5f, 0.05f, 0.05f}, (pl_vec3){0.5f, 0.0f, 0.0f}, 2.0f);
        pl_joint_def d = joint_def(PL_JOINT_FIXED, world_end, beam, (pl_vec3){0.0f, 0.0f, 0.0f}, x_axis);
        d.break_torque = i ? 9.7f : 9.95f;
        pl_joint j = add_joint(w, &d);
        play(w, 20);
        assert_int_equal(is_broken(w, &j), i);
        pl_world_destroy(w);
    }
}

static void the_same_break_everywhere(void **state)
{
    (void)state;
    uint64_t hash[3];
    for (int i = 0; i < 3; i++)
    {
        pl_id body[3];
        pl_joint joint[3];
        pl_world *w = add_hanging(25.0f, true, body, joint);
        good(pl_world_set_workers(w, i == 1 ? 3 : 1, i == 2 ? 1 : 0));
        good(pl_push_rigid(w, body[2], (pl_vec3){1.0f, 0.0f, 0.0f}, (pl_vec3){0.0f, -0.6f, 0.0f}));
        play(w, 60);
        assert_true(is_broken(w, &joint[1]));
        hash[i] = pl_world_hash(w);
        pl_world_destroy(w);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

static void bad_machines_are_refused(void **state)
{
    (void)state;
    pl_world *w = make_world(4, 1);
    pl_joint j;
    pl_id a = add_box(w, (pl_vec3){0.1f, 0.1f, 0.1f}, (pl_vec3){0.0f, 0.0f, 0.0f}, 1.0f);
    pl_id b = add_box(w, (pl_vec3){0.1f, 0.1f, 0.1f}, (pl_vec3){1.0f, 0.0f, 0.0f}, 1.0f);
    play(w, 2);
    picture before = picture_of(w);
    pl_joint_def d = joint_def(PL_JOINT_GEAR, a, b, (pl_vec3){0}, z_axis);
    d.teeth[1] = 0;
    refused(pl_add_joint(w, &d, &j), PL_ERROR_ARGUMENT, "a gear of 1 and 0 teeth");
    d.teeth[1] = 5, d.break_force = 1.0f;
    refused(pl_add_joint(w, &d, &j), PL_ERROR_ARGUMENT, "does not break");
    d.kind = PL_JOINT_RACK, d.break_force = 0.0f;
    refused(pl_add_joint(w, &d, &j), PL_ERROR_ARGUMENT, "radius 0 m");
    d.radius = 0.1f, d.second = z_axis;
    refused(pl_add_joint(w, &d, &j), PL_ERROR_ARGUMENT, "parallel");
    d.kind = PL_JOINT_PULLEY, d.ratio = 0.0f;
    refused(pl_add_joint(w, &d, &j), PL_ERROR_ARGUMENT, "ratio of the pulley is 0");
    d.ratio = 1.0f, d.direct = true;
    refused(pl_add_joint(w, &d, &j), PL_ERROR_ARGUMENT, "cannot be solved directly");
    d.kind = PL_JOINT_BALL, d.direct = false, d.break_force = -1.0f;
    refused(pl_add_joint(w, &d, &j), PL_ERROR_ARGUMENT, "break_force");
    same_picture(&before, w, "a refused machine");
    pl_free(before.data);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gears_turn_in_their_ratio),   cmocka_unit_test(gears_transmit_torque),
        cmocka_unit_test(a_rack_follows_its_pinion),   cmocka_unit_test(a_pulley_lifts),
        cmocka_unit_test(a_rope_goes_slack),           cmocka_unit_test(rods_and_springs),
        cmocka_unit_test(a_cone_and_a_twist),          cmocka_unit_test(joints_break_under_a_force),
        cmocka_unit_test(joints_break_under_a_torque), cmocka_unit_test(the_same_break_everywhere),
        cmocka_unit_test(bad_machines_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
