// The sleep of rigid bodies: when they fall asleep, the difference that it makes, and that it has the same bits everywhere.
#include "physics/sleep.h"

// ---- falling asleep ------------------------------------------------------------------------------------------------

static void falls_asleep_after_the_time(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2; k++)
    {
        pl_world *w = open_floor();
        pl_settings s = pl_world_settings(w);
        s.sleep_time = k ? 1.0f : 0.5f;
        good(pl_world_set_settings(w, &s));
        pl_id box = box_at(w, 0.0f, 0.5f);
        int frames = play_asleep(w, box, 300), least = k ? 60 : 30;
        assert_in_range(frames, least, least + 16); // islands are looked for in every eighth frame
        assert_int_equal(pl_sleeping_rigids(w), 1);
        // Its pose is the same in every bit, and it has no velocity.
        pl_rigid_state at = state_of(w, box);
        uint64_t hash = pl_world_hash(w);
        play(w, 100);
        pl_rigid_state now = state_of(w, box);
        assert_memory_equal(&at, &now, sizeof at);
        assert_memory_equal(&now.velocity, &none, sizeof none);
        assert_memory_equal(&now.spin, &none, sizeof none);
        assert_int_equal(pl_world_hash(w), hash);
        pl_world_destroy(w);
    }
}

// Poses with low parts of every sort: nothing creeps by the rounding of a substep.
static void poses_are_frozen(void **unused)
{
    (void)unused;
    pl_world *w = open_floor();
    pl_id ball[40];
    uint64_t seed = 3;
    for (int i = 0; i < 40; i++)
    {
        pl_rigid_shape s = pl_default_rigid_shape();
        pl_rigid_def d = pl_default_rigid_def();
        float q[4], size = 0.0f;
        for (int c = 0; c < 4; c++)
            q[c] = dice(&seed), size += q[c] * q[c];
        size = 1.0f / sqrtf(size);
        s.half = (pl_vec3){0.1f, 0.2f, 0.15f};
        d.shapes = &s, d.shape_count = 1;
        d.position = (pl_vec3){3.0f * dice(&seed), 1.0f + 0.4f * (float)i, 3.0f * dice(&seed)};
        d.rotation = (pl_quat){size * q[0], size * q[1], size * q[2], size * q[3]};
        good(pl_add_rigid(w, &d, &ball[i]));
    }
    for (int i = 0; i < 900 && pl_sleeping_rigids(w) < 40; i++)
        play(w, 1);
    assert_int_equal(pl_sleeping_rigids(w), 40);
    picture before = picture_of(w), after;
    play(w, 8);
    after = picture_of(w);
    assert_int_equal(before.size, after.size);
    uint64_t hash = pl_world_hash(w);
    play(w, 200);
    assert_int_equal(pl_world_hash(w), hash);
    pl_free(before.data), pl_free(after.data);
    pl_world_destroy(w);
}

// What moves slowly, but faster than the limit, is not frozen; a pendulum turns back.
static void slow_motion_goes_on(void **unused)
{
    (void)unused;
    pl_world *w = open_world();
    no_gravity(w);
    pl_id slow = box_at(w, 0.0f, 0.0f), slower = box_at(w, 5.0f, 0.0f), turning = box_at(w, 10.0f, 0.0f);
    pl_rigid_state s[3] = {state_of(w, slow), state_of(w, slower), state_of(w, turning)};
    s[0].velocity.x = 0.011f, s[1].velocity.x = 0.009f, s[2].spin.y = 0.02f;
    const pl_id id[3] = {slow, slower, turning};
    good(pl_set_rigids(w, id, 3, s));
    play(w, 120);
    assert_true(pl_rigid_awake(w, slow) && pl_rigid_awake(w, turning));
    assert_false(pl_rigid_awake(w, slower));
    near_to("the way", (double)state_of(w, slow).position.x, 0.022, 1e-6);
    pl_world_destroy(w);

    w = open_world();
    pl_id bob = add_box(w, (pl_vec3){0.1f, 0.1f, 0.1f}, (pl_vec3){0.1f, -1.0f, 0.0f}, 1.0f);
    pl_joint_def j = pl_default_joint_def();
    j.kind = PL_JOINT_BALL, j.b = bob;
    good(pl_add_joint(w, &j, NULL));
    int turns = 0;
    float before = state_of(w, bob).velocity.x;
    for (int i = 0; i < 600; i++)
    {
        play(w, 1);
        float v = state_of(w, bob).velocity.x;
        turns += (v > 0.0f) != (before > 0.0f), before = v;
        assert_true(pl_rigid_awake(w, bob));
    }
    assert_in_range(turns, 8, 11); // 10 s of a period of 2 s
    pl_world_destroy(w);
}

// What trembles in its place falls asleep; what shakes faster does not.
static void trembling_falls_asleep(void **unused)
{
    (void)unused;
    pl_world *w = open_world();
    no_gravity(w);
    pl_id slow = box_at(w, 0.0f, 0.0f), fast = box_at(w, 5.0f, 0.0f);
    for (int i = 0; i < 120; i++) // 4 cm/s and 6 cm/s, to and fro
    {
        const pl_id id[2] = {slow, fast};
        pl_rigid_state s[2] = {state_of(w, slow), state_of(w, fast)};
        if (!pl_rigid_awake(w, slow))
            break;
        s[0].velocity.x = i % 2 ? 0.04f : -0.04f, s[1].velocity.x = i % 2 ? 0.06f : -0.06f;
        good(pl_set_rigids(w, id, 2, s));
        play(w, 1);
    }
    assert_false(pl_rigid_awake(w, slow));
    assert_true(pl_rigid_awake(w, fast));
    pl_world_destroy(w);
}

static void motors_keep_awake(void **unused)
{
    (void)unused;
    pl_world *w = open_floor();
    pl_id wheel = box_at(w, 0.0f, 3.0f);
    pl_joint_def j = pl_default_joint_def();
    pl_joint joint;
    j.kind = PL_JOINT_HINGE, j.b = wheel, j.point = (pl_vec3){0.0f, 3.0f, 0.0f}, j.axis = (pl_vec3){0.0f, 0.0f, 1.0f};
    j.twist.motor = 100.0f, j.twist.speed = 0.005f; // slower than the limit
    good(pl_add_joint(w, &j, &joint));
    play(w, 120);
    assert_true(pl_rigid_awake(w, wheel));
    good(pl_drive_joint(w, &joint, PL_JOINT_TWIST_MOTOR, 0.0f, 100.0f));
    settle(w, wheel);
    good(pl_drive_joint(w, &joint, PL_JOINT_TWIST_MOTOR, 1.0f, 100.0f));
    assert_true(pl_rigid_awake(w, wheel));
    play(w, 60);
    near_to("the spin", (double)state_of(w, wheel).spin.z, 1.0, 0.01);
    pl_world_destroy(w);
}

// A body that may not sleep keeps its neighbours awake; so does a moving platform.
static void some_never_sleep(void **unused)
{
    (void)unused;
    pl_world *w = open_floor();
    pl_rigid_shape shape;
    pl_rigid_def d = box_def(&shape, half, (pl_vec3){0.0f, 1.5f, 0.0f}, 1.0f);
    pl_id low = box_at(w, 0.0f, 0.5f), top, alone = box_at(w, 9.0f, 0.5f), platform, rider;
    d.allow_sleep = false;
    good(pl_add_rigid(w, &d, &top));
    d = box_def(&shape, (pl_vec3){2.0f, 0.5f, 2.0f}, (pl_vec3){20.0f, 0.6f, 0.0f}, 1.0f);
    d.type = PL_RIGID_KINEMATIC, d.velocity.x = 0.004f;
    good(pl_add_rigid(w, &d, &platform));
    rider = box_at(w, 20.0f, 1.6f);
    play(w, 120);
    assert_true(pl_rigid_awake(w, low) && pl_rigid_awake(w, top) && pl_rigid_awake(w, rider));
    assert_false(pl_rigid_awake(w, alone));
    near_to("the rider", (double)state_of(w, rider).position.x, 20.008, 1e-4);
    good(pl_get_rigid(w, top, &d));
    assert_false(d.allow_sleep);
    d.allow_sleep = true;
    good(pl_set_rigid(w, top, &d));
    settle(w, top);
    assert_false(pl_rigid_awake(w, low));
    pl_world_destroy(w);
}

// A body that a rope is tied to stays awake: the rope could move it.
static void ropes_keep_awake(void **unused)
{
    (void)unused;
    pl_world *w = open_floor();
    pl_id box = box_at(w, 0.0f, 0.5f), other = box_at(w, 3.0f, 0.5f), rope;
    const int end = 0;
    pl_rope_def d = pl_default_rope_def();
    pl_attach_def a = pl_default_attach_def();
    d.from = (pl_vec3){0.0f, 1.0f, 0.0f}, d.to = (pl_vec3){0.0f, 2.0f, 0.0f};
    good(pl_add_rope(w, &d, &rope));
    a.object = rope, a.particles = &end, a.count = 1, a.to = box;
    good(pl_attach(w, &a, NULL));
    play(w, 90);
    assert_true(pl_rigid_awake(w, box));
    assert_false(pl_rigid_awake(w, other));
    pl_world_destroy(w);
}

// Contacts of sleeping bodies have not ended.
static void contacts_go_on(void **unused)
{
    (void)unused;
    pl_world *w = open_floor();
    pl_id box[3];
    const pl_watch_def watch = pl_default_watch_def();
    stack_at(w, 0.0f, box, 3);
    good(pl_watch_contacts(w, &watch));
    settle(w, box[0]);
    play(w, 20);
    assert_int_equal(pl_world_contact_counts(w).touching, 3);
    assert_int_equal(pl_world_contact_counts(w).all_begun, 3);
    assert_int_equal(pl_world_contact_counts(w).all_ended, 0);
    good(pl_wake_rigid(w, box[0]));
    play(w, 5);
    assert_int_equal(pl_world_contact_counts(w).all_begun, 3);
    assert_int_equal(pl_world_contact_counts(w).all_ended, 0);
    pl_world_destroy(w);
}

// ---- the difference ------------------------------------------------------------------------------------------------

// A ball that hits a sleeping wall does what it does to one that is awake.
static void impacts_are_alike(void **unused)
{
    (void)unused;
    pl_rigid_state end[2][11];
    for (int k = 0; k < 2; k++)
    {
        pl_world *w = open_floor();
        pl_settings s = pl_world_settings(w);
        pl_id box[11];
        s.sleep = k;
        good(pl_world_set_settings(w, &s));
        int count = 0;
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 4 - y; x++)
                box[count++] = box_at(w, 1.05f * (float)x + 0.525f * (float)y, 0.5f + (float)y);
        play(w, 120);
        assert_int_equal(pl_sleeping_rigids(w), k ? 10 : 0);
        box[10] = add_ball(w, (pl_vec3){1.6f, 2.0f, -5.0f}, (pl_vec3){0.0f, 1.0f, 12.0f}, 4.0f);
        play(w, 40);
        good(pl_get_rigids(w, box, 11, end[k]));
        pl_world_destroy(w);
    }
    double moved = 0.0;
    for (int i = 0; i < 11; i++)
    {
        near_to("x", (double)end[1][i].position.x, (double)end[0][i].position.x, 0.05);
        near_to("y", (double)end[1][i].position.y, (double)end[0][i].position.y, 0.05);
        near_to("z", (double)end[1][i].position.z, (double)end[0][i].position.z, 0.05);
        moved = fmax(moved, fabs((double)end[1][i].position.z));
    }
    assert_true(moved > 1.0);
}

// A stack that wakes stands as before: its multipliers are kept.
static void stacks_wake_calmly(void **unused)
{
    (void)unused;
    pl_world *w = open_floor();
    pl_id box[10];
    stack_at(w, 0.0f, box, 10);
    settle(w, box[0]);
    pl_rigid_state before = state_of(w, box[9]);
    good(pl_wake_rigid(w, box[0]));
    for (int i = 0; i < 20; i++)
    {
        play(w, 1);
        below("the speed of the top", fabs((double)state_of(w, box[9]).velocity.y), 0.01);
    }
    near_to("the top", (double)state_of(w, box[9]).position.y, (double)before.position.y, 1e-3);
    pl_world_destroy(w);
}

// Until the first body falls asleep, a world with sleep has the bits of one without.
static void on_is_off_until_then(void **unused)
{
    (void)unused;
    uint64_t hash[2];
    for (int k = 0; k < 2; k++)
    {
        pl_world *w = open_floor();
        pl_settings s = pl_world_settings(w);
        pl_id a[5];
        s.sleep = k;
        good(pl_world_set_settings(w, &s));
        stack_at(w, 0.0f, a, 5);
        add_ball(w, (pl_vec3){3.0f, 1.0f, 0.0f}, (pl_vec3){-3.0f, 0.0f, 0.0f}, 1.0f);
        play(w, 24);
        hash[k] = pl_world_hash(w);
        pl_world_destroy(w);
    }
    assert_true(hash[0] == hash[1]);
}

// ---- the same bits -------------------------------------------------------------------------------------------------

// Two stacks sleep, a chain hangs, a ball comes.
static pl_world *open_busy(int threads, int lanes)
{
    pl_world_def def = sleeping_def();
    pl_world *w;
    pl_id a[4], b[3], link[3];
    def.threads = threads, def.lanes = lanes;
    good(pl_world_create(&def, &w));
    add_floor(w);
    stack_at(w, 0.0f, a, 4);
    stack_at(w, 4.0f, b, 3);
    for (int i = 0; i < 3; i++)
    {
        pl_joint_def j = pl_default_joint_def();
        link[i] = add_box(w, (pl_vec3){0.1f, 0.3f, 0.1f}, (pl_vec3){-4.0f, 5.0f - 0.7f * (float)i, 0.0f}, 1.0f);
        j.kind = PL_JOINT_BALL, j.b = link[i], j.point = (pl_vec3){-4.0f, 5.35f - 0.7f * (float)i, 0.0f};
        if (i)
            j.a = link[i - 1];
        j.direct = i == 2;
        good(pl_add_joint(w, &j, NULL));
    }
    add_ball(w, (pl_vec3){20.0f, 0.4f, 0.0f}, (pl_vec3){-11.0f, 0.0f, 0.0f}, 2.0f);
    return w;
}

static void same_bits(void **unused)
{
    (void)unused;
    enum
    {
        FRAMES = 180,
        STOPS = 12
    };
    const int way[][2] = {{1, 1}, {2, 8}, {3, 1}};
    uint64_t hash[STOPS];
    int most = 0, end = 0;
    for (int k = 0; k < 3; k++)
    {
        pl_world *w = open_busy(way[k][0], way[k][1]);
        for (int i = 0; i < STOPS; i++)
        {
            play(w, FRAMES / STOPS);
            int asleep = pl_sleeping_rigids(w);
            most = asleep > most ? asleep : most, end = asleep;
            if (k == 0)
                hash[i] = pl_world_hash(w);
            assert_true(hash[i] == pl_world_hash(w));
        }
        pl_world_destroy(w);
    }
    assert_true(most >= 7 && end < most); // some slept, some woke
    // A snapshot at any frame, loaded or restored, goes on with the same bits.
    pl_world *w = open_busy(1, 8), *live = open_busy(1, 8);
    for (int i = 0; i < STOPS - 1; i++)
    {
        void *data;
        size_t size;
        pl_world_def def = sleeping_def();
        pl_world *copy;
        play(w, FRAMES / STOPS);
        good(pl_world_save_memory(w, &data, &size));
        good(pl_world_load_memory(&def, data, size, &copy));
        assert_int_equal(pl_sleeping_rigids(copy), pl_sleeping_rigids(w));
        play(copy, FRAMES / STOPS * (STOPS - 1 - i));
        assert_true(pl_world_hash(copy) == hash[STOPS - 1]);
        play(live, 7);
        good(pl_world_restore(live, data, size));
        play(live, FRAMES / STOPS);
        assert_true(pl_world_hash(live) == hash[i + 1]);
        pl_world_destroy(copy);
        pl_free(data);
    }
    pl_world_destroy(w), pl_world_destroy(live);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falls_asleep_after_the_time),
        cmocka_unit_test(poses_are_frozen),
        cmocka_unit_test(slow_motion_goes_on),
        cmocka_unit_test(trembling_falls_asleep),
        cmocka_unit_test(motors_keep_awake),
        cmocka_unit_test(some_never_sleep),
        cmocka_unit_test(ropes_keep_awake),
        cmocka_unit_test(impacts_are_alike),
        cmocka_unit_test(stacks_wake_calmly),
        cmocka_unit_test(on_is_off_until_then),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(contacts_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
