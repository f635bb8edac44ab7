// Meshes that cross themselves: by hand, and random ones against a twin.
#include "soup.h"

#include "author/crossing.h"

static void crossings(void **state)
{
    (void)state;
    soup s = {0};
    box(&s, 0, 0, 0, 1);
    box(&s, 1.1f, 0.9f, 0.7f, 1);
    refuses(&s, "the mesh intersects itself: triangles ");
    pl_mesh mesh = {s.vertices, s.triangles, s.x, s.t};
    pl_tets t;
    refused(pl_tetrahedralise(&mesh, 0.3f, &t), PL_ERROR_ARGUMENT, "the mesh intersects itself: triangles ");

    soup apart = {0}; // near, but not touching
    box(&apart, 0, 0, 0, 1);
    box(&apart, 2.001f, 0.3f, 0.2f, 1);
    mends(&apart, 16.0, (mesh_repairs){0});

    soup flush = {0}; // two sides lie in one plane and overlap
    box(&flush, 0, 0, 0, 1);
    box(&flush, 2, 0.3f, 0.2f, 1);
    refuses(&flush, "the mesh intersects itself: triangles ");

    soup touching = {0}; // in one point: an edge's end on a side
    box(&touching, 0, 0, 0, 1);
    int tip = vertex(&touching, 1, 0.1f, 0.2f);
    int a = vertex(&touching, 2, 0, 0), b = vertex(&touching, 2, 1, 0), c = vertex(&touching, 2, 0, 1);
    triangle(&touching, tip, b, a);
    triangle(&touching, tip, c, b);
    triangle(&touching, tip, a, c);
    triangle(&touching, a, b, c);
    mesh_repairs done;
    double volume;
    good(mend(&touching, -1.0, &done, &volume));
}

// Edge against triangle the textbook way: where the line meets the plane, and its weights there.
static int twin_pierces(const float *p, const float *q, const float *a, const float *b, const float *c)
{
    double d[3], e[3], f[3], o[3], h[3], g[3];
    for (int k = 0; k < 3; k++)
    {
        d[k] = (double)q[k] - (double)p[k];
        e[k] = (double)b[k] - (double)a[k];
        f[k] = (double)c[k] - (double)a[k];
        o[k] = (double)p[k] - (double)a[k];
    }
    cross3(d, f, h);
    cross3(o, e, g);
    double det = dot3(e, h), u = dot3(o, h) / det, v = dot3(d, g) / det, t = dot3(f, g) / det;
    return u > 0.0 && v > 0.0 && u + v < 1.0 && t > 0.0 && t < 1.0;
}

static int twin_meet(const soup *s, int i, int k)
{
    const float *p[3], *q[3];
    for (int c = 0; c < 3; c++)
    {
        p[c] = s->x + 3 * s->t[3 * i + c];
        q[c] = s->x + 3 * s->t[3 * k + c];
    }
    for (int c = 0; c < 3; c++)
        if (twin_pierces(p[c], p[(c + 1) % 3], q[0], q[1], q[2]) ||
            twin_pierces(q[c], q[(c + 1) % 3], p[0], p[1], p[2]))
            return 1;
    return 0;
}

static void crossings_like_the_twin(void **state)
{
    (void)state;
    uint64_t seed = 11;
    int some = 0, none = 0;
    for (int sample = 0; sample < 400; sample++)
    {
        soup s = {0};
        int n = 2 + sample % 40;
        float size = 0.35f + 0.25f * dice(&seed);
        for (int i = 0; i < n; i++)
        {
            float at[3] = {dice(&seed), dice(&seed), dice(&seed)};
            for (int c = 0; c < 3; c++)
                vertex(&s, at[0] + size * dice(&seed), at[1] + size * dice(&seed), at[2] + size * dice(&seed));
            triangle(&s, 3 * i, 3 * i + 1, 3 * i + 2);
        }
        int a = -1, b = -1;
        for (int i = 0; i < n && a < 0; i++)
            for (int k = i + 1; k < n && a < 0; k++)
                if (twin_meet(&s, i, k))
                    a = i, b = k;
        memory m = open_memory();
        mesh_view v = view(&s);
        mesh_crossing c;
        good(find_crossing(&m, &v, &c));
        if (c.a != a || c.b != b)
            fail_msg("sample %d: triangles %d and %d are told to cross; it is %d and %d", sample, c.a, c.b, a, b);
        some += a >= 0;
        none += a < 0;
        assert_int_equal(m.bytes, 0);
    }
    assert_true(some > 50 && none > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crossings),
        cmocka_unit_test(crossings_like_the_twin),
    };
    return cmocka_run_group_tests_name("crossing", tests, NULL, NULL);
}
