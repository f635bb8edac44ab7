// Joints between bodies: each kind lets move what it should and holds the rest; limits, motors, servos and friction against
// their formulas; forces and torques; a double pendulum against double precision, a four-bar linkage, momentum, energy, a chain.
// long: too
#include "physics/joint_world.h"
#include "support/long.h"

static const double pi = 3.14159265358979;

// ---- what each kind holds ------------------------------------------------------------------------------------------

// Two free bodies are joined and thrown apart: after a second the joint is still closed, and the motion that it allows is there.
static void every_kind_holds(void **state)
{
    (void)state;
    for (int kind = 0; kind <= PL_JOINT_ROD; kind++) // the others: test_machines.c
    {
        pl_world *w = make_world(20, 1);
        no_gravity(w);
        pl_id a = add_box(w, (pl_vec3){0.3f, 0.1f, 0.2f}, (pl_vec3){0.0f, 0.0f, 0.0f}, 2.0f);
        pl_id b = add_box(w, (pl_vec3){0.2f, 0.3f, 0.1f}, (pl_vec3){0.7f, 0.1f, 0.0f}, 1.0f);
        pl_joint_def d = joint_def((pl_joint_kind)kind, a, b, (pl_vec3){0.4f, 0.0f, 0.1f}, (pl_vec3){0.3f, 1.0f, 0.2f});
        d.point_b = (pl_vec3){0.6f, 0.2f, 0.0f};
        d.second = (pl_vec3){1.0f, 0.0f, 0.0f};
        d.slide.friction = d.twist.friction = 1e-6f; // so that positions can be read
        pl_joint j = add_joint(w, &d);
        good(pl_push_rigid(w, b, (pl_vec3){0.5f, 1.0f, -0.8f}, (pl_vec3){0.9f, 0.3f, 0.2f}));
        double most = 0.0;
        float slide = 0.0f, twist = 0.0f, farthest = 0.0f, turned = 0.0f;
        for (int frame = 0; frame < 60; frame++)
        {
            good(pl_world_step(w, 1.0f / 60.0f));
            most = fmax(most, gap_of(w, &j));
            good(pl_joint_position(w, &j, &slide, &twist));
            farthest = fmaxf(farthest, fabsf(slide)), turned = fmaxf(turned, fabsf(twist));
        }
        print_message("kind %d: open by %.1e; slid by %.3f m, twisted by %.3f rad\n", kind, most, (double)farthest,
                      (double)turned);
        below("gap", most, 2e-4);
        bool slides = kind == PL_JOINT_SLIDER || kind == PL_JOINT_CYLINDRICAL || kind == PL_JOINT_WHEEL;
        bool twists =
            kind == PL_JOINT_BALL || kind == PL_JOINT_HINGE || kind == PL_JOINT_CYLINDRICAL || kind == PL_JOINT_WHEEL;
        assert_true((farthest > 0.05f) == slides);
        assert_true((turned > 0.05f) == twists);
        pl_world_destroy(w);
    }
}

// A bar on a hinge, 1 m long and 2 kg, along x from the hinge at the origin; the hinge's axis is z.
static pl_world *bar_on_hinge(int substeps, pl_joint_def *d, pl_id *bar)
{
    pl_world *w = make_world(substeps, 1);
    *bar = add_box(w, (pl_vec3){0.5f, 0.05f, 0.05f}, (pl_vec3){0.5f, 0.0f, 0.0f}, 2.0f);
    *d = joint_def(PL_JOINT_HINGE, world_end, *bar, (pl_vec3){0.0f, 0.0f, 0.0f}, (pl_vec3){0.0f, 0.0f, 1.0f});
    return w;
}

static void forces_are_read(void **state)
{
    (void)state;
    pl_id bar;
    pl_joint_def d;
    pl_world *w = bar_on_hinge(8, &d, &bar);
    d.kind = PL_JOINT_FIXED;
    pl_joint j = add_joint(w, &d);
    play(w, 30);
    pl_vec3 force, torque;
    good(pl_joint_force(w, &j, &force, &torque));
    near_to("force", (double)force.y, 2.0 * 9.81, 0.05);
    near_to("torque", (double)torque.z, 2.0 * 9.81 * 0.5, 0.05);
    near_to("no force", (double)force.x, 0.0, 0.05);
    pl_world_destroy(w);
}

// ---- limits, motors, servos, friction ------------------------------------------------------------------------------

static double angle_of_joint(const pl_world *w, const pl_joint *j)
{
    float twist;
    good(pl_joint_position(w, j, NULL, &twist));
    return (double)twist;
}

static void limits_stop(void **state)
{
    (void)state;
    pl_id bar;
    pl_joint_def d;
    pl_world *w = bar_on_hinge(20, &d, &bar);
    d.twist.limited = true, d.twist.low = -0.6f, d.twist.high = 0.3f;
    pl_joint j = add_joint(w, &d);
    double least = 0.0;
    for (int frame = 0; frame < 120; frame++)
    {
        good(pl_world_step(w, 1.0f / 60.0f));
        least = fmin(least, angle_of_joint(w, &j));
    }
    near_to("angle", angle_of_joint(w, &j), -0.6, 1e-4);
    near_to("lowest angle", least, -0.6, 1e-3);
    pl_vec3 torque;
    good(pl_joint_force(w, &j, NULL, &torque));
    near_to("torque of the limit", (double)torque.z, 2.0 * 9.81 * 0.5 * cos(0.6), 0.05);
    pl_world_destroy(w);

    w = bar_on_hinge(20, &d, &bar); // a soft limit: a torsion spring with a damper
    d.twist.limited = true;
    d.twist.limit = (pl_softness){.compliance = 0.02f, .damping = 5.0f};
    j = add_joint(w, &d);
    play(w, 300);
    double angle = angle_of_joint(w, &j);
    near_to("torque of the spring", -angle / 0.02, 2.0 * 9.81 * 0.5 * cos(angle), 0.05);
    pl_world_destroy(w);
}

static void motors_drive(void **state)
{
    (void)state;
    pl_world *w = make_world(20, 1);
    pl_rigid_shape shape = pl_default_rigid_shape();
    pl_rigid_def def = pl_default_rigid_def();
    pl_id wheel;
    shape.kind = PL_RIGID_CYLINDER, shape.radius = 0.5f, shape.length = 0.1f;
    def.shapes = &shape, def.shape_count = 1, def.mass = 4.0f; // 1/2 m r^2 = 0.5 kg m^2
    good(pl_add_rigid(w, &def, &wheel));
    pl_joint_def d =
        joint_def(PL_JOINT_HINGE, world_end, wheel, (pl_vec3){0.0f, 0.0f, 0.0f}, (pl_vec3){0.0f, 1.0f, 0.0f});
    d.twist.motor = 2.0f, d.twist.speed = 10.0f;
    pl_joint j = add_joint(w, &d);
    play(w, 60);
    near_to("spin at 4 rad/s^2 after 1 s", (double)state_of(w, wheel).spin.y, 4.0, 0.01);
    pl_vec3 torque;
    good(pl_joint_force(w, &j, NULL, &torque));
    near_to("largest torque", (double)torque.y, 2.0, 1e-3);
    play(w, 120);
    near_to("speed of the motor", (double)state_of(w, wheel).spin.y, 10.0, 1e-3);
    good(pl_drive_joint(w, &j, PL_JOINT_TWIST_MOTOR, 0.0f, 1.0f)); // a brake of 2 rad/s^2
    play(w, 60);
    near_to("spin after braking", (double)state_of(w, wheel).spin.y, 8.0, 0.02);
    good(pl_remove_joint(w, &j));
    assert_int_equal(pl_world_rigids(w, NULL, 0), 1); // the anchor is gone too
    refused(pl_drive_joint(w, &j, PL_JOINT_TWIST_MOTOR, 0.0f, 1.0f), PL_ERROR_ARGUMENT, "no such motor");
    pl_world_destroy(w);
}

static void servos_and_friction_hold(void **state)
{
    (void)state;
    pl_id bar;
    pl_joint_def d;
    pl_world *w = bar_on_hinge(20, &d, &bar);
    d.twist.servo = 30.0f, d.twist.target = 0.5f;
    d.twist.servo_soft = (pl_softness){.compliance = 5e-4f, .damping = 150.0f}; // 2,000 N m/rad
    pl_joint j = add_joint(w, &d);
    for (int i = 0; i < 2; i++)
    {
        double target = i ? -0.2 : 0.5;
        good(pl_drive_joint(w, &j, PL_JOINT_TWIST_SERVO, (float)target, 30.0f));
        play(w, 180);
        double angle = angle_of_joint(w, &j);
        near_to("angle", angle, target, 0.01);
        near_to("torque", (target - angle) * 2000.0, 9.81 * cos(angle), 0.05);
    }
    pl_world_destroy(w);

    for (int slips = 0; slips < 2; slips++) // the weight's torque is 9.81 N m
    {
        w = bar_on_hinge(20, &d, &bar);
        d.twist.friction = slips ? 8.0f : 11.0f;
        j = add_joint(w, &d);
        play(w, 6);
        double wanted = slips ? -(9.81 - 8.0) / (2.0 / 3.0 + 2.0 * 0.01 / 12.0) * 0.1 : 0.0;
        // The hinge feels what its friction does one substep later: 1 % of 8 N m over 0.1 s.
        near_to("spin against friction", (double)state_of(w, bar).spin.z, wanted, 0.012);
        pl_world_destroy(w);
    }
}

static void sliders_slide(void **state)
{
    (void)state;
    pl_world *w = make_world(20, 1);
    pl_id box = add_box(w, (pl_vec3){0.2f, 0.1f, 0.1f}, (pl_vec3){0.0f, 2.0f, 0.0f}, 3.0f);
    const double tilt = 0.4;
    pl_joint_def d = joint_def(PL_JOINT_SLIDER, world_end, box, (pl_vec3){0.1f, 2.0f, 0.0f},
                               (pl_vec3){(float)cos(tilt), (float)-sin(tilt), 0.0f});
    d.slide.limited = true, d.slide.low = -1.0f, d.slide.high = 1.5f;
    pl_joint j = add_joint(w, &d);
    play(w, 30);
    float slide;
    good(pl_joint_position(w, &j, &slide, NULL));
    near_to("way down the slope", (double)slide, 0.5 * 9.81 * sin(tilt) * 0.25, 5e-3);
    play(w, 90);
    good(pl_joint_position(w, &j, &slide, NULL));
    near_to("end of the rail", (double)slide, 1.5, 1e-4);
    pl_world_destroy(w);
}

// A cone: a bar hangs from a ball joint and is swung; its axis stays within the cone.
static void cones_hold(void **state)
{
    (void)state;
    pl_world *w = make_world(20, 1);
    pl_id bar = add_box(w, (pl_vec3){0.05f, 0.5f, 0.05f}, (pl_vec3){0.0f, -0.5f, 0.0f}, 1.0f);
    pl_joint_def d =
        joint_def(PL_JOINT_BALL, world_end, bar, (pl_vec3){0.0f, 0.0f, 0.0f}, (pl_vec3){0.0f, -1.0f, 0.0f});
    d.swing = 0.5f;
    d.twist.limited = true, d.twist.low = -0.2f, d.twist.high = 0.2f;
    pl_joint j = add_joint(w, &d);
    good(pl_push_rigid(w, bar, (pl_vec3){3.0f, 0.0f, 1.0f}, (pl_vec3){0.0f, -1.0f, 0.0f}));
    good(pl_spin_rigid(w, bar, (pl_vec3){0.0f, 0.01f, 0.0f}));
    double widest = 0.0, twisted = 0.0;
    for (int frame = 0; frame < 120; frame++)
    {
        good(pl_world_step(w, 1.0f / 60.0f));
        const double down[3] = {0.0, -1.0, 0.0};
        double now[3];
        turn_point(state_of(w, bar).rotation, down, now);
        widest = fmax(widest, acos(fmin(1.0, -now[1])));
        twisted = fmax(twisted, fabs(angle_of_joint(w, &j)));
    }
    print_message("swings to %.4f of 0.5 rad, twists to %.4f of 0.2 rad\n", widest, twisted);
    near_to("swing", widest, 0.5, 2e-3);
    near_to("twist", twisted, 0.2, 2e-3);
    pl_world_destroy(w);
}

// ---- a rope tied to a body -----------------------------------------------------------------------------------------

static void a_rope_carries_a_box(void **state)
{
    (void)state;
    pl_world *w = make_world(40, 1);
    pl_rope_def rope = pl_default_rope_def();
    pl_id line, box = add_box(w, (pl_vec3){0.2f, 0.2f, 0.2f}, (pl_vec3){0.0f, -1.2f, 0.0f}, 5.0f);
    rope.segments = 10, rope.from = (pl_vec3){0.0f, 0.0f, 0.0f}, rope.to = (pl_vec3){0.0f, -1.0f, 0.0f};
    rope.mass = 0.5f, rope.pin_first = true;
    good(pl_add_rope(w, &rope, &line));
    pl_joint_def d = joint_def(PL_JOINT_BALL, line, box, (pl_vec3){0.0f, -1.0f, 0.0f}, (pl_vec3){1.0f, 0.0f, 0.0f});
    d.a_particle = 10;
    pl_joint j = add_joint(w, &d);
    good(pl_push_rigid(w, box, (pl_vec3){1.0f, 0.0f, 0.0f}, (pl_vec3){0.0f, -1.2f, 0.0f}));
    play(w, 120);
    below("gap between the rope and the box", gap_of(w, &j), 1e-4);
    pl_rigid_state s = state_of(w, box);
    double far = sqrt((double)s.position.x * s.position.x + (double)s.position.y * s.position.y);
    near_to("distance of the box from the nail", far, 1.2, 0.03);
    pl_world_destroy(w);
}

// ---- a double pendulum ---------------------------------------------------------------------------------------------

typedef struct pendulum2
{
    double a[2], w[2]; // angles from the vertical, and their speeds
} pendulum2;

// Two equal bars of length 1 and mass m, each with the inertia i about its centre, hinged end to end. Lagrange's equations.
static pendulum2 slope(const pendulum2 *p, double m, double i)
{
    const double l = 1.0, g = 9.81, d = p->a[0] - p->a[1];
    const double m11 = i + 1.25 * m * l * l, m22 = i + 0.25 * m * l * l, m12 = 0.5 * m * l * l * cos(d);
    const double f1 = -0.5 * m * l * l * sin(d) * p->w[1] * p->w[1] - 1.5 * m * g * l * sin(p->a[0]);
    const double f2 = 0.5 * m * l * l * sin(d) * p->w[0] * p->w[0] - 0.5 * m * g * l * sin(p->a[1]);
    const double det = m11 * m22 - m12 * m12;
    return (pendulum2){{p->w[0], p->w[1]}, {(m22 * f1 - m12 * f2) / det, (m11 * f2 - m12 * f1) / det}};
}

static void pendulum_step(pendulum2 *p, double m, double i, double dt)
{
    pendulum2 k[4], at;
    for (int s = 0; s < 4; s++)
    {
        double h = s == 0 ? 0.0 : s == 3 ? dt : 0.5 * dt;
        at = *p;
        for (int c = 0; c < 2 && s; c++)
            at.a[c] += h * k[s - 1].a[c], at.w[c] += h * k[s - 1].w[c];
        k[s] = slope(&at, m, i);
    }
    for (int c = 0; c < 2; c++)
    {
        p->a[c] += dt / 6.0 * (k[0].a[c] + 2.0 * k[1].a[c] + 2.0 * k[2].a[c] + k[3].a[c]);
        p->w[c] += dt / 6.0 * (k[0].w[c] + 2.0 * k[1].w[c] + 2.0 * k[2].w[c] + k[3].w[c]);
    }
}

// The largest distance of the lower bar's centre from where it should be, in 2 s from horizontal.
static double double_pendulum(int substeps, int iterations, pl_integrator how)
{
    pl_world *w = make_world(substeps, iterations);
    pl_settings set = pl_world_settings(w);
    set.integrator = how;
    good(pl_world_set_settings(w, &set));
    pl_id bar[2];
    for (int i = 0; i < 2; i++)
    {
        bar[i] = add_box(w, (pl_vec3){0.5f, 0.05f, 0.05f}, (pl_vec3){0.5f + (float)i, 0.0f, 0.0f}, 1.0f);
        pl_joint_def d = joint_def(PL_JOINT_HINGE, i ? bar[0] : world_end, bar[i], (pl_vec3){(float)i, 0.0f, 0.0f},
                                   (pl_vec3){0.0f, 0.0f, 1.0f});
        add_joint(w, &d);
    }
    pendulum2 p = {{pi / 2.0, pi / 2.0}, {0.0, 0.0}};
    double most = 0.0;
    for (int frame = 0; frame < 120; frame++)
    {
        good(pl_world_step(w, 1.0f / 60.0f));
        for (int n = 0; n < 100; n++)
            pendulum_step(&p, 1.0, (1.0 + 0.01) / 12.0, (double)(1.0f / 60.0f) / 100.0);
        pl_rigid_state s = state_of(w, bar[1]);
        double x = sin(p.a[0]) + 0.5 * sin(p.a[1]), y = -cos(p.a[0]) - 0.5 * cos(p.a[1]);
        most = fmax(most, hypot((double)s.position.x - x, (double)s.position.y - y));
    }
    pl_world_destroy(w);
    print_message("double pendulum, %s, %d substeps x %d: off by %.2e m in 2 s\n",
                  how == PL_INTEGRATOR_BDF2 ? "BDF2" : "BDF1", substeps, iterations, most);
    return most;
}

static void a_double_pendulum_swings(void **state)
{
    (void)state;
    below("error", double_pendulum(400, 1, PL_INTEGRATOR_BDF1), 1e-3);
    if (is_long())
        for (int s = 20; s <= 2560; s *= 2)
            for (int how = 0; how < 2; how++)
                double_pendulum(s, 1, (pl_integrator)how);
}

// ---- a linkage, momentum, energy -----------------------------------------------------------------------------------

// A crank of 0.3 m, a coupler of 1 m, a rocker of 0.8 m, and the ground; a motor turns the crank. All hinges are closed.
static void a_four_bar_linkage_stays_closed(void **state)
{
    (void)state;
    pl_world *w = make_world(20, 4);
    // The crank up from the origin to A, the rocker from (0.9, 0) to B, |AB| = 1.
    const double ax = 0.0, ay = 0.3, gx = 0.9, dx = gx - ax, dy = -ay, far = hypot(dx, dy);
    const double along = (1.0 - 0.64 + far * far) / (2.0 * far), up = sqrt(1.0 - along * along);
    const double bx = ax + along * dx / far - up * dy / far, by = ay + along * dy / far + up * dx / far;
    const double from[3][2] = {{0.0, 0.0}, {ax, ay}, {gx, 0.0}}, to[3][2] = {{ax, ay}, {bx, by}, {bx, by}};
    pl_id bar[3];
    for (int i = 0; i < 3; i++)
    {
        double length = hypot(to[i][0] - from[i][0], to[i][1] - from[i][1]);
        double angle = atan2(to[i][1] - from[i][1], to[i][0] - from[i][0]);
        pl_rigid_shape shape;
        pl_rigid_def def = box_def(
            &shape, (pl_vec3){(float)(0.5 * length), 0.02f, 0.02f},
            (pl_vec3){(float)(0.5 * (to[i][0] + from[i][0])), (float)(0.5 * (to[i][1] + from[i][1])), 0.0f}, 1.0f);
        def.rotation = (pl_quat){0.0f, 0.0f, (float)sin(0.5 * angle), (float)cos(0.5 * angle)};
        good(pl_add_rigid(w, &def, &bar[i]));
    }
    const pl_vec3 z = {0.0f, 0.0f, 1.0f};
    pl_joint_def d[4] = {joint_def(PL_JOINT_HINGE, world_end, bar[0], (pl_vec3){0.0f, 0.0f, 0.0f}, z),
                         joint_def(PL_JOINT_HINGE, bar[0], bar[1], (pl_vec3){(float)ax, (float)ay, 0.0f}, z),
                         joint_def(PL_JOINT_HINGE, bar[2], bar[1], (pl_vec3){(float)bx, (float)by, 0.0f}, z),
                         joint_def(PL_JOINT_HINGE, world_end, bar[2], (pl_vec3){(float)gx, 0.0f, 0.0f}, z)};
    d[0].twist.motor = 50.0f, d[0].twist.speed = 6.0f;
    pl_joint j[4];
    double most = 0.0, turned = 0.0, last = 0.0;
    for (int i = 0; i < 4; i++)
        j[i] = add_joint(w, &d[i]);
    for (int frame = 0; frame < 300; frame++)
    {
        good(pl_world_step(w, 1.0f / 60.0f));
        for (int i = 0; i < 4; i++)
            most = fmax(most, gap_of(w, &j[i]));
        double angle = angle_of_joint(w, &j[0]), step = angle - last;
        turned += step - 2.0 * pi * floor(step / (2.0 * pi) + 0.5), last = angle;
    }
    print_message("four-bar linkage: turned by %.2f rad where 30 were wanted, open by %.1e m\n", turned, most);
    near_to("turned", turned, 30.0, 0.5);
    below("gap", most, 1e-4);
    pl_world_destroy(w);
}

// A free chain of bodies with every kind of joint, thrown and spinning.
static pl_world *free_chain(int substeps, int iterations, float gravity, bool tied)
{
    static const pl_joint_kind kinds[7] = {PL_JOINT_BALL,   PL_JOINT_HINGE,       PL_JOINT_UNIVERSAL, PL_JOINT_FIXED,
                                           PL_JOINT_SLIDER, PL_JOINT_CYLINDRICAL, PL_JOINT_DISTANCE};
    pl_world *w = make_world(substeps, iterations);
    set_gravity(w, gravity);
    pl_id body[8];
    for (int i = 0; i < 8; i++)
    {
        pl_rigid_shape shape;
        pl_rigid_def def = box_def(&shape, (pl_vec3){0.2f, 0.1f, 0.05f + 0.02f * (float)i},
                                   (pl_vec3){0.5f * (float)i, 0.0f, 0.0f}, 0.5f + 0.3f * (float)(i % 3));
        def.spin = tied ? (pl_vec3){0.0f, 0.0f, 0.0f} : (pl_vec3){0.3f, 0.2f, 1.0f};
        def.velocity = tied ? def.velocity : (pl_vec3){1.0f, 0.5f * (float)i, 0.1f * (float)(i % 2)};
        good(pl_add_rigid(w, &def, &body[i]));
        pl_joint_def d = joint_def(i ? kinds[i - 1] : PL_JOINT_BALL, i ? body[i - 1] : world_end, body[i],
                                   (pl_vec3){0.5f * (float)i - 0.25f, 0.0f, 0.0f}, (pl_vec3){0.2f, 0.3f, 1.0f});
        d.point_b = (pl_vec3){d.point.x + 0.02f, 0.05f, 0.0f};
        d.slide.limited = i && kinds[i - 1] != PL_JOINT_DISTANCE, d.slide.low = -0.1f, d.slide.high = 0.1f;
        if (i || tied)
            add_joint(w, &d);
    }
    return w;
}

static void momentum_stays(void **state)
{
    (void)state;
    pl_world *w = free_chain(20, 1, 0.0f, false);
    double lost, slower;
    momentum_changes(w, 300, &lost, &slower);
    print_message("a free chain of 8 bodies, 300 frames: momentum off by %.1e, angular momentum by %.1e\n", lost,
                  slower);
    below("momentum", lost, 1e-5);
    below("angular momentum", slower, 1e-4);
    pl_world_destroy(w);
}

static void energy_never_grows(void **state)
{
    (void)state;
    for (int i = 0; i < (is_long() ? 4 : 1); i++)
    {
        static const int substeps[4] = {20, 8, 4, 100};
        pl_world *w = free_chain(substeps[i], 1, -9.81f, true);
        pl_energy e = pl_world_energy(w);
        double start = e.kinetic + e.potential + e.elastic, now = start, most = -1e9;
        for (int frame = 0; frame < (is_long() ? 3600 : 600); frame++)
        {
            good(pl_world_step(w, 1.0f / 60.0f));
            e = pl_world_energy(w);
            now = e.kinetic + e.potential + e.elastic;
            most = fmax(most, now - start);
        }
        print_message("a hanging chain, %d substeps: energy at most %.2e J above its start, at the end %.2f J below\n",
                      substeps[i], most, start - now);
        below("gain", most, 1e-3);
        pl_world_destroy(w);
    }
}

// ---- a chain with a heavy end --------------------------------------------------------------------------------------

static void a_chain_with_a_heavy_end(void **state)
{
    (void)state;
    // Gauss-Seidel's numbers; for the direct solve see test_joint_trees.c.
    static const int settings[4][2] = {{60, 1}, {20, 1}, {20, 10}, {100, 5}};
    static const double most_stretch[4] = {0.2, 0.45, 0.2, 0.05};
    const int links = 100;
    for (int k = 0; k < (is_long() ? 4 : 1); k++)
    {
        pl_world *w = make_world(settings[k][0], settings[k][1]);
        pl_id before = world_end, end = world_end;
        for (int i = 0; i <= links; i++)
        {
            float half = i == links ? 0.25f : 0.05f;
            pl_id body = add_box(w, (pl_vec3){half, i == links ? 0.25f : 0.02f, i == links ? 0.25f : 0.02f},
                                 (pl_vec3){0.1f * (float)i + half, 0.0f, 0.0f}, i == links ? 100.0f : 0.1f);
            pl_joint_def d = joint_def(PL_JOINT_BALL, before, body, (pl_vec3){0.1f * (float)i, 0.0f, 0.0f},
                                       (pl_vec3){1.0f, 0.0f, 0.0f});
            add_joint(w, &d);
            before = end = body;
        }
        double most = 0.0;
        for (int frame = 0; frame < (is_long() ? 600 : 150); frame++)
        {
            good(pl_world_step(w, 1.0f / 60.0f));
            pl_rigid_state s = state_of(w, end);
            double far = sqrt((double)s.position.x * s.position.x + (double)s.position.y * s.position.y);
            most = fmax(most, far / 10.25 - 1.0);
        }
        print_message("chain of 100 links, 1000:1, %d substeps x %d: stretched by %.2f %%\n", settings[k][0],
                      settings[k][1], 100.0 * most);
        pl_world_destroy(w);
        below("stretch", most, most_stretch[k]);
    }
}

static void bad_joints_are_refused(void **state)
{
    (void)state;
    pl_world *w = make_world(4, 1);
    pl_id box = add_box(w, (pl_vec3){0.2f, 0.2f, 0.2f}, (pl_vec3){0.0f, 0.0f, 0.0f}, 1.0f), stone;
    add_one(w, 1.0f, 0.0f, 0.0f, 1.0f, &stone);
    const pl_vec3 o = {0.0f, 0.0f, 0.0f}, x = {1.0f, 0.0f, 0.0f};
    pl_joint_def d = joint_def(PL_JOINT_HINGE, world_end, world_end, o, x);
    pl_joint j;
    play(w, 2);
    picture before = picture_of(w);
    refused(pl_add_joint(w, &d, &j), PL_ERROR_ARGUMENT, "both ends are the world");
    d.a = box, d.axis = o;
    refused(pl_add_joint(w, &d, &j), PL_ERROR_ARGUMENT, "axis has the length 0");
    d.axis = x, d.b = stone;
    refused(pl_add_joint(w, &d, &j), PL_ERROR_ARGUMENT, "needs a body");
    d.b = world_end, d.a_particle = 1;
    refused(pl_add_joint(w, &d, &j), PL_ERROR_ARGUMENT, "a_particle is 1");
    d.a_particle = 0, d.twist.limited = true, d.twist.low = 1.0f;
    refused(pl_add_joint(w, &d, &j), PL_ERROR_ARGUMENT, "low must be at most high");
    d.twist.limited = false, d.soft.compliance = -1.0f;
    refused(pl_add_joint(w, &d, &j), PL_ERROR_ARGUMENT, "compliance");
    d.kind = PL_JOINT_WHEEL, d.second = x, d.soft.compliance = 0.0f;
    refused(pl_add_joint(w, &d, &j), PL_ERROR_ARGUMENT, "parallel");
    same_picture(&before, w, "a refused joint");
    pl_free(before.data);
    pl_world_destroy(w);
}

static void the_same_bits(void **state)
{
    (void)state;
    uint64_t hash[3] = {0};
    for (int i = 0; i < 3; i++)
    {
        pl_world *w = free_chain(8, 2, -9.81f, true);
        good(pl_world_set_workers(w, i == 1 ? 3 : 1, i == 2 ? 1 : 0));
        play(w, 20);
        if (i == 2)
            save_and_load(&w, 8, 2);
        play(w, 20);
        hash[i] = pl_world_hash(w);
        pl_world_destroy(w);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_holds),
        cmocka_unit_test(forces_are_read),
        cmocka_unit_test(limits_stop),
        cmocka_unit_test(motors_drive),
        cmocka_unit_test(servos_and_friction_hold),
        cmocka_unit_test(sliders_slide),
        cmocka_unit_test(cones_hold),
        cmocka_unit_test(a_rope_carries_a_box),
        cmocka_unit_test(a_double_pendulum_swings),
        cmocka_unit_test(a_four_bar_linkage_stays_closed),
        cmocka_unit_test(momentum_stays),
        cmocka_unit_test(energy_never_grows),
        cmocka_unit_test(a_chain_with_a_heavy_end),
        cmocka_unit_test(bad_joints_are_refused),
        cmocka_unit_test(the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
