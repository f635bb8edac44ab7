// Bodies out of closed meshes: what they are made of, what is refused, and the same bits on any threads and lanes.
#include "author/author.h"

static pl_mesh ball(float radius)
{
    pl_mesh_def def = pl_default_mesh_def();
    pl_mesh mesh = {0};
    def.shape = "sphere";
    def.radius = radius;
    def.edge = 0.08f;
    assert_int_equal(pl_mesh_make(&def, &mesh), PL_OK);
    return mesh;
}

static const pl_body_kind kinds[] = {PL_BODY_RIGID, PL_BODY_JELLY, PL_BODY_PLASTIC, PL_BODY_SOFT, PL_BODY_BALLOON};

static pl_body_def body_of(pl_body_kind kind, const pl_mesh *mesh)
{
    pl_body_def def = pl_default_body_def();
    def.kind = kind;
    def.mesh = mesh;
    def.mass = 3.0f;
    def.spacing = 0.1f;
    def.position = (pl_vec3){0.5f, 1.0f, -0.25f};
    def.match.stiffness = kind == PL_BODY_RIGID ? 1.0f : 0.2f;
    if (kind == PL_BODY_PLASTIC)
        def.match.yield = 0.05f, def.match.creep = 10.0f;
    return def;
}

static pl_world *world_with(pl_body_kind kind, const pl_mesh *mesh, int threads, int lanes, pl_id *object)
{
    pl_world_def world_def = pl_default_world_def();
    pl_world *world = NULL;
    pl_shape_def floor = pl_default_shape_def();
    pl_body_def def = body_of(kind, mesh);
    world_def.threads = threads;
    world_def.lanes = lanes;
    world_def.settings.substeps = 8;
    assert_int_equal(pl_world_create(&world_def, &world), PL_OK);
    assert_int_equal(pl_add_shape(world, &floor, NULL), PL_OK);
    assert_int_equal(pl_add_body(world, &def, object), PL_OK);
    return world;
}

static void counts_and_masses(void **state)
{
    (void)state;
    pl_mesh mesh = ball(0.5f);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    {
        pl_id object;
        pl_world *world = world_with(kinds[k], &mesh, 1, 0, &object);
        pl_body_def def = body_of(kinds[k], &mesh);
        int first, count, wanted;
        double whole = 0.0, centre[3] = {0};
        assert_int_equal(pl_object_range(world, object, &first, &count), PL_OK);
        assert_int_equal(pl_body_particles(&def, &wanted), PL_OK);
        assert_int_equal(count, wanted);
        assert_true(count > 50);
        for (int i = 0; i < count; i++)
        {
            float mass, x[3];
            assert_int_equal(pl_get(world, PL_ATTRIBUTE_MASS, first + i, 1, &mass), PL_OK);
            assert_int_equal(pl_get(world, PL_ATTRIBUTE_POSITION, first + i, 1, x), PL_OK);
            whole += (double)mass;
            for (int c = 0; c < 3; c++)
                centre[c] += (double)mass * (double)x[c];
        }
        near_to("mass", whole, 3.0, 1e-3);
        near_to("x", centre[0] / whole, 0.5, 0.02);
        near_to("y", centre[1] / whole, 1.0, 0.02);
        near_to("z", centre[2] / whole, -0.25, 0.02);
        pl_world_destroy(world);
    }
    pl_mesh_free(&mesh);
}

// Falls on the floor, is saved on the way, and goes on as if nothing had been.
static void the_same_bits(void **state)
{
    (void)state;
    pl_mesh mesh = ball(0.5f);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    {
        uint64_t wanted = 0;
        for (int way = 0; way < 4; way++)
        {
            pl_id object;
            pl_world *world = world_with(kinds[k], &mesh, way == 1 ? 3 : 1, way == 2 ? 1 : 0, &object);
            for (int frame = 0; frame < 40; frame++)
            {
                assert_int_equal(pl_world_step(world, 1.0f / 60.0f), PL_OK);
                if (way == 3 && frame == 30)
                {
                    void *data;
                    size_t size;
                    pl_world *again = NULL;
                    pl_world_def here = pl_default_world_def();
                    assert_int_equal(pl_world_save_memory(world, &data, &size), PL_OK);
                    pl_world_destroy(world);
                    assert_int_equal(pl_world_load_memory(&here, data, size, &again), PL_OK);
                    pl_free(data);
                    world = again;
                }
            }
            if (way == 0)
                wanted = pl_world_hash(world);
            assert_true(pl_world_hash(world) == wanted);
            pl_world_destroy(world);
        }
    }
    pl_mesh_free(&mesh);
}

static void bad_bodies_are_refused(void **state)
{
    (void)state;
    pl_mesh mesh = ball(0.5f);
    pl_id object;
    pl_world *world = world_with(PL_BODY_RIGID, &mesh, 1, 0, &object);
    uint64_t before = pl_world_hash(world);
    for (int what = 0; what < 12; what++)
    {
        pl_body_def def = body_of(what == 6 || what == 10 ? PL_BODY_SOFT
                                  : what == 7             ? PL_BODY_PLASTIC
                                                          : PL_BODY_JELLY,
                                  &mesh);
        if (what == 0)
            def.mesh = NULL;
        if (what == 1)
            def.mass = 0.0f;
        if (what == 2)
            def.spacing = -1.0f;
        if (what == 3)
            def.spacing = 50.0f; // nothing fits inside
        if (what == 4)
            def.rotation = (pl_quat){0.0f, 0.0f, 0.0f, 0.0f};
        if (what == 5)
            def.match.stiffness = 2.0f;
        if (what == 6)
            def.elastic.poisson = 0.6f;
        if (what == 7)
            def.region = 0.0f;
        if (what == 8)
            def.rotation.w = 2.0f;
        if (what == 9)
            def.match.match = PL_MATCH_LINEAR, def.match.beta = 1.0f; // nothing would draw it back
        if (what == 10)
            def.thickness = -0.1f;
        if (what == 11)
            def.position.x = INFINITY;
        assert_true(pl_add_body(world, &def, &object) != PL_OK);
        assert_true(strlen(pl_error_message()) > 10);
        assert_true(what != 8 || strstr(pl_error_message(), "rotation has length 2"));
        assert_true(what != 11 || strstr(pl_error_message(), "position is inf"));
        assert_true(what != 9 || strstr(pl_error_message(), "beta is 1; it must be from 0 to 0.95"));
        assert_true(pl_world_hash(world) == before);
    }
    assert_int_equal(pl_world_step(world, 1.0f / 60.0f), PL_OK);
    pl_world_destroy(world);
    pl_mesh_free(&mesh);
}

// A body that is taken out takes its clusters, its volume and its elements with it.
static void bodies_go(void **state)
{
    (void)state;
    pl_mesh mesh = ball(0.5f);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    {
        pl_id object, second;
        pl_world *world = world_with(kinds[k], &mesh, 1, 0, &object);
        pl_body_def def = body_of(kinds[k], &mesh);
        def.position.y = 3.0f;
        assert_int_equal(pl_add_body(world, &def, &second), PL_OK);
        assert_int_equal(pl_world_step(world, 1.0f / 60.0f), PL_OK);
        assert_int_equal(pl_remove(world, object), PL_OK);
        assert_int_equal(pl_world_step(world, 1.0f / 60.0f), PL_OK);
        assert_int_equal(pl_remove(world, second), PL_OK);
        assert_int_equal(pl_particle_count(world), 0);
        assert_int_equal(pl_world_step(world, 1.0f / 60.0f), PL_OK);
        pl_world_destroy(world);
    }
    pl_mesh_free(&mesh);
}

// The thickness of what is made of elements or of a skin is twice its particles' radius; what is made of spheres keeps theirs.
static void thickness_is_twice_the_radius(void **state)
{
    (void)state;
    pl_mesh mesh = ball(0.5f);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int thick = 0; thick < 2; thick++)
        {
            pl_world_def world_def = pl_default_world_def();
            pl_world *world = NULL;
            pl_id object;
            pl_body_def def = body_of(kinds[k], &mesh);
            bool own = kinds[k] != PL_BODY_SOFT && kinds[k] != PL_BODY_BALLOON;
            float radius = -1.0f, wanted = own ? 0.05f : thick ? 0.03f : 0.0f;
            int first, count;
            def.thickness = thick ? 0.06f : 0.0f;
            assert_int_equal(pl_world_create(&world_def, &world), PL_OK);
            assert_int_equal(pl_add_body(world, &def, &object), PL_OK);
            assert_int_equal(pl_object_range(world, object, &first, &count), PL_OK);
            for (int i = first; i < first + count; i++)
            {
                assert_int_equal(pl_get(world, PL_ATTRIBUTE_RADIUS, i, 1, &radius), PL_OK);
                assert_true(radius == wanted);
            }
            pl_world_destroy(world);
        }
    pl_mesh_free(&mesh);
}

// A body is one, of however many clusters; and only what bends nowhere is rigid.
static void rigid_bodies_are_counted(void **state)
{
    (void)state;
    pl_mesh mesh = ball(0.5f);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    {
        pl_world_def world_def = pl_default_world_def();
        pl_world *world = NULL;
        pl_id object[2];
        pl_body_def def = body_of(kinds[k], &mesh);
        def.match = pl_default_cluster_material(); // rigid, each of a plastic body's clusters too
        assert_int_equal(pl_world_create(&world_def, &world), PL_OK);
        assert_int_equal(pl_add_body(world, &def, &object[0]), PL_OK);
        def.position.y += 2.0f;
        assert_int_equal(pl_add_body(world, &def, &object[1]), PL_OK);
        pl_group_info groups = pl_world_groups(world);
        assert_int_equal(groups.rigid, kinds[k] == PL_BODY_RIGID || kinds[k] == PL_BODY_JELLY ? 2 : 0);
        assert_true(kinds[k] != PL_BODY_PLASTIC || groups.clusters > 2);
        pl_group_count counts[8];
        assert_in_range(pl_group_counts(world, NULL, 0), 4, 8);
        pl_group_counts(world, counts, 8);
        assert_string_equal(counts[0].key, "clusters");
        assert_int_equal(counts[0].count, groups.clusters);
        pl_world_destroy(world);
    }
    pl_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_and_masses),
        cmocka_unit_test(the_same_bits),
        cmocka_unit_test(bad_bodies_are_refused),
        cmocka_unit_test(bodies_go),
        cmocka_unit_test(thickness_is_twice_the_radius),
        cmocka_unit_test(rigid_bodies_are_counted),
    };
    return cmocka_run_group_tests_name("body", tests, NULL, NULL);
}
