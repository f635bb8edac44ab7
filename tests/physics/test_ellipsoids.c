// A pile of ellipsoids: enough of them that a colour of contacts has many rows, in every way of running it, and over a snapshot.
#include "physics/oriented.h"

enum
{
    SIDE = 5,
    LAYERS = 6,
    COUNT = SIDE * SIDE * LAYERS,
};

// balls: every so many of them stay plain balls, so that rows of contacts hold both sorts; 0: none.
static pl_world *make_pile(int threads, int lanes, int stabilise, int balls)
{
    pl_world_def def = pl_default_world_def();
    pl_orient_def orient = pl_default_orient_def();
    pl_shape_def floor = pl_default_shape_def();
    pl_world *w;
    pl_id id;
    float x[3 * COUNT], mass[COUNT], radius[COUNT], radii[3 * COUNT];
    int32_t list[COUNT];
    int turning = 0;
    for (int i = 0; i < COUNT; i++)
    {
        x[3 * i] = 0.19f * (float)(i % SIDE) + 0.002f * (float)(i * 37 % 11);
        x[3 * i + 1] = 0.05f + 0.09f * (float)(i / SIDE / SIDE) + 0.0005f * (float)(i * 23 % 13);
        x[3 * i + 2] = 0.19f * (float)(i / SIDE % SIDE) + 0.002f * (float)(i * 53 % 17);
        mass[i] = 1.0f;
        radius[i] = balls && i % balls == 0 ? 0.05f : 0.1f;
        radii[3 * i] = radii[3 * i + 2] = 0.1f;
        radii[3 * i + 1] = 0.04f;
        if (!balls || i % balls)
            list[turning++] = i;
    }
    def.threads = threads;
    def.lanes = lanes;
    def.settings.substeps = 6;
    def.settings.stabilise = stabilise;
    good(pl_world_create(&def, &w));
    add_particles(w, COUNT, x, mass);
    good(pl_set(w, PL_ATTRIBUTE_RADIUS, 0, COUNT, radius));
    if (balls)
    {
        pl_material bouncy = pl_default_material();
        bouncy.restitution = 0.5f;
        good(pl_set_material(w, 0, &bouncy));
    }
    orient.count = turning;
    orient.particles = list;
    orient.radii = radii;
    good(pl_orient(w, &orient, &id));
    floor.kind = PL_SHAPE_PLANE;
    good(pl_add_shape(w, &floor, &id));
    return w;
}

static void a_pile_of_lentils_lies_flat(void **state)
{
    (void)state;
    pl_world *w = make_pile(1, 0, 0, 0);
    steps(w, 120, 1.0 / 60.0);
    double top = 0.0, bottom = 1.0;
    for (int i = 0; i < COUNT; i++)
    {
        top = fmax(top, (double)where(w, i).y);
        bottom = fmin(bottom, (double)where(w, i).y);
    }
    print_message("centres from %.3f to %.3f m; %lld contacts\n", bottom, top,
                  (long long)pl_world_penetration(w).contacts);
    near("the lowest lies on its side; a ball would lie at 0.1", bottom, 0.04, 0.01);
    below("the highest", top, 0.15); // they slide off each other
    assert_true(pl_world_penetration(w).contacts > COUNT);
    pl_world_destroy(w);
}

static void the_same_bits(void **state)
{
    (void)state;
    static const int ways[][2] = {{1, 1}, {3, 4}, {2, 0}};
    for (int round = 0; round < 4; round++)
    {
        int stabilise = round % 2 ? 2 : 0, balls = round < 2 ? 0 : 3;
        uint64_t wanted = 0;
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        {
            pl_world *w = make_pile(ways[i][0], ways[i][1], stabilise, balls);
            steps(w, 20, 1.0 / 60.0);
            wanted = i == 0 ? pl_world_hash(w) : wanted;
            assert_int_equal(pl_world_hash(w), wanted);
            pl_world_destroy(w);
        }
        pl_world *w = make_pile(1, 0, stabilise, balls);
        steps(w, 9, 1.0 / 60.0);
        w = saved_and_loaded(w);
        steps(w, 11, 1.0 / 60.0);
        assert_int_equal(pl_world_hash(w), wanted);
        pl_world_destroy(w);
    }
}

// ---- one or two of them -------------------------------------------------------------------------------------------

static pl_quat quarter_about_z(void) { return (pl_quat){0.0f, 0.0f, 0.70710678f, 0.70710678f}; }

static void an_ellipsoid_lies_on_its_side(void **state)
{
    (void)state;
    for (int stands = 0; stands < 2; stands++)
    {
        const float x[3] = {0.0f, 0.6f, 0.0f}, mass[1] = {1.0f}, radius[1] = {0.4f};
        pl_world *w = make_world(10, 2);
        pl_shape_def ground = pl_default_shape_def();
        pl_id id;
        add_particles(w, 1, x, mass);
        good(pl_set(w, PL_ATTRIBUTE_RADIUS, 0, 1, radius));
        good(pl_add_shape(w, &ground, &id)); // a plane
        orient_one(w, 0, (pl_vec3){0.1f, 0.4f, 0.2f}, (pl_vec3){0}, 0.0f);
        pl_quat q = quarter_about_z();
        if (!stands)
            good(pl_set_orientation(w, 0, 1, &q, NULL));
        steps(w, 300, 1.0 / 60.0);
        print_message("%s: %.4f m\n", stands ? "standing" : "lying", (double)where(w, 0).y);
        near("height", (double)where(w, 0).y, stands ? 0.4 : 0.1, 2e-3);
        pl_world_destroy(w);
    }
}

// Two that are pressed together stop where their surfaces meet.
static void two_ellipsoids_meet_by_their_radii(void **state)
{
    (void)state;
    for (int end_on = 0; end_on < 2; end_on++)
    {
        const float x[6] = {-1.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f}, mass[2] = {1.0f, 1.0f}, radius[2] = {0.4f, 0.4f};
        const float pull[6] = {5.0f, 0.0f, 0.0f, -5.0f, 0.0f, 0.0f};
        pl_world *w = make_world(10, 4);
        weightless(w);
        change(w, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 1.0);
        add_particles(w, 2, x, mass);
        good(pl_set(w, PL_ATTRIBUTE_RADIUS, 0, 2, radius));
        good(pl_set(w, PL_ATTRIBUTE_FORCE, 0, 2, pull));
        for (int i = 0; i < 2; i++)
            orient_one(w, i, (pl_vec3){0.1f, 0.4f, 0.2f}, (pl_vec3){0}, 0.0f);
        pl_quat q[2] = {quarter_about_z(), quarter_about_z()};
        if (end_on)
            good(pl_set_orientation(w, 0, 2, q, NULL));
        steps(w, 300, 1.0 / 60.0);
        double apart = (double)where(w, 1).x - (double)where(w, 0).x;
        print_message("%s: %.4f m apart\n", end_on ? "end on" : "side by side", apart);
        near("distance", apart, end_on ? 0.8 : 0.2, 0.01);
        pl_world_destroy(w);
    }
}

// m g = c rho/2 A v^2, A the ellipse that it shows: an upward wind of that speed carries it.
static void the_wind_carries_ellipsoids(void **state)
{
    (void)state;
    for (int edge_on = 0; edge_on < 2; edge_on++)
    {
        const float x[3] = {0}, mass[1] = {0.02f};
        double area = acos(-1.0) * (edge_on ? 0.1 * 0.2 : 0.4 * 0.2);
        double wanted = sqrt(0.02 * GRAVITY / (0.8 * 0.6 * area));
        pl_world *w = make_world(20, 1);
        pl_settings s = pl_world_settings(w);
        s.wind.density = 1.2f;
        s.wind.velocity = (pl_vec3){0.0f, (float)wanted, 0.0f};
        s.wind.gust = 0.0f;
        good(pl_world_set_settings(w, &s));
        add_particles(w, 1, x, mass);
        orient_one(w, 0, (pl_vec3){0.1f, 0.4f, 0.2f}, (pl_vec3){0}, 0.8f);
        pl_quat q = quarter_about_z(); // its x axis then points up
        if (!edge_on)
            good(pl_set_orientation(w, 0, 1, &q, NULL));
        steps(w, 300, 1.0 / 60.0);
        float v[3];
        good(pl_get(w, PL_ATTRIBUTE_VELOCITY, 0, 1, v));
        print_message("%s: a wind of %.3f m/s leaves it %.4f m/s\n", edge_on ? "edge on" : "flat", wanted,
                      (double)v[1]);
        near("speed", (double)v[1], 0.0, 0.01 * wanted);
        pl_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pile_of_lentils_lies_flat),   cmocka_unit_test(the_same_bits),
        cmocka_unit_test(an_ellipsoid_lies_on_its_side), cmocka_unit_test(two_ellipsoids_meet_by_their_radii),
        cmocka_unit_test(the_wind_carries_ellipsoids),
    };
    return cmocka_run_group_tests_name("ellipsoids", tests, NULL, NULL);
}
