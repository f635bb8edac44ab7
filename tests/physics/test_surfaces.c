// test_skin.c: surfaces against surfaces: momentum, friction, fast sheets, tangles; what crosses is told by crossings.h.
#include "crossings.h"

#define THICK 0.01f

static pl_world *empty_world(int substeps, int iterations)
{
    pl_world_def def = pl_default_world_def();
    pl_world *world;
    def.threads = 1;
    def.settings.substeps = substeps;
    def.settings.iterations = iterations;
    def.settings.gravity = (pl_vec3){0.0f, 0.0f, 0.0f};
    good(pl_world_create(&def, &world));
    return world;
}

// Loose particles with one face, that are skin.
static pl_id add_triangle(pl_world *world, const float x[9], const float mass[3], pl_vec3 velocity)
{
    pl_id id = add_particles(world, 3, x, mass), face;
    int first, count;
    good(pl_object_range(world, id, &first, &count));
    const int32_t index[3] = {first, first + 1, first + 2};
    const float thick[3] = {THICK, THICK, THICK};
    pl_faces_def def = pl_default_faces_def();
    def.count = 1;
    def.index = index;
    def.drag = 0.0f;
    good(pl_add_faces(world, &def, &face));
    good(pl_set(world, PL_ATTRIBUTE_THICKNESS, first, 3, thick));
    throw_object(world, id, velocity.x, velocity.y, velocity.z);
    return id;
}

static void keeps_momentum(const float a[9], const float b[9])
{
    pl_world *world = empty_world(8, 2);
    const float light[3] = {0.1f, 0.2f, 0.3f}, heavy[3] = {0.5f, 0.4f, 0.7f};
    pl_material smooth = {0};
    good(pl_set_material(world, 0, &smooth)); // friction between two that are a thickness apart turns them
    pl_id one = add_triangle(world, a, light, (pl_vec3){0.2f, -1.0f, 0.1f});
    pl_id other = add_triangle(world, b, heavy, (pl_vec3){-0.1f, 0.5f, 0.0f});
    double linear[3], angular[3], before[3], turn[3];
    pl_world_momentum(world, before, turn);
    pl_vec3 was = mean_of(world, one, PL_ATTRIBUTE_VELOCITY);
    for (int i = 0; i < 12; i++)
    {
        steps(world, 1, 1.0 / 60.0);
        assert_int_equal(count_crossings(world), 0);
        pl_world_momentum(world, linear, angular);
        for (int c = 0; c < 3; c++)
        {
            // A velocity is what a substep moved over h, and positions of 1 m are known to 6e-8 m: 2.2 kg, 480 substeps/s.
            near("linear momentum", linear[c], before[c], 6e-5);
            // Forces act along n as it was at the substep's start, so the two ends of one are not quite in line: 3 mm aside.
            near("angular momentum", angular[c], turn[c], 5e-4);
        }
    }
    assert_true(mean_of(world, one, PL_ATTRIBUTE_VELOCITY).y - was.y > 0.2f); // they did meet
    assert_true(mean_of(world, one, PL_ATTRIBUTE_POSITION).y > mean_of(world, other, PL_ATTRIBUTE_POSITION).y);
    pl_world_destroy(world);
}

static void a_vertex_and_a_triangle_keep_momentum(void **state)
{
    (void)state;
    const float a[9] = {0.03f, 0.03f, 0.04f, 0.9f, 1.0f, 0.1f, -0.7f, 1.1f, 0.3f};
    const float b[9] = {-0.5f, 0.0f, -0.4f, 0.6f, 0.01f, -0.3f, 0.0f, -0.02f, 0.7f};
    keeps_momentum(a, b);
}

static void two_edges_keep_momentum(void **state)
{
    (void)state;
    const float a[9] = {-0.5f, 0.03f, 0.0f, 0.5f, 0.04f, 0.1f, 0.0f, 1.0f, 0.0f};
    const float b[9] = {0.1f, 0.0f, -0.5f, 0.0f, 0.0f, 0.6f, 0.0f, -1.0f, 0.0f};
    keeps_momentum(a, b);
}

// ---- speed ---------------------------------------------------------------------------------------------------------

static void sheets_meet(int substeps, double speed, double aside, float tilt)
{
    pl_world *world = empty_world(substeps, 1);
    pl_id above = add_sheet(world, 12, (pl_vec3){-0.25f, 0.12f, -0.25f}, (pl_vec3){0.5f, tilt, 0.0f},
                            (pl_vec3){0.0f, 0.5f * tilt, 0.5f}, THICK);
    pl_id below = add_sheet(world, 12, (pl_vec3){-0.23f, -0.1f, -0.26f}, (pl_vec3){0.5f, 0.0f, 0.02f},
                            (pl_vec3){-0.02f, 0.0f, 0.5f}, THICK);
    throw_object(world, above, aside, -0.5 * speed, 0.0);
    throw_object(world, below, 0.0, 0.5 * speed, aside);
    for (int i = 0; i < 15; i++)
    {
        steps(world, 1, 1.0 / 60.0);
        assert_int_equal(count_crossings(world), 0);
        assert_true(aside > 0.0 ||
                    mean_of(world, above, PL_ATTRIBUTE_POSITION).y > mean_of(world, below, PL_ATTRIBUTE_POSITION).y);
    }
    assert_int_equal(pl_world_penetration(world).crossings, 0);
    pl_world_destroy(world);
}

static void fast_sheets_do_not_pass(void **state)
{
    (void)state;
    sheets_meet(10, 10.0, 0.0, 0.0f);
    sheets_meet(4, 10.0, 0.0, 0.0f); // 42 mm in a substep
    sheets_meet(4, 10.0, 3.0, 0.1f);
    sheets_meet(2, 40.0, 0.0, 0.05f);
}

// ---- tangles -------------------------------------------------------------------------------------------------------

static void comes_apart(pl_world *world, int frames)
{
    long before = count_crossings(world);
    assert_true(before > 5);
    steps(world, 1, 1.0 / 60.0);
    assert_true(pl_world_penetration(world).crossings > 0); // the engine sees it too
    int frame = 0;
    while (frame < frames && count_crossings(world) > 0)
    {
        steps(world, 1, 1.0 / 60.0);
        frame++;
    }
    print_message("%ld crossings came apart in %d frames\n", before, frame);
    assert_int_equal(count_crossings(world), 0);
    assert_true(pl_world_energy(world).kinetic < 2.0); // 0.4 kg at 3 m/s
    for (int i = 0; i < 20; i++)
    {
        steps(world, 1, 1.0 / 60.0);
        assert_int_equal(count_crossings(world), 0);
    }
    assert_int_equal(pl_world_penetration(world).crossings, 0);
    pl_world_destroy(world);
}

// A sheet that hangs through another: what is below must come up again.
static void a_dipped_sheet_comes_out(void **state)
{
    (void)state;
    pl_world *world = empty_world(10, 1);
    add_sheet(world, 16, (pl_vec3){-0.3f, 0.0f, -0.3f}, (pl_vec3){0.6f, 0.0f, 0.0f}, (pl_vec3){0.0f, 0.0f, 0.6f},
              THICK);
    add_sheet(world, 12, (pl_vec3){-0.2f, -0.08f, 0.013f}, (pl_vec3){0.4f, 0.0f, 0.0f}, (pl_vec3){0.0f, 0.4f, 0.0f},
              THICK);
    comes_apart(world, 240);
}

// Two sheets that have slid into each other from their edges: neither is cut in two.
static void slit_sheets_slide_apart(void **state)
{
    (void)state;
    pl_world *world = empty_world(10, 1);
    add_sheet(world, 12, (pl_vec3){-0.4f, 0.0f, -0.2f}, (pl_vec3){0.5f, 0.0f, 0.0f}, (pl_vec3){0.0f, 0.0f, 0.4f},
              THICK);
    add_sheet(world, 12, (pl_vec3){0.0f, -0.21f, 0.013f}, (pl_vec3){0.4f, 0.02f, 0.0f}, (pl_vec3){0.0f, 0.4f, 0.01f},
              THICK);
    comes_apart(world, 240);
}

// A cloth that is bent back through itself.
static void a_cloth_through_itself_comes_out(void **state)
{
    (void)state;
    pl_world *world = empty_world(10, 1);
    const int n = 24;
    pl_id id = add_sheet(world, n, (pl_vec3){0.0f, 0.0f, 0.0f}, (pl_vec3){1.0f, 0.0f, 0.0f},
                         (pl_vec3){0.0f, 0.0f, 0.3f}, THICK);
    int first, count;
    good(pl_object_range(world, id, &first, &count));
    for (int i = 0; i < count; i++)
    {
        // Most of a turn, and on straight through where it began.
        double s = (i % n) / (double)(n - 1), z = 0.3 * (i / n) / (n - 1), turn = 5.0,
               bend = s < 0.3   ? 0.0
                      : s < 0.8 ? (s - 0.3) / 0.5
                                : 1.0;
        double r = 0.5 / turn, angle = turn * bend, x = fmin(s, 0.3) + r * sin(angle), y = r * (1.0 - cos(angle));
        if (s > 0.8)
        {
            x += (s - 0.8) * cos(angle), y += (s - 0.8) * sin(angle);
        }
        const float at[3] = {(float)x, (float)y, (float)z};
        good(pl_set(world, PL_ATTRIBUTE_POSITION, first + i, 1, at));
    }
    comes_apart(world, 240);
}

// ---- friction ------------------------------------------------------------------------------------------------------

// A sheet on one that is held, on a slope of `degrees`: how far it has come after a while, over what friction leaves.
static double slide(double degrees, double seconds)
{
    pl_world_def def = pl_default_world_def();
    pl_world *world;
    double angle = degrees * 3.14159265358979 / 180.0;
    def.threads = 1;
    def.settings.substeps = 10;
    def.settings.gravity = (pl_vec3){(float)(9.81 * sin(angle)), (float)(-9.81 * cos(angle)), 0.0f};
    good(pl_world_create(&def, &world));
    pl_material m = {.static_friction = 0.5f, .kinetic_friction = 0.4f};
    good(pl_set_material(world, 0, &m));
    pl_id floor = add_sheet(world, 16, (pl_vec3){-0.3f, 0.0f, -0.15f}, (pl_vec3){1.0f, 0.0f, 0.0f},
                            (pl_vec3){0.0f, 0.0f, 0.6f}, THICK);
    int first, count;
    good(pl_object_range(world, floor, &first, &count));
    for (int i = first; i < first + count; i++)
    {
        const float held = 0.0f;
        good(pl_set(world, PL_ATTRIBUTE_MASS, i, 1, &held));
    }
    pl_id top = add_sheet(world, 8, (pl_vec3){-0.21f, THICK, 0.02f}, (pl_vec3){0.25f, 0.0f, 0.0f},
                          (pl_vec3){0.0f, 0.0f, 0.25f}, THICK);
    double from = mean_of(world, top, PL_ATTRIBUTE_POSITION).x;
    steps(world, (int)(60.0 * seconds + 0.5), 1.0 / 60.0);
    pl_vec3 to = mean_of(world, top, PL_ATTRIBUTE_POSITION);
    near("the height of the upper sheet", to.y, THICK, 0.05 * THICK);
    assert_int_equal(count_crossings(world), 0);
    pl_world_destroy(world);
    return to.x - from;
}

static void layers_stick_and_slide(void **state)
{
    (void)state;
    const double t = 0.5, g = 9.81, angle = 35.0 * 3.14159265358979 / 180.0;
    below("the way of a sheet that sticks, at 20 degrees", fabs(slide(20.0, t)), 1e-3);
    double way = 0.5 * g * (sin(angle) - 0.4 * cos(angle)) * t * t;
    near("the way of a sheet that slides", slide(35.0, t), way, 0.05 * way);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vertex_and_a_triangle_keep_momentum),
        cmocka_unit_test(two_edges_keep_momentum),
        cmocka_unit_test(fast_sheets_do_not_pass),
        cmocka_unit_test(a_dipped_sheet_comes_out),
        cmocka_unit_test(slit_sheets_slide_apart),
        cmocka_unit_test(a_cloth_through_itself_comes_out),
        cmocka_unit_test(layers_stick_and_slide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
