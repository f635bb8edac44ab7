// test_components.c: which components are found: what rows connect, unless something holds it or it contains a frame.
#include "model/world.h"
#include "support/support.h"

// Two chains of four particles each; the first three steps from particle 0 and 4 are along x, y and z.
static pl_world *two_chains(void)
{
    static const int32_t index[] = {0, 1, 1, 2, 2, 3, 4, 5, 5, 6, 6, 7};
    pl_world *w = make_world(2, 1);
    for (int i = 0; i < 8; i++)
        add_one(w, i % 4 == 1 ? 1.0f : 0.0f, i % 4 == 2 ? 1.0f : 0.0f,
                (float)(i / 4) * 5.0f + (i % 4 == 3 ? 1.0f : 0.0f), 1.0f, NULL);
    add_rows(w, PL_KIND_DISTANCE, 6, index, NULL, 1e-6f);
    return w;
}

static int count_after_step(pl_world *w)
{
    good(pl_world_step(w, 1.0f / 60.0f));
    return w->state.lists[LISTS_COMPONENTS].count;
}

static void what_is_held_is_none(void **state)
{
    (void)state;
    static const float target[6] = {0.0f};
    pl_world *w = two_chains();
    assert_int_equal(count_after_step(w), 2);
    good(pl_set(w, PL_ATTRIBUTE_MASS, 7, 1, &(float){0.0f}));
    assert_int_equal(count_after_step(w), 1);
    pl_id pin = add_rows(w, PL_KIND_PIN, 1, &(int32_t){0}, target, 0.0f);
    assert_int_equal(count_after_step(w), 0);
    good(pl_remove(w, pin));
    assert_int_equal(count_after_step(w), 1);
    pl_world_destroy(w);
}

static void what_contains_a_frame_is_none(void **state)
{
    (void)state;
    static const int32_t last = 7, link[2] = {0, 8}, joint[2] = {1, 8};
    pl_world *w = two_chains();
    pl_orient_def frame = pl_default_orient_def();
    pl_rigid_shape box = pl_default_rigid_shape();
    pl_rigid_def body = pl_default_rigid_def();
    pl_id turned, rigid;
    frame.count = 1, frame.particles = &last;
    good(pl_orient(w, &frame, &turned));
    assert_int_equal(count_after_step(w), 1);
    good(pl_remove(w, turned));
    assert_int_equal(count_after_step(w), 2);
    box.half = (pl_vec3){0.1f, 0.1f, 0.1f};
    body.shapes = &box, body.shape_count = 1, body.mass = 1.0f;
    body.position = (pl_vec3){-1.0f, 0.0f, 0.0f};
    good(pl_add_rigid(w, &body, &rigid));
    assert_int_equal(count_after_step(w), 2);
    pl_id row = add_rows(w, PL_KIND_DISTANCE, 1, link, NULL, 0.0f);
    assert_int_equal(count_after_step(w), 1);
    good(pl_remove(w, row));
    assert_int_equal(count_after_step(w), 2);
    add_rows(w, PL_KIND_BALL_JOINT, 1, joint, NULL, 0.0f);
    assert_int_equal(count_after_step(w), 1);
    pl_world_destroy(w);
}

// The particles that only fill up a patch are not connected with it.
static void a_patch_connects_what_it_moves(void **state)
{
    (void)state;
    static const int32_t all[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int filled = 0; filled < 2; filled++)
    {
        float param[22] = {1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, [21] = 1.0f};
        pl_world *w = two_chains();
        param[9] = filled ? 0.0f : 0.1f;
        add_rows(w, PL_KIND_PATCH_VOLUME, 1, all, param, 1.0f);
        assert_int_equal(count_after_step(w), filled ? 2 : 1);
        pl_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_held_is_none),
        cmocka_unit_test(what_contains_a_frame_is_none),
        cmocka_unit_test(a_patch_connects_what_it_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
