// test_time_of_impact.c: distances against the twin; impacts against closed forms and against small steps in time;
// casts.
#include "convex_twin.h"
#include "collide/time_of_impact.h"

static const quat still = {{0.0f, 0.0f, 0.0f}, 1.0f};

static shape_motion straight(vec way)
{
    shape_motion s = {still, still, way, {mat_unit(), {0.0f, 0.0f, 0.0f}}};
    return s;
}

static void distances(void **state)
{
    (void)state;
    memory m = open_memory();
    int apart = 0, steps = 0;
    double worst = 0.0;
    for (int n = 0; n < 64 * 14; n++)
    {
        test_shape a = draw_shape(&m, n % 8, 1.0f), b = draw_shape(&m, n / 8 % 8, n % 3 ? 1.0f : 0.03f);
        pose p = {random_turn(), times(uniform(0.3f, 3.0f), on_sphere())};
        gjk_result g = gjk_distance(&a.c, &b.c, &p);
        steps = g.steps > steps ? g.steps : steps;
        // The points bound the distance from above, the gap along the normal from below.
        double below = twin_along(&a.c, &b.c, &p, d_of(g.normal)), above = d_length(d_sub(d_of(g.b), d_of(g.a))),
               within = 4e-5 * (1.0 + above);
        if (a.c.kind == CONVEX_CYLINDER || b.c.kind == CONVEX_CYLINDER)
            within *= 10.0; // slivers of points on a rim end the search early
        above -= (double)convex_round(&a.c) + (double)convex_round(&b.c);
        if (g.core > 1e-3f)
        {
            apart++;
            worst = fmax(worst, above - below);
            check(above - below < within && fabs((double)g.distance - above) < within,
                  "kinds %d %d: distance %g, from %g to %g (%d steps)", a.c.kind, b.c.kind, (double)g.distance, below,
                  above, g.steps);
            check((double)convex_probe(&a.c, g.a).distance < within &&
                      (double)convex_probe(&b.c, pose_in(&p, g.b)).distance < within,
                  "a point is outside of its shape");
        }
        else
        {
            dvec axis;
            double s = twin_separation(&a.c, &b.c, &p, &axis) + (double)convex_round(&a.c) + (double)convex_round(&b.c);
            check(s < 1.1e-3, "kinds %d %d: %g apart, but core distance %g", a.c.kind, b.c.kind, s, (double)g.core);
        }
        check(convex_overlap(&a.c, &b.c, &p, 0.0f) == (g.distance <= 0.0f), "overlap");
        drop_shape(&m, &a);
        drop_shape(&m, &b);
    }
    print_message("%d distances, at worst %g m off, at most %d steps\n", apart, worst, steps);
    check(apart > 300, "only %d pairs are apart", apart);
}

// A ball of 1 m/s on a wall; a bullet of 1 cm on a plate of 1 mm; a rod that turns into a wall.
static void closed_forms(void **state)
{
    (void)state;
    convex ball = convex_sphere(0.5f), wall = convex_box(vec_of(0.5f, 5.0f, 5.0f), 0.0f);
    shape_motion rest = straight(vec_of(0.0f, 0.0f, 0.0f)), fly = straight(vec_of(4.0f, 0.0f, 0.0f));
    impact_time t = time_of_impact(&ball, &fly, &wall, &rest, vec_of(3.0f, 0.2f, 0.0f), 0.001f);
    check(t.state == IMPACT_HIT && fabsf(t.time - 1.999f / 4.0f) < 1e-4f, "state %d at %g", t.state, (double)t.time);
    check(fabsf(t.normal.x - 1.0f) < 1e-6f && fabsf(t.at.x - 2.5f) < 1e-3f, "normal");
    t = time_of_impact(&ball, &fly, &wall, &rest, vec_of(3.0f, 5.6f, 0.0f), 0.001f);
    check(t.state == IMPACT_NONE, "it passes above, but state %d", t.state);
    t = time_of_impact(&ball, &fly, &wall, &rest, vec_of(0.9f, 0.0f, 0.0f), 0.001f);
    check(t.state == IMPACT_INITIAL && t.time == 0.0f, "overlap at the start: state %d", t.state);

    convex bullet = convex_box(vec_of(0.005f, 0.005f, 0.005f), 0.0f),
           plate = convex_box(vec_of(0.0005f, 1.0f, 1.0f), 0.0f);
    fly = straight(vec_of(20.0f, 3.0f, 1.0f));
    t = time_of_impact(&bullet, &fly, &plate, &rest, vec_of(5.0f, 1.0f, 0.0f), 1e-4f);
    check(t.state == IMPACT_HIT && fabsf(t.time - (5.0f - 0.0056f) / 20.0f) < 1e-4f, "bullet: state %d at %g", t.state,
          (double)t.time);
    // The same far from the origin is the same call: positions are differences.

    // A rod of half length 1 about its middle, a quarter turn about z; the wall begins at x = 0.5: it hits at 60
    // degrees from the wall's direction, where sin(angle) = 0.5.
    convex rod = convex_capsule(1.0f, 0.001f);
    shape_motion turning = straight(vec_of(0.0f, 0.0f, 0.0f));
    turning.to = (quat){{0.0f, 0.0f, -0.70710678f}, 0.70710678f};
    t = time_of_impact(&rod, &turning, &wall, &rest, vec_of(1.0f, 0.0f, 0.0f), 1e-4f);
    pose at = shape_motion_at(&turning, t.time);
    check(t.state == IMPACT_HIT && fabsf(at.rotation.c[1].x - 0.499f) < 2e-3f,
          "rod: state %d, end at x = %g (%d steps)", t.state, (double)at.rotation.c[1].x, t.steps);
}

static shape_motion random_sweep(float fast, float spin)
{
    shape_motion s = straight(times(fast, on_sphere()));
    vec a = times(spin, on_sphere());
    float len = sqrtf(square(a) + 1.0f);
    s.to = (quat){times(1.0f / len, a), 1.0f / len};
    s.shape.rotation = random_turn();
    s.shape.at = times(0.1f, on_sphere());
    return s;
}

static double distance_at(const convex *a, const shape_motion *sa, const convex *b, const shape_motion *sb, vec between,
                          float t)
{
    pose pa = shape_motion_at(sa, t), pb = shape_motion_at(sb, t),
         p = pose_between(&pa.rotation, &pb.rotation, add(between, sub(pb.at, pa.at)));
    return (double)gjk_distance(a, b, &p).distance;
}

// Never late: before the time found, no small step in time finds the shapes nearer than the target; and at it they are
// there.
static void never_late(void **state)
{
    (void)state;
    memory m = open_memory();
    int hits = 0, misses = 0, unfinished = 0, steps = 0;
    for (int n = 0; n < 64 * 10; n++)
    {
        test_shape a = draw_shape(&m, n % 8, 0.5f), b = draw_shape(&m, n / 8 % 8, 0.5f);
        shape_motion sa = random_sweep(uniform(0.0f, 3.0f), uniform(0.0f, 0.8f)),
                     sb = random_sweep(uniform(0.0f, 3.0f), uniform(0.0f, 0.8f));
        vec between = times(uniform(1.0f, 3.0f), on_sphere());
        if (n % 2)
            sb.way = add(times(-uniform(0.5f, 1.5f), between), times(0.3f, on_sphere()));
        const float target = 0.005f;
        impact_time t = time_of_impact(&a.c, &sa, &b.c, &sb, between, target);
        steps = t.steps > steps ? t.steps : steps;
        for (int i = 0; i <= 200; i++)
        {
            float now = (float)i / 200.0f;
            if (now >= t.time || t.state == IMPACT_INITIAL)
                break;
            double d = distance_at(&a.c, &sa, &b.c, &sb, between, now);
            check(d > (double)target - 1e-4, "kinds %d %d: at %g already %g near; state %d at %g", a.c.kind, b.c.kind,
                  (double)now, d, t.state, (double)t.time);
        }
        if (t.state == IMPACT_HIT)
            check(fabs(distance_at(&a.c, &sa, &b.c, &sb, between, t.time) - (double)target) < 5e-4,
                  "not there at the time");
        hits += t.state == IMPACT_HIT;
        misses += t.state == IMPACT_NONE;
        unfinished += t.state == IMPACT_CLOSE;
        drop_shape(&m, &a);
        drop_shape(&m, &b);
    }
    print_message("%d hits, %d misses, %d unfinished, at most %d steps\n", hits, misses, unfinished, steps);
    check(hits > 80 && misses > 100 && unfinished * 100 < hits, "%d hits, %d misses, %d unfinished", hits, misses,
          unfinished);
}

static void casts(void **state)
{
    (void)state;
    memory m = open_memory();
    int hits = 0;
    for (int n = 0; n < 64 * 20; n++)
    {
        test_shape a = draw_shape(&m, n % 8, 0.5f), b = draw_shape(&m, n / 8 % 8, 1.0f);
        pose start = {random_turn(), times(uniform(1.5f, 4.0f), on_sphere())};
        vec way = sub(times(0.5f, on_sphere()), times(uniform(0.5f, 2.0f), start.at));
        cast_hit h = convex_cast(&a.c, &start, way, &b.c);
        int inside = convex_overlap(&b.c, &a.c, &start, 0.0f);
        for (int i = 0; i <= 100 && !inside; i++)
        {
            float t = (float)i / 100.0f;
            pose now = {start.rotation, add(start.at, times(t, way))};
            float d = gjk_distance(&b.c, &a.c, &now).distance;
            check((h.hit && t >= h.time - 1e-4f) || d > -1e-5f, "kinds %d %d: overlap %g at %g, but hit %d at %g",
                  a.c.kind, b.c.kind, (double)d, (double)t, h.hit, (double)h.time);
        }
        if (h.hit && !inside)
        {
            pose now = {start.rotation, add(start.at, times(h.time, way))};
            check(fabsf(gjk_distance(&b.c, &a.c, &now).distance) < 2e-5f, "not touching at the time of the hit");
            check(fabsf(convex_probe(&b.c, h.at).distance) < 1e-4f, "the point is not on the surface");
            check(dot(h.normal, way) < 1e-6f, "the normal looks away");
            hits++;
        }
        // A ball of the same sort of cast equals the cast of a sphere.
        convex ball = convex_sphere(0.2f);
        cast_hit one = convex_ray(&b.c, start.at, way, 0.2f), two = convex_cast(&ball, &start, way, &b.c);
        check(one.hit == two.hit && (!one.hit || fabsf(one.time - two.time) * length(way) < 2e-4f),
              "kind %d: ray %d %g, cast %d %g", b.c.kind, one.hit, (double)one.time, two.hit, (double)two.time);
        drop_shape(&m, &a);
        drop_shape(&m, &b);
    }
    print_message("%d casts hit\n", hits);
    check(hits > 200, "only %d casts hit", hits);
    // Closed forms: a ray on a box, a cylinder, a ray that passes.
    convex box = convex_box(vec_of(1.0f, 1.0f, 1.0f), 0.0f), tube = convex_cylinder(1.0f, 0.5f);
    cast_hit h = convex_ray(&box, vec_of(-5.0f, 0.3f, 0.2f), vec_of(10.0f, 0.0f, 0.0f), 0.0f);
    check(h.hit && fabsf(h.time - 0.4f) < 1e-6f && h.normal.x < -0.999f, "box at %g", (double)h.time);
    h = convex_ray(&tube, vec_of(0.0f, 0.0f, 5.0f), vec_of(0.0f, 0.0f, -10.0f), 0.0f);
    check(h.hit && fabsf(h.time - 0.45f) < 1e-6f && h.normal.z > 0.999f, "cylinder at %g", (double)h.time);
    h = convex_ray(&tube, vec_of(0.51f, 0.0f, 5.0f), vec_of(0.0f, 0.0f, -10.0f), 0.0f);
    check(!h.hit, "a ray that passes hits at %g", (double)h.time);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(distances), cmocka_unit_test(closed_forms),
                                       cmocka_unit_test(never_late), cmocka_unit_test(casts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
