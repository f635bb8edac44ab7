// What wakes sleeping rigid bodies: what comes near, every edit, and nothing else; random edits with snapshots.
#include "physics/sleep.h"

// ---- waking --------------------------------------------------------------------------------------------------------

static void islands_are_apart(void **unused)
{
    (void)unused;
    pl_world *w = open_floor();
    pl_id a[4], b[4];
    stack_at(w, 0.0f, a, 4);
    stack_at(w, 3.0f, b, 4);
    settle(w, a[0]);
    assert_int_equal(pl_sleeping_rigids(w), 8);
    // A ball comes from the side of b, and hits its lowest box: all of b wake, before it touches, and none of a.
    pl_id ball = add_ball(w, (pl_vec3){8.0f, 0.5f, 0.0f}, (pl_vec3){-4.0f, 0.0f, 0.0f}, 1.0f);
    int frames = 0;
    while (!pl_rigid_awake(w, b[0]) && frames++ < 200)
        play(w, 1);
    assert_true(state_of(w, ball).position.x > 3.8f);
    for (int i = 0; i < 4; i++)
    {
        assert_true(pl_rigid_awake(w, b[i]));
        assert_false(pl_rigid_awake(w, a[i]));
    }
    play(w, 60);
    assert_int_equal(pl_sleeping_rigids(w), 4);
    assert_true(state_of(w, b[0]).position.x < 2.99f);
    pl_world_destroy(w);
}

// A row of boxes that touch is one island. Removing the first, or what they stand on, wakes all of them.
static void chains_wake(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2; k++)
    {
        pl_world *w = open_floor();
        pl_rigid_shape shape;
        pl_rigid_def d = box_def(&shape, (pl_vec3){9.0f, 0.5f, 2.0f}, (pl_vec3){4.0f, 0.5f, 0.0f}, 1.0f);
        pl_id box[8], table;
        d.type = PL_RIGID_STATIC;
        good(pl_add_rigid(w, &d, &table));
        for (int i = 0; i < 8; i++)
            box[i] = box_at(w, (float)i, 1.5f);
        settle(w, box[0]);
        assert_int_equal(pl_sleeping_rigids(w), 8);
        good(pl_remove(w, k ? table : box[0]));
        for (int i = 1; i < 8; i++)
            assert_true(pl_rigid_awake(w, box[i]));
        play(w, 60);
        assert_true(!k || state_of(w, box[7]).position.y < 0.6f);
        pl_world_destroy(w);
    }
}

typedef struct scene
{
    pl_world *w;
    pl_id box, lid, floor;
    pl_joint joint;
} scene;

static scene open_scene(void)
{
    scene s = {.w = open_world()};
    pl_joint_def j = pl_default_joint_def();
    s.floor = add_floor(s.w);
    s.box = box_at(s.w, 0.0f, 0.5f), s.lid = box_at(s.w, 0.0f, 1.5f);
    j.kind = PL_JOINT_FIXED, j.a = s.box, j.b = s.lid, j.point = (pl_vec3){0.0f, 1.0f, 0.0f};
    good(pl_add_joint(s.w, &j, &s.joint));
    settle(s.w, s.box);
    assert_false(pl_rigid_awake(s.w, s.lid));
    return s;
}

static void edit_body(scene *s, int edit)
{
    const pl_vec3 up = {0.0f, 0.01f, 0.0f}, at = {0.0f, 0.5f, 0.0f};
    const float mass = 2.0f, v[3] = {0.0f, 0.01f, 0.0f};
    pl_rigid_state now = state_of(s->w, s->box);
    pl_rigid_def def;
    switch (edit)
    {
    case 0:
        good(pl_push_rigid(s->w, s->box, up, at));
        break;
    case 1:
        good(pl_spin_rigid(s->w, s->box, up));
        break;
    case 2:
        good(pl_set_rigid_force(s->w, s->box, up, none));
        break;
    case 3:
        good(pl_add_rigid_force(s->w, s->box, up, at));
        break;
    case 4:
        good(pl_set_rigids(s->w, &s->box, 1, &now));
        break;
    case 5:
        good(pl_get_rigid(s->w, s->box, &def));
        good(pl_set_rigid(s->w, s->box, &def));
        break;
    case 6:
        good(pl_set(s->w, PL_ATTRIBUTE_MASS, number_of(s->w, s->box), 1, &mass));
        break;
    case 7:
        good(pl_set(s->w, PL_ATTRIBUTE_VELOCITY, number_of(s->w, s->box), 1, v));
        break;
    case 8:
        good(pl_wake_rigid(s->w, s->lid));
        break;
    }
}

static void edit_world(scene *s, int edit)
{
    pl_settings set = pl_world_settings(s->w);
    pl_material m = pl_default_material();
    const pl_field field = {.kind = PL_FIELD_UNIFORM, .vector = {0.1f, 0.0f, 0.0f}};
    pl_joint_def j = pl_default_joint_def();
    int number;
    switch (edit)
    {
    case 9:
        set.gravity.y = -9.0f;
        good(pl_world_set_settings(s->w, &set));
        break;
    case 10:
        set.sleep = false;
        good(pl_world_set_settings(s->w, &set));
        break;
    case 11:
        good(pl_add_material(s->w, &m, &number));
        break;
    case 12:
        good(pl_add_field(s->w, &field, NULL));
        break;
    case 13:
        good(pl_set_shape_pose(s->w, s->floor, (pl_vec3){0.0f, -1.0f, 0.0f}, (pl_quat){0.0f, 0.0f, 0.0f, 1.0f}));
        break;
    case 14:
        good(pl_remove(s->w, s->floor));
        break;
    case 15:
        good(pl_remove_joint(s->w, &s->joint));
        break;
    case 16:
        j.kind = PL_JOINT_BALL, j.b = s->lid, j.point = (pl_vec3){0.0f, 2.0f, 0.0f};
        good(pl_add_joint(s->w, &j, NULL));
        break;
    case 17:
        good(pl_set_strength(s->w, s->joint.rows[PL_JOINT_BASE], 0, 1, 1e6f));
        break;
    }
}

enum
{
    BODY_EDITS = 9,
    EDITS = 18
};

static void make_edit(scene *s, int edit)
{
    if (edit < BODY_EDITS)
        edit_body(s, edit);
    else
        edit_world(s, edit);
}

// Every edit wakes both bodies, at once and in the next step, and the world goes on, with the same bits after a snapshot
// between the edit and the step.
static void edits_wake(void **unused)
{
    (void)unused;
    for (int edit = 0; edit < EDITS; edit++)
    {
        scene s = open_scene();
        make_edit(&s, edit);
        if (!pl_rigid_awake(s.w, s.box) || !pl_rigid_awake(s.w, s.lid))
            fail_msg("edit %d does not wake", edit);
        assert_int_equal(pl_sleeping_rigids(s.w), 0);
        void *data;
        size_t size;
        pl_world_def def = sleeping_def();
        pl_world *copy;
        good(pl_world_save_memory(s.w, &data, &size));
        good(pl_world_load_memory(&def, data, size, &copy));
        play(s.w, 5);
        assert_int_equal(pl_sleeping_rigids(s.w), 0);
        play(copy, 5);
        assert_int_equal(pl_world_hash(s.w), pl_world_hash(copy));
        play(s.w, 115);
        play(copy, 115);
        if (pl_world_hash(s.w) != pl_world_hash(copy) || pl_sleeping_rigids(s.w) != pl_sleeping_rigids(copy))
            fail_msg("edit %d: a loaded world goes on in another way", edit);
        pl_world_destroy(s.w), pl_world_destroy(copy);
        pl_free(data);
    }
}

// What changes nothing for bodies wakes nothing; nor do refused edits.
static void others_do_not(void **unused)
{
    (void)unused;
    scene s = open_scene();
    pl_settings set = pl_world_settings(s.w);
    good(pl_world_set_settings(s.w, &set));
    set.wind.velocity.x = 3.0f;
    good(pl_world_set_settings(s.w, &set));
    set.sleep_speed = 0.0f;
    refused(pl_world_set_settings(s.w, &set), PL_ERROR_ARGUMENT, "sleep_speed is 0; it must be from 1e-09 to 1e+06");
    set.sleep_speed = 0.01f, set.sleep_time = 0.0f;
    refused(pl_world_set_settings(s.w, &set), PL_ERROR_ARGUMENT, "sleep_time is 0; it must be from 0.01 to 1e+06");
    const pl_id wrong = {12345, 1};
    assert_int_equal(pl_wake_rigid(s.w, wrong), PL_ERROR_ARGUMENT);
    assert_false(pl_rigid_awake(s.w, wrong));
    const pl_vec3 bad = {NAN, 0.0f, 0.0f};
    assert_int_equal(pl_push_rigid(s.w, s.box, bad, none), PL_ERROR_ARGUMENT);
    float mass;
    good(pl_get(s.w, PL_ATTRIBUTE_MASS, number_of(s.w, s.box), 1, &mass));
    assert_true(mass == 1.0f); // also while it sleeps
    near_to("the potential energy", pl_world_energy(s.w).potential, 9.81 * (0.5 + 1.5), 0.1);
    add_ball(s.w, (pl_vec3){50.0f, 5.0f, 0.0f}, none, 1.0f);
    play(s.w, 10);
    assert_int_equal(pl_sleeping_rigids(s.w), 2);
    pl_world_destroy(s.w);
}

// Kinematic bodies and shapes of the world that move wake what they come near; those that rest do not.
static void moving_things_wake(void **unused)
{
    (void)unused;
    for (int k = 0; k < 3; k++)
    {
        pl_world *w = open_floor();
        pl_rigid_shape shape;
        pl_rigid_def d = box_def(&shape, half, (pl_vec3){4.0f, 0.6f, 0.0f}, 1.0f);
        pl_shape_def wall = pl_default_shape_def();
        pl_id box = box_at(w, 0.0f, 0.5f), pusher;
        d.type = PL_RIGID_KINEMATIC;
        wall.kind = PL_SHAPE_BOX, wall.position = d.position;
        good(k ? pl_add_shape(w, &wall, &pusher) : pl_add_rigid(w, &d, &pusher));
        settle(w, box);
        const pl_quat straight = {0.0f, 0.0f, 0.0f, 1.0f};
        float x = 4.0f;
        for (int i = 0; i < 160; i++)
        {
            x -= 1.5f * STEP;
            const pl_vec3 to = {x, 0.6f, 0.0f};
            if (k == 0)
                good(pl_move_rigid(w, pusher, to, straight, STEP));
            if (k == 1)
                good(pl_move_shape(w, pusher, to, straight));
            if (k == 2)
                good(pl_set_shape_velocity(w, pusher, (pl_vec3){-1.5f, 0.0f, 0.0f}, none));
            play(w, 1);
        }
        near_to("the box that is pushed", (double)state_of(w, box).position.x, -1.0, 0.03);
        pl_world_destroy(w);
    }
}

// The floor sinks: bodies fall with it.
static void floors_that_leave(void **unused)
{
    (void)unused;
    pl_world *w = open_world();
    pl_id floor = add_floor(w), box = box_at(w, 0.0f, 0.5f);
    settle(w, box);
    good(pl_set_shape_velocity(w, floor, (pl_vec3){0.0f, -0.5f, 0.0f}, none));
    play(w, 60);
    near_to("the box on the floor", (double)state_of(w, box).position.y, 0.0, 0.01);
    pl_world_destroy(w);
}

// ---- random edits --------------------------------------------------------------------------------------------------

typedef struct crowd
{
    pl_id body[40];
    pl_joint joint[10];
    int bodies, joints;
} crowd;

static void random_edit(pl_world *w, crowd *c, uint64_t *seed)
{
    int which = (int)(100.0f * fabsf(dice(seed))) % 12, i = (int)(1000.0f * fabsf(dice(seed))) % c->bodies;
    pl_rigid_state s = state_of(w, c->body[i]);
    const pl_vec3 push = {dice(seed), fabsf(dice(seed)), dice(seed)}, bad = {0.0f, INFINITY, 0.0f};
    pl_settings set = pl_world_settings(w);
    const float mass = 1.0f + 0.5f * dice(seed);
    pl_joint_def j = pl_default_joint_def();
    if (which == 0)
        good(pl_push_rigid(w, c->body[i], push, s.position));
    if (which == 1)
    {
        s.position.y += 1.0f;
        good(pl_set_rigids(w, &c->body[i], 1, &s));
    }
    if (which == 2 && c->bodies > 10)
    {
        for (int k = 0; k < c->joints; k++) // joints may be at it
            (void)pl_remove_joint(w, &c->joint[k]);
        c->joints = 0;
        good(pl_remove(w, c->body[i]));
        c->body[i] = c->body[--c->bodies];
    }
    if (which == 3 && c->bodies < 40)
        c->body[c->bodies++] = add_ball(w, (pl_vec3){4.0f * push.x, 6.0f, 4.0f * push.z}, none, 1.0f);
    if (which == 4 && c->joints < 10 && c->bodies > 12)
    {
        j.kind = PL_JOINT_BALL, j.a = c->body[0], j.b = c->body[1 + i % (c->bodies - 1)], j.point = s.position;
        j.soft.compliance = 1e-4f;
        good(pl_add_joint(w, &j, &c->joint[c->joints++]));
    }
    if (which == 5 && c->joints)
        good(pl_remove_joint(w, &c->joint[--c->joints]));
    if (which == 6)
        good(pl_set(w, PL_ATTRIBUTE_MASS, number_of(w, c->body[i]), 1, &mass));
    if (which == 7)
        good(pl_wake_rigid(w, c->body[i]));
    if (which == 8)
        assert_int_equal(pl_push_rigid(w, c->body[i], bad, none), PL_ERROR_ARGUMENT);
    if (which == 9 && dice(seed) > 0.8f)
    {
        set.sleep_speed = 0.01f + 0.005f * dice(seed);
        good(pl_world_set_settings(w, &set));
    }
    if (which == 10)
        good(pl_set_rigid_force(w, c->body[i], push, none));
}

// After any edits a world that is saved and loaded, and one that is restored, go on with the bits of the first.
static void random_edits(void **unused)
{
    (void)unused;
    pl_world *w = open_floor(), *live = open_floor();
    crowd c = {.bodies = 0};
    uint64_t seed = 11;
    int slept = 0, woke = 0, before = 0;
    for (int i = 0; i < 20; i++)
        c.body[c.bodies++] = box_at(w, 1.6f * (float)(i % 10), 0.5f + 1.02f * (float)(i / 10));
    for (int frame = 0; frame < 600; frame++)
    {
        if (frame % 60 < 8)
            random_edit(w, &c, &seed);
        if (frame % 37 == 5)
        {
            void *data;
            size_t size;
            pl_world_def def = sleeping_def();
            pl_world *copy;
            good(pl_world_save_memory(w, &data, &size));
            good(pl_world_load_memory(&def, data, size, &copy));
            good(pl_world_restore(live, data, size));
            play(copy, 3), play(live, 3), play(w, 3);
            assert_true(pl_world_hash(copy) == pl_world_hash(w) && pl_world_hash(live) == pl_world_hash(w));
            assert_int_equal(pl_sleeping_rigids(copy), pl_sleeping_rigids(w));
            pl_world_destroy(copy);
            pl_free(data);
        }
        play(w, 1);
        int now = pl_sleeping_rigids(w);
        slept += now > before, woke += now < before, before = now;
    }
    assert_true(slept > 5 && woke > 5);
    pl_world_destroy(w), pl_world_destroy(live);
}

// A particle that comes near wakes what it will hit, and only that. What a particle lies on stays awake.
static void particles_wake(void **unused)
{
    (void)unused;
    pl_world *w = open_floor();
    pl_id a = box_at(w, 0.0f, 0.5f), b = box_at(w, 5.0f, 0.5f);
    float radius = 0.1f;
    settle(w, a);
    assert_int_equal(pl_sleeping_rigids(w), 2);
    int grain = add_one(w, 0.2f, 3.0f, 0.0f, 1.0f, NULL);
    good(pl_set(w, PL_ATTRIBUTE_RADIUS, grain, 1, &radius));
    play(w, 15); // still above
    assert_int_equal(pl_sleeping_rigids(w), 2);
    play(w, 60);
    assert_true(pl_rigid_awake(w, a) && !pl_rigid_awake(w, b));
    play(w, 120);
    pl_vec3 at;
    good(pl_get(w, PL_ATTRIBUTE_POSITION, grain, 1, &at.x));
    near_to("the grain lies on the box", at.y, 1.1, 0.01);
    assert_true(pl_rigid_awake(w, a) && !pl_rigid_awake(w, b));
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(islands_are_apart), cmocka_unit_test(chains_wake),        cmocka_unit_test(edits_wake),
        cmocka_unit_test(others_do_not),     cmocka_unit_test(moving_things_wake), cmocka_unit_test(floors_that_leave),
        cmocka_unit_test(random_edits),      cmocka_unit_test(particles_wake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
