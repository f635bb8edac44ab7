// Friction and rolling at sizes from 1 cm to 10 m, 1 km from the origin, with few and many substeps and both integrators.
#include "physics/rigid_world.h"

// The worlds of a claim: each of the two sizes, distances, integrators, at 4, 12 and 30 substeps.
typedef struct setting
{
    double half, x;
    int substeps;
    bool second;
} setting;

enum
{
    SETTINGS = 24,
};

static setting setting_of(int i)
{
    static const int substeps[] = {4, 12, 30};
    return (setting){i & 1 ? 5.0 : 0.005, i & 2 ? 1000.0 : 0.0, substeps[i / 8], i & 4};
}

static pl_world *open_slope(const setting *s, double friction, double slope)
{
    pl_world *w = open_world(s->substeps);
    pl_settings set = pl_world_settings(w);
    pl_shape_def d = pl_default_shape_def();
    set.integrator = s->second ? PL_INTEGRATOR_BDF2 : PL_INTEGRATOR_BDF1;
    good(pl_world_set_settings(w, &set));
    rub(w, (float)friction, 0.0f);
    d.rotation = about_z(-slope), d.position.x = (float)s->x;
    good(pl_add_shape(w, &d, NULL));
    return w;
}

static pl_id add_solid(pl_world *w, pl_rigid_shape_kind kind, const setting *s, double slope)
{
    pl_rigid_shape shape = pl_default_rigid_shape();
    pl_rigid_def d = pl_default_rigid_def();
    const float h = (float)s->half;
    pl_id id;
    shape.kind = kind, shape.half = (pl_vec3){h, h, h}, shape.radius = h;
    d.shapes = &shape, d.shape_count = 1, d.mass = 1.0f;
    d.position = (pl_vec3){(float)(s->x + s->half * sin(slope)), (float)(s->half * cos(slope)), 0.0f};
    d.rotation = about_z(-slope);
    good(pl_add_rigid(w, &d, &id));
    return id;
}

static double speed(pl_rigid_state s) { return hypot((double)s.velocity.x, (double)s.velocity.y); }

static void boxes_stick_and_slide(void **unused)
{
    (void)unused;
    for (int i = 0; i < SETTINGS; i++)
        for (int side = -1; side <= 1; side += 2)
        {
            const setting s = setting_of(i);
            double a = atan(0.5) + side * 3.14159265358979 / 180.0;
            pl_world *w = open_slope(&s, 0.5, a);
            pl_id box = add_solid(w, PL_RIGID_BOX, &s, a);
            frames(w, 20);
            pl_rigid_state from = state_of(w, box);
            frames(w, 60);
            pl_rigid_state to = state_of(w, box);
            double exact = GRAVITY * (sin(a) - 0.5 * cos(a));
            if (side < 0)
                below("the way of a box that sticks",
                      hypot((double)(to.position.x - from.position.x), (double)(to.position.y - from.position.y)),
                      1e-6);
            else
                near_to("acceleration of a box that slides", (speed(to) - speed(from)) / exact, 1.0, 2e-3);
            pl_world_destroy(w);
        }
}

static void spheres_roll(void **unused)
{
    (void)unused;
    const double a = 20.0 * 3.14159265358979 / 180.0, exact = 5.0 / 7.0 * GRAVITY * sin(a);
    for (int i = 0; i < SETTINGS; i++)
    {
        const setting s = setting_of(i);
        pl_world *w = open_slope(&s, 1.0, a);
        pl_id ball = add_solid(w, PL_RIGID_SPHERE, &s, a);
        frames(w, 20);
        double from = speed(state_of(w, ball));
        frames(w, 60);
        pl_rigid_state to = state_of(w, ball);
        near_to("acceleration of a rolling ball", (speed(to) - from) / exact, 1.0, 5e-4);
        near_to("spin of a rolling ball times its radius", (double)to.spin.z * s.half / speed(to), -1.0, 1e-5);
        pl_world_destroy(w);
    }
}

static void sliding_becomes_rolling(void **unused)
{
    (void)unused;
    for (int i = 0; i < SETTINGS; i++)
    {
        const setting s = setting_of(i);
        pl_world *w = open_slope(&s, 0.3, 0.0);
        pl_id ball = add_solid(w, PL_RIGID_SPHERE, &s, 0.0);
        pl_rigid_state state = state_of(w, ball);
        state.velocity.x = 7.0f;
        good(pl_set_rigids(w, &ball, 1, &state));
        frames(w, 75); // it slides for 2/7 v/(mu g) = 0.68 s
        near_to("speed of a ball that slid", (double)state_of(w, ball).velocity.x / 5.0, 1.0, 2e-3);
        pl_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_stick_and_slide),
        cmocka_unit_test(spheres_roll),
        cmocka_unit_test(sliding_becomes_rolling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
