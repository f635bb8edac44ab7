// test_facets.c: the planes that a mesh or ground shows: as many as there are local minima of the distance, the first
// of them the nearest point, by brute force.
#include "author/forms.h"
#include "collide/geometry.h"
#include "collide/particle_vs_shape.h"
#include "support/support.h"

static memory heap;

static void close_to(const char *what, double value, double wanted, double within)
{
    if (!(fabs(value - wanted) <= within))
        fail_msg("%s is %.9g; %.9g was expected", what, value, wanted);
}

typedef struct body
{
    float *vertices;
    int32_t *triangles;
    pl_shape_def def;
    void *bytes;
    size_t size;
} body;

static body body_of(form f, bool two_sided)
{
    body b = {.def = pl_default_shape_def()};
    int64_t v, t;
    form_count(&f, &v, &t);
    b.vertices = malloc((size_t)v * 3 * sizeof(float));
    b.triangles = malloc((size_t)t * 3 * sizeof(int32_t));
    form_fill(&f, b.vertices, b.triangles);
    b.def.kind = PL_SHAPE_MESH;
    b.def.two_sided = two_sided;
    b.def.vertices = b.vertices, b.def.vertex_count = (int)v;
    b.def.triangles = b.triangles, b.def.triangle_count = (int)t;
    return b;
}

static void build(body *b) { good(geometry_build(&heap, "body", &b->def, &b->bytes, &b->size)); }

static void drop(body *b)
{
    memory_free(&heap, b->bytes, b->size);
    free(b->vertices);
    free(b->triangles);
}

static facets facets_at(const body *b, vec x, float reach)
{
    facets l;
    l.count = 0;
    bvh mesh = mesh_of(b->bytes);
    bvh_facets(&mesh, x, x, reach, &l);
    return l;
}

static double nearest_by_hand(const body *b, vec x)
{
    double best = 1e30;
    for (int t = 0; t < b->def.triangle_count; t++)
    {
        const float *p[3];
        for (int i = 0; i < 3; i++)
            p[i] = b->vertices + 3 * (size_t)b->triangles[3 * t + i];
        closest c = point_triangle(x, vec_of(p[0][0], p[0][1], p[0][2]), vec_of(p[1][0], p[1][1], p[1][2]),
                                   vec_of(p[2][0], p[2][1], p[2][2]));
        best = (double)c.square < best ? (double)c.square : best;
    }
    return sqrt(best);
}

static float roll(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) / 16777216.0f - 0.5f;
}

// Wherever a large sphere stands on a finely cut sheet, it sees one plane, and that is the sheet's.
static void flat_is_one(void **state)
{
    (void)state;
    body b = body_of((form){FORM_SHEET, {4, 0, 4}, 0, {61, 53}, NULL, 0}, true);
    build(&b);
    uint32_t seed = 1;
    for (int i = 0; i < 2000; i++)
    {
        vec x = vec_of(3.0f * roll(&seed), 0.1f + 0.3f * (roll(&seed) + 0.5f), 3.0f * roll(&seed));
        if (i % 3 == 0) // above an edge, or a corner
            x.x = b.vertices[3 * (i % 62)] * 0.7f, x.z = i % 2 ? b.vertices[2] * 0.5f : x.z;
        facets l = facets_at(&b, x, 0.6f);
        assert_int_equal(l.count, 1);
        assert_true(l.normal[0].x == 0.0f && l.normal[0].y == 1.0f && l.normal[0].z == 0.0f);
    }
    drop(&b);
}

// Three walls that meet, each cut into many triangles of its own: three planes from within, fewer where one is out of
// reach.
static void corner_is_three(void **state)
{
    (void)state;
    form f = {FORM_SHEET, {2, 0, 2}, 0, {9, 7}, NULL, 0};
    body b = body_of(f, true);
    int n = b.def.vertex_count, t = b.def.triangle_count;
    b.vertices = realloc(b.vertices, (size_t)n * 9 * sizeof(float));
    b.triangles = realloc(b.triangles, (size_t)t * 9 * sizeof(int32_t));
    for (int i = 0; i < n; i++)
    {
        float *p = b.vertices + 3 * i;
        float u = p[0] + 1.0f, v = p[2] + 1.0f;
        p[0] = 0.0f, p[1] = u, p[2] = v;
        memcpy(b.vertices + 3 * (size_t)(n + i), (float[3]){v, 0.0f, u}, 3 * sizeof(float));
        memcpy(b.vertices + 3 * (size_t)(2 * n + i), (float[3]){u, v, 0.0f}, 3 * sizeof(float));
    }
    for (int i = 0; i < 3 * t; i++)
    {
        b.triangles[3 * t + i] = b.triangles[i] + n;
        b.triangles[6 * t + i] = b.triangles[i] + 2 * n;
    }
    b.def.vertices = b.vertices, b.def.vertex_count = 3 * n;
    b.def.triangles = b.triangles, b.def.triangle_count = 3 * t;
    build(&b);
    uint32_t seed = 7;
    for (int i = 0; i < 500; i++)
    {
        vec x = vec_of(0.3f + 0.2f * roll(&seed), 0.3f + 0.2f * roll(&seed), 0.3f + 0.2f * roll(&seed));
        facets l = facets_at(&b, x, 0.5f);
        assert_int_equal(l.count, 3);
        for (int k = 0; k < 3; k++)
            close_to("a wall's normal", (double)(l.normal[k].x + l.normal[k].y + l.normal[k].z), 1.0, 1e-6);
        close_to("the nearest", (double)l.distance[0], nearest_by_hand(&b, x), 1e-6);
    }
    assert_int_equal(facets_at(&b, vec_of(1.0f, 0.3f, 0.3f), 0.5f).count, 2);
    assert_int_equal(facets_at(&b, vec_of(1.0f, 0.3f, 1.0f), 0.5f).count, 1);
    assert_int_equal(facets_at(&b, vec_of(1.0f, 1.0f, 1.0f), 0.5f).count, 0);
    drop(&b);
}

// From outside a ball: one plane at a time where facets are flat enough, and the first is always the nearest point.
static void nearest_is_first(void **state)
{
    (void)state;
    static const form forms[] = {{FORM_BALL, {2, 2, 2}, 0, {20, 14}, NULL, 0},
                                 {FORM_TORUS, {2, 0.6f, 0}, 0, {24, 12}, NULL, 0},
                                 {FORM_BOWL, {2, 2, 2}, 0.2f, {24, 9}, NULL, 0}};
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
    {
        body b = body_of(forms[k], false);
        build(&b);
        uint32_t seed = (uint32_t)k;
        bvh mesh = mesh_of(b.bytes);
        int several = 0;
        for (int i = 0; i < 2000; i++)
        {
            vec x = vec_of(2.6f * roll(&seed), 2.6f * roll(&seed), 2.6f * roll(&seed));
            int found;
            surface_distance s = bvh_probe(&mesh, x, SOLID_FAR, &found);
            if (s.distance < 1e-3f)
                continue;
            facets l = facets_at(&b, x, 1.5f * s.distance);
            assert_true(l.count >= 1 && l.count <= FACETS);
            close_to("the nearest", (double)l.distance[0], nearest_by_hand(&b, x), 2e-6);
            for (int j = 1; j < l.count; j++)
                assert_true(l.distance[j] >= l.distance[j - 1] && dot(l.normal[j], l.normal[0]) <= FACET_SAME);
            several += l.count > 1;
        }
        if (k == 0 ? several != 0 : several < 20) // a ball is convex; the others are not
            fail_msg("form %zu showed several planes %d times", k, several);
        drop(&b);
    }
}

// Ground is a mesh too: both show the same.
static void ground_is_a_mesh(void **state)
{
    (void)state;
    enum
    {
        N = 17
    };
    float heights[N * N];
    body b = body_of((form){FORM_SHEET, {1.6f, 0, 1.6f}, 0, {N - 1, N - 1}, NULL, 0}, true);
    form_waves(N, N, 0.1f, 0.15f, 0.8f, heights);
    pl_shape_def ground = pl_default_shape_def();
    ground.kind = PL_SHAPE_HEIGHTFIELD;
    ground.heights = heights;
    ground.columns = ground.rows = N;
    ground.spacing = 0.1f;
    void *bytes;
    size_t size;
    good(geometry_build(&heap, "ground", &ground, &bytes, &size));
    heightfield f = field_of(bytes);
    for (int i = 0; i < N * N; i++)
    {
        vec c = field_corner(&f, i % N, i / N);
        memcpy(b.vertices + 3 * i, (float[3]){c.x, c.y, c.z}, 3 * sizeof(float));
    }
    build(&b);
    uint32_t seed = 3;
    for (int i = 0; i < 2000; i++)
    {
        vec x = vec_of(1.8f * roll(&seed), 0.0f, 1.8f * roll(&seed)), up;
        x.y = field_height(&f, x, &up) + 0.02f + 0.15f * (roll(&seed) + 0.5f);
        facets one = facets_at(&b, x, 0.2f), two;
        two.count = 0;
        field_facets(&f, x, 0.2f, &two);
        assert_int_equal(one.count, two.count);
        for (int k = 0; k < one.count; k++)
            close_to("distance", (double)one.distance[k], (double)two.distance[k], 1e-6);
    }
    memory_free(&heap, bytes, size);
    drop(&b);
}

int main(void)
{
    pl_allocator none = {0};
    memory_open(&heap, &none);
    const struct CMUnitTest tests[] = {cmocka_unit_test(flat_is_one), cmocka_unit_test(corner_is_three),
                                       cmocka_unit_test(nearest_is_first), cmocka_unit_test(ground_is_a_mesh)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
