// Shapes made by code: closed, outward, as large as they should be, and the same bits everywhere.
#include "solids.h"

static const char *const names[] = {"box", "sphere", "torus", "capsule", "teapot", "octopus"};

static void closed_and_outward(void **state)
{
    (void)state;
    static const int wanted[6] = {2, 2, 0, 2, 0, 2}; // the torus and the teapot's handle have a hole
    for (int i = 0; i < 6; i++)
        for (int fine = 0; fine < 5; fine++)
        {
            memory m = open_memory();
            pl_mesh mesh = make_shape(&m, names[i], (const float[]){0.0f, 0.05f, 0.062f, 0.071f, 1.0f}[fine]);
            mesh_view v = view_of(&mesh, names[i]);
            good(mesh_check(&m, &v, 1));
            assert_int_equal(euler(mesh.vertex_count, mesh.triangle_count), wanted[i]);
            int32_t *weld, pinch;
            good(take_items(&m, &weld, mesh.vertex_count, sizeof *weld));
            good(mesh_weld(&m, &v, weld));
            for (int k = 0; k < mesh.vertex_count; k++)
                assert_int_equal(weld[k], k); // no vertex twice
            good(shells_find_pinch(&m, &v, &pinch));
            assert_int_equal(pinch, -1);
            drop_items(&m, &weld, mesh.vertex_count, sizeof *weld);
            mesh_drop(&m, &mesh);
            assert_int_equal(m.bytes, 0);
        }
    for (int i = 0; i < 6; i++)
        assert_string_equal(shape_mesh_name(i), names[i]);
    assert_null(shape_mesh_name(6));
    assert_null(shape_mesh_name(-1));
}

static double volume_of(const char *shape, float edge)
{
    memory m = open_memory();
    pl_mesh mesh = make_shape(&m, shape, edge);
    mesh_view v = view_of(&mesh, shape);
    double volume = mesh_volume(&v);
    mesh_drop(&m, &mesh);
    return volume;
}

// Inscribed meshes miss a part that falls with the square of the edge.
static void volumes(void **state)
{
    (void)state;
    const double pi = 3.141592653589793;
    near_to("box", volume_of("box", 0.1f), 0.63, 1e-6);
    const double wanted[3] = {4.0 / 3.0 * pi * 0.125, 2.0 * pi * pi * 0.5 * 0.04,
                              pi * 0.25 * 0.6 + 4.0 / 3.0 * pi * 0.125};
    static const char *const round[3] = {"sphere", "torus", "capsule"};
    for (int i = 0; i < 3; i++)
    {
        double coarse = 1.0 - volume_of(round[i], 0.08f) / wanted[i],
               fine = 1.0 - volume_of(round[i], 0.02f) / wanted[i];
        if (!(coarse > 0.0 && fine > 0.0 && coarse < 0.03))
            fail_msg("%s: volumes fall short by %g and %g", round[i], coarse, fine);
        near_to(round[i], coarse / fine, 16.0, 3.0);
    }
}

static void placed(void **state)
{
    (void)state;
    memory m = open_memory();
    for (int i = 0; i < 6; i++)
    {
        pl_mesh_def d = shape_def(names[i], 0.0f);
        pl_mesh here, there;
        good(shape_mesh(&m, &d, &here));
        d.centre = (pl_vec3){4.0f, -2.0f, 8.0f};
        good(shape_mesh(&m, &d, &there));
        assert_int_equal(here.triangle_count, there.triangle_count);
        for (int k = 0; k < 3 * here.vertex_count; k++)
            near_to("moved", (double)there.vertices[k] - (double)here.vertices[k],
                    (const double[]){4.0, -2.0, 8.0}[k % 3], 1e-6);
        mesh_view v = view_of(&here, names[i]);
        double low[3], high[3];
        mesh_box(&v, low, high);
        for (int k = 0; k < 3; k++)
            near_to("middle", low[k] + high[k], 0.0, i < 4 ? 0.02 : 0.1);
        mesh_drop(&m, &here);
        mesh_drop(&m, &there);
    }
}

static void bits(void **state)
{
    (void)state;
    static const uint64_t wanted[6] = {0x659508b7426033c1, 0x258431b29a4ef0e0, 0xf77bb9e8d31698c5,
                                       0x2cfa26207822cb8c, 0x8c72afb791e6e1fd, 0xdd9b11b4b3f27301};
    memory m = open_memory();
    int wrong = 0;
    for (int i = 0; i < 6; i++)
    {
        pl_mesh mesh = make_shape(&m, names[i], 0.0f);
        wrong += other_hash(names[i], hash_mesh(&mesh), wanted[i]);
        mesh_drop(&m, &mesh);
    }
    assert_int_equal(wrong, 0);
}

static pl_result try_def(pl_mesh_def d)
{
    pl_mesh mesh = {.vertex_count = 7};
    pl_result result = pl_mesh_make(&d, &mesh);
    if (result != PL_OK)
        assert_true(mesh.vertex_count == 0 && !mesh.vertices && !mesh.triangles);
    pl_mesh_free(&mesh);
    return result;
}

static void refusals(void **state)
{
    (void)state;
    pl_mesh_def d = shape_def("sphere", 0.1f);
    good(try_def(d));
    d.shape = "spoon";
    refused(try_def(d), PL_ERROR_ARGUMENT, "there is no shape 'spoon'; there are box, sphere");
    d.shape = NULL;
    refused(try_def(d), PL_ERROR_ARGUMENT, "there is no shape '(none)'");
    d.shape = "sphere";
    d.radius = 0.0f;
    refused(try_def(d), PL_ERROR_ARGUMENT, "mesh 'sphere': radius is 0 m; it must be above 0");
    d.radius = NAN;
    refused(try_def(d), PL_ERROR_ARGUMENT, "radius is nan m");
    d.radius = 1.0f;
    d.centre.y = INFINITY;
    refused(try_def(d), PL_ERROR_ARGUMENT, "centre.y is inf m");
    d.centre.y = 0.0f;
    d.edge = -1.0f;
    refused(try_def(d), PL_ERROR_ARGUMENT, "edge is -1 m");
    d.edge = 1e-5f;
    refused(try_def(d), PL_ERROR_ARGUMENT, "make too many; use 0.0012 m or more");
    d.edge = 0.1f;
    d.shape = "torus";
    d.tube = 1.0f;
    refused(try_def(d), PL_ERROR_ARGUMENT, "the tube must be thinner than the radius");
    d.shape = "capsule";
    d.length = -1.0f;
    refused(try_def(d), PL_ERROR_ARGUMENT, "length is -1 m");
    d.shape = "box";
    d.size.z = -1.0f;
    refused(try_def(d), PL_ERROR_ARGUMENT, "mesh 'box': size.z is -1 m");
    refused(pl_mesh_make(NULL, &(pl_mesh){0}), PL_ERROR_ARGUMENT, "def");
    refused(pl_mesh_make(&d, NULL), PL_ERROR_ARGUMENT, "out");
    pl_mesh_free(NULL);
}

static pl_result make_all(memory *m)
{
    pl_result result = PL_OK;
    for (int i = 0; result == PL_OK && i < 6; i++)
    {
        pl_mesh_def d = shape_def(names[i], i < 4 ? 0.2f : 1.0f);
        pl_mesh mesh;
        result = shape_mesh(m, &d, &mesh);
        mesh_drop(m, &mesh);
    }
    return result;
}

static void out_of_memory(void **state)
{
    (void)state;
    fails_cleanly(make_all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(closed_and_outward),
                                       cmocka_unit_test(volumes),
                                       cmocka_unit_test(placed),
                                       cmocka_unit_test(bits),
                                       cmocka_unit_test(refusals),
                                       cmocka_unit_test(out_of_memory)};
    return cmocka_run_group_tests_name("shapes_mesh", tests, NULL, NULL);
}
