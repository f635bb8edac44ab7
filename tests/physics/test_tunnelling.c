// test_tunnelling.c: no particle of any speed gets through a shape of any kind, from any direction, standing or moving.
#include "solids.h"

enum
{
    SHOTS = 400
};

static void direction_of(int i, double d[3])
{
    double size;
    int use = 0;
    do
    {
        for (int k = 0; k < 3; k++)
            d[k] = 2.0 * jitter(i, use++ % 7 + k);
        size = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        i += 7919;
    }
    while (size < 0.1);
    for (int k = 0; k < 3; k++)
        d[k] /= size;
}

// Shots from all around at something within 1 m of the origin, at 10 to 1000 m/s. From above only: for what lies flat.
static void add_shots(pl_world *w, bool above, double aside, double radius)
{
    float x[3 * SHOTS], v[3 * SHOTS];
    for (int i = 0; i < SHOTS; i++)
    {
        double d[3], speed = 10.0 + 990.0 * (jitter(i, 6) + 0.5);
        direction_of(i, d);
        if (above)
            d[1] = fabs(d[1]) + 0.2;
        for (int k = 0; k < 3; k++)
        {
            double aim = k == 1 && above ? 0.0 : aside * 2.0 * jitter(i, 3 + k);
            x[3 * i + k] = (float)(2.5 * d[k] + aim);
            v[3 * i + k] = (float)(-speed * d[k]);
        }
    }
    pl_id id = add_grains(w, SHOTS, x, NULL, radius);
    pl_phase phase = pl_default_phase();
    int first, count;
    good(pl_object_range(w, id, &first, &count));
    good(pl_get_phase(w, first, &phase));
    phase.self = false;
    good(pl_set_phase(w, first, count, &phase));
    good(pl_set(w, PL_ATTRIBUTE_VELOCITY, first, count, v));
}

static pl_world *shooting_range(int substeps)
{
    pl_world *w = make_world(substeps, 1);
    weightless(w);
    frictions(w, 0.3, 0.2, 0.3, 0);
    return w;
}

// The origin is deep inside; what went through, or in, was within 0.4 m of it at the end of some frame, or lies beyond.
static void nothing_inside(pl_world *w, const char *what, bool (*is_in)(const float *x))
{
    float x[3 * SHOTS];
    for (int frame = 0; frame < 30; frame++)
    {
        steps(w, 1, 1.0 / 60);
        good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, SHOTS, x));
        for (int i = 0; i < SHOTS; i++)
            if (is_in(x + 3 * i))
                fail_msg("%s: shot %d is inside at frame %d: %g %g %g", what, i, frame, (double)x[3 * i],
                         (double)x[3 * i + 1], (double)x[3 * i + 2]);
    }
}

static bool in_ball(const float *x) { return x[0] * x[0] + x[1] * x[1] + x[2] * x[2] < 0.85f * 0.85f; }
static bool in_box(const float *x) { return fabsf(x[0]) < 0.5f && fabsf(x[1]) < 0.5f && fabsf(x[2]) < 0.5f; }
static bool in_capsule(const float *x)
{
    float y = fabsf(x[1]) - 0.5f;
    y = y > 0.0f ? y : 0.0f;
    return x[0] * x[0] + y * y + x[2] * x[2] < 0.25f;
}
static bool in_torus(const float *x)
{
    float out = sqrtf(x[0] * x[0] + x[2] * x[2]) - 0.7f;
    return out * out + x[1] * x[1] < 0.18f * 0.18f;
}
static bool below_flat(const float *x) { return fabsf(x[0]) < 4.0f && fabsf(x[2]) < 4.0f && x[1] < 0.0f; }
static bool below_waves(const float *x) { return fabsf(x[0]) < 4.0f && fabsf(x[2]) < 4.0f && x[1] < -0.3f; }

static const form ball = {FORM_BALL, {2, 2, 2}, 0, {24, 16}, NULL, 0},
                  torus = {FORM_TORUS, {2, 0.6f, 0}, 0, {40, 20}, NULL, 0},
                  sheet = {FORM_SHEET, {10, 0, 10}, 0, {37, 41}, NULL, 0};

// Nobody gets to be inside, whatever it is and however it moves.
static void analytic(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++)
    {
        pl_world *w = shooting_range(1 + 3 * k);
        pl_shape_def def = pl_default_shape_def();
        def.kind = k == 0 ? PL_SHAPE_SPHERE : k == 1 ? PL_SHAPE_CAPSULE : PL_SHAPE_BOX;
        def.radius = k == 0 ? 1.0f : k == 1 ? 0.52f : 0.0f;
        def.half = (pl_vec3){0.52f, 0.52f, 0.52f};
        good(pl_add_shape(w, &def, NULL));
        add_shots(w, false, 0.8, 0.01);
        nothing_inside(w, "sphere, capsule, box", k == 0 ? in_ball : k == 1 ? in_capsule : in_box);
        pl_world_destroy(w);
    }
}

static void closed(void **state)
{
    (void)state;
    static const pl_shape_kind kinds[] = {PL_SHAPE_HULL, PL_SHAPE_MESH, PL_SHAPE_SDF};
    for (int k = 0; k < 6; k++)
        for (int substeps = 1; substeps <= 8; substeps *= 8)
        {
            bool round = k < 3;
            if (!round && k % 3 == 0)
                continue; // a torus has no hull of its form
            pl_world *w = shooting_range(substeps);
            made m = make_form(kinds[k % 3], round ? ball : torus);
            m.def.spacing = 0.06f;
            add_made(w, &m);
            add_shots(w, false, 0.8, 0.01);
            nothing_inside(w, round ? "ball" : "torus", round ? in_ball : in_torus);
            pl_world_destroy(w);
        }
}

static void flat(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++)
        for (int substeps = 1; substeps <= 8; substeps *= 8)
            for (int point = 0; point < 2; point++)
            {
                pl_world *w = shooting_range(substeps);
                made m = make_form(PL_SHAPE_MESH, sheet);
                if (k == 1 || k == 2)
                {
                    forget(&m);
                    m = make_waves(40, 0.25, k == 1 ? 0.0 : 0.3);
                }
                m.def.two_sided = k == 0 || k == 3;
                if (k == 3)
                    m.def.kind = PL_SHAPE_PLANE;
                bool solid_point = point && (k == 1 || k == 2); // a point on the surface of a solid is on its rim
                add_made(w, &m);
                add_shots(w, true, 1.0, point && !solid_point ? 0.0 : 0.01);
                nothing_inside(w, k == 2 ? "waves" : "flat", k == 2 ? below_waves : below_flat);
                pl_world_destroy(w);
            }
}

// A sheet that comes up at 200 m/s through particles at rest takes them along.
static void moving(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++)
    {
        pl_world *w = shooting_range(4);
        made m = k == 1 ? make_waves(40, 0.25, 0.0) : make_form(PL_SHAPE_MESH, sheet);
        m.def.two_sided = k != 1;
        m.def.position.y = -3.0f;
        pl_id id = add_made(w, &m);
        float x[3 * SHOTS];
        for (int i = 0; i < 3 * SHOTS; i++)
            x[i] = i % 3 == 1 ? 0.5f * jitter(i, 1) : 6.0f * jitter(i, 2);
        add_grains(w, SHOTS, x, NULL, 0.005);
        pl_phase phase;
        good(pl_get_phase(w, 0, &phase));
        phase.self = false;
        good(pl_set_phase(w, 0, SHOTS, &phase));
        double y = -3.0;
        for (int frame = 0; frame < 10; frame++)
        {
            y += 200.0 / 60;
            if (k == 2) // it turns as well
                good(pl_move_shape(w, id, (pl_vec3){0, (float)y, 0},
                                   (pl_quat){0.0f, (float)sin(0.1 * frame), 0.0f, (float)cos(0.1 * frame)}));
            else
                good(pl_move_shape(w, id, (pl_vec3){0, (float)y, 0}, (pl_quat){0, 0, 0, 1}));
            steps(w, 1, 1.0 / 60);
        }
        good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, SHOTS, x));
        for (int i = 0; i < SHOTS; i++)
            if ((double)x[3 * i + 1] < y)
                fail_msg("moving %d: particle %d was left behind at %g below %g", k, i, (double)x[3 * i + 1], y);
        pl_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(analytic), cmocka_unit_test(closed), cmocka_unit_test(flat),
                                       cmocka_unit_test(moving)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
