// Contacts that turn particles: what is known of rolling, of impacts beside the centre, and of what two that collide keep.
#include "physics/physics.h"

typedef struct ellipsoid
{
    pl_vec3 at, velocity, radii, spin;
    pl_quat turn;
} ellipsoid;

static double size3(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static pl_quat about(double x, double y, double z, double angle)
{
    double s = sin(0.5 * angle) / sqrt(x * x + y * y + z * z);
    return (pl_quat){(float)(s * x), (float)(s * y), (float)(s * z), (float)cos(0.5 * angle)};
}

static void put(pl_world *w, int count, const ellipsoid *e)
{
    float x[3 * 8], v[3 * 8], radii[3 * 8], spin[3 * 8], turn[4 * 8], mass[8], radius[8];
    int32_t list[8];
    pl_orient_def d = pl_default_orient_def();
    for (int i = 0; i < count; i++)
    {
        memcpy(x + 3 * i, &e[i].at, 12), memcpy(v + 3 * i, &e[i].velocity, 12);
        memcpy(radii + 3 * i, &e[i].radii, 12), memcpy(spin + 3 * i, &e[i].spin, 12);
        memcpy(turn + 4 * i, &e[i].turn, 16);
        mass[i] = 1.0f + (float)i;
        radius[i] = fmaxf(e[i].radii.x, fmaxf(e[i].radii.y, e[i].radii.z));
        list[i] = i;
    }
    add_particles(w, count, x, mass);
    good(pl_set(w, PL_ATTRIBUTE_VELOCITY, 0, count, v));
    good(pl_set(w, PL_ATTRIBUTE_RADIUS, 0, count, radius));
    d.count = count, d.particles = list, d.radii = radii, d.rotation = turn, d.spin = spin;
    good(pl_orient(w, &d, NULL));
}

// A plane whose normal leans towards x by an angle, under all of them one material.
static void ground(pl_world *w, double slope, double friction, double restitution)
{
    pl_material m = pl_default_material();
    pl_shape_def plane = pl_default_shape_def();
    m.static_friction = m.kinetic_friction = (float)friction;
    m.restitution = (float)restitution;
    good(pl_set_material(w, 0, &m));
    plane.kind = PL_SHAPE_PLANE;
    plane.rotation = about(0.0, 0.0, 1.0, -slope);
    good(pl_add_shape(w, &plane, NULL));
}

static pl_orientation turned(const pl_world *w, int particle)
{
    pl_orientation o;
    good(pl_get_orientation(w, particle, 1, &o));
    return o;
}

static pl_vec3 speed(const pl_world *w, int particle)
{
    pl_vec3 v;
    good(pl_get(w, PL_ATTRIBUTE_VELOCITY, particle, 1, &v.x));
    return v;
}

// The axes of a rotation, as columns.
static void axes_of(pl_quat q, double r[3][3])
{
    double x = q.x, y = q.y, z = q.z, s = q.w;
    double m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - s * z), 2 * (z * x + s * y)},
                      {2 * (x * y + s * z), 1 - 2 * (z * z + x * x), 2 * (y * z - s * x)},
                      {2 * (z * x - s * y), 2 * (y * z + s * x), 1 - 2 * (x * x + y * y)}};
    memcpy(r, m, sizeof m);
}

// ---- planes --------------------------------------------------------------------------------------------------------

// Dropped at a tilt about two axes, it comes to rest on its flat side: its shortest axis upright.
static void a_tilted_one_comes_to_lie_flat(void **state)
{
    (void)state;
    static const double friction[] = {0.0, 0.6};
    for (int i = 0; i < 2; i++)
    {
        pl_world *w = make_world(10, 2);
        pl_quat tilt = about(0.3, 0.2, 1.0, 0.9);
        put(w, 1, &(ellipsoid){{0, 0.6f, 0}, {0, 0, 0}, {0.4f, 0.1f, 0.2f}, {0, 0, 0}, tilt});
        ground(w, 0.0, friction[i], 0.0);
        change(w, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 1.5);
        steps(w, 600, 1.0 / 60.0);
        double r[3][3];
        axes_of(turned(w, 0).rotation, r);
        pl_vec3 s = turned(w, 0).spin;
        print_message("friction %.1f: height %.5f m, its axis upright to %.6f, spin %.1e\n", friction[i],
                      (double)where(w, 0).y, fabs(r[1][1]), sqrt((double)(s.x * s.x + s.z * s.z)));
        near("height", (double)where(w, 0).y, 0.1, 1e-3);
        below("tilt", 1.0 - fabs(r[1][1]), 1e-4);
        pl_world_destroy(w);
    }
}

// Without friction a plane gives an impulse J = v/(w + |r x n|^2/I) at the lowest point: all that follows from it.
static void an_impact_beside_the_centre_turns(void **state)
{
    (void)state;
    for (int bounces = 0; bounces < 2; bounces++)
    {
        const double a = 0.4, b = 0.1, tilt = 0.5, v = 2.0, inertia = 0.2 * (a * a + b * b);
        // The lowest point of the ellipse, from the middle: -(S n)/h.
        double h = sqrt(a * a * sin(tilt) * sin(tilt) + b * b * cos(tilt) * cos(tilt));
        double across = -(a * a - b * b) * sin(tilt) * cos(tilt) / h; // along x; r x n = across about z
        double impulse = (1.0 + bounces) * v / (1.0 + across * across / inertia);
        pl_world *w = make_world(20, 2);
        weightless(w);
        put(w, 1,
            &(ellipsoid){
                {0, 0.4f, 0}, {0, (float)-v, 0}, {(float)a, (float)b, (float)b}, {0, 0, 0}, about(0, 0, 1, tilt)});
        ground(w, 0.0, 0.0, bounces);
        double energy = pl_world_energy(w).kinetic, linear[3], angular[3];
        while (fabs((double)speed(w, 0).y + v) < 0.01)
            good(pl_world_step(w, 1.0f / 600.0f));
        good(pl_world_step(w, 1.0f / 600.0f));
        pl_world_momentum(w, linear, angular);
        print_message("restitution %d: speed %.4f (%.4f), spin %.3f (%.3f), energy %.4f of before\n", bounces,
                      (double)speed(w, 0).y, impulse - v, (double)turned(w, 0).spin.z, across * impulse / inertia,
                      pl_world_energy(w).kinetic / energy);
        near("speed", (double)speed(w, 0).y, impulse - v, 0.01 * v);
        near("spin", (double)turned(w, 0).spin.z, across * impulse / inertia, 0.01 * fabs(across * impulse / inertia));
        near("momentum about where it struck", 0.2 * (a * a + b * b) * (double)turned(w, 0).spin.z,
             across * ((double)speed(w, 0).y + v), 0.01 * fabs(across * impulse));
        if (bounces)
            near("energy", pl_world_energy(w).kinetic / energy, 1.0, 0.01);
        pl_world_destroy(w);
    }
}

// Down a slope: enough friction, and it rolls with 5/7 of g sin(slope); too little, and it slides, and is turned by 5/2 mu g cos(slope)/r.
static void it_rolls_down_a_slope(void **state)
{
    (void)state;
    const double slope = 0.4, r = 0.1;
    static const struct
    {
        double friction, length;
    } cases[] = {{0.8, 0.1}, {0.05, 0.1}, {0.8, 0.3}, {0.8, 0.04}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        pl_world *w = make_world(10, 2);
        ellipsoid e = {{(float)(r * sin(slope)), (float)(r * cos(slope)), 0},
                       {0, 0, 0},
                       {(float)r, (float)r, (float)cases[i].length},
                       {0, 0, 0},
                       about(0, 0, 1, 0.0)};
        put(w, 1, &e);
        ground(w, slope, cases[i].friction, 0.0);
        steps(w, 60, 1.0 / 60.0);
        bool rolls = cases[i].friction > 2.0 / 7.0 * tan(slope);
        double down =
            rolls ? 5.0 / 7.0 * GRAVITY * sin(slope) : GRAVITY * (sin(slope) - cases[i].friction * cos(slope));
        double spin = rolls ? -down / r : -2.5 * cases[i].friction * GRAVITY * cos(slope) / r;
        pl_vec3 v = speed(w, 0);
        double along = (double)v.x * cos(slope) - (double)v.y * sin(slope);
        print_message("friction %.2f, length %.2f: %.4f m/s after 1 s (%.4f), spin %.3f rad/s (%.3f)\n",
                      cases[i].friction, cases[i].length, along, down, (double)turned(w, 0).spin.z, spin);
        near("speed", along, down, 0.01 * down);
        near("spin", (double)turned(w, 0).spin.z, spin, 0.01 * fabs(spin));
        near("it stays on the slope", (double)where(w, 0).x * sin(slope) + (double)where(w, 0).y * cos(slope), r, 1e-3);
        pl_world_destroy(w);
    }
}

// ---- pairs ---------------------------------------------------------------------------------------------------------

// How far two are apart along the direction in which that is most: below 0, they overlap at least nearly by that.
static double apart(const pl_world *w, const ellipsoid *e)
{
    double r[2][3][3], d[3], best = -1e30;
    pl_vec3 x = where(w, 0), y = where(w, 1);
    d[0] = (double)x.x - y.x, d[1] = (double)x.y - y.y, d[2] = (double)x.z - y.z;
    for (int i = 0; i < 2; i++)
        axes_of(turned(w, i).rotation, r[i]);
    for (int k = 0; k < 20000; k++) // directions evenly over the sphere
    {
        double z = 1.0 - (2.0 * k + 1.0) / 20000.0, turn = 2.399963 * k, s = sqrt(1.0 - z * z);
        double n[3] = {s * cos(turn), s * sin(turn), z}, gap = n[0] * d[0] + n[1] * d[1] + n[2] * d[2];
        for (int i = 0; i < 2; i++)
        {
            const float *radii = &e[i].radii.x;
            double h = 0.0;
            for (int c = 0; c < 3; c++)
            {
                double own = n[0] * r[i][0][c] + n[1] * r[i][1][c] + n[2] * r[i][2][c];
                h += own * own * radii[c] * radii[c];
            }
            gap -= sqrt(h);
        }
        best = fmax(best, gap);
    }
    return best;
}

static ellipsoid askew(int seed, int side)
{
    double a = 0.7 * seed + 2.1 * side;
    return (ellipsoid){{side ? 0.5f : -0.5f, 0.05f * (float)sin(3.0 * a), 0.04f * (float)cos(5.0 * a)},
                       {side ? -2.0f : 2.0f, 0.0f, 0.0f},
                       {0.1f + 0.05f * (float)(seed % 3), 0.2f, 0.3f - 0.05f * (float)(seed % 4)},
                       {(float)cos(a), (float)sin(2.0 * a), 1.0f},
                       about(sin(a), cos(3.0 * a), 0.5, 2.0 * a)};
}

// Two that fly at each other askew: what they have of momentum and angular momentum stays, and neither gets into the other.
static void two_that_collide_keep_their_momentum(void **state)
{
    (void)state;
    double worst = 0.0, deepest = 0.0, given = 1e30;
    for (int seed = 0; seed < 12; seed++)
    {
        pl_world *w = make_world(20, 4);
        pl_material m = pl_default_material();
        const ellipsoid e[2] = {askew(seed, 0), askew(seed, 1)};
        double linear[3], angular[3], after[3], turns[3], change_of[3], deep = 0.0;
        m.static_friction = m.kinetic_friction = 0.1f * (float)(seed % 5);
        m.restitution = seed % 2 ? 0.7f : 0.0f;
        good(pl_set_material(w, 0, &m));
        weightless(w);
        put(w, 2, e);
        pl_world_momentum(w, linear, angular);
        double energy = pl_world_energy(w).kinetic;
        pl_vec3 spin = turned(w, 0).spin;
        for (int frame = 0; frame < 40; frame++)
        {
            good(pl_world_step(w, 1.0f / 60.0f));
            deep = fmax(deep, -apart(w, e));
        }
        pl_world_momentum(w, after, turns);
        pl_vec3 now = turned(w, 0).spin;
        for (int c = 0; c < 3; c++)
        {
            near("momentum", after[c], linear[c], 1e-3);
            change_of[c] = turns[c] - angular[c];
        }
        below("energy", pl_world_energy(w).kinetic, 1.001 * energy);
        worst = fmax(worst, size3(change_of) / size3(angular));
        deepest = fmax(deepest, deep);
        given = fmin(given, fabs((double)now.x - spin.x) + fabs((double)now.y - spin.y) + fabs((double)now.z - spin.z));
        pl_world_destroy(w);
    }
    print_message("angular momentum off by %.2e at most, overlap %.4f m, spins changed by %.2f rad/s and more\n", worst,
                  deepest, given);
    below("angular momentum", worst, 0.01); // of first order in the substep
    below("overlap", deepest, 0.005);
    below("spins change", 0.05, given);
}

// Drawn together at any tilt, they turn, and touch all the time.
static void two_that_are_pressed_touch(void **state)
{
    (void)state;
    for (int seed = 0; seed < 4; seed++)
    {
        pl_world *w = make_world(10, 4);
        ellipsoid e[2] = {askew(seed, 0), askew(seed, 1)};
        for (int i = 0; i < 2; i++)
            e[i].velocity = e[i].spin = (pl_vec3){0, 0, 0};
        weightless(w);
        change(w, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 3.0);
        put(w, 2, e);
        const int32_t both[2] = {0, 1};
        const float rest[1] = {0.01f};
        add_rows(w, PL_KIND_DISTANCE, 1, both, rest, 0.05, 1.0);
        for (int part = 0; part < 3; part++)
        {
            steps(w, 90 + 60 * part, 1.0 / 60.0);
            double gap = apart(w, e);
            print_message("%d: they are %.5f m apart\n", seed, gap);
            near("gap", gap, 0.0, 2e-3);
        }
        pl_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tilted_one_comes_to_lie_flat), cmocka_unit_test(an_impact_beside_the_centre_turns),
        cmocka_unit_test(it_rolls_down_a_slope),          cmocka_unit_test(two_that_collide_keep_their_momentum),
        cmocka_unit_test(two_that_are_pressed_touch),
    };
    return cmocka_run_group_tests_name("turning", tests, NULL, NULL);
}
