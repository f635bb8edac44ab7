// test_session.c: the simulation beside the window, without a window: pausing, stepping, going back, dragging, bad files.
// needs: viewer
#include "support/support.h"

#include "message.h"
#include "pick.h"
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

// A new model of so many particles; one of others, which came before it, goes.
static bool take_model_of(struct session *s, struct model *m, int particles)
{
    if (!session_take_model(s, m))
    {
        return false;
    }
    if (m->particles != particles)
    {
        model_free(m);
        return false;
    }
    return true;
}

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
    ask(s, WISH_RESET);
    WAIT(s, &now, now.frame == 0);
    session_close(s);
}

static const pl_scene_field *field_of(const pl_scene_field *all, int count, const char *path)
{
    for (int i = 0; i < count; i++)
    {
        if (strcmp(all[i].path, path) == 0)
        {
            return &all[i];
        }
    }
    fail_msg("no field %s", path);
    return NULL;
}

static void set(struct session *s, const char *change)
{
    struct wish w = {.kind = WISH_SET};
    snprintf(w.text, sizeof w.text, "%s", change);
    session_ask(s, &w);
}

// A parameter acts while it runs; one that changes what there is starts anew; a bad one is refused and changes nothing; and all
// go back to what the file has.
static void parameters_are_live(void **state)
{
    (void)state;
    struct session *s = open_paused("stiffness");
    struct session_state now;
    struct parameters p = {0};
    struct model m = {0};
    for (int i = 0; i < 5; i++)
    {
        ask(s, WISH_STEP);
    }
    WAIT(s, &now, now.frame == 5);
    int iterations = now.settings.iterations;
    set(s, "iterations=7");
    set(s, "cloth[0].stretch.compliance=0.25");
    WAIT(s, &now, now.settings.iterations == 7);
    WAIT(s, &now,
         session_take_parameters(s, &p) && field_of(p.now, p.count, "cloth[0].stretch.compliance")->value[0] == 0.25);
    assert_true(field_of(p.original, p.count, "cloth[0].stretch.compliance")->value[0] == (double)0.05f);
    assert_int_equal(now.frame, 5); // nothing began anew
    set(s, "iterations=-3");
    WAIT(s, &now, now.trouble[0] != 0);
    assert_non_null(strstr(now.trouble, "iterations"));
    assert_int_equal(now.settings.iterations, 7);
    assert_int_equal(now.frame, 5);
    ask(s, WISH_RESET); // from the start, with the parameters as they are
    WAIT(s, &now, now.frame == 0);
    assert_int_equal(now.settings.iterations, 7);
    set(s, "cloth[0].size=[20,25]");
    WAIT(s, &now, take_model_of(s, &m, 500));
    assert_int_equal(now.settings.iterations, 7);
    model_free(&m);
    ask(s, WISH_UNSET);
    WAIT(s, &now, now.settings.iterations == iterations);
    WAIT(s, &now, take_model_of(s, &m, 400));
    model_free(&m);
    parameters_free(&p);
    session_close(s);
}

// Frames bring what is wanted of the inside, and no more.
static void frames_bring_what_is_wanted(void **state)
{
    (void)state;
    struct session *s = open_paused("stiffness");
    struct session_state now;
    struct frame f = {0};
    struct model m;
    assert_true(session_take_model(s, &m));
    session_ask(s, &(struct wish){.kind = WISH_WATCH, .wants = {.colour_by = COLOUR_RESIDUAL, .cells = true}});
    ask(s, WISH_STEP);
    WAIT(s, &now, session_take_frame(s, &f) && f.number == 1);
    session_look(s, &now);
    assert_int_equal(f.has.colour_by, COLOUR_RESIDUAL);
    assert_int_equal(f.links, m.links);
    float most = 0.0f;
    for (int i = 0; i < f.particles; i++)
    {
        most = most > f.told[i] ? most : f.told[i];
    }
    near_to("the largest residual", (double)most, now.residual.max, 1e-3 * now.residual.max);
    assert_true(now.convergence.measured && now.convergence.count > 0);
    below("error of the forces at 80 iterations", now.convergence.force_error, 0.01);
    session_ask(s, &(struct wish){.kind = WISH_WATCH});
    ask(s, WISH_STEP);
    WAIT(s, &now, session_take_frame(s, &f) && f.number == 2);
    assert_int_equal(f.has.colour_by, COLOUR_MATERIAL);
    frame_free(&f);
    model_free(&m);
    session_close(s);
}

// A square sheet and a closed tetrahedron, as files; dropping one on the window does the same.
static void a_mesh_opens_as_a_little_scene(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "v 10 0 0\nv 14 0 0\nv 14 0 4\nv 10 0 4\nf 1 2 3 4\n",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n",
    };
    for (int i = 0; i < 2; i++)
    {
        char path[64];
        snprintf(path, sizeof path, "test_session_%d_%ld.OBJ", i, (long)time(NULL));
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(texts[i], file);
        fclose(file);
        struct session *s = open_paused("pendulum");
        struct session_state now;
        struct model m = {0};
        struct wish w = {.kind = WISH_LOAD};
        snprintf(w.text, sizeof w.text, "%s", path);
        session_ask(s, &w);
        WAIT(s, &now, take_model_of(s, &m, 4));
        session_look(s, &now);
        assert_true(strncmp(now.name, "test_session_", 13) == 0 && !strstr(now.name, "OBJ"));
        assert_true(now.from_mesh && now.trouble[0] == 0);
        assert_int_equal(m.faces, i ? 4 : 2);
        assert_int_equal(m.cloth[0], i == 0);
        for (int k = 0; k < 20; k++)
        {
            ask(s, WISH_STEP);
        }
        WAIT(s, &now, now.frame == 20);
        struct frame f = {0};
        WAIT(s, &now, session_take_frame(s, &f) && f.number == 20);
        struct bounds b = bounds_of(f.position, f.particles); // about a metre large, above the ground, over the middle
        near_to("its middle", (double)bounds_centre(&b).x, 0.0, 0.1);
        assert_true(b.max.x - b.min.x < 1.3f && b.max.x - b.min.x > 0.5f && b.min.y > -0.01f);
        frame_free(&f);
        model_free(&m);
        session_close(s);
        remove(path);
    }
    struct session *s = NULL;
    assert_false(session_open(&s, &(struct session_def){.scene = "/nowhere/mesh.obj"}));
    assert_non_null(strstr(viewer_message(), "mesh.obj"));
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
    int held = pick_particle(&m, &f, v3(0.5f, 0.4f, 5.0f), v3(0.0f, 0.0f, -1.0f));
    session_ask(s, &(struct wish){.kind = WISH_PICK, .particle = held});
    WAIT(s, &now, now.dragged >= 0);
    assert_int_equal(now.dragged, held);
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
    session_ask(s, &(struct wish){.kind = WISH_PICK, .particle = m.particles}); // of a world that has gone, say
    WAIT(s, &now, now.trouble[0]);
    assert_int_equal(now.dragged, -1);
    frame_free(&f);
    model_free(&m);
    session_close(s);
}

// A body is held where the ray meets it, follows, shows a line, and is let go.
static void a_held_body_follows(void **state)
{
    (void)state;
    struct session *s = open_paused("puppet");
    struct session_state now;
    struct frame f = {0};
    struct model m;
    float along;
    session_take_model(s, &m);
    session_take_frame(s, &f);
    vec3 from = v3(0.05f, 1.55f, 5.0f);
    int torso = pick_body(&m, &f, from, v3(0.0f, 0.0f, -1.0f), &along);
    assert_int_equal(torso, 0);
    near_to("its front", 5.0 - (double)along, 0.09, 1e-4);
    vec3 point = add(from, v3(0.0f, 0.0f, -along));
    session_ask(s, &(struct wish){.kind = WISH_PICK_BODY, .body = f.bodies.id[torso], .origin = point});
    WAIT(s, &now, now.dragged >= 0);
    assert_int_equal(now.dragged, m.bodies.body[torso].particle);
    vec3 goal = add(point, v3(0.3f, 0.0f, 0.2f));
    session_ask(s, &(struct wish){.kind = WISH_DRAG, .origin = goal});
    for (int i = 0; i < 40; i++)
    {
        ask(s, WISH_STEP);
    }
    WAIT(s, &now, now.frame == 40);
    WAIT(s, &now, session_take_frame(s, &f) || f.number == 40);
    assert_true(f.drag.on && length(sub(f.drag.to, goal)) == 0.0f);
    assert_true(length(sub(f.drag.from, goal)) < 0.1f);
    ask(s, WISH_DROP);
    WAIT(s, &now, now.dragged < 0);
    WAIT(s, &now, session_take_frame(s, &f) && !f.drag.on);
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

// Without any wish a fluid comes with its surface; it goes when particles are wanted.
static void fluids_bring_their_surface(void **state)
{
    (void)state;
    struct session *s = open_paused("dam_break");
    struct session_state now;
    struct frame f = {0};
    struct model m;
    assert_true(session_take_model(s, &m));
    WAIT(s, &now, session_take_frame(s, &f));
    assert_true(f.fluid.triangle_count > 1000);
    session_ask(s, &(struct wish){.kind = WISH_WATCH});
    ask(s, WISH_STEP);
    WAIT(s, &now, session_take_frame(s, &f) && f.number == 1);
    assert_int_equal(f.fluid.triangle_count, 0);
    frame_free(&f);
    model_free(&m);
    session_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fluids_bring_their_surface),  cmocka_unit_test(steps_and_goes_back_to_the_same_bits),
        cmocka_unit_test(plays_pauses_and_resets),     cmocka_unit_test(parameters_are_live),
        cmocka_unit_test(frames_bring_what_is_wanted), cmocka_unit_test(a_mesh_opens_as_a_little_scene),
        cmocka_unit_test(what_is_held_follows),        cmocka_unit_test(a_held_body_follows),
        cmocka_unit_test(a_bad_file_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
