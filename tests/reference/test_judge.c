// test_judge.c: the judge is judged first: derivatives against differences, and steps whose answer is known.
#include "model/world.h" // before cmocka.h, which makes a macro of fail

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reference.h"

static const double PI = 3.14159265358979323846;

static void near(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance))
    {
        fail_msg("%.12g is not %.12g within %.3g", value, wanted, tolerance);
    }
}

// Gradients against central differences of C, second derivatives against central differences of the gradients.
static void derivatives(void **state)
{
    (void)state;
    const double p[3 * PL_MAX_ARITY] = {0.1,  0.2, -0.1, 1.1, 0.3, 0.2,  0.4,  1.2, 0.5,  0.6, -0.7, 0.9,
                                        -0.3, 0.8, 1.3,  0.9, 0.1, -0.6, -0.8, 0.4, -0.2, 1.4, 0.7,  -1.1};
    for (int kind = 0; kind < PL_KIND_COUNT; ++kind)
    {
        if (judge_element((pl_kind)kind) || facts_of(kind)->frames)
        {
            continue; // elements: below; frames: the judge has particles only
        }
        judge_row row = {.kind = (pl_kind)kind, .param = {0.3, -0.7, 0.9, -0.5}};
        for (int k = 4; k < PL_MAX_PARAMS; ++k)
        {
            row.param[k] = 0.1 + 0.3 * (k * 7 % 5);
        }
        judge_value at, up, down;
        judge_evaluate(&row, p, &at);
        assert_true(at.parts > 0);
        for (int s = 0; s < at.coordinates; ++s)
        {
            const double h = 1e-6;
            double q[3 * PL_MAX_ARITY];
            memcpy(q, p, sizeof q);
            q[s] = p[s] + h;
            judge_evaluate(&row, q, &up);
            q[s] = p[s] - h;
            judge_evaluate(&row, q, &down);
            for (int part = 0; part < at.parts; ++part)
            {
                near(at.gradient[part][s], (up.c[part] - down.c[part]) / (2.0 * h), 1e-8);
            }
            for (int t = 0; t < at.coordinates; ++t)
            {
                near(at.hessian[s][t], (up.gradient[0][t] - down.gradient[0][t]) / (2.0 * h), 1e-7);
            }
        }
    }
}

// An element at rest on p, of a material with Young's modulus 2.
static judge_row element_on(pl_kind kind, const double *p)
{
    judge_row row = {.kind = kind, .compliance = 0.5};
    if (judge_element(kind) == 2) // B is the inverse of ((1, 0.25), (0, 0.5))
    {
        const double param[8] = {1.0, -0.5, 0.0, 2.0, 0.7, 0.2, 0.4, 0.3};
        memcpy(row.param, param, sizeof param);
        return row;
    }
    double e[3][3], det = 0.0;
    for (int k = 0; k < 9; ++k)
    {
        e[k / 3][k % 3] = p[3 + k] - p[k % 3];
    }
    for (int k = 0; k < 3; ++k)
    {
        det += e[0][k] * (e[1][(k + 1) % 3] * e[2][(k + 2) % 3] - e[1][(k + 2) % 3] * e[2][(k + 1) % 3]);
    }
    for (int k = 0; k < 9; ++k) // row k/3 of B: the other two edges' cross product over the determinant
    {
        const double *a = e[(k / 3 + 1) % 3], *b = e[(k / 3 + 2) % 3];
        row.param[k] = (a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]) / det;
    }
    row.param[9] = det / 6.0;
    row.param[10] = 0.3;
    return row;
}

// Forces against differences of the energy, stiffnesses against differences of the forces.
static void elements(void **state)
{
    (void)state;
    const double rest[12] = {0, 0, 0, 1, 0.1, 0, 0.2, 0.9, 0.1, 0.1, 0.2, 1.2};
    const double bent[12] = {0.1, 0.2, -0.1, 1.1, 0.3, 0.2, 0.4, 1.2, 0.5, 0.3, -0.2, 0.9};
    for (int kind = 0; kind < PL_KIND_COUNT; ++kind)
    {
        if (!judge_element((pl_kind)kind))
        {
            continue;
        }
        judge_row row = element_on((pl_kind)kind, rest);
        const double h = 1e-5;
        double force[12], up[12], down[12], lambda[JUDGE_MAX_PARTS], stiffness[3 * PL_MAX_ARITY][3 * PL_MAX_ARITY];
        int n = 3 * judge_arity((pl_kind)kind);
        judge_element_force(&row, bent, force, lambda);
        judge_element_stiffness(&row, bent, stiffness);
        for (int s = 0; s < n; ++s)
        {
            double q[12];
            memcpy(q, bent, sizeof q);
            q[s] = bent[s] + h;
            double more = judge_element_force(&row, q, up, lambda);
            q[s] = bent[s] - h;
            double less = judge_element_force(&row, q, down, lambda);
            near(force[s], -(more - less) / (2.0 * h), 1e-8);
            for (int t = 0; t < n; ++t)
            {
                near(stiffness[s][t], -(up[t] - down[t]) / (2.0 * h), 1e-6);
            }
        }
    }
}

// A tetrahedron strained a little, turned a little: all materials agree with Hooke, the strain-based one but for Poisson's ratio.
static void small_strains(void **state)
{
    (void)state;
    const double rest[12] = {0, 0, 0, 1, 0.1, 0, 0.2, 0.9, 0.1, 0.1, 0.2, 1.2}, size = 1e-6, young = 2.0, nu = 0.3;
    const double strain[3][3] = {{1.0, 0.3, -0.2}, {0.3, -0.5, 0.4}, {-0.2, 0.4, 0.7}}, turn = 2.0;
    const double skew[3][3] = {{0, -turn, 0}, {turn, 0, -turn}, {0, turn, 0}};
    const double mu = young / (2.0 * (1.0 + nu)), trace = 1.2, lambda = young * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
    double p[12];
    for (int k = 0; k < 12; ++k)
    {
        p[k] = rest[k];
        for (int c = 0; c < 3; ++c)
        {
            p[k] += size * (strain[k % 3][c] + skew[k % 3][c]) * rest[3 * (k / 3) + c];
        }
    }
    for (int kind = PL_KIND_STVK_TET; kind <= PL_KIND_STRAIN_TET; ++kind)
    {
        judge_row row = element_on((pl_kind)kind, rest);
        bool apart = kind == PL_KIND_STRAIN_TET;
        double force[12], multiplier[JUDGE_MAX_PARTS];
        judge_element_force(&row, p, force, multiplier);
        for (int k = 3; k < 12; ++k)
        {
            double wanted = 0.0; // -V sigma B^T
            for (int c = 0; c < 3; ++c)
            {
                double straight = apart ? young * strain[c][c] : lambda * trace + 2.0 * mu * strain[c][c];
                double sigma = k % 3 == c ? straight : 2.0 * mu * strain[k % 3][c];
                wanted -= size * row.param[9] * sigma * row.param[k / 3 * 3 - 3 + c];
            }
            near(force[k] / size, wanted / size, 2e-5);
        }
    }
}

// A free element given one long implicit step comes back to its rest shape.
static void elements_relax(void **state)
{
    (void)state;
    const double rest[12] = {0, 0, 0, 1, 0.1, 0, 0.2, 0.9, 0.1, 0.1, 0.2, 1.2};
    for (int kind = PL_KIND_STVK_TET; kind <= PL_KIND_STRAIN_TET; ++kind)
    {
        judge *j = judge_create(4);
        judge_row row = element_on((pl_kind)kind, rest);
        judge_add(j, (pl_kind)kind, (int[]){0, 1, 2, 3}, row.param, row.compliance);
        for (int k = 0; k < 12; ++k)
        {
            j->mass[k / 3] = 1.0;
            j->x[k] = rest[k] * (k % 3 == 0 ? 1.4 : 0.9);
        }
        judge_report report;
        for (int n = 0; n < 40; ++n)
        {
            assert_true(judge_step(j, 10.0, &report));
        }
        for (int a = 0; a < 4; ++a)
        {
            for (int b = 0; b < a; ++b)
            {
                double is = 0.0, was = 0.0;
                for (int k = 0; k < 3; ++k)
                {
                    is += pow(j->x[3 * a + k] - j->x[3 * b + k], 2);
                    was += pow(rest[3 * a + k] - rest[3 * b + k], 2);
                }
                near(sqrt(is), sqrt(was), 1e-6);
            }
        }
        near(judge_elastic(j), 0.0, 1e-9);
        judge_destroy(j);
    }
}

static void free_fall(void **state)
{
    (void)state;
    judge *j = judge_create(1);
    j->mass[0] = 2.0;
    j->gravity[1] = -10.0;
    j->v[0] = 3.0;
    j->force[2] = 4.0; // a = 2 m/s^2
    judge_report report;
    double h = 0.01;
    for (int n = 0; n < 100; ++n)
    {
        assert_true(judge_step(j, h, &report));
    }
    // Implicit Euler from rest: x_n = a h^2 n (n + 1)/2.
    near(j->x[0], 3.0, 1e-12);
    near(j->x[1], -10.0 * h * h * 100 * 101 / 2, 1e-11);
    near(j->x[2], 2.0 * h * h * 100 * 101 / 2, 1e-11);
    judge_destroy(j);
}

static void hanging_spring(void **state)
{
    (void)state;
    judge *j = judge_create(2);
    j->mass[1] = 3.0;
    j->x[4] = -1.0;
    j->gravity[1] = -9.81;
    judge_add(j, PL_KIND_DISTANCE, (int[]){1, 0}, (double[]){1.0}, 1e-3);
    judge_report report;
    for (int n = 0; n < 4000; ++n)
    {
        assert_true(judge_step(j, 1.0 / 60.0, &report));
        assert_true(report.constraint < 1e-14);
    }
    near(j->x[4], -1.0 - 3.0 * 9.81 * 1e-3, 1e-10);
    near(judge_force(&j->row[0]), -3.0 * 9.81, 1e-6); // it pulls: lambda < 0
    near(judge_elastic(j), 0.5 * 1e-3 * pow(3.0 * 9.81, 2), 1e-6);
    judge_destroy(j);
}

// A rigid pendulum: the step is an exact projection of x~ on the circle, which has a closed form.
static void rigid_pendulum(void **state)
{
    (void)state;
    const double kept[2] = {0.104, 0.974};
    for (int order = 0; order < 2; ++order)
    {
        judge *j = judge_create(2);
        j->mass[1] = 1.0;
        j->x[3] = 1.0;
        j->gravity[1] = -9.81;
        j->integrator = order == 0 ? JUDGE_BDF1 : JUDGE_BDF2;
        judge_add(j, PL_KIND_DISTANCE, (int[]){1, 0}, (double[]){1.0}, 0.0);
        double before = 9.81;
        for (int n = 0; n < 600; ++n)
        {
            judge_report report;
            double h = 1.0 / 60.0, x = j->x[3] + h * j->v[3], y = j->x[4] + h * j->v[4] - h * h * 9.81;
            assert_true(judge_step(j, h, &report));
            assert_true(report.constraint < 1e-12 && report.momentum < 1e-9);
            if (order == 0)
            {
                near(j->x[3], x / hypot(x, y), 1e-12);
                near(j->x[4], y / hypot(x, y), 1e-12);
            }
        }
        near((judge_kinetic(j) + 9.81 * (j->x[4] + 1.0)) / before, kept[order], 0.002);
        judge_destroy(j);
    }
}

// A chain of rigid links of length L between (0, 0) and (s, 0) hangs in y = a cosh((x - s/2)/a) + c.
static void chain_is_a_catenary(void **state)
{
    (void)state;
    enum
    {
        LINKS = 60
    };
    const double length = 1.5, span = 1.0;
    judge *j = judge_create(LINKS + 1);
    for (int i = 0; i <= LINKS; ++i)
    {
        double t = (double)i / LINKS;
        j->mass[i] = i == 0 || i == LINKS ? 0.0 : 0.1;
        j->x[3 * i] = span * t;
        j->x[3 * i + 1] = -2.2 * t * (1.0 - t);
    }
    j->gravity[1] = -9.81;
    for (int i = 0; i < LINKS; ++i)
    {
        judge_add(j, PL_KIND_DISTANCE, (int[]){i, i + 1}, (double[]){length / LINKS}, 0.0);
    }
    for (int n = 0; n < 60; ++n)
    {
        judge_report report;
        assert_true(judge_step(j, 1.0, &report)); // long implicit steps go straight to rest
        assert_true(report.constraint < 1e-12);
    }
    double low = 0.05, high = 10.0;
    for (int n = 0; n < 200; ++n) // 2 a sinh(s/(2 a)) = L falls with a
    {
        double a = 0.5 * (low + high);
        *(2.0 * a * sinh(span / (2.0 * a)) > length ? &low : &high) = a;
    }
    for (int i = 0; i <= LINKS; ++i)
    {
        double y = low * (cosh((j->x[3 * i] - span / 2.0) / low) - cosh(span / (2.0 * low)));
        near(j->x[3 * i + 1], y, 1e-3 * length);
    }
    judge_destroy(j);
}

static void one_sided(void **state)
{
    (void)state;
    judge *j = judge_create(3);
    j->mass[1] = j->mass[2] = 1.0;
    j->x[3] = 0.5;
    j->x[6] = 1.5;
    judge_add(j, PL_KIND_DISTANCE_MAX, (int[]){1, 0}, (double[]){1.0}, 0.0); // slack at 0.5
    judge_add(j, PL_KIND_DISTANCE_MIN, (int[]){2, 1}, (double[]){0.5}, 0.0); // slack at 1.0
    judge_report report;
    assert_true(judge_step(j, 0.1, &report));
    near(j->x[3], 0.5, 1e-15);
    near(j->x[6], 1.5, 1e-15);
    near(judge_force(&j->row[0]), 0.0, 0.0);
    j->v[3] = 10.0; // flies 1 m: the rope stops it at 1, and then it pushes the second, which is at 1.5
    j->v[6] = 0.0;
    assert_true(judge_step(j, 0.1, &report));
    near(j->x[3], 1.0, 1e-12);
    assert_true(judge_force(&j->row[0]) < 0.0);
    near(j->x[6], 1.5, 1e-12);
    judge_destroy(j);
}

// Isometric hinge: E = 1/2 |sum k x|^2 / compliance; a folded hinge pushes itself flat. Pin: a spring in three directions.
static void vectors_and_volume(void **state)
{
    (void)state;
    judge *j = judge_create(1);
    j->mass[0] = 1.0;
    j->x[0] = 0.3;
    j->x[2] = -0.4;
    judge_add(j, PL_KIND_PIN, (int[]){0}, (double[]){0.0, 0.0, 0.0}, 0.01);
    judge_report report;
    assert_true(judge_step(j, 0.1, &report));
    near(j->x[0], 0.3 / (1.0 + 0.1 * 0.1 / 0.01), 1e-14); // (1 + h^2 k/m) x = x~
    near(judge_force(&j->row[0]), -0.25 / 0.01, 1e-10);
    judge_destroy(j);

    j = judge_create(4);
    const double x[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    memcpy(j->x, x, sizeof x);
    for (int i = 0; i < 4; ++i)
    {
        j->mass[i] = 1.0;
    }
    judge_add(j, PL_KIND_TET_VOLUME, (int[]){0, 1, 2, 3}, (double[]){0.25}, 0.0);
    assert_true(judge_step(j, 0.1, &report));
    judge_value value;
    judge_evaluate(&j->row[0], j->x, &value);
    near(value.c[0], 0.0, 1e-14);
    near(j->x[0] + j->x[3] + j->x[6] + j->x[9], 1.0, 1e-13); // no force from outside: the centre stays
    judge_destroy(j);

    j = judge_create(4);
    const double fold[12] = {0, 0, 0, 0, 0, 1, 1, 0.2, 0.5, -1, 0.2, 0.5};
    memcpy(j->x, fold, sizeof fold);
    for (int i = 0; i < 4; ++i)
    {
        j->mass[i] = 1.0;
    }
    judge_add(j, PL_KIND_DIHEDRAL, (int[]){0, 1, 2, 3}, (double[]){0.0}, 0.0);
    judge_evaluate(&j->row[0], j->x, &value);
    near(fabs(value.c[0]), 2.0 * atan(0.2), 1e-14);
    assert_true(judge_step(j, 0.1, &report));
    judge_evaluate(&j->row[0], j->x, &value);
    near(value.c[0], 0.0, 1e-13);
    assert_true(fabs(value.c[0]) < PI);
    judge_destroy(j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives),         cmocka_unit_test(free_fall), cmocka_unit_test(hanging_spring),
        cmocka_unit_test(rigid_pendulum),      cmocka_unit_test(one_sided), cmocka_unit_test(vectors_and_volume),
        cmocka_unit_test(chain_is_a_catenary), cmocka_unit_test(elements),  cmocka_unit_test(small_strains),
        cmocka_unit_test(elements_relax),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
