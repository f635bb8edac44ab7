// test_renderer.c: draws worlds without a screen and looks at the pixels: something is there, it is in the right place and of the
// right colour, nearer things hide farther ones, shadows fall where they must, and the same frame gives the same picture.
// labels: viewer
// long: too
// needs: viewer
#include "support/long.h"
#include "support/support.h"

#include "studio.h"

static pl_world *world_of_scene(const char *name, int frames, pl_scene_info *info)
{
    size_t length;
    const char *text = pl_builtin_scene(name, &length);
    pl_scene *scene;
    pl_world *world;
    pl_world_def def = pl_default_world_def();
    assert_non_null(text);
    good(pl_scene_parse(text, length, name, NULL, 0, &scene));
    *info = pl_scene_describe(scene);
    good(pl_scene_world(scene, &def, &world));
    for (int i = 0; i < frames && i < info->frames; i++)
    {
        good(pl_scene_before_step(scene, world));
        good(pl_world_step(world, info->dt));
    }
    info->name = "scene";
    info->about = "";
    pl_scene_free(scene);
    return world;
}

// ---- what is where -------------------------------------------------------------------------------------------------

static pl_world *world_with_balls(const float *position, const float *mass, int count)
{
    pl_world *world = make_world(1, 1);
    for (int i = 0; i < count; i++) // one object each, and so a colour each
    {
        pl_particles_def def = pl_default_particles_def();
        pl_id id;
        def.count = 1;
        def.position = position + 3 * i;
        def.mass = mass + i;
        good(pl_add_particles(world, &def, &id));
    }
    return world;
}

static void spheres_are_where_they_should_be(void **state)
{
    (void)state;
    // The palette's first two: vermilion and sea.
    const float position[] = {-0.6f, 1.0f, 0.0f, 0.6f, 1.0f, 0.0f}, mass[] = {1.0f, 1.0f};
    pl_world *world = world_with_balls(position, mass, 2);
    struct studio s;
    open_studio(&s, world);
    draw(&s, world);
    assert_int_equal(s.model.spheres, 2);
    assert_int_equal(main_channel(pixel(&s, v3(-0.6f, 1.0f, 0.0f))), 0);
    assert_int_equal(main_channel(pixel(&s, v3(0.6f, 1.0f, 0.0f))), 2);
    assert_int_equal(main_channel(pixel(&s, v3(0.0f, 1.0f, 0.0f))), -1); // between them
    // The silhouette: inside it just within the radius, outside it just beyond, seen across the line of sight.
    float r = s.model.radius[0];
    mat4 view = camera_view(&s.camera);
    vec3 up = v3(view.m[1], view.m[5], view.m[9]), centre = v3(-0.6f, 1.0f, 0.0f);
    assert_int_equal(main_channel(pixel(&s, add(centre, scale(up, 0.8f * r)))), 0);
    assert_int_equal(main_channel(pixel(&s, add(centre, scale(up, 1.25f * r)))), -1);
    close_studio(&s);
    pl_world_destroy(world);
}

static void nearer_spheres_hide_farther_ones(void **state)
{
    (void)state;
    const float position[] = {0.0f, 1.0f, 0.5f, 0.0f, 1.0f, -0.5f, 1.0f, 1.5f, 0.0f}, mass[] = {1.0f, 1.0f, 1.0f};
    pl_world *world = world_with_balls(position, mass, 3);
    struct studio s;
    open_studio(&s, world);
    s.camera = (struct camera){.eye = v3(0.0f, 1.0f, 5.0f), .target = v3(0.0f, 1.0f, 0.0f), .fov = 40.0f};
    draw(&s, world);
    assert_int_equal(main_channel(pixel(&s, v3(0.0f, 1.0f, 0.0f))), 0);
    s.camera.eye = v3(0.0f, 1.0f, -5.0f);
    draw(&s, world);
    assert_int_equal(main_channel(pixel(&s, v3(0.0f, 1.0f, 0.0f))), 2);
    close_studio(&s);
    pl_world_destroy(world);
}

static void cloth_has_two_sides(void **state)
{
    (void)state;
    pl_world *world = world_with_sheet(true);
    struct studio s;
    open_studio(&s, world);
    assert_int_equal(s.model.vertices, 81);
    assert_true(s.model.cloth[0]);
    uint8_t seen[2][3];
    for (int side = 0; side < 2; side++)
    {
        s.camera =
            (struct camera){.eye = v3(0.0f, 1.0f, side ? -4.0f : 4.0f), .target = v3(0.0f, 1.0f, 0.0f), .fov = 35.0f};
        draw(&s, world);
        memcpy(seen[side], pixel(&s, v3(0.1f, 1.1f, 0.0f)), 3);
    }
    // One side is vermilion, the other straw: much more green in it.
    int red = main_channel(seen[0]) == 0 && seen[0][1] < 90 ? 0 : 1;
    assert_int_equal(main_channel(seen[red]), 0);
    assert_true(seen[!red][1] > seen[red][1] + 60);
    close_studio(&s);
    pl_world_destroy(world);
}

static void shadows_fall_along_the_sun(void **state)
{
    (void)state;
    pl_world *world = world_with_sheet(false);
    struct studio s;
    open_studio(&s, world);
    s.model.floor = 0.0f;
    s.look.contact = false;
    s.camera = (struct camera){.eye = v3(0.0f, 2.5f, 5.0f), .target = v3(0.0f, 0.2f, 0.0f), .fov = 40.0f};
    // From a point of the sheet, half a metre up, against the direction to the sun; the sheet itself hides the rest.
    vec3 sun = views_to_sun(), from = v3(0.42f, 0.5f, 0.30f), in = add(from, scale(sun, -from.y / sun.y));
    vec3 out = v3(-0.8f, 0.0f, 0.9f);
    draw(&s, world);
    int dark = brightness(pixel(&s, in)), bright = brightness(pixel(&s, out));
    assert_true(bright > dark + 80);
    s.look.shadows = false;
    draw(&s, world);
    int without = brightness(pixel(&s, in));
    assert_true(without > dark + 80);
    close_studio(&s);
    pl_world_destroy(world);
}

static void ropes_are_tubes(void **state)
{
    (void)state;
    pl_world *world = make_world(1, 1);
    pl_rope_def def = pl_default_rope_def();
    pl_id id;
    def.segments = 12;
    def.from = (pl_vec3){-1.0f, 1.0f, 0.0f};
    def.to = (pl_vec3){1.0f, 1.0f, 0.0f};
    def.bending = true; // skip-one links, which must not become tubes of their own
    def.pin_first = true;
    good(pl_add_rope(world, &def, &id));
    struct studio s;
    open_studio(&s, world);
    draw(&s, world);
    assert_int_equal(s.model.chains, 1);
    assert_int_equal(s.model.chain[0].count, 13);
    assert_int_equal(s.model.spheres, 1); // the nail
    assert_int_equal(main_channel(pixel(&s, v3(0.04f, 1.0f, 0.0f))), 0);
    assert_int_equal(main_channel(pixel(&s, v3(0.04f, 1.1f, 0.0f))), -1);
    close_studio(&s);
    pl_world_destroy(world);
}

static void a_box_keeps_its_edges(void **state)
{
    (void)state;
    pl_world *world = make_world(1, 1);
    pl_bar_def def = pl_default_bar_def();
    pl_id id;
    def.cells[0] = def.cells[1] = def.cells[2] = 2;
    good(pl_add_bar(world, &def, &id));
    struct studio s;
    open_studio(&s, world);
    draw(&s, world);
    assert_false(s.model.cloth[0]);
    assert_int_equal(s.model.spheres, 0);
    // 6 sides of 3 x 3 vertices each: a corner has three, a particle on an edge two.
    assert_int_equal(s.model.vertices, 54);
    close_studio(&s);
    pl_world_destroy(world);
}

static void overlays_add_lines(void **state)
{
    (void)state;
    pl_scene_info info;
    pl_world *world = world_of_scene("flag", 10, &info);
    struct studio s;
    static uint8_t plain[3 * WIDTH * HEIGHT];
    open_studio(&s, world);
    draw(&s, world);
    memcpy(plain, s.rgb, sizeof plain);
    for (int which = 0; which < 3; which++)
    {
        s.look = default_look();
        s.look.constraints = which == 0;
        s.look.velocities = which == 1;
        s.look.wind = which == 2;
        draw(&s, world);
        assert_memory_not_equal(plain, s.rgb, sizeof plain);
    }
    s.look = default_look();
    draw(&s, world);
    assert_memory_equal(plain, s.rgb, sizeof plain);
    close_studio(&s);
    pl_world_destroy(world);
}

// ---- every scene ---------------------------------------------------------------------------------------------------

// At least one particle of each scene is in its picture, the picture is not one colour, and drawing it twice, in two
// renderers, gives the same bytes. After a few frames; in a long test at its end too.
static void every_scene_shows_itself(void **state)
{
    (void)state;
    static struct studio a, b;
    for (int n = 0; pl_builtin_scene_name(n); n++)
    {
        pl_scene_info info;
        pl_world *world = world_of_scene(pl_builtin_scene_name(n), is_long() ? 1 << 20 : 5, &info);
        open_studio(&a, world);
        model_set_scene(&a.model, &info);
        a.camera = model_camera(&a.model, &info.camera, (float)WIDTH / HEIGHT);
        sure(frame_take(&a.frame, world, NULL));
        if (info.camera.follow)
        {
            frame_follow(&a.frame, &a.camera);
        }
        draw(&a, world);
        open_studio(&b, world);
        model_set_scene(&b.model, &info);
        b.camera = a.camera;
        draw(&b, world);
        assert_memory_equal(a.rgb, b.rgb, sizeof a.rgb);

        static uint8_t empty[sizeof a.rgb];
        memcpy(empty, a.rgb, sizeof empty);
        b.model.faces = b.model.chains = b.model.spheres = b.model.ellipsoids = b.model.vertices =
            b.model.bodies.shapes = 0; // the same without its contents
        b.look.particles = true;       // of fluids, which are among the spheres
        draw(&b, world);
        long differ = 0;
        for (int i = 0; i < WIDTH * HEIGHT; i++)
        {
            differ += abs(brightness(empty + 3 * i) - brightness(b.rgb + 3 * i)) > 60;
        }
        if (differ < 100)
        {
            fail_msg("%s: only %ld pixels of %d show anything", pl_builtin_scene_name(n), differ, WIDTH * HEIGHT);
        }
        close_studio(&a);
        close_studio(&b);
        pl_world_destroy(world);
    }
}

static void too_many_samples_are_refused(void **state)
{
    (void)state;
    struct renderer *r;
    sure(renderer_create(&r));
    assert_false(renderer_resize(r, 64, 64, renderer_max_samples() + 1));
    assert_non_null(strstr(viewer_message(), "at most"));
    renderer_destroy(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_are_where_they_should_be),
        cmocka_unit_test(nearer_spheres_hide_farther_ones),
        cmocka_unit_test(cloth_has_two_sides),
        cmocka_unit_test(shadows_fall_along_the_sun),
        cmocka_unit_test(ropes_are_tubes),
        cmocka_unit_test(a_box_keeps_its_edges),
        cmocka_unit_test(overlays_add_lines),
        cmocka_unit_test(every_scene_shows_itself),
        cmocka_unit_test(too_many_samples_are_refused),
    };
    return run_in_studio(tests, sizeof tests / sizeof *tests);
}
