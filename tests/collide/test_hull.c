// test_hull.c: hulls hold their points and are closed, whatever the points; probes equal a twin in double; bad ones are
// refused.
#include "collide.h"
#include "collide/hull.h"

enum
{
    MOST = 4000,
};

static int draw(float *x, int form)
{
    int count = 4 + one_of(form == 0 ? 30 : 400);
    float scale = (float)pow(10.0, one_of(7) - 3);
    vec shift = form % 2 ? times(20.0f * scale, in_cube(1.0f)) : vec_of(0.0f, 0.0f, 0.0f);
    vec a = on_sphere(), b = on_sphere(), c = cross(a, b);
    if (form == 7)
        count = MOST;
    for (int i = 0; i < count; i++)
    {
        vec p = in_cube(1.0f);
        if (form == 1 || form == 7)
            p = on_sphere();
        if (form == 2) // a lattice: flat faces full of points, coincident ones
            p = vec_of((float)one_of(4), (float)one_of(3), (float)one_of(5));
        if (form == 3) // a tilted lattice: flat but for rounding
            p = add(times((float)one_of(4), a), add(times((float)one_of(4), b), times((float)one_of(3), c)));
        if (form == 4) // two lines
            p = i % 2 ? vec_of(p.x, 0.0f, 0.0f) : vec_of(0.0f, p.y, 1.0f);
        if (form == 5) // thin
            p.y *= 1e-4f;
        if (form == 6) // a few places, many times
            p = vec_of((float)(i % 2), (float)(i / 2 % 2), (float)(i / 4 % 2));
        p = add(times(scale, p), shift);
        x[3 * i] = p.x;
        x[3 * i + 1] = p.y;
        x[3 * i + 2] = p.z;
    }
    return count;
}

static double size_of(const float *x, int count)
{
    double s = 0.0;
    for (int i = 0; i < 3 * count; i++)
        s = fmax(s, fabs((double)x[i]));
    return s;
}

// No point above a plane; every vertex a point; the triangles closed, outward, of the topology of a sphere.
static void check_hull(memory *m, const hull *h, const float *x, int count, int form)
{
    double size = size_of(x, count);
    for (int64_t p = 0; p < h->planes; p++)
    {
        const float *f = h->plane + 4 * p;
        double highest = -1e300;
        check(fabs((double)f[0] * f[0] + (double)f[1] * f[1] + (double)f[2] * f[2] - 1.0) < 1e-6,
              "a normal is not unit");
        for (int i = 0; i < count; i++)
            highest = fmax(highest, (double)f[0] * x[3 * i] + (double)f[1] * x[3 * i + 1] +
                                        (double)f[2] * x[3 * i + 2] - (double)f[3]);
        check(highest < 1e-6 * size, "form %d: a point lies %g above plane %lld, size %g", form, highest, (long long)p,
              size);
        check(highest > -1e-6 * size, "form %d: plane %lld touches nothing", form, (long long)p);
    }
    assert_int_equal(h->first[h->planes], h->triangles);
    test_mesh s = new_mesh((int)(3 * h->triangles), (int)h->triangles);
    memcpy(s.x, h->corner, (size_t)h->triangles * 9 * sizeof(float));
    s.vertices = (int)(3 * h->triangles);
    for (int t = 0; t < (int)h->triangles; t++)
        put_triangle(&s, 3 * t, 3 * t + 1, 3 * t + 2);
    int32_t *weld = malloc((size_t)s.vertices * sizeof *weld);
    half_edge *halves = malloc((size_t)s.vertices * sizeof *halves);
    mesh_view v = view(&s);
    int corners = 0;
    good(mesh_weld(m, &v, weld));
    good(mesh_pair_edges(&v, weld, halves));
    for (int i = 0; i < s.vertices; i++)
        corners += weld[i] == i;
    assert_int_equal(h->triangles, 2 * corners - 4); // Euler
    assert_int_equal(h->vertices, corners);
    free(weld);
    free(halves);
    drop_mesh(&s);
}

static double twin_probe(const hull *h, dvec x)
{
    double deep = -1e300, best = 1e300;
    dvec on;
    for (int64_t t = 0; t < h->triangles; t++)
    {
        dvec p[3];
        for (int i = 0; i < 3; i++)
            p[i] = (dvec){(double)h->corner[9 * t + 3 * i], (double)h->corner[9 * t + 3 * i + 1],
                          (double)h->corner[9 * t + 3 * i + 2]};
        best = fmin(best, twin_point_triangle(x, p[0], p[1], p[2], &on));
    }
    for (int64_t p = 0; p < h->planes; p++)
    {
        const float *f = h->plane + 4 * p;
        deep = fmax(deep, (double)f[0] * x.x + (double)f[1] * x.y + (double)f[2] * x.z - (double)f[3]);
    }
    return deep > 0.0 ? best : deep;
}

static void hulls_of_points(void **state)
{
    (void)state;
    static float x[3 * MOST];
    memory m = open_memory();
    int ever_inside = 0;
    for (int n = 0; n < 400; n++)
    {
        int form = n % 8, count = draw(x, form);
        if (form == 7 && n > 20)
            continue;
        if (form == 6 && count < 8)
            count = 8;
        hull h;
        pl_result result = hull_build(&m, "shape 'test'", x, count, &h);
        if (result != PL_OK && (form == 2 || form == 3) && count < 12)
            continue; // so few may well lie in a plane
        good(result);
        check_hull(&m, &h, x, count, form);
        if (form == 6)
            assert_true(h.planes == 6 && h.vertices == 8 && h.triangles == 12);
        double size = size_of(x, count);
        int inside = 0;
        for (int k = 0; k < 100; k++)
        {
            // Around the hull: random ones, and blends of its points.
            const float *p = x + 3 * one_of(count), *q = x + 3 * one_of(count);
            vec at = blend(vec_of(p[0], p[1], p[2]), vec_of(q[0], q[1], q[2]), uniform(-0.5f, 1.5f));
            if (k % 3)
                at = add(at, times(0.2f * (float)size, in_cube(1.0f)));
            surface_distance s = hull_probe(&h, at);
            double exact = twin_probe(&h, d_of(at));
            check(fabs((double)s.distance - exact) < 2e-6 * size, "form %d: %g, exact %g, size %g", form,
                  (double)s.distance, exact, size);
            check(fabsf(square(s.normal) - 1.0f) < 1e-5f, "a normal of length %g", (double)length(s.normal));
            dvec on = d_sub(d_of(at), d_times((double)s.distance, d_of(s.normal)));
            if (s.distance > 0.0f)
                check(fabs(twin_probe(&h, on)) < 4e-6 * size, "the surface is not where it is told to be");
            inside += s.distance < 0.0f;
        }
        ever_inside += inside;
        hull_free(&m, &h);
    }
    check(ever_inside > 2000, "only %d were inside", ever_inside);
    assert_int_equal(m.bytes, 0);
}

// A box as a hull is a box.
static void box_as_hull(void **state)
{
    (void)state;
    memory m = open_memory();
    test_mesh b = box_mesh(1.0f, 0.5f, 0.25f);
    static const float planes[] = {2.0f, 0,  0, 2.0f, -1, 0, 0, 1,     0, 1, 0,  0.5f,
                                   0,    -1, 0, 0.5f, 0,  0, 1, 0.25f, 0, 0, -1, 0.25f};
    hull h, by_planes;
    good(hull_build(&m, "box", b.x, 8, &h));
    good(hull_of_planes(&m, "box", planes, 6, &by_planes));
    assert_int_equal(h.planes, 6);
    assert_int_equal(by_planes.planes, 6);
    for (int k = 0; k < 5000; k++)
    {
        vec x = in_cube(1.5f);
        surface_distance s = hull_probe(&h, x), p = hull_probe(&by_planes, x),
                         t = probe_box(x, vec_of(1.0f, 0.5f, 0.25f), 0.0f);
        check(fabsf(s.distance - t.distance) < 1e-6f && fabsf(p.distance - t.distance) < 1e-6f, "%g, %g, the box's %g",
              (double)s.distance, (double)p.distance, (double)t.distance);
        check(dot(s.normal, t.normal) > 0.9999f || t.distance < 0.0f, "normals differ");
    }
    hull_free(&m, &h);
    hull_free(&m, &by_planes);
    drop_mesh(&b);
}

static void bad_hulls(void **state)
{
    (void)state;
    memory m = open_memory();
    hull h;
    float x[30];
    for (int i = 0; i < 30; i++)
        x[i] = uniform(-1.0f, 1.0f);
    refused(hull_build(&m, "shape 'rock'", x, 3, &h), "shape 'rock': the hull has 3 points; give at least 4");
    x[14] = NAN;
    refused(hull_build(&m, "shape 'rock'", x, 10, &h), "shape 'rock': point 4 has the z coordinate nan");
    for (int i = 0; i < 10; i++)
        x[3 * i + 2] = 0.3f * x[3 * i] - 0.7f * x[3 * i + 1] + 2.0f; // flat but for rounding
    refused(hull_build(&m, "shape 'rock'", x, 10, &h), "all 10 points of the hull lie in one plane");
    for (int i = 0; i < 10; i++)
        x[3 * i + 1] = x[3 * i + 2] = 0.1f * x[3 * i];
    refused(hull_build(&m, "shape 'rock'", x, 10, &h), "all 10 points of the hull lie on one line");
    for (int i = 0; i < 30; i++)
        x[i] = 0.25f;
    refused(hull_build(&m, "shape 'rock'", x, 10, &h), "all 10 points of the hull lie in one place");

    float p[] = {1, 0, 0, -1, -1, 0, 0, -1, 0, 1, 0, 1, 0, -1, 0, 1, 0, 0, 1, 1, 0, 0, -1, 1}; // x < -1 and x > 1
    refused(hull_of_planes(&m, "shape 'rock'", p, 6, &h), "shape 'rock': the hull's planes contradict each other");
    p[3] = 1.0f;
    p[4] = 1.0f;
    p[7] = 2.0f; // both from the right
    refused(hull_of_planes(&m, "shape 'rock'", p, 6, &h), "leave a side open");
    p[4] = 0.0f;
    refused(hull_of_planes(&m, "shape 'rock'", p, 6, &h), "plane 1 has no normal");
    p[5] = INFINITY;
    refused(hull_of_planes(&m, "shape 'rock'", p, 6, &h), "plane 1 has the number inf");
    refused(hull_of_planes(&m, "shape 'rock'", p, 3, &h), "the hull has 3 planes");
    assert_int_equal(m.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hulls_of_points), cmocka_unit_test(box_as_hull),
                                       cmocka_unit_test(bad_hulls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
