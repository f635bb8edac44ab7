// test_chains.c: a hanging rope is a catenary, and a chain bears a load ten thousand times as heavy as its links.
#include "physics.h"

// y = a cosh((x - s/2)/a) + c for a rope of length L over a span s: 2 a sinh(s/(2 a)) = L.
static double catenary(double length, double span)
{
    double low = 0.05, high = 10.0;
    for (int n = 0; n < 200; ++n)
    {
        double a = 0.5 * (low + high);
        *(2.0 * a * sinh(span / (2.0 * a)) > length ? &low : &high) = a;
    }
    return low;
}

static void rope_is_a_catenary(void **state)
{
    (void)state;
    enum
    {
        SEGMENTS = 60
    };
    const double length = 3.0, span = 2.0;
    pl_world *world = make_world(10, 10);
    change(world, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 1.0);
    pl_rope_def def = pl_default_rope_def();
    def.segments = SEGMENTS;
    def.from = (pl_vec3){0.0f, 0.0f, 0.0f};
    def.to = (pl_vec3){(float)span, 0.0f, 0.0f};
    def.length = (float)length;
    def.mass = 0.5f;
    def.stretch = (pl_softness){.compliance = 0.0f, .stiffness = 1.0f};
    def.bending = false;
    def.pin_first = def.pin_last = true;
    pl_id rope;
    int first, count;
    good(pl_add_rope(world, &def, &rope));
    good(pl_object_range(world, rope, &first, &count));
    assert_int_equal(count, SEGMENTS + 1);
    steps(world, 900, 1.0 / 60.0);
    double a = catenary(length, span);
    for (int i = 0; i < count; ++i)
    {
        pl_vec3 p = where(world, first + i);
        double y = a * (cosh(((double)p.x - span / 2.0) / a) - cosh(span / (2.0 * a)));
        near("height of the rope", (double)p.y, y, 0.01 * length);
        near("rope stays in its plane", (double)p.z, 0.0, 0.01 * length);
    }
    pl_world_destroy(world);
}

enum
{
    COUNT = 11
};

// Released level from `at`: it swings, and pulls hardest at the bottom.
static void swing(float at, double *mean, double *worst)
{
    float x[3 * COUNT] = {0}, mass[COUNT];
    int32_t index[2 * (COUNT - 1)];
    for (int i = 0; i < COUNT; ++i)
    {
        x[3 * i] = at + 0.1f * (float)i;
        mass[i] = i == 0 ? 0.0f : i == COUNT - 1 ? 10.0f : 0.001f;
        if (i + 1 < COUNT)
        {
            index[2 * i] = i;
            index[2 * i + 1] = i + 1;
        }
    }
    pl_world *world = make_world(50, 20); // with one iteration a substep it stretches to more than twice its length
    add_particles(world, COUNT, x, mass);
    pl_id links = add_rows(world, PL_KIND_DISTANCE, COUNT - 1, index, NULL, 0.0, 1.0);
    for (int n = 0; n < 600; ++n)
    {
        steps(world, 1, 1.0 / 60.0);
        assert_true(all_finite(world));
        float c[COUNT - 1];
        double most = 0.0;
        good(pl_get_rows(world, links, PL_ROW_VALUE, 0, COUNT - 1, c));
        for (int i = 0; i < COUNT - 1; ++i)
        {
            most = fmax(most, fabs((double)c[i]) / 0.1);
        }
        *mean += most / 600.0;
        *worst = fmax(*worst, most);
    }
    pl_world_destroy(world);
}

// Ten links of 1 g bear 10 kg. The pull of the heavy end must travel through the light ones: the hard case of Gauss-Seidel.
// Where it turns over, the light ones are whipped, and how far a link gives way for a frame is chance: 4 to 20 %.
static void heavy_end(void **state)
{
    (void)state;
    for (int start = 0; start < 6; ++start)
    {
        double mean = 0.0, worst = 0.0;
        swing(0.003f * (float)start, &mean, &worst);
        print_message("a link gives way by %.2f %%, at the worst by %.1f %%\n", 100.0 * mean, 100.0 * worst);
        below("mean stretch of the worst link", mean, 0.02);
        below("worst stretch of a link", worst, 0.25);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rope_is_a_catenary),
        cmocka_unit_test(heavy_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
