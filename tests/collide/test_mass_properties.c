// test_mass_properties.c: mass properties against closed forms, fine meshes and a sum over points; principal axes.
#include "collide.h"
#include "collide/mass_properties.h"

static void near_to(double a, double b, double within, const char *what)
{
    check(fabs(a - b) <= within, "%s: %.17g instead of %.17g", what, a, b);
}

static void same(const mass_properties *a, const mass_properties *b, double relative, const char *what)
{
    double size = 0.0, reach = 0.0;
    for (int k = 0; k < 3; k++)
        size = fmax(size, fabs(b->inertia[k])), reach = fmax(reach, fabs(b->centre[k]));
    near_to(a->mass, b->mass, relative * b->mass, what);
    for (int k = 0; k < 3; k++)
        near_to(a->centre[k], b->centre[k], relative * (1.0 + reach), what);
    for (int k = 0; k < 6; k++)
        near_to(a->inertia[k], b->inertia[k], relative * size, what);
}

static void random_turn(double q[4])
{
    double len = 0.0;
    for (int k = 0; k < 4; k++)
        q[k] = (double)uniform(-1.0f, 1.0f), len += q[k] * q[k];
    for (int k = 0; k < 4; k++)
        q[k] /= sqrt(len);
}

// What every textbook lists.
static void closed_forms(void **state)
{
    (void)state;
    const double pi = acos(-1.0), half[3] = {0.5, 1.0, 1.5};
    mass_properties s = mass_of_sphere(1000.0, 0.3), b = mass_of_box(2.0, half, 0.0),
                    c = mass_of_cylinder(3.0, 2.0, 0.5);
    near_to(s.mass, 1000.0 * 4.0 / 3.0 * pi * 0.027, 1e-11, "sphere");
    near_to(s.inertia[1], 0.4 * s.mass * 0.09, 1e-12, "sphere");
    near_to(b.mass, 2.0 * 6.0, 1e-14, "box");
    near_to(b.inertia[0], b.mass / 12.0 * (4.0 + 9.0), 1e-13, "box");
    near_to(b.inertia[1], b.mass / 12.0 * (1.0 + 9.0), 1e-13, "box");
    near_to(b.inertia[2], b.mass / 12.0 * (1.0 + 4.0), 1e-13, "box");
    near_to(c.mass, 3.0 * pi * 0.25 * 2.0, 1e-13, "cylinder");
    near_to(c.inertia[1], 0.5 * c.mass * 0.25, 1e-13, "cylinder");
    near_to(c.inertia[0], c.mass / 12.0 * (3.0 * 0.25 + 4.0), 1e-13, "cylinder");
    // A capsule without length and a box without sides are spheres.
    const double none[3] = {0.0, 0.0, 0.0};
    mass_properties ball = mass_of_capsule(1000.0, 0.0, 0.3), round = mass_of_box(1000.0, none, 0.3);
    same(&ball, &s, 1e-14, "capsule of no length");
    same(&round, &s, 1e-14, "box of no sides");
    // A rounded box of two sides 0 is a capsule along the third.
    const double line[3] = {0.0, 0.7, 0.0};
    mass_properties a = mass_of_box(5.0, line, 0.2), d = mass_of_capsule(5.0, 1.4, 0.2);
    same(&a, &d, 1e-14, "rounded line");
}

// A rounded box against a sum over the points of a grid.
static void rounded_box(void **state)
{
    (void)state;
    const double half[3] = {0.3, 0.5, 0.2}, r = 0.25, step = 0.005, cell = step * step * step;
    double volume = 0.0, second[3] = {0.0, 0.0, 0.0};
    for (double x = 0.5 * step; x < half[0] + r; x += step)
        for (double y = 0.5 * step; y < half[1] + r; y += step)
            for (double z = 0.5 * step; z < half[2] + r; z += step)
            {
                double a = fmax(x - half[0], 0.0), b = fmax(y - half[1], 0.0), c = fmax(z - half[2], 0.0);
                if (a * a + b * b + c * c > r * r)
                    continue;
                volume += 8.0 * cell;
                second[0] += 8.0 * cell * x * x, second[1] += 8.0 * cell * y * y, second[2] += 8.0 * cell * z * z;
            }
    mass_properties p = mass_of_box(1.0, half, r);
    near_to(p.mass, volume, 2e-3 * volume, "volume");
    near_to(p.inertia[0], second[1] + second[2], 3e-3 * p.inertia[0], "xx");
    near_to(p.inertia[1], second[0] + second[2], 3e-3 * p.inertia[1], "yy");
    near_to(p.inertia[2], second[0] + second[1], 3e-3 * p.inertia[2], "zz");
}

static void meshes_and_hulls(void **state)
{
    (void)state;
    memory m = open_memory();
    const double half[3] = {0.25, 1.0, 0.5};
    test_mesh b = box_mesh(0.25f, 1.0f, 0.5f);
    mesh_view v = view(&b);
    mass_properties exact = mass_of_box(7.0, half, 0.0), p;
    good(mass_of_mesh(&m, 7.0, &v, &p));
    same(&p, &exact, 1e-14, "box as a mesh");
    hull h;
    good(hull_build(&m, "test", b.x, b.vertices, &h));
    p = mass_of_hull(7.0, &h);
    same(&p, &exact, 1e-14, "box as a hull");
    hull_free(&m, &h);
    // 1 km away: the inertia about the centre loses nothing but what the coordinates lost (6e-5 m of 1 m).
    for (int i = 0; i < b.vertices; i++)
        b.x[3 * i] += 1024.0f;
    exact.centre[0] = 1024.0;
    good(mass_of_mesh(&m, 7.0, &v, &p));
    same(&p, &exact, 1e-12, "far away");
    b.triangle[0] = b.triangle[1];
    refused(mass_of_mesh(&m, 7.0, &v, &p), "triangle 0");
    drop_mesh(&b);
    // A fine sphere; inscribed, so it is smaller by a known order: the error falls as the square of the spacing.
    double error[2];
    for (int k = 0; k < 2; k++)
    {
        test_mesh s = sphere_mesh(0.5, 24 << k, 48 << k);
        mesh_view sv = view(&s);
        exact = mass_of_sphere(10.0, 0.5);
        good(mass_of_mesh(&m, 10.0, &sv, &p));
        error[k] = 1.0 - p.inertia[0] / exact.inertia[0];
        near_to(p.inertia[3], 0.0, 1e-6, "xy of a sphere");
        drop_mesh(&s);
    }
    check(error[0] > 0.0 && error[0] < 0.03 && error[1] < 0.27 * error[0], "sphere: errors %g %g", error[0], error[1]);
    assert_int_equal(m.bytes, 0);
}

// A box cut in two and put together again, turned and moved.
static void compounds(void **state)
{
    (void)state;
    for (int n = 0; n < 100; n++)
    {
        double a = (double)uniform(0.1f, 2.0f), b = (double)uniform(0.1f, 2.0f), c = (double)uniform(0.1f, 2.0f);
        double cut = (double)uniform(-0.9f, 0.9f) * a;
        const double whole[3] = {a, b, c}, left[3] = {0.5 * (a + cut), b, c}, right[3] = {0.5 * (a - cut), b, c};
        const double still[4] = {0.0, 0.0, 0.0, 1.0};
        const double to_left[3] = {0.5 * (cut - a), 0.0, 0.0}, to_right[3] = {0.5 * (cut + a), 0.0, 0.0};
        double q[4], shift[3] = {(double)uniform(-3.0f, 3.0f), 1.0, (double)uniform(-3.0f, 3.0f)};
        random_turn(q);
        mass_properties all = mass_of_box(3.0, whole, 0.0), l = mass_of_box(3.0, left, 0.0),
                        r = mass_of_box(3.0, right, 0.0);
        l = mass_placed(&l, still, to_left), r = mass_placed(&r, still, to_right);
        mass_properties sum = mass_sum(&l, &r);
        same(&sum, &all, 1e-13, "cut box");
        l = mass_placed(&l, q, shift), r = mass_placed(&r, q, shift), all = mass_placed(&all, q, shift);
        sum = mass_sum(&r, &l);
        same(&sum, &all, 1e-13, "cut box, placed");
        sum = mass_scaled(&sum, 5.0);
        near_to(sum.mass, 5.0, 0.0, "scaled");
        near_to(sum.inertia[4], all.inertia[4] * 5.0 / all.mass, 1e-12 * sum.inertia[0], "scaled");
    }
    // Two particles: no inertia of their own.
    const double x[3] = {1.0, 0.0, 0.0}, y[3] = {-2.0, 0.0, 0.0};
    mass_properties p = mass_of_point(2.0, x), q = mass_of_point(1.0, y), s = mass_sum(&p, &q);
    near_to(s.centre[0], 0.0, 1e-15, "centre");
    near_to(s.inertia[1], 2.0 + 4.0, 1e-15, "dumbbell");
    near_to(s.inertia[0], 0.0, 1e-15, "dumbbell along");
    double about[6];
    mass_about_origin(&p, about);
    near_to(about[2], 2.0, 0.0, "about the origin");
}

static void principal_axes(void **state)
{
    (void)state;
    for (int n = 0; n < 300; n++)
    {
        const double half[3] = {(double)uniform(0.1f, 2.0f), n % 3 ? (double)uniform(0.1f, 2.0f) : 0.5,
                                n % 5 ? (double)uniform(0.01f, 2.0f) : 0.5};
        const double none[3] = {0.0, 0.0, 0.0};
        double q[4], moment[3], rotation[4], len = 0.0;
        random_turn(q);
        mass_properties box = mass_of_box(1.0, half, 0.0), p = mass_placed(&box, q, none), back;
        mass_principal(p.inertia, moment, rotation);
        for (int k = 0; k < 4; k++)
            len += rotation[k] * rotation[k];
        near_to(len, 1.0, 1e-14, "unit");
        check(rotation[3] >= 0.0, "w is %g", rotation[3]);
        // Back from the principal axes, the tensor is the same; and the moments are the box's.
        mass_properties diagonal = {.mass = p.mass, .inertia = {moment[0], moment[1], moment[2], 0.0, 0.0, 0.0}};
        back = mass_placed(&diagonal, rotation, none);
        same(&back, &p, 2e-14, "principal axes");
        near_to(moment[0] + moment[1] + moment[2], box.inertia[0] + box.inertia[1] + box.inertia[2],
                1e-13 * p.inertia[0], "trace");
        check(mass_is_possible(p.inertia), "a box is impossible");
        // A diagonal tensor keeps its axes.
        mass_principal(box.inertia, moment, rotation);
        check(rotation[3] == 1.0 && rotation[0] == 0.0 && moment[1] == box.inertia[1], "a diagonal tensor turned");
    }
    const double long_one[6] = {1.0, 1.0, 3.0, 0.0, 0.0, 0.0}, negative_one[6] = {-1.0, 1.0, 1.0, 0.0, 0.0, 0.0},
                 nan_one[6] = {1.0, 1.0, 1.0, NAN, 0.0, 0.0}, rod[6] = {1.0, 0.0, 1.0, 0.0, 0.0, 0.0};
    check(!mass_is_possible(long_one) && !mass_is_possible(negative_one) && !mass_is_possible(nan_one) &&
              mass_is_possible(rod),
          "which tensors are possible");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms), cmocka_unit_test(rounded_box),    cmocka_unit_test(meshes_and_hulls),
        cmocka_unit_test(compounds),    cmocka_unit_test(principal_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
