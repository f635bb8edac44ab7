// test_shapes.c: shapes that particles collide with are drawn where they are and as large as they are; what is hollow, and
// walls, let what is behind them be seen; a level plane is the ground; and the view that is fitted takes them in.
// labels: viewer
// needs: viewer
#include "support/support.h"

#include "solids.h"
#include "studio.h"

static pl_id add_shape(pl_world *world, pl_shape_kind kind, vec3 position)
{
    pl_shape_def d = pl_default_shape_def();
    pl_id id;
    d.kind = kind;
    d.position = position;
    d.half = v3(0.5f, 0.4f, 0.3f);
    d.radius = kind == PL_SHAPE_BOX || kind == PL_SHAPE_PLANE ? 0.0f : 0.5f;
    d.length = kind == PL_SHAPE_CAPSULE ? 1.0f : 0.0f;
    good(pl_add_shape(world, &d, &id));
    return id;
}

static uint8_t *take_picture(const pl_world *world, const struct camera *camera, uint8_t *rgb)
{
    static struct studio s;
    open_studio(&s, world);
    s.camera = *camera;
    draw(&s, world);
    memcpy(rgb, s.rgb, sizeof s.rgb);
    close_studio(&s);
    return rgb;
}

// ---- triangles -----------------------------------------------------------------------------------------------------

// The area, the volume that the triangles enclose (negative where they are inside out), and normals that lean outward.
static void measure(const pl_world *world, double *area, double *volume)
{
    struct model m;
    struct frame f = {0};
    struct solids s = {0};
    sure(model_take(&m, world));
    sure(frame_take(&f, world, NULL));
    assert_true(solids_fill(&s, &m, &f));
    *area = *volume = 0.0;
    for (int i = 0; i < s.indices; i += 3)
    {
        vec3 p[3], n = v3(0.0f, 0.0f, 0.0f);
        for (int k = 0; k < 3; k++)
        {
            assert_true((int)s.index[i + k] < s.vertices);
            p[k] = v3_at(s.vertex[s.index[i + k]].position);
            n = add(n, v3_at(s.vertex[s.index[i + k]].normal));
        }
        vec3 c = cross(sub(p[1], p[0]), sub(p[2], p[0]));
        *area += 0.5 * (double)length(c);
        *volume += (double)dot(p[0], cross(p[1], p[2])) / 6.0;
        assert_true(length(c) < 1e-5f || dot(c, n) > 0.0f);
    }
    solids_free(&s);
    model_free(&m);
    frame_free(&f);
}

static void solids_have_their_size(void **state)
{
    (void)state;
    static const struct
    {
        pl_shape_kind kind;
        double area, volume;
    } of[] = {
        {PL_SHAPE_SPHERE, 4 * M_PI * 0.25, 4.0 / 3.0 * M_PI * 0.125},
        {PL_SHAPE_CAPSULE, 4 * M_PI * 0.25 + M_PI, 4.0 / 3.0 * M_PI * 0.125 + M_PI * 0.25},
        {PL_SHAPE_BOX, 2 * (1.0 * 0.8 + 0.8 * 0.6 + 0.6 * 1.0), 1.0 * 0.8 * 0.6},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
    {
        pl_world *world = make_world(1, 1);
        double area, volume;
        pl_id id = add_shape(world, of[i].kind, v3(0.0f, 0.0f, 0.0f));
        good(pl_set_shape_pose(world, id, v3(1.0f, 2.0f, -1.0f), (pl_quat){0.5f, 0.5f, -0.5f, 0.5f}));
        measure(world, &area, &volume);
        assert_true(fabs(area / of[i].area - 1.0) < 0.01);
        assert_true(fabs(volume / of[i].volume - 1.0) < 0.01);
        pl_world_destroy(world);
    }
}

static void a_turned_box_lies_in_its_bounds(void **state)
{
    (void)state;
    pl_shape_def d = pl_default_shape_def();
    d.kind = PL_SHAPE_BOX;
    d.half = v3(3.0f, 1.0f, 2.0f);
    d.position = v3(10.0f, 0.0f, 0.0f);
    d.radius = 0.5f;
    d.rotation = (pl_quat){0.0f, 0.0f, 0.70710678f, 0.70710678f}; // a quarter turn around z: its x is up
    struct bounds b = shape_bounds(&d);
    assert_true(fabsf(b.max.x - 11.5f) < 1e-5f && fabsf(b.max.y - 3.5f) < 1e-5f && fabsf(b.max.z - 2.5f) < 1e-5f);
    assert_true(fabsf(b.min.x - 8.5f) < 1e-5f && fabsf(b.min.y + 3.5f) < 1e-5f && fabsf(b.min.z + 2.5f) < 1e-5f);
}

// ---- the model -----------------------------------------------------------------------------------------------------

static void the_view_takes_shapes_and_ground_in(void **state)
{
    (void)state;
    pl_world *world = make_world(1, 1);
    struct model m;
    int32_t p = add_one(world, 0.0f, 3.0f, 0.0f, 1.0f, NULL);
    good(pl_set(world, PL_ATTRIBUTE_RADIUS, p, 1, &(float){0.07f}));
    add_shape(world, PL_SHAPE_PLANE, v3(0.0f, -2.0f, 0.0f));
    add_shape(world, PL_SHAPE_SPHERE, v3(4.0f, 0.0f, 0.0f));
    sure(model_take(&m, world));
    assert_true(m.floor == -2.0f);
    assert_true(m.start.max.x == 4.5f && m.start.max.y == 3.0f && m.start.min.y == -2.0f && m.start.min.x == 0.0f);
    assert_true(m.radius[p] == 0.07f); // what collides is as large as it is
    model_free(&m);
    pl_world_destroy(world);
}

static void walls_and_hollows_are_of_glass(void **state)
{
    (void)state;
    pl_shape_def d = pl_default_shape_def();
    d.kind = PL_SHAPE_BOX;
    d.half = v3(1.0f, 1.0f, 0.05f);
    assert_true(shape_is_glass(&d));
    d.half = v3(1.0f, 0.05f, 1.0f); // a table
    assert_false(shape_is_glass(&d));
    d.half = v3(1.0f, 1.0f, 1.0f);
    assert_false(shape_is_glass(&d));
    d.kind = PL_SHAPE_SPHERE;
    assert_false(shape_is_glass(&d));
    d.inside = true;
    assert_true(shape_is_glass(&d));
}

// ---- pictures ------------------------------------------------------------------------------------------------------

// A ball in the middle of the picture, and before it a box: a thick one hides it, a thin one shows itself and the ball.
static void glass_shows_what_is_behind_it(void **state)
{
    (void)state;
    static uint8_t rgb[3][3 * WIDTH * HEIGHT];
    const struct camera camera = {.eye = v3(0.0f, 1.0f, 6.0f), .target = v3(0.0f, 1.0f, 0.0f), .fov = 35.0f};
    const uint8_t *at[3];
    for (int i = 0; i < 3; i++) // nothing, a thick one, a wall
    {
        pl_world *world = make_world(1, 1);
        int32_t p = add_one(world, 0.0f, 1.0f, 0.0f, 1.0f, NULL);
        pl_shape_def d = pl_default_shape_def();
        good(pl_set(world, PL_ATTRIBUTE_RADIUS, p, 1, &(float){0.3f}));
        d.kind = PL_SHAPE_BOX;
        d.position = v3(0.0f, 1.0f, 2.0f);
        d.half = v3(0.8f, 0.8f, i == 1 ? 0.8f : 0.05f);
        good(i == 0 ? PL_OK : pl_add_shape(world, &d, NULL));
        at[i] = take_picture(world, &camera, rgb[i]) + 3 * (HEIGHT / 2 * WIDTH + WIDTH / 2);
        pl_world_destroy(world);
    }
    int thick = 0, wall = 0;
    for (int k = 0; k < 3; k++)
    {
        thick = thick > abs(at[1][k] - at[0][k]) ? thick : abs(at[1][k] - at[0][k]);
        wall = wall > abs(at[2][k] - at[0][k]) ? wall : abs(at[2][k] - at[0][k]);
    }
    if (thick < 60 || wall < 3 || wall > 50)
    {
        fail_msg("the thick box changes the ball by %d, the wall by %d", thick, wall);
    }
}

// Two panes, one behind the other: in whichever order they were added, the picture is the same.
static void glass_is_drawn_from_the_back(void **state)
{
    (void)state;
    static uint8_t rgb[2][3 * WIDTH * HEIGHT];
    const struct camera camera = {.eye = v3(2.0f, 2.0f, 6.0f), .target = v3(0.0f, 1.0f, 0.0f), .fov = 35.0f};
    for (int i = 0; i < 2; i++)
    {
        pl_world *world = make_world(1, 1);
        add_one(world, 0.0f, 1.0f, -2.0f, 1.0f, NULL);
        for (int k = 0; k < 3; k++)
        {
            pl_shape_def d = pl_default_shape_def();
            d.kind = k == 1 ? PL_SHAPE_SPHERE : PL_SHAPE_BOX;
            d.inside = k == 1;
            d.radius = k == 1 ? 0.7f : 0.0f;
            d.position = v3(0.3f * (float)k, 1.0f, i ? 1.0f - (float)k : (float)k - 1.0f);
            d.position.x = -0.3f * d.position.z;
            d.half = v3(0.8f, 0.8f, 0.05f);
            good(pl_add_shape(world, &d, NULL));
        }
        take_picture(world, &camera, rgb[i]);
        pl_world_destroy(world);
    }
    assert_memory_equal(rgb[0], rgb[1], sizeof rgb[0]);
}

// A shape with a velocity is drawn where it has come to.
static void moving_shapes_move(void **state)
{
    (void)state;
    static uint8_t rgb[2][3 * WIDTH * HEIGHT];
    const struct camera camera = {.eye = v3(0.0f, 1.0f, 6.0f), .target = v3(0.0f, 1.0f, 0.0f), .fov = 35.0f};
    const size_t middle = 3 * (HEIGHT / 2 * WIDTH + WIDTH / 2);
    pl_world *world = make_world(1, 1);
    add_one(world, -2.0f, 1.0f, 0.0f, 1.0f, NULL);
    pl_id id = add_shape(world, PL_SHAPE_SPHERE, v3(-1.5f, 1.0f, 0.0f));
    good(pl_set_shape_velocity(world, id, v3(1.5f, 0.0f, 0.0f), v3(0.0f, 0.0f, 0.0f)));
    take_picture(world, &camera, rgb[0]);
    for (int i = 0; i < 60; i++)
    {
        good(pl_world_step(world, 1.0f / 60.0f));
    }
    take_picture(world, &camera, rgb[1]);
    int differ = 0; // first the sky, then stone
    for (size_t c = 0; c < 3; c++)
        differ += abs(rgb[0][middle + c] - rgb[1][middle + c]);
    assert_true(differ > 20);
    pl_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_have_their_size),
        cmocka_unit_test(a_turned_box_lies_in_its_bounds),
        cmocka_unit_test(the_view_takes_shapes_and_ground_in),
        cmocka_unit_test(walls_and_hollows_are_of_glass),
        cmocka_unit_test(glass_shows_what_is_behind_it),
        cmocka_unit_test(glass_is_drawn_from_the_back),
        cmocka_unit_test(moving_shapes_move),
    };
    return run_in_studio(tests, sizeof tests / sizeof *tests);
}
