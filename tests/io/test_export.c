// test_export.c: the files that come out, byte for byte where it matters, and that none appears half-written.
#include "io/exports.h"

static void ply(void **state)
{
    (void)state;
    char path[256];
    size_t length;
    export_run(in_folder("a.ply", path));
    assert_int_equal(count_files(), 1);
    char *text = slurp("a.ply", &length), *body = strstr(text, "end_header\n");
    assert_non_null(body);
    body += strlen("end_header\n");
    assert_non_null(strstr(text, "element vertex 6\n"));
    assert_non_null(strstr(text, "element face 4\n"));
    assert_int_equal(length, (size_t)(body - text) + 6 * 12 + 4 * 13);
    assert_true(fabsf(float_at(body) - 1.0f) < 1e-4f && fabsf(float_at(body + 8) - 3.0f) < 1e-4f);
    assert_true(float_at(body + 4) < 2.0f); // it fell: the last frame
    assert_int_equal(body[72], 3);
    free(text);
    export_run(in_folder("b_%03d.ply", path));
    assert_int_equal(count_files(), 4);
    text = slurp("b_000.ply", &length);
    body = strstr(text, "end_header\n") + strlen("end_header\n");
    assert_true(float_at(body + 4) == 2.0f);
    free(text);
    free(slurp("b_002.ply", &length));
}

// Two cubes, of which one has a temperature.
static void warm(void **state)
{
    (void)state;
    char path[256];
    size_t length;
    pl_world *world = world_of("{\"body\": [{\"name\": \"a\", \"kind\": \"rigid\", \"form\": \"box\", \"size\": [1, 1, "
                               "1], \"spacing\": 0.5, \"visual\": false}, "
                               "{\"name\": \"b\", \"kind\": \"rigid\", \"form\": \"box\", \"size\": [1, 1, 1], "
                               "\"spacing\": 0.5, \"visual\": false, "
                               "\"position\": [5, 0, 0]}], \"heat\": {\"of\": \"b\", \"temperature\": 37}}");
    static const char *const names[] = {"w.ply", "w.vtp"};
    int count = pl_particle_count(world), each = count / 2;
    for (int i = 0; i < 2; i++)
    {
        struct exporter *e = NULL;
        assert_int_equal(export_open(in_folder(names[i], path), world, 0, (struct export_timing){.dt = 0.1f}, &e),
                         PL_OK);
        assert_int_equal(export_frame(e, world), PL_OK);
        assert_int_equal(export_close(e), PL_OK);
    }
    char *text = slurp("w.ply", &length), *body = strstr(text, "end_header\n");
    assert_non_null(strstr(text, "property float temperature\nproperty float radius\n"));
    body += strlen("end_header\n");
    assert_true(length >= (size_t)(body - text) + 20 * (size_t)count);
    for (int i = 0; i < count; i++)
    {
        float at = float_at(body + 20 * i), t = float_at(body + 20 * i + 12), r;
        assert_true(at > 2.5f ? t == 37.0f : isnan(t));
        assert_int_equal(pl_get(world, PL_ATTRIBUTE_RADIUS, i, 1, &r), PL_OK);
        assert_true(r > 0.0f && float_at(body + 20 * i + 16) == r);
        each -= at > 2.5f;
    }
    assert_int_equal(each, 0);
    free(text);
    text = slurp("w.vtp", &length);
    assert_non_null(strstr(text, "Name=\"temperature\" NumberOfComponents=\"1\" format=\"appended\""));
    // The second array, behind the velocities.
    char *raw = strstr(text, "encoding=\"raw\">\n_") + strlen("encoding=\"raw\">\n_");
    assert_true(float_at(raw + 8 + 12 * count + 8 + 4 * (count - 1)) == 37.0f);
    assert_non_null(strstr(text, "Name=\"radius\" NumberOfComponents=\"1\" format=\"appended\""));
    float radius;
    assert_int_equal(pl_get(world, PL_ATTRIBUTE_RADIUS, 0, 1, &radius), PL_OK);
    assert_true(float_at(raw + 8 + 12 * count + 8 + 4 * count + 8) == radius);
    free(text);
    pl_world_destroy(world);
}

static void pc2(void **state)
{
    (void)state;
    char path[256];
    size_t length;
    export_run(in_folder("a.pc2", path));
    assert_int_equal(count_files(), 1);
    char *text = slurp("a.pc2", &length);
    assert_int_equal(length, 32 + 3 * 6 * 12);
    assert_memory_equal(text, "POINTCACHE2", 12);
    assert_int_equal(u32_at(text + 12), 1);
    assert_int_equal(u32_at(text + 16), 6);
    assert_true(float_at(text + 20) == 0.0f);
    assert_true(float_at(text + 24) == 1.0f);
    assert_int_equal(u32_at(text + 28), 3);
    assert_true(float_at(text + 32) == 1.0f && float_at(text + 36) == 2.0f && float_at(text + 40) == 3.0f);
    free(text);
}

static void vtk(void **state)
{
    (void)state;
    char path[256];
    size_t length;
    export_run(in_folder("a.pvd", path));
    assert_int_equal(count_files(), 4);
    char *text = slurp("a.pvd", &length);
    assert_non_null(strstr(text, "<DataSet timestep=\"0\" file=\"a_0000.vtp\"/>"));
    assert_non_null(strstr(text, "file=\"a_0002.vtp\"/>"));
    free(text);
    text = slurp("a_0000.vtp", &length);
    char *raw = strstr(text, "\n_"), *end = text + length;
    assert_non_null(raw);
    raw += 2;
    assert_non_null(strstr(text, "NumberOfPoints=\"6\""));
    assert_non_null(strstr(text, "NumberOfPolys=\"4\""));
    // velocity, position, no verts (twice), connectivity, offsets: each behind its length
    static const uint32_t sizes[] = {72, 72, 0, 0, 48, 16};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    {
        assert_true(raw + 8 <= end);
        assert_int_equal(u32_at(raw), sizes[i]);
        raw += 8 + sizes[i];
    }
    assert_int_equal(u32_at(raw - 4), 12);
    assert_memory_equal(raw, "\n</AppendedData>", 16);
    free(text);
}

// Samples of a cache with a frame rate of its own lie on the line between the frames of the run.
static void a_cache_has_its_own_rate(void **state)
{
    (void)state;
    static const struct
    {
        double fps, speed;
        int samples;
        double step; // simulated seconds from one sample to the next
    } cases[] = {{0.0, 0.0, 5, 0.1},
                 {10.0, 0.0, 5, 0.1},
                 {24.0, 0.0, 10, 1.0 / 24.0},
                 {5.0, 0.0, 3, 0.2},
                 {10.0, 0.25, 17, 0.025}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        struct exporter *e = NULL;
        struct export_timing timing = {.dt = 0.1f, .fps = cases[i].fps, .speed = cases[i].speed};
        char path[256];
        size_t length;
        pl_world *world = world_of("{\"gravity\": [0, 0, 0], \"particles\": [{\"position\": [0, 0, 0], \"velocity\": "
                                   "[1, 0, 0]}, {\"position\": [1, 1, 1]}]}");
        assert_int_equal(export_open(in_folder("a.pc2", path), world, 4, timing, &e), PL_OK);
        assert_int_equal(export_frame(e, world), PL_OK);
        for (int k = 0; k < 4; k++)
        {
            assert_int_equal(pl_world_step(world, 0.1f), PL_OK);
            assert_int_equal(export_frame(e, world), PL_OK);
        }
        assert_int_equal(export_close(e), PL_OK);
        char *bytes = slurp("a.pc2", &length);
        assert_int_equal(u32_at(bytes + 28), cases[i].samples);
        assert_int_equal(length, 32 + 24 * (size_t)cases[i].samples);
        for (int k = 0; k < cases[i].samples; k++)
            assert_true(fabs((double)float_at(bytes + 32 + 24 * k) - k * cases[i].step) < 1e-6);
        free(bytes);
        pl_world_destroy(world);
    }
}

static void an_abort_leaves_nothing(void **state)
{
    (void)state;
    char path[256];
    static const char *const names[] = {"a.ply", "a.obj", "a.pc2", "a.vtp", "a.pvd"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
        struct exporter *e = NULL;
        pl_world *world = make_world();
        assert_int_equal(export_open(in_folder(names[i], path), world, 2, (struct export_timing){.dt = 0.1f}, &e),
                         PL_OK);
        export_abort(e);
        assert_int_equal(count_files(), 0);
        pl_world_destroy(world);
    }
}

static void refuses(void **state)
{
    (void)state;
    static const struct
    {
        const char *path, *words;
    } wrong[] = {{"a.mp4", "come with the viewer"},
                 {"a.glb", "not in this version"},
                 {"a.xyz", "no format"},
                 {"a", "no format"},
                 {"a_%s.ply", "bad number"},
                 {"a_%d_%d.ply", "bad number"},
                 {"a_%n.ply", "bad number"},
                 {"a_%99d.ply", "bad number"},
                 {"a_%d.pc2", "holds every frame"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    {
        assert_int_not_equal(export_check(wrong[i].path), PL_OK);
        assert_non_null(strstr(pl_error_message(), wrong[i].words));
    }
    struct exporter *e = NULL;
    pl_world *world = make_world();
    assert_int_equal(export_open("/nonexistent/folder/a.ply", world, 2, (struct export_timing){.dt = 0.1f}, &e),
                     PL_ERROR_FILE);
    assert_int_equal(export_open("/nonexistent/folder/a_%d.ply", world, 2, (struct export_timing){.dt = 0.1f}, &e),
                     PL_ERROR_FILE);
    assert_int_equal(export_open("/nonexistent/folder/a_%d.obj", world, 2, (struct export_timing){.dt = 0.1f}, &e),
                     PL_ERROR_FILE);
    assert_int_equal(export_open("/nonexistent/folder/a.pc2", world, 2, (struct export_timing){.dt = 0.1f}, &e),
                     PL_ERROR_FILE);
    assert_null(e);
    pl_world_destroy(world);
}

// A mesh that rides on a body is written behind the particles, with its triangles.
static void a_visual_follows(void **state)
{
    (void)state;
    char path[256], *end;
    size_t length;
    pl_world *world = world_of("{\"body\": {\"kind\": \"rigid\", \"form\": \"box\", \"size\": [1, 1, 1], "
                               "\"spacing\": 0.5, \"edge\": 2, \"visual\": true}}");
    export_now(world, in_folder("a.ply", path));
    char *ply = slurp("a.ply", &length);
    assert_non_null(strstr(ply, "element vertex 16\n")); // 8 particles, 8 corners
    assert_non_null(strstr(ply, "element face 12\n"));
    end = strstr(ply, "end_header\n") + 11;
    assert_true(float_at(end + 12) > 0.0f);
    for (int i = 8; i < 16; i++) // corners are half a metre off the middle, particles a quarter; they have no radius
    {
        const char *at = end + 16 * i;
        assert_true(fabsf(fabsf(float_at(at)) - 0.5f) < 1e-5f && fabsf(fabsf(float_at(at + 4)) - 0.5f) < 1e-5f);
        assert_true(float_at(at + 12) == 0.0f);
    }
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 3; k++)
            assert_in_range(u32_at(end + 16 * 16 + 13 * i + 1 + 4 * k), 8, 15);
    free(ply);
    pl_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ply, empty_folder, empty_folder),
        cmocka_unit_test_setup_teardown(warm, empty_folder, empty_folder),
        cmocka_unit_test_setup_teardown(pc2, empty_folder, empty_folder),
        cmocka_unit_test_setup_teardown(vtk, empty_folder, empty_folder),
        cmocka_unit_test_setup_teardown(a_cache_has_its_own_rate, empty_folder, empty_folder),
        cmocka_unit_test_setup_teardown(an_abort_leaves_nothing, empty_folder, empty_folder),
        cmocka_unit_test_setup_teardown(a_visual_follows, empty_folder, empty_folder),
        cmocka_unit_test(refuses),
    };
    return RUN_IN_FOLDER(tests);
}
