// test_manifold_convex.c: manifolds of every pair of kinds, at random, against the twin.
#include "convex_twin.h"

static double worst_axis[TWIN_SHAPES][TWIN_SHAPES];

static void check_manifold(const convex *a, const convex *b, const pose *p, const manifold *m, float margin,
                           double scale)
{
    double within = 2e-5 * scale,
           slop = 6.0 * (double)least(SLOP_FACE, SLOP_SHARE * least(convex_width(a), convex_width(b))) + within;
    check(fabs((double)square(m->normal) - 1.0) < 1e-5, "a normal of length %g", (double)length(m->normal));
    check(m->count >= 0 && m->count <= MANIFOLD_POINTS, "%d points", m->count);
    double along = twin_along(a, b, p, d_of(m->normal));
    for (int i = 0; i < m->count; i++)
    {
        const manifold_point *q = &m->point[i];
        dvec on_b = d_add(d_turn(&p->turn, d_of(q->b)), d_of(p->at)), gap = d_sub(on_b, d_of(q->a));
        check(fabs(d_dot(gap, d_of(m->normal)) - (double)q->separation) < within,
              "separation %g, but the points are %g apart", (double)q->separation, d_dot(gap, d_of(m->normal)));
        check(q->separation <= margin + 1e-6f, "beyond the margin");
        check((double)q->separation > along - within, "kinds %d %d: deeper (%g) than the shapes overlap (%g)", a->kind,
              b->kind, (double)q->separation, along);
        // On, or at most a few slops (sides are moved by one: more at a sharp corner) outside of, both surfaces; nothing is deep inside but what lies under the other's edge.
        double da = (double)convex_probe(a, q->a).distance, db = (double)convex_probe(b, q->b).distance;
        check((da < slop && db < slop) || a->kind == CONVEX_CYLINDER || b->kind == CONVEX_CYLINDER,
              "kinds %d %d: a point lies %g, %g outside (axis %08x, id %08x, separation %g, along %g)", a->kind,
              b->kind, da, db, m->axis, q->id, (double)q->separation, along);
        for (int j = 0; j < i; j++)
            check(m->point[j].id != q->id, "kinds %d %d: two points have the id %08x", a->kind, b->kind, q->id);
    }
}

static void random_pairs(void **state)
{
    (void)state;
    memory m = open_memory();
    int missed = 0, tested = 0, overlapping = 0, shallow = 0;
    for (int n = 0; n < 2560; n++)
    {
        int fa = n % TWIN_SHAPES, fb = n / TWIN_SHAPES % TWIN_SHAPES;
        float scale = n % 3 == 0 ? 0.05f : 1.0f, margin = 0.02f * scale;
        test_shape a = draw_shape(&m, fa, scale), b = draw_shape(&m, fb, scale);
        pose p = {random_turn(), times(uniform(0.2f, 1.2f) * scale, on_sphere())};
        dvec axis;
        double s = twin_separation(&a.c, &b.c, &p, &axis);
        manifold k;
        manifold_of(&a.c, &b.c, &p, margin, 0, &k);
        check_manifold(&a.c, &b.c, &p, &k, margin, (double)scale);
        tested++;
        if (s <= 0.0)
        {
            float width = least(convex_width(&a.c), convex_width(&b.c));
            double along = twin_along(&a.c, &b.c, &p, d_of(k.normal)),
                   bias = (double)least(SLOP_EDGE, 5.0f * SLOP_SHARE * width) + 1e-4 * (double)scale, lowest = 1e9;
            overlapping++;
            missed += k.count == 0;
            check(k.count > 0, "kinds %d %d (%d): overlap %g without a point", a.c.kind, b.c.kind, n, s);
            double late = s - along;
            worst_axis[fa][fb] = fmax(worst_axis[fa][fb], late / (double)scale);
            check(late < bias || a.c.kind == CONVEX_CYLINDER || b.c.kind == CONVEX_CYLINDER,
                  "kinds %d %d (%d): overlap %g, along the normal %g", a.c.kind, b.c.kind, n, s, along);
            for (int i = 0; i < k.count; i++)
                lowest = fmin(lowest, (double)k.point[i].separation);
            shallow += lowest > 1e-5 * (double)scale;
        }
        drop_shape(&m, &a);
        drop_shape(&m, &b);
    }
    print_message("%d pairs, %d overlap, %d without a point, %d without one inside\n", tested, overlapping, missed,
                  shallow);
    for (int i = 0; i < TWIN_SHAPES; i++)
    {
        for (int j = 0; j < TWIN_SHAPES; j++)
            print_message("%8.1e", worst_axis[i][j]);
        print_message("\n");
    }
    assert_int_equal(m.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
