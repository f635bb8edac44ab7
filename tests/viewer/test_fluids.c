// Pictures of fluids: as a surface that one looks through, as particles, and coloured by pressure and density.
// labels: viewer
// needs: viewer
#include "studio.h"

// Water of 0.2 m between five planes.
static pl_world *world_with_water(void)
{
    pl_world *world = make_world(10, 2);
    pl_fluid_def def = pl_default_fluid_def();
    pl_shape_def plane = pl_default_shape_def();
    set_gravity(world, -9.81f);
    def.spacing = 0.025f;
    good(pl_add_fluid(world, &def, NULL));
    good(pl_add_shape(world, &plane, NULL));
    const pl_quat turn[4] = {{0.0f, 0.0f, -0.70710678f, 0.70710678f},
                             {0.0f, 0.0f, 0.70710678f, 0.70710678f},
                             {0.70710678f, 0.0f, 0.0f, 0.70710678f},
                             {-0.70710678f, 0.0f, 0.0f, 0.70710678f}};
    for (int i = 0; i < 4; i++)
    {
        plane.rotation = turn[i];
        plane.position = i % 2 ? (pl_vec3){0.2f, 0.0f, 0.2f} : (pl_vec3){0.0f, 0.0f, 0.0f};
        good(pl_add_shape(world, &plane, NULL));
    }
    return world;
}

static void look_from_the_front(struct studio *s)
{
    s->camera = (struct camera){.eye = v3(0.1f, 0.25f, 1.0f), .target = v3(0.1f, 0.08f, 0.1f), .fov = 30.0f};
}

static void water_is_blue_and_clear(void **state)
{
    (void)state;
    pl_world *world = world_with_water(), *dry = make_world(1, 1);
    static uint8_t several[3 * WIDTH * HEIGHT];
    pl_shape_def plane = pl_default_shape_def();
    struct studio s, d;
    good(pl_add_shape(dry, &plane, NULL));
    good(pl_set(dry, PL_ATTRIBUTE_RADIUS, add_one(dry, 0.19f, 0.01f, 0.19f, 1.0f, NULL), 1, &(float){0.005f}));
    open_studio(&d, dry);
    open_studio(&s, world);
    look_from_the_front(&s);
    look_from_the_front(&d);
    draw(&s, world);
    draw(&d, dry);
    assert_true(s.frame.fluid.triangle_count > 1000);
    assert_int_equal(renderer_surface(s.renderer)->balls, 0);
    vec3 middle = v3(0.06f, 0.08f, 0.2f);
    const uint8_t *wet = pixel(&s, middle), *bare = pixel(&d, middle);
    printf("water %d %d %d, floor %d %d %d\n", wet[0], wet[1], wet[2], bare[0], bare[1], bare[2]);
    assert_true(wet[2] > wet[0] + 30 && wet[1] > wet[0] + 20); // it takes red first
    assert_true(wet[0] < bare[0] && brightness(wet) > brightness(bare) / 3);
    memcpy(several, s.rgb, sizeof several);
    sure(renderer_resize(s.renderer, WIDTH, HEIGHT, 1)); // its picture is drawn into itself
    draw(&s, world);
    wet = pixel(&s, middle);
    const uint8_t *before = several + (wet - s.rgb);
    assert_true(abs(wet[0] - before[0]) < 30 && abs(wet[2] - before[2]) < 30);
    close_studio(&s);
    close_studio(&d);
    pl_world_destroy(world);
    pl_world_destroy(dry);
}

static void particles_are_drawn_if_wanted(void **state)
{
    (void)state;
    pl_world *world = world_with_water();
    struct studio s;
    open_studio(&s, world);
    look_from_the_front(&s);
    s.look.particles = true;
    draw(&s, world);
    assert_int_equal(s.frame.fluid.triangle_count, 0);
    assert_int_equal(renderer_surface(s.renderer)->balls, pl_particle_count(world));
    s.look.particles = false;
    draw(&s, world);
    assert_int_equal(renderer_surface(s.renderer)->balls, 0);
    s.look.colour_by = COLOUR_SPEED; // colours are told by particles
    draw(&s, world);
    assert_int_equal(renderer_surface(s.renderer)->balls, pl_particle_count(world));
    close_studio(&s);
    pl_world_destroy(world);
}

// The mean of what is told of the particles between two heights.
static double told_between(const struct studio *s, double low, double high)
{
    double sum = 0.0;
    int count = 0;
    for (int p = 0; p < s->frame.particles; p++)
    {
        double y = (double)s->frame.position[3 * p + 1];
        sum += y >= low && y < high ? (double)s->frame.told[p] : 0.0;
        count += y >= low && y < high;
    }
    assert_true(count > 0);
    return sum / count;
}

static void pressure_grows_with_the_depth(void **state)
{
    (void)state;
    pl_world *world = world_with_water();
    struct studio s;
    play(world, 30);
    open_studio(&s, world);
    s.look.colour_by = COLOUR_PRESSURE;
    draw(&s, world);
    double low = told_between(&s, 0.025, 0.05), high = told_between(&s, 0.125, 0.15);
    printf("pressure %.0f Pa below, %.0f Pa above\n", low, high);
    near_to("difference", low - high, 1000.0 * 9.81 * 0.1, 250.0);
    assert_true(renderer_surface(s.renderer)->low == 0.0f && renderer_surface(s.renderer)->high > 1500.0f);
    s.look.colour_by = COLOUR_DENSITY;
    draw(&s, world);
    near_to("density", told_between(&s, 0.05, 0.1), 1000.0, 30.0);
    assert_true(renderer_surface(s.renderer)->low > 100.0f && renderer_surface(s.renderer)->high < 1100.0f);
    close_studio(&s);
    pl_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_is_blue_and_clear),
        cmocka_unit_test(particles_are_drawn_if_wanted),
        cmocka_unit_test(pressure_grows_with_the_depth),
    };
    return run_in_studio(tests, sizeof tests / sizeof *tests);
}
