// test_joints.c: joints are drawn where they are: as lines over the picture, and distance joints as strings.
// labels: viewer
// needs: viewer
#include "support/support.h"

#include "message.h"
#include "overlay.h"
#include "rigid_world.h"
#include "solids.h"

static void sure(bool well)
{
    if (!well)
    {
        fail_msg("%s", viewer_message());
    }
}

static void joints_are_where_they_are(void **state)
{
    (void)state;
    pl_world *world = make_world(1, 1);
    pl_id a = add_shaped(world, PL_RIGID_BOX, 0.0f, 0.0f, 0.0f), b = add_shaped(world, PL_RIGID_BOX, 2.0f, 0.0f, 0.0f);
    pl_joint_def def = pl_default_joint_def();
    def.kind = PL_JOINT_HINGE, def.a = a, def.b = b;
    def.point = (pl_vec3){1.0f, 0.2f, 0.0f}, def.axis = (pl_vec3){0.0f, 0.0f, 1.0f};
    good(pl_add_joint(world, &def, NULL));
    def.kind = PL_JOINT_BALL, def.a = (pl_id){0, 0}, def.point = (pl_vec3){2.5f, 0.0f, 0.0f};
    good(pl_add_joint(world, &def, NULL));
    turn_body(world, a, (pl_quat){0.0f, 0.70710678f, 0.0f, 0.70710678f}); // z to x
    struct frame f = {0};
    struct wants wants = {.joints = true};
    sure(frame_take(&f, world, &wants));
    assert_int_equal(f.joints.count, 2);
    const struct joint_mark *hinge = &f.joints.mark[f.joints.mark[0].kind == PL_KIND_HINGE_JOINT ? 0 : 1];
    const struct joint_mark *ball = &f.joints.mark[f.joints.mark[0].kind == PL_KIND_HINGE_JOINT ? 1 : 0];
    assert_int_equal(hinge->kind, PL_KIND_HINGE_JOINT);
    assert_int_equal(ball->kind, PL_KIND_BALL_JOINT);
    assert_true(length(sub(hinge->point[0], v3(0.0f, 0.2f, -1.0f))) < 1e-5f);
    assert_true(length(sub(hinge->point[1], v3(1.0f, 0.2f, 0.0f))) < 1e-5f);
    assert_true(length(sub(hinge->axis[0], v3(1.0f, 0.0f, 0.0f))) < 1e-5f);
    assert_true(length(sub(hinge->axis[1], v3(0.0f, 0.0f, 1.0f))) < 1e-5f);
    assert_true(length(sub(ball->point[0], v3(2.5f, 0.0f, 0.0f))) < 1e-5f);
    assert_true(length(sub(ball->point[1], v3(2.5f, 0.0f, 0.0f))) < 1e-5f);
    struct model m;
    struct overlay o = {0};
    struct look look = default_look();
    sure(model_take(&m, world));
    assert_true(overlay_fill(&o, &m, &f, &look) && o.count == 0);
    look.joints = true;
    assert_true(overlay_fill(&o, &m, &f, &look) && o.count > 40 && o.plain == 0);
    f.drag = (struct drag_line){true, v3(0.0f, 0.0f, 0.0f), v3(1.0f, 0.0f, 0.0f)};
    look.joints = false;
    assert_true(overlay_fill(&o, &m, &f, &look) && o.count == 6); // an arrow
    overlay_free(&o);
    model_free(&m);
    frame_free(&f);
    pl_world_destroy(world);
}

// A distance joint is a string between its two points, also where it hangs straight down.
static void distances_are_strings(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++)
    {
        pl_world *world = make_world(1, 1);
        pl_joint_def def = pl_default_joint_def();
        def.kind = PL_JOINT_DISTANCE, def.b = add_shaped(world, PL_RIGID_BOX, 0.0f, 0.0f, 0.0f);
        def.point = i ? (pl_vec3){0.0f, 2.4f, 0.0f} : (pl_vec3){1.0f, 2.4f, 1.0f}, def.point_b.y = 0.4f;
        good(pl_add_joint(world, &def, NULL));
        struct model m;
        struct frame f = {0};
        struct solids s = {0};
        sure(model_take(&m, world) && frame_take(&f, world, NULL) && solids_fill(&s, &m, &f));
        assert_int_equal(f.strings.count, 1);
        assert_true(s.indices > 0 && s.seen == s.indices);
        struct bounds b = bounds_of(s.vertex[0].position, 1);
        for (int v = 1; v < s.vertices; v++)
        {
            struct bounds one = bounds_of(s.vertex[v].position, 1);
            b = bounds_join(&b, &one);
        }
        vec3 size = sub(b.max, b.min);
        float wide = 0.15f;
        assert_true(size.y > 2.0f && size.y < 2.0f + wide && size.x >= (i ? 0.0f : 1.0f) &&
                    size.x < (i ? wide : 1.0f + wide) && size.z < (i ? wide : 1.0f + wide));
        solids_free(&s);
        frame_free(&f);
        model_free(&m);
        pl_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_are_where_they_are),
        cmocka_unit_test(distances_are_strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
