// test_shapes.c: shapes of many numbers: what is refused and in which words, that nothing is left behind, and that the bytes of all
// of them stay in order while shapes come and go.
#include "support/support.h"

#include "author/forms.h"
#include "collide/solid.h"
#include "model/world.h"

static float cube_x[24];
static int32_t cube_t[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                             2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

static pl_shape_def cube_def(pl_shape_kind kind)
{
    pl_shape_def d = pl_default_shape_def();
    for (int i = 0; i < 8; i++)
    {
        cube_x[3 * i] = i & 1 ? 1.0f : -1.0f;
        cube_x[3 * i + 1] = i & 2 ? 1.0f : -1.0f;
        cube_x[3 * i + 2] = i & 4 ? 1.0f : -1.0f;
    }
    d.kind = kind;
    d.name = "cube";
    d.vertices = cube_x, d.vertex_count = 8;
    d.triangles = cube_t, d.triangle_count = 12;
    return d;
}

static pl_world *w;

static void expect_refused(const pl_shape_def *d, const char *words)
{
    pl_id id = {0};
    size_t bytes = w->memory.bytes;
    int64_t size = w->state.shape_data_size;
    int shapes = pl_shape_count(w);
    refused(pl_add_shape(w, d, &id), PL_ERROR_ARGUMENT, words);
    assert_int_equal(pl_shape_count(w), shapes);
    assert_int_equal(w->state.shape_data_size, size);
    refused(pl_add_shape(w, d, &id), PL_ERROR_ARGUMENT, words); // room for shapes may grow once
    assert_true(w->memory.bytes <= bytes + 65536);
}

static void meshes(void **state)
{
    (void)state;
    w = make_world(2, 1);
    static const pl_shape_kind kinds[] = {PL_SHAPE_MESH, PL_SHAPE_SDF};
    for (int k = 0; k < 2; k++)
    {
        pl_shape_def d = cube_def(kinds[k]);
        int32_t broken[36];
        d.triangle_count = 11;
        expect_refused(&d, "shape 'cube': the mesh is open: the edge from vertex");
        d = cube_def(kinds[k]);
        d.triangles = broken;
        for (int i = 0; i < 12; i++)
            broken[3 * i] = cube_t[3 * i], broken[3 * i + 1] = cube_t[3 * i + 2], broken[3 * i + 2] = cube_t[3 * i + 1];
        expect_refused(&d, "shape 'cube': the mesh is inside out: its volume is -8");
        memcpy(broken, cube_t, sizeof broken);
        broken[4] = broken[5];
        expect_refused(&d, "shape 'cube': triangle 1 (vertices 1, 3, 3) has no area; remove it");
        memcpy(broken, cube_t, sizeof broken);
        broken[7] = 8;
        expect_refused(&d, "shape 'cube': triangle 2 names vertex 8; there are 8");
        broken[7] = -1;
        expect_refused(&d, "shape 'cube': triangle 2 names vertex -1");
        d = cube_def(kinds[k]);
        cube_x[16] = NAN;
        expect_refused(&d, "shape 'cube': vertex 5 has the y coordinate nan");
        cube_x[16] = INFINITY;
        expect_refused(&d, "shape 'cube': vertex 5 has the y coordinate inf");
        d = cube_def(kinds[k]);
        d.triangle_count = 0;
        expect_refused(&d, "shape 'cube': the mesh has no triangles");
        d = cube_def(kinds[k]);
        d.vertices = NULL;
        expect_refused(&d, "shape 'cube'");
        d.name = NULL;
        expect_refused(&d, k ? "sdf: " : "mesh: ");
    }
    pl_world_destroy(w);
}

static void fields(void **state)
{
    (void)state;
    w = make_world(2, 1);
    pl_shape_def d = cube_def(PL_SHAPE_SDF);
    d.spacing = 0.0007f;
    expect_refused(&d, "shape 'cube': a distance field of 28");
    expect_refused(&d, "GB, the limit is 1.074 GB; use a spacing of");
    d.spacing = 0.1f;
    d.memory_limit = 1000;
    expect_refused(&d, "the limit is 1e-06 GB");
    d.memory_limit = -1;
    expect_refused(&d, "memory_limit is -1 bytes");
    d = cube_def(PL_SHAPE_SDF);
    d.spacing = NAN;
    expect_refused(&d, "shape 'cube': the distance field's spacing is nan m");
    d = cube_def(PL_SHAPE_SDF);
    d.two_sided = true;
    expect_refused(&d, "sdf: two_sided is set; only a plane or a mesh may have it");
    d = cube_def(PL_SHAPE_HULL);
    for (int i = 0; i < 8; i++)
        cube_x[3 * i + 1] = 0.5f;
    expect_refused(&d, "shape 'cube': all 8 points of the hull lie in one plane");
    d.vertex_count = 3;
    expect_refused(&d, "shape 'cube': the hull has 3 points; give at least 4");
    d = cube_def(PL_SHAPE_HULL);
    cube_x[0] = NAN;
    expect_refused(&d, "shape 'cube': point 0 has the x coordinate nan");
    d = cube_def(PL_SHAPE_HULL);
    d.radius = -1.0f;
    expect_refused(&d, "hull: radius is -1");

    float heights[6] = {0, 1, 0, 1, 0, NAN};
    pl_shape_def g = pl_default_shape_def();
    g.kind = PL_SHAPE_HEIGHTFIELD;
    g.name = "hill";
    g.heights = heights, g.columns = 3, g.rows = 2, g.spacing = 1.0f;
    expect_refused(&g, "shape 'hill': the height in column 2, row 1 is nan");
    heights[5] = 0.0f;
    g.spacing = 0.0f;
    expect_refused(&g, "shape 'hill': the height field's spacing along x is 0 m");
    g.spacing = 1.0f;
    g.rows = 1;
    expect_refused(&g, "shape 'hill': the height field has 3 x 1 heights");
    g.rows = 2;
    g.heights = NULL;
    expect_refused(&g, "shape 'hill': the height field's heights are NULL; give columns x rows of them");
    g.kind = (pl_shape_kind)99;
    expect_refused(&g, "kind 99 does not exist");
    pl_world_destroy(w);
}

// What the n-th shape says about a point near its surface.
static float probe(int n, vec x) { return probe_solid(w->state.shape_data, &w->state.solids[n], x, 10.0f).distance; }

static void come_and_go(void **state)
{
    (void)state;
    w = make_world(2, 1);
    float heights[9] = {0, 0, 0, 0, 0.5f, 0, 0, 0, 0};
    pl_shape_def d[4] = {cube_def(PL_SHAPE_HULL), cube_def(PL_SHAPE_MESH), cube_def(PL_SHAPE_SDF),
                         pl_default_shape_def()};
    d[2].spacing = 0.25f;
    d[3].kind = PL_SHAPE_HEIGHTFIELD;
    d[3].heights = heights, d[3].columns = d[3].rows = 3, d[3].spacing = 1.0f;
    pl_id id[4];
    for (int i = 0; i < 4; i++)
        good(pl_add_shape(w, &d[i], &id[i]));
    memset(cube_x, 0, sizeof cube_x); // the world has its own
    heights[4] = 9.0f;
    pl_shape_def sphere = pl_default_shape_def();
    sphere.kind = PL_SHAPE_SPHERE;
    sphere.radius = 1.0f;
    good(pl_add_shape(w, &sphere, NULL));
    good(pl_world_step(w, 0.01f));
    vec x = vec_of(1.5f, 0.25f, 0.0f);
    for (int i = 0; i < 3; i++)
        assert_float_equal(probe(i, x), 0.5f, 1e-5f);
    assert_float_equal(probe(3, vec_of(0.0f, 0.4f, 0.0f)), -0.0816f, 0.01f);
    int64_t all = w->state.shape_data_size;
    int32_t change = w->state.shape_data_change;
    good(pl_remove(w, id[1]));
    assert_true(w->state.shape_data_size < all && w->state.shape_data_change != change);
    good(pl_world_step(w, 0.01f));
    assert_float_equal(probe(0, x), 0.5f, 1e-5f);
    assert_float_equal(probe(1, x), 0.5f, 1e-5f);
    assert_float_equal(probe(2, vec_of(0.0f, 0.4f, 0.0f)), -0.0816f, 0.01f);

    pl_shape_def back;
    good(pl_get_shape(w, id[2], &back));
    assert_int_equal(back.vertex_count, 8);
    assert_true(back.vertices[3] == 1.0f && back.triangles[1] == 2);
    int64_t count;
    static const int64_t wanted[] = {12, 0, 12, 8};
    for (int i = 0; i < 4; i++)
    {
        float corners[9 * 12];
        if (i == 1)
            continue;
        good(pl_shape_triangles(w, id[i], NULL, &count));
        assert_int_equal(count, wanted[i]);
        good(pl_shape_triangles(w, id[i], corners, &count));
        for (int k = 0; k < 9 * (int)count; k++)
            assert_true(fabsf(corners[k]) <= 1.0f);
    }
    good(pl_shape_triangles(w, pl_shape_at(w, 3), NULL, &count));
    assert_int_equal(count, 0);
    pl_world_destroy(w);
}

// Every form is closed where it says so, its corners turn the right way, and open ones are refused unless two-sided.
static void forms(void **state)
{
    (void)state;
    static const float profile[] = {0.0f, -0.5f, 0.0f, 1.0f, -0.3f, 0.0f, 0.6f, 0.4f, 0.8f, 0.0f, 0.5f, 0.0f};
    w = make_world(2, 1);
    for (int kind = 0; kind < FORM_KINDS; kind++)
        for (int thick = 0; thick < 2; thick++)
        {
            form f = {kind, {2, 0.5f, 2}, thick ? 0.1f : 0.0f, {7, 5}, profile, 4};
            int64_t v, t;
            float x[3 * 200];
            int32_t faces[3 * 200];
            form_count(&f, &v, &t);
            assert_true(v < 200 && t < 200);
            form_fill(&f, x, faces);
            pl_shape_def d = pl_default_shape_def();
            d.kind = PL_SHAPE_MESH;
            d.vertices = x, d.vertex_count = (int)v;
            d.triangles = faces, d.triangle_count = (int)t;
            bool open = kind == FORM_SHEET || (kind == FORM_BOWL && !thick);
            if (open)
                refused(pl_add_shape(w, &d, NULL), PL_ERROR_ARGUMENT, "mesh: the mesh is open");
            d.two_sided = open;
            good(pl_add_shape(w, &d, NULL));
        }
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(meshes), cmocka_unit_test(fields),
                                       cmocka_unit_test(come_and_go), cmocka_unit_test(forms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
