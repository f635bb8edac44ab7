// test_manifold_convex.c: manifolds of every pair of kinds, at random, against the twin: separation, normal, points on
// both surfaces; A and B exchanged; ids that stay under small motion; hostile numbers.
// long: too
#include "convex_twin.h"
#include "support/long.h"

static double slop_of(const convex *a, const convex *b)
{
    return (double)least(SLOP_FACE, SLOP_SHARE * least(convex_width(a), convex_width(b)));
}

static void check_manifold(const convex *a, const convex *b, const pose *p, const manifold *m, float margin,
                           double scale)
{
    // Sides are moved by a slop. A point of a rim is carried to the other shape along a normal that is late by the
    // bias.
    int rim = a->kind == CONVEX_CYLINDER || b->kind == CONVEX_CYLINDER;
    double within = 2e-5 * scale, outside = 2.0 * slop_of(a, b) + within + (rim ? 0.02 * scale : 0.0);
    check(fabs((double)square(m->normal) - 1.0) < 1e-5, "a normal of length %g", (double)length(m->normal));
    check(m->count >= 0 && m->count <= MANIFOLD_POINTS, "%d points", m->count);
    double along = twin_along(a, b, p, d_of(m->normal));
    for (int i = 0; i < m->count; i++)
    {
        const manifold_point *q = &m->point[i];
        dvec on_b = d_add(d_turn(&p->rotation, d_of(q->b)), d_of(p->at)), gap = d_sub(on_b, d_of(q->a));
        check(fabs(d_dot(gap, d_of(m->normal)) - (double)q->separation) < within,
              "separation %g, but the points are %g apart", (double)q->separation, d_dot(gap, d_of(m->normal)));
        check(q->separation <= margin + 1e-6f, "beyond the margin");
        check((double)q->separation > along - within, "kinds %d %d: deeper (%g) than the shapes overlap (%g)", a->kind,
              b->kind, (double)q->separation, along);
        double da = (double)convex_probe(a, q->a).distance, db = (double)convex_probe(b, q->b).distance;
        check(da < outside && db < outside, "kinds %d %d: a point lies %g, %g outside (axis %08x, id %08x)", a->kind,
              b->kind, da, db, m->axis, q->id);
        for (int j = 0; j < i; j++)
            check(m->point[j].id != q->id, "kinds %d %d: two points have the id %08x", a->kind, b->kind, q->id);
    }
}

// How much the axis may be worse than the best one. The search for the normal of a cylinder has two such steps, and on
// a rim it may end a twentieth of the overlap short.
static double bias_of(const convex *a, const convex *b, double overlap, double scale)
{
    int rim = a->kind == CONVEX_CYLINDER || b->kind == CONVEX_CYLINDER;
    return (rim ? 2.0 : 1.0) * 5.0 * slop_of(a, b) + (rim ? 0.05 * fabs(overlap) : 0.0) + 1e-4 * scale;
}

static void random_pairs(void **state)
{
    (void)state;
    memory m = open_memory();
    int overlapping = 0, shallow = 0, rounds = is_long() ? 40 : 8;
    double worst = 0.0;
    for (int n = 0; n < 192 * rounds; n++)
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
        check(s <= 2.0 * (double)margin || k.count == 0, "kinds %d %d: %g apart, but %d points", a.c.kind, b.c.kind, s,
              k.count);
        if (s <= 0.0)
        {
            double along = twin_along(&a.c, &b.c, &p, d_of(k.normal)), lowest = 1e9;
            overlapping++;
            check(k.count > 0, "kinds %d %d (%d): overlap %g without a point", a.c.kind, b.c.kind, n, s);
            worst = fmax(worst, (s - along) / (double)scale);
            check(s - along < bias_of(&a.c, &b.c, s, (double)scale),
                  "kinds %d %d (%d): overlap %g, along the normal %g", a.c.kind, b.c.kind, n, s, along);
            for (int i = 0; i < k.count; i++)
                lowest = fmin(lowest, (double)k.point[i].separation);
            shallow += lowest > 1e-5 * (double)scale;
        }
        drop_shape(&m, &a);
        drop_shape(&m, &b);
    }
    print_message("%d pairs, %d overlap, %d of them without a point inside; the axis is at worst %g of the size late\n",
                  192 * rounds, overlapping, shallow, worst);
    check(shallow * 200 <= overlapping, "%d of %d overlaps have no point inside", shallow, overlapping);
    assert_int_equal(m.bytes, 0);
}

// B against A is the mirror of A against B: the same separation and normal, up to the bias.
static void exchanged(void **state)
{
    (void)state;
    memory m = open_memory();
    int same_points = 0, all_of_them = 0;
    for (int n = 0; n < 64 * 40; n++)
    {
        test_shape a = draw_shape(&m, n % TWIN_SHAPES, 1.0f), b = draw_shape(&m, n / TWIN_SHAPES % TWIN_SHAPES, 1.0f);
        pose p = {random_turn(), times(uniform(0.4f, 1.2f), on_sphere())}, back = pose_inverse(&p);
        manifold k, l;
        manifold_of(&a.c, &b.c, &p, 0.02f, 0, &k);
        manifold_of(&b.c, &a.c, &back, 0.02f, 0, &l);
        manifold_swap(&l, &back);
        if (k.count || l.count)
        {
            double s = twin_along(&a.c, &b.c, &p, d_of(k.normal)), t = twin_along(&a.c, &b.c, &p, d_of(l.normal));
            check(fabs(s - t) < bias_of(&a.c, &b.c, s, 1.0) || k.count == 0 || l.count == 0,
                  "kinds %d %d: %g one way, %g the other", a.c.kind, b.c.kind, s, t);
            all_of_them++;
            int found = k.count == l.count && (double)dot(k.normal, l.normal) > 0.9999;
            for (int i = 0; found && i < k.count; i++)
            {
                int known = 0;
                for (int j = 0; j < l.count; j++)
                    known |= fabsf(k.point[i].separation - l.point[j].separation) < 1e-4f &&
                             length(sub(k.point[i].a, l.point[j].a)) < 1e-3f;
                found &= known;
            }
            same_points += found;
        }
        drop_shape(&m, &a);
        drop_shape(&m, &b);
    }
    print_message("A and B exchanged: %d of %d manifolds have the same points\n", same_points, all_of_them);
    check(same_points * 10 > all_of_them * 8, "only %d of %d are the same", same_points, all_of_them);
}

// A body that slides and turns a little (0.1 mm, 1e-4 rad) keeps the ids of its points.
static void ids_stay(void **state)
{
    (void)state;
    memory m = open_memory();
    int64_t kept = 0, all_of_them = 0;
    for (int n = 0; n < 64 * 20; n++)
    {
        test_shape a = draw_shape(&m, n % TWIN_SHAPES, 1.0f), b = draw_shape(&m, n / TWIN_SHAPES % TWIN_SHAPES, 1.0f);
        pose p = {random_turn(), times(uniform(0.4f, 1.2f), on_sphere())};
        manifold k, l;
        manifold_of(&a.c, &b.c, &p, 0.02f, 0, &k);
        for (int step = 0; step < 10; step++)
        {
            quat q = {times(5e-5f, on_sphere()), 1.0f};
            mat3 by = mat_of_quat(q);
            p.rotation = mat_mul(&by, &p.rotation);
            p.at = add(p.at, times(1e-4f, on_sphere()));
            manifold_of(&a.c, &b.c, &p, 0.02f, k.axis, &l);
            for (int i = 0; i < l.count; i++)
            {
                int known = 0;
                for (int j = 0; j < k.count; j++)
                    known |= k.point[j].id == l.point[i].id;
                kept += known;
                all_of_them++;
            }
            k = l;
        }
        drop_shape(&m, &a);
        drop_shape(&m, &b);
    }
    print_message("%.2f %% of the points keep their id over a step\n", 100.0 * (double)kept / (double)all_of_them);
    check(kept * 100 > all_of_them * 99, "%lld of %lld ids stay", (long long)kept, (long long)all_of_them);
}

// Shapes of about 1 cm, turned at random, on a box of a square kilometre, 500 m from its middle: as deep as a plane
// says.
static void small_on_huge(void **state)
{
    (void)state;
    memory m = open_memory();
    convex ground_box = convex_box(vec_of(500.0f, 5.0f, 500.0f), 0.0f);
    mat3 level = mat_unit();
    float worst = 0.0f;
    for (int n = 0; n < 1600; n++)
    {
        test_shape a = draw_shape(&m, n % TWIN_SHAPES, 0.01f);
        mat3 r = n % 2 ? random_turn() : mat_unit();
        float below = (float)d_extent(&a.c, d_turn_back(&r, (dvec){0.0, -1.0, 0.0})),
              depth = 0.02f * convex_width(&a.c), lowest = 1.0f;
        vec up = vec_of(431.7f, 5.0f + below - depth, -227.3f);
        float exact = up.y - 5.0f - below; // what is left of the depth in a float
        manifold k;
        manifold_between(&a.c, &ground_box, &r, &level, negative(up), 1e-4f, 0, &k);
        check(k.count > 0, "shape %d: no point", n % TWIN_SHAPES);
        for (int i = 0; i < k.count; i++)
            lowest = least(lowest, k.point[i].separation);
        vec normal = mat_times(&r, k.normal);
        check(normal.y < -0.99999f, "shape %d (%d): normal (%g, %g, %g)", n % TWIN_SHAPES, n, (double)normal.x,
              (double)normal.y, (double)normal.z);
        worst = most(worst, magnitude(lowest - exact));
        check(magnitude(lowest - exact) < 2e-6f, "shape %d: %g deep, not %g", n % TWIN_SHAPES, (double)-lowest,
              (double)-exact);
        drop_shape(&m, &a);
    }
    print_message("1 cm on 1 km: depths at worst %g m off\n", (double)worst);
}

static void finite_results(const manifold *k)
{
    check(k->count >= 0 && k->count <= MANIFOLD_POINTS, "%d points", k->count);
    for (int i = 0; i < k->count; i++)
    {
        const manifold_point *q = &k->point[i];
        check(isfinite(q->separation) && isfinite(square(q->a)) && isfinite(square(q->b)) &&
                  isfinite(square(k->normal)),
              "point %d is not finite", i);
    }
}

// Coincident, touching, parallel, tiny against huge, flat: finite numbers come out, whatever they are.
static void hostile(void **state)
{
    (void)state;
    memory m = open_memory();
    const float size[5] = {1e-6f, 0.01f, 1.0f, 1000.0f, 1e6f};
    for (int n = 0; n < 64 * 25 * 4; n++)
    {
        test_shape a = draw_shape(&m, n % 8, size[n / 64 % 5]), b = draw_shape(&m, n / 8 % 8, size[n / 320 % 5]);
        pose p = {mat_unit(), vec_of(0.0f, 0.0f, 0.0f)};
        if (n / 1600 == 1)
            p.at = vec_of(0.0f, a.c.half.y + b.c.half.y, 0.0f);
        if (n / 1600 == 2)
            p.at = vec_of(a.c.half.x, 0.0f, 0.0f), p.rotation = random_turn();
        if (n / 1600 == 3)
            p.at = times(size[n / 64 % 5], on_sphere());
        if (n % 7 == 0)
            b.c.half.x = 0.0f;
        if (n % 11 == 0)
            a.c.radius = 0.0f;
        manifold k;
        manifold_of(&a.c, &b.c, &p, 1e-3f, 0, &k);
        finite_results(&k);
        // A cached axis of another pair must do no harm.
        manifold_of(&a.c, &b.c, &p, 1e-3f, random_bits(), &k);
        finite_results(&k);
        p.at.x = n % 2 ? NAN : INFINITY;
        manifold_of(&a.c, &b.c, &p, 1e-3f, 0, &k); // must end, and not crash
        drop_shape(&m, &a);
        drop_shape(&m, &b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_pairs), cmocka_unit_test(exchanged),
                                       cmocka_unit_test(ids_stay), cmocka_unit_test(small_on_huge),
                                       cmocka_unit_test(hostile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
