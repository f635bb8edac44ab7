// test_export_rigid.c: rigid bodies in exported files: the triangles of their shapes, at their poses, behind cloth and visuals.
#include "io/exports.h"

// A cloth of 6 particles and 4 faces, a box that is rotated and spins about its y axis, a joint to the world (which is a body
// without shapes), and a compound of two balls.
static pl_world *mixed_world(void)
{
    return world_of("{\"gravity\": [0, 0, 0], \"cloth\": {\"size\": [3, 2], \"drag\": 0}, \"rigid\": ["
                    "{\"name\": \"box\", \"position\": [5, 1, 0], \"rotation\": [0, 0, 90], \"spin\": [0, 2, 0], "
                    "\"velocity\": [1, 0, 0], \"shapes\": {\"half\": [0.5, 1, 2]}}, "
                    "{\"name\": \"balls\", \"position\": [0, 0, 9], \"shapes\": ["
                    "{\"kind\": \"sphere\", \"radius\": 0.5, \"position\": [1, 0, 0]}, "
                    "{\"kind\": \"sphere\", \"radius\": 0.5, \"position\": [-1, 0, 0]}]}], "
                    "\"joint\": {\"kind\": \"ball\", \"b\": \"balls\", \"point\": [0, 0, 9]}}");
}

enum
{
    PARTICLES = 6 + 3,  // the cloth's, two bodies, and what holds the joint
    BALL = 2 + 15 * 32, // vertices of a sphere
    POINTS = PARTICLES + 8 + 2 * BALL,
    BALL_FACES = 2 * 15 * 32,
    FACES = 4 + 12 + 2 * BALL_FACES,
};

// Whether these are the corners of the box: 8 different ones, at 1, 0.5 and 2 m of its middle.
static void is_box(const char *body, int stride, float x, float y, float z)
{
    for (int i = 0; i < 8; i++)
    {
        const char *at = body + (size_t)stride * (size_t)i;
        assert_true(fabsf(fabsf(float_at(at) - x) - 1.0f) < 1e-5f);
        assert_true(fabsf(fabsf(float_at(at + 4) - y) - 0.5f) < 1e-5f);
        assert_true(fabsf(fabsf(float_at(at + 8) - z) - 2.0f) < 1e-5f);
        for (int k = 0; k < i; k++)
        {
            assert_memory_not_equal(at, body + (size_t)stride * (size_t)k, 12);
        }
    }
}

static void ply(void **state)
{
    (void)state;
    char path[256], words[64];
    size_t length;
    pl_world *world = mixed_world();
    export_now(world, in_folder("a.ply", path));
    char *text = slurp("a.ply", &length), *body = strstr(text, "end_header\n") + strlen("end_header\n");
    snprintf(words, sizeof words, "element vertex %d\n", POINTS);
    assert_non_null(strstr(text, words));
    snprintf(words, sizeof words, "element face %d\n", FACES);
    assert_non_null(strstr(text, words));
    assert_int_equal(length, (size_t)(body - text) + 12 * POINTS + 13 * FACES);
    is_box(body + 12 * PARTICLES, 12, 5.0f, 1.0f, 0.0f);
    const char *ball = body + 12 * (PARTICLES + 8);
    for (int i = 0; i < 2 * BALL; i++)
    {
        float x = float_at(ball + 12 * i), y = float_at(ball + 12 * i + 4), z = float_at(ball + 12 * i + 8) - 9.0f;
        x -= i < BALL ? 1.0f : -1.0f;
        assert_true(fabsf(sqrtf(x * x + y * y + z * z) - 0.5f) < 1e-5f);
    }
    const char *face = body + 12 * POINTS + 13 * 4;
    for (int i = 0; i < FACES - 4; i++)
    {
        int low = i < 12 ? PARTICLES : PARTICLES + 8, high = i < 12 ? PARTICLES + 7 : POINTS - 1;
        for (int k = 0; k < 3; k++)
        {
            assert_in_range(u32_at(face + 13 * i + 1 + 4 * k), low, high);
        }
    }
    free(text);
    pl_world_destroy(world);
}

// An object for each body that has shapes; particles in no triangle are left out.
static void obj(void **state)
{
    (void)state;
    char path[256];
    size_t length;
    int points = 0, faces = 0, objects = 0, highest = 0;
    pl_world *world = mixed_world();
    export_now(world, in_folder("a.obj", path));
    char *text = slurp("a.obj", &length);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
    {
        int a, b, c;
        points += line[0] == 'v';
        if (sscanf(line, "f %d %d %d", &a, &b, &c) == 3)
        {
            faces++;
            highest = a > highest ? a : b > highest ? b : c > highest ? c : highest;
        }
        if (line[0] == 'o')
        {
            static const char *const names[] = {"o surfaces", "o rigid_0", "o rigid_1"};
            static const int before[] = {0, 4, 16};
            assert_in_range(objects, 0, 2);
            assert_string_equal(line, names[objects]);
            assert_int_equal(faces, before[objects++]);
        }
    }
    assert_int_equal(points, 6 + POINTS - PARTICLES);
    assert_int_equal(faces, FACES);
    assert_int_equal(objects, 3);
    assert_true(highest <= points);
    free(text);
    pl_world_destroy(world);
}

// Every frame has the poses of that frame, and VTP the velocities of the vertices.
static void poses_and_velocities(void **state)
{
    (void)state;
    char path[256];
    size_t length;
    struct exporter *e = NULL;
    pl_world *world = mixed_world();
    assert_int_equal(export_open(in_folder("a.pc2", path), world, 1, (struct export_timing){.dt = 0.1f}, &e), PL_OK);
    assert_int_equal(export_frame(e, world), PL_OK);
    export_now(world, in_folder("a.vtp", path));
    pl_id ids[3];
    assert_int_equal(pl_world_rigids(world, ids, 3), 3);
    pl_rigid_state s;
    assert_int_equal(pl_get_rigids(world, ids, 1, &s), PL_OK);
    s.position = (pl_vec3){7.0f, 3.0f, -1.0f};
    assert_int_equal(pl_set_rigids(world, ids, 1, &s), PL_OK);
    assert_int_equal(export_frame(e, world), PL_OK);
    assert_int_equal(export_close(e), PL_OK);
    char *text = slurp("a.pc2", &length);
    assert_int_equal(length, 32 + 2 * POINTS * 12);
    is_box(text + 32 + 12 * PARTICLES, 12, 5.0f, 1.0f, 0.0f);
    is_box(text + 32 + 12 * (POINTS + PARTICLES), 12, 7.0f, 3.0f, -1.0f);
    free(text);
    text = slurp("a.vtp", &length);
    const char *raw = strstr(text, "encoding=\"raw\">\n_") + strlen("encoding=\"raw\">\n_"), *v = raw + 8;
    assert_int_equal(u32_at(raw), 12 * POINTS);
    const char *x = v + 12 * POINTS + 8;
    for (int i = PARTICLES; i < PARTICLES + 8; i++) // v = (1, 0, 0) + (0, 2, 0) x arm
    {
        float arm_x = float_at(x + 12 * i) - 5.0f, arm_z = float_at(x + 12 * i + 8);
        assert_true(fabsf(float_at(v + 12 * i) - (1.0f + 2.0f * arm_z)) < 1e-5f);
        assert_true(fabsf(float_at(v + 12 * i + 4)) < 1e-5f);
        assert_true(fabsf(float_at(v + 12 * i + 8) + 2.0f * arm_x) < 1e-5f);
    }
    free(text);
    pl_world_destroy(world);
}

// A body that is added is written from then on; a format with one mesh for all frames refuses it.
static void a_body_comes(void **state)
{
    (void)state;
    char path[256];
    size_t length;
    struct exporter *e = NULL, *one = NULL;
    pl_world *world = mixed_world();
    pl_rigid_shape box = pl_default_rigid_shape();
    pl_rigid_def def = pl_default_rigid_def();
    def.shapes = &box, def.shape_count = 1;
    assert_int_equal(export_open(in_folder("a_%d.ply", path), world, 1, (struct export_timing){.dt = 0.1f}, &e), PL_OK);
    assert_int_equal(export_open(in_folder("a.pc2", path), world, 1, (struct export_timing){.dt = 0.1f}, &one), PL_OK);
    assert_int_equal(export_frame(e, world), PL_OK);
    assert_int_equal(export_frame(one, world), PL_OK);
    assert_int_equal(pl_add_rigid(world, &def, NULL), PL_OK);
    assert_int_equal(pl_world_step(world, 0.1f), PL_OK);
    assert_int_equal(export_frame(e, world), PL_OK);
    assert_int_equal(export_frame(one, world), PL_ERROR_ARGUMENT);
    assert_non_null(strstr(pl_error_message(), "one mesh for all"));
    export_abort(one);
    assert_int_equal(export_close(e), PL_OK);
    char *text = slurp("a_1.ply", &length), words[64];
    snprintf(words, sizeof words, "element face %d\n", FACES + 12);
    assert_non_null(strstr(text, words));
    free(text);
    pl_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ply, empty_folder, empty_folder),
        cmocka_unit_test_setup_teardown(obj, empty_folder, empty_folder),
        cmocka_unit_test_setup_teardown(poses_and_velocities, empty_folder, empty_folder),
        cmocka_unit_test_setup_teardown(a_body_comes, empty_folder, empty_folder),
    };
    return RUN_IN_FOLDER(tests);
}
