// Adding rigid bodies: mass and inertia of every shape against their formulas, compounds, principal axes, poses that are read as
// they were set, snapshots, removal, undo of a refused list, and what is refused.
#include "physics/rigid.h"

static const double pi = 3.14159265358979;

static pl_mass_properties mass_of(const pl_rigid_shape *shapes, int count)
{
    pl_mass_properties m;
    good(pl_rigid_mass(shapes, count, &m));
    return m;
}

static void is_mass(const char *name, pl_mass_properties m, double mass, double x, double y, double z)
{
    print_message("%s\n", name);
    near_to("mass", (double)m.mass / mass, 1.0, 1e-6);
    near_to("x inertia", (double)m.inertia[0] / x, 1.0, 2e-6);
    near_to("y inertia", (double)m.inertia[1] / y, 1.0, 2e-6);
    near_to("z inertia", (double)m.inertia[2] / z, 1.0, 2e-6);
    for (int i = 3; i < 6; i++)
        near_to("product of inertia", (double)m.inertia[i] / x, 0.0, 1e-6);
}

static void shapes_have_their_mass(void **state)
{
    (void)state;
    pl_rigid_shape s = pl_default_rigid_shape();
    const double r = 0.3, l = 0.8;
    s.half = (pl_vec3){0.1f, 0.2f, 0.4f}, s.radius = (float)r, s.length = (float)l, s.density = 500.0f;
    s.kind = PL_RIGID_BOX;
    double m = 500.0 * 8.0 * 0.1 * 0.2 * 0.4;
    is_mass("box", mass_of(&s, 1), m, m / 3.0 * 0.2, m / 3.0 * 0.17, m / 3.0 * 0.05);
    s.kind = PL_RIGID_SPHERE;
    m = 500.0 * 4.0 / 3.0 * pi * r * r * r;
    is_mass("sphere", mass_of(&s, 1), m, 0.4 * m * r * r, 0.4 * m * r * r, 0.4 * m * r * r);
    s.kind = PL_RIGID_CYLINDER;
    m = 500.0 * pi * r * r * l;
    double across = m * (3.0 * r * r + l * l) / 12.0;
    is_mass("cylinder", mass_of(&s, 1), m, across, 0.5 * m * r * r, across);
    s.kind = PL_RIGID_CAPSULE;
    double b = 500.0 * 4.0 / 3.0 * pi * r * r * r,
           capsule = across + b * (0.4 * r * r + 0.5 * l * (0.5 * l + 0.75 * r));
    is_mass("capsule", mass_of(&s, 1), m + b, capsule, 0.5 * m * r * r + 0.4 * b * r * r, capsule);
}

// A box as a hull, as a mesh, and as two halves, all moved and rotated.
static void a_box_is_a_box(void **state)
{
    (void)state;
    static const int32_t triangles[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                          2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    float corners[24];
    pl_rigid_shape box = pl_default_rigid_shape(), hull, mesh, halves[2];
    box.half = (pl_vec3){0.1f, 0.2f, 0.4f};
    box.position = (pl_vec3){1.0f, -2.0f, 0.5f};
    box.rotation = (pl_quat){0.1f, 0.5f, 0.7f, 0.5f};
    for (int i = 0; i < 8; i++)
    {
        corners[3 * i] = i & 1 ? 0.1f : -0.1f;
        corners[3 * i + 1] = i & 2 ? 0.2f : -0.2f;
        corners[3 * i + 2] = i & 4 ? 0.4f : -0.4f;
    }
    hull = mesh = halves[0] = halves[1] = box;
    hull.kind = PL_RIGID_HULL, hull.vertices = corners, hull.vertex_count = 8;
    mesh.kind = PL_RIGID_MESH, mesh.vertices = corners, mesh.vertex_count = 8;
    mesh.triangles = triangles, mesh.triangle_count = 12;
    const double axis[3] = {0.0, 0.0, 0.2};
    double off[3];
    turn_point(box.rotation, axis, off);
    for (int i = 0; i < 2; i++)
    {
        double side = i ? 1.0 : -1.0;
        halves[i].half.z = 0.2f;
        halves[i].position =
            (pl_vec3){(float)((double)box.position.x + side * off[0]), (float)((double)box.position.y + side * off[1]),
                      (float)((double)box.position.z + side * off[2])};
    }
    pl_mass_properties m = mass_of(&box, 1), others[3] = {mass_of(&hull, 1), mass_of(&mesh, 1), mass_of(halves, 2)};
    for (int i = 0; i < 3; i++)
    {
        near_to("mass", (double)others[i].mass, (double)m.mass, 1e-5 * (double)m.mass);
        near_to("centre", (double)others[i].centre.y, (double)m.centre.y, 1e-6);
        for (int c = 0; c < 6; c++)
            near_to("inertia", (double)others[i].inertia[c], (double)m.inertia[c], 2e-6 * (double)m.inertia[0]);
    }
}

// What a body is asked for is what it was given, whatever its principal axes and its centre of mass are.
static void poses_are_read_as_set(void **state)
{
    (void)state;
    pl_world *w = make_world(4, 1);
    pl_rigid_shape shapes[2] = {pl_default_rigid_shape(), pl_default_rigid_shape()};
    pl_rigid_def def = pl_default_rigid_def(), got;
    pl_mass_properties mass, was = {0};
    pl_id body;
    shapes[0].half = (pl_vec3){0.1f, 0.3f, 0.2f};
    shapes[1].kind = PL_RIGID_SPHERE, shapes[1].radius = 0.2f, shapes[1].position = (pl_vec3){0.4f, 0.1f, -0.3f};
    def.shapes = shapes, def.shape_count = 2;
    def.position = (pl_vec3){1.0f, 2.0f, 3.0f};
    def.rotation = (pl_quat){0.5f, -0.5f, 0.1f, 0.7f};
    def.velocity = (pl_vec3){1.0f, 0.5f, 0.0f}, def.spin = (pl_vec3){0.0f, 2.0f, 1.0f};
    def.user_data = 0x123456789abcdefu;
    good(pl_add_rigid(w, &def, &body));
    good(pl_get_rigid(w, body, &got));
    near_to("x", (double)got.position.x, 1.0, 1e-7);
    near_to("y", (double)got.position.y, 2.0, 2e-7);
    near_to("rotation", (double)got.rotation.x, 0.5, 1e-7);
    near_to("rotation", (double)got.rotation.w, 0.7, 1e-7);
    assert_true(got.spin.y == 2.0f && got.velocity.x == 1.0f && got.user_data == def.user_data);
    good(pl_rigid_mass(shapes, 2, &was));
    good(pl_get_rigid_mass(w, body, &mass));
    for (int c = 0; c < 6; c++)
        near_to("inertia", (double)mass.inertia[c], (double)was.inertia[c], 1e-6 * (double)was.inertia[0]);
    near_to("centre", (double)mass.centre.z, (double)was.centre.z, 1e-7);
    // A free body turns about its centre of mass.
    no_gravity(w);
    double first[3], last[3];
    const double centre[3] = {(double)was.centre.x, (double)was.centre.y, (double)was.centre.z};
    pl_rigid_state s = state_of(w, body);
    turn_point(s.rotation, centre, first);
    const double from = (double)s.position.x + first[0];
    play(w, 60);
    s = state_of(w, body);
    turn_point(s.rotation, centre, last);
    near_to("way of the centre of mass", (double)s.position.x + last[0] - from, 1.0, 1e-5);
    assert_int_equal(pl_rigid_shape_count(w, body), 2);
    pl_world_destroy(w);
}

static void shapes_are_kept(void **state)
{
    (void)state;
    pl_world *w = make_world(4, 1);
    const float corner[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.1f, 0.1f, 0.1f};
    const int32_t triangle[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    pl_rigid_shape shapes[3], got;
    pl_rigid_def def = pl_default_rigid_def();
    pl_id body;
    float points[15];
    int32_t faces[12];
    for (int i = 0; i < 3; i++)
        shapes[i] = pl_default_rigid_shape();
    shapes[0].kind = PL_RIGID_HULL, shapes[0].vertices = corner, shapes[0].vertex_count = 5;
    shapes[1].kind = PL_RIGID_CYLINDER, shapes[1].position.x = 3.0f;
    shapes[2].kind = PL_RIGID_MESH, shapes[2].vertices = corner, shapes[2].vertex_count = 4;
    shapes[2].triangles = triangle, shapes[2].triangle_count = 4;
    def.shapes = shapes, def.shape_count = 3;
    good(pl_add_rigid(w, &def, &body));
    assert_int_equal(pl_rigid_shape_count(w, body), 3);
    good(pl_get_rigid_shape(w, body, 0, &got, points, faces));
    assert_true(got.kind == PL_RIGID_HULL && got.vertex_count == 5 && got.triangle_count == 0);
    assert_memory_equal(points, corner, sizeof corner);
    good(pl_get_rigid_shape(w, body, 1, &got, NULL, NULL));
    assert_true(got.kind == PL_RIGID_CYLINDER && got.position.x == 3.0f && got.vertex_count == 0);
    good(pl_get_rigid_shape(w, body, 2, &got, points, faces));
    assert_memory_equal(faces, triangle, sizeof triangle);
    refused(pl_get_rigid_shape(w, body, 3, &got, NULL, NULL), PL_ERROR_ARGUMENT, "no shape 3");
    pl_world_destroy(w);
}

static void fill(pl_world *w, pl_id body[6])
{
    for (int i = 0; i < 6; i++)
    {
        pl_rigid_shape shape;
        pl_rigid_def def = box_def(&shape, (pl_vec3){0.1f, 0.2f, 0.3f}, (pl_vec3){(float)i, 0.0f, 0.0f}, 0.0f);
        shape.position.y = 0.1f * (float)i;
        def.spin = (pl_vec3){1.0f, 0.1f * (float)i, 0.3f};
        def.locks = i == 2 ? PL_LOCK_X | PL_LOCK_TURN_Y : 0;
        def.linear_damping = i == 3 ? 0.5f : 0.0f;
        def.gravity_scale = i == 4 ? 0.1f : 1.0f;
        def.type = i == 5 ? PL_RIGID_KINEMATIC : PL_RIGID_DYNAMIC;
        good(pl_add_rigid(w, &def, &body[i]));
    }
    good(pl_set_rigid_force(w, body[1], (pl_vec3){0.0f, 1.0f, 0.0f}, (pl_vec3){0.0f, 0.0f, 3.0f}));
}

// Saved, loaded, on other threads and lanes, and with bodies removed on the way.
static void the_same_bits(void **state)
{
    (void)state;
    uint64_t hash[4];
    for (int i = 0; i < 4; i++)
    {
        pl_world_def def = small_def(6, 2);
        pl_world *w;
        pl_id body[6];
        def.threads = i == 1 ? 3 : 1;
        def.lanes = i == 2 ? 1 : 0;
        good(pl_world_create(&def, &w));
        fill(w, body);
        play(w, 5);
        good(pl_remove(w, body[0]));
        play(w, 5);
        if (i == 3)
        {
            void *data;
            size_t size;
            good(pl_world_save_memory(w, &data, &size));
            pl_world_destroy(w);
            good(pl_world_load_memory(&def, data, size, &w));
            pl_free(data);
            assert_int_equal(pl_world_rigids(w, body, 6), 5);
            assert_int_equal(pl_rigid_shape_count(w, body[0]), 1);
        }
        play(w, 5);
        hash[i] = pl_world_hash(w);
        pl_world_destroy(w);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2] && hash[0] == hash[3]);
}

static void a_refused_list_adds_nothing(void **state)
{
    (void)state;
    pl_world *w = make_world(4, 1), *other = make_world(4, 1);
    pl_id body[6], twins[3];
    pl_rigid_shape shape;
    pl_rigid_def def[3];
    fill(w, body);
    fill(other, body);
    play(w, 2);
    play(other, 2);
    for (int i = 0; i < 3; i++)
        def[i] = box_def(&shape, (pl_vec3){0.1f, 0.1f, 0.1f}, (pl_vec3){0.0f, 3.0f, (float)i}, 1.0f);
    def[2].linear_damping = -1.0f;
    refused(pl_add_rigids(w, def, 3, twins), PL_ERROR_ARGUMENT, "linear_damping is -1");
    assert_int_equal(pl_world_rigids(w, NULL, 0), 6);
    play(w, 3);
    play(other, 3);
    assert_true(pl_world_hash(w) == pl_world_hash(other));
    pl_world_destroy(w);
    pl_world_destroy(other);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    pl_world *w = make_world(4, 1);
    pl_rigid_shape shape;
    const pl_rigid_def plain = box_def(&shape, (pl_vec3){0.1f, 0.1f, 0.1f}, (pl_vec3){0.0f, 0.0f, 0.0f}, 0.0f);
    pl_rigid_def def = plain;
    pl_id body, stone;
    int loose = add_one(w, 5.0f, 0.0f, 0.0f, 1.0f, &stone);
    (void)loose;
    shape.half.x = 0.0f;
    refused(pl_add_rigid(w, &def, &body), PL_ERROR_ARGUMENT, "half of box 0");
    shape.half.x = 0.1f, shape.density = 0.0f;
    refused(pl_add_rigid(w, &def, &body), PL_ERROR_ARGUMENT, "the mass is 0 kg");
    shape.density = 1.0f, def.rotation.w = 3.0f;
    refused(pl_add_rigid(w, &def, &body), PL_ERROR_ARGUMENT, "quaternion of length 3");
    def = plain, def.position.x = NAN;
    refused(pl_add_rigid(w, &def, &body), PL_ERROR_ARGUMENT, "not finite");
    def = plain, def.type = PL_RIGID_STATIC, def.spin.x = 1.0f;
    refused(pl_add_rigid(w, &def, &body), PL_ERROR_ARGUMENT, "use a kinematic one");
    def = plain, def.locks = 64;
    refused(pl_add_rigid(w, &def, &body), PL_ERROR_ARGUMENT, "locks is 64");
    pl_mass_properties odd = {1.0f, {0.0f, 0.0f, 0.0f}, {1.0f, 1.0f, 3.0f, 0.0f, 0.0f, 0.0f}};
    def = plain, def.properties = &odd;
    refused(pl_add_rigid(w, &def, &body), PL_ERROR_ARGUMENT, "at most the sum of the others");
    assert_int_equal(pl_particle_count(w), 1);
    pl_rigid_state s;
    refused(pl_get_rigids(w, &stone, 1, &s), PL_ERROR_ARGUMENT, "not a rigid body");
    good(pl_add_rigid(w, &plain, &body));
    refused(pl_move_rigid(w, body, plain.position, plain.rotation, 0.1f), PL_ERROR_ARGUMENT, "only kinematic");
    s = state_of(w, body);
    s.spin.y = INFINITY;
    refused(pl_set_rigids(w, &body, 1, &s), PL_ERROR_ARGUMENT, "body 0 is not finite");
    refused(pl_push_rigid(w, body, (pl_vec3){NAN, 0.0f, 0.0f}, plain.position), PL_ERROR_ARGUMENT, "not finite");
    good(pl_remove(w, body));
    refused(pl_get_rigids(w, &body, 1, &s), PL_ERROR_ARGUMENT, "names nothing");
    assert_int_equal(pl_world_rigids(w, NULL, 0), 0);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_have_their_mass), cmocka_unit_test(a_box_is_a_box),
        cmocka_unit_test(poses_are_read_as_set),  cmocka_unit_test(shapes_are_kept),
        cmocka_unit_test(the_same_bits),          cmocka_unit_test(a_refused_list_adds_nothing),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
