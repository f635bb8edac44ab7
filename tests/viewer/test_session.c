// test_session.c: the simulation beside the window, without a window: pausing, stepping, going back, dragging, bad files.
#include "support/support.h"

#ifndef PLIANT_HAVE_VIEWER

int main(void)
{
    puts("skipped: built without the viewer (libepoxy-dev, libegl-dev or libpng-dev is not installed)");
    return 77;
}

#else

#include "message.h"
#include "session.h"

#include <time.h>

static struct session *open_paused(const char *scene)
{
    struct session *s;
    if (!session_open(&s, &(struct session_def){.scene = scene, .paused = true, .threads = 1}))
    {
        fail_msg("%s", viewer_message());
    }
    return s;
}

static void nap(void) { nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL); }

// Waits, a minute at most, until a condition on the state holds.
#define WAIT(s, state, condition)                                                                                      \
    do                                                                                                                 \
    {                                                                                                                  \
        int tries = 0;                                                                                                 \
        for (session_look(s, state); !(condition); session_look(s, state), nap())                                      \
        {                                                                                                              \
            if (++tries > 30000)                                                                                       \
            {                                                                                                          \
                fail_msg("waited in vain for %s", #condition);                                                         \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    while (0)

static void ask(struct session *s, enum wish_kind kind) { session_ask(s, &(struct wish){.kind = kind}); }

static void steps_and_goes_back_to_the_same_bits(void **state)
{
    (void)state;
    struct session *s = open_paused("pendulum");
    struct session_state now;
    struct frame first = {0}, again = {0};
    struct model m;
    assert_true(session_take_model(s, &m));
    assert_int_equal(m.particles, 2);
    session_look(s, &now);
    assert_false(now.playing);
    assert_int_equal(now.frame, 0);
    for (int i = 0; i < 12; i++)
    {
        ask(s, WISH_STEP);
    }
    WAIT(s, &now, now.frame == 12);
    assert_true(session_take_frame(s, &first));
    for (int i = 0; i < 24; i++)
    {
        ask(s, WISH_STEP);
    }
    WAIT(s, &now, now.frame == 36);
    session_ask(s, &(struct wish){.kind = WISH_BACK, .value = 0.1f});
    WAIT(s, &now, now.frame < 36);
    int more = (int)(12 - now.frame); // snapshots lie a tenth of a second apart
    assert_true(more >= 0);
    for (int i = 0; i < more; i++)
    {
        ask(s, WISH_STEP);
    }
    WAIT(s, &now, now.frame == 12);
    session_take_frame(s, &again);
    assert_memory_equal(first.position, again.position, 6 * sizeof(float));
    assert_memory_equal(first.velocity, again.velocity, 6 * sizeof(float));
    frame_free(&first);
    frame_free(&again);
    model_free(&m);
    session_close(s);
}

static void plays_pauses_and_resets(void **state)
{
    (void)state;
    struct session *s = open_paused("pendulum");
    struct session_state now;
    session_ask(s, &(struct wish){.kind = WISH_PLAY, .on = true});
    WAIT(s, &now, now.playing && now.frame > 3);
    session_ask(s, &(struct wish){.kind = WISH_PLAY, .on = false});
    WAIT(s, &now, !now.playing);
    int64_t frame = now.frame;
    for (int i = 0; i < 30; i++)
    {
        nap();
    }
    session_look(s, &now);
    assert_int_equal(now.frame, frame);
    pl_settings changed = now.settings;
    changed.iterations = 7;
    session_ask(s, &(struct wish){.kind = WISH_SETTINGS, .settings = changed});
    WAIT(s, &now, now.settings.iterations == 7);
    ask(s, WISH_RESET);
    WAIT(s, &now, now.frame == 0);
    assert_int_equal(now.settings.iterations, now.original.iterations);
    session_close(s);
}

static void what_is_held_follows(void **state)
{
    (void)state;
    struct session *s = open_paused("stiffness");
    struct session_state now;
    struct frame f = {0};
    struct model m;
    session_take_model(s, &m);
    session_take_frame(s, &f);
    session_ask(s, &(struct wish){.kind = WISH_PICK, .origin = {0.5f, 0.4f, 5.0f}, .direction = {0.0f, 0.0f, -1.0f}});
    WAIT(s, &now, now.dragged >= 0);
    int held = now.dragged;
    near_to("x of what is held", (double)now.drag_point.x, 0.5, 0.05);
    session_ask(s, &(struct wish){.kind = WISH_DRAG, .origin = {0.5f, 0.5f, 0.3f}});
    for (int i = 0; i < 40; i++)
    {
        ask(s, WISH_STEP);
    }
    WAIT(s, &now, now.frame == 40);
    WAIT(s, &now, session_take_frame(s, &f) || f.number == 40);
    near_to("x", (double)f.position[3 * held], 0.5, 0.05);
    near_to("y", (double)f.position[3 * held + 1], 0.5, 0.05);
    near_to("z", (double)f.position[3 * held + 2], 0.3, 0.05);
    ask(s, WISH_DROP);
    WAIT(s, &now, now.dragged < 0);
    frame_free(&f);
    model_free(&m);
    session_close(s);
}

static void a_bad_file_changes_nothing(void **state)
{
    (void)state;
    struct session *s = open_paused("pendulum");
    struct session_state now;
    session_ask(s, &(struct wish){.kind = WISH_LOAD, .text = "/nowhere/at_all.json"});
    WAIT(s, &now, now.trouble[0] != 0);
    assert_string_equal(now.name, "pendulum");
    ask(s, WISH_STEP);
    WAIT(s, &now, now.frame == 1);
    session_ask(s, &(struct wish){.kind = WISH_LOAD, .text = "rope"});
    WAIT(s, &now, strcmp(now.name, "rope") == 0);
    assert_int_equal(now.trouble[0], 0);
    session_close(s);
    assert_false(session_open(&s, &(struct session_def){.scene = "/nowhere/at_all.json"}));
    assert_non_null(strstr(viewer_message(), "at_all.json"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_and_goes_back_to_the_same_bits),
        cmocka_unit_test(plays_pauses_and_resets),
        cmocka_unit_test(what_is_held_follows),
        cmocka_unit_test(a_bad_file_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
