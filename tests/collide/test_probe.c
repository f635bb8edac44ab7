// test_probe.c: the analytic shapes against their formulas in double, inside, outside, on edges, at centres.
#include "collide.h"
#include "collide/probe.h"

static void unit_normal(surface_distance s)
{
    check(fabsf(square(s.normal) - 1.0f) < 1e-6f, "a normal of length %g", (double)length(s.normal));
    check(isfinite(s.distance), "distance %g", (double)s.distance);
}

static void spheres(void **state)
{
    (void)state;
    for (int n = 0; n < 20000; n++)
    {
        float scale = (float)pow(10.0, one_of(57) - 28), r = scale * uniform(0.1f, 1.0f);
        vec c = n % 2 ? times(scale, in_cube(1.0f)) : vec_of(0.0f, 0.0f, 0.0f), x = add(c, times(scale, in_cube(2.0f)));
        surface_distance s = probe_sphere(x, c, r);
        double exact = d_length(d_sub(d_of(x), d_of(c))) - (double)r;
        check(fabs((double)s.distance - exact) < 1e-6 * (double)scale, "%g, exact %g", (double)s.distance, exact);
        unit_normal(s);
        check(dot(s.normal, sub(x, c)) >= 0.0f, "the normal points inwards");
    }
    vec c = vec_of(3.0f, -2.0f, 1.0f);
    surface_distance s = probe_sphere(c, c, 0.5f);
    unit_normal(s);
    assert_true(s.distance == -0.5f && s.normal.y == 1.0f);
}

static void capsules(void **state)
{
    (void)state;
    for (int n = 0; n < 20000; n++)
    {
        vec a = in_cube(1.0f), b = n % 5 ? in_cube(1.0f) : a, x = in_cube(2.0f);
        if (n % 7 == 0)
            x = blend(a, b, uniform(0.0f, 1.0f)); // on the axis
        float r = uniform(0.0f, 0.5f);
        surface_distance s = probe_capsule(x, a, b, r);
        dvec on;
        double exact = twin_point_edge(d_of(x), d_of(a), d_of(b), &on) - (double)r;
        check(fabs((double)s.distance - exact) < 1e-6, "%g, exact %g", (double)s.distance, exact);
        unit_normal(s);
    }
    surface_distance s =
        probe_capsule(vec_of(0.0f, 0.25f, 0.0f), vec_of(0.0f, 0.0f, 0.0f), vec_of(0.0f, 1.0f, 0.0f), 0.1f);
    unit_normal(s);
    assert_true(s.distance == -0.1f && s.normal.y == 0.0f); // out of the axis is sideways
}

// Outside: the nearest point of the box; inside: the nearest of six faces.
static double twin_box(dvec x, dvec h)
{
    double qx = fabs(x.x) - h.x, qy = fabs(x.y) - h.y, qz = fabs(x.z) - h.z;
    if (qx <= 0.0 && qy <= 0.0 && qz <= 0.0)
        return fmax(qx, fmax(qy, qz));
    return d_length((dvec){fmax(qx, 0.0), fmax(qy, 0.0), fmax(qz, 0.0)});
}

static void boxes(void **state)
{
    (void)state;
    for (int n = 0; n < 40000; n++)
    {
        vec h = vec_of(uniform(0.1f, 1.0f), n % 11 ? uniform(0.1f, 1.0f) : 0.0f, uniform(0.1f, 1.0f)),
            x = in_cube(2.0f);
        if (n % 3 == 0)
            x.x = one_of(2) ? h.x : -h.x; // on a face's plane
        if (n % 9 == 0)
            x.y = h.y, x.z = one_of(2) ? h.z : 0.0f; // an edge, a corner
        if (n % 13 == 0)
            x = vec_of(0.0f, 0.0f, 0.0f);
        surface_distance s = probe_box(x, h, 0.0f), rounded = probe_box(x, h, 0.05f);
        double exact = twin_box(d_of(x), d_of(h));
        check(fabs((double)s.distance - exact) < 5e-7, "%g, exact %g", (double)s.distance, exact);
        check(fabs((double)rounded.distance - exact + 0.05) < 5e-7, "rounded %g, exact %g", (double)rounded.distance,
              exact);
        unit_normal(s);
        // Going out along the normal, the distance grows by the way.
        double out = twin_box(d_add(d_of(x), d_times(0.01, d_of(s.normal))), d_of(h));
        check(fabs(out - exact - 0.01) < 1e-6, "0.01 along the normal is %g", out - exact);
        // Going in by the depth arrives at the surface.
        dvec on = d_sub(d_of(x), d_times(exact, d_of(s.normal)));
        check(fabs(twin_box(on, d_of(h))) < 1e-6, "the surface is not where it is told to be");
    }
}

static void planes(void **state)
{
    (void)state;
    for (int n = 0; n < 2000; n++)
    {
        vec normal = on_sphere(), x = in_cube(3.0f);
        float offset = uniform(-1.0f, 1.0f), half = uniform(0.0f, 0.1f);
        double exact = d_dot(d_of(normal), d_of(x)) - (double)offset;
        surface_distance s = probe_plane(x, normal, offset), t = probe_sheet(x, normal, offset, half);
        check(fabs((double)s.distance - exact) < 1e-6, "%g, exact %g", (double)s.distance, exact);
        check(fabs((double)t.distance - fabs(exact) + (double)half) < 1e-6, "%g, exact %g", (double)t.distance, exact);
        assert_true(dot(t.normal, normal) * s.distance >= 0.0f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spheres), cmocka_unit_test(capsules), cmocka_unit_test(boxes),
                                       cmocka_unit_test(planes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
