// Balloons: a closed surface holds the volume that it is given, keeps momentum, and pushes with the pressure it tells.
#include "physics/physics.h"

enum
{
    RINGS = 12,
    SECTORS = 16,
    COUNT = 2 + (RINGS - 1) * SECTORS,
    FACES = 2 * SECTORS * (RINGS - 1)
};

typedef struct balloon
{
    pl_world *world;
    pl_id object, volume;
    int32_t triangle[3 * FACES];
} balloon;

static int32_t ring_at(int ring, int sector)
{
    return ring == 0 ? 0 : ring == RINGS ? COUNT - 1 : 1 + (ring - 1) * SECTORS + sector % SECTORS;
}

static int list_triangles(int32_t *t)
{
    int n = 0;
    for (int r = 0; r < RINGS; r++)
        for (int s = 0; s < SECTORS; s++)
        {
            int32_t a = ring_at(r, s), b = ring_at(r, s + 1), c = ring_at(r + 1, s), d = ring_at(r + 1, s + 1);
            if (r > 0)
                t[n++] = a, t[n++] = b, t[n++] = d;
            if (r < RINGS - 1)
                t[n++] = a, t[n++] = d, t[n++] = c;
        }
    return n / 3;
}

// A ball of radius 0.5 m whose edges are springs.
static balloon make_balloon(float pressure, float compliance, float edges)
{
    const double pi = 3.14159265358979;
    balloon b = {0};
    float x[3 * COUNT], mass[COUNT];
    for (int r = 0; r <= RINGS; r++)
        for (int s = 0; s < (r % RINGS ? SECTORS : 1); s++)
        {
            float *p = x + 3 * ring_at(r, s);
            double a = pi * r / RINGS, o = 2.0 * pi * s / SECTORS;
            p[0] = (float)(0.5 * sin(a) * cos(o)), p[1] = (float)(0.5 * cos(a)), p[2] = (float)(0.5 * sin(a) * sin(o));
        }
    for (int i = 0; i < COUNT; i++)
        mass[i] = 0.01f;
    b.world = make_world(10, 2);
    weightless(b.world);
    b.object = add_particles(b.world, COUNT, x, mass);
    int faces = list_triangles(b.triangle);
    assert_int_equal(faces, FACES);
    if (edges >= 0.0f)
        for (int i = 0; i < FACES; i++)
            for (int k = 0; k < 3; k++)
            {
                int32_t e[2] = {b.triangle[3 * i + k], b.triangle[3 * i + (k + 1) % 3]};
                if (e[0] < e[1])
                {
                    pl_constraints_def c = pl_default_constraints_def();
                    pl_id id;
                    c.kind = PL_KIND_DISTANCE, c.count = 1, c.index = e, c.soft.compliance = edges;
                    good(pl_add_constraints(b.world, &c, &id));
                }
            }
    pl_volume_def v = pl_default_volume_def();
    v.triangle_count = FACES, v.triangles = b.triangle, v.pressure = pressure, v.compliance = compliance;
    good(pl_add_volume(b.world, &v, &b.volume));
    return b;
}

static double held(const balloon *b)
{
    pl_volume_state s;
    good(pl_get_volume(b->world, b->volume, &s));
    return (double)s.volume / (double)s.rest;
}

static void the_volume_is_held(void **state)
{
    (void)state;
    balloon b = make_balloon(1.0f, 0.0f, 1e-3f);
    float x[3 * COUNT];
    good(pl_get(b.world, PL_ATTRIBUTE_POSITION, 0, COUNT, x));
    for (int i = 0; i < COUNT; i++)
        x[3 * i + 1] *= 0.5f; // half is pressed out
    good(pl_set(b.world, PL_ATTRIBUTE_POSITION, 0, COUNT, x));
    near("pressed", held(&b), 0.5, 1e-4);
    steps(b.world, 5, 1.0 / 60.0);
    near("volume", held(&b), 1.0, 1e-3);
    pl_world_destroy(b.world);
}

static void pressure_blows_up(void **state)
{
    (void)state;
    balloon b = make_balloon(2.0f, 0.0f, 1e-3f);
    change(b.world, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 5.0);
    steps(b.world, 120, 1.0 / 60.0);
    near("volume", held(&b), 2.0, 2e-3);
    pl_volume_state s;
    good(pl_get_volume(b.world, b.volume, &s));
    assert_true(s.force > 0.0f); // the skin is stretched and presses
    double linear[3], angular[3];
    pl_world_momentum(b.world, linear, angular);
    for (int c = 0; c < 3; c++)
        below("momentum", fabs(linear[c]), 1e-4);
    pl_world_destroy(b.world);
}

// Only the gas and no skin: a compliance of V0 dV/dp makes it C = alpha lambda, so the pressure told is -C/alpha.
static void the_pressure_told_is_the_gas(void **state)
{
    (void)state;
    balloon b = make_balloon(1.5f, 1e-4f, 1e-4f);
    change(b.world, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 20.0);
    steps(b.world, 400, 1.0 / 60.0);
    pl_volume_state s;
    good(pl_get_volume(b.world, b.volume, &s));
    double wanted = ((double)s.pressure * (double)s.rest - (double)s.volume) / (double)s.compliance;
    print_message("pressure %.3f Pa, wanted %.3f\n", (double)s.force, wanted);
    near("pressure", (double)s.force / wanted, 1.0, 0.02);
    pl_world_destroy(b.world);
}

static void bad_surfaces_are_refused(void **state)
{
    (void)state;
    balloon b = make_balloon(1.0f, 0.0f, 1e-3f);
    pl_volume_def v = pl_default_volume_def();
    pl_id id;
    v.triangle_count = FACES, v.triangles = b.triangle;
    assert_int_equal(pl_add_volume(b.world, &v, &id), PL_ERROR_ARGUMENT);
    assert_non_null(strstr(pl_error_message(), "belongs to another volume"));
    good(pl_remove(b.world, b.volume));
    v.triangle_count = FACES - 1;
    assert_int_equal(pl_add_volume(b.world, &v, &id), PL_ERROR_ARGUMENT);
    assert_non_null(strstr(pl_error_message(), "open"));
    v.triangle_count = FACES;
    v.pressure = -1.0f;
    assert_int_equal(pl_add_volume(b.world, &v, &id), PL_ERROR_ARGUMENT);
    v.pressure = 1.0f;
    for (int i = 0; i < FACES; i++)
    {
        int32_t *t = b.triangle + 3 * i, kept = t[1];
        t[1] = t[2], t[2] = kept;
    }
    assert_int_equal(pl_add_volume(b.world, &v, &id), PL_ERROR_ARGUMENT);
    assert_non_null(strstr(pl_error_message(), "anticlockwise"));
    pl_world_destroy(b.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_volume_is_held),
        cmocka_unit_test(pressure_blows_up),
        cmocka_unit_test(the_pressure_told_is_the_gas),
        cmocka_unit_test(bad_surfaces_are_refused),
    };
    return cmocka_run_group_tests_name("volumes", tests, NULL, NULL);
}
