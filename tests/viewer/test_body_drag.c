// test_body_drag.c: a body that is dragged by a point follows as a critically damped spring does, whatever its mass and wherever
// the point is; what cannot be dragged is refused.
// needs: viewer
#include "support/support.h"

#include "body_drag.h"
#include "message.h"
#include "rigid_world.h"

static pl_id add_heavy(pl_world *world, float mass)
{
    pl_rigid_def def = pl_default_rigid_def();
    pl_rigid_shape s = shape_of(PL_RIGID_BOX);
    pl_id id;
    def.shapes = &s, def.shape_count = 1, def.mass = mass;
    good(pl_add_rigid(world, &def, &id));
    return id;
}

// The distance to the goal follows (1 + w t) exp(-w t); without gravity the point ends there, and never passes it.
static void light_and_heavy_follow_alike(void **state)
{
    (void)state;
    static const float masses[] = {1e-6f, 1.0f, 1e6f};
    static const vec3 points[] = {{0.0f, 0.0f, 0.0f}, {0.5f, 0.4f, 0.3f}};
    for (int i = 0; i < 6; i++)
    {
        pl_world *world = make_world(4, 1);
        struct body_drag d;
        set_gravity(world, 0.0f);
        pl_id body = add_heavy(world, masses[i / 2]);
        assert_true(body_drag_begin(&d, world, body, points[i % 2]));
        vec3 at, goal = v3(1.0f, 0.0f, 0.0f);
        d.goal = add(points[i % 2], goal);
        float before = 0.0f;
        for (int n = 1; n <= 240; n++)
        {
            const float dt = 1.0f / 240.0f;
            assert_true(body_drag_pull(&d, world, dt));
            good(pl_world_step(world, dt));
            assert_true(body_drag_point(&d, world, &at));
            double t = (double)n / 240.0, left = (1.0 + 18.0 * t) * exp(-18.0 * t);
            float done = dot(sub(at, points[i % 2]), goal);
            near_to("part of the way", 1.0 - (double)done, left, i % 2 ? 0.08 : 0.04);
            assert_true(done > before - 0.02f && done < 1.02f);
            before = done;
        }
        near_to("the end", (double)length(sub(at, d.goal)), 0.0, i % 2 ? 0.03 : 1e-4); // it still rotates
        pl_world_destroy(world);
    }
}

// In gravity it hangs a little below the mouse, and comes to rest.
static void it_hangs(void **state)
{
    (void)state;
    pl_world *world = make_world(10, 1);
    struct body_drag d;
    pl_id body = add_heavy(world, 50.0f);
    vec3 at, corner = v3(0.5f, 0.4f, 0.3f);
    pl_rigid_state s;
    assert_true(body_drag_begin(&d, world, body, corner));
    for (int n = 0; n < 600; n++)
    {
        assert_true(body_drag_pull(&d, world, 1.0f / 60.0f));
        good(pl_world_step(world, 1.0f / 60.0f));
    }
    assert_true(body_drag_point(&d, world, &at));
    near_to("sag", (double)length(sub(at, corner)), 9.81 / (18.0 * 18.0), 0.02);
    good(pl_get_rigids(world, &body, 1, &s));
    below("speed", (double)length(s.velocity), 9.81 / 60.0 + 0.02); // what gravity adds in the step
    below("spin", (double)length(s.spin), 0.2);
    assert_true(fabsf(s.position.x - at.x) < 0.02f && fabsf(s.position.z - at.z) < 0.02f); // the centre is below
    pl_world_destroy(world);
}

static void large_steps_do_no_harm(void **state)
{
    (void)state;
    pl_world *world = make_world(1, 1);
    struct body_drag d;
    set_gravity(world, 0.0f);
    pl_id body = add_heavy(world, 3.0f);
    vec3 at;
    assert_true(body_drag_begin(&d, world, body, v3(0.5f, 0.0f, 0.0f)));
    d.goal = v3(100.0f, 50.0f, 0.0f);
    for (int n = 0; n < 40; n++)
    {
        assert_true(body_drag_pull(&d, world, 0.25f));
        good(pl_world_step(world, 0.25f));
    }
    assert_true(body_drag_point(&d, world, &at));
    assert_true(length(sub(at, d.goal)) < 1.0f);
    pl_world_destroy(world);
}

static void refusals(void **state)
{
    (void)state;
    pl_world *world = make_world(1, 1);
    struct body_drag d;
    pl_rigid_shape s = shape_of(PL_RIGID_BOX);
    pl_id wall = add_body(world, PL_RIGID_STATIC, &s, 1, (pl_vec3){0.0f, 0.0f, 0.0f}), box = add_heavy(world, 1.0f);
    assert_false(body_drag_begin(&d, world, wall, v3(0.0f, 0.0f, 0.0f)));
    assert_non_null(strstr(viewer_message(), "only dynamic bodies"));
    assert_false(d.on);
    assert_false(body_drag_begin(&d, world, (pl_id){0, 0}, v3(0.0f, 0.0f, 0.0f)));
    assert_true(body_drag_begin(&d, world, box, v3(0.0f, 0.0f, 0.0f)));
    good(pl_remove(world, box));
    assert_false(body_drag_pull(&d, world, 0.01f));
    pl_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(light_and_heavy_follow_alike),
        cmocka_unit_test(it_hangs),
        cmocka_unit_test(large_steps_do_no_harm),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
