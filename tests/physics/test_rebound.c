// Rigid bodies leave what they fall upon as fast as their restitution says: flat, on an edge, on a corner, off their middle, and from each
// other; and bodies that begin in each other part slowly.
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

// How fast what falls at 3 m/s leaves, over how fast it came: its middle, or, if it is tilted, the particle that meets the floor, which turns on
// once it is free: so what counts is where its speed has stopped to change.
static double rebound_of(enum pose pose, int substeps, int iterations, float restitution, double *gained)
{
    brick_yard y = open_court(iterations, restitution, true);
    pl_id id = put_body(&y, pose, 0.0, 0.013);
    int first, count;
    good(pl_object_range(y.world, id, &first, &count));
    int lowest = lowest_of(y.world, first, count);
    throw_object(y.world, id, 0.0f, -3.0f, 0.0f);
    double met = 0.0, last = -3.0, left = -3.0, before = pl_world_energy(y.world).kinetic;
    for (int n = 0; n < 6 * substeps; n++)
    {
        steps(y.world, 1, 1.0 / 60.0 / substeps);
        double v = pose == TILTED ? rises(y.world, lowest, 1) : rises(y.world, first, count);
        met = fmin(met, v);
        left = pose == TILTED ? v : fmax(left, v);
        if (pose == TILTED && v > -0.15 && v - last < 0.15)
            break;
        last = v;
    }
    *gained = pl_world_energy(y.world).kinetic / before;
    pl_world_destroy(y.world);
    return -left / met;
}

static void they_leave_as_told(void **state)
{
    (void)state;
    static const float restitution[3] = {0.0f, 0.5f, 0.9f};
    static const int substeps[2] = {10, 20};
    for (int pose = 0; pose < POSES; pose++)
        for (int e = 0; e < 3; e++)
            for (int n = 0; n < 2; n++)
            {
                double gained, r = rebound_of((enum pose)pose, substeps[n], 1, restitution[e], &gained);
                print_message("%-12s %2d substeps, restitution %.1f: leaves at %.3f\n", pose_names[pose], substeps[n],
                              (double)restitution[e], r);
                near("the part of its speed that it leaves with", r, (double)restitution[e], 0.1);
                below("kinetic energy, over what it was", gained, 1.02);
            }
}

static void many_iterations_do_not_throw(void **state)
{
    (void)state;
    for (int pose = 0; pose < POSES; pose++)
    {
        double gained;
        below("what it leaves with after 8 iterations", rebound_of((enum pose)pose, 10, 8, 0.0f, &gained), 0.08);
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

// ---- bodies in each other ------------------------------------------------------------------------------------------

// How fast the second of two moves seen from the first, and how near their particles are.
static double leaves(const brick_yard *y, int first, int all, double *nearest)
{
    double v[3] = {0.0, 0.0, 0.0};
    float *x = all_positions(y->world);
    *nearest = 1e9;
    for (int i = 0; i < all; i++)
    {
        float speed[3];
        good(pl_get(y->world, PL_VELOCITY, i, 1, speed));
        for (int c = 0; c < 3; c++)
            v[c] += (double)speed[c] / (i < first ? -first : all - first);
    }
    for (int i = 0; i < first; i++)
        for (int k = first; k < all; k++)
            *nearest = fmin(
                *nearest, hypot(hypot((double)x[3 * i] - (double)x[3 * k], (double)x[3 * i + 1] - (double)x[3 * k + 1]),
                                (double)x[3 * i + 2] - (double)x[3 * k + 2]));
    free(x);
    return hypot(hypot(v[0], v[1]), v[2]);
}

static void part(pl_vec3 size, double depth, int substeps)
{
    brick_yard y = open_yard(substeps, 0.0f);
    weightless(y.world);
    const pl_vec3 at[2] = {{-0.2f, 1.0f, 0.0f}, {(0.5f - (float)depth) * size.x, 1.013f, 0.013f}};
    pl_id ids[2];
    lay(&y, (pl_vec3){0.4f, 0.4f, 0.4f}, 1, at, ids);
    lay(&y, size, 1, at + 1, ids + 1);
    int first, count;
    good(pl_object_range(y.world, ids[1], &first, &count));
    double fastest = 0.0, nearest = 0.0;
    int frame = 0;
    for (; frame < 180 && nearest < 0.045; frame++)
    {
        steps(y.world, 1, 1.0 / 60.0);
        fastest = fmax(fastest, leaves(&y, first, first + count, &nearest));
    }
    print_message("%.1f m, %.1f of it inside, %2d substeps: %.2f m/s at the most, apart after %.2f s\n", (double)size.x,
                  depth, substeps, fastest, frame / 60.0);
    below("speed of parting", fastest, 2.5);
    below("0.045 m over how near they are", 0.045 / nearest, 1.0);
    pl_world_destroy(y.world);
}

static void bodies_in_each_other_part_slowly(void **state)
{
    (void)state;
    static const int substeps[3] = {5, 20, 40};
    for (int i = 0; i < 3; i++)
        for (int tenths = 1; tenths <= 9; tenths += 4)
            part((pl_vec3){0.3f, 0.2f, 0.2f}, 0.1 * tenths, substeps[i]);
    part((pl_vec3){0.4f, 0.4f, 0.4f}, 0.5, 20);
    part((pl_vec3){0.4f, 0.4f, 0.4f}, 0.9, 20);
}

// A thousand times as dense as what it lies upon.
static void a_heavy_one_stays_up(void **state)
{
    (void)state;
    brick_yard y = open_yard(40, 0.6f);
    const pl_vec3 at[2] = {{0.0f, 0.2f, 0.0f}, {0.013f, 0.51f, 0.017f}};
    pl_id ids[2];
    lay(&y, (pl_vec3){0.4f, 0.4f, 0.4f}, 1, at, ids);
    lay(&y, (pl_vec3){0.3f, 0.2f, 0.2f}, 1, at + 1, ids + 1);
    int first, count;
    good(pl_object_range(y.world, ids[1], &first, &count));
    for (int i = first; i < first + count; i++)
    {
        float mass;
        good(pl_get(y.world, PL_MASS, i, 1, &mass));
        mass *= 1000.0f;
        good(pl_set(y.world, PL_MASS, i, 1, &mass));
    }
    steps(y.world, 180, 1.0 / 60.0);
    double top = -1e9, bottom = 1e9;
    for (int i = 0; i < first + count; i++)
    {
        double height = (double)where(y.world, i).y;
        top = i < first ? fmax(top, height) : top;
        bottom = i < first ? bottom : fmin(bottom, height);
    }
    print_message("it has sunk by %.1f mm\n", 1e3 * (top + 0.05 - bottom));
    below("how far it has sunk, m", top + 0.05 - bottom, 0.03);
    pl_world_destroy(y.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_leave_as_told),
        cmocka_unit_test(many_iterations_do_not_throw),
        cmocka_unit_test(they_leave_each_other_as_told),
        cmocka_unit_test(bodies_in_each_other_part_slowly),
        cmocka_unit_test(a_heavy_one_stays_up),
    };
    return cmocka_run_group_tests_name("rebound", tests, NULL, NULL);
}
