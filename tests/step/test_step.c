// The step: no allocation once warm, and a frame that blows up is taken back.
#include "support/faulty.h"

static void no_allocation_after_warm_up(void **state)
{
    (void)state;
    for (int integrator = 0; integrator < 2; integrator++)
    {
        faulty f = {0};
        pl_world_def def = small_def(5, 2);
        def.threads = 2;
        def.allocator = (pl_allocator){faulty_resize, &f};
        def.settings.integrator = (pl_integrator)integrator;
        pl_world *w;
        good(pl_world_create(&def, &w));
        fill_world(w, 12);
        pl_id drag;
        good(pl_drag_begin(w, 50, 1e-3f, &drag));
        play(w, 2);
        int64_t calls = f.calls;
        for (int i = 0; i < 30; i++)
        {
            good(pl_drag_move(w, drag, (pl_vec3){0.5f, 0.01f * (float)i, 0.5f}));
            play(w, 1);
        }
        assert_int_equal(f.calls, calls);
        pl_world_destroy(w);
        assert_int_equal(f.blocks, 0);
        assert_int_equal(f.bytes, 0);
    }
}

static void a_frame_that_blows_up(void **state)
{
    (void)state;
    for (int integrator = 0; integrator < 2; integrator++)
    {
        pl_world *w = make_world(4, 2), *loaded;
        fill_world(w, 8);
        pl_settings s = pl_world_settings(w);
        s.integrator = (pl_integrator)integrator;
        good(pl_world_set_settings(w, &s));
        play(w, 10);
        uint64_t hash = pl_world_hash(w);
        double time = pl_world_time(w);
        const float push[3] = {3e38f, 0, 0}, none[3] = {0};
        good(pl_set(w, PL_ATTRIBUTE_FORCE, 30, 1, push));
        refused(pl_world_step(w, 1.0f / 60.0f), PL_ERROR_DIVERGED, "frame 10 diverged");
        assert_true(pl_world_hash(w) == hash);
        assert_true(pl_world_time(w) == time);
        assert_int_equal(pl_world_frame(w), 10);
        refused(pl_world_step(w, 1.0f / 60.0f), PL_ERROR_DIVERGED, "diverged"); // again, and again back
        assert_true(pl_world_hash(w) == hash);
        // It can be saved and loaded, and goes on when the cause is gone.
        picture p = picture_of(w);
        pl_world_def def = small_def(1, 1);
        good(pl_world_load_memory(&def, p.data, p.size, &loaded));
        pl_free(p.data);
        good(pl_set(w, PL_ATTRIBUTE_FORCE, 30, 1, none));
        good(pl_set(loaded, PL_ATTRIBUTE_FORCE, 30, 1, none));
        play(w, 10);
        play(loaded, 10);
        assert_true(pl_world_hash(w) == pl_world_hash(loaded));
        pl_world_destroy(w);
        pl_world_destroy(loaded);
    }
}

// A failed frame in a first-order world leaves no trace: the next is as if it had not been tried.
static void a_failed_frame_leaves_no_trace(void **state)
{
    (void)state;
    uint64_t hash[2];
    for (int failed = 0; failed < 2; failed++)
    {
        pl_world *w = make_world(4, 2);
        fill_world(w, 8);
        play(w, 5);
        if (failed)
        {
            const float push[3] = {3e38f, 0, 0}, none[3] = {0};
            good(pl_set(w, PL_ATTRIBUTE_FORCE, 30, 1, push));
            assert_int_equal(pl_world_step(w, 1.0f / 60.0f), PL_ERROR_DIVERGED);
            good(pl_set(w, PL_ATTRIBUTE_FORCE, 30, 1, none));
        }
        play(w, 5);
        hash[failed] = pl_world_hash(w);
        pl_world_destroy(w);
    }
    assert_true(hash[0] == hash[1]);
}

static void bad_steps(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    add_one(w, 0, 0, 0, 1, NULL);
    picture p = picture_of(w);
    static const float wrong[] = {0.0f, -0.01f, NAN, INFINITY, 101.0f};
    for (int i = 0; i < 5; i++)
        refused(pl_world_step(w, wrong[i]), PL_ERROR_ARGUMENT, "dt is");
    same_picture(&p, w, "a refused step");
    pl_free(p.data);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_allocation_after_warm_up),
        cmocka_unit_test(a_frame_that_blows_up),
        cmocka_unit_test(a_failed_frame_leaves_no_trace),
        cmocka_unit_test(bad_steps),
    };
    return cmocka_run_group_tests_name("step", tests, NULL, NULL);
}
