// test_export_fluid.c: what exports write of a fluid: the mesh of its surface, in every frame another one.
#include "io/exports.h"
#include "io/obj.h"

static const char drop[] =
    "{\"substeps\": 4, \"iterations\": 2, \"fluid\": {\"form\": \"ball\", \"size\": [0.16, 0.16, "
    "0.16], \"velocity\": [0, 1, 0]}, \"cloth\": {\"size\": [3, 2], \"origin\": [1, 0, 0]}}";

static pl_fluid_surface surface_of(const pl_world *world)
{
    pl_fluid_surface_def def = pl_default_fluid_surface_def();
    pl_fluid_surface s;
    assert_int_equal(pl_make_fluid_surface(world, &def, &s), PL_OK);
    assert_true(s.triangle_count > 500);
    return s;
}

// Exports the start and two steps; the world is then as it was exported last.
static pl_world *export_drop(const char *path)
{
    struct exporter *e = NULL;
    pl_world *world = world_of(drop);
    assert_int_equal(export_open(path, world, 2, (struct export_timing){.dt = 0.02f}, &e), PL_OK);
    for (int i = 0; i < 3; i++)
    {
        assert_int_equal(i ? pl_world_step(world, 0.02f) : PL_OK, PL_OK);
        assert_int_equal(export_frame(e, world), PL_OK);
    }
    assert_int_equal(export_close(e), PL_OK);
    return world;
}

// Only what has triangles is in an OBJ: the cloth, then the surface.
static void obj_has_the_surface(void **state)
{
    (void)state;
    char path[256];
    size_t length;
    struct store store = {0};
    struct obj_mesh mesh = {0};
    pl_world *world = export_drop(in_folder("a_%d.obj", path));
    pl_fluid_surface s = surface_of(world);
    char *text = slurp("a_2.obj", &length);
    assert_non_null(strstr(text, "o surfaces\n"));
    assert_non_null(strstr(text, "o fluid\n"));
    assert_int_equal(obj_parse(&store, text, length, "a_2.obj", &mesh), PL_OK);
    assert_int_equal(mesh.vertex_count, 6 + s.vertex_count);
    assert_int_equal(mesh.triangle_count, 4 + s.triangle_count);
    assert_memory_equal(mesh.vertices + 3 * 6, s.vertices, 3 * (size_t)s.vertex_count * sizeof(float));
    for (int i = 0; i < 3 * s.triangle_count; i++)
        assert_int_equal(mesh.triangles[12 + i], 6 + s.triangles[i]);
    free(text);
    pl_free_fluid_surface(&s);
    pl_world_destroy(world);
    store_free(&store);
}

// Behind the particles come the vertices of the surface.
static void ply_and_vtp_have_the_surface(void **state)
{
    (void)state;
    char path[256], words[128];
    size_t length;
    pl_world *world = export_drop(in_folder("b.ply", path));
    pl_fluid_surface s = surface_of(world);
    int points = pl_particle_end(world) + s.vertex_count;
    char *text = slurp("b.ply", &length);
    snprintf(words, sizeof words, "element vertex %d\n", points);
    assert_non_null(strstr(text, words));
    snprintf(words, sizeof words, "element face %d\n", 4 + s.triangle_count);
    assert_non_null(strstr(text, words));
    free(text);
    pl_world_destroy(world);
    world = export_drop(in_folder("b.pvd", path));
    text = slurp("b_0002.vtp", &length);
    snprintf(words, sizeof words, "NumberOfPoints=\"%d\"", points);
    assert_non_null(strstr(text, words));
    snprintf(words, sizeof words, "NumberOfPolys=\"%d\"", 4 + s.triangle_count);
    assert_non_null(strstr(text, words));
    free(text);
    pl_free_fluid_surface(&s);
    pl_world_destroy(world);
}

// All frames of a PC2 have the same points: the particles.
static void pc2_has_the_particles(void **state)
{
    (void)state;
    char path[256];
    size_t length;
    pl_world *world = export_drop(in_folder("c.pc2", path));
    char *text = slurp("c.pc2", &length);
    assert_int_equal(u32_at(text + 16), pl_particle_end(world));
    free(text);
    pl_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(obj_has_the_surface, empty_folder, empty_folder),
        cmocka_unit_test_setup_teardown(ply_and_vtp_have_the_surface, empty_folder, empty_folder),
        cmocka_unit_test_setup_teardown(pc2_has_the_particles, empty_folder, empty_folder),
    };
    return RUN_IN_FOLDER(tests);
}
