// Oriented particles: a lone one spins and tumbles as a body does; straight chains, which leave plain shape matching without a
// rotation, bend and twist and come back; angular momentum stays.
#include "physics/oriented.h"

static double size3(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static pl_world *lone(pl_vec3 radii, pl_vec3 spin)
{
    const float x[3] = {0}, mass[1] = {2.0f};
    pl_world *w = make_world(10, 1);
    weightless(w);
    add_particles(w, 1, x, mass);
    orient_one(w, 0, radii, spin, 0.0f);
    return w;
}

static pl_orientation turned(const pl_world *w, int particle)
{
    pl_orientation o;
    good(pl_get_orientation(w, particle, 1, &o));
    return o;
}

// A spin that no number holds is told by its particle, and the world stays where it was.
static void a_huge_spin_is_named(void **state)
{
    (void)state;
    pl_world *w = lone((pl_vec3){0.4f, 0.3f, 0.1f}, (pl_vec3){0.0f, 1.0f, 0.0f});
    const float x[6] = {2.0f, 0.0f, 0.0f, 4.0f, 0.0f, 0.0f};
    add_particles(w, 2, x, NULL);
    orient_one(w, 2, (pl_vec3){0.4f, 0.3f, 0.1f}, (pl_vec3){3e15f, 2e15f, 1e15f}, 0.0f);
    uint64_t before = pl_world_hash(w);
    assert_int_equal(pl_world_step(w, 1.0f / 60.0f), PL_ERROR_DIVERGED);
    assert_non_null(strstr(pl_error_message(), "diverged at particle 2;"));
    assert_true(pl_world_hash(w) == before);
    pl_world_destroy(w);
}

static void a_lone_ball_spins_on(void **state)
{
    (void)state;
    pl_world *w = lone((pl_vec3){0.1f, 0.1f, 0.1f}, (pl_vec3){0.0f, 3.0f, 4.0f});
    steps(w, 600, 1.0 / 60.0);
    pl_orientation o = turned(w, 0);
    double h = 1.0 / 600.0, angle = 6000.0 * 2.0 * atan(0.5 * h * 5.0); // what the substeps make of 10 s at 5 rad/s
    print_message("spin %g %g %g; turned by %.6f where %.6f rad was wanted\n", (double)o.spin.x, (double)o.spin.y,
                  (double)o.spin.z, 2.0 * acos((double)o.rotation.w), fmod(angle, 2.0 * acos(-1.0)));
    assert_true(o.spin.x == 0.0f && o.spin.y == 3.0f && o.spin.z == 4.0f); // bit for bit
    near("angle", cos(0.5 * angle), copysign((double)o.rotation.w, cos(0.5 * angle)), 1e-3);
    near("axis", (double)o.rotation.y / (double)o.rotation.z, 0.75, 1e-4);
    pl_world_destroy(w);
}

// The middle axis turns over and over, the others do not; momentum and energy stay.
static void a_lone_ellipsoid_tumbles(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++)
    {
        const float tilt = 0.01f;
        pl_vec3 spin = {axis == 0 ? 8.0f : tilt, axis == 1 ? 8.0f : tilt, axis == 2 ? 8.0f : tilt};
        pl_world *w = lone((pl_vec3){0.4f, 0.3f, 0.1f}, spin); // the middle one of the inertias is about y
        double linear[3], before[3], after[3], error[3], lowest = 1.0, energy = pl_world_energy(w).kinetic;
        pl_world_momentum(w, linear, before);
        for (int frame = 0; frame < 600; frame++)
        {
            good(pl_world_step(w, 1.0f / 60.0f));
            const pl_quat q = turned(w, 0).rotation;
            double own = axis == 0   ? 1.0 - 2.0 * ((double)q.y * q.y + (double)q.z * q.z)
                         : axis == 1 ? 1.0 - 2.0 * ((double)q.x * q.x + (double)q.z * q.z)
                                     : 1.0 - 2.0 * ((double)q.x * q.x + (double)q.y * q.y);
            lowest = own < lowest ? own : lowest;
        }
        pl_world_momentum(w, linear, after);
        for (int c = 0; c < 3; c++)
            error[c] = after[c] - before[c];
        print_message("axis %d: lowest cosine %.3f, angular momentum off by %.1e, energy by %.1e\n", axis, lowest,
                      size3(error) / size3(before), pl_world_energy(w).kinetic / energy - 1.0);
        below("angular momentum", size3(error) / size3(before), 1e-3);
        below("energy", fabs(pl_world_energy(w).kinetic / energy - 1.0), 1e-2);
        if (axis == 1)
            below("the middle axis", lowest, -0.9);
        else
            below("an outer axis", -lowest, -0.99);
        pl_world_destroy(w);
    }
}

enum
{
    LINKS = 8
};

// A chain along x, its first particle held. Without orientations, the clusters are the same lists of particles.
static pl_world *make_chain(bool own, bool hold, double stiffness, int iterations)
{
    pl_world *w = make_world(10, iterations);
    pl_oriented_form_def f = pl_default_oriented_form_def();
    pl_cluster_material m = pl_default_cluster_material();
    pl_id id, blocks[4];
    f.form = PL_ORIENTED_CHAIN;
    f.size[0] = LINKS + 1;
    f.u = (pl_vec3){0.8f, 0.0f, 0.0f};
    f.radius = 0.03f;
    f.mass = 0.9f;
    f.hold = hold;
    m.stiffness = (float)stiffness;
    good(pl_add_oriented_form(w, &f, &m, 0.0f, &id));
    int count = pl_object_blocks(w, id, blocks, 4), clusters;
    for (int i = 0; i < count && !own; i++)
        if (pl_cluster_count(w, blocks[i], &clusters) != PL_OK)
            good(pl_remove(w, blocks[i]));
    return w;
}

// How far a chain's end lies below its beginning under its weight.
static double sag(bool own)
{
    pl_world *w = make_chain(own, true, 1.0, 4);
    change(w, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 2.0);
    steps(w, 600, 1.0 / 60.0);
    double y = (double)where(w, LINKS).y;
    pl_world_destroy(w);
    return -y;
}

// Straight at rest: three particles in a row leave the rotation about them open, and the held one does not say which way to point.
static void a_straight_chain_bears_its_weight(void **state)
{
    (void)state;
    double with = sag(true), without = sag(false);
    print_message("the end of a chain of 0.8 m hangs %.3f m below its beginning; without rotations %.3f m\n", with,
                  without);
    below("sag", with, 0.03);
    below("the plain one does not hang", 0.6, without);
}

static void a_bent_chain_springs_back(void **state)
{
    (void)state;
    pl_world *w = make_chain(true, true, 0.5, 2);
    weightless(w);
    change(w, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 3.0);
    float x[3 * (LINKS + 1)];
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, LINKS + 1, x));
    for (int i = 0; i <= LINKS; i++) // a quarter of a circle
    {
        double a = 0.5 * acos(-1.0) * i / LINKS, r = 0.8 / (0.5 * acos(-1.0));
        x[3 * i] = (float)(r * sin(a)), x[3 * i + 1] = (float)(r * (1.0 - cos(a))), x[3 * i + 2] = 0.0f;
    }
    good(pl_set(w, PL_ATTRIBUTE_POSITION, 0, LINKS + 1, x));
    steps(w, 1200, 1.0 / 60.0);
    for (int i = 0; i <= LINKS; i++)
    {
        pl_vec3 p = where(w, i);
        near("x", (double)p.x, 0.1 * i, 2e-3);
        near("y", (double)p.y, 0.0, 2e-3);
    }
    pl_world_destroy(w);
}

static void a_twisted_chain_turns_back(void **state)
{
    (void)state;
    pl_world *w = make_chain(true, true, 1.0, 4);
    weightless(w);
    change(w, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 1.0);
    pl_orientation rest = turned(w, LINKS);
    pl_vec3 spin = {40.0f, 0.0f, 0.0f};
    good(pl_set_orientation(w, LINKS, 1, NULL, &spin));
    double most = 0.0;
    for (int frame = 0; frame < 900; frame++)
    {
        good(pl_world_step(w, 1.0f / 60.0f));
        pl_quat a = turned(w, LINKS - 2).rotation, b = rest.rotation;
        double along = fabs((double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z + (double)a.w * b.w);
        most = fmax(most, 2.0 * acos(along < 1.0 ? along : 1.0));
    }
    pl_quat a = turned(w, LINKS).rotation, b = rest.rotation;
    double along = fabs((double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z + (double)a.w * b.w);
    print_message("two links away it turned by %.4f rad at most; at the end %.4f rad are left\n", most,
                  2.0 * acos(along < 1.0 ? along : 1.0));
    below("nothing reached the neighbours", 0.003, most);
    below("what is left", 2.0 * acos(along < 1.0 ? along : 1.0), 0.03);
    pl_world_destroy(w);
}

// A free chain that turns end over end, twisted at one end: angular momentum moves about in it, and stays.
static void angular_momentum_stays(void **state)
{
    (void)state;
    pl_world *w = make_chain(true, false, 1.0, 2);
    weightless(w);
    float v[3 * (LINKS + 1)];
    for (int i = 0; i <= LINKS; i++)
        v[3 * i] = 0.0f, v[3 * i + 1] = 2.0f * (0.1f * (float)i - 0.4f), v[3 * i + 2] = 0.0f;
    good(pl_set(w, PL_ATTRIBUTE_VELOCITY, 0, LINKS + 1, v));
    pl_vec3 spin = {20.0f, 0.0f, 0.0f};
    good(pl_set_orientation(w, LINKS, 1, NULL, &spin));
    double linear[3], before[3], after[3], error[3];
    pl_world_momentum(w, linear, before);
    steps(w, 300, 1.0 / 60.0);
    pl_world_momentum(w, linear, after);
    for (int c = 0; c < 3; c++)
        error[c] = after[c] - before[c];
    print_message("angular momentum %.3e, own part %.1e: off by %.2e; linear %.1e\n", size3(before), before[0],
                  size3(error) / size3(before), size3(linear));
    below("angular momentum", size3(error) / size3(before), 0.01);
    below("linear velocity", size3(linear) / 0.9, 2e-3);
    pl_world_destroy(w);
}

// ---- the same bits, saved worlds, bad input ------------------------------------------------------------------------

static pl_world *make_tree(int threads, int lanes)
{
    pl_world_def def = pl_default_world_def();
    pl_oriented_form_def f = pl_default_oriented_form_def();
    pl_cluster_material m = pl_default_cluster_material();
    pl_shape_def ball = pl_default_shape_def();
    pl_world *w;
    pl_id id;
    def.threads = threads;
    def.lanes = lanes;
    def.settings.substeps = 6;
    def.settings.iterations = 2;
    def.settings.internal_damping = 0.5f;
    def.settings.wind = (pl_wind){.velocity = {6.0f, 0.0f, 2.0f}, .gust = 0.6f, .gust_size = 0.7f, .density = 1.2f};
    good(pl_world_create(&def, &w));
    f.form = PL_ORIENTED_TREE;
    good(pl_add_oriented_form(w, &f, &m, 1.0f, &id));
    ball.kind = PL_SHAPE_SPHERE;
    ball.radius = 0.2f;
    ball.position = (pl_vec3){0.9f, 1.6f, 0.0f};
    ball.velocity = (pl_vec3){-2.0f, 0.0f, 0.0f};
    good(pl_add_shape(w, &ball, &id));
    return w;
}

static void the_same_bits(void **state)
{
    (void)state;
    uint64_t wanted = 0;
    static const int ways[][2] = {{1, 1}, {3, 4}, {2, 0}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
    {
        pl_world *w = make_tree(ways[i][0], ways[i][1]);
        steps(w, 40, 1.0 / 60.0);
        uint64_t hash = pl_world_hash(w);
        wanted = i == 0 ? hash : wanted;
        assert_true(hash == wanted);
        pl_world_destroy(w);
    }
    pl_world *w = make_tree(1, 0);
    steps(w, 17, 1.0 / 60.0);
    w = saved_and_loaded(w);
    steps(w, 23, 1.0 / 60.0);
    assert_true(pl_world_hash(w) == wanted);
    pl_world_destroy(w);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    const float x[6] = {0}, mass[2] = {1.0f, 1.0f};
    pl_world *w = make_world(1, 1);
    add_particles(w, 2, x, mass);
    int32_t list[2] = {0, 0};
    float turn[8] = {0, 0, 0, 1, 0, 0, 0, 2}, spin[6] = {0};
    pl_orient_def d = pl_default_orient_def();
    pl_id id;
    uint64_t before = pl_world_hash(w);
    d.count = 2;
    d.particles = list;
    refused_for(pl_orient(w, &d, &id), "already");
    list[1] = 7;
    refused_for(pl_orient(w, &d, &id), "does not exist");
    list[1] = 1;
    d.rotation = turn;
    refused_for(pl_orient(w, &d, &id), "length 2");
    d.rotation = NULL;
    d.radii_each.y = 0.0f;
    refused_for(pl_orient(w, &d, &id), "radius");
    d.radii_each.y = 100.0f;
    refused_for(pl_orient(w, &d, &id), "1000 to 1");
    d.radii_each.y = 0.05f;
    d.drag = -1.0f;
    refused_for(pl_orient(w, &d, &id), "drag");
    d.drag = 0.0f;
    spin[3] = NAN;
    d.spin = spin;
    refused_for(pl_orient(w, &d, &id), "spin");
    pl_quat q = {0.0f, 0.0f, 0.0f, 1.0f};
    refused_for(pl_set_orientation(w, 0, 1, &q, NULL), "pl_orient");
    assert_true(pl_world_hash(w) == before);
    pl_oriented_def o = pl_default_oriented_def();
    int32_t link[2] = {0, 0};
    o.count = 2;
    o.position = x;
    o.link_count = 1;
    o.links = link;
    refused_for(pl_add_oriented(w, &o, &id), "link 0");
    pl_oriented_form_def f = pl_default_oriented_form_def();
    pl_cluster_material m = pl_default_cluster_material();
    f.size[0] = 1;
    refused_for(pl_add_oriented_form(w, &f, &m, 0.0f, &id), "size");
    f = pl_default_oriented_form_def();
    f.form = PL_ORIENTED_TREE, f.levels = 16, f.branches = 64;
    refused_for(pl_add_oriented_form(w, &f, &m, 0.0f, &id), "particles");
    m.stiffness = 2.0f;
    f.levels = 1;
    refused_for(pl_add_oriented_form(w, &f, &m, 0.0f, &id), "stiffness");
    assert_int_equal(pl_particle_count(w), 2);
    assert_true(pl_world_hash(w) == before);
    pl_world_destroy(w);
}

// What is taken out takes its rotations along; the others keep theirs.
static void objects_come_and_go(void **state)
{
    (void)state;
    pl_world *w = make_world(4, 1);
    pl_oriented_form_def f = pl_default_oriented_form_def();
    pl_cluster_material m = pl_default_cluster_material();
    pl_id one, two;
    f.form = PL_ORIENTED_CHAIN;
    good(pl_add_oriented_form(w, &f, &m, 0.0f, &one));
    f.origin.x = 3.0f;
    f.u = (pl_vec3){1.0f, 0.0f, 0.0f};
    good(pl_add_oriented_form(w, &f, &m, 0.0f, &two));
    steps(w, 5, 1.0 / 60.0);
    pl_orientation before = turned(w, 8), after;
    good(pl_remove(w, one));
    after = turned(w, 8);
    assert_memory_equal(&before.rotation, &after.rotation, sizeof before.rotation);
    assert_true(after.oriented);
    steps(w, 5, 1.0 / 60.0);
    good(pl_remove(w, two));
    good(pl_world_step(w, 1.0f / 60.0f));
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_huge_spin_is_named),      cmocka_unit_test(a_lone_ball_spins_on),
        cmocka_unit_test(a_lone_ellipsoid_tumbles),  cmocka_unit_test(a_straight_chain_bears_its_weight),
        cmocka_unit_test(a_bent_chain_springs_back), cmocka_unit_test(a_twisted_chain_turns_back),
        cmocka_unit_test(angular_momentum_stays),    cmocka_unit_test(the_same_bits),
        cmocka_unit_test(bad_input_is_refused),      cmocka_unit_test(objects_come_and_go),
    };
    return cmocka_run_group_tests_name("oriented", tests, NULL, NULL);
}
