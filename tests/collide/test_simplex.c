// test_simplex.c: nearest points of simplices against twins in double, over random and degenerate cases of many scales. The
// twins themselves are checked: a pair of points is nearest if and only if no corner lies beyond the planes through them.
#include "collide.h"

#define ULP 0x1p-23

// Corners that are random, coincident, collinear, nearly so, or on a coarse lattice.
static void draw(vec *p, int count, float size, int form)
{
    for (int i = 0; i < count; i++)
        p[i] = times(size, in_cube(1.0f));
    if (form == 1)
        p[1 + one_of(count - 1)] = p[0];
    if (form == 2) // on one line
        for (int i = 2; i < count; i++)
            p[i] = blend(p[0], p[1], uniform(-1.0f, 2.0f));
    if (form == 3) // on a lattice: many ties
        for (int i = 0; i < count; i++)
            p[i] = times(size, vec_of((float)one_of(3), (float)one_of(3), (float)one_of(2)));
    if (form == 4) // nearly parallel edges, needles
        p[count - 1] = add(add(p[count - 2], sub(p[1], p[0])), times(1e-5f * size, in_cube(1.0f)));
    if (form == 5) // in one plane
        for (int i = 0; i < count; i++)
            p[i].y = p[0].y;
    if (form == 6) // the first lies on the others
        p[0] = blend(p[1], blend(p[2], p[3], uniform(0.0f, 1.0f)), uniform(0.0f, 1.0f));
    if (form == 7) // far from the origin
        for (int i = 0; i < count; i++)
            p[i] = add(p[i], vec_of(100.0f * size, -50.0f * size, 75.0f * size));
}

static float spread(const vec *p)
{
    float s = 0.0f;
    for (int i = 1; i < 4; i++)
        s = most(s, reach_of(sub(p[i], p[0])));
    return s;
}

static void check_weights(const float *w, int from, int to)
{
    float sum = 0.0f;
    for (int i = from; i < to; i++)
    {
        check(w[i] >= 0.0f && w[i] <= 1.0f, "weight %g", (double)w[i]);
        sum += w[i];
    }
    check(fabsf(sum - 1.0f) < 4e-7f, "weights sum to %.9g", (double)sum);
}

static dvec weighted(const vec *p, const float *w, int count)
{
    dvec r = {0.0, 0.0, 0.0};
    double sum = 0.0;
    for (int i = 0; i < count; i++)
    {
        r = d_add(r, d_times((double)w[i], d_of(p[i])));
        sum += (double)w[i];
    }
    return d_times(1.0 / sum, r);
}

static void point_and_triangle(void **state)
{
    (void)state;
    double worst = 0.0, apart = 0.0;
    for (int n = 0; n < 200000; n++)
    {
        vec p[4];
        draw(p, 4, (float)pow(10.0, one_of(11) - 5), n % 8);
        closest c = point_triangle(p[0], p[1], p[2], p[3]);
        dvec on;
        double exact = twin_point_triangle(d_of(p[0]), d_of(p[1]), d_of(p[2]), d_of(p[3]), &on);
        double told = sqrt((double)c.square), size = (double)spread(p) + 1e-30;
        check_weights(c.weight, 0, 3);
        worst = fmax(worst, fabs(told - exact) / size / ULP);
        dvec q = weighted(p + 1, c.weight, 3);
        apart = fmax(apart, d_length(d_sub(d_sub(d_of(p[0]), q), d_of(c.between))) / size / ULP);
        // The twin is nearest: every corner lies beyond the plane through `on`, across the way to p.
        dvec away = d_sub(d_of(p[0]), on);
        for (int i = 1; i < 4; i++)
            check(d_dot(d_sub(d_of(p[i]), on), away) <= 1e-6 * size * d_length(away) + 1e-13 * size * size,
                  "the twin is not nearest");
    }
    print_message("point-triangle: distance off by %.2f ulp of the size, between by %.2f\n", worst, apart);
    check(worst < 4.0, "distance off by %g ulp", worst);
    check(apart < 400.0, "between and weights differ by %g ulp",
          apart); // far from the origin the check's own corners are coarse
}

static void edge_and_edge(void **state)
{
    (void)state;
    double worst = 0.0, apart = 0.0;
    for (int n = 0; n < 200000; n++)
    {
        vec p[4];
        draw(p, 4, (float)pow(10.0, one_of(11) - 5), n % 8);
        closest c = edge_edge(p[0], p[1], p[2], p[3]);
        double exact = twin_edge_edge(d_of(p[0]), d_of(p[1]), d_of(p[2]), d_of(p[3]));
        double told = sqrt((double)c.square), size = (double)spread(p) + 1e-30;
        check_weights(c.weight, 0, 2);
        check_weights(c.weight, 2, 4);
        worst = fmax(worst, fabs(told - exact) / size / ULP);
        dvec d = d_sub(weighted(p, c.weight, 2), weighted(p + 2, c.weight + 2, 2));
        apart = fmax(apart, d_length(d_sub(d, d_of(c.between))) / size / ULP);
    }
    print_message("edge-edge: distance off by %.2f ulp of the size, between by %.2f\n", worst, apart);
    check(worst < 4.0, "distance off by %g ulp", worst);
    check(apart < 400.0, "between and weights differ by %g ulp", apart);
}

static void point_and_edge(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int n = 0; n < 50000; n++)
    {
        vec p[4];
        draw(p, 4, (float)pow(10.0, one_of(11) - 5), n % 8);
        closest c = point_edge(p[0], p[1], p[2]);
        dvec on;
        double exact = twin_point_edge(d_of(p[0]), d_of(p[1]), d_of(p[2]), &on), size = (double)spread(p) + 1e-30;
        check_weights(c.weight, 0, 2);
        worst = fmax(worst, fabs(sqrt((double)c.square) - exact) / size / ULP);
    }
    check(worst < 4.0, "distance off by %g ulp", worst);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(point_and_triangle), cmocka_unit_test(edge_and_edge),
                                       cmocka_unit_test(point_and_edge)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
