// Pins and drags: targets reach their place evenly through the substeps.
#include "support/support.h"

static pl_id pin_one(pl_world *w, int particle, float compliance)
{
    const int32_t index = particle;
    return add_rows(w, PL_KIND_PIN, 1, &index, NULL, compliance);
}

static void targets_move_evenly(void **state)
{
    (void)state;
    pl_world *w = make_world(10, 1);
    set_gravity(w, 0.0f);
    int p = add_one(w, 0, 0, 0, 1, NULL);
    pl_id pin = pin_one(w, p, 0.0f);
    const float target[3] = {1, 2, 0};
    float x[3], v[3];
    good(pl_move_pins(w, pin, 0, 1, target));
    good(pl_world_step(w, 0.1f));
    good(pl_get(w, PL_ATTRIBUTE_POSITION, p, 1, x));
    good(pl_get(w, PL_ATTRIBUTE_VELOCITY, p, 1, v));
    near_to("x", (double)x[0], 1.0, 1e-5);
    near_to("y", (double)x[1], 2.0, 1e-5);
    near_to("velocity", (double)v[0], 10.0, 1e-3); // a jump in the last substep would give 100
    good(pl_world_step(w, 0.1f));
    good(pl_get(w, PL_ATTRIBUTE_POSITION, p, 1, x));
    near_to("it stays there", (double)x[0], 1.0, 1e-5);
    // Moved twice before a step: from where it stands to the last target.
    const float far[3] = {100, 0, 0}, near[3] = {1.5f, 2, 0};
    good(pl_move_pins(w, pin, 0, 1, far));
    good(pl_move_pins(w, pin, 0, 1, near));
    good(pl_world_step(w, 0.1f));
    good(pl_get(w, PL_ATTRIBUTE_POSITION, p, 1, x));
    good(pl_get(w, PL_ATTRIBUTE_VELOCITY, p, 1, v));
    near_to("x", (double)x[0], 1.5, 1e-5);
    near_to("velocity", (double)v[0], 5.0, 1e-3);
    pl_world_destroy(w);
}

// A pin given with a travel makes it once, not again in every frame.
static void a_travel_is_made_once(void **state)
{
    (void)state;
    pl_world *w = make_world(10, 1);
    set_gravity(w, 0.0f);
    int p = add_one(w, 0, 0, 0, 1, NULL);
    const int32_t index = p;
    const float param[6] = {1, 0, 0, 1, 0, 0};
    pl_id pin = add_rows(w, PL_KIND_PIN, 1, &index, param, 0.0f);
    good(pl_world_step(w, 0.1f));
    good(pl_world_step(w, 0.1f));
    float now[6], v[3];
    good(pl_get_rows(w, pin, PL_ROW_PARAM, 0, 1, now));
    near_to("travel", (double)now[3], 0.0, 0.0);
    good(pl_get(w, PL_ATTRIBUTE_VELOCITY, p, 1, v));
    near_to("velocity", (double)v[0], 0.0, 1e-4);
    pl_world_destroy(w);
}

static void drags(void **state)
{
    (void)state;
    pl_world *w = make_world(10, 1);
    int p = add_one(w, 0, 0, 0, 1, NULL);
    pl_id drag, object;
    good(pl_drag_begin(w, p, 1e-4f, &drag));
    for (int i = 1; i <= 60; i++)
    {
        good(pl_drag_move(w, drag, (pl_vec3){0.01f * (float)i, 0, 0}));
        play(w, 1);
    }
    float x[3];
    good(pl_get(w, PL_ATTRIBUTE_POSITION, p, 1, x));
    near_to("x", (double)x[0], 0.6, 0.02);
    near_to("y", (double)x[1], -9.81e-4, 5e-4);
    int q = add_one(w, 5, 5, 5, 1, &object);
    refused(pl_drag_end(w, object), PL_ERROR_ARGUMENT, "an object"); // not a drag: the object must live
    good(pl_get(w, PL_ATTRIBUTE_POSITION, q, 1, x));
    good(pl_drag_end(w, drag));
    refused(pl_drag_move(w, drag, (pl_vec3){0}), PL_ERROR_ARGUMENT, "names nothing");
    refused(pl_drag_begin(w, 99, 0.0f, &drag), PL_ERROR_ARGUMENT, "particle 99 does not exist");
    play(w, 60);
    good(pl_get(w, PL_ATTRIBUTE_POSITION, p, 1, x));
    assert_true(x[1] < -3.0f);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(targets_move_evenly),
        cmocka_unit_test(a_travel_is_made_once),
        cmocka_unit_test(drags),
    };
    return cmocka_run_group_tests_name("pins", tests, NULL, NULL);
}
