// Edges and distances of meshes.
#include "support/support.h"

#include "author/mesh_edges.h"

static void edges(void **state)
{
    (void)state;
    memory m;
    memory_open(&m, &(pl_allocator){0});
    const int32_t t[6] = {2, 0, 1, 2, 1, 3};
    mesh_edges e = {0};
    good(mesh_edges_of_triangles(&m, t, 2, &e));
    assert_int_equal(e.count, 5);
    int shared = 0;
    for (int64_t i = 0; i < e.count; i++)
    {
        assert_true(e.edges[i].a < e.edges[i].b);
        assert_true(i == 0 || e.edges[i - 1].a < e.edges[i].a || e.edges[i - 1].b < e.edges[i].b);
        if (e.edges[i].d >= 0)
        {
            shared++;
            assert_int_equal(e.edges[i].a, 1);
            assert_int_equal(e.edges[i].b, 2);
            assert_int_equal(e.edges[i].c + e.edges[i].d, 0 + 3);
        }
    }
    assert_int_equal(shared, 1);
    mesh_edges_free(&m, &e);
    const int32_t fan[9] = {0, 1, 2, 0, 1, 3, 1, 0, 4};
    refused(mesh_edges_of_triangles(&m, fan, 3, &e), PL_ERROR_ARGUMENT, "from vertex 0 to 1 belongs to 3");
    mesh_edges_free(&m, &e);
    const int32_t tets[8] = {0, 1, 2, 3, 1, 2, 3, 4};
    good(mesh_edges_of_tets(&m, tets, 2, &e));
    assert_int_equal(e.count, 9);
    mesh_edges_free(&m, &e);
    assert_int_equal(m.bytes, 0);
}

// Dijkstra against Floyd and Warshall on random graphs.
static void nearest(void **state)
{
    (void)state;
    enum
    {
        COUNT = 40
    };
    uint64_t seed = 2;
    for (int sample = 0; sample < 50; sample++)
    {
        memory m;
        memory_open(&m, &(pl_allocator){0});
        float x[3 * COUNT], far[COUNT];
        static double d[COUNT][COUNT];
        int32_t from[COUNT];
        mesh_edges e = {0};
        good(array_reserve(&m, &e.edges, &e.capacity, COUNT * 2, sizeof *e.edges));
        for (int i = 0; i < 3 * COUNT; i++)
            x[i] = dice(&seed);
        for (int i = 0; i < COUNT; i++)
            for (int k = 0; k < COUNT; k++)
                d[i][k] = i == k ? 0.0 : 1e9;
        for (int i = 0; i < COUNT * 5 / 4; i++)
        {
            int a = (int)((dice(&seed) + 1.0f) * 0.5f * COUNT), b = (int)((dice(&seed) + 1.0f) * 0.5f * COUNT);
            if (a == b)
                continue;
            e.edges[e.count++] = (hinge){a, b, -1, -1};
            double size = 0.0;
            for (int c = 0; c < 3; c++)
                size += pow((double)x[3 * a + c] - (double)x[3 * b + c], 2.0);
            d[a][b] = d[b][a] = sqrt(size);
        }
        for (int k = 0; k < COUNT; k++)
            for (int i = 0; i < COUNT; i++)
                for (int j = 0; j < COUNT; j++)
                    d[i][j] = fmin(d[i][j], d[i][k] + d[k][j]);
        const int32_t sources[3] = {3, 17, 17};
        good(mesh_nearest(&m, x, COUNT, &e, sources, 3, from, far));
        for (int i = 0; i < COUNT; i++)
        {
            double wanted = fmin(d[i][3], d[i][17]);
            if (wanted > 1e8)
                assert_int_equal(from[i], -1);
            else
            {
                near_to("distance", (double)far[i], wanted, 1e-4);
                near_to("by its source", d[i][from[i]], wanted, 1e-4);
            }
        }
        mesh_edges_free(&m, &e);
        assert_int_equal(m.bytes, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(edges), cmocka_unit_test(nearest)};
    return cmocka_run_group_tests_name("mesh", tests, NULL, NULL);
}
