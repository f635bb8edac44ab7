// Bodies out of particles: they spin on, tumble about their middle axis, keep momentum, fall and lie still; soft ones come back;
// plastic ones stay bent. The same bits on any threads and lanes.
#include "physics/physics.h"

enum
{
    NX = 8,
    NY = 6,
    NZ = 4,
    COUNT = NX * NY * NZ
};

typedef struct body
{
    pl_world *world;
    pl_id object, block;
    double centre[3];
} body;

// A block of particles, 0.1 m apart, as one cluster.
static body make_body(pl_cluster_material material, pl_vec3 gravity, int substeps, int threads, int lanes)
{
    body b = {0};
    float x[3 * COUNT];
    int32_t start[2] = {0, COUNT}, member[COUNT];
    for (int i = 0; i < COUNT; i++)
    {
        x[3 * i] = 0.05f * (float)(2 * (i % NX) - NX + 1), x[3 * i + 1] = 0.05f * (float)(2 * (i / NX % NY) - NY + 1);
        x[3 * i + 2] = 0.05f * (float)(2 * (i / NX / NY) - NZ + 1);
        member[i] = i;
        for (int c = 0; c < 3; c++)
            b.centre[c] += (double)x[3 * i + c] / COUNT;
    }
    pl_world_def def = pl_default_world_def();
    def.settings.gravity = gravity;
    def.settings.substeps = substeps;
    def.settings.iterations = 1;
    def.threads = threads;
    def.lanes = lanes;
    good(pl_world_create(&def, &b.world));
    pl_particles_def p = pl_default_particles_def();
    p.count = COUNT;
    p.position = x;
    p.mass_each = 0.1f;
    good(pl_add_particles(b.world, &p, &b.object));
    pl_clusters_def c = pl_default_clusters_def();
    c.count = 1;
    c.start = start;
    c.particles = member;
    c.material = material;
    good(pl_add_clusters(b.world, &c, &b.block));
    return b;
}

static const pl_vec3 none = {0.0f, 0.0f, 0.0f};

static void spin(const body *b, double wx, double wy, double wz)
{
    float v[3 * COUNT], x[3 * COUNT];
    good(pl_get(b->world, PL_ATTRIBUTE_POSITION, 0, COUNT, x));
    for (int i = 0; i < COUNT; i++)
    {
        double r[3];
        for (int c = 0; c < 3; c++)
            r[c] = (double)x[3 * i + c] - b->centre[c];
        v[3 * i] = (float)(wy * r[2] - wz * r[1]);
        v[3 * i + 1] = (float)(wz * r[0] - wx * r[2]);
        v[3 * i + 2] = (float)(wx * r[1] - wy * r[0]);
    }
    good(pl_set(b->world, PL_ATTRIBUTE_VELOCITY, 0, COUNT, v));
}

static double size3(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

// About each axis, 1,000 frames of 20 substeps at 5 rad/s: 80 turns and more.
static void spins_on(pl_integrator integrator)
{
    for (int axis = 0; axis < 3; axis++)
    {
        body b = make_body(pl_default_cluster_material(), none, 20, 1, 0);
        double before[3], after[3], linear[3], error[3];
        change(b.world, PL_SOLVER_XPBD, integrator, 0.0);
        spin(&b, axis == 0 ? 5.0 : 0.0, axis == 1 ? 5.0 : 0.0, axis == 2 ? 5.0 : 0.0);
        pl_world_momentum(b.world, linear, before);
        double energy = pl_world_energy(b.world).kinetic;
        steps(b.world, 1000, 1.0 / 60.0);
        pl_world_momentum(b.world, linear, after);
        for (int c = 0; c < 3; c++)
            error[c] = after[c] - before[c];
        print_message("axis %d: angular momentum off by %.2e, energy by %.2e, linear momentum %.1e\n", axis,
                      size3(error) / size3(before), pl_world_energy(b.world).kinetic / energy - 1.0, size3(linear));
        below("angular momentum", size3(error) / size3(before), 0.01);
        // Rounding walks: 20,000 substeps of (3/2 + 2 + 1/2) half units of 0.4 m over h. Its first order has but x - x0, of small steps.
        below("linear velocity", size3(linear) / (0.1 * COUNT), integrator == PL_INTEGRATOR_BDF1 ? 1e-3 : 1e-2);
        pl_world_destroy(b.world);
    }
}

static void a_free_body_spins_on(void **state)
{
    (void)state;
    spins_on(PL_INTEGRATOR_BDF1);
}

static void a_free_body_spins_on_in_second_order(void **state)
{
    (void)state;
    spins_on(PL_INTEGRATOR_BDF2);
}

// Beside clusters that overlap, one of them of an oriented particle.
static void a_body_spins_on_beside_others(void **state)
{
    (void)state;
    body b = make_body(pl_default_cluster_material(), none, 20, 1, 0);
    spin(&b, 0.0, 5.0, 0.0);
    double linear[3], before[3], after[3];
    pl_world_momentum(b.world, linear, before);
    pl_oriented_form_def chain = pl_default_oriented_form_def();
    pl_cluster_material match = pl_default_cluster_material();
    chain.form = PL_ORIENTED_CHAIN;
    chain.origin = (pl_vec3){3.0f, 0.0f, 0.0f};
    chain.u = (pl_vec3){1.0f, 0.0f, 0.0f};
    chain.size[0] = 5;
    good(pl_add_oriented_form(b.world, &chain, &match, 0.0f, NULL));
    steps(b.world, 300, 1.0 / 60.0);
    pl_world_momentum(b.world, linear, after); // of all, and the chain is still
    print_message("beside others: angular momentum off by %.2e\n", fabs(after[1] / before[1] - 1.0));
    below("angular momentum", fabs(after[1] / before[1] - 1.0), 0.01);
    pl_world_destroy(b.world);
}

static void put_at(body *b, pl_vec3 to)
{
    float x[3 * COUNT];
    good(pl_get(b->world, PL_ATTRIBUTE_POSITION, 0, COUNT, x));
    for (int i = 0; i < 3 * COUNT; i++)
        x[i] += i % 3 == 0 ? to.x : i % 3 == 1 ? to.y : to.z;
    good(pl_set(b->world, PL_ATTRIBUTE_POSITION, 0, COUNT, x));
    b->centre[0] += (double)to.x, b->centre[1] += (double)to.y, b->centre[2] += (double)to.z;
}

// While it falls: what gravity adds to the way of its centre is no spin; nor is how far from the origin it is, or where it is put meanwhile.
static void a_falling_body_spins_on_in_second_order(void **state)
{
    (void)state;
    body b = make_body(pl_default_cluster_material(), (pl_vec3){3.0f, -9.81f, 0.0f}, 20, 1, 0);
    change(b.world, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.0);
    put_at(&b, (pl_vec3){3.0f, 1.0f, 2.0f});
    spin(&b, 0.0, 5.0, 0.0);
    pl_cluster_pose pose;
    steps(b.world, 30, 1.0 / 60.0);
    put_at(&b, (pl_vec3){-5.0f, 4.0f, 1.0f});
    steps(b.world, 30, 1.0 / 60.0);
    good(pl_get_cluster(b.world, b.block, 0, &pose));
    double turned = 2.0 * atan2((double)pose.rotation.y, (double)pose.rotation.w);
    near("the angle", fmod(turned + 4.0 * acos(-1.0), 2.0 * acos(-1.0)), 5.0, 0.005);
    near("no other axis", hypot((double)pose.rotation.x, (double)pose.rotation.z), 0.0, 0.002);
    pl_world_destroy(b.world);
}

// A body that falls and turns, in second order, whatever the lanes and threads.
static void second_order_is_the_same_on_any_lanes(void **state)
{
    (void)state;
    float x[2][3 * COUNT];
    for (int k = 0; k < 2; k++)
    {
        body b = make_body(pl_default_cluster_material(), (pl_vec3){0.0f, -9.81f, 0.0f}, 10, 1 + k, k ? 0 : 1);
        change(b.world, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.0);
        put_at(&b, (pl_vec3){3.0f, 1.0f, 2.0f});
        spin(&b, 4.0, 5.0, -1.0);
        steps(b.world, 30, 1.0 / 60.0);
        good(pl_get(b.world, PL_ATTRIBUTE_POSITION, 0, COUNT, x[k]));
        pl_world_destroy(b.world);
    }
    assert_memory_equal(x[0], x[1], sizeof x[0]);
}

// Dzhanibekov: about the middle axis a body turns over and over; about the others it does not.
static void tumbles(pl_integrator integrator)
{
    for (int axis = 0; axis < 3; axis++)
    {
        body b = make_body(pl_default_cluster_material(), none, 20, 1, 0);
        double tilt = 0.01, lowest = 1.0;
        change(b.world, PL_SOLVER_XPBD, integrator, 0.0);
        spin(&b, axis == 0 ? 8.0 : tilt, axis == 1 ? 8.0 : tilt, axis == 2 ? 8.0 : tilt);
        for (int frame = 0; frame < 600; frame++)
        {
            pl_cluster_pose pose;
            good(pl_world_step(b.world, 1.0f / 60.0f));
            good(pl_get_cluster(b.world, b.block, 0, &pose));
            const float *q = &pose.rotation.x;
            double own = axis == 0   ? 1.0 - 2.0 * ((double)q[1] * q[1] + (double)q[2] * q[2])
                         : axis == 1 ? 1.0 - 2.0 * ((double)q[0] * q[0] + (double)q[2] * q[2])
                                     : 1.0 - 2.0 * ((double)q[0] * q[0] + (double)q[1] * q[1]);
            lowest = own < lowest ? own : lowest; // how the body's axis stands to the axis in space
        }
        print_message("axis %d: its own axis came to a cosine of %.3f\n", axis, lowest);
        if (axis == 1)
            below("the middle axis", lowest, -0.9);
        else
            below("an outer axis", -lowest, -0.99);
        pl_world_destroy(b.world);
    }
}

static void the_middle_axis_tumbles(void **state)
{
    (void)state;
    tumbles(PL_INTEGRATOR_BDF1);
    tumbles(PL_INTEGRATOR_BDF2);
}

// What is pressed to a sheet comes back, in every mode.
static void squashed_bodies_come_back(void **state)
{
    (void)state;
    for (int round = 0; round < 6; round++)
    {
        int match = round % 3;
        pl_cluster_material m = pl_default_cluster_material();
        m.match = (pl_match)match;
        m.stiffness = 0.3f;
        m.beta = round > 2 ? 0.95f : 0.5f; // the most that is allowed
        body b = make_body(m, none, 10, 1, 0);
        float x[3 * COUNT], rest[3 * COUNT];
        good(pl_get(b.world, PL_ATTRIBUTE_POSITION, 0, COUNT, rest));
        memcpy(x, rest, sizeof x);
        for (int i = 0; i < COUNT; i++)
            x[3 * i + 1] = 0.0f; // no volume is left
        good(pl_set(b.world, PL_ATTRIBUTE_POSITION, 0, COUNT, x));
        change(b.world, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 3.0);
        steps(b.world, 600, 1.0 / 60.0);
        good(pl_get(b.world, PL_ATTRIBUTE_POSITION, 0, COUNT, x));
        double worst = 0.0; // distances between neighbours along x and y
        for (int i = 0; i + NX < COUNT; i++)
        {
            double d = 0.0, r = 0.0;
            for (int c = 0; c < 3; c++)
            {
                d += pow((double)x[3 * i + c] - (double)x[3 * (i + NX) + c], 2.0);
                r += pow((double)rest[3 * i + c] - (double)rest[3 * (i + NX) + c], 2.0);
            }
            worst = fmax(worst, fabs(sqrt(d) / sqrt(r) - 1.0));
        }
        print_message("match %d: distances are off by %.2e\n", match, worst);
        below("distances", worst, 1e-3);
        pl_world_destroy(b.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_body_spins_on),
        cmocka_unit_test(a_free_body_spins_on_in_second_order),
        cmocka_unit_test(a_body_spins_on_beside_others),
        cmocka_unit_test(a_falling_body_spins_on_in_second_order),
        cmocka_unit_test(second_order_is_the_same_on_any_lanes),
        cmocka_unit_test(the_middle_axis_tumbles),
        cmocka_unit_test(squashed_bodies_come_back),
    };
    return cmocka_run_group_tests_name("clusters", tests, NULL, NULL);
}
