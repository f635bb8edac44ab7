// Free rigid bodies: Dzhanibekov's flips and energy against Euler's equations in double, the precession of a heavy top, slow
// spins with many substeps, the same motion 1 km from the origin, torques, locks, damping and kinematic targets.
// long: too
#include "physics/rigid.h"
#include "support/long.h"

static const double pi = 3.14159265358979;

// ---- a free body ---------------------------------------------------------------------------------------------------

// Euler's equations in the body's axes, classic Runge-Kutta.
static void euler(const double i[3], const double w[3], double out[3])
{
    for (int c = 0; c < 3; c++)
        out[c] = (i[(c + 1) % 3] - i[(c + 2) % 3]) * w[(c + 1) % 3] * w[(c + 2) % 3] / i[c];
}

static void euler_step(const double i[3], double w[3], double dt)
{
    double k[4][3], at[3];
    for (int s = 0; s < 4; s++)
    {
        for (int c = 0; c < 3; c++)
            at[c] = w[c] + (s ? (s == 3 ? dt : 0.5 * dt) * k[s - 1][c] : 0.0);
        euler(i, at, k[s]);
    }
    for (int c = 0; c < 3; c++)
        w[c] += dt / 6.0 * (k[0][c] + 2.0 * k[1][c] + 2.0 * k[2][c] + k[3][c]);
}

// The mean time between the flips of a spin about the middle axis.
static double flip_time(const double i[3], const double start[3], double time)
{
    double w[3] = {start[0], start[1], start[2]}, first = 0.0, last = 0.0;
    int flips = 0;
    for (int n = 0; n < (int)(time / 1e-4); n++)
    {
        double before = w[1];
        euler_step(i, w, 1e-4);
        if (before * w[1] < 0.0)
        {
            last = n * 1e-4;
            first = flips++ ? first : last;
        }
    }
    return (last - first) / (flips - 1);
}

static void dzhanibekov(int substeps, double seconds, double *period_error, double *energy_error)
{
    pl_world *w = make_world(substeps, 1);
    no_gravity(w);
    pl_rigid_shape shape;
    pl_rigid_def def = box_def(&shape, (pl_vec3){0.3f, 0.2f, 0.1f}, (pl_vec3){0.0f, 0.0f, 0.0f}, 2.0f);
    const double spin[3] = {0.2, 10.0, 0.1};
    pl_id body;
    pl_mass_properties mass;
    def.spin = (pl_vec3){0.2f, 10.0f, 0.1f};
    good(pl_add_rigid(w, &def, &body));
    good(pl_get_rigid_mass(w, body, &mass));
    const double i[3] = {(double)mass.inertia[0], (double)mass.inertia[1], (double)mass.inertia[2]};
    double first = 0.0, last = 0.0, before = 10.0, start = pl_world_energy(w).kinetic;
    int flips = 0;
    *energy_error = 0.0;
    for (int frame = 1; frame <= (int)(60.0 * seconds); frame++)
    {
        good(pl_world_step(w, 1.0f / 60.0f));
        pl_rigid_state s = state_of(w, body);
        const double axis[3] = {0.0, 1.0, 0.0};
        double up[3];
        turn_point(s.rotation, axis, up);
        double now = up[0] * (double)s.spin.x + up[1] * (double)s.spin.y + up[2] * (double)s.spin.z;
        if (before * now < 0.0)
        {
            last = (frame - now / (now - before)) / 60.0;
            first = flips++ ? first : last;
        }
        before = now;
        *energy_error = fmax(*energy_error, fabs(pl_world_energy(w).kinetic / start - 1.0));
    }
    double wanted = flip_time(i, spin, seconds), found = (last - first) / (flips - 1);
    *period_error = found / wanted - 1.0;
    print_message("%d substeps, %g s: %d flips, every %.5f s where %.5f was wanted; energy off by %.1e\n", substeps,
                  seconds, flips, found, wanted, *energy_error);
    pl_world_destroy(w);
}

static void a_spin_about_the_middle_axis_flips(void **state)
{
    (void)state;
    const int substeps[3] = {20, 8, 100};
    for (int i = 0; i < (is_long() ? 3 : 1); i++)
    {
        double period, energy;
        dzhanibekov(substeps[i], 60.0, &period, &energy);
        below("error of the period", fabs(period), 0.01);
        below("error of the energy", energy, 0.01);
    }
}

// ---- a heavy top ---------------------------------------------------------------------------------------------------

// A fast symmetric top on its tip, at an angle of 0.5 rad, set to precess steadily:
//   I1 W^2 cos a - I3 s W + m g l = 0, with I1 about the tip and s the spin about the axis
static double precession(int substeps, double distance, double seconds)
{
    const double a = 0.5, l = 0.25, m = 1.0, i3 = 0.02, i1 = 0.015, spin = 60.0, g = 9.81;
    const double tip = i1 + m * l * l, b = i3 * spin,
                 wanted = (b - sqrt(b * b - 4.0 * tip * cos(a) * m * g * l)) / (2.0 * tip * cos(a));
    pl_world *w = make_world(substeps, 1);
    pl_mass_properties mass = {(float)m, {0.0f, 0.0f, 0.0f}, {(float)i1, (float)i3, (float)i1, 0.0f, 0.0f, 0.0f}};
    pl_rigid_def def = pl_default_rigid_def();
    const double axis[3] = {sin(a), cos(a), 0.0};
    pl_id body;
    float far = (float)distance;
    // The spin about the axis is that of the whole rotation: along the axis s, of which the precession has W cos a.
    double own = spin - wanted * cos(a);
    def.properties = &mass;
    def.position = (pl_vec3){far + (float)(l * axis[0]), (float)(l * axis[1]), 0.0f};
    def.rotation = (pl_quat){0.0f, 0.0f, (float)-sin(0.5 * a), (float)cos(0.5 * a)};
    def.spin = (pl_vec3){(float)(own * axis[0]), (float)(own * axis[1] + wanted), 0.0f};
    def.velocity = (pl_vec3){0.0f, 0.0f, (float)(-wanted * l * sin(a))};
    good(pl_add_rigid(w, &def, &body));
    int nail = add_one(w, far, 0.0f, 0.0f, 0.0f, NULL);
    const int32_t ends[2] = {nail, number_of(w, body)};
    const float place[6] = {0.0f, 0.0f, 0.0f, 0.0f, (float)-l, 0.0f};
    add_rows(w, PL_KIND_BALL_JOINT, 1, ends, place, 0.0f);
    double turned = 0.0, last = 0.0, lean = 0.0;
    int frames = (int)(60.0 * seconds);
    for (int frame = 0; frame < frames; frame++)
    {
        good(pl_world_step(w, 1.0f / 60.0f));
        pl_rigid_state s = state_of(w, body);
        const double up[3] = {0.0, 1.0, 0.0};
        double now[3];
        turn_point(s.rotation, up, now);
        double angle = atan2(-now[2], now[0]), step = angle - last;
        step -= 2.0 * pi * floor(step / (2.0 * pi) + 0.5);
        turned += step, last = angle;
        lean = fmax(lean, fabs(acos(now[1]) - a));
    }
    print_message("%d substeps, %g m away: precession %.5f rad/s where %.5f was wanted; the lean changes by %.4f rad\n",
                  substeps, distance, turned / seconds, wanted, lean);
    pl_world_destroy(w);
    return turned / seconds / wanted;
}

static void a_top_precesses(void **state)
{
    (void)state;
    near_to("precession", precession(20, 0.0, 3.0), 1.0, 0.01);
    near_to("precession 1 km away", precession(20, 1000.0, 3.0), 1.0, 0.01);
    if (is_long())
    {
        near_to("precession", precession(100, 0.0, 10.0), 1.0, 0.01);
        near_to("precession", precession(640, 1000.0, 3.0), 1.0, 0.01);
    }
}

// ---- precision -----------------------------------------------------------------------------------------------------

// A float32 quaternion cannot hold the rotation of one of these substeps.
static void slow_spins_are_not_lost(void **state)
{
    (void)state;
    pl_world *w = make_world(640, 1);
    no_gravity(w);
    pl_rigid_shape shape;
    pl_rigid_def def = box_def(&shape, (pl_vec3){0.3f, 0.2f, 0.1f}, (pl_vec3){1000.0f, 0.0f, 0.0f}, 2.0f);
    pl_id body;
    def.spin = (pl_vec3){0.0f, 0.0f, 1e-3f};
    def.velocity = (pl_vec3){0.0f, 1e-3f, 0.0f};
    good(pl_add_rigid(w, &def, &body));
    play(w, 120);
    pl_rigid_state s = state_of(w, body);
    near_to("rotation", 2.0 * (double)s.rotation.z, 2e-3, 1e-6);
    near_to("way", (double)s.position.y, 2e-3, 1e-6);
    near_to("spin", (double)s.spin.z, 1e-3, 1e-9);
    pl_world_destroy(w);
}

// ---- forces --------------------------------------------------------------------------------------------------------

static void forces_and_torques_accelerate(void **state)
{
    (void)state;
    pl_world *w = make_world(20, 1);
    no_gravity(w);
    pl_id body = add_box(w, (pl_vec3){0.5f, 0.5f, 0.5f}, (pl_vec3){0.0f, 0.0f, 0.0f}, 3.0f);
    // Half a metre off the centre: a force of 6 N and a torque of 3 N m; the inertia is 3/6 kg m^2.
    good(pl_add_rigid_force(w, body, (pl_vec3){0.0f, 6.0f, 0.0f}, (pl_vec3){0.5f, 0.0f, 0.0f}));
    good(pl_world_step(w, 0.1f));
    pl_rigid_state s = state_of(w, body);
    near_to("velocity", (double)s.velocity.y, 0.2, 1e-5);
    near_to("spin", (double)s.spin.z, 0.6, 1e-4);
    good(pl_set_rigid_force(w, body, (pl_vec3){0.0f, 0.0f, 0.0f}, (pl_vec3){0.0f, 0.0f, 0.0f}));
    good(pl_push_rigid(w, body, (pl_vec3){0.0f, 0.0f, 1.5f},
                       (pl_vec3){s.position.x, s.position.y + 0.5f, s.position.z}));
    s = state_of(w, body);
    near_to("velocity after a push", (double)s.velocity.z, 0.5, 1e-6);
    near_to("spin after a push", (double)s.spin.x, 1.5, 1e-5);
    good(pl_spin_rigid(w, body, (pl_vec3){0.0f, 1.0f, 0.0f}));
    near_to("spin after another", (double)state_of(w, body).spin.y, 2.0, 1e-5);
    pl_world_destroy(w);
}

static void values_of_a_body_act(void **state)
{
    (void)state;
    pl_world *w = make_world(20, 1);
    pl_rigid_shape shape;
    pl_rigid_def def[4];
    pl_id body[4];
    for (int i = 0; i < 4; i++)
        def[i] = box_def(&shape, (pl_vec3){0.2f, 0.2f, 0.2f}, (pl_vec3){(float)i, 0.0f, 0.0f}, 1.0f);
    def[0].gravity_scale = -0.5f;
    def[1].linear_damping = 2.0f, def[1].gravity_scale = 0.0f, def[1].velocity.x = 1.0f;
    def[1].angular_damping = 3.0f, def[1].spin.y = 1.0f;
    def[2].locks = PL_LOCK_Y | PL_LOCK_TURN_X, def[2].velocity.x = 1.0f, def[2].spin = (pl_vec3){1.0f, 0.0f, 2.0f};
    def[3].locks = PL_LOCK_TURN, def[3].spin.y = 5.0f;
    good(pl_add_rigids(w, def, 4, body));
    play(w, 60);
    near_to("half of gravity, upwards", (double)state_of(w, body[0]).velocity.y, 4.905, 1e-3);
    near_to("damped velocity", (double)state_of(w, body[1]).velocity.x, exp(-2.0), 1e-3);
    near_to("damped spin", (double)state_of(w, body[1]).spin.y, exp(-3.0), 1e-3);
    pl_rigid_state s = state_of(w, body[2]);
    assert_true(s.position.y == 0.0f && s.velocity.y == 0.0f && s.spin.x == 0.0f);
    near_to("way of a locked body", (double)s.position.x, 3.0, 1e-5);
    near_to("spin of a locked body", (double)s.spin.z, 2.0, 1e-5);
    s = state_of(w, body[3]);
    assert_true(s.spin.y == 0.0f && s.rotation.y == 0.0f);
    near_to("fall of a body that cannot rotate", (double)s.velocity.y, -9.81, 1e-3);
    pl_world_destroy(w);
}

static void kinematic_bodies_reach_their_targets(void **state)
{
    (void)state;
    for (int substeps = 1; substeps < 40; substeps = substeps * 3 + 1)
    {
        pl_world *w = make_world(substeps, 1);
        pl_rigid_shape shape;
        pl_rigid_def def = box_def(&shape, (pl_vec3){0.2f, 0.3f, 0.1f}, (pl_vec3){1.0f, 2.0f, 3.0f}, 0.0f);
        pl_id body;
        shape.position = (pl_vec3){0.3f, 0.1f, 0.2f}; // the centre of mass is not at the origin
        def.type = PL_RIGID_KINEMATIC;
        good(pl_add_rigid(w, &def, &body));
        const double angle = 2.0;
        const pl_quat to = {0.0f, (float)(0.6 * sin(0.5 * angle)), (float)(0.8 * sin(0.5 * angle)),
                            (float)cos(0.5 * angle)};
        good(pl_move_rigid(w, body, (pl_vec3){-1.0f, 0.5f, 2.0f}, to, 1.0f / 30.0f));
        good(pl_world_step(w, 1.0f / 30.0f));
        pl_rigid_state s = state_of(w, body);
        near_to("x", (double)s.position.x, -1.0, 3e-6);
        near_to("y", (double)s.position.y, 0.5, 3e-6);
        near_to("z", (double)s.position.z, 2.0, 3e-6);
        double same = (double)s.rotation.x * to.x + (double)s.rotation.y * to.y + (double)s.rotation.z * to.z +
                      (double)s.rotation.w * to.w;
        near_to("cosine of half the angle to the target", fabs(same), 1.0, 1e-6);
        pl_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spin_about_the_middle_axis_flips),
        cmocka_unit_test(a_top_precesses),
        cmocka_unit_test(slow_spins_are_not_lost),
        cmocka_unit_test(forces_and_torques_accelerate),
        cmocka_unit_test(values_of_a_body_act),
        cmocka_unit_test(kinematic_bodies_reach_their_targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
