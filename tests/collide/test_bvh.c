// test_bvh.c: the tree's answers against looking at every triangle; signs against winding numbers; rays through edges
// and corners; and fast particles against thin sheets, of which none may pass.
#include "collide.h"

static test_mesh soup(int triangles, float size, int form)
{
    test_mesh m = new_mesh(3 * triangles, triangles);
    for (int t = 0; t < triangles; t++)
    {
        vec c = form == 1 ? vec_of(0.0f, 0.0f, 0.0f) : in_cube(1.0f); // 1: all on one heap
        if (form == 2)
            c = vec_of((float)one_of(3), 0.0f, (float)one_of(3)); // 2: many the same
        for (int i = 0; i < 3; i++)
        {
            vec p = add(c, form == 2 ? vec_of(i == 1, 0.0f, i == 2) : times(size, in_cube(1.0f)));
            put_vertex(&m, p.x, p.y, p.z);
        }
        put_triangle(&m, 3 * t, 3 * t + 1, 3 * t + 2);
    }
    return m;
}

static bvh_near look_at_all(const test_mesh *m, vec x, float reach)
{
    bvh_near r;
    r.slot = -1;
    r.at.square = reach * reach;
    for (int t = 0; t < m->triangles; t++)
    {
        closest c = point_triangle(x, mesh_corner(m, t, 0), mesh_corner(m, t, 1), mesh_corner(m, t, 2));
        if (c.square < r.at.square || (c.square == r.at.square && r.slot < 0))
            r.slot = t, r.at = c;
    }
    return r;
}

static void nearest_of_soup(void **state)
{
    (void)state;
    memory m = open_memory();
    for (int n = 0; n < 60; n++)
    {
        static const int counts[] = {1, 2, 4, 5, 9, 33, 100, 517, 1000};
        test_mesh s = soup(counts[n % 9], 0.2f, n % 3);
        mesh_view v = view(&s);
        bvh b;
        good(bvh_build(&m, &v, 0, &b));
        for (int k = 0; k < 200; k++)
        {
            vec x = in_cube(k % 2 ? 1.5f : 4.0f);
            float reach = k % 3 ? 100.0f : 0.3f;
            if (k % 10 == 0)
                x = mesh_corner(&s, one_of(s.triangles), one_of(3));
            bvh_near a = bvh_nearest(&b, x, reach), c = look_at_all(&s, x, reach);
            check((a.slot < 0) == (c.slot < 0), "the tree finds %d, all %d", a.slot, c.slot);
            if (a.slot < 0)
                continue;
            check(b.id[a.slot] == c.slot, "the tree tells triangle %d, all tell %d", b.id[a.slot], c.slot);
            assert_memory_equal(&a.at, &c.at, sizeof a.at);
        }
        bvh_free(&m, &b);
        drop_mesh(&s);
    }
    assert_int_equal(m.bytes, 0);
}

// The solid angle of all triangles over 4 pi: 1 inside, 0 outside. Van Oosterom and Strackee 1983.
static double winding(const test_mesh *m, dvec p)
{
    double sum = 0.0;
    for (int t = 0; t < m->triangles; t++)
    {
        dvec a = d_sub(d_of(mesh_corner(m, t, 0)), p), b = d_sub(d_of(mesh_corner(m, t, 1)), p);
        dvec c = d_sub(d_of(mesh_corner(m, t, 2)), p);
        double la = d_length(a), lb = d_length(b), lc = d_length(c);
        sum +=
            2.0 * atan2(d_dot(a, d_cross(b, c)), la * lb * lc + d_dot(a, b) * lc + d_dot(b, c) * la + d_dot(c, a) * lb);
    }
    return sum / 12.566370614359172;
}

// A star of spikes: sharp edges and corners, where a face's own normal tells the wrong side.
static test_mesh star_mesh(void)
{
    test_mesh s = sphere_mesh(1.0, 5, 8);
    for (int i = 0; i < s.vertices; i++)
        for (int k = 0; k < 3; k++)
            s.x[3 * i + k] *= i % 3 ? 0.3f : 1.7f;
    return s;
}

static void signs_of_solids(void **state)
{
    (void)state;
    memory m = open_memory();
    for (int n = 0; n < 4; n++)
    {
        test_mesh s = n == 0   ? box_mesh(1.0f, 0.5f, 0.7f)
                      : n == 1 ? torus_mesh(1.0, 0.3, 24, 12)
                      : n == 2 ? star_mesh()
                               : sphere_mesh(1.0, 12, 20);
        mesh_view v = view(&s);
        bvh b;
        int found, inside = 0;
        good(bvh_build(&m, &v, 1, &b));
        for (int k = 0; k < 6000; k++)
        {
            vec x = in_cube(1.8f);
            if (k % 4 == 0) // close to a corner or an edge
                x = add(blend(mesh_corner(&s, k % s.triangles, 0), mesh_corner(&s, k % s.triangles, 1),
                              k % 8 ? 0.5f : 0.0f),
                        in_cube(0.05f));
            surface_distance p = bvh_probe(&b, x, 100.0f, &found);
            double w = winding(&s, d_of(x));
            check(found, "nothing found");
            if (fabsf(p.distance) > 1e-5f)
                check((w > 0.5) == (p.distance < 0.0f), "mesh %d: winding %g, distance %g", n, w, (double)p.distance);
            inside += w > 0.5;
            // Along the normal by the distance lies the surface.
            dvec on = d_sub(d_of(x), d_times((double)p.distance, d_of(p.normal)));
            vec f = vec_of((float)on.x, (float)on.y, (float)on.z);
            check(look_at_all(&s, f, 100.0f).at.square < 1e-11f, "the surface is not where it is told to be");
        }
        check(inside > 300, "only %d points inside", inside);
        bvh_probe(&b, vec_of(50.0f, 0.0f, 0.0f), 1.0f, &found);
        assert_int_equal(found, 0);
        bvh_free(&m, &b);
        drop_mesh(&s);
    }
}

// ---- rays ----------------------------------------------------------------------------------------------------------

static void rays_against_all(void **state)
{
    (void)state;
    memory m = open_memory();
    int hits = 0;
    for (int n = 0; n < 40; n++)
    {
        test_mesh s = soup(n % 2 ? 300 : 40, n % 2 ? 0.1f : 0.5f, n % 3);
        mesh_view v = view(&s);
        bvh b;
        good(bvh_build(&m, &v, 0, &b));
        for (int k = 0; k < 500; k++)
        {
            vec from = in_cube(2.0f), to = in_cube(2.0f);
            if (k % 5 == 0)
                to = vec_of(from.x, -from.y, from.z); // along an axis
            bvh_hit a = bvh_ray(&b, from, to);
            int best = -1;
            float time = 1.0f, t, w[3];
            for (int i = 0; i < s.triangles; i++)
                if (ray_triangle(from, sub(to, from), mesh_corner(&s, i, 0), mesh_corner(&s, i, 1),
                                 mesh_corner(&s, i, 2), &t, w) &&
                    (t < time || (t == time && best < 0)))
                    best = i, time = t;
            check((a.slot < 0 ? -1 : b.id[a.slot]) == best, "the tree tells %d, all tell %d",
                  a.slot < 0 ? -1 : b.id[a.slot], best);
            check(best < 0 || a.time == time, "times %g and %g", (double)a.time, (double)time);
            if (best < 0)
                continue;
            hits++;
            dvec x = d_mix(d_of(from), d_of(to), (double)time), on; // and it is on the triangle, in double
            double off = twin_point_triangle(x, d_of(mesh_corner(&s, best, 0)), d_of(mesh_corner(&s, best, 1)),
                                             d_of(mesh_corner(&s, best, 2)), &on);
            check(off < 1e-5, "the hit is %g beside the triangle", off);
        }
        bvh_free(&m, &b);
        drop_mesh(&s);
    }
    check(hits > 1000, "only %d hits", hits);
}

// From inside a closed mesh every ray hits, also those aimed at an edge or a corner.
static void watertight(void **state)
{
    (void)state;
    memory m = open_memory();
    test_mesh s = sphere_mesh(1.0, 11, 16);
    mesh_view v = view(&s);
    bvh b;
    good(bvh_build(&m, &v, 1, &b));
    for (int k = 0; k < 100000; k++)
    {
        int t = one_of(s.triangles);
        vec from = k % 2 ? in_cube(0.4f) : vec_of(0.0f, 0.0f, 0.0f);
        vec at = k % 3 == 0
                     ? mesh_corner(&s, t, 0)
                     : blend(mesh_corner(&s, t, 0), mesh_corner(&s, t, 1), k % 3 == 1 ? 0.5f : uniform(0.0f, 1.0f));
        bvh_hit r = bvh_ray(&b, from, add(from, times(3.0f, sub(at, from))));
        check(r.slot >= 0, "ray %d slips out", k);
        check(fabsf(r.time - 0.33333f) < 1e-3f, "time %g", (double)r.time);
        check(dot(r.normal, sub(at, from)) > 0.0f, "the normal points inwards");
    }
    bvh_free(&m, &b);
    drop_mesh(&s);
}

// ---- sweeps --------------------------------------------------------------------------------------------------------

static void sweeps_against_all(void **state)
{
    (void)state;
    memory m = open_memory();
    int hits = 0;
    for (int n = 0; n < 30; n++)
    {
        test_mesh s = soup(n % 2 ? 300 : 40, n % 2 ? 0.1f : 0.5f, n % 3);
        mesh_view v = view(&s);
        bvh b;
        good(bvh_build(&m, &v, 0, &b));
        for (int k = 0; k < 300; k++)
        {
            vec from = in_cube(2.0f), to = k % 4 ? in_cube(2.0f) : vec_of(from.x, -from.y, from.z);
            float radius = k % 3 ? uniform(0.0f, 0.1f) : 0.0f;
            bvh_hit a = bvh_sweep(&b, from, to, radius);
            int best = -1;
            float time = 1.0f;
            for (int i = 0; i < s.triangles; i++)
            {
                impact p = sphere_triangle_ccd(from, to, radius, mesh_corner(&s, i, 0), mesh_corner(&s, i, 1),
                                               mesh_corner(&s, i, 2));
                if (p.hit && (p.time < time || (p.time == time && best < 0)))
                    best = i, time = p.time;
            }
            check((a.slot < 0 ? -1 : b.id[a.slot]) == best, "the tree tells %d, all tell %d",
                  a.slot < 0 ? -1 : b.id[a.slot], best);
            check(best < 0 || a.time == time, "times %g and %g", (double)a.time, (double)time);
            hits += best >= 0;
        }
        bvh_free(&m, &b);
        drop_mesh(&s);
    }
    check(hits > 500, "only %d hits", hits);
}

// A closed slab 1 mm thick, its upper side 1 mm above the lower; and a single sheet. Particles at 10 to 1000 m/s, dt =
// 1/60.
static void shoot(int particles, const test_mesh *s, const bvh *b, float thick)
{
    int hit = 0;
    for (int k = 0; k < particles; k++)
    {
        float speed = 10.0f * (float)pow(100.0, (double)k / (particles - 1)), way = speed / 60.0f,
              side = k % 2 ? 1.0f : -1.0f;
        vec at = vec_of(uniform(-0.9f, 0.9f), 0.5f * thick, uniform(-0.9f, 0.9f)), d = on_sphere();
        if (k % 3 == 0) // at a corner of the mesh
            at = mesh_corner(s, one_of(s->triangles), one_of(3)), at.x *= 0.9f, at.z *= 0.9f;
        d.y = side * most(fabsf(d.y), 0.02f); // also at shallow angles
        d = times(1.0f / length(d), d);
        float part = uniform(0.05f, 0.95f), radius = k % 4 == 0 ? 0.0f : 0.001f;
        vec from = sub(at, times(part * way, d)), to = add(from, times(way, d));
        float low = -0.002f, high = thick + 0.002f; // where a particle is still on its own side
        if (side > 0.0f ? from.y > low : from.y < high)
            continue;
        if (fabsf(from.x) > 50.0f || (side > 0.0f ? to.y < high : to.y > low))
            continue;
        bvh_hit r = bvh_sweep(b, from, to, radius);
        check(r.slot >= 0, "particle %d at %g m/s passes", k, (double)speed);
        vec x = add(from, times(r.time, sub(to, from)));
        float leeway = 4.0f * CCD_SLACK * (way + 2.0f);
        check(side > 0.0f ? x.y < 0.5f * thick + 1e-3f : x.y > 0.5f * thick - 1e-3f, "particle %d is stopped behind",
              k);
        check(side * r.normal.y < 0.0f || fabsf(x.x) > 0.95f || fabsf(x.z) > 0.95f, "particle %d is pushed on", k);
        bvh_near c = bvh_nearest(b, x, 1.0f);
        check(c.slot >= 0 && sqrtf(c.at.square) >= radius - leeway && sqrtf(c.at.square) <= radius + leeway,
              "particle %d stops %g off, radius %g", k, (double)sqrtf(c.at.square), (double)radius);
        hit++;
    }
    print_message("%d particles shot, none passed\n", hit);
    check(hit >= 10000, "only %d were aimed well", hit);
}

static void nothing_passes(void **state)
{
    (void)state;
    memory m = open_memory();
    test_mesh sheet = sheet_mesh(1.0f, 0.0005f, 40);
    mesh_view v = view(&sheet);
    bvh b;
    good(bvh_build(&m, &v, 0, &b));
    shoot(10300, &sheet, &b, 0.0f);
    bvh_free(&m, &b);
    drop_mesh(&sheet);

    test_mesh slab = box_mesh(1.0f, 0.0005f, 1.0f);
    v = view(&slab);
    good(bvh_build(&m, &v, 1, &b));
    shoot(10300, &slab, &b, 0.0f);
    bvh_free(&m, &b);
    drop_mesh(&slab);
}

// ---- building ------------------------------------------------------------------------------------------------------

static void moved_vertices(void **state)
{
    (void)state;
    memory m = open_memory();
    test_mesh s = sheet_mesh(1.0f, 0.1f, 20);
    mesh_view v = view(&s);
    bvh b;
    good(bvh_build(&m, &v, 0, &b));
    for (int i = 0; i < 3 * s.vertices; i++)
        s.x[i] = 0.7f * s.x[i] + uniform(-0.02f, 0.02f);
    bvh_refit(&b, s.x);
    for (int k = 0; k < 500; k++)
    {
        vec x = in_cube(1.0f);
        bvh_near a = bvh_nearest(&b, x, 10.0f), c = look_at_all(&s, x, 10.0f);
        assert_int_equal(b.id[a.slot], c.slot);
    }
    bvh_free(&m, &b);
    drop_mesh(&s);
}

static void tree_is_whole(void **state)
{
    (void)state;
    memory m = open_memory();
    for (int n = 1; n < 300; n++)
    {
        test_mesh s = soup(n, 0.1f, 0);
        mesh_view v = view(&s);
        bvh b, again;
        good(bvh_build(&m, &v, 0, &b));
        good(bvh_build(&m, &v, 0, &again));
        int64_t leaves = 0;
        for (int64_t i = 0; i < b.nodes; i++)
        {
            check(b.node[i].count > 0 || (b.node[i].next > i && b.node[i].next < b.nodes), "node %lld of %d",
                  (long long)i, n);
            leaves += b.node[i].count;
        }
        assert_int_equal(leaves, n);
        assert_memory_equal(b.node, again.node, (size_t)b.nodes * sizeof *b.node);
        bvh_free(&m, &b);
        bvh_free(&m, &again);
        drop_mesh(&s);
    }
    assert_int_equal(m.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nearest_of_soup),    cmocka_unit_test(signs_of_solids),
                                       cmocka_unit_test(rays_against_all),   cmocka_unit_test(watertight),
                                       cmocka_unit_test(nothing_passes),     cmocka_unit_test(moved_vertices),
                                       cmocka_unit_test(sweeps_against_all), cmocka_unit_test(tree_is_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
