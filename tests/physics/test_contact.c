// test_contact.c: single contacts against what mechanics says: momentum, friction on a slope, restitution, columns.
#include "contact.h"

static void two_keep_momentum(void **state)
{
    (void)state;
    for (int k = 0; k < 20; k++)
    {
        pl_world *w = make_world(10, 1);
        weightless(w);
        frictions(w, 0.6, 0.4, k % 3 * 0.5, 0.0);
        const float mass[2] = {0.7f + 0.1f * (float)k, 1.3f}, x[6] = {-1, 0.02f * (float)k, 0.01f, 1, -0.03f, 0.05f};
        add_grains(w, 2, x, mass, 0.25);
        set_velocity(w, 0, 3, 0.1, 0);
        set_velocity(w, 1, -2, 0, 0.2);
        double before[3], after[3], spin[3];
        pl_world_momentum(w, before, spin);
        steps(w, 60, 1.0 / 60);
        pl_world_momentum(w, after, spin);
        for (int c = 0; c < 3; c++)
        {
            near("momentum", after[c], before[c], 2e-4); // an ulp of a position over a substep is 7e-5 m/s
        }
        pl_world_destroy(w);
    }
}

static void head_on(void **state)
{
    (void)state;
    for (int k = 0; k <= 5; k++)
    {
        pl_world *w = make_world(10, 1);
        weightless(w);
        frictions(w, 0.6, 0.4, 0.2 * k, 0.0);
        const float mass[2] = {0.7f, 1.3f}, x[6] = {-0.5f, 0, 0, 0.5f, 0, 0};
        add_grains(w, 2, x, mass, 0.25);
        set_velocity(w, 0, 3, 0, 0);
        set_velocity(w, 1, -2, 0, 0);
        steps(w, 60, 1.0 / 60);
        double parting = velocity_of(w, 1).x - velocity_of(w, 0).x;
        if (k == 0) // what is left of the overlap is pushed out slowly
        {
            assert_true(parting >= 0.0 && parting < 0.7);
        }
        else
        {
            near("speed of parting", parting, k, 0.02 * k);
        }
        pl_world_destroy(w);
    }
}

// A grain on a slope, given time to come to rest on it; how far it gets along the slope and how fast.
static double slide(double degrees, double mu_s, double mu_k, double seconds, double *speed)
{
    pl_world *w = make_world(10, 2);
    frictions(w, mu_s, mu_k, 0, 0);
    double a = degrees * 3.14159265358979 / 180.0, r = 0.1;
    const float x[3] = {(float)(-r * sin(a)), (float)(r * cos(a)), 0};
    add_grains(w, 1, x, NULL, r);
    add_plane(w, (pl_vec3){0, 0, 0}, -sin(a), cos(a), 0);
    steps(w, (int)(seconds * 60 + 0.5), 1.0 / 60);
    pl_vec3 p = where(w, 0), v = velocity_of(w, 0);
    *speed = sqrt((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z);
    double dx = p.x - x[0], dy = p.y - x[1];
    pl_world_destroy(w);
    return sqrt(dx * dx + dy * dy);
}

static void slope(void **state)
{
    (void)state;
    static const double mus[][2] = {{0.3, 0.2}, {0.6, 0.4}, {1.0, 0.8}};
    for (int k = 0; k < 3; k++)
    {
        double limit = atan(mus[k][0]) * 180.0 / 3.14159265358979, speed;
        below("creep on a slope just under the limit", slide(limit - 1.0, mus[k][0], mus[k][1], 2.0, &speed), 1e-4);
        below("speed there", speed, 1e-5);
        double a = (limit + 1.0) * 3.14159265358979 / 180.0, wanted = GRAVITY * (sin(a) - mus[k][1] * cos(a));
        slide(limit + 1.0, mus[k][0], mus[k][1], 1.0, &speed);
        near("acceleration of sliding", speed, wanted, 0.02 * wanted);
    }
}

static void rebound(void **state)
{
    (void)state;
    static const double restitutions[] = {0.3, 0.5, 0.7, 0.9};
    for (int k = 0; k < 4; k++)
    {
        pl_world *w = make_world(20, 1);
        double e = restitutions[k], r = 0.05, h = 1.0, top = 0.0;
        frictions(w, 0.5, 0.4, e, 0);
        const float x[3] = {0, (float)(r + h), 0};
        add_grains(w, 1, x, NULL, r);
        add_plane(w, (pl_vec3){0, 0, 0}, 0, 1, 0);
        bool hit = false;
        for (int f = 0; f < 600; f++)
        {
            steps(w, 1, 1.0 / 240);
            hit = hit || velocity_of(w, 0).y > 0.0f;
            double y = where(w, 0).y - r;
            if (hit && velocity_of(w, 0).y < 0.0f && top > 0.0)
            {
                break;
            }
            top = hit && y > top ? y : top;
        }
        near("height of the rebound", top, e * e * h, 0.02 * e * e * h);
        pl_world_destroy(w);
    }
}

static void column_stands(void **state)
{
    (void)state;
    pl_world *w = make_world(10, 2);
    frictions(w, 0.6, 0.4, 0, 0);
    float x[60];
    for (int i = 0; i < 20; i++)
    {
        x[3 * i] = x[3 * i + 2] = 0.0f;
        x[3 * i + 1] = 0.1f + 0.2f * (float)i;
    }
    add_grains(w, 20, x, NULL, 0.1);
    pl_id floor = add_plane(w, (pl_vec3){0, 0, 0}, 0, 1, 0);
    steps(w, 1200, 1.0 / 60);
    near("height of the top", where(w, 19).y, 3.9, 0.06);
    below("kinetic energy", kinetic_per_mass(w), 1e-6);
    pl_vec3 force, torque;
    good(pl_shape_force(w, floor, &force, &torque));
    near("the floor carries the weight", force.y, -20 * GRAVITY, 0.02 * 20 * GRAVITY);
    pl_world_destroy(w);
}

// Coincident particles part, along y, and come to rest side by side.
static void coincident_part(void **state)
{
    (void)state;
    pl_world *w = make_world(10, 2);
    weightless(w);
    const float x[6] = {1, 2, 3, 1, 2, 3};
    add_grains(w, 2, x, NULL, 0.1);
    steps(w, 60, 1.0 / 60);
    pl_vec3 a = where(w, 0), b = where(w, 1);
    assert_true(fabs((double)(a.y - b.y)) > 0.19);
    near("x", a.x, 1, 1e-5);
    near("the middle stays", 0.5 * ((double)a.y + b.y), 2, 1e-3);
    pl_world_destroy(w);
}

// Fast particles against thin analytic shapes: none passes.
static void nothing_passes(void **state)
{
    (void)state;
    enum
    {
        COUNT = 2000,
    };
    for (int kind = 0; kind < 4; kind++)
    {
        pl_world *w = make_world(8, 1);
        weightless(w);
        pl_shape_def def = pl_default_shape_def();
        def.kind = (pl_shape_kind)kind;
        def.two_sided = kind == PL_SHAPE_PLANE;
        def.radius = kind == PL_SHAPE_SPHERE || kind == PL_SHAPE_CAPSULE ? 0.5f : 0.0f;
        def.length = 1.0f;
        def.half = (pl_vec3){5.0f, 0.0005f, 5.0f}; // a sheet of 1 mm
        pl_id shape;
        good(pl_add_shape(w, &def, &shape));
        float *x = malloc(COUNT * 3 * sizeof *x), *v = malloc(COUNT * 3 * sizeof *v);
        for (int i = 0; i < COUNT; i++)
        {
            double speed = pow(10.0, 1.0 + 2.0 * i / (COUNT - 1.0)); // 10 to 1,000 m/s
            x[3 * i] = 0.4f * jitter(i, 0), x[3 * i + 1] = 1.2f + 0.2f * jitter(i, 1),
                  x[3 * i + 2] = 0.4f * jitter(i, 2);
            v[3 * i] = v[3 * i + 2] = 0.0f, v[3 * i + 1] = (float)-speed;
        }
        pl_id id = add_particles(w, COUNT, x, NULL);
        int first, count;
        good(pl_object_range(w, id, &first, &count));
        good(pl_set(w, PL_ATTRIBUTE_VELOCITY, first, count, v));
        float radius[COUNT];
        for (int i = 0; i < COUNT; i++)
        {
            radius[i] = i % 2 ? 0.0f : 0.002f; // points, too
        }
        pl_phase phase = pl_default_phase();
        phase.self = false;
        good(pl_set(w, PL_ATTRIBUTE_RADIUS, first, count, radius));
        good(pl_set_phase(w, first, count, &phase));
        int passed = 0;
        for (int f = 0; f < 30; f++)
        {
            steps(w, 1, 1.0 / 60);
            good(pl_get(w, PL_ATTRIBUTE_POSITION, first, count, x));
            for (int i = 0; i < COUNT; i++)
            {
                passed += x[3 * i + 1] < -0.01f && fabsf(x[3 * i]) < 0.4f && fabsf(x[3 * i + 2]) < 0.4f;
            }
        }
        if (passed)
        {
            fail_msg("%d of %d passed shape %d", passed, COUNT, kind);
        }
        free(x);
        free(v);
        pl_world_destroy(w);
    }
}

// A belt drags a grain up to its own speed, and a moved shape pushes one along.
static void belt_and_pusher(void **state)
{
    (void)state;
    pl_world *w = make_world(8, 1);
    frictions(w, 0.5, 0.4, 0, 0);
    pl_shape_def def = pl_default_shape_def();
    def.kind = PL_SHAPE_BOX;
    def.half = (pl_vec3){50, 0.5f, 1};
    def.position = (pl_vec3){0, -0.5f, 0};
    def.belt = (pl_vec3){1.5f, 0, 0};
    good(pl_add_shape(w, &def, NULL));
    const float x[3] = {0, 0.1f, 0};
    add_grains(w, 1, x, NULL, 0.1);
    steps(w, 10, 1.0 / 60);
    near("speed while it slips", velocity_of(w, 0).x, 0.4 * GRAVITY / 6, 0.02 * 0.4 * GRAVITY / 6);
    steps(w, 110, 1.0 / 60);
    near("speed on the belt", velocity_of(w, 0).x, 1.5, 1e-3);
    pl_shape_def wall = pl_default_shape_def();
    wall.kind = PL_SHAPE_BOX;
    wall.position = (pl_vec3){10, 0.5f, 0};
    pl_id id;
    good(pl_add_shape(w, &wall, &id));
    for (int f = 0; f < 300; f++)
    {
        good(pl_move_shape(w, id, (pl_vec3){10.0f - 0.01f * (float)(f + 1), 0.5f, 0}, wall.rotation));
        steps(w, 1, 1.0 / 60);
    }
    near("pushed back by the wall", where(w, 0).x, 7 - 0.5 - 0.1, 1e-2);
    pl_vec3 force;
    good(pl_shape_force(w, id, &force, NULL));
    // It slips on the belt and sticks to the wall, whose friction may carry some of its weight or press it on the belt:
    // 0.4 (g -+ f) with f up to 0.5 of the force.
    below("the belt presses it on the wall", force.x, 0.4 * GRAVITY / (1.0 - 0.4 * 0.5) + 0.01);
    below("not too little", 0.4 * GRAVITY / (1.0 + 0.4 * 0.5) - 0.01, force.x);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_keep_momentum), cmocka_unit_test(head_on),         cmocka_unit_test(slope),
        cmocka_unit_test(rebound),           cmocka_unit_test(column_stands),   cmocka_unit_test(coincident_part),
        cmocka_unit_test(nothing_passes),    cmocka_unit_test(belt_and_pusher),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
