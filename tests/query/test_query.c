// Rays, nearest and picked particles, against brute force in double.
#include "support/support.h"

enum
{
    SIZE = 12,
    COUNT = SIZE * SIZE
};

static pl_world *waving(float *x)
{
    pl_world *w = make_world(1, 1);
    pl_cloth_def cloth = pl_default_cloth_def();
    cloth.columns = cloth.rows = SIZE;
    good(pl_add_cloth(w, &cloth, NULL));
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, COUNT, x));
    uint64_t seed = 3;
    for (int i = 0; i < COUNT; i++)
        x[3 * i + 1] += 0.1f * dice(&seed);
    good(pl_set(w, PL_ATTRIBUTE_POSITION, 0, COUNT, x));
    return w;
}

static double ray_by_force(const pl_world *w, const float *x, const double *o, const double *d, int *face)
{
    double best = 1e9;
    int32_t t[3];
    *face = -1;
    for (int i = 0; i < pl_face_count(w); i++)
    {
        good(pl_get_faces(w, i, 1, t));
        double a[3], e[3], f[3], s[3], n[3];
        for (int c = 0; c < 3; c++)
        {
            a[c] = x[3 * t[0] + c];
            e[c] = (double)x[3 * t[1] + c] - a[c], f[c] = (double)x[3 * t[2] + c] - a[c];
            s[c] = o[c] - a[c];
        }
        for (int c = 0; c < 3; c++)
            n[c] = e[(c + 1) % 3] * f[(c + 2) % 3] - e[(c + 2) % 3] * f[(c + 1) % 3];
        double nd = n[0] * d[0] + n[1] * d[1] + n[2] * d[2];
        if (fabs(nd) < 1e-12)
            continue;
        double at = -(n[0] * s[0] + n[1] * s[1] + n[2] * s[2]) / nd, p[3], nn = n[0] * n[0] + n[1] * n[1] + n[2] * n[2],
               u = 0, v = 0;
        for (int c = 0; c < 3; c++)
            p[c] = s[c] + at * d[c];
        for (int c = 0; c < 3; c++)
        {
            int k = (c + 1) % 3, l = (c + 2) % 3;
            u += n[c] * (p[k] * f[l] - p[l] * f[k]) / nn;
            v += n[c] * (e[k] * p[l] - e[l] * p[k]) / nn;
        }
        if (at >= 0 && u >= 0 && v >= 0 && u + v <= 1 && at < best)
        {
            best = at;
            *face = i;
        }
    }
    return best;
}

static void rays(void **state)
{
    (void)state;
    static float x[3 * COUNT];
    pl_world *w = waving(x);
    uint64_t seed = 4;
    int hits = 0;
    for (int i = 0; i < 300; i++)
    {
        pl_vec3 o = {0.5f + dice(&seed), 1.0f + dice(&seed), 0.5f + dice(&seed)}, d = {dice(&seed), -1.0f, dice(&seed)};
        double size = sqrt((double)d.x * d.x + 1.0 + (double)d.z * d.z), from[3] = {o.x, o.y, o.z};
        const double dir[3] = {(double)d.x / size, -1.0 / size, (double)d.z / size};
        int face;
        double distance = ray_by_force(w, x, from, dir, &face);
        pl_hit hit;
        good(pl_ray_cast(w, o, d, 1e6f, &hit));
        assert_int_equal(hit.found, face >= 0);
        if (!hit.found)
        {
            assert_int_equal(hit.face, -1);
            continue;
        }
        hits++;
        near_to("distance", (double)hit.distance, distance, 1e-4);
        near_to("point", (double)hit.point.y, from[1] + distance * dir[1], 1e-4);
        near_to("unit normal",
                (double)(hit.normal.x * hit.normal.x + hit.normal.y * hit.normal.y + hit.normal.z * hit.normal.z), 1.0,
                1e-5);
        int32_t t[3];
        good(pl_get_faces(w, hit.face, 1, t));
        assert_true(hit.particle == t[0] || hit.particle == t[1] || hit.particle == t[2]);
        good(pl_ray_cast(w, o, d, (float)(0.99 * distance), &hit));
        assert_false(hit.found);
    }
    assert_true(hits > 30 && hits < 300);
    pl_world_destroy(w);
}

static void nearest_and_picked(void **state)
{
    (void)state;
    static float x[3 * COUNT];
    pl_world *w = waving(x);
    uint64_t seed = 5;
    for (int i = 0; i < 300; i++)
    {
        pl_vec3 p = {0.5f + dice(&seed), dice(&seed), 0.5f + dice(&seed)};
        int best = -1, first = -1;
        double least = 1e9, soonest = 1e9;
        for (int k = 0; k < COUNT; k++)
        {
            double d[3] = {(double)x[3 * k] - (double)p.x, (double)x[3 * k + 1] - (double)p.y,
                           (double)x[3 * k + 2] - (double)p.z};
            double distance = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            if (distance < least)
                least = distance, best = k;
            if (d[0] * d[0] + d[2] * d[2] <= 0.01 && d[1] <= 0.0 && -d[1] < soonest) // a ray straight down
                soonest = -d[1], first = k;
        }
        pl_hit hit;
        good(pl_closest_particle(w, p, 100.0f, &hit));
        assert_true(hit.found);
        assert_int_equal(hit.particle, best);
        near_to("distance", (double)hit.distance, least, 1e-5);
        good(pl_closest_particle(w, p, (float)(0.9 * least), &hit));
        assert_false(hit.found);
        assert_int_equal(hit.particle, -1);
        good(pl_pick_particle(w, p, (pl_vec3){0, -3, 0}, 0.1f, &hit));
        assert_int_equal(hit.particle, first);
        assert_int_equal(hit.found, first >= 0);
    }
    pl_world_destroy(w);
}

static void removed_particles_are_not_found(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    pl_id id;
    add_one(w, 0, 0, 0, 1, &id);
    int far = add_one(w, 5, 0, 0, 1, NULL);
    good(pl_remove(w, id));
    pl_hit hit;
    good(pl_closest_particle(w, (pl_vec3){0}, 100.0f, &hit));
    assert_int_equal(hit.particle, far);
    pl_world_destroy(w);
}

static void bad_questions(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    pl_hit hit;
    const pl_vec3 o = {0}, d = {0, 1, 0}, wrong = {NAN, 0, 0};
    refused(pl_ray_cast(w, wrong, d, 1, &hit), PL_ERROR_ARGUMENT, "finite");
    refused(pl_ray_cast(w, o, o, 1, &hit), PL_ERROR_ARGUMENT, "not 0");
    refused(pl_ray_cast(w, o, d, -1, &hit), PL_ERROR_ARGUMENT, "distance is -1");
    refused(pl_ray_cast(w, o, d, NAN, &hit), PL_ERROR_ARGUMENT, "distance");
    refused(pl_closest_particle(w, wrong, 1, &hit), PL_ERROR_ARGUMENT, "finite");
    refused(pl_closest_particle(w, o, NAN, &hit), PL_ERROR_ARGUMENT, "distance");
    refused(pl_pick_particle(w, o, wrong, 1, &hit), PL_ERROR_ARGUMENT, "finite");
    good(pl_ray_cast(w, o, d, INFINITY, &hit)); // an empty world
    assert_false(hit.found);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays),
        cmocka_unit_test(nearest_and_picked),
        cmocka_unit_test(removed_particles_are_not_found),
        cmocka_unit_test(bad_questions),
    };
    return cmocka_run_group_tests_name("query", tests, NULL, NULL);
}
