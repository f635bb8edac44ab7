// test_ground_cast.c: casts, overlaps and impacts with planes, meshes and height fields: they agree with each other, with the
// functions for balls, and with closed forms.
#include "test_ground.h"
#include "collide/ground_cast.h"

static void flat_ground(void **state)
{
    (void)state;
    enum
    {
        SIDE = 41
    };
    static float height[SIDE * SIDE];
    memory m = open_memory();
    heightfield_def def = {"field", height, SIDE, SIDE, {-4.0f, -4.0f}, {0.2f, 0.2f}};
    heightfield f;
    good(heightfield_build(&m, &def, &f));
    test_ground ground = open_ground(&m, sheet_mesh(4.0f, 0.0f, 30), 0);
    bvh b = ground.b;
    int hits = 0;
    for (int n = 0; n < 1600; n++)
    {
        test_shape a = draw_shape(&m, n % 8, 0.5f);
        pose start = {random_turn(), vec_of(uniform(-1.0f, 1.0f), uniform(1.0f, 3.0f), uniform(-1.0f, 1.0f))};
        vec way = vec_of(uniform(-1.0f, 1.0f), uniform(-3.0f, 0.5f), uniform(-1.0f, 1.0f));
        cast_hit p = cast_at_plane(&a.c, &start, way);
        ground_hit g = cast_at_mesh(&a.c, &start, way, &b, 0.0f), h = cast_at_field(&a.c, &start, way, &f, 0.0f);
        check(p.hit == g.hit.hit && p.hit == h.hit.hit, "shape %d: plane %d, mesh %d, field %d", n % 8, p.hit,
              g.hit.hit, h.hit.hit);
        if (p.hit)
        {
            float fall = -way.y;
            check(fabsf(p.time - g.hit.time) * fall < 1e-4f && fabsf(p.time - h.hit.time) * fall < 1e-4f,
                  "shape %d: plane %g, mesh %g, field %g", n % 8, (double)p.time, (double)g.hit.time,
                  (double)h.hit.time);
            check(fabsf(g.hit.at.y) < 1e-4f && g.hit.normal.y > 0.99f, "shape %d: normal %g at height %g", n % 8,
                  (double)g.hit.normal.y, (double)g.hit.at.y);
            check(g.id >= 0 && h.id >= 0, "no triangle");
            pose there = {start.rotation, add(start.at, times(g.hit.time, way))};
            check(overlap_mesh(&a.c, &there, &b, 0.0f, 1e-3f) >= 0 && overlap_field(&a.c, &there, &f, 0.0f, 1e-3f) >= 0,
                  "no overlap at the hit");
            there.at.y += 0.01f;
            check(overlap_mesh(&a.c, &there, &b, 0.0f, 1e-3f) < 0 && overlap_field(&a.c, &there, &f, 0.0f, 1e-3f) < 0,
                  "overlap above the hit");
            hits++;
        }
        // The same motion as an impact.
        quat still = {{0.0f, 0.0f, 0.0f}, 1.0f};
        shape_motion s = {still, still, way, {start.rotation, {0.0f, 0.0f, 0.0f}}};
        impact_time t, u;
        int32_t id = impact_with_mesh(&a.c, &s, start.at, &b, 0.0f, 1e-3f, &t);
        impact_with_field(&a.c, &s, start.at, &f, 0.0f, 1e-3f, &u);
        check((id >= 0) == (t.state == IMPACT_HIT), "id %d, state %d", id, t.state);
        check(!p.hit || (t.state == IMPACT_HIT && fabsf((p.time - t.time) * way.y) < 2e-3f),
              "shape %d: cast %g, impact %g", n % 8, (double)p.time, (double)t.time);
        check(t.state == u.state && fabsf(t.time - u.time) < 1e-3f, "mesh %d %g, field %d %g", t.state, (double)t.time,
              u.state, (double)u.time);
        drop_shape(&m, &a);
    }
    check(hits > 400, "only %d hits", hits);
    drop_ground(&m, &ground);
    heightfield_free(&m, &f);
    assert_int_equal(m.bytes, 0);
}

// A ball cast by this equals bvh_sweep on a wavy sheet.
static void balls(void **state)
{
    (void)state;
    memory m = open_memory();
    test_mesh sheet = sheet_mesh(4.0f, 0.6f, 24);
    mesh_view v = view(&sheet);
    bvh b;
    good(bvh_build(&m, &v, 0, &b));
    int hits = 0;
    for (int n = 0; n < 1500; n++)
    {
        convex ball = convex_sphere(uniform(0.05f, 0.4f));
        pose start = {random_turn(), vec_of(uniform(-2.0f, 2.0f), uniform(1.5f, 3.0f), uniform(-2.0f, 2.0f))};
        vec way = vec_of(uniform(-2.0f, 2.0f), uniform(-4.0f, 0.0f), uniform(-2.0f, 2.0f));
        bvh_hit s = bvh_sweep(&b, start.at, add(start.at, way), ball.radius);
        ground_hit g = cast_at_mesh(&ball, &start, way, &b, 0.0f);
        check((s.slot >= 0) == g.hit.hit, "swept %d, cast %d", s.slot, g.hit.hit);
        check(!g.hit.hit || fabsf(s.time - g.hit.time) * length(way) < 3e-4f, "swept %g, cast %g", (double)s.time,
              (double)g.hit.time);
        hits += g.hit.hit;
    }
    check(hits > 500, "only %d hits", hits);
    bvh_free(&m, &b);
    drop_mesh(&sheet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(flat_ground), cmocka_unit_test(balls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
