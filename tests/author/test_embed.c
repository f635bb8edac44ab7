// Embedding: weights give the point back, the tetrahedron is the right one, the nearest are the nearest.
#include "solids.h"

#include "author/embed.h"

typedef struct scene
{
    memory m;
    pl_mesh mesh;
    pl_tets t;
} scene;

static scene open_scene(const char *shape, double spacing)
{
    scene s = {.m = open_memory()};
    s.mesh = make_shape(&s.m, shape, 0.0f);
    mesh_view v = view_of(&s.mesh, shape);
    good(tetrahedralise(&s.m, &v, spacing, &s.t));
    return s;
}

static void close_scene(scene *s)
{
    tets_drop(&s->m, &s->t);
    mesh_drop(&s->m, &s->mesh);
    assert_int_equal(s->m.bytes, 0);
}

static double weigh(const pl_tets *t, int tet, const float *x)
{
    double p[4][3], q[3], least_of_them = 1e30;
    for (int i = 0; i < 4; i++)
        widen(t->vertices + 3 * t->tets[4 * tet + i], p[i]);
    double whole = box_product(p[0], p[1], p[2], p[3]);
    for (int i = 0; i < 4; i++)
    {
        double kept[3];
        memcpy(kept, p[i], sizeof kept);
        widen(x, q);
        memcpy(p[i], q, sizeof q);
        least_of_them = fmin(least_of_them, box_product(p[0], p[1], p[2], p[3]) / whole);
        memcpy(p[i], kept, sizeof kept);
    }
    return least_of_them;
}

// The weights reproduce a point, and any affine map of it, inside and outside.
static void exact(void **state)
{
    (void)state;
    scene s = open_scene("teapot", 0.08);
    int n = s.mesh.vertex_count, outside = 0;
    int32_t *tet = malloc(sizeof *tet * (size_t)n);
    float *w = malloc(4 * sizeof *w * (size_t)n);
    good(embed_in_tets(&s.m, &s.t, s.mesh.vertices, n, tet, w));
    for (int i = 0; i < n; i++)
    {
        double sum = 0.0, x[3] = {0.0, 0.0, 0.0}, least_of_them = 1.0;
        for (int k = 0; k < 4; k++)
        {
            double p[3];
            widen(s.t.vertices + 3 * s.t.tets[4 * tet[i] + k], p);
            sum += (double)w[4 * i + k];
            least_of_them = fmin(least_of_them, (double)w[4 * i + k]);
            for (int d = 0; d < 3; d++)
                x[d] += (double)w[4 * i + k] * p[d];
        }
        near_to("the weights' sum", sum, 1.0, 1e-6);
        for (int d = 0; d < 3; d++)
            near_to("the vertex", x[d], (double)s.mesh.vertices[3 * i + d], 2e-6);
        outside += least_of_them < -1e-6;
        assert_true(least_of_them > -1.5); // near, though outside
    }
    assert_true(outside > n / 10); // the mesh bulges beyond the flat sides
    free(tet);
    free(w);
    close_scene(&s);
}

// Brute force over all tetrahedra.
static void like_the_twin(void **state)
{
    (void)state;
    scene s = open_scene("torus", 0.13);
    enum
    {
        COUNT = 3000
    };
    static float x[3 * COUNT], w[4 * COUNT];
    static int32_t tet[COUNT];
    uint64_t seed = 4;
    int inside = 0, outside = 0;
    for (int i = 0; i < 3 * COUNT; i++)
        x[i] = (i % 3 == 1 ? 0.25f : 0.8f) * dice(&seed);
    good(embed_in_tets(&s.m, &s.t, x, COUNT, tet, w));
    for (int i = 0; i < COUNT; i++)
    {
        double deepest = -1e30;
        for (int t = 0; t < s.t.tet_count; t++)
            deepest = fmax(deepest, weigh(&s.t, t, x + 3 * i));
        if (deepest > 1e-6)
        {
            near_to("how deep", weigh(&s.t, tet[i], x + 3 * i), deepest, 1e-6);
            inside++;
        }
        else if (deepest < -1e-6) // the owner of the nearest triangle
        {
            double best = 1e30, own = 1e30;
            for (int k = 0; k < s.t.triangle_count; k++)
            {
                vec p[3];
                for (int c = 0; c < 3; c++)
                {
                    const float *v = s.t.vertices + 3 * s.t.triangles[3 * k + c];
                    p[c] = vec_of(v[0], v[1], v[2]);
                }
                double d =
                    (double)point_triangle(vec_of(x[3 * i], x[3 * i + 1], x[3 * i + 2]), p[0], p[1], p[2]).square;
                best = fmin(best, d);
                own = s.t.owners[k] == tet[i] ? fmin(own, d) : own;
            }
            near_to("the nearest surface", own, best, 1e-6 * (1.0 + best));
            outside++;
        }
    }
    assert_true(inside > 300 && outside > 300);
    close_scene(&s);
}

// ---- centres -------------------------------------------------------------------------------------------------------

static void nearest(void **state)
{
    (void)state;
    uint64_t seed = 8;
    for (int sample = 0; sample < 60; sample++)
    {
        enum
        {
            POINTS = 50
        };
        static float c[3 * 300], x[3 * POINTS], w[16 * POINTS];
        static int32_t index[16 * POINTS];
        int centres = 1 + sample * 5, k = 1 + sample % 8;
        for (int i = 0; i < 3 * centres; i++)
            c[i] = sample % 3 ? dice(&seed) : floorf(3.0f * dice(&seed)); // many at equal distances, many at one place
        for (int i = 0; i < 3 * POINTS; i++)
            x[i] = sample % 2 ? dice(&seed) : floorf(2.0f * dice(&seed));
        memory m = open_memory();
        good(embed_on_centres(&m, c, centres, k, x, POINTS, index, w));
        assert_int_equal(m.bytes, 0);
        for (int i = 0; i < POINTS; i++)
        {
            double sum = 0.0;
            char taken[300] = {0};
            for (int n = 0; n < k; n++)
            {
                sum += (double)w[i * k + n];
                assert_true(w[i * k + n] >= 0.0f && (n == 0 || w[i * k + n] <= w[i * k + n - 1]));
                if (n >= centres)
                {
                    assert_true(w[i * k + n] == 0.0f && index[i * k + n] == index[i * k]);
                    continue;
                }
                int best = -1; // the nearest of those not taken, the lowest of equals
                double square = 1e30;
                for (int v = 0; v < centres; v++)
                {
                    double p[3], q[3], d[3];
                    widen(c + 3 * v, p);
                    widen(x + 3 * i, q);
                    sub3(q, p, d);
                    if (!taken[v] && dot3(d, d) < square)
                    {
                        square = dot3(d, d);
                        best = v;
                    }
                }
                taken[best] = 1;
                assert_int_equal(index[i * k + n], best);
            }
            near_to("the weights' sum", sum, 1.0, 1e-6);
        }
    }
}

// Along a line the weights never jump, though the nearest centres change.
static void smooth(void **state)
{
    (void)state;
    enum
    {
        CENTRES = 20,
        STEPS = 4000
    };
    float c[3 * CENTRES], before[CENTRES] = {0};
    uint64_t seed = 9;
    for (int i = 0; i < 3 * CENTRES; i++)
        c[i] = dice(&seed);
    memory m = open_memory();
    for (int i = 0; i < STEPS; i++)
    {
        float x[3] = {2.0f * (float)i / STEPS - 1.0f, 0.1f, 0.2f}, w[4], now[CENTRES] = {0};
        int32_t index[4];
        good(embed_on_centres(&m, c, CENTRES, 4, x, 1, index, w));
        for (int k = 0; k < 4; k++)
            now[index[k]] += w[k];
        for (int k = 0; k < CENTRES && i > 0; k++)
            below("a step of a weight", fabs((double)now[k] - (double)before[k]), 0.02);
        memcpy(before, now, sizeof now);
    }
}

static void refusals(void **state)
{
    (void)state;
    memory m = open_memory();
    int32_t index[4];
    float w[4], x[3] = {0.0f, 0.0f, 0.0f};
    refused(embed_on_centres(&m, x, 0, 2, x, 1, index, w), PL_ERROR_ARGUMENT, "there are 0 centres");
    refused(embed_on_centres(&m, x, 1, 0, x, 1, index, w), PL_ERROR_ARGUMENT,
            "0 centres for each vertex; give from 1 to 16");
    refused(embed_on_centres(&m, x, 1, 17, x, 1, index, w), PL_ERROR_ARGUMENT, "17 centres");
    pl_tets none = {0};
    refused(embed_in_tets(&m, &none, x, 1, index, w), PL_ERROR_ARGUMENT, "there are no tetrahedra");
    scene s = open_scene("box", 0.2);
    x[1] = NAN;
    refused(embed_in_tets(&s.m, &s.t, x, 1, index, w), PL_ERROR_ARGUMENT, "vertex 0 is at (0, nan, 0)");
    close_scene(&s);
}

static pl_result embed_all(memory *m)
{
    pl_mesh_def d = shape_def("sphere", 0.2f);
    pl_mesh mesh;
    pl_tets t = {0};
    int32_t tet[1000];
    float w[4000];
    pl_result result = shape_mesh(m, &d, &mesh);
    mesh_view v = view_of(&mesh, "sphere");
    if (result == PL_OK)
        result = tetrahedralise(m, &v, 0.3, &t);
    if (result == PL_OK)
        result = embed_in_tets(m, &t, mesh.vertices, mesh.vertex_count, tet, w);
    if (result == PL_OK)
        result = embed_on_centres(m, t.vertices, t.vertex_count, 4, mesh.vertices, mesh.vertex_count, tet, w);
    tets_drop(m, &t);
    mesh_drop(m, &mesh);
    return result;
}

static void out_of_memory(void **state)
{
    (void)state;
    fails_cleanly(embed_all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(exact),    cmocka_unit_test(like_the_twin),
                                       cmocka_unit_test(nearest),  cmocka_unit_test(smooth),
                                       cmocka_unit_test(refusals), cmocka_unit_test(out_of_memory)};
    return cmocka_run_group_tests_name("embed", tests, NULL, NULL);
}
