// Tetrahedra of every shape at many spacings: angles, orientation, surface, volume, topology, bits; and refusals.
// long: too
#include "support/long.h"
#include "solids.h"

static void check_tets(memory *m, const char *name, const pl_mesh *mesh, const pl_tets *t)
{
    tets_measure r = tets_measure_all(t);
    assert_int_equal(r.inverted, 0);
    if (!(degrees(r.smallest) >= 10.0 && degrees(r.largest) <= 165.0))
        fail_msg("%s: dihedral angles reach from %.3f to %.3f degrees", name, degrees(r.smallest), degrees(r.largest));
    mesh_view skin = {name, t->vertices, t->triangles, t->vertex_count, t->triangle_count};
    good(mesh_check(m, &skin, 1));
    near_to("the volume within the surface", mesh_volume(&skin) / r.volume, 1.0, 1e-6);

    int32_t *weld, *used; // no vertex twice, none without a tetrahedron
    int on_surface = 0;
    good(take_items(m, &weld, t->vertex_count, sizeof *weld));
    good(take_items(m, &used, t->vertex_count, sizeof *used));
    good(mesh_weld(m, &skin, weld));
    for (int i = 0; i < 4 * t->tet_count; i++)
        used[t->tets[i]] |= 1;
    for (int i = 0; i < 3 * t->triangle_count; i++)
        used[t->triangles[i]] |= 2;
    for (int i = 0; i < t->vertex_count; i++)
    {
        assert_int_equal(weld[i], i);
        assert_true(used[i] & 1);
        on_surface += used[i] >> 1;
    }
    assert_int_equal(euler(on_surface, t->triangle_count), euler(mesh->vertex_count, mesh->triangle_count));
    for (int i = 0; i < t->triangle_count; i++) // an owner has its triangle's corners
        for (int k = 0; k < 3; k++)
        {
            const int32_t *o = t->tets + 4 * t->owners[i];
            int32_t v = t->triangles[3 * i + k];
            assert_true(o[0] == v || o[1] == v || o[2] == v || o[3] == v);
        }
    drop_items(m, &weld, t->vertex_count, sizeof *weld);
    drop_items(m, &used, t->vertex_count, sizeof *used);
}

// The surface's vertices lie on the mesh.
static void check_skin(memory *m, const mesh_view *mesh, const pl_tets *t)
{
    mesh_field f;
    good(mesh_field_open(m, mesh, &f));
    for (int i = 0; i < 3 * t->triangle_count; i++)
        near_to("a surface vertex's distance", (double)mesh_field_probe(&f, t->vertices + 3 * t->triangles[i]).distance,
                0.0, 2e-6);
    mesh_field_close(m, &f);
}

static void every_shape(void **state)
{
    (void)state;
    const double spacings[] = {0.15, 0.1, 0.077, 0.06, 0.04};
    const char *name;
    for (int i = 0; (name = shape_mesh_name(i)); i++)
    {
        memory m = open_memory();
        pl_mesh mesh = make_shape(&m, name, 0.0f);
        mesh_view view = view_of(&mesh, name);
        double volume = mesh_volume(&view), first = 0.0, last = 0.0;
        for (int k = i < 4 ? 0 : 1; k < 5; k += is_long() || k == 4 ? 1 : 4 - k) // handle and arms want 0.1 m
        {
            pl_tets t;
            good(tetrahedralise(&m, &view, spacings[k], &t));
            check_tets(&m, name, &mesh, &t);
            check_skin(&m, &view, &t);
            last = fabs(tets_measure_all(&t).volume / volume - 1.0);
            first = first > 0.0 ? first : last;
            tets_drop(&m, &t);
        }
        if (!(last < 0.02 && last < 0.35 * first))
            fail_msg("%s: the volume errs by %g at the coarsest and %g at the finest spacing", name, first, last);
        mesh_drop(&m, &mesh);
        assert_int_equal(m.bytes, 0);
    }
}

// Wherever the shape lies to the lattice, and however it is turned and squeezed.
static void every_pose(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < (is_long() ? 24 : 8); i++)
    {
        memory m = open_memory();
        pl_mesh mesh = make_shape(&m, shape_mesh_name(i % 4), 0.0f);
        float a[9];
        for (int k = 0; k < 9; k++)
            a[k] = 0.3f * dice(&seed) + (k % 4 == 0 ? 1.0f : 0.0f);
        for (int v = 0; v < mesh.vertex_count; v++)
        {
            float *x = mesh.vertices + 3 * v, p[3] = {x[0], x[1], x[2]};
            for (int k = 0; k < 3; k++)
                x[k] = a[3 * k] * p[0] + a[3 * k + 1] * p[1] + a[3 * k + 2] * p[2] + 10.0f * a[k];
        }
        mesh_view view = view_of(&mesh, "turned");
        pl_tets t;
        good(tetrahedralise(&m, &view, 0.06 + 0.03 * (double)dice(&seed), &t));
        check_tets(&m, "turned", &mesh, &t);
        tets_drop(&m, &t);
        mesh_drop(&m, &mesh);
    }
}

// A shell inside, turned inwards, is a cavity.
static void hollow(void **state)
{
    (void)state;
    memory m = open_memory();
    pl_mesh outer = make_shape(&m, "sphere", 0.1f), mesh = {0};
    int n = outer.vertex_count, c = outer.triangle_count;
    good(take_items(&m, &mesh.vertices, 2 * n, 12));
    good(take_items(&m, &mesh.triangles, 2 * c, 12));
    mesh.vertex_count = 2 * n;
    mesh.triangle_count = 2 * c;
    for (int i = 0; i < 3 * n; i++)
    {
        mesh.vertices[i] = outer.vertices[i];
        mesh.vertices[3 * n + i] = 0.5f * outer.vertices[i];
    }
    for (int i = 0; i < 3 * c; i++)
    {
        mesh.triangles[i] = outer.triangles[i];
        mesh.triangles[3 * c + i] = n + outer.triangles[i / 3 * 3 + 2 - i % 3];
    }
    mesh_view view = view_of(&mesh, "hollow");
    pl_tets t;
    good(tetrahedralise(&m, &view, 0.05, &t));
    check_tets(&m, "hollow", &mesh, &t);
    near_to("the volume", tets_measure_all(&t).volume / mesh_volume(&view), 1.0, 0.02);
    tets_drop(&m, &t);
    mesh_drop(&m, &mesh);
    mesh_drop(&m, &outer);
    assert_int_equal(m.bytes, 0);
}

static void bits(void **state)
{
    (void)state;
    static const uint64_t wanted[6] = {0x9fea71dd2cfbf7a7, 0x634e0b8afc6be021, 0x9efae64d8bb32da4,
                                       0xdcb07a14da017edd, 0x604ba735faca04d5, 0xa8ee4aad4a6122b2};
    memory m = open_memory();
    int wrong = 0;
    const char *name;
    for (int i = 0; (name = shape_mesh_name(i)); i++)
    {
        pl_mesh mesh = make_shape(&m, name, 0.0f);
        mesh_view view = view_of(&mesh, name);
        pl_tets t;
        good(tetrahedralise(&m, &view, 0.08, &t));
        wrong += other_hash(name, hash_tets(&t), wanted[i]);
        tets_drop(&m, &t);
        mesh_drop(&m, &mesh);
    }
    assert_int_equal(wrong, 0);
}

static void refusals(void **state)
{
    (void)state;
    memory m = open_memory();
    pl_mesh mesh = make_shape(&m, "torus", 0.0f);
    pl_tets t = {.tet_count = 3};
    refused(pl_tetrahedralise(&mesh, -1.0f, &t), PL_ERROR_ARGUMENT, "spacing of the tetrahedra is -1 m");
    assert_true(t.tet_count == 0 && !t.tets);
    refused(pl_tetrahedralise(&mesh, 0.6f, &t), PL_ERROR_ARGUMENT, "use a smaller");
    refused(pl_tetrahedralise(NULL, 0.1f, &t), PL_ERROR_ARGUMENT, "mesh");
    refused(pl_tetrahedralise(&mesh, 0.1f, NULL), PL_ERROR_ARGUMENT, "out");
    mesh.triangle_count--;
    refused(pl_tetrahedralise(&mesh, 0.1f, &t), PL_ERROR_ARGUMENT, "the mesh is open: the edge from vertex");
    mesh.triangle_count++;
    good(pl_tetrahedralise(&mesh, 0.1f, &t));
    pl_tets_free(&t);
    assert_null(t.tets);
    pl_tets_free(NULL);
    mesh_drop(&m, &mesh);

    // A thread between two balls is lost on a coarse lattice.
    mesh = make_shape(&m, "capsule", 0.05f);
    for (int v = 0; v < mesh.vertex_count; v++)
        if (fabsf(mesh.vertices[3 * v + 1]) < 0.2f)
        {
            mesh.vertices[3 * v] *= 0.02f;
            mesh.vertices[3 * v + 2] *= 0.02f;
            mesh.vertices[3 * v] += 0.003f; // beside the lattice's middle
            mesh.vertices[3 * v + 2] += 0.04f;
        }
    refused(pl_tetrahedralise(&mesh, 0.1f, &t), PL_ERROR_ARGUMENT, "the tetrahedra fall into 2 pieces, the mesh has 1");
    mesh_drop(&m, &mesh);
    assert_int_equal(m.bytes, 0);
}

static pl_result make_and_fill(memory *m)
{
    pl_mesh_def d = shape_def("capsule", 0.3f);
    pl_mesh mesh;
    pl_tets t = {0};
    pl_result result = shape_mesh(m, &d, &mesh);
    mesh_view view = view_of(&mesh, "capsule");
    if (result == PL_OK)
        result = tetrahedralise(m, &view, 0.3, &t);
    tets_drop(m, &t);
    mesh_drop(m, &mesh);
    return result;
}

static void out_of_memory(void **state)
{
    (void)state;
    fails_cleanly(make_and_fill);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_shape), cmocka_unit_test(every_pose),
                                       cmocka_unit_test(hollow),      cmocka_unit_test(bits),
                                       cmocka_unit_test(refusals),    cmocka_unit_test(out_of_memory)};
    return cmocka_run_group_tests_name("tet_mesh", tests, NULL, NULL);
}
