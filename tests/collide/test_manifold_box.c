// test_manifold_box.c: boxes in positions whose answer is known: face, edge and corner contacts, stacks, deep overlap,
// touch, thin plates, tiny on huge, far from the origin; and what manifold_poly.h gives for the same pairs.
#include "convex_twin.h"

static mat3 about(vec axis, float angle)
{
    quat q = {times(sinf(0.5f * angle), axis), cosf(0.5f * angle)};
    return mat_of_quat(q);
}

static const vec x_axis = {1.0f, 0.0f, 0.0f}, y_axis = {0.0f, 1.0f, 0.0f}, z_axis = {0.0f, 0.0f, 1.0f};

static manifold boxes(vec ha, vec hb, mat3 r, vec at, uint32_t last)
{
    convex a = convex_box(ha, 0.0f), b = convex_box(hb, 0.0f);
    pose p = {r, at};
    manifold m;
    manifold_of(&a, &b, &p, 0.02f, last, &m);
    return m;
}

static void expect(const manifold *m, int count, vec normal, float separation, float within, const char *what)
{
    check(m->count == count, "%s: %d points, not %d", what, m->count, count);
    check(length(sub(m->normal, normal)) < 1e-3f, "%s: normal (%g, %g, %g)", what, (double)m->normal.x,
          (double)m->normal.y, (double)m->normal.z);
    float lowest = 1e9f;
    for (int i = 0; i < m->count; i++)
        lowest = least(lowest, m->point[i].separation);
    check(fabsf(lowest - separation) <= within, "%s: separation %g, not %g", what, (double)lowest, (double)separation);
}

static void known_positions(void **state)
{
    (void)state;
    const vec one = vec_of(0.5f, 0.5f, 0.5f), up = y_axis;
    manifold m = boxes(one, one, mat_unit(), vec_of(0.0f, 0.999f, 0.0f), 0);
    expect(&m, 4, up, -0.001f, 1e-6f, "stacked");
    m = boxes(one, one, mat_unit(), vec_of(0.0f, 1.0f, 0.0f), 0);
    expect(&m, 4, up, 0.0f, 1e-7f, "touching");
    m = boxes(one, one, mat_unit(), vec_of(0.0f, 1.015f, 0.0f), 0);
    expect(&m, 4, up, 0.015f, 1e-6f, "within the margin");
    m = boxes(one, one, mat_unit(), vec_of(0.0f, 1.025f, 0.0f), 0);
    check(m.count == 0, "beyond the margin");
    m = boxes(one, one, mat_unit(), vec_of(0.0f, 0.3f, 0.1f), 0);
    expect(&m, 4, up, -0.7f, 1e-6f, "deep");
    m = boxes(one, one, about(y_axis, 0.78539816f), vec_of(0.0f, 0.999f, 0.0f), 0);
    expect(&m, 4, up, -0.001f, 1e-6f, "turned by 45 degrees: four of eight points");
    m = boxes(one, one, about(z_axis, 0.78539816f), vec_of(0.0f, 0.5f + 0.70710678f - 0.001f, 0.0f), 0);
    expect(&m, 2, up, -0.001f, 1e-5f, "on its edge");
    mat3 z45 = about(z_axis, 0.78539816f), tip = about(x_axis, 0.61547971f);
    mat3 corner = mat_mul(&tip, &z45); // the diagonal upright
    m = boxes(one, one, corner, vec_of(0.0f, 0.5f + 0.8660254f - 0.001f, 0.0f), 0);
    check(m.count >= 1 && dot(m.normal, up) > 0.999f, "on its corner: %d points, normal %g", m.count,
          (double)m.normal.y);
    expect(&m, m.count, up, -0.001f, 1e-5f, "on its corner");
    // Two edges that cross at a right angle: A lies on an edge along z, B on an edge along x.
    mat3 ra = about(z_axis, 0.78539816f), rb = about(x_axis, 0.78539816f);
    pose p = pose_between(&ra, &rb, vec_of(0.0f, 1.41421356f - 0.02f, 0.0f));
    convex c = convex_box(one, 0.0f);
    manifold_of(&c, &c, &p, 0.02f, 0, &m);
    m.normal = mat_times(&ra, m.normal);
    expect(&m, 1, up, -0.02f, 1e-5f, "edge on edge");
    check(m.point[0].id >> 28 == FEATURE_EDGES, "id %08x", m.point[0].id);
}

static void unequal(void **state)
{
    (void)state;
    // A plate of 1 m by 1 mm, flat and on edge; 1 cm on 1 km; coplanar sides.
    const vec plate = vec_of(0.5f, 0.0005f, 0.5f), one = vec_of(0.5f, 0.5f, 0.5f),
              ground = vec_of(500.0f, 0.5f, 500.0f), dice = vec_of(0.005f, 0.005f, 0.005f);
    manifold m = boxes(one, plate, mat_unit(), vec_of(0.1f, 0.5004f, 0.0f), 0);
    expect(&m, 4, y_axis, -0.0001f, 1e-6f, "a plate on a box");
    m = boxes(plate, plate, mat_unit(), vec_of(0.1f, 0.001f, 0.2f), 0);
    expect(&m, 4, y_axis, 0.0f, 1e-6f, "a plate on a plate");
    m = boxes(one, plate, about(z_axis, 1.57079633f), vec_of(0.2f, 0.999f, 0.0f), 0);
    check(m.count >= 2 && m.normal.y > 0.9999f, "a plate on edge: %d points", m.count);
    m = boxes(ground, dice, about(y_axis, 0.3f), vec_of(431.7f, 0.5049f, -227.3f), 0);
    // 431.7 m from the ground's centre a float has steps of 3e-5 m: that is all that is lost.
    expect(&m, 4, y_axis, -0.0001f, 2e-6f, "a die on a square kilometre");
    float span = 0.0f;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            span = most(span, length(sub(m.point[i].b, m.point[j].b)));
    check(fabsf(span - 0.0141421f) < 1e-4f, "its points span %g m", (double)span);
    m = boxes(one, one, mat_unit(), vec_of(1.0f, 1.0f, 0.0f), 0);
    check(m.count <= 4, "edges that coincide");
    m = boxes(one, one, mat_unit(), vec_of(0.0f, 0.0f, 0.0f), 0);
    check(m.count > 0 && fabsf(length(m.normal) - 1.0f) < 1e-6f, "two boxes in one place");
}

// A stack that trembles by rounding and a micrometre keeps normal, axis and ids.
static void hysteresis(void **state)
{
    (void)state;
    const vec one = vec_of(0.5f, 0.5f, 0.5f);
    manifold first = boxes(one, one, mat_unit(), vec_of(0.0f, 0.9995f, 0.0f), 0);
    uint32_t last = first.axis;
    for (int n = 0; n < 2000; n++)
    {
        quat q = {times(5e-6f, on_sphere()), 1.0f};
        manifold m = boxes(one, one, mat_of_quat(q), add(vec_of(0.0f, 0.9995f, 0.0f), times(1e-5f, on_sphere())), last);
        check(m.axis == first.axis && m.count == 4, "axis %08x, %d points", m.axis, m.count);
        for (int i = 0; i < 4; i++)
        {
            int known = 0;
            for (int j = 0; j < 4; j++)
                known |= m.point[i].id == first.point[j].id;
            check(known, "a new id %08x", m.point[i].id);
        }
        last = m.axis;
    }
    // A cube in the corner region: 0.3 mm decide which face is better; the last one stays, both ways.
    for (int n = 0; n < 2; n++)
    {
        float more = n ? 3e-4f : -3e-4f;
        manifold m = boxes(one, one, mat_unit(), vec_of(0.95f + more, 0.95f, 0.0f), 0), again;
        again = boxes(one, one, mat_unit(), vec_of(0.95f - more, 0.95f, 0.0f), m.axis);
        check(again.axis == m.axis, "axis %08x became %08x", m.axis, again.axis);
        again = boxes(one, one, mat_unit(), vec_of(0.95f - 10.0f * more, 0.95f, 0.0f), m.axis);
        check(again.axis != m.axis, "axis %08x stays for ever", m.axis);
    }
}

// The general code for polyhedra gives the same manifolds.
static void as_polyhedra(void **state)
{
    (void)state;
    int same = 0, all_of_them = 0;
    for (int n = 0; n < 20000; n++)
    {
        memory m = open_memory();
        test_shape a = draw_shape(&m, n % 3 ? 3 : 6, 1.0f), b = draw_shape(&m, n % 5 ? 3 : 5, 1.0f);
        pose p = {n % 7 ? random_turn() : mat_unit(), times(uniform(0.4f, 1.4f), on_sphere())};
        box_arrays sa, sb;
        polyhedron ha = polyhedron_of_box(a.c.half, &sa), hb = polyhedron_of_box(b.c.half, &sb);
        const float round[2] = {a.c.radius, b.c.radius};
        manifold k, l;
        uint32_t last = n % 2 ? 0 : (uint32_t)(1 + n % 3 % 2) << 30 | (uint32_t)(n % 6);
        manifold_boxes(&a.c, &b.c, &p, 0.02f, last, &k);
        manifold_poly_poly(&ha, &hb, &p, round, least(convex_width(&a.c), convex_width(&b.c)), 0.02f, last, &l);
        check((k.count == 0) == (l.count == 0), "%d points, in general %d (%d)", k.count, l.count, n);
        if (k.count == 0)
            continue;
        all_of_them++;
        int equal = k.count == l.count && k.axis == l.axis && length(sub(k.normal, l.normal)) < 1e-4f;
        for (int i = 0; equal && i < k.count; i++)
        {
            int known = 0;
            for (int j = 0; j < l.count; j++)
                known |= k.point[i].id == l.point[j].id && fabsf(k.point[i].separation - l.point[j].separation) < 3e-3f;
            equal &= known;
        }
        same += equal;
    }
    print_message("%d of %d manifolds of boxes equal those of polyhedra\n", same, all_of_them);
    check(same * 100 > all_of_them * 95, "%d of %d", same, all_of_them);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_positions), cmocka_unit_test(unequal),
                                       cmocka_unit_test(hysteresis), cmocka_unit_test(as_polyhedra)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
