// A capsule that walks: floors, steps, ramps, corners, stairs, walls at speed, what moves, and hostile numbers.
#include "query/forms.h"

#define DT (1.0f / 60.0f)

static pl_id add_block(pl_world *w, int form, float x0, float x1, float y0, float y1, float z0, float z1)
{
    pl_vec3 half = {0.5f * (x1 - x0), 0.5f * (y1 - y0), 0.5f * (z1 - z0)};
    return add_box_as(w, form, half, (pl_vec3){x0 + half.x, y0 + half.y, z0 + half.z}, (pl_quat){0, 0, 0, 1});
}

static void add_floor(pl_world *w)
{
    pl_shape_def s = pl_default_shape_def();
    good(pl_add_shape(w, &s, NULL));
}

static pl_mover stand_at(float x, float z) { return (pl_mover){.position = {x, 0.9f, z}, .grounded = true}; }

// Walks with the velocity for `frames` frames, with gravity while it falls.
static void go(const pl_world *w, const pl_mover_def *d, pl_mover *m, float vx, float vz, int frames)
{
    static float fall;
    for (int i = 0; i < frames; i++)
    {
        fall = m->grounded ? 0.0f : fall - 9.81f * DT;
        good(pl_mover_move(w, d, (pl_vec3){vx * DT, fall * DT, vz * DT}, m));
    }
}

static float foot(const pl_mover *m) { return m->position.y - 0.9f; }

static void floors(void **state)
{
    (void)state;
    for (int kind = 0; kind < 8; kind++)
    {
        pl_world *w = make_world(1, 1);
        static float heights[65 * 65];
        if (kind < BOX_FORMS)
            add_block(w, kind, -100, 100, -1, 0, -100, 100);
        else if (kind == 6)
            add_floor(w);
        else
        {
            pl_shape_def s = pl_default_shape_def();
            s.kind = PL_SHAPE_HEIGHTFIELD, s.heights = heights, s.columns = s.rows = 65, s.spacing = 1.0f;
            good(pl_add_shape(w, &s, NULL));
        }
        pl_mover_def d = pl_default_mover_def();
        pl_mover m = stand_at(0, 0);
        m.position.y = 1.5f, m.grounded = false;
        go(w, &d, &m, 0, 0, 60);
        assert_true(m.grounded);
        near_to("it lands", foot(&m), 0, 2e-3);
        near_to("the normal", m.ground_normal.y, 1, 1e-3);
        go(w, &d, &m, 3, 2, 120);
        assert_true(m.grounded);
        near_to("it walks", m.position.x, 6, 1e-3);
        near_to("it walks", m.position.z, 4, 1e-3);
        near_to("on the floor", foot(&m), 0, 2e-3);
        pl_vec3 rest = m.position;
        go(w, &d, &m, 0, 0, 60);
        near_to("it rests", m.position.y, rest.y, 1e-5);
        near_to("it rests", m.position.x, rest.x, 0);
        pl_world_destroy(w);
    }
}

static void steps(void **state)
{
    (void)state;
    for (int form = 0; form < BOX_FORMS; form++)
        for (int high = 0; high < 2; high++)
        {
            pl_world *w = make_world(1, 1);
            float height = high ? 0.45f : 0.25f;
            add_floor(w);
            add_block(w, form, 1, 20, -1, height, -5, 5);
            pl_mover_def d = pl_default_mover_def();
            pl_mover m = stand_at(0, 0);
            go(w, &d, &m, 2, 0, 120);
            assert_true(m.grounded);
            if (high)
            {
                near_to("it is stopped", m.position.x, 0.7, 2e-3);
                near_to("it stays below", foot(&m), 0, 2e-3);
                assert_true(m.touches > 0);
            }
            else
            {
                near_to("it goes on", m.position.x, 4, 0.1);
                near_to("it is on top", foot(&m), height, 2e-3);
                go(w, &d, &m, -2, 0, 120);
                near_to("and down again", foot(&m), 0, 2e-3);
                assert_true(m.grounded);
            }
            pl_world_destroy(w);
        }
}

static void add_ramp(pl_world *w, float angle)
{
    // A large box whose top passes through (1, 0), rising along x.
    pl_quat turn = {0, 0, sinf(0.5f * angle), cosf(0.5f * angle)};
    pl_vec3 half = {20, 1, 5};
    pl_vec3 at = {1 + cosf(angle) * 20 + sinf(angle), sinf(angle) * 20 - cosf(angle), 0};
    add_box_as(w, AS_BOX, half, at, turn);
}

static void ramps(void **state)
{
    (void)state;
    for (int k = 0; k < 7; k++)
    {
        float angle = 0.15f * (float)(k + 1);
        pl_world *w = make_world(1, 1);
        add_floor(w);
        add_ramp(w, angle);
        pl_mover_def d = pl_default_mover_def();
        pl_mover m = stand_at(0, 0);
        go(w, &d, &m, 2, 0, 120);
        if (angle < d.slope_limit)
        {
            near_to("as fast up a ramp", m.position.x, 4, 0.02);
            assert_true(m.grounded && m.ground_normal.y > 0.6f);
            for (int i = 0; i < 80; i++) // down: it never leaves the ground
            {
                go(w, &d, &m, -2, 0, 1);
                assert_true(m.grounded);
            }
            near_to("as fast down", m.position.x, 4 - 80 * 2 * DT, 0.02);
        }
        else
        {
            assert_true(m.position.x < 1.2f && foot(&m) < 0.02f);
            m.position = (pl_vec3){4, 5.5f, 0}, m.grounded = false; // it slides down what is too steep
            go(w, &d, &m, 0, 0, 240);
            assert_true(foot(&m) < 0.02f && m.grounded);
        }
        pl_world_destroy(w);
    }
}

// Pressed into corners of any angle it comes to rest, and does not move at all any more.
static void corners(void **state)
{
    (void)state;
    for (int form = 0; form < 3; form++)
        for (int k = 0; k < 24; k++)
        {
            pl_world *w = make_world(1, 1);
            float turn = 0.15f * (float)k;
            pl_quat q = {0, sinf(0.5f * turn), 0, cosf(0.5f * turn)};
            add_floor(w);
            add_block(w, form, 1, 2, -1, 5, -50, 50);
            add_box_as(w, form, (pl_vec3){50, 3, 1}, (pl_vec3){0, 2, 3}, q);
            pl_mover_def d = pl_default_mover_def();
            pl_mover m = stand_at(-0.2f, -0.5f);
            go(w, &d, &m, 3, 2.5f, 300);
            pl_vec3 before = m.position;
            for (int i = 0; i < 20; i++)
            {
                go(w, &d, &m, 3, 2.5f, 1);
                if (m.position.x < 20) // a corner that is open lets it slide along
                    assert_true(m.position.x <= 0.7f + 1e-3f);
            }
            double moved = fabs((double)m.position.x - before.x) + fabs((double)m.position.z - before.z);
            if (3 * cosf(turn) > 2.5f * sinf(turn) && k < 12 && moved > 1e-6) // both walls hold it
                fail_msg("turn %g: it moved by %g in a corner", turn, moved);
            assert_true(m.grounded);
            pl_world_destroy(w);
        }
}

static void stairs(void **state)
{
    (void)state;
    const float speeds[] = {1, 4, 20, 90};
    for (int k = 0; k < 4; k++)
    {
        pl_world *w = make_world(1, 1);
        add_floor(w);
        for (int i = 0; i < 20; i++)
            add_block(w, i % BOX_FORMS, 1 + 0.3f * (float)i, 40, -1, 0.2f * (float)(i + 1), -5, 5);
        pl_mover_def d = pl_default_mover_def();
        pl_mover m = stand_at(0, 0);
        go(w, &d, &m, speeds[k], 0, (int)roundf(12.0f / (speeds[k] * DT)));
        near_to("up the stairs", foot(&m), 4, 5e-3);
        near_to("at its speed", m.position.x, 12, 1.0);
        go(w, &d, &m, -speeds[k], 0, (int)roundf(14.0f / (speeds[k] * DT)));
        near_to("down the stairs", foot(&m), 0, 5e-3);
        assert_true(m.grounded);
        pl_world_destroy(w);
    }
}

// However fast, it does not pass through walls, floors or ceilings, thin ones too.
static void no_tunnelling(void **state)
{
    (void)state;
    for (int form = 0; form < BOX_FORMS; form++)
    {
        pl_world *w = make_world(1, 1);
        add_block(w, form, -5, 5, -0.02f, 0, -5, 5);
        add_block(w, form, -5, 5, 4, 4.02f, -5, 5);
        for (int k = 0; k < 2; k++)
        {
            add_block(w, form, k ? 5 : -5.02f, k ? 5.02f : -5, 0, 4, -5, 5);
            add_block(w, form, -5, 5, 0, 4, k ? 5 : -5.02f, k ? 5.02f : -5);
        }
        pl_mover_def d = pl_default_mover_def();
        pl_mover m = stand_at(0, 0);
        for (int i = 0; i < 400; i++)
        {
            float speed = i % 3 ? 3.0f : 100.0f;
            good(pl_mover_move(w, &d, (pl_vec3){speed * roll(), speed * roll(), speed * roll()}, &m));
            const float x[3] = {m.position.x, m.position.y, m.position.z};
            const float low[3] = {-4.7f, 0.9f, -4.7f}, high[3] = {4.7f, 3.1f, 4.7f};
            for (int c = 0; c < 3; c++)
                if (!(x[c] > low[c] - 0.011f && x[c] < high[c] + 0.011f))
                    fail_msg("form %d, move %d: it is at (%g, %g, %g)", form, i, x[0], x[1], x[2]);
        }
        pl_world_destroy(w);
    }
}

static void moving_shapes(void **state)
{
    (void)state;
    pl_world *w = make_world(4, 1);
    set_gravity(w, 0);
    add_floor(w);
    pl_id piston = add_block(w, AS_BOX, -3, -1, 0.1f, 3, -1, 1);
    pl_mover_def d = pl_default_mover_def();
    pl_mover m = stand_at(0, 0);
    for (int i = 0; i < 60; i++) // it is pushed along
    {
        good(pl_set_shape_pose(w, piston, (pl_vec3){-2 + 0.05f * (float)i, 1.55f, 0}, (pl_quat){0, 0, 0, 1}));
        go(w, &d, &m, 0, 0, 1);
        assert_true(m.position.x >= -1 + 0.05f * (float)i + 0.299f);
    }
    near_to("pushed", m.position.x, -1 + 0.05 * 59 + 0.3, 2e-3);
    pl_rigid_shape box = pl_default_rigid_shape();
    pl_rigid_def b = pl_default_rigid_def();
    b.shapes = &box, b.shape_count = 1, b.type = PL_RIGID_KINEMATIC, b.position = (pl_vec3){10, 0.5f, 0};
    b.velocity = (pl_vec3){1, 0, 0}, b.spin = (pl_vec3){0, 0.5f, 0};
    pl_id lift;
    good(pl_add_rigid(w, &b, &lift));
    m = (pl_mover){.position = {10.2f, 1.9f, 0}, .grounded = true};
    for (int i = 0; i < 60; i++) // it rides
    {
        good(pl_world_step(w, DT));
        pl_vec3 v = m.ground_velocity;
        good(pl_mover_move(w, &d, (pl_vec3){v.x * DT, v.y * DT, v.z * DT}, &m));
        assert_true(m.grounded && m.ground.object.index == lift.index && m.ground.part == 0);
    }
    near_to("it rides along", hypot((double)m.position.x - 11, m.position.z), 0.2, 0.03);
    // A crate of 10 kg is pushed up to the speed that the mover wants, with at most 500 N.
    box.half = (pl_vec3){0.3f, 0.3f, 0.3f};
    b = pl_default_rigid_def();
    b.shapes = &box, b.shape_count = 1, b.mass = 10, b.position = (pl_vec3){1, 0.31f, 5};
    pl_id crate;
    good(pl_add_rigid(w, &b, &crate));
    d.step_height = 0;
    m = stand_at(0, 5);
    pl_rigid_state s;
    for (int i = 0; i < 90; i++)
    {
        pl_vec3 motion = {2 * DT, 0, 0};
        good(pl_mover_move(w, &d, motion, &m));
        good(pl_mover_push(w, &d, &m, motion, DT));
        good(pl_world_step(w, DT));
        good(pl_get_rigids(w, &crate, 1, &s));
        assert_true(s.velocity.x <= 2.001f);
    }
    assert_true(s.velocity.x > 1.0f && s.position.x > 1.5f);
    pl_world_destroy(w);
}

static void other_ways_up(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    pl_vec3 up = {0.6f, 0, -0.8f};
    pl_shape_def s = pl_default_shape_def();
    float angle = 1.5707963f; // y to up, about the axis (up.z, 0, -up.x)
    s.rotation = (pl_quat){up.z * sinf(0.5f * angle), 0, -up.x * sinf(0.5f * angle), cosf(0.5f * angle)};
    good(pl_add_shape(w, &s, NULL));
    pl_mover_def d = pl_default_mover_def();
    d.up = (pl_vec3){6, 0, -8};
    pl_mover m = {.position = {0.9f * up.x, 0, 0.9f * up.z}, .grounded = true};
    for (int i = 0; i < 60; i++)
        good(pl_mover_move(w, &d, (pl_vec3){0.8f * DT, 0.5f * DT, 0.6f * DT}, &m));
    assert_true(m.grounded);
    near_to("across", m.position.x, 0.9 * 0.6 + 0.8, 1e-3);
    near_to("across", m.position.y, 0.5, 1e-3);
    pl_world_destroy(w);
}

static void hostile(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    add_floor(w);
    for (int i = 0; i < 12; i++)
        add_box_as(w, i % BOX_FORMS, (pl_vec3){size(), size(), size()}, (pl_vec3){2 * roll(), roll(), 2 * roll()},
                   any_turn());
    const float odd[] = {0, -1, 1e-45f, 1e-12f, 1e12f, 3e38f, INFINITY, NAN, 1, 1e6f, -1e6f};
    for (int i = 0; i < 2000; i++)
    {
        pl_mover_def d = pl_default_mover_def();
        pl_mover m = stand_at(roll(), roll());
        pl_vec3 motion = {roll(), roll(), roll()};
        float *const fields[] = {&d.radius, &d.length, &d.up.x,   &d.up.y,   &d.slope_limit, &d.step_height,
                                 &d.snap,   &d.skin,   &motion.x, &motion.y, &m.position.x,  &m.position.y};
        *fields[(int)(fabsf(roll()) * 11.99f)] = odd[(int)(fabsf(roll()) * 10.99f)];
        pl_mover before = m;
        pl_result result = pl_mover_move(w, &d, motion, &m);
        assert_true(result == PL_OK || result == PL_ERROR_ARGUMENT);
        if (result == PL_OK)
            assert_true(isfinite(m.position.x) && isfinite(m.position.y) && isfinite(m.position.z));
        else
            assert_memory_equal(&before.position, &m.position, sizeof m.position);
    }
    pl_mover_def d = pl_default_mover_def();
    pl_mover m = stand_at(0, 0);
    d.skin = 0.2f;
    refused(pl_mover_move(w, &d, (pl_vec3){0}, &m), PL_ERROR_ARGUMENT, "skin is 0.2");
    d = pl_default_mover_def(), d.up.y = 0;
    refused(pl_mover_move(w, &d, (pl_vec3){0}, &m), PL_ERROR_ARGUMENT, "up is (0, 0, 0)");
    d = pl_default_mover_def(), d.targets = PL_CAST_ALL;
    refused(pl_mover_move(w, &d, (pl_vec3){0}, &m), PL_ERROR_ARGUMENT, "targets is 15");
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floors),        cmocka_unit_test(steps),         cmocka_unit_test(ramps),
        cmocka_unit_test(corners),       cmocka_unit_test(stairs),        cmocka_unit_test(no_tunnelling),
        cmocka_unit_test(moving_shapes), cmocka_unit_test(other_ways_up), cmocka_unit_test(hostile),
    };
    return cmocka_run_group_tests_name("mover", tests, NULL, NULL);
}
