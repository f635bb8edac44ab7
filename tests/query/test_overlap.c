// Regions against brute force.
#include "query/rays.h"

static void regions(void **state)
{
    (void)state;
    enum
    {
        N = 400
    };
    static float x[3 * N], r[N];
    pl_world *w = make_world(1, 1);
    for (int i = 0; i < 3 * N; i++)
        x[i] = roll();
    for (int i = 0; i < N; i++)
        r[i] = 0.05f * fabsf(roll());
    pl_particles_def def = pl_default_particles_def();
    def.count = N;
    def.position = x;
    good(pl_add_particles(w, &def, NULL));
    good(pl_set(w, PL_ATTRIBUTE_RADIUS, 0, N, r));
    int64_t found = 0;
    for (int i = 0; i < 200; i++)
    {
        pl_region region = pl_default_region();
        region.position = (pl_vec3){roll(), roll(), roll()};
        region.rotation = any_turn();
        region.box = i % 2;
        region.radius = region.box ? 0.1f * (float)(i % 3) : size();
        region.half = (pl_vec3){size(), size(), size()};
        static int32_t out[N];
        int count, at = 0;
        good(pl_overlap(w, &region, out, N, &count));
        for (int n = 0; n < N; n++)
        {
            double d[3] = {(double)x[3 * n] - region.position.x, (double)x[3 * n + 1] - region.position.y,
                           (double)x[3 * n + 2] - region.position.z};
            const float h[3] = {region.half.x, region.half.y, region.half.z};
            turn_back(region.rotation, d);
            for (int k = 0; region.box && k < 3; k++)
                d[k] = fmax(fabs(d[k]) - h[k], 0);
            double gap = sqrt(dot3(d, d)) - region.radius - r[n];
            bool told = at < count && out[at] == n;
            at += told;
            if (fabs(gap) > 1e-6 && told != (gap <= 0))
                fail_msg("particle %d: gap %g, told %d", n, gap, told);
        }
        assert_int_equal(at, count); // rising, and nothing but these
        found += count;
        int again;
        good(pl_overlap(w, &region, out, 2, &again));
        assert_int_equal(again, count);
        region.mask = 0;
        good(pl_overlap(w, &region, NULL, 0, &again));
        assert_int_equal(again, 0);
    }
    assert_true(found > 2000);
    pl_region region = pl_default_region();
    int count = 5;
    region.radius = NAN;
    refused(pl_overlap(w, &region, NULL, 0, &count), PL_ERROR_ARGUMENT, "radius is");
    region = pl_default_region(), region.box = true, region.half.y = 0;
    refused(pl_overlap(w, &region, NULL, 0, &count), PL_ERROR_ARGUMENT, "half is (0.5, 0, 0.5)");
    region = pl_default_region(), region.mask = -1;
    refused(pl_overlap(w, &region, NULL, 0, &count), PL_ERROR_ARGUMENT, "mask is -1");
    assert_int_equal(count, 5);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regions),
    };
    return cmocka_run_group_tests_name("overlap", tests, NULL, NULL);
}
