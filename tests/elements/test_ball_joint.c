// A ball joint between frames, or a frame and a particle: a compound pendulum's period, the force of a hanging body, what compliance
// gives, momenta of two free bodies, the same bits everywhere, what is refused.
#include "support/joint_star.h"
#include "support/support.h"

static const double pi = 3.14159265358979;

static void orient(pl_world *w, int particle, pl_vec3 radii, pl_vec3 spin, pl_quat rotation)
{
    const int32_t number[1] = {particle};
    pl_orient_def def = pl_default_orient_def();
    pl_id block;
    def.count = 1;
    def.particles = number;
    def.radii_each = radii;
    def.spin = &spin.x;
    def.rotation = &rotation.x;
    good(pl_orient(w, &def, &block));
}

static const pl_quat unturned = {0.0f, 0.0f, 0.0f, 1.0f};
static const pl_vec3 still = {0.0f, 0.0f, 0.0f};

static double gap_of(const pl_world *w, pl_id block, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; i++)
    {
        float gap = 0.0f;
        good(pl_get_rows(w, block, PL_ROW_VALUE, i, 1, &gap));
        most = fmax(most, (double)gap);
    }
    return most;
}

// A body hung from a held particle at a distance; `first`: the body is the joint's first end.
static pl_world *pendulum(int substeps, double length, double angle, bool first, pl_integrator how, pl_id *joint)
{
    pl_world *w = make_world(substeps, 1);
    pl_settings s = pl_world_settings(w);
    s.integrator = how;
    good(pl_world_set_settings(w, &s));
    int nail = add_one(w, 0.0f, 0.0f, 0.0f, 0.0f, NULL);
    int body = add_one(w, (float)(length * sin(angle)), (float)(-length * cos(angle)), 0.0f, 2.0f, NULL);
    pl_quat q = {0.0f, 0.0f, (float)sin(0.5 * angle), (float)cos(0.5 * angle)};
    orient(w, body, (pl_vec3){0.3f, 0.2f, 0.1f}, still, q);
    const int32_t ends[2][2] = {{nail, body}, {body, nail}};
    const float up = (float)length, place[2][6] = {{0, 0, 0, 0, up, 0}, {0, up, 0, 0, 0, 0}};
    *joint = add_rows(w, PL_KIND_BALL_JOINT, 1, ends[first], place[first], 0.0f);
    return w;
}

// The mean time between passages to the right, of the first ten.
static double period_of(pl_world *w, double *gap, pl_id joint)
{
    double first = 0.0, last = 0.0, before = 0.0;
    int passed = 0;
    *gap = 0.0;
    for (int frame = 0; frame < 1500 && passed < 11; frame++)
    {
        float x[3];
        good(pl_world_step(w, 1.0f / 60.0f));
        good(pl_get(w, PL_ATTRIBUTE_POSITION, 1, 1, x));
        double now = (double)x[0], time = frame / 60.0;
        if (frame && before < 0.0 && now >= 0.0)
        {
            last = time - now / (now - before) / 60.0;
            first = passed++ ? first : last;
        }
        before = now;
        *gap = fmax(*gap, gap_of(w, joint, 1));
    }
    assert_int_equal(passed, 11);
    return (last - first) / 10.0;
}

static void a_compound_pendulum_swings(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++)
    {
        double length = i % 3 == 0 ? 0.15 : i % 3 == 1 ? 0.4 : 1.0, gap;
        pl_integrator how = i < 3 ? PL_INTEGRATOR_BDF1 : PL_INTEGRATOR_BDF2;
        pl_id joint;
        pl_world *w = pendulum(10, length, 0.1, i % 2, how, &joint);
        double inertia = 0.2 * (0.3 * 0.3 + 0.2 * 0.2), g = -(double)pl_world_settings(w).gravity.y; // of 1 kg, about z
        double wanted = 2.0 * pi * sqrt((inertia + length * length) / (g * length));
        double found = period_of(w, &gap, joint);
        print_message("length %.2f: period %.5f s where %.5f was wanted; gap %.1e m\n", length, found, wanted, gap);
        near_to("period", found / wanted, 1.0, 0.01);
        below("gap", gap, 1e-4);
        pl_world_destroy(w);
    }
}

// lambda/h^2 is the force on the first end.
static void the_force_is_the_weight(void **state)
{
    (void)state;
    for (int first = 0; first < 2; first++)
    {
        pl_id joint;
        pl_world *w = pendulum(4, 0.4, 0.0, first, PL_INTEGRATOR_BDF1, &joint);
        float force[3];
        for (int frame = 0; frame < 60; frame++)
            good(pl_world_step(w, 1.0f / 60.0f));
        good(pl_get_rows(w, joint, PL_ROW_FORCE, 0, 1, force));
        double weight = -2.0 * (double)pl_world_settings(w).gravity.y;
        near_to("force along y", (double)force[1], first ? weight : -weight, 3e-3 * weight);
        near_to("force along x", (double)force[0], 0.0, 3e-3 * weight);
        pl_world_destroy(w);
    }
}

// Damping resists the motion of the ends relative to each other, not the swing of the body: a damped joint that is almost rigid swings as
// long as one without damping. With BDF2 that takes the displacements and the rotations over the same 2/3 of a substep.
static void damping_lets_it_swing(void **state)
{
    (void)state;
    for (int how = PL_INTEGRATOR_BDF1; how <= PL_INTEGRATOR_BDF2; how++)
    {
        double gap, found[2];
        for (int damps = 0; damps < 2; damps++)
        {
            const float soft = 1e-6f, damping = damps ? 1e5f : 0.0f;
            pl_id joint;
            pl_world *w = pendulum(10, 0.4, 0.1, true, (pl_integrator)how, &joint);
            good(pl_set_rows(w, joint, PL_ROW_COMPLIANCE, 0, 1, &soft));
            good(pl_set_rows(w, joint, PL_ROW_DAMPING, 0, 1, &damping));
            found[damps] = period_of(w, &gap, joint);
            print_message("BDF%d, damping %g: period %.5f s, gap %.1e m\n", how == PL_INTEGRATOR_BDF2 ? 2 : 1,
                          (double)damping, found[damps], gap);
            below("gap", gap, 1e-3);
            pl_world_destroy(w);
        }
        near_to("period with damping", found[1] / found[0], 1.0, 2e-3);
    }
}

static void compliance_lets_it_sag(void **state)
{
    (void)state;
    pl_id joint;
    pl_world *w = pendulum(4, 0.4, 0.0, true, PL_INTEGRATOR_BDF1, &joint);
    const float soft = 1e-3f, damped = 50.0f;
    double weight = -2.0 * (double)pl_world_settings(w).gravity.y;
    good(pl_set_rows(w, joint, PL_ROW_COMPLIANCE, 0, 1, &soft));
    good(pl_set_rows(w, joint, PL_ROW_DAMPING, 0, 1, &damped));
    for (int frame = 0; frame < 240; frame++)
        good(pl_world_step(w, 1.0f / 60.0f));
    near_to("sag", gap_of(w, joint, 1), weight * (double)soft, 3e-3 * weight * (double)soft);
    near_to("elastic energy", pl_world_energy(w).elastic, 0.5 * weight * weight * (double)soft, 1e-2);
    pl_world_destroy(w);
}

static void change_of(const double before[3], const double after[3], double size, const char *what, double bound)
{
    double sum = 0.0;
    for (int c = 0; c < 3; c++)
        sum += (after[c] - before[c]) * (after[c] - before[c]);
    print_message("%s changes by %.1e of %.2f\n", what, sqrt(sum), size);
    below(what, sqrt(sum) / size, bound);
}

// Two ellipsoids that spin at each other's side, joined, in free fall without gravity.
static void two_free_bodies_keep_their_momenta(void **state)
{
    (void)state;
    for (int order = 0; order < 2; order++)
    {
        pl_world *w = make_world(10, 1);
        pl_settings s = pl_world_settings(w);
        s.integrator = order ? PL_INTEGRATOR_BDF2 : PL_INTEGRATOR_BDF1;
        good(pl_world_set_settings(w, &s));
        set_gravity(w, 0.0f);
        const int32_t ends[2] = {add_one(w, -0.3f, 0.0f, 0.0f, 1.0f, NULL), add_one(w, 0.4f, 0.0f, 0.0f, 2.0f, NULL)};
        const float place[6] = {0.3f, 0.0f, 0.0f, -0.4f, 0.0f, 0.0f}, v[6] = {0.0f, 0.6f, 0.4f, 0.0f, -0.3f, -0.2f};
        orient(w, ends[0], (pl_vec3){0.3f, 0.2f, 0.1f}, (pl_vec3){1.0f, 2.0f, -2.0f}, unturned);
        orient(w, ends[1], (pl_vec3){0.4f, 0.1f, 0.1f}, (pl_vec3){-3.0f, 0.0f, -2.0f}, unturned);
        good(pl_set(w, PL_ATTRIBUTE_VELOCITY, 0, 2, v));
        pl_id joint = add_rows(w, PL_KIND_BALL_JOINT, 1, ends, place, 0.0f);
        good(pl_world_step(w, 1.0f / 60.0f)); // the velocities at the start do not agree with the joint
        double linear[2][3], angular[2][3], energy = pl_world_energy(w).kinetic, gap = 0.0;
        pl_world_momentum(w, linear[0], angular[0]);
        for (int frame = 0; frame < 300; frame++)
        {
            good(pl_world_step(w, 1.0f / 60.0f));
            gap = fmax(gap, gap_of(w, joint, 1));
        }
        pl_world_momentum(w, linear[1], angular[1]);
        double now = pl_world_energy(w).kinetic;
        print_message("energy %.4f -> %.4f J, gap %.1e m\n", energy, now, gap);
        change_of(linear[0], linear[1], 1.0, "linear momentum", 5e-3);                   // positions are rounded
        change_of(angular[0], angular[1], 1.0, "angular momentum", order ? 5e-2 : 5e-3); // BDF2 drifts by itself
        below("gap", gap, 1e-3);
        assert_true(now < 1.05 * energy && now > 0.9 * energy);
        pl_world_destroy(w);
    }
}

// A hub with so many joints that they are solved the Jacobi way, and a chain beside it that is not: 54 joints.
static pl_world *make_star(int threads, int lanes, pl_id *joints)
{
    pl_world_def def = small_def(8, 2);
    pl_world *w = NULL;
    def.threads = threads, def.lanes = lanes;
    good(pl_world_create(&def, &w));
    good(add_joint_star(w, 24, 30, joints));
    return w;
}

static void bits_are_the_same(void **state)
{
    (void)state;
    uint64_t wanted = 0;
    for (int i = 0; i < 2; i++)
        for (const int *lanes = pl_lane_widths(); *lanes; lanes++)
        {
            pl_id joints;
            pl_world *w = make_star(i ? 3 : 1, *lanes, &joints);
            for (int frame = 0; frame < 30; frame++)
                good(pl_world_step(w, 1.0f / 60.0f));
            uint64_t hash = pl_world_hash(w);
            double gap = gap_of(w, joints, 54);
            print_message("%d threads, %d lanes: %016llx, gap %.1e m\n", i ? 3 : 1, *lanes, (unsigned long long)hash,
                          gap);
            wanted = wanted ? wanted : hash;
            assert_true(hash == wanted);
            below("gap", gap, 0.2); // heavy on light ones
            pl_world_destroy(w);
        }
}

static void a_snapshot_goes_on(void **state)
{
    (void)state;
    pl_id joints;
    pl_world *w = make_star(1, 0, &joints), *again = NULL;
    pl_world_def def = small_def(8, 2);
    void *data = NULL;
    size_t size = 0;
    for (int frame = 0; frame < 20; frame++)
    {
        if (frame == 10)
        {
            good(pl_world_save_memory(w, &data, &size));
            good(pl_world_load_memory(&def, data, size, &again));
            pl_free(data);
        }
        good(pl_world_step(w, 1.0f / 60.0f));
        if (again)
            good(pl_world_step(again, 1.0f / 60.0f));
    }
    assert_true(pl_world_hash(w) == pl_world_hash(again));
    near_to("gap", gap_of(again, joints, 54), gap_of(w, joints, 54), 0.0);
    pl_world_destroy(w);
    pl_world_destroy(again);
}

// Measured: at the particle that has no orientation, half way where both have one.
static void places_at_rest(void **state)
{
    (void)state;
    pl_world *w = make_world(4, 1);
    for (int i = 0; i < 3; i++)
        add_one(w, (float)i, 0.0f, 0.0f, 1.0f, NULL);
    const float half = sqrtf(0.5f); // 90 degrees about z
    orient(w, 0, (pl_vec3){0.1f, 0.1f, 0.1f}, still, (pl_quat){0.0f, 0.0f, half, half});
    orient(w, 1, (pl_vec3){0.1f, 0.1f, 0.1f}, still, unturned);
    const int32_t ends[4] = {0, 1, 2, 1};
    pl_id joints = add_rows(w, PL_KIND_BALL_JOINT, 2, ends, NULL, 0.0f);
    const float wanted[12] = {0, -0.5f, 0, -0.5f, 0, 0, 0, 0, 0, 1, 0, 0};
    float found[12];
    good(pl_get_rows(w, joints, PL_ROW_PARAM, 0, 2, found));
    for (int i = 0; i < 12; i++)
        near_to("place", (double)found[i], (double)wanted[i], 1e-6);
    below("gap", gap_of(w, joints, 2), 1e-6);
    good(pl_world_step(w, 1.0f / 60.0f));
    pl_world_destroy(w);
}

static void what_is_refused(void **state)
{
    (void)state;
    pl_world *w = make_world(4, 1);
    for (int i = 0; i < 3; i++)
        add_one(w, (float)i, 0.0f, 0.0f, 1.0f, NULL);
    orient(w, 0, (pl_vec3){0.1f, 0.1f, 0.1f}, still, unturned);
    const int32_t plain[2] = {1, 2}, mixed[2] = {0, 1};
    const float place[6] = {0, 0, 0, 0, 0.5f, 0};
    pl_constraints_def def = pl_default_constraints_def();
    def.kind = PL_KIND_BALL_JOINT;
    def.count = 1;
    def.index = plain;
    refused(pl_add_constraints(w, &def, NULL), PL_ERROR_ARGUMENT, "neither particle 1 nor 2 has an orientation");
    def.index = mixed;
    def.param = place;
    refused(pl_add_constraints(w, &def, NULL), PL_ERROR_ARGUMENT, "by is 0.5, and particle 1 has no orientation");
    assert_true(pl_constraint_count(w, PL_KIND_BALL_JOINT) == 0);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_compound_pendulum_swings),
        cmocka_unit_test(the_force_is_the_weight),
        cmocka_unit_test(damping_lets_it_swing),
        cmocka_unit_test(compliance_lets_it_sag),
        cmocka_unit_test(two_free_bodies_keep_their_momenta),
        cmocka_unit_test(bits_are_the_same),
        cmocka_unit_test(a_snapshot_goes_on),
        cmocka_unit_test(places_at_rest),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests_name("ball joint", tests, NULL, NULL);
}
