// test_rigid_mesh.c: the surfaces of shapes as triangles: closed, facing outwards, with the volume and the area of the shape up to
// the error of the segments; in the axes of the body; and what is refused.
#include "support/support.h"

static const double pi = 3.14159265358979;

struct surface
{
    float *vertex;
    int32_t *triangle;
    int vertices, triangles;
    double volume, area;
};

static void measure(struct surface *m)
{
    m->volume = m->area = 0.0;
    for (int i = 0; i < m->triangles; i++)
    {
        double x[3][3], u[3], v[3], n[3];
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++)
                x[k][c] = (double)m->vertex[3 * m->triangle[3 * i + k] + c];
        for (int c = 0; c < 3; c++)
            u[c] = x[1][c] - x[0][c], v[c] = x[2][c] - x[0][c];
        for (int c = 0; c < 3; c++)
            n[c] = u[(c + 1) % 3] * v[(c + 2) % 3] - u[(c + 2) % 3] * v[(c + 1) % 3];
        double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        assert_true(size > 0.0);
        m->area += 0.5 * size;
        m->volume += (n[0] * x[0][0] + n[1] * x[0][1] + n[2] * x[0][2]) / 6.0;
    }
}

// Every edge belongs to two triangles that run through it in opposite directions: the mesh is closed and faces one way.
static void is_closed(const struct surface *m)
{
    size_t n = (size_t)m->vertices;
    uint8_t *seen = calloc(n * n, 1);
    bool *used = calloc(n, 1);
    assert_true(seen && used);
    for (int i = 0; i < m->triangles; i++)
        for (int k = 0; k < 3; k++)
        {
            int32_t a = m->triangle[3 * i + k], b = m->triangle[3 * i + (k + 1) % 3];
            assert_in_range(a, 0, m->vertices - 1);
            used[a] = true;
            assert_int_equal(seen[(size_t)a * n + (size_t)b]++, 0);
        }
    for (size_t a = 0; a < n; a++)
    {
        assert_true(used[a]);
        for (size_t b = 0; b < n; b++)
            assert_int_equal(seen[a * n + b], seen[b * n + a]);
    }
    assert_int_equal(m->vertices - m->triangles / 2, 2); // Euler: a ball has no holes
    free(seen);
    free(used);
}

static struct surface surface_of(const pl_rigid_shape *s, int segments)
{
    struct surface m = {0};
    int vertices, triangles;
    good(pl_rigid_shape_mesh(s, segments, NULL, &vertices, NULL, &triangles));
    m.vertex = malloc(3 * (size_t)vertices * sizeof *m.vertex);
    m.triangle = malloc(3 * (size_t)triangles * sizeof *m.triangle);
    assert_true(m.vertex && m.triangle);
    good(pl_rigid_shape_mesh(s, segments, m.vertex, &m.vertices, m.triangle, &m.triangles));
    assert_int_equal(m.vertices, vertices);
    assert_int_equal(m.triangles, triangles);
    is_closed(&m);
    measure(&m);
    return m;
}

static void free_surface(struct surface *m)
{
    free(m->vertex);
    free(m->triangle);
}

// A polygon of n corners has the share n/(2 pi) sin(2 pi/n) of its circle: 1 - 6.6/n^2. A ball, whose rings are polygons
// too, loses up to 17/n^2.
static void has(const char *name, const pl_rigid_shape *s, double volume, double area, bool flat)
{
    for (int segments = 8; segments <= 64; segments *= 2)
    {
        struct surface m = surface_of(s, segments);
        double off = flat ? 2e-6 : 17.0 / (segments * segments);
        print_message("%s, %d segments: volume %.5f, area %.5f of the shape's\n", name, segments, m.volume / volume,
                      m.area / area);
        assert_true(m.volume < volume * (1.0 + 2e-6) && m.volume > volume * (1.0 - off));
        assert_true(m.area < area * (1.0 + 2e-6) && m.area > area * (1.0 - off));
        free_surface(&m);
    }
}

static void every_kind_has_its_volume(void **state)
{
    (void)state;
    const double r = 0.3, l = 0.8, ball = 4.0 / 3.0 * pi * r * r * r;
    pl_rigid_shape s = pl_default_rigid_shape();
    s.position = (pl_vec3){0.4f, -0.2f, 0.1f}, s.rotation = (pl_quat){0.1f, 0.5f, 0.7f, 0.5f};
    s.half = (pl_vec3){0.1f, 0.2f, 0.4f}, s.radius = (float)r, s.length = (float)l;
    has("box", &s, 8.0 * 0.1 * 0.2 * 0.4, 8.0 * (0.02 + 0.08 + 0.04), true);
    s.kind = PL_RIGID_SPHERE;
    has("sphere", &s, ball, 4.0 * pi * r * r, false);
    s.kind = PL_RIGID_CYLINDER;
    has("cylinder", &s, pi * r * r * l, 2.0 * pi * r * (r + l), false);
    s.kind = PL_RIGID_CAPSULE;
    has("capsule", &s, pi * r * r * l + ball, 2.0 * pi * r * (2.0 * r + l), false);
    s.length = 0.0f;
    has("capsule without a length", &s, ball, 4.0 * pi * r * r, false);
}

// The hull of points inside and on a cube, with repeated points; and a mesh, which comes back as it was given.
static void hulls_and_meshes(void **state)
{
    (void)state;
    float points[3 * 60];
    uint64_t seed = 7;
    for (int i = 0; i < 60; i++)
        for (int c = 0; c < 3; c++)
            points[3 * i + c] = i < 16 ? ((i >> c & 1) ? 0.5f : -0.5f) : 0.49f * dice(&seed);
    pl_rigid_shape s = pl_default_rigid_shape();
    s.kind = PL_RIGID_HULL, s.vertices = points, s.vertex_count = 60;
    struct surface cube = surface_of(&s, 16);
    assert_int_equal(cube.vertices, 8);
    assert_int_equal(cube.triangles, 12);
    near_to("volume", cube.volume, 1.0, 1e-6);
    near_to("area", cube.area, 6.0, 1e-5);
    pl_rigid_shape mesh = pl_default_rigid_shape();
    mesh.kind = PL_RIGID_MESH, mesh.vertices = cube.vertex, mesh.vertex_count = 8;
    mesh.triangles = cube.triangle, mesh.triangle_count = 12;
    struct surface same = surface_of(&mesh, 16);
    assert_memory_equal(same.vertex, cube.vertex, 24 * sizeof(float));
    assert_memory_equal(same.triangle, cube.triangle, 36 * sizeof(int32_t));
    for (int i = 0; i < 60; i++) // points on a ball
    {
        float size = 0.0f;
        while (size < 0.01f)
        {
            size = 0.0f;
            for (int c = 0; c < 3; c++)
                points[3 * i + c] = dice(&seed), size += points[3 * i + c] * points[3 * i + c];
        }
        for (int c = 0; c < 3; c++)
            points[3 * i + c] /= sqrtf(size);
    }
    struct surface round = surface_of(&s, 16);
    assert_int_equal(round.vertices, 60);
    pl_mass_properties m;
    good(pl_rigid_mass(&s, 1, &m));
    near_to("volume of the hull", round.volume, (double)m.mass / 1000.0, 1e-5);
    free_surface(&cube);
    free_surface(&same);
    free_surface(&round);
}

static void a_shape_is_placed_in_its_body(void **state)
{
    (void)state;
    pl_rigid_shape s = pl_default_rigid_shape();
    s.kind = PL_RIGID_CYLINDER, s.radius = 0.1f, s.length = 2.0f;
    s.position = (pl_vec3){3.0f, 0.0f, 0.0f}, s.rotation = (pl_quat){0.0f, 0.0f, 0.70710678f, 0.70710678f}; // y to -x
    struct surface m = surface_of(&s, 12);
    near_to("first end", (double)m.vertex[0], 4.0, 1e-6);
    near_to("last end", (double)m.vertex[3 * (m.vertices - 1)], 2.0, 1e-6);
    free_surface(&m);
}

static void refusals(void **state)
{
    (void)state;
    pl_rigid_shape s = pl_default_rigid_shape();
    int vertices = -7, triangles = -7;
    static const int wrong[] = {0, 4, 7, 10, 260, -8};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refused(pl_rigid_shape_mesh(&s, wrong[i], NULL, &vertices, NULL, &triangles), PL_ERROR_ARGUMENT,
                "a multiple of 4 from 8 to 256");
    refused(pl_rigid_shape_mesh(NULL, 8, NULL, &vertices, NULL, &triangles), PL_ERROR_ARGUMENT, "give a shape");
    refused(pl_rigid_shape_mesh(&s, 8, NULL, NULL, NULL, &triangles), PL_ERROR_ARGUMENT, "give a shape");
    s.half.x = 0.0f;
    refused(pl_rigid_shape_mesh(&s, 8, NULL, &vertices, NULL, &triangles), PL_ERROR_ARGUMENT, "half of box");
    s = pl_default_rigid_shape(), s.kind = PL_RIGID_HULL;
    refused(pl_rigid_shape_mesh(&s, 8, NULL, &vertices, NULL, &triangles), PL_ERROR_ARGUMENT, "at least 4");
    assert_true(vertices == -7 && triangles == -7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_its_volume),
        cmocka_unit_test(hulls_and_meshes),
        cmocka_unit_test(a_shape_is_placed_in_its_body),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
