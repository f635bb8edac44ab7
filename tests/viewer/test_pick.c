// test_pick.c: what lies below the mouse, in any state of the picture.
// needs: viewer
#include "support/support.h"

#include "pick.h"
#include "rigid_world.h"

struct sight
{
    pl_world *world;
    struct model model;
    struct frame frame;
};

static void look_at(struct sight *s, pl_world *world)
{
    *s = (struct sight){.world = world};
    assert_true(model_take(&s->model, world));
    assert_true(frame_take(&s->frame, world, NULL));
}

static void look_away(struct sight *s)
{
    model_free(&s->model);
    frame_free(&s->frame);
    pl_world_destroy(s->world);
}

// A coarse cloth, upright in the plane of this z.
static void hang(pl_world *world, float z)
{
    pl_cloth_def cloth = pl_default_cloth_def();
    cloth.columns = cloth.rows = 3;
    cloth.v = v3(0.0f, -1.0f, 0.0f);
    cloth.origin.z = z;
    good(pl_add_cloth(world, &cloth, NULL));
}

// From the front, at a place of the plane z = 0.
static int met(const struct sight *s, float x, float y)
{
    return pick_particle(&s->model, &s->frame, v3(x, y, 3.0f), v3(0.0f, 0.0f, -1.0f));
}

static void a_coarse_cloth_is_taken_anywhere(void **state)
{
    (void)state;
    pl_world *world = make_world(1, 1);
    struct sight s;
    hang(world, 0.0f);
    look_at(&s, world);
    struct bounds b = s.model.start;
    for (int i = 1; i < 40; i++)
    {
        for (int k = 1; k < 40; k++)
        {
            float x = b.min.x + (b.max.x - b.min.x) * (float)i / 40.0f,
                  y = b.min.y + (b.max.y - b.min.y) * (float)k / 40.0f;
            int found = met(&s, x, y);
            assert_in_range(found, 0, 8);
            float gap = length(sub(v3_at(s.frame.position + 3 * found), v3(x, y, 0.0f)));
            assert_true(gap < 0.36f * (b.max.x - b.min.x)); // half the diagonal of a cell: a corner of the face there
        }
    }
    assert_int_equal(met(&s, b.max.x + 1.0f, b.max.y), -1);
    look_away(&s);
}

static void the_nearer_of_two_is_taken(void **state)
{
    (void)state;
    pl_world *world = make_world(1, 1);
    struct sight s;
    hang(world, 0.0f);
    hang(world, 1.0f);
    look_at(&s, world);
    vec3 middle = bounds_centre(&s.model.start);
    middle.x += 0.2f * bounds_radius(&s.model.start);
    middle.y += 0.13f * bounds_radius(&s.model.start);
    assert_in_range(met(&s, middle.x, middle.y), 9, 17);
    int behind = pick_particle(&s.model, &s.frame, v3(middle.x, middle.y, -3.0f), v3(0.0f, 0.0f, 1.0f));
    assert_in_range(behind, 0, 8);
    look_away(&s);
}

static void a_frame_of_another_world_does_no_harm(void **state)
{
    (void)state;
    pl_world *world = make_world(1, 1);
    struct sight s;
    add_one(world, 0.0f, 0.0f, 0.0f, 1.0f, NULL);
    look_at(&s, world);
    pl_cloth_def cloth = pl_default_cloth_def();
    pl_world *other = make_world(1, 1);
    struct model model;
    good(pl_add_cloth(other, &cloth, NULL));
    assert_true(model_take(&model, other));
    assert_int_equal(pick_particle(&model, &s.frame, v3(0.0f, 0.0f, 3.0f), v3(0.0f, 0.0f, -1.0f)), 0);
    assert_int_equal(pick_particle(&model, &s.frame, v3(0.0f, 0.0f, 3.0f), v3(0.0f, 0.0f, 1.0f)), -1);
    model_free(&model);
    pl_world_destroy(other);
    look_away(&s);
}

// From the front, at a place of the plane z = 0.
static int met_body(const struct sight *s, float x, float y, float *along)
{
    return pick_body(&s->model, &s->frame, v3(x, y, 3.0f), v3(0.0f, 0.0f, -1.0f), along);
}

// Every kind, where its surface is; and not beside it.
static void bodies_are_met_at_their_surface(void **state)
{
    (void)state;
    static const struct
    {
        pl_rigid_shape_kind kind;
        float front, right; // where its surface is along z and x
    } kinds[] = {{PL_RIGID_SPHERE, 0.4f, 0.4f},
                 {PL_RIGID_CAPSULE, 0.4f, 0.4f},
                 {PL_RIGID_BOX, 0.3f, 0.5f},
                 {PL_RIGID_CYLINDER, 0.4f, 0.4f}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    {
        pl_world *world = make_world(1, 1);
        struct sight s;
        float along = -1.0f;
        add_shaped(world, kinds[i].kind, 0.0f, 0.0f, 0.0f);
        look_at(&s, world);
        assert_int_equal(met_body(&s, 0.001f, 0.002f, &along), 0);
        near_to("distance", (double)along, 3.0 - (double)kinds[i].front, 2e-3);
        assert_int_equal(met_body(&s, 0.98f * kinds[i].right, 0.0f, &along), 0);
        assert_int_equal(met_body(&s, 1.02f * kinds[i].right, 0.0f, &along), -1);
        assert_int_equal(pick_body(&s.model, &s.frame, v3(0.0f, 0.0f, 3.0f), v3(0.0f, 0.0f, 1.0f), &along), -1);
        assert_int_equal(met(&s, 0.0f, 0.0f), -1); // its centre is no particle to be held
        look_away(&s);
    }
}

// A compound that is rotated, before another body; by brute force in its own axes it would be the same.
static void the_nearest_body_is_met(void **state)
{
    (void)state;
    pl_world *world = make_world(1, 1);
    struct sight s;
    pl_rigid_shape parts[2] = {shape_of(PL_RIGID_SPHERE), shape_of(PL_RIGID_BOX)};
    float along;
    parts[0].position.x = 1.0f, parts[0].radius = 0.2f;
    parts[1].position.x = -1.0f;
    pl_id both = add_body(world, PL_RIGID_DYNAMIC, parts, 2, (pl_vec3){0.0f, 0.0f, 0.0f});
    pl_rigid_shape wall = shape_of(PL_RIGID_BOX);
    wall.half = (pl_vec3){3.0f, 3.0f, 1.1f}; // no glass
    add_body(world, PL_RIGID_STATIC, &wall, 1, (pl_vec3){0.0f, 0.0f, -2.0f});
    turn_body(world, both, (pl_quat){0.0f, 0.0f, 0.70710678f, 0.70710678f}); // x to y
    look_at(&s, world);
    assert_int_equal(met_body(&s, 0.0f, 1.0f, &along), 0);
    near_to("the ball", (double)along, 2.8, 2e-3);
    assert_int_equal(met_body(&s, 0.35f, -1.0f, &along), 0); // y of the box is 0.4
    near_to("the box", (double)along, 2.7, 1e-5);
    assert_int_equal(met_body(&s, 0.45f, -1.0f, &along), 1);
    near_to("the wall", (double)along, 3.9, 1e-5);
    assert_int_equal(met_body(&s, 1.0f, 0.0f, &along), 1);
    look_away(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_coarse_cloth_is_taken_anywhere),
        cmocka_unit_test(the_nearer_of_two_is_taken),
        cmocka_unit_test(a_frame_of_another_world_does_no_harm),
        cmocka_unit_test(bodies_are_met_at_their_surface),
        cmocka_unit_test(the_nearest_body_is_met),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
