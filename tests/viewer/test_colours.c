// test_colours.c: what colours tell is what there is: speed, strain, the inside of the solver, how many touch.
// labels: viewer
// needs: viewer
#include "support/support.h"

#include "studio.h"

static void colours_tell_speed_and_strain(void **state)
{
    (void)state;
    pl_world *world = world_with_sheet(true);
    float still[3 * 81] = {0}, x[3 * 81];
    for (int i = 0; i < 81; i++)
    {
        still[3 * i] = i % 9 < 5 ? 0.0f : 2.0f; // the right half moves
    }
    good(pl_set(world, PL_ATTRIBUTE_VELOCITY, 0, 81, still));
    struct studio s;
    open_studio(&s, world);
    s.look.colour_by = COLOUR_SPEED;
    draw(&s, world);
    const uint8_t *slow = pixel(&s, v3(-0.4f, 1.0f, 0.0f)), *fast = pixel(&s, v3(0.4f, 1.0f, 0.0f));
    assert_true(slow[2] > slow[1]);       // dark blue
    assert_true(fast[1] > 100 + fast[2]); // yellow
    good(pl_get(world, PL_ATTRIBUTE_POSITION, 0, 81, x));
    for (int i = 0; i < 81; i++)
    {
        x[3 * i] = i % 9 < 5 ? x[3 * i] : 2.0f * x[3 * i]; // the right half is pulled to twice its width
    }
    good(pl_set(world, PL_ATTRIBUTE_POSITION, 0, 81, x));
    s.look.colour_by = COLOUR_STRAIN;
    draw(&s, world);
    assert_int_equal(main_channel(pixel(&s, v3(0.6f, 1.0f, 0.0f))), 0);
    assert_int_equal(main_channel(pixel(&s, v3(-0.4f, 1.0f, 0.0f))), -1);
    close_studio(&s);
    pl_world_destroy(world);
}

// Finite elements have no links; a bar of every model that is pulled by a tenth is red, one that is pressed by a tenth is blue.
static void colours_tell_the_strain_of_elements(void **state)
{
    (void)state;
    const pl_solid_model models[] = {PL_SOLID_STVK, PL_SOLID_COROTATED, PL_SOLID_NEO_HOOKEAN, PL_SOLID_STRAIN};
    for (int i = 0; i < 8; i++)
    {
        pl_world *world = make_world(1, 1);
        pl_bar_def bar = pl_default_bar_def();
        float by = i % 2 ? 0.9f : 1.1f, x[3 * 45];
        int count;
        bar.model = models[i / 2];
        bar.cells[0] = 4;
        bar.cells[1] = bar.cells[2] = 2;
        bar.origin = (pl_vec3){0.0f, 0.0f, 0.0f};
        bar.size = (pl_vec3){1.0f, 0.5f, 0.5f};
        pl_id id;
        good(pl_add_bar(world, &bar, &id));
        count = pl_particle_count(world);
        assert_int_equal(count, 45);
        good(pl_get(world, PL_ATTRIBUTE_POSITION, 0, count, x));
        for (int p = 0; p < count; p++)
        {
            x[3 * p] *= by;
        }
        good(pl_set(world, PL_ATTRIBUTE_POSITION, 0, count, x));
        struct studio s;
        open_studio(&s, world);
        s.look.colour_by = COLOUR_STRAIN;
        draw(&s, world);
        for (int p = 0; p < count; p++)
        {
            near_to("the strain", (double)s.frame.told[p], (double)by - 1.0, 1e-4);
        }
        assert_int_equal(main_channel(pixel(&s, v3(0.5f * by, 0.5f, 0.25f))), i % 2 ? 2 : 0);
        close_studio(&s);
        pl_world_destroy(world);
    }
}

// One particle that flies away does not make all others look alike: 98 of 100 are on the scale, but never less than a twentieth.
static void scales_leave_out_outliers(void **state)
{
    (void)state;
    float value[200];
    uint8_t active[200];
    struct value_range r;
    for (int i = 0; i < 200; i++)
    {
        value[i] = 0.5f + 0.5f * (float)i / 199.0f;
        active[i] = 1;
    }
    value_range(value, active, 200, true, &r);
    near_to("low", (double)r.low, 0.51, 0.006);
    near_to("high", (double)r.high, 0.99, 0.006);
    near_to("most", (double)r.most, 1.0, 1e-6);
    value[7] = 10.0f;
    value_range(value, active, 200, false, &r);
    near_to("high beside an outlier", (double)r.high, 0.99, 0.03);
    near_to("the outlier", (double)r.most, 10.0, 1e-6);
    active[7] = 0; // in reserve
    value_range(value, active, 200, false, &r);
    near_to("most without it", (double)r.most, 1.0, 1e-6);
    memset(value, 0, sizeof value);
    active[7] = 1, value[7] = 10.0f;
    value_range(value, active, 200, false, &r);
    near_to("a twentieth", (double)r.high, 0.5, 1e-6);
}

// Residuals, contacts, batches: what the engine tells of its inside comes out as colour.
static void colours_tell_the_inside(void **state)
{
    (void)state;
    pl_world *world = world_with_sheet(true);
    float x[3 * 81];
    struct studio s;
    good(pl_world_step(world, 1e-4f)); // places the constraints
    good(pl_get(world, PL_ATTRIBUTE_POSITION, 0, 81, x));
    for (int i = 0; i < 81; i++)
    {
        x[3 * i] = i % 9 < 5 ? x[3 * i] : 2.0f * x[3 * i]; // the right half is pulled to twice its width
    }
    good(pl_set(world, PL_ATTRIBUTE_POSITION, 0, 81, x));
    open_studio(&s, world);
    s.look.colour_by = COLOUR_RESIDUAL;
    draw(&s, world);
    const uint8_t *well = pixel(&s, v3(-0.4f, 1.0f, 0.0f)), *off = pixel(&s, v3(0.6f, 1.0f, 0.0f));
    assert_true(well[2] > well[1]);     // dark blue
    assert_true(off[1] > 100 + off[2]); // yellow
    near_to("the scale's end", (double)s.frame.told[8], 1.0, 0.05);
    static uint8_t plain[3 * WIDTH * HEIGHT];
    memcpy(plain, s.rgb, sizeof plain);
    s.look.colour_by = COLOUR_BATCH;
    s.look.constraints = true;
    draw(&s, world);
    assert_memory_not_equal(plain, s.rgb, sizeof plain);
    for (int i = 0; i < s.frame.links; i++)
    {
        assert_true(s.frame.link_told[i] >= 0.0f);
    }
    close_studio(&s);
    pl_world_destroy(world);
}

// Three balls in a column on a plane: all but the uppermost have two contacts.
static void density_counts_contacts(void **state)
{
    (void)state;
    pl_world *world = make_world(1, 1);
    pl_shape_def ground = pl_default_shape_def();
    pl_settings settings = pl_world_settings(world);
    settings.gravity = (pl_vec3){0.0f, -9.81f, 0.0f};
    settings.substeps = 20;
    settings.damping = 4.0f;
    good(pl_world_set_settings(world, &settings));
    ground.kind = PL_SHAPE_PLANE;
    good(pl_add_shape(world, &ground, NULL));
    for (int i = 0; i < 3; i++)
    {
        int p = add_one(world, 0.0f, 0.1f + 0.2f * (float)i, 0.0f, 1.0f, NULL);
        good(pl_set(world, PL_ATTRIBUTE_RADIUS, p, 1, &(float){0.1f}));
    }
    for (int i = 0; i < 240; i++)
    {
        good(pl_world_step(world, 1.0f / 60.0f));
    }
    struct studio s;
    open_studio(&s, world);
    s.look.colour_by = COLOUR_DENSITY;
    s.look.contacts = s.look.cells = true;
    draw(&s, world);
    assert_true(s.frame.told[0] == 2.0f && s.frame.told[1] == 2.0f && s.frame.told[2] == 1.0f);
    assert_true(renderer_surface(s.renderer)->high == 2.0f);
    assert_true(s.frame.contacts == 3 && s.frame.cells >= 1);
    static uint8_t with[3 * WIDTH * HEIGHT];
    memcpy(with, s.rgb, sizeof with);
    for (int i = 0; i < 2; i++)
    {
        s.look.contacts = i == 0;
        s.look.cells = i == 1;
        draw(&s, world);
        assert_memory_not_equal(with, s.rgb, sizeof with);
    }
    close_studio(&s);
    pl_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colours_tell_speed_and_strain),
        cmocka_unit_test(scales_leave_out_outliers),
        cmocka_unit_test(colours_tell_the_strain_of_elements),
        cmocka_unit_test(colours_tell_the_inside),
        cmocka_unit_test(density_counts_contacts),
    };
    return run_in_studio(tests, sizeof tests / sizeof *tests);
}
