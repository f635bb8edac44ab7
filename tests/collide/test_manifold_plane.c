// test_manifold_plane.c: planes: the lowest points, at any turn; a cylinder that rolls does not bump and one that
// stands keeps its points; distance fields of a box and a sphere.
#include "convex_twin.h"
#include "collide/manifold_plane.h"

static pose body_at(const mat3 *r, vec at)
{
    pose body = {*r, at};
    return body;
}

static void lowest_point(void **state)
{
    (void)state;
    memory m = open_memory();
    for (int n = 0; n < 4000; n++)
    {
        test_shape a = draw_shape(&m, n % 8, 1.0f);
        mat3 r = n % 5 ? random_turn() : mat_unit();
        dvec down = d_turn_back(&r, (dvec){0.0, -1.0, 0.0});
        double below = d_extent(&a.c, down);
        float depth = uniform(-0.015f, 0.1f);
        pose p = body_at(&r, vec_of(uniform(-3.0f, 3.0f), (float)below - depth, 1.0f));
        manifold k;
        manifold_plane(&a.c, &p, 0.02f, &k);
        check(k.count > 0, "shape %d: no point", n % 8);
        float lowest = 1e9f;
        for (int i = 0; i < k.count; i++)
        {
            lowest = least(lowest, k.point[i].separation);
            check(convex_probe(&a.c, k.point[i].a).distance < 2e-5f, "shape %d: a point outside", n % 8);
            check(fabsf(k.point[i].b.y) < 2e-5f, "shape %d: a point %g off the plane", n % 8, (double)k.point[i].b.y);
            for (int j = 0; j < i; j++)
                check(k.point[i].id != k.point[j].id, "two points have the id %08x", k.point[i].id);
        }
        // The deepest point may give way to others that are as deep up to the slop.
        check(fabsf(lowest + depth) < 1.1e-3f, "shape %d: %g deep, not %g", n % 8, (double)-lowest, (double)depth);
        drop_shape(&m, &a);
    }
}

static mat3 about(vec axis, float angle)
{
    quat q = {times(sinf(0.5f * angle), axis), cosf(0.5f * angle)};
    return mat_of_quat(q);
}

// A cylinder lying on a plane, on a large box and on two triangles' worth of box top rolls one turn: its line of
// contact has two points, and its depth changes by rounding alone. A prism of 12 sides would rise and fall by 3.4 % of
// the radius.
static void rolling(void **state)
{
    (void)state;
    convex c = convex_cylinder(0.3f, 0.5f), floor_box = convex_box(vec_of(50.0f, 1.0f, 50.0f), 0.0f);
    mat3 lie = about(vec_of(1.0f, 0.0f, 0.0f), 1.57079633f);
    float low = 1e9f, high = -1e9f;
    for (int n = 0; n < 720; n++)
    {
        float angle = 0.00872664626f * (float)n;
        mat3 spin = about(vec_of(0.0f, 1.0f, 0.0f), angle), r = mat_mul(&lie, &spin);
        pose plane = body_at(&r, vec_of(0.5f * angle, 0.499f, 0.0f));
        mat3 level = mat_unit();
        manifold k, l;
        manifold_plane(&c, &plane, 0.02f, &k);
        manifold_between(&c, &floor_box, &r, &level, vec_of(-0.5f * angle, -1.499f, 0.0f), 0.02f, 0, &l);
        check(k.count == 2 && l.count == 2, "%d degrees: %d and %d points", n / 2, k.count, l.count);
        for (int i = 0; i < 2; i++)
        {
            low = least(low, least(k.point[i].separation, l.point[i].separation));
            high = most(high, most(k.point[i].separation, l.point[i].separation));
        }
        vec up = mat_times(&r, l.normal);
        check(up.y < -0.99999f, "%d degrees: normal (%g, %g, %g)", n / 2, (double)up.x, (double)up.y, (double)up.z);
    }
    print_message("a rolling cylinder: separations from %.7f to %.7f\n", (double)low, (double)high);
    check(fabsf(low + 0.001f) < 2e-6f && fabsf(high + 0.001f) < 2e-6f, "from %g to %g", (double)low, (double)high);
}

// Standing on a plane and on a box: four points near the rim, which stay where they are while it trembles.
static void standing(void **state)
{
    (void)state;
    convex c = convex_cylinder(0.3f, 0.5f), floor_box = convex_box(vec_of(2.0f, 1.0f, 2.0f), 0.0f);
    manifold first[2], k[2];
    for (int n = 0; n < 500; n++)
    {
        vec axis = on_sphere();
        mat3 r = about(axis, n ? 1e-5f : 0.0f);
        vec at = vec_of(0.0f, 0.2995f, 0.0f);
        pose plane = body_at(&r, at);
        mat3 level = mat_unit();
        manifold_plane(&c, &plane, 0.02f, &k[0]);
        manifold_between(&c, &floor_box, &r, &level, vec_of(0.0f, -1.2995f, 0.0f), 0.02f, n ? first[1].axis : 0, &k[1]);
        for (int w = 0; w < 2; w++)
        {
            check(k[w].count == 4, "way %d: %d points", w, k[w].count);
            for (int i = 0; i < 4; i++)
            {
                float far = length(vec_of(k[w].point[i].a.x, 0.0f, k[w].point[i].a.z));
                check(fabsf(far - 0.5f) < 1e-3f && fabsf(k[w].point[i].separation + 0.0005f) < 2e-5f,
                      "way %d: at %g, %g deep", w, (double)far, (double)k[w].point[i].separation);
                int known = n == 0;
                for (int j = 0; j < 4; j++)
                    known |= n > 0 && first[w].point[j].id == k[w].point[i].id &&
                             length(sub(first[w].point[j].a, k[w].point[i].a)) < 1e-4f;
                check(known, "way %d: point %d has moved", w, i);
            }
        }
        if (n == 0)
            first[0] = k[0], first[1] = k[1];
    }
    // Tilted by 10 degrees it stands on the lowest point of its rim, whatever the direction.
    for (int n = 0; n < 100; n++)
    {
        float a = 0.0628318531f * (float)n;
        mat3 r = about(vec_of(cosf(a), 0.0f, sinf(a)), 0.17453293f);
        float below = 0.3f * cosf(0.17453293f) + 0.5f * sinf(0.17453293f);
        pose p = body_at(&r, vec_of(0.0f, below - 0.001f, 0.0f));
        manifold_plane(&c, &p, 0.02f, k);
        check(k->count >= 1 && fabsf(k->point[0].separation + 0.001f) < 1e-5f, "tilted: %g",
              (double)k->point[0].separation);
    }
}

// Boxes and balls on the field of a box: normals up, depths right to the accuracy of the field.
static void fields(void **state)
{
    (void)state;
    memory m = open_memory();
    test_mesh mesh = box_mesh(1.0f, 0.5f, 1.0f);
    mesh_view v = view(&mesh);
    sdf f;
    sdf_def def = {.spacing = 0.0625f, .margin = 0.25f};
    good(sdf_build(&m, &v, &def, &f));
    for (int n = 0; n < 400; n++)
    {
        test_shape a = draw_shape(&m, n % 8, 0.3f);
        mat3 r = n % 2 ? random_turn() : mat_unit();
        dvec down = d_turn_back(&r, (dvec){0.0, -1.0, 0.0});
        float depth = 0.03f;
        pose p =
            body_at(&r, vec_of(uniform(-0.4f, 0.4f), 0.5f + (float)d_extent(&a.c, down) - depth, uniform(-0.4f, 0.4f)));
        manifold k[GROUND_MANIFOLDS];
        int count = manifold_sdf(&a.c, &f, 0.0f, &p, 0.01f, k);
        check(count >= 1, "shape %d: nothing", n % 8);
        float lowest = 1e9f;
        for (int i = 0; i < count; i++)
            for (int j = 0; j < k[i].count; j++)
                lowest = least(lowest, k[i].point[j].separation);
        int round = a.c.kind == CONVEX_CYLINDER; // its rim is probed at 24 points
        check(fabsf(lowest + depth) < (round ? 0.015f : 2e-3f), "shape %d: %g deep, not %g", n % 8, (double)-lowest,
              (double)depth);
        check(mat_times(&r, k[0].normal).y < -0.99f || count > 1 || n % 8 == 5, "shape %d: normal", n % 8);
        drop_shape(&m, &a);
    }
    sdf_free(&m, &f);
    drop_mesh(&mesh);
    assert_int_equal(m.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lowest_point), cmocka_unit_test(rolling),
                                       cmocka_unit_test(standing), cmocka_unit_test(fields)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
