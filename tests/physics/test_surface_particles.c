// test_surface_particles.c: particles that are of no skin against triangles: momentum, restitution, friction, and
// nothing passes.
#include "contact.h"
#include "crossings.h"

#define THICK 0.01f
#define RADIUS 0.004

static pl_world *empty_world(int substeps, double down)
{
    pl_world_def def = pl_default_world_def();
    pl_world *world;
    def.threads = 1;
    def.settings.substeps = substeps;
    def.settings.gravity = (pl_vec3){0.0f, (float)-down, 0.0f};
    good(pl_world_create(&def, &world));
    return world;
}

static int first_of(const pl_world *world, pl_id id)
{
    int first, count;
    good(pl_object_range(world, id, &first, &count));
    return first;
}

// A level sheet of n x n particles, 1 m wide; held: none of them moves.
static pl_id add_level(pl_world *world, int n, bool held)
{
    pl_id id = add_sheet(world, n, (pl_vec3){-0.5f, 0.0f, -0.5f}, (pl_vec3){1.0f, 0.0f, 0.0f},
                         (pl_vec3){0.0f, 0.0f, 1.0f}, THICK);
    const float none = 0.0f;
    for (int i = first_of(world, id); held && i < first_of(world, id) + n * n; i++)
        good(pl_set(world, PL_ATTRIBUTE_MASS, i, 1, &none));
    return id;
}

static void a_grain_and_a_sheet_keep_momentum(void **state)
{
    (void)state;
    pl_world *world = empty_world(8, 0.0);
    add_level(world, 4, false);
    const float x[3] = {0.05f, 0.05f, 0.11f}, mass[1] = {0.02f};
    int particle = first_of(world, add_grains(world, 1, x, mass, RADIUS));
    set_velocity(world, particle, 0.3, -2.0, 0.1);
    double linear[3], angular[3], before[3];
    pl_world_momentum(world, before, angular);
    for (int i = 0; i < 20; i++)
    {
        steps(world, 1, 1.0 / 60.0);
        pl_world_momentum(world, linear, angular);
        for (int c = 0; c < 3; c++)
            // What roundings come to: 16 particles of 12.5 g, in 160 substeps each 3e-8 m off, 480 times a second, at
            // random.
            near("linear momentum", linear[c], before[c], 1e-5);
    }
    assert_true(velocity_of(world, particle).y > -1.0f); // they did meet, between the sheet's particles
    pl_world_destroy(world);
}

// 6 mm grains against meshes of 33 cm, from 1 to 500 m/s.
static void fast_grains_do_not_pass(void **state)
{
    (void)state;
    enum
    {
        COUNT = 400
    };
    for (int substeps = 1; substeps <= 8; substeps *= 8)
    {
        pl_world *world = empty_world(substeps, 9.81);
        frictions(world, 0.3, 0.2, 0.0, 1.0);
        add_level(world, 4, true);
        float x[3 * COUNT], mass[COUNT];
        for (int i = 0; i < COUNT; i++)
        {
            x[3 * i] = 0.04f * ((float)(i % 20) - 9.5f) + 0.01f * jitter(i, 0);
            x[3 * i + 1] = i % 2 ? 0.3f : -0.3f;
            x[3 * i + 2] = 0.04f * ((float)(i / 20) - 9.5f) + 0.01f * jitter(i, 1);
            mass[i] = 0.001f;
        }
        int first = first_of(world, add_grains(world, COUNT, x, mass, 0.003));
        for (int i = 0; i < COUNT; i++)
            set_velocity(world, first + i, 0.0, (i % 2 ? -1.0 : 1.0) * (1.0 + 499.0 * i / COUNT), 0.0);
        for (int frame = 0; frame < 10; frame++)
        {
            steps(world, 1, 1.0 / 60.0);
            for (int i = 0; i < COUNT; i++)
            {
                pl_vec3 at = where(world, first + i);
                if (fabs(at.x) < 0.5 && fabs(at.z) < 0.5)
                    assert_true(i % 2 ? at.y > 0.0f : at.y < 0.0f);
            }
        }
        pl_world_destroy(world);
    }
}

static void a_grain_rebounds(void **state)
{
    (void)state;
    const double height = 0.5, e = 0.6;
    pl_world *world = empty_world(40, 9.81);
    frictions(world, 0.0, 0.0, e, 1.0);
    add_level(world, 3, true);
    const float rest = (float)(RADIUS + 0.5 * (double)THICK), x[3] = {0.11f, (float)height + rest, 0.07f},
                mass[1] = {0.1f};
    int particle = first_of(world, add_grains(world, 1, x, mass, RADIUS));
    double top = 0.0;
    for (int i = 0; i < 70; i++)
    {
        steps(world, 1, 1.0 / 60.0);
        double y = (double)(where(world, particle).y - rest);
        top = i > 25 && velocity_of(world, particle).y < 2.0f && y > top ? y : top;
    }
    near("the height of a rebound", top, e * e * height, 0.02 * e * e * height);
    pl_world_destroy(world);
}

// The corner of a loose triangle against a held sheet: its three particles hold on to nothing, so the corner rebounds
// alone.
static void skins_rebound(void **state)
{
    (void)state;
    const float x[9] = {0.02f, 0.05f, 0.03f, 0.2f, 0.5f, 0.0f, -0.2f, 0.6f, 0.1f}, mass[3] = {0.1f, 0.2f, 0.3f},
                thick[3] = {THICK, THICK, THICK};
    pl_world *world = empty_world(20, 0.0);
    frictions(world, 0.0, 0.0, 0.5, 1.0);
    add_level(world, 4, true);
    pl_id id = add_particles(world, 3, x, mass), face;
    const int first = first_of(world, id);
    const int32_t index[3] = {first, first + 1, first + 2};
    pl_faces_def def = pl_default_faces_def();
    def.count = 1;
    def.index = index;
    def.drag = 0.0f;
    good(pl_add_faces(world, &def, &face));
    good(pl_set(world, PL_ATTRIBUTE_THICKNESS, first, 3, thick));
    set_velocity(world, first, 0.0, -2.0, 0.0);
    steps(world, 5, 1.0 / 60.0);
    near("the speed of a corner that rebounds", (double)velocity_of(world, first).y, 1.0, 0.01);
    assert_int_equal(count_crossings(world), 0);
    pl_world_destroy(world);
}

// On a slope of a held sheet, between its particles: sticks below atan mu_s, slides with g (sin - mu_k cos) above.
static double slide(double degrees, double seconds)
{
    double angle = degrees * 3.14159265358979 / 180.0;
    pl_world *world = empty_world(10, 9.81);
    pl_settings set = pl_world_settings(world);
    set.gravity = (pl_vec3){(float)(9.81 * sin(angle)), (float)(-9.81 * cos(angle)), 0.0f};
    good(pl_world_set_settings(world, &set));
    frictions(world, 0.5, 0.4, 0.0, 1.0);
    add_level(world, 3, true);
    const float x[3] = {-0.4f, (float)RADIUS + 0.5f * THICK, 0.13f}, mass[1] = {0.1f};
    int particle = first_of(world, add_grains(world, 1, x, mass, RADIUS));
    steps(world, (int)(60.0 * seconds + 0.5), 1.0 / 60.0);
    double way = (double)(where(world, particle).x - x[0]);
    pl_world_destroy(world);
    return way;
}

static void a_grain_sticks_and_slides(void **state)
{
    (void)state;
    const double t = 0.4, angle = 35.0 * 3.14159265358979 / 180.0;
    below("the way of a grain that sticks, at 20 degrees", fabs(slide(20.0, t)), 1e-3);
    double way = 0.5 * 9.81 * (sin(angle) - 0.4 * cos(angle)) * t * t;
    near("the way of a grain that slides", slide(35.0, t), way, 0.03 * way);
}

// Saved while grains lie on a sheet that moves, and gone on with: the same bits, whatever the number of threads.
static void a_snapshot_goes_on(void **state)
{
    (void)state;
    uint64_t hash[2];
    for (int run = 0; run < 2; run++)
    {
        pl_world *world = empty_world(8, 9.81);
        add_level(world, 6, false);
        float x[3 * 60], mass[60];
        for (int i = 0; i < 60; i++)
        {
            x[3 * i] = 0.03f * (float)(i % 8 - 4) + 0.001f * jitter(i, 0);
            x[3 * i + 1] = 0.015f + 0.01f * (float)(i / 30);
            x[3 * i + 2] = 0.03f * (float)(i / 8 - 4);
            mass[i] = 0.001f;
        }
        add_grains(world, 60, x, mass, RADIUS);
        steps(world, 7, 1.0 / 60.0);
        if (run)
        {
            void *data;
            size_t size;
            pl_world *copy;
            pl_world_def def = pl_default_world_def();
            def.threads = 2;
            good(pl_world_save_memory(world, &data, &size));
            good(pl_world_load_memory(&def, data, size, &copy));
            free(data);
            pl_world_destroy(world);
            world = copy;
        }
        steps(world, 10, 1.0 / 60.0);
        hash[run] = pl_world_hash(world);
        pl_world_destroy(world);
    }
    assert_true(hash[0] == hash[1]);
}

// A thickness makes a skin of faces alone: a particle in none is met by its radius, as if it had no thickness.
static void a_thickness_without_a_face_means_nothing(void **state)
{
    (void)state;
    uint64_t hash[2];
    for (int thick = 0; thick < 2; thick++)
    {
        pl_world *world = empty_world(8, 9.81);
        add_level(world, 4, true);
        const float x[9] = {0.05f, 0.03f, 0.11f, 0.051f, 0.045f, 0.11f, 0.2f, 0.02f, 0.1f},
                    thickness[3] = {3.0f * THICK, 3.0f * THICK, 3.0f * THICK};
        int first = first_of(world, add_grains(world, 3, x, NULL, RADIUS));
        steps(world, 6, 1.0 / 60.0);
        if (thick)
            good(pl_set(world, PL_ATTRIBUTE_THICKNESS, first, 3, thickness));
        steps(world, 40, 1.0 / 60.0);
        near("the height of a grain", (double)where(world, first + 2).y, RADIUS + 0.5 * (double)THICK, 1e-4);
        assert_true(pl_world_penetration(world).contacts > 0);
        hash[thick] = pl_world_hash(world);
        pl_world_destroy(world);
    }
    assert_true(hash[0] == hash[1]);
}

// Grains get places in memory by their cells every 64th frame; what they press on a skin with must go with them.
static void a_snapshot_goes_on_where_grains_change_places(void **state)
{
    (void)state;
    enum
    {
        GRAINS = 900,
        WIDE = 30,
    };
    static float x[3 * GRAINS], mass[GRAINS], v[3 * GRAINS];
    for (int i = 0; i < GRAINS; i++)
    {
        int at = i * 7919 % GRAINS; // in no order
        x[3 * i] = 0.03f * (float)(at % WIDE - WIDE / 2) + 0.001f * jitter(i, 0);
        x[3 * i + 1] = 0.012f + 0.0005f * (float)(i % 5);
        x[3 * i + 2] = 0.03f * (float)(at / WIDE - WIDE / 2);
        mass[i] = 0.001f * (float)(1 + i % 9);
        v[3 * i] = 0.1f * jitter(i, 1);
        v[3 * i + 2] = 0.1f * jitter(i, 2);
    }
    for (int saved = 63; saved < 65; saved++)
    {
        pl_world *world = empty_world(4, 9.81), *copy;
        pl_world_def def = pl_default_world_def();
        void *data;
        size_t size;
        add_level(world, 6, true);
        add_grains(world, GRAINS, x, mass, RADIUS);
        good(pl_set(world, PL_ATTRIBUTE_VELOCITY, pl_particle_end(world) - GRAINS, GRAINS, v));
        steps(world, saved, 1.0 / 60.0);
        good(pl_world_save_memory(world, &data, &size));
        good(pl_world_load_memory(&def, data, size, &copy));
        free(data);
        steps(world, 4, 1.0 / 60.0);
        steps(copy, 4, 1.0 / 60.0);
        assert_int_equal(pl_world_hash(world), pl_world_hash(copy));
        pl_world_destroy(world);
        pl_world_destroy(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grain_and_a_sheet_keep_momentum),
        cmocka_unit_test(fast_grains_do_not_pass),
        cmocka_unit_test(a_grain_rebounds),
        cmocka_unit_test(a_thickness_without_a_face_means_nothing),
        cmocka_unit_test(a_snapshot_goes_on_where_grains_change_places),
        cmocka_unit_test(skins_rebound),
        cmocka_unit_test(a_grain_sticks_and_slides),
        cmocka_unit_test(a_snapshot_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
