// test_components.c: what constraints connect keeps its momentum and angular momentum; what is outside changes them.
#include "physics.h"

static pl_world *world_of(const char *json, int substeps, int iterations, int order, const char *more)
{
    char text[2048];
    pl_scene *scene;
    pl_world_def def = pl_default_world_def();
    pl_world *w;
    snprintf(text, sizeof text,
             "{\"gravity\":[0,0,0],\"wind\":{\"density\":0},\"substeps\":%d,\"iterations\":%d,\"integrator\":\"bdf%d\","
             "%s%s}",
             substeps, iterations, order, json, more);
    def.threads = 1;
    good(pl_scene_parse(text, strlen(text), "test", NULL, 0, &scene));
    good(pl_scene_world(scene, &def, &w));
    pl_scene_free(scene);
    return w;
}

static const char balloon[] =
    "\"body\":{\"form\":\"sphere\",\"radius\":0.35,\"edge\":0.15,\"kind\":\"balloon\",\"mass\":0.3,"
    "\"position\":[1,2,3],\"stretch\":{\"compliance\":1e-3},\"pressure\":1.5}";
static const char cloth[] = "\"cloth\":{\"size\":[9,9],\"width\":1,\"height\":1,\"origin\":[1,2,3],\"mass\":0.2}";
static const char bar[] =
    "\"bar\":{\"cells\":[4,2,2],\"origin\":[1,2,3],\"size\":[0.6,0.2,0.2],\"model\":\"neo_hookean\","
    "\"elastic\":{\"young\":1e5,\"poisson\":0.3}}";
static const char box[] = "\"body\":{\"form\":\"box\",\"size\":[0.4,0.3,0.2],\"kind\":\"rigid\",\"spacing\":0.1,"
                          "\"position\":[1,2,3]}";

// Momentum, angular momentum and kinetic energy of the particles [first, end), about a point or, for NULL, their
// centre.
typedef struct motion
{
    double mass, centre[3], momentum[3], angular[3], kinetic;
} motion;

static void cross3(const double a[3], const double b[3], double out[3])
{
    for (int c = 0; c < 3; c++)
        out[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
}

static double size3(const double a[3]) { return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

static double distance3(const double a[3], const double b[3])
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return size3(d);
}

static motion motion_of(const pl_world *w, int first, int end, const double *about)
{
    motion m = {0};
    for (int pass = 0; pass < 2; pass++)
        for (int i = first; i < end; i++)
        {
            float x[3], v[3], mass;
            double r[3], p[3], l[3];
            good(pl_get(w, PL_ATTRIBUTE_POSITION, i, 1, x));
            good(pl_get(w, PL_ATTRIBUTE_VELOCITY, i, 1, v));
            good(pl_get(w, PL_ATTRIBUTE_MASS, i, 1, &mass));
            for (int c = 0; c < 3; c++)
            {
                p[c] = (double)mass * (double)v[c];
                r[c] = (double)x[c] - (about ? about[c] : m.centre[c] / m.mass);
                m.centre[c] += pass ? 0.0 : (double)mass * (double)x[c];
                m.momentum[c] += pass ? 0.0 : p[c];
                m.kinetic += pass ? 0.5 * p[c] * (double)v[c] : 0.0;
            }
            m.mass += pass ? 0.0 : (double)mass;
            cross3(r, p, l);
            for (int c = 0; c < 3 && pass; c++)
                m.angular[c] += l[c];
        }
    return m;
}

static void set_turning(pl_world *w, int first, int end, const double v[3], const double turning[3],
                        const double about[3])
{
    for (int i = first; i < end; i++)
    {
        float x[3], u[3];
        double r[3], t[3];
        good(pl_get(w, PL_ATTRIBUTE_POSITION, i, 1, x));
        for (int c = 0; c < 3; c++)
            r[c] = (double)x[c] - about[c];
        cross3(turning, r, t);
        for (int c = 0; c < 3; c++)
            u[c] = (float)(v[c] + t[c]);
        good(pl_set(w, PL_ATTRIBUTE_VELOCITY, i, 1, u));
    }
}

static void throw_all(pl_world *w)
{
    const double v[3] = {0.3, -0.2, 0.1}, turning[3] = {1.0, -0.5, 3.0};
    motion m = motion_of(w, 0, pl_particle_end(w), NULL);
    const double centre[3] = {m.centre[0] / m.mass, m.centre[1] / m.mass, m.centre[2] / m.mass};
    set_turning(w, 0, pl_particle_end(w), v, turning, centre);
}

// Tension and pressure are large, and each is solved where the other has left the particles. Undamped, for 5 s: 1 to
// 20 rad/s if nothing is done about it.
static void a_balloon_stays_at_rest(void **state)
{
    (void)state;
    static const int cases[][3] = {{20, 1, 1}, {20, 1, 2}, {20, 3, 1}, {10, 2, 2}, {40, 1, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        pl_world *w = world_of(balloon, cases[i][0], cases[i][1], cases[i][2], "");
        steps(w, 300, 1.0 / 60.0);
        motion m = motion_of(w, 0, pl_particle_end(w), NULL);
        double turning = size3(m.angular) / (m.mass * 0.1); // about 2/3 r^2 of a sphere of 0.4 m
        print_message("%d x %d, BDF%d: %.1e rad/s, %.1e m/s\n", cases[i][0], cases[i][1], cases[i][2], turning,
                      size3(m.momentum) / m.mass);
        below("angular velocity [rad/s]", turning, 2e-4);
        below("velocity [m/s]", size3(m.momentum) / m.mass, 2e-5);
        pl_world_destroy(w);
    }
}

// Free bodies, thrown and turning, for 5 s: implicit Euler would lose 4 to 8 % of the angular momentum.
static void free_bodies_keep_what_they_have(void **state)
{
    (void)state;
    static const char *const bodies[] = {cloth, bar, box};
    static const int cases[][3] = {{10, 1, 1}, {20, 1, 2}, {20, 3, 1}, {40, 2, 2}};
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        {
            pl_world *w = world_of(bodies[k], cases[i][0], cases[i][1], cases[i][2], "");
            throw_all(w);
            motion from = motion_of(w, 0, pl_particle_end(w), NULL);
            steps(w, 300, 1.0 / 60.0);
            motion to = motion_of(w, 0, pl_particle_end(w), NULL);
            double lost = distance3(to.momentum, from.momentum) / size3(from.momentum);
            double turned = distance3(to.angular, from.angular) / size3(from.angular);
            print_message("body %zu, %d x %d, BDF%d: momentum %.1e, angular momentum %.1e, energy %+.1e\n", k,
                          cases[i][0], cases[i][1], cases[i][2], lost, turned, to.kinetic / from.kinetic - 1.0);
            below("momentum lost", lost, 5e-6);
            below("angular momentum lost", turned, 2e-5);
            below("energy gained", to.kinetic / from.kinetic - 1.0, 2e-5);
            pl_world_destroy(w);
        }
}

// Two strips that a few links join. When these are taken away, each strip is a component of its own.
static void halves_of_a_torn_cloth(void **state)
{
    (void)state;
    enum
    {
        SIDE = 8,
        HALF = SIDE * SIDE,
    };
    for (int order = 1; order <= 2; order++)
    {
        static float x[6 * HALF], mass[2 * HALF];
        static int32_t index[12 * HALF], more[12 * HALF], seam[2 * SIDE];
        pl_world *w = make_world(20, 1);
        weightless(w);
        change(w, PL_SOLVER_XPBD, order == 2 ? PL_INTEGRATOR_BDF2 : PL_INTEGRATOR_BDF1, 0.0);
        for (int i = 0; i < 2 * HALF; i++)
        {
            x[3 * i] = 0.05f * (float)(i % SIDE), x[3 * i + 1] = 5.0f + 0.05f * (float)(i / SIDE), x[3 * i + 2] = 0.0f;
            mass[i] = 0.01f;
        }
        add_particles(w, 2 * HALF, x, mass);
        int count = grid_links(SIDE, index);
        for (int i = 0; i < 2 * count; i++)
            more[i] = index[i] + HALF;
        for (int i = 0; i < SIDE; i++)
            seam[2 * i] = HALF - SIDE + i, seam[2 * i + 1] = HALF + i;
        add_rows(w, PL_KIND_DISTANCE, count, index, NULL, 0.0, 1.0);
        add_rows(w, PL_KIND_DISTANCE, count, more, NULL, 0.0, 1.0);
        pl_id joint = add_rows(w, PL_KIND_DISTANCE, SIDE, seam, NULL, 0.0, 1.0);
        throw_all(w);
        steps(w, 60, 1.0 / 60.0);
        good(pl_remove(w, joint));
        good(pl_world_step(w, 1.0f / 60.0f)); // the first substep on their own still has the last one's pull
        motion from[2], to[2];
        for (int k = 0; k < 2; k++)
            from[k] = motion_of(w, k * HALF, (k + 1) * HALF, NULL);
        steps(w, 120, 1.0 / 60.0);
        for (int k = 0; k < 2; k++)
        {
            to[k] = motion_of(w, k * HALF, (k + 1) * HALF, NULL);
            print_message("BDF%d, half %d: momentum %.1e, angular momentum %.1e\n", order, k,
                          distance3(to[k].momentum, from[k].momentum) / size3(from[k].momentum),
                          distance3(to[k].angular, from[k].angular) / size3(from[k].angular));
            below("momentum lost", distance3(to[k].momentum, from[k].momentum) / size3(from[k].momentum), 1e-5);
            below("angular momentum lost", distance3(to[k].angular, from[k].angular) / size3(from[k].angular), 1e-5);
        }
        pl_world_destroy(w);
    }
}

// A grain strikes a bar beside its centre: the bar turns, with the angular momentum that the grain has lost.
static void a_contact_turns_what_it_strikes(void **state)
{
    (void)state;
    for (int iterations = 1; iterations <= 3; iterations += 2)
    {
        pl_world *w = world_of(bar, 20, iterations, 1, "");
        pl_material slick = pl_default_material(); // particles do not turn: friction between centres makes a torque
        slick.static_friction = slick.kinetic_friction = 0.0f;
        good(pl_set_material(w, 0, &slick));
        const int end = pl_particle_end(w);
        const float top = 2.2f, x[3] = {1.55f, top + 0.1f, 3.1f}, mass = 1.0f, v[3] = {0.0f, -1.0f, 0.0f};
        const double none[3] = {0.0, 0.0, 0.0};
        for (int i = 0; i < end; i++)
            good(pl_set(w, PL_ATTRIBUTE_RADIUS, i, 1, &(float){0.04f}));
        add_particles(w, 1, x, &mass);
        good(pl_set(w, PL_ATTRIBUTE_VELOCITY, end, 1, v));
        good(pl_set(w, PL_ATTRIBUTE_RADIUS, end, 1, &(float){0.04f}));
        motion before = motion_of(w, end, end + 1, none);
        steps(w, 60, 1.0 / 60.0);
        motion all = motion_of(w, 0, end + 1, none), struck = motion_of(w, 0, end, NULL);
        print_message("%d iterations: %.4f of %.4f kg m^2/s about z, the bar about its centre %.4f\n", iterations,
                      all.angular[2], before.angular[2], struck.angular[2]);
        near("angular momentum of both", distance3(all.angular, before.angular) / size3(before.angular), 0.0, 1e-5);
        near("momentum of both", distance3(all.momentum, before.momentum) / size3(before.momentum), 0.0, 1e-5);
        // 5 % of the angular momentum turns the bar: had its component given that back, the sum above would miss it.
        below("what turns the bar", struck.angular[2], -0.05);
        below("the push on the bar", struck.momentum[1], -0.1);
        pl_world_destroy(w);
    }
}

// The same bits, over threads and SIMD widths, and through a snapshot, while components come apart and are joined.
static uint64_t busy(int threads, int lanes, bool saved)
{
    enum
    {
        SIDE = 70, // more than one block of chunks
    };
    static float x[3 * SIDE * SIDE], mass[SIDE * SIDE];
    static int32_t index[12 * SIDE * SIDE];
    pl_world_def def = pl_default_world_def();
    pl_world *w;
    def.threads = threads, def.lanes = lanes;
    def.settings.substeps = 4, def.settings.iterations = 2;
    def.settings.integrator = PL_INTEGRATOR_BDF2;
    def.settings.internal_damping = 0.2f;
    good(pl_world_create(&def, &w));
    for (int i = 0; i < SIDE * SIDE; i++)
    {
        x[3 * i] = 0.011f * (float)(i % SIDE), x[3 * i + 2] = 0.011f * (float)(i / SIDE);
        x[3 * i + 1] = 0.001f * (float)(i % 5);
        mass[i] = 0.01f;
    }
    add_particles(w, SIDE * SIDE, x, mass);
    int count = grid_links(SIDE, index);
    for (int i = 0; i < 2 * count; i++)
        if (index[i] % 7 == 6) // strips
            index[i & ~1] = index[i | 1] = -1;
    int left = 0;
    for (int i = 0; i < count; i++)
        if (index[2 * i] >= 0)
            index[2 * left] = index[2 * i], index[2 * left + 1] = index[2 * i + 1], left++;
    add_rows(w, PL_KIND_DISTANCE, left, index, NULL, 1e-5, 1.0);
    const int32_t bridge[2] = {SIDE / 2, SIDE / 2 + 1};
    for (int f = 0; f < 8; f++)
    {
        if (f == 2)
            add_rows(w, PL_KIND_DISTANCE, 1, bridge, NULL, 0.0, 1.0);
        if (f == 4)
            good(pl_set(w, PL_ATTRIBUTE_MASS, 0, 1, &(float){0.0f}));
        if (f == 5)
            good(pl_set(w, PL_ATTRIBUTE_MASS, SIDE * SIDE - 1, 1, &(float){0.0f}));
        if (saved && f % 2)
        {
            void *data;
            size_t size;
            good(pl_world_save_memory(w, &data, &size));
            pl_world_destroy(w);
            good(pl_world_load_memory(&def, data, size, &w));
            pl_free(data);
        }
        good(pl_world_step(w, 1.0f / 60.0f));
    }
    uint64_t hash = pl_world_hash(w);
    pl_world_destroy(w);
    return hash;
}

static void the_same_bits(void **state)
{
    (void)state;
    uint64_t wanted = busy(1, 1, false);
    for (int i = 0; pl_lane_widths()[i]; i++)
        for (int threads = 1; threads <= 3; threads += 2)
            assert_true(busy(threads, pl_lane_widths()[i], threads > 1) == wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_balloon_stays_at_rest), cmocka_unit_test(free_bodies_keep_what_they_have),
        cmocka_unit_test(halves_of_a_torn_cloth),  cmocka_unit_test(a_contact_turns_what_it_strikes),
        cmocka_unit_test(the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
