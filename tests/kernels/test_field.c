// Force fields, each against its formula in double.
#include "support/support.h"

#include "kernels/field.h"

static void each_kind(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int sample = 0; sample < 1000; sample++)
        for (int kind = FIELD_UNIFORM; kind <= FIELD_ELECTRIC; kind++)
        {
            field k = {kind,
                       {dice(&seed), dice(&seed), dice(&seed)},
                       {dice(&seed), dice(&seed), dice(&seed)},
                       2.0f * dice(&seed),
                       0.3f};
            point x = {3 * dice(&seed), 3 * dice(&seed), 3 * dice(&seed), 0.5f},
                  v = {dice(&seed), dice(&seed), dice(&seed), 0.0f};
            vec a = {1, 2, 3}, f = {4, 5, 6};
            float charge = dice(&seed);
            field_act(&k, x, v, charge, &a, &f);
            const double xs[3] = {x.x, x.y, x.z}, vs[3] = {v.x, v.y, v.z};
            const double as[3] = {(double)a.x - 1, (double)a.y - 2, (double)a.z - 3},
                         fs[3] = {(double)f.x - 4, (double)f.y - 5, (double)f.z - 6};
            double r2 = 0.09, wanted_a, wanted_f;
            for (int c = 0; c < 3; c++)
                r2 += ((double)k.origin[c] - xs[c]) * ((double)k.origin[c] - xs[c]);
            for (int c = 0; c < 3; c++)
            {
                wanted_a = kind == FIELD_UNIFORM ? (double)k.vector[c]
                           : kind == FIELD_POINT ? (double)k.strength * ((double)k.origin[c] - xs[c]) / (r2 * sqrt(r2))
                                                 : 0.0;
                wanted_f = kind == FIELD_DRAG       ? -(double)k.strength * (vs[c] - (double)k.vector[c])
                           : kind == FIELD_ELECTRIC ? (double)charge * (double)k.vector[c]
                                                    : 0.0;
                near_to("acceleration", as[c], wanted_a, 1e-5 * (1.0 + fabs(wanted_a)));
                near_to("force", fs[c], wanted_f, 1e-5);
            }
        }
}

static void at_the_point_itself(void **state)
{
    (void)state;
    const field k = {FIELD_POINT, {0}, {1, 2, 3}, 5.0f, 0.0f};
    point x = {1, 2, 3, 1}, v = {0};
    vec a = {0}, f = {0};
    field_act(&k, x, v, 0.0f, &a, &f);
    assert_true(a.x == 0.0f && a.y == 0.0f && a.z == 0.0f);
}

// A world with each field: one explicit substep gives v = h a.
static void through_a_world(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    set_gravity(w, 0.0f);
    int p = add_one(w, 1.0f, 0.0f, 0.0f, 2.0f, NULL);
    const float charge = 0.5f;
    good(pl_set(w, PL_ATTRIBUTE_CHARGE, p, 1, &charge));
    good(pl_add_field(w, &(pl_field){.kind = PL_FIELD_UNIFORM, .vector = {1, 0, 0}}, NULL));
    good(pl_add_field(w, &(pl_field){.kind = PL_FIELD_ELECTRIC, .vector = {0, 8, 0}}, NULL));
    pl_id drag;
    good(pl_add_field(w, &(pl_field){.kind = PL_FIELD_DRAG, .strength = 4, .vector = {0, 0, 3}}, &drag));
    good(pl_world_step(w, 0.01f));
    float v[3];
    good(pl_get(w, PL_ATTRIBUTE_VELOCITY, p, 1, v));
    near_to("uniform", (double)v[0], 0.01 * 1.0, 1e-5);
    near_to("electric", (double)v[1], 0.01 * 0.5 * 8.0 / 2.0, 1e-5);
    near_to("drag", (double)v[2], 0.01 * 4.0 * 3.0 / 2.0, 1e-5);
    good(pl_remove(w, drag));
    const float still[3] = {0};
    good(pl_set(w, PL_ATTRIBUTE_VELOCITY, p, 1, still));
    good(pl_world_step(w, 0.01f));
    good(pl_get(w, PL_ATTRIBUTE_VELOCITY, p, 1, v));
    near_to("no drag any more", (double)v[2], 0.0, 1e-6);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind),
        cmocka_unit_test(at_the_point_itself),
        cmocka_unit_test(through_a_world),
    };
    return cmocka_run_group_tests_name("field", tests, NULL, NULL);
}
