// test_mat3.c: the rotation nearest to a matrix, against a singular value decomposition in double.
//
// R maximises tr(R^T A). With singular values s1 >= s2 >= s3 and s = -1 where det A < 0, it is unique where s2 + s s3 >
// 0: that is how fast the trace falls when R turns about the worst axis, so rounding of the size e s1 turns R by about
// e s1/(s2 + s s3). The rule here: every matrix must reach the largest trace to 2e-6 s1, and those with s2 + s s3 >=
// 0.05 s1 must give R itself, each entry to 1e-5.
#include "support/support.h"

#include "core/mat3.h"

typedef double real3[3][3]; // columns

static double dot3(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// One-sided Jacobi: turns columns a and b of AV, and of V, until they are normal to each other.
static void make_normal(real3 av, real3 v, int a, int b)
{
    double off = dot3(av[a], av[b]), gap = dot3(av[b], av[b]) - dot3(av[a], av[a]);
    if (off == 0.0)
        return;
    double tau = gap / (2.0 * off), t = (tau < 0.0 ? -1.0 : 1.0) / (fabs(tau) + sqrt(1.0 + tau * tau));
    double c = 1.0 / sqrt(1.0 + t * t), s = t * c;
    for (int k = 0; k < 3; k++)
    {
        double x = av[a][k], y = av[b][k];
        av[a][k] = c * x - s * y, av[b][k] = s * x + c * y;
        x = v[a][k], y = v[b][k];
        v[a][k] = c * x - s * y, v[b][k] = s * x + c * y;
    }
}

typedef struct answer
{
    real3 r;
    double most, trace, gap; // s1, s1 + s2 + s s3, s2 + s s3
} answer;

// R = U diag(1, 1, s) V^T: the two longest axes as they come, the third by the right hand, which is what s does.
static answer nearest_by_svd(real3 a)
{
    answer out;
    real3 u, v = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    memcpy(u, a, sizeof u);
    for (int sweep = 0; sweep < 12; sweep++)
    {
        make_normal(u, v, 0, 1);
        make_normal(u, v, 0, 2);
        make_normal(u, v, 1, 2);
    }
    double size[3];
    int third = 0;
    for (int i = 0; i < 3; i++)
    {
        size[i] = sqrt(dot3(u[i], u[i]));
        third = size[i] < size[third] ? i : third;
    }
    int p = (third + 1) % 3, q = (third + 2) % 3;
    double *w = u[third], lone[3] = {w[0], w[1], w[2]};
    for (int k = 0; k < 3; k++)
        u[p][k] /= size[p], u[q][k] /= size[q];
    for (int k = 0; k < 3; k++)
        w[k] = u[p][(k + 1) % 3] * u[q][(k + 2) % 3] - u[p][(k + 2) % 3] * u[q][(k + 1) % 3];
    double last = dot3(w, lone); // s s3
    for (int i = 0; i < 9; i++)
        out.r[i / 3][i % 3] = u[0][i % 3] * v[0][i / 3] + u[1][i % 3] * v[1][i / 3] + u[2][i % 3] * v[2][i / 3];
    out.most = fmax(size[p], size[q]);
    out.trace = size[p] + size[q] + last;
    out.gap = fmin(size[p], size[q]) + last;
    return out;
}

typedef struct tally
{
    int compared, close;
    double worst, slack;
} tally;

static void compare_one(mat3 r, real3 exact, const answer *want, tally *t)
{
    real3 got;
    double trace = 0.0;
    for (int i = 0; i < 3; i++)
    {
        got[i][0] = (double)r.c[i].x, got[i][1] = (double)r.c[i].y, got[i][2] = (double)r.c[i].z;
        trace += dot3(got[i], exact[i]);
    }
    t->slack = fmax(t->slack, (want->trace - trace) / want->most);
    assert_true(trace == trace);
    if (want->gap < 0.05 * want->most)
        return;
    for (int i = 0; i < 9; i++)
        t->worst = fmax(t->worst, fabs(got[i / 3][i % 3] - want->r[i / 3][i % 3]));
}

static void compare(const float *a, tally *t)
{
    mat3 m;
    real3 exact;
    for (int i = 0; i < 9; i++)
        exact[i / 3][i % 3] = (double)a[i];
    for (int i = 0; i < 3; i++)
        m.c[i] = vec_of(a[3 * i], a[3 * i + 1], a[3 * i + 2]);
    answer want = nearest_by_svd(exact);
    t->compared++;
    t->close += want.gap < 0.05 * want.most;
    compare_one(mat_of_quat(quat_nearest(&m)), exact, &want, t);
    compare_one(mat_of_quat(quat_nearest_small(&m)), exact, &want, t);
    compare_one(mat_nearest(&m), exact, &want, t);
}

static void verdict(const char *name, const tally *t)
{
    print_message("%-28s %7d matrices, %6d too near to ambiguous: R to %.1e, trace to %.1e\n", name, t->compared,
                  t->close, t->worst, t->slack);
    below("R", t->worst, 1e-5);
    below("the trace", t->slack, 2e-6);
    assert_true(t->close < t->compared);
}

enum
{
    EACH = 200000,
};

static void random_ones(void **state)
{
    (void)state;
    uint64_t seed = 11;
    tally t = {0}, large = {0};
    for (int n = 0; n < EACH; n++)
    {
        float a[9];
        for (int i = 0; i < 9; i++)
            a[i] = dice(&seed);
        compare(a, &t);
        const float scale = n % 2 ? 1e-6f : 1e6f;
        for (int i = 0; i < 9; i++)
            a[i] *= scale;
        compare(a, &large);
    }
    verdict("random", &t);
    verdict("random, of 1e-6 and 1e6", &large);
}

// a = rotation-like columns, squeezed along an arbitrary axis by `by`: 0 is flat, below 0 inside out.
static void squeezed(uint64_t *seed, float by, float *a)
{
    float n[3] = {dice(seed), dice(seed), dice(seed)};
    float size = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) + 1e-9f;
    for (int i = 0; i < 3; i++)
    {
        float c[3] = {dice(seed), dice(seed), dice(seed)};
        float along = (c[0] * n[0] + c[1] * n[1] + c[2] * n[2]) / (size * size);
        for (int k = 0; k < 3; k++)
            a[3 * i + k] = c[k] + (by - 1.0f) * along * n[k];
    }
}

static void flat_and_inverted_ones(void **state)
{
    (void)state;
    static const struct
    {
        const char *name;
        float by;
    } forms[] = {{"flat", 0.0f}, {"nearly flat", 1e-4f}, {"inside out", -0.3f}};
    for (int f = 0; f < 3; f++)
    {
        uint64_t seed = 21 + (uint64_t)f;
        tally t = {0};
        for (int n = 0; n < EACH; n++)
        {
            float a[9];
            squeezed(&seed, forms[f].by, a);
            compare(a, &t);
        }
        verdict(forms[f].name, &t);
    }
}

// What elements meet most: rotations, a little strained.
static void near_rotations(void **state)
{
    (void)state;
    uint64_t seed = 31;
    tally t = {0};
    for (int n = 0; n < EACH; n++)
    {
        quat q = {{dice(&seed), dice(&seed), dice(&seed)}, dice(&seed)};
        float inverse = 1.0f / sqrtf(square(q.v) + q.w * q.w + 1e-12f);
        q.v = times(inverse, q.v), q.w *= inverse;
        mat3 r = mat_of_quat(q);
        float a[9], strain = n % 3 ? 0.05f : 0.0f;
        for (int i = 0; i < 3; i++)
        {
            a[3 * i] = r.c[i].x + strain * dice(&seed);
            a[3 * i + 1] = r.c[i].y + strain * dice(&seed);
            a[3 * i + 2] = r.c[i].z + strain * dice(&seed);
        }
        compare(a, &t);
    }
    verdict("near rotations", &t);
    assert_int_equal(t.close, 0);
}

// Flat and turned upright, with nothing on the diagonal of the 4 x 4 matrix: not to be taken for nothing.
static void upright_ones(void **state)
{
    (void)state;
    static const float forms[][9] = {
        {0, 1, 0, -1, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 1, 0, -1, 0}, {0, 0, -1, 0, 0, 0, 1, 0, 0}};
    tally t = {0};
    for (int f = 0; f < 3; f++)
        compare(forms[f], &t);
    verdict("flat and upright", &t);
    assert_int_equal(t.close, 0);
}

// No rotation is nearer than another, but the answer is one, and finite.
static void ambiguous_ones(void **state)
{
    (void)state;
    const float forms[][9] = {{0},                            // nothing
                              {1, 0, 0, 0, 0, 0, 0, 0, 0},    // a line
                              {-1, 0, 0, 0, -1, 0, 0, 0, -1}, // a point reflection
                              {1, 0, 0, 0, 1, 0, 0, 0, -1}};  // a mirror
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
    {
        mat3 m;
        for (int i = 0; i < 3; i++)
            m.c[i] = vec_of(forms[f][3 * i], forms[f][3 * i + 1], forms[f][3 * i + 2]);
        quat q = quat_nearest(&m), small = quat_nearest_small(&m);
        near_to("the quaternion's length", (double)(square(q.v) + q.w * q.w), 1.0, 1e-6);
        near_to("looked for from the unit", (double)(square(small.v) + small.w * small.w), 1.0, 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_ones),  cmocka_unit_test(flat_and_inverted_ones), cmocka_unit_test(near_rotations),
        cmocka_unit_test(upright_ones), cmocka_unit_test(ambiguous_ones),
    };
    return cmocka_run_group_tests_name("mat3", tests, NULL, NULL);
}
