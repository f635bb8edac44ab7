// test_sdf.c: fields of a box, a sphere and a torus against their formulas; outside the box; refusals.
#include "collide.h"
#include "collide/sdf.h"

static double box_distance(dvec x)
{
    double qx = fabs(x.x) - 1.0, qy = fabs(x.y) - 0.5, qz = fabs(x.z) - 0.75;
    if (qx <= 0.0 && qy <= 0.0 && qz <= 0.0)
        return fmax(qx, fmax(qy, qz));
    return d_length((dvec){fmax(qx, 0.0), fmax(qy, 0.0), fmax(qz, 0.0)});
}

static double sphere_distance(dvec x) { return d_length(x) - 1.0; }

static double torus_distance(dvec x)
{
    double ring = sqrt(x.x * x.x + x.z * x.z) - 1.0;
    return sqrt(ring * ring + x.y * x.y) - 0.4;
}

typedef double formula(dvec x);

// Nodes are exact for the mesh (up to its facets); between them, and near the surface, within the interpolation's
// error.
static void compare(const test_mesh *s, formula *exact, double facets, double between)
{
    memory m = open_memory();
    mesh_view v = view(s);
    sdf_def def = {0.05f, 0.2f, 0};
    sdf f;
    good(sdf_build(&m, &v, &def, &f));
    double worst = 0.0, near_by = 0.0, normal = 0.0;
    for (int32_t k = 0; k < f.size[2]; k++)
        for (int32_t j = 0; j < f.size[1]; j++)
            for (int32_t i = 0; i < f.size[0]; i++)
            {
                vec x = vec_of(f.origin[0] + f.spacing * (float)i, f.origin[1] + f.spacing * (float)j,
                               f.origin[2] + f.spacing * (float)k);
                double d = exact(d_of(x));
                worst = fmax(worst, fabs((double)f.value[i + (int64_t)f.size[0] * (j + (int64_t)f.size[1] * k)] - d));
            }
    for (int n = 0; n < 20000; n++)
    {
        vec x = in_cube(1.4f);
        surface_distance p = sdf_probe(&f, x);
        double d = exact(d_of(x)), h = 1e-5;
        check(fabsf(square(p.normal) - 1.0f) < 1e-5f, "a normal of length %g", (double)length(p.normal));
        if (fabs(d) > 0.1)
            continue;
        near_by = fmax(near_by, fabs((double)p.distance - d));
        dvec g = {exact(d_add(d_of(x), (dvec){h, 0, 0})) - d, exact(d_add(d_of(x), (dvec){0, h, 0})) - d,
                  exact(d_add(d_of(x), (dvec){0, 0, h})) - d};
        normal += 1.0 - d_dot(g, d_of(p.normal)) / h;
    }
    print_message("%d x %d x %d nodes: off by %.2g m at nodes, %.2g m between; normals by 1 - cos = %.2g on average\n",
                  f.size[0], f.size[1], f.size[2], worst, near_by, normal / 20000.0);
    check(worst < facets, "%g m off at a node", worst);
    check(near_by < between, "%g m off between nodes", near_by);
    check(normal / 20000.0 < 0.01, "normals are off by %g on average", normal / 20000.0);
    sdf_free(&m, &f);
    assert_int_equal(m.bytes, 0);
}

static void fields(void **state)
{
    (void)state;
    test_mesh box = box_mesh(1.0f, 0.5f, 0.75f), ball = sphere_mesh(1.0, 63, 96), ring = torus_mesh(1.0, 0.4, 96, 48);
    compare(&box, box_distance, 1e-6, 0.03);
    compare(&ball, sphere_distance, 1.5e-3, 3e-3);
    compare(&ring, torus_distance, 2e-3, 4e-3);
    drop_mesh(&box);
    drop_mesh(&ball);
    drop_mesh(&ring);
}

static void beyond_the_grid(void **state)
{
    (void)state;
    memory m = open_memory();
    test_mesh ball = sphere_mesh(1.0, 63, 96);
    mesh_view v = view(&ball);
    sdf_def def = {0.05f, 0.0f, 0};
    sdf f;
    good(sdf_build(&m, &v, &def, &f));
    for (int n = 0; n < 5000; n++)
    {
        vec d = on_sphere();
        float way = uniform(1.2f, 50.0f);
        surface_distance p = sdf_probe(&f, times(way, d));
        // What is told is the distance to a point of the surface: never less than the exact one, and not much more.
        check(p.distance > way - 1.01f && p.distance < (way - 1.0f) * 1.15f + 0.01f, "%g at %g", (double)p.distance,
              (double)way - 1.0);
        check(dot(p.normal, d) > 0.9f, "the normal is off: %g", (double)dot(p.normal, d));
        surface_distance q = sdf_probe(&f, times(1.01f * way, d)); // it grows with the way, by hardly more than the way
        check(q.distance > p.distance && q.distance - p.distance < 0.012f * way + 1e-5f, "grows by %g on a way of %g",
              (double)(q.distance - p.distance), 0.01 * (double)way);
    }
    // Continuous at the rim of the grid.
    float rim = f.origin[0] + f.spacing * (float)(f.size[0] - 1);
    surface_distance in = sdf_probe(&f, vec_of(rim - 1e-5f, 0.3f, 0.2f)),
                     out = sdf_probe(&f, vec_of(rim + 1e-5f, 0.3f, 0.2f));
    check(fabsf(in.distance - out.distance) < 1e-4f && dot(in.normal, out.normal) > 0.999f, "a jump at the rim");
    sdf_free(&m, &f);
    drop_mesh(&ball);
}

static void refusals(void **state)
{
    (void)state;
    memory m = open_memory();
    test_mesh box = box_mesh(1.0f, 1.0f, 1.0f);
    mesh_view v = view(&box);
    sdf f;
    sdf_def def = {0.0007f, 0.1f, 0};
    refused(sdf_build(&m, &v, &def, &f), "shape 'test': a distance field of ");
    refused(sdf_build(&m, &v, &def, &f), "the limit is 1.074 GB; use a spacing of ");
    print_message("%s\n", pl_error_message());
    def.spacing = 1e-30f;
    refused(sdf_build(&m, &v, &def, &f), "GB, the limit is");
    def = (sdf_def){0.1f, 0.1f, 1000};
    refused(sdf_build(&m, &v, &def, &f), "the limit is 1e-06 GB");
    def.spacing = 0.0f;
    refused(sdf_build(&m, &v, &def, &f), "the distance field's spacing is 0 m; give a positive number");
    def = (sdf_def){0.1f, NAN, 0};
    refused(sdf_build(&m, &v, &def, &f), "the distance field's margin is nan m");
    def = (sdf_def){0.1f, 0.0f, 0};
    v.triangles = 11;
    refused(sdf_build(&m, &v, &def, &f), "the mesh is open");
    check(!f.value && m.bytes == 0, "a refused field left something");
    drop_mesh(&box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fields), cmocka_unit_test(beyond_the_grid),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
