// test_manifold_mesh.c: contacts with meshes and height fields: no ghost edges, the right normals on ridges, in valleys and
// on steps, as many points as a plane gives.
#include "test_ground.h"

// The pose of a body at `at` with rotation `r` in the frame of the ground.
static pose body_at(const mat3 *r, vec at)
{
    pose body = {*r, at};
    return body;
}

static vec world_normal(const mat3 *r, const manifold *k) { return mat_times(r, k->normal); }

// Every kind slides over a flat mesh, at any turn and height: all normals point straight down, and the deepest separation
// is that of a plane. A single ghost contact would tilt one of them.
static void slides(void **state)
{
    (void)state;
    memory m = open_memory();
    test_ground g = open_ground(&m, sheet_mesh(5.0f, 0.0f, 37), 0);
    int contacts = 0, missing = 0;
    for (int n = 0; n < 4000; n++)
    {
        test_shape a = draw_shape(&m, n % 8, 1.0f);
        mat3 r = n % 3 ? random_turn() : mat_unit();
        if (n % 3 == 0 && n % 2)
        {
            quat q = {vec_of(0.0f, uniform(-0.7f, 0.7f), 0.0f), 1.0f};
            float len = sqrtf(q.v.y * q.v.y + 1.0f);
            q.v.y /= len, q.w = 1.0f / len;
            r = mat_of_quat(q);
        }
        vec d = transposed_times(&r, vec_of(0.0f, -1.0f, 0.0f));
        float below = dot(d, convex_support(&a.c, d)) + convex_round(&a.c);
        float depth = uniform(-0.01f, 0.08f) * least(1.0f, 4.0f * convex_width(&a.c));
        vec at = vec_of(uniform(-3.0f, 3.0f), below - depth, uniform(-3.0f, 3.0f));
        pose p = body_at(&r, at);
        manifold k[GROUND_MANIFOLDS], plane;
        float margin = 0.02f, lowest = 1e9f;
        int count = manifold_mesh(&a.c, &g.b, &p, 0.0f, n % 2, margin, k);
        manifold_plane(&a.c, &p, margin, &plane);
        for (int i = 0; i < count; i++)
        {
            vec down = world_normal(&r, &k[i]);
            check(down.y < -0.99999f, "shape %d (%d): a ghost contact along (%g, %g, %g), depth %g", n % 8, n,
                  (double)down.x, (double)down.y, (double)down.z, (double)depth);
            for (int c = 0; c < k[i].count; c++)
            {
                lowest = least(lowest, k[i].point[c].separation);
                vec on = add(at, mat_times(&r, k[i].point[c].a));
                check(fabsf(on.y - k[i].point[c].separation) < 1e-4f, "a point at height %g has separation %g",
                      (double)on.y, (double)k[i].point[c].separation);
            }
            contacts += k[i].count;
        }
        missing += count == 0;
        check(count <= 1, "%d manifolds on flat ground", count);
        check(count == 1 && fabsf(lowest + depth) < 2e-3f, "shape %d (%d): deepest %g of %g, %d manifolds", n % 8, n,
              (double)lowest, (double)-depth, count);
        check(plane.count > 0 && fabsf(plane.point[0].separation) < 2.0f, "plane");
        drop_shape(&m, &a);
    }
    print_message("%d contacts on flat ground, %d shapes without\n", contacts, missing);
    drop_ground(&m, &g);
    assert_int_equal(m.bytes, 0);
}

// A box that rests on a fine mesh has its four corners as contacts, and keeps their ids over the triangles.
static void rests(void **state)
{
    (void)state;
    memory m = open_memory();
    test_ground g = open_ground(&m, sheet_mesh(5.0f, 0.0f, 61), 0);
    convex box = convex_box(vec_of(0.5f, 0.3f, 0.4f), 0.0f);
    mat3 r = mat_unit();
    int kept = 0, steps = 0;
    manifold k[GROUND_MANIFOLDS], last[GROUND_MANIFOLDS];
    for (int n = 0; n < 400; n++)
    {
        pose p = body_at(&r, vec_of(-3.0f + 0.01513f * (float)n, 0.2995f, 0.313f));
        int count = manifold_mesh(&box, &g.b, &p, 0.0f, 0, 0.02f, k);
        check(count == 1 && k[0].count == 4, "%d manifolds, %d points", count, k[0].count);
        float area = 0.0f;
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                area = most(area, square(sub(k[0].point[i].a, k[0].point[j].a)));
        check(area > 0.97f * (1.0f + 0.64f), "the points span %g", (double)area);
        for (int i = 0; n > 0 && i < 4; i++, steps++)
            for (int j = 0; j < 4; j++)
                kept += k[0].point[i].id == last[0].point[j].id;
        memcpy(last, k, sizeof k);
    }
    check(kept == steps, "%d of %d ids stay", kept, steps);
    drop_ground(&m, &g);
}

// On the edge of a box of triangles: a sphere rolls over the ridge with a normal that turns with it, and a cube above the
// ridge, standing on its edge, is held by it.
static void ridges(void **state)
{
    (void)state;
    memory m = open_memory();
    test_ground g = open_ground(&m, box_mesh(1.0f, 1.0f, 3.0f), 1);
    mat3 r = mat_unit();
    convex ball = convex_sphere(0.25f), cube = convex_box(vec_of(0.25f, 0.25f, 0.25f), 0.0f);
    manifold k[GROUND_MANIFOLDS];
    for (int i = 0; i <= 90; i += 5)
    {
        float a = (float)i * 0.01745329252f, c = cosf(a), s = sinf(a);
        pose p = body_at(&r, vec_of(1.0f + 0.24f * s, 1.0f + 0.24f * c, 0.4f));
        int count = manifold_mesh(&ball, &g.b, &p, 0.0f, 0, 0.02f, k);
        check(count == 1 && k[0].count == 1, "%d degrees: %d manifolds", i, count);
        check(fabsf(k[0].normal.x + s) < 1e-3f && fabsf(k[0].normal.y + c) < 1e-3f, "%d degrees: normal (%g, %g)", i,
              (double)k[0].normal.x, (double)k[0].normal.y);
        check(fabsf(k[0].point[0].separation + 0.01f) < 1e-5f, "%d degrees: %g deep", i,
              (double)k[0].point[0].separation);
    }
    // A cube beside the box pushes against the side, however high it reaches; above, against the top.
    for (int n = 0; n < 200; n++)
    {
        vec side = vec_of(1.245f, uniform(0.3f, 1.2f), uniform(-2.0f, 2.0f));
        vec top = vec_of(uniform(0.3f, 1.2f), 1.245f, uniform(-2.0f, 2.0f));
        for (int way = 0; way < 2; way++)
        {
            pose p = body_at(&r, way ? top : side);
            int count = manifold_mesh(&cube, &g.b, &p, 0.0f, 0, 0.02f, k);
            check(count >= 1, "nothing holds the cube");
            for (int i = 0; i < count; i++)
            {
                float d = way ? -k[i].normal.y : -k[i].normal.x;
                check(d > 0.999f, "way %d: a contact along (%g, %g, %g)", way, (double)k[i].normal.x,
                      (double)k[i].normal.y, (double)k[i].normal.z);
                for (int c = 0; c < k[i].count; c++)
                    check(k[i].point[c].separation > -0.006f, "%g deep", (double)k[i].point[c].separation);
            }
        }
    }
    drop_ground(&m, &g);
}

// A valley of two planes: a ball and a box in it touch both sides and nothing else.
static void valleys(void **state)
{
    (void)state;
    memory m = open_memory();
    test_mesh v = new_mesh(6, 4);
    for (int i = 0; i < 2; i++)
    {
        put_vertex(&v, -2.0f, 2.0f, i ? 3.0f : -3.0f);
        put_vertex(&v, 0.0f, 0.0f, i ? 3.0f : -3.0f);
        put_vertex(&v, 2.0f, 2.0f, i ? 3.0f : -3.0f);
    }
    put_triangle(&v, 0, 3, 1), put_triangle(&v, 1, 3, 4), put_triangle(&v, 1, 4, 2), put_triangle(&v, 2, 4, 5);
    test_ground g = open_ground(&m, v, 0);
    mat3 r = mat_unit();
    convex ball = convex_sphere(0.5f), rod = convex_capsule(0.4f, 0.3f);
    manifold k[GROUND_MANIFOLDS];
    pose p = body_at(&r, vec_of(0.0f, 0.5f * 1.41421356f - 0.001f, 0.2f));
    int count = manifold_mesh(&ball, &g.b, &p, 0.0f, 0, 0.02f, k);
    check(count == 2, "a ball in a valley: %d manifolds", count);
    for (int i = 0; i < count; i++)
        check(fabsf(k[i].point[0].separation + 0.0007071f) < 1e-5f && fabsf(k[i].normal.y + 0.70710678f) < 1e-4f,
              "normal %g, %g deep", (double)k[i].normal.y, (double)k[i].point[0].separation);
    quat lie = {vec_of(0.70710678f, 0.0f, 0.0f), 0.70710678f};
    r = mat_of_quat(lie);
    p = body_at(&r, vec_of(0.0f, 0.3f * 1.41421356f, 0.2f));
    count = manifold_mesh(&rod, &g.b, &p, 0.0f, 0, 0.02f, k);
    check(count == 2 && k[0].count == 2 && k[1].count == 2, "a rod in a valley: %d manifolds, %d points", count,
          k[0].count);
    drop_ground(&m, &g);
}

// A flat height field gives what a mesh gives; 1 km away too.
static void fields(void **state)
{
    (void)state;
    memory m = open_memory();
    enum
    {
        SIDE = 41
    };
    float height[SIDE * SIDE] = {0};
    heightfield_def def = {"field", height, SIDE, SIDE, {-2.0f, -2.0f}, {0.1f, 0.1f}};
    heightfield f;
    good(heightfield_build(&m, &def, &f));
    for (int n = 0; n < 800; n++)
    {
        test_shape a = draw_shape(&m, n % 8, 0.3f);
        mat3 r = random_turn();
        vec d = transposed_times(&r, vec_of(0.0f, -1.0f, 0.0f));
        float below = dot(d, convex_support(&a.c, d)) + convex_round(&a.c), depth = 0.05f * convex_width(&a.c);
        pose p = body_at(&r, vec_of(uniform(-1.0f, 1.0f), below - depth, uniform(-1.0f, 1.0f)));
        manifold k[GROUND_MANIFOLDS];
        int count = manifold_field(&a.c, &f, &p, 0.0f, 0.01f, k);
        check(count == 1, "shape %d: %d manifolds", n % 8, count);
        float lowest = 1e9f;
        for (int i = 0; i < k[0].count; i++)
            lowest = least(lowest, k[0].point[i].separation);
        check(world_normal(&r, k).y < -0.99999f && fabsf(lowest + depth) < 6e-4f, "shape %d: %g deep, not %g", n % 8,
              (double)lowest, (double)-depth);
        drop_shape(&m, &a);
    }
    heightfield_free(&m, &f);
    assert_int_equal(m.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slides), cmocka_unit_test(rests), cmocka_unit_test(ridges),
                                       cmocka_unit_test(valleys), cmocka_unit_test(fields)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
