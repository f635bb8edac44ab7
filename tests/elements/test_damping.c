// Constraint damping damps the rate of C: the same with both integrators, and none of it where C does not change.
#include "support/support.h"

static pl_world *make(pl_settings s)
{
    pl_world_def def = small_def(1, 1);
    pl_world *w;
    def.settings = s;
    good(pl_world_create(&def, &w));
    return w;
}

// Two free unit masses on a damped spring: the energy of the swing decays by exp(-2 damping t) (reduced mass 1/2, rate
// damping/(2 * 1/2)). What is left at the end, as a rate.
static double decay(pl_integrator integrator, float damping)
{
    pl_settings s = pl_default_world_def().settings;
    s.gravity = (pl_vec3){0};
    s.substeps = 4; // many more, and float32 rounds the small corrections away
    s.iterations = 2;
    s.integrator = integrator;
    pl_world *w = make(s);
    const float x[6] = {-0.5f, 0, 0, 0.5f, 0, 0}, v[6] = {-0.1f, 0, 0, 0.1f, 0, 0};
    pl_particles_def p = pl_default_particles_def();
    p.count = 2, p.position = x, p.velocity = v, p.mass_each = 1.0f;
    good(pl_add_particles(w, &p, NULL));
    pl_constraints_def d = pl_default_constraints_def();
    d.kind = PL_KIND_DISTANCE, d.count = 1, d.index = (int32_t[]){0, 1};
    d.soft.compliance = 0.01f, d.soft.damping = damping;
    good(pl_add_constraints(w, &d, NULL));
    pl_energy start = pl_world_energy(w);
    for (int f = 0; f < 300; f++)
        good(pl_world_step(w, 1.0f / 60.0f));
    pl_energy end = pl_world_energy(w);
    pl_world_destroy(w);
    return -log((end.kinetic + end.elastic) / (start.kinetic + start.elastic)) / 5.0;
}

static void rate_is_that_of_the_spring(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++)
    {
        pl_integrator integrator = i ? PL_INTEGRATOR_BDF2 : PL_INTEGRATOR_BDF1;
        double own = decay(integrator, 0.0f), damped = decay(integrator, 0.4f) - own;
        if (fabs(damped - 0.8) > 0.04)
            fail_msg("BDF%d: decay %.4f /s beside its own %.4f; 0.8 is right", i + 1, damped, own);
    }
}

// A damped pin whose target moves evenly drags its particle along without lagging: C does not change.
static void a_moving_pin_is_not_held_back(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++)
    {
        pl_settings s = pl_default_world_def().settings;
        s.gravity = (pl_vec3){0};
        s.integrator = i ? PL_INTEGRATOR_BDF2 : PL_INTEGRATOR_BDF1;
        pl_world *w = make(s);
        const float x[3] = {0}, v[3] = {1, 0, 0};
        pl_particles_def p = pl_default_particles_def();
        p.count = 1, p.position = x, p.velocity = v;
        good(pl_add_particles(w, &p, NULL));
        pl_constraints_def d = pl_default_constraints_def();
        pl_id pin;
        d.kind = PL_KIND_PIN, d.count = 1, d.index = (int32_t[]){0};
        d.soft.compliance = 0.01f, d.soft.damping = 20.0f;
        good(pl_add_constraints(w, &d, &pin));
        float at[3] = {0};
        for (int f = 1; f <= 120; f++)
        {
            float target[3] = {(float)f / 60.0f, 0, 0};
            good(pl_move_pins(w, pin, 0, 1, target));
            good(pl_world_step(w, 1.0f / 60.0f));
        }
        good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, 1, at));
        if (fabsf(at[0] - 2.0f) > 0.01f)
            fail_msg("BDF%d: the particle is at %g; its target is at 2", i + 1, (double)at[0]);
        pl_world_destroy(w);
    }
}

// Anchor and particle fly side by side at the tether's length: nothing changes, so nothing is damped.
static void a_moving_anchor_is_not_held_back(void **unused)
{
    (void)unused;
    pl_settings s = pl_default_world_def().settings;
    s.gravity = (pl_vec3){0};
    pl_world *w = make(s);
    const float x[6] = {0, 0, 0, 1.0f, 0, 0}, v[6] = {1, 0, 0, 1, 0, 0}, mass[2] = {0.0f, 1.0f};
    pl_particles_def p = pl_default_particles_def();
    p.count = 2, p.position = x, p.velocity = v, p.mass = mass;
    good(pl_add_particles(w, &p, NULL));
    pl_constraints_def d = pl_default_constraints_def();
    const float rest = 0.999f;
    d.kind = PL_KIND_TETHER, d.count = 1, d.index = (int32_t[]){1, 0}, d.param = &rest;
    d.soft.compliance = 0.01f, d.soft.damping = 20.0f;
    good(pl_add_constraints(w, &d, NULL));
    for (int f = 0; f < 60; f++)
        good(pl_world_step(w, 1.0f / 60.0f));
    float at[6];
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, 2, at));
    if (fabsf(at[3] - at[0] - 1.0f) > 0.02f)
        fail_msg("the particle is %g from its anchor; 1 is right", (double)(at[3] - at[0]));
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rate_is_that_of_the_spring),
        cmocka_unit_test(a_moving_pin_is_not_held_back),
        cmocka_unit_test(a_moving_anchor_is_not_held_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
