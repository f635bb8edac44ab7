// Rigid bodies leave what they fall upon as fast as their restitution says, and never faster: flat, on an edge, on a corner, off their middle, and from each
// other. They come to rest.
#include "physics/bricks.h"

enum pose
{
    FLAT,
    EDGE,   // its middle above the edge: it does not turn
    CORNER, // ... the corner
    TILTED,
    BALL,
    POSES,
};

static const char *const pose_names[POSES] = {"flat", "on an edge", "on a corner", "tilted", "a ball"};

static brick_yard open_court(int iterations, float restitution, bool floor)
{
    brick_yard y = {.world = make_world(1, iterations)};
    pl_shape_def plane = pl_default_shape_def();
    pl_material m = pl_default_material();
    m.static_friction = m.kinetic_friction = 0.0f;
    m.restitution = restitution;
    good(pl_add_material(y.world, &m, &y.material));
    plane.material = y.material;
    if (floor)
        good(pl_add_shape(y.world, &plane, NULL));
    else
        weightless(y.world);
    return y;
}

static void turn_object(pl_world *w, pl_id id, pl_vec3 middle, const double r[3][3])
{
    int first, count;
    good(pl_object_range(w, id, &first, &count));
    for (int i = first; i < first + count; i++)
    {
        pl_vec3 x = where(w, i);
        double d[3] = {(double)x.x - (double)middle.x, (double)x.y - (double)middle.y, (double)x.z - (double)middle.z};
        float to[3] = {middle.x, middle.y, middle.z};
        for (int row = 0; row < 3; row++)
            to[row] += (float)(r[row][0] * d[0] + r[row][1] * d[1] + r[row][2] * d[2]);
        good(pl_set(w, PL_POSITION, i, 1, to));
    }
}

// A body of 20 kg with its lowest particle's sphere `gap` above `floor`.
static pl_id put_body(const brick_yard *y, enum pose pose, double floor, double gap)
{
    pl_mesh_def form = pl_default_mesh_def();
    pl_mesh mesh = {0};
    pl_body_def def = pl_default_body_def();
    const pl_vec3 at = {0.0f, 1.0f, 0.0f};
    const double s = sqrt(0.5), d = 1.0 / sqrt(3.0), b = 1.0 / sqrt(6.0), c = cos(0.35), n = sin(0.35);
    const double turns[POSES][3][3] = {[EDGE] = {{1, 0, 0}, {0, s, -s}, {0, s, s}},
                                       [CORNER] = {{s, 0, -s}, {d, d, d}, {b, -2.0 * b, b}},
                                       [TILTED] = {{c, -n, 0}, {n, c, 0}, {0, 0, 1}}};
    pl_id id;
    form.shape = pose == BALL ? "sphere" : "box";
    form.radius = 0.2f;
    form.size = (pl_vec3){0.3f, 0.3f, 0.3f};
    good(pl_mesh_make(&form, &mesh));
    def.mesh = &mesh;
    def.spacing = 0.05f;
    def.mass = 20.0f;
    good(pl_add_body_copies(y->world, &def, 1, &at, &id));
    pl_mesh_free(&mesh);
    if (pose == EDGE || pose == CORNER || pose == TILTED)
        turn_object(y->world, id, at, turns[pose]);
    int first, count;
    pl_phase phase;
    good(pl_object_range(y->world, id, &first, &count));
    good(pl_get_phase(y->world, first, &phase));
    phase.material = y->material;
    good(pl_set_phase(y->world, first, count, &phase));
    double low = 1e9;
    for (int i = first; i < first + count; i++)
        low = fmin(low, (double)where(y->world, i).y);
    for (int i = first; i < first + count; i++)
    {
        pl_vec3 x = where(y->world, i);
        good(
            pl_set(y->world, PL_POSITION, i, 1, (float[]){x.x, (float)((double)x.y - low + 0.025 + floor + gap), x.z}));
    }
    return id;
}

static double rises(const pl_world *w, int first, int count)
{
    double sum = 0.0;
    for (int i = first; i < first + count; i++)
    {
        float v[3];
        good(pl_get(w, PL_VELOCITY, i, 1, v));
        sum += (double)v[1];
    }
    return sum / count;
}

static int lowest_of(const pl_world *w, int first, int count)
{
    int lowest = first;
    for (int i = first; i < first + count; i++)
        lowest = where(w, i).y < where(w, lowest).y ? i : lowest;
    return lowest;
}

typedef struct fall
{
    enum pose pose;
    int substeps, iterations;
    float restitution, speed; // m/s
    double gap;               // m, between it and the floor
} fall;

// How fast what falls leaves, over how fast it came: its middle, or, if it is tilted, the particle that meets the floor, which turns on
// once it is free: so what counts is where its speed has stopped to change. gained: its kinetic energy, over what it was.
static double rebound_of(fall f, double *gained)
{
    brick_yard y = open_court(f.iterations, f.restitution, true);
    pl_id id = put_body(&y, f.pose, 0.0, f.gap);
    int first, count;
    good(pl_object_range(y.world, id, &first, &count));
    int lowest = lowest_of(y.world, first, count);
    throw_object(y.world, id, 0.0f, -f.speed, 0.0f);
    double met = -(double)f.speed, last = met, left = met, before = pl_world_energy(y.world).kinetic;
    *gained = 0.0;
    for (int n = 0; n < 6 * f.substeps; n++)
    {
        steps(y.world, 1, 1.0 / 60.0 / f.substeps);
        double v = f.pose == TILTED ? rises(y.world, lowest, 1) : rises(y.world, first, count);
        before = v < met ? pl_world_energy(y.world).kinetic : before;
        met = fmin(met, v);
        left = f.pose == TILTED ? v : fmax(left, v);
        if (rises(y.world, first, count) > 0.0)
            *gained = fmax(*gained, pl_world_energy(y.world).kinetic / before);
        if (f.pose == TILTED && v > -0.05 * (double)f.speed && v - last < 0.05 * (double)f.speed)
            break;
        last = v;
    }
    pl_world_destroy(y.world);
    return -left / met;
}

// Never faster than told. A tilted one turns on, and keeps what it has in that; at 10 m/s it turns by degrees in a substep, and a particle's speed says little.
static void as_told(enum pose pose, double speed, double e, double low, double high, double energy)
{
    if (pose != TILTED || speed < 10.0)
    {
        below("the part of its speed that it leaves with", high, e == 0.0 ? 0.1 : e + (pose == TILTED ? 0.05 : 0.02));
        below("what it lacks", e - low, 0.12);
    }
    below("kinetic energy, over what it was", energy, pose == TILTED ? 0.95 : (e + 0.1) * (e + 0.1));
}

static void they_leave_as_told(void **state)
{
    (void)state;
    static const float restitution[3] = {0.0f, 0.5f, 0.9f}, speed[3] = {0.5f, 3.0f, 10.0f};
    static const double gap[3] = {0.0, 0.002, 0.013};
    for (int pose = 0; pose < POSES; pose++)
        for (int v = 0; v < 3; v++)
            for (int e = 0; e < 3; e++)
                for (int n = 10; n <= 20; n += 10)
                {
                    double low = 9.0, high = 0.0, most = 0.0;
                    for (int g = 0; g < 3; g++)
                    {
                        double gained,
                            r = rebound_of((fall){(enum pose)pose, n, 1, restitution[e], speed[v], gap[g]}, &gained);
                        low = fmin(low, r), high = fmax(high, r), most = fmax(most, gained);
                    }
                    print_message(
                        "%-12s %4.1f m/s, %2d substeps, restitution %.1f: leaves at %.3f to %.3f, energy %.3f\n",
                        pose_names[pose], (double)speed[v], n, (double)restitution[e], low, high, most);
                    as_told((enum pose)pose, (double)speed[v], (double)restitution[e], low, high, most);
                }
}

// Dropped from 0.3 m.
static void they_come_to_rest(void **state)
{
    (void)state;
    static const int substeps[3] = {5, 10, 20};
    for (int pose = 0; pose < POSES; pose++)
        for (int n = 0; n < 3; n++)
        {
            brick_yard y = open_court(1, 0.9f, true);
            put_body(&y, (enum pose)pose, 0.0, 0.3);
            double peak = 0.0;
            steps(y.world, 540 * substeps[n], 1.0 / 60.0 / substeps[n]);
            for (int i = 0; i < 60 * substeps[n]; i++)
            {
                steps(y.world, 1, 1.0 / 60.0 / substeps[n]);
                peak = fmax(peak, pl_world_energy(y.world).kinetic);
            }
            print_message("%-12s %2d substeps, from 0.3 m at restitution 0.9: %.2g J after 9 s\n", pose_names[pose],
                          substeps[n], peak);
            below("kinetic energy of what lies there, J", peak, 0.01);
            pl_world_destroy(y.world);
        }
}

// Three boxes, one upon the other, dropped from 0.1 m.
static void a_bouncing_stack_comes_to_rest(void **state)
{
    (void)state;
    for (int n = 10; n <= 20; n += 10)
        for (int e = 5; e <= 9; e += 4)
        {
            brick_yard y = open_court(1, 0.1f * (float)e, true);
            for (int i = 0; i < 3; i++)
                put_body(&y, FLAT, 0.3 * i, 0.1 * (i + 1));
            double peak = 0.0;
            steps(y.world, 900 * n, 1.0 / 60.0 / n);
            for (int i = 0; i < 60 * n; i++)
            {
                steps(y.world, 1, 1.0 / 60.0 / n);
                peak = fmax(peak, pl_world_energy(y.world).kinetic);
            }
            print_message("three boxes, %2d substeps, restitution 0.%d: %.2g J after 15 s\n", n, e, peak);
            below("kinetic energy of what lies there, J", peak, 0.05);
            pl_world_destroy(y.world);
        }
}

// ---- what they look back on ----------------------------------------------------------------------------------------

// It falls at 5 m/s and is stopped right above the floor: what it was counts no more.
static void a_body_that_is_stopped_stays(void **state)
{
    (void)state;
    brick_yard y = open_court(1, 0.9f, true);
    pl_id id = put_body(&y, FLAT, 0.0, 0.009);
    int first, count;
    good(pl_object_range(y.world, id, &first, &count));
    throw_object(y.world, id, 0.0f, -5.0f, 0.0f);
    steps(y.world, 1, 1.0 / 600.0);
    near("it falls", rises(y.world, first, count), -5.0, 0.1);
    throw_object(y.world, id, 0.0f, 0.0f, 0.0f);
    double most = 0.0;
    for (int i = 0; i < 60; i++)
    {
        steps(y.world, 1, 1.0 / 600.0);
        most = fmax(most, rises(y.world, first, count));
    }
    below("how fast it rises, m/s", most, 0.1);
    pl_world_destroy(y.world);
}

// A step that fails leaves nothing behind.
static void a_failed_step_is_forgotten(void **state)
{
    (void)state;
    brick_yard y = open_court(1, 0.9f, true);
    pl_id id = put_body(&y, FLAT, 0.0, 0.0);
    int first, count;
    good(pl_object_range(y.world, id, &first, &count));
    pl_settings set = pl_world_settings(y.world), wild;
    set.substeps = 10;
    good(pl_world_set_settings(y.world, &set));
    steps(y.world, 120, 1.0 / 60.0);
    wild = set;
    wild.gravity.y = -1e11f; // it fails, and all is finite until the end
    good(pl_world_set_settings(y.world, &wild));
    assert_int_equal(pl_world_step(y.world, 1.0f / 60.0f), PL_ERROR_DIVERGED);
    good(pl_world_set_settings(y.world, &set));
    double most = 0.0;
    for (int i = 0; i < 30; i++)
    {
        steps(y.world, 1, 1.0 / 60.0);
        most = fmax(most, fabs(rises(y.world, first, count)));
    }
    below("how fast what lay at rest moves, m/s", most, 0.05);
    pl_world_destroy(y.world);
}

static void many_iterations_do_not_throw(void **state)
{
    (void)state;
    for (int pose = 0; pose < POSES; pose++)
    {
        double gained;
        below("what it leaves with after 8 iterations",
              rebound_of((fall){(enum pose)pose, 10, 8, 0.0f, 3.0f, 0.013}, &gained), 0.08);
    }
}

// Two boxes in empty space, the second `times` as heavy, at 3 m/s.
static double parted(float times, int substeps, float restitution)
{
    brick_yard y = open_court(1, restitution, false);
    pl_id one = put_body(&y, FLAT, 0.0, 0.0), other = put_body(&y, FLAT, 0.3, 0.013);
    int first, second, count;
    good(pl_object_range(y.world, one, &first, &count));
    good(pl_object_range(y.world, other, &second, &count));
    for (int i = second; i < second + count; i++)
    {
        float mass;
        good(pl_get(y.world, PL_MASS, i, 1, &mass));
        mass *= times;
        good(pl_set(y.world, PL_MASS, i, 1, &mass));
    }
    throw_object(y.world, other, 0.0f, -3.0f, 0.0f);
    double left = -3.0;
    for (int n = 0; n < 6 * substeps; n++)
    {
        steps(y.world, 1, 1.0 / 60.0 / substeps);
        left = fmax(left, rises(y.world, second, count) - rises(y.world, first, count));
    }
    near("momentum", rises(y.world, first, count) + (double)times * rises(y.world, second, count), -3.0 * (double)times,
         1e-3 * (double)times);
    pl_world_destroy(y.world);
    return left / 3.0;
}

static void they_leave_each_other_as_told(void **state)
{
    (void)state;
    static const float restitution[3] = {0.0f, 0.5f, 0.9f};
    for (int times = 1; times <= 4; times += 3)
        for (int e = 0; e < 3; e++)
            for (int substeps = 10; substeps <= 20; substeps += 10)
            {
                double r = parted((float)times, substeps, restitution[e]);
                print_message("1:%d, %2d substeps, restitution %.1f: they part at %.3f\n", times, substeps,
                              (double)restitution[e], r);
                near("the part of its speed that they part with", r, (double)restitution[e], 0.1);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_leave_as_told),
        cmocka_unit_test(they_come_to_rest),
        cmocka_unit_test(a_bouncing_stack_comes_to_rest),
        cmocka_unit_test(a_body_that_is_stopped_stays),
        cmocka_unit_test(a_failed_step_is_forgotten),
        cmocka_unit_test(many_iterations_do_not_throw),
        cmocka_unit_test(they_leave_each_other_as_told),
    };
    return cmocka_run_group_tests_name("rebound", tests, NULL, NULL);
}
