// test_fluid_bodies.c: fluids and rigid bodies: bodies float where Archimedes says, forces of the fluid can be read, momentum
// is kept, and nothing explodes.
//
// Particles lie in layers beside a flat face; so the force on a small box depends on its height in spacings, by a few per
// cent. Forces are averages over heights.
// long: too
#include "fluid_bath.h"
#include "support/long.h"

// ---- forces --------------------------------------------------------------------------------------------------------

static void the_floor_carries_the_water(void **state)
{
    (void)state;
    bath b = a_bath();
    b.across = 8, b.layers = 10, b.type = PL_RIGID_STATIC, b.height = 20;
    open_bath(&b);
    steps(b.world, 60, 1.0 / 60.0);
    double sum = 0.0;
    for (int i = 0; i < 20; i++)
    {
        steps(b.world, 1, 1.0 / 60.0);
        sum -= push_on(&b, b.floor) / 20.0;
    }
    print_message("force on the floor %.4f of the weight\n", sum / weight_of(&b));
    below("force on the floor", fabs(sum / weight_of(&b) - 1.0), 0.02);
    assert_true(push_on(&b, b.body) == 0.0); // it is in the air
    pl_vec3 f = {1.0f, 1.0f, 1.0f};
    assert_int_equal(pl_get_fluid_force(b.world, (pl_id){0, 0}, &f, NULL), PL_ERROR_ARGUMENT);
    assert_true(f.x == 1.0f);
    pl_world_destroy(b.world);
}

// A hollow kinematic box is a tank: it holds water while it moves, and carries its weight.
static void a_hollow_body_holds_water(void **state)
{
    (void)state;
    bath b = a_bath();
    b.count = 8 * 6 * 8;
    b.world = water_world(10, 2, GRAVITY);
    add_water(b.world, SPACING, (pl_vec3){(float)(-4.0 * SPACING), 0.0f, (float)(-4.0 * SPACING)},
              (const int[3]){8, 6, 8});
    pl_rigid_shape shape = pl_default_rigid_shape();
    shape.half = (pl_vec3){(float)(4.0 * SPACING), (float)(8.0 * SPACING), (float)(4.0 * SPACING)};
    shape.hollow = true;
    pl_rigid_def body = pl_default_rigid_def();
    body.type = PL_RIGID_KINEMATIC, body.shapes = &shape, body.shape_count = 1;
    body.position.y = (float)(8.0 * SPACING);
    good(pl_add_rigid(b.world, &body, &b.body));
    double force = 0.0;
    for (int frame = 0; frame < 120; frame++)
    {
        pl_rigid_state s = state_of(&b);
        s.velocity.x = frame < 20 ? 0.5f : frame < 40 ? -0.5f : 0.0f;
        good(pl_set_rigids(b.world, &b.body, 1, &s));
        steps(b.world, 1, 1.0 / 60.0);
        force -= frame < 100 ? 0.0 : push_on(&b, b.body) / 20.0;
    }
    pl_fluid_totals t = pl_world_fluid(b.world);
    float *x = positions(b.world, b.count);
    int outside = 0;
    for (int i = 0; i < b.count; i++)
        outside += fabs((double)x[3 * i] - (double)state_of(&b).position.x) > 4.0 * SPACING || x[3 * i + 1] < 0.0f ||
                   fabs((double)x[3 * i + 2]) > 4.0 * SPACING;
    free(x);
    print_message("a hollow box: %d outside, %.3f of the weight, compression %.2f %%\n", outside, force / weight_of(&b),
                  100.0 * t.compression_mean);
    assert_int_equal(outside, 0);
    below("force on a hollow box", fabs(force / weight_of(&b) - 1.0), 0.03);
    below("compression", t.compression_mean, 0.01);
    pl_world_destroy(b.world);
}

// A body held under water, at several heights: the mean force is rho g V.
static double held(bool ball, double side, int across, int layers, int heights, int settle)
{
    double sum = 0.0;
    for (int h = 0; h < heights; h++)
    {
        bath b = a_bath();
        b.across = across, b.layers = layers, b.side = side, b.ball = ball, b.type = PL_RIGID_STATIC;
        b.height = 0.5 * layers - 0.5 + (double)h / heights;
        open_bath(&b);
        steps(b.world, settle, 1.0 / 60.0);
        double force = 0.0, floor = 0.0;
        for (int i = 0; i < 10; i++)
        {
            steps(b.world, 1, 1.0 / 60.0);
            force += push_on(&b, b.body) / 10.0, floor -= push_on(&b, b.floor) / 10.0;
        }
        // What the body is pushed up by, the floor carries too.
        below("floor and body", fabs(floor / (weight_of(&b) + force) - 1.0), 0.02);
        sum += force / (1000.0 * GRAVITY * volume_of(&b)) / heights;
        pl_world_destroy(b.world);
    }
    print_message("%s of %g spacings under water: %.4f rho g V\n", ball ? "ball" : "box", side, sum);
    return sum;
}

static void held_bodies_feel_archimedes(void **state)
{
    (void)state;
    below("ball", fabs(held(true, 6.0, 11, 12, 3, 45) - 1.0), 0.05);
    if (!is_long())
        return;
    below("box", fabs(held(false, 8.0, 16, 18, 6, 80) - 1.0), 0.03);
    below("ball", fabs(held(true, 9.0, 16, 16, 6, 80) - 1.0), 0.03);
}

// ---- floating ------------------------------------------------------------------------------------------------------

typedef struct floater
{
    double side, wide, density;
    bool ball;
    double tilt; // degrees: how it floats
} floater;

static bath floating(const floater *f, int across, int layers)
{
    bath b = a_bath();
    b.across = across, b.layers = layers;
    b.side = f->side, b.wide = f->wide, b.density = f->density, b.ball = f->ball;
    b.height = layers - f->density / 1000.0 * f->side + 0.5 * f->side;
    return b;
}

// It starts upright, as deep as it floats. within: the largest relative error of the depth.
static void check_floats(const floater *f, bath b, int settle, double within)
{
    open_bath(&b);
    double share = share_below(&b, settle, 20), wanted = 0.001 * b.density, force = 0.0;
    for (int k = 0; k < 20; k++)
    {
        steps(b.world, 1, 1.0 / 60.0);
        force += push_on(&b, b.body) / 20.0;
    }
    print_message("%s of %g x %g spacings, %g kg/m^3: %.4f of it under water (%+.1f %%), tilted by %.0f degrees\n",
                  b.ball ? "ball" : "box", width_of(&b), b.side, b.density, share, 100.0 * (share / wanted - 1.0),
                  tilt_of(&b));
    below("depth", fabs(share / wanted - 1.0), within);
    if (!f->ball)
        near("tilt", tilt_of(&b), f->tilt, 6.0);
    // At rest, what pushes it is its weight.
    below("force", fabs(force / (b.density * GRAVITY * volume_of(&b)) - 1.0), 0.02);
    below("speed", fabs((double)state_of(&b).velocity.y), 0.02);
    pl_world_destroy(b.world);
}

static void bodies_float(void **state)
{
    (void)state;
    const floater board = {4.0, 7.0, 400.0, false, 0.0}, cube = {5.0, 0.0, 400.0, false, 45.0};
    check_floats(&board, floating(&board, 12, 9), 90, 0.02);
    if (!is_long())
        return;
    static const floater large[] = {
        {10.0, 14.0, 400.0, false, 0.0}, {10.0, 14.0, 700.0, false, 0.0}, {10.0, 0.0, 500.0, true, 0.0}};
    for (int i = 0; i < 3; i++)
        check_floats(&large[i], floating(&large[i], 20, 14), 200, 0.02);
    // A cube of this density does not float upright: it turns on an edge.
    check_floats(&cube, floating(&cube, 10, 9), 200, 0.02);
}

// ---- momentum ------------------------------------------------------------------------------------------------------

static void momentum_is_kept(void **state)
{
    (void)state;
    pl_world *world = water_world(10, 2, 0.0);
    pl_fluid_def ball = pl_default_fluid_def();
    ball.form = PL_FLUID_BALL, ball.size = (pl_vec3){0.18f, 0.18f, 0.18f};
    ball.origin = (pl_vec3){-0.2f, -0.09f, -0.09f}, ball.velocity = (pl_vec3){1.0f, 0.0f, 0.0f};
    good(pl_add_fluid(world, &ball, NULL));
    pl_rigid_shape shape = pl_default_rigid_shape();
    shape.half = (pl_vec3){0.05f, 0.06f, 0.04f}, shape.density = 300.0f;
    pl_rigid_def body = pl_default_rigid_def();
    body.shapes = &shape, body.shape_count = 1;
    body.position = (pl_vec3){0.1f, 0.03f, 0.02f}, body.spin = (pl_vec3){0.5f, 1.0f, 2.0f};
    body.velocity = (pl_vec3){-0.3f, 0.0f, 0.1f};
    pl_id id;
    good(pl_add_rigid(world, &body, &id));
    double p0[3], l0[3], p[3], l[3], lost = 0.0, turned = 0.0, size = 0.0, swirl = 0.0;
    pl_world_momentum(world, p0, l0);
    steps(world, 300, 1.0 / 60.0);
    pl_world_momentum(world, p, l);
    for (int k = 0; k < 3; k++)
    {
        lost += (p[k] - p0[k]) * (p[k] - p0[k]), size += p0[k] * p0[k];
        turned += (l[k] - l0[k]) * (l[k] - l0[k]), swirl += l0[k] * l0[k];
    }
    pl_rigid_state s;
    good(pl_get_rigids(world, &id, 1, &s));
    print_message("momentum lost %.1e, angular %.1e; the body goes on with %.2f m/s\n", sqrt(lost / size),
                  sqrt(turned / swirl), (double)s.velocity.x);
    below("momentum", sqrt(lost / size), 1e-5);
    below("angular momentum", sqrt(turned / swirl), 1e-3);
    assert_true(s.velocity.x > 0.1f); // it was pushed
    pl_world_destroy(world);
}

// ---- equal bits ----------------------------------------------------------------------------------------------------

static uint64_t hash_of(int threads, int lanes, bool saved)
{
    bath b = a_bath();
    b.across = 8, b.layers = 6, b.side = 3.5, b.height = 6, b.fall = 1.0, b.threads = threads, b.lanes = lanes;
    open_bath(&b);
    steps(b.world, 15, 1.0 / 60.0);
    if (saved)
    {
        size_t size = 0;
        void *bytes = NULL;
        good(pl_world_save_memory(b.world, &bytes, &size));
        pl_world_destroy(b.world);
        pl_world_def def = pl_default_world_def();
        def.threads = threads, def.lanes = lanes;
        good(pl_world_load_memory(&def, bytes, size, &b.world));
        pl_free(bytes);
    }
    steps(b.world, 15, 1.0 / 60.0);
    uint64_t hash = pl_world_hash(b.world);
    pl_world_destroy(b.world);
    return hash;
}

static void bits_are_equal(void **state)
{
    (void)state;
    uint64_t first = hash_of(1, 1, false);
    assert_true(hash_of(2, 8, false) == first);
    assert_true(hash_of(1, 8, true) == first);
    assert_true(hash_of(2, 1, true) == first);
}

// ---- nothing explodes ----------------------------------------------------------------------------------------------

// Bodies that start inside the water, with the water that is there, come out of it or sink; what the light one throws up
// are a few drops.
static void bodies_inside_do_not_explode(void **state)
{
    (void)state;
    static const double density[] = {100.0, 8000.0};
    for (int i = 0; i < 2; i++)
    {
        bath b = a_bath();
        b.filled = true, b.density = density[i], b.height = 5, b.side = 4.5;
        open_bath(&b);
        double most = 0.0, drops = 0.0;
        for (int frame = 0; frame < 60; frame++)
        {
            steps(b.world, 1, 1.0 / 60.0);
            most = fmax(most, kinetic_each(b.world)), drops = fmax(drops, fastest(&b));
        }
        pl_rigid_state s = state_of(&b);
        print_message(
            "%g kg/m^3 inside water: at most %.2f J/kg, drops of %.1f m/s, then %.3f J/kg, at %.2f spacings\n",
            density[i], most, drops, kinetic_each(b.world), (double)s.position.y / SPACING);
        below("kinetic energy", most, 0.6); // water that falls over the depth of the tank has 1.8
        below("kinetic energy at last", kinetic_each(b.world), 0.1);
        below("drops", drops, 8.0);
        assert_true(i == 0 ? (double)s.position.y > 7.0 * SPACING : (double)s.position.y < 3.0 * SPACING);
        pl_world_destroy(b.world);
    }
}

// A body that enters fast: no particle gets inside it, and it does not leave faster than it came.
static void fast_entry(void **state)
{
    (void)state;
    bath b = a_bath();
    b.density = 2500.0, b.fall = 8.0, b.height = 14, b.side = 4;
    open_bath(&b);
    int inside = 0;
    double most = 0.0;
    for (int frame = 0; frame < 40; frame++)
    {
        steps(b.world, 1, 1.0 / 60.0);
        most = fmax(most, (double)state_of(&b).velocity.y);
    }
    float *x = positions(b.world, b.count);
    pl_rigid_state s = state_of(&b);
    for (int i = 0; i < b.count; i++)
    {
        double r = 0.0;
        const double c[3] = {(double)s.position.x, (double)s.position.y, (double)s.position.z};
        for (int k = 0; k < 3; k++)
            r += ((double)x[3 * i + k] - c[k]) * ((double)x[3 * i + k] - c[k]);
        inside += sqrt(r) < 0.48 * b.side * SPACING; // of the ball inside the box, however it turned
    }
    free(x);
    print_message("8 m/s into water: %d inside, back with %.2f m/s, at %.2f spacings\n", inside, most,
                  (double)s.position.y / SPACING);
    assert_int_equal(inside, 0);
    below("speed upwards", most, 1.5);
    assert_true((double)s.position.y < 4.0 * SPACING);
    pl_world_destroy(b.world);
}

// ---- edits, and far away -------------------------------------------------------------------------------------------

static void a_body_is_removed_under_water(void **state)
{
    (void)state;
    bath b = a_bath();
    b.type = PL_RIGID_STATIC, b.height = 5, b.side = 4;
    open_bath(&b);
    steps(b.world, 30, 1.0 / 60.0);
    good(pl_remove(b.world, b.body));
    double most = 0.0;
    for (int frame = 0; frame < 60; frame++)
    {
        steps(b.world, 1, 1.0 / 60.0);
        most = fmax(most, kinetic_each(b.world));
    }
    pl_fluid_totals t = pl_world_fluid(b.world);
    print_message("removed: at most %.2f J/kg; then compression %.2f %%\n", most, 100.0 * t.compression_mean);
    below("kinetic energy", most, 0.3);
    below("kinetic energy at last", kinetic_each(b.world), 0.02);
    below("compression", t.compression_mean, 0.01);
    assert_int_equal(pl_get_fluid_force(b.world, b.body, NULL, NULL), PL_ERROR_ARGUMENT);
    pl_world_destroy(b.world);
}

static void far_from_the_origin(void **state)
{
    (void)state;
    const floater board = {4.0, 7.0, 400.0, false, 0.0};
    bath b = floating(&board, 12, 9);
    b.far = 64.0;
    open_bath(&b);
    double share = share_below(&b, 90, 20);
    print_message("64 m away: %.4f of it under water, %.2e J/kg\n", share, kinetic_each(b.world));
    below("depth", fabs(share / 0.4 - 1.0), 0.05);
    below("kinetic energy", kinetic_each(b.world), 2e-3);
    pl_world_destroy(b.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_floor_carries_the_water),
        cmocka_unit_test(a_hollow_body_holds_water),
        cmocka_unit_test(held_bodies_feel_archimedes),
        cmocka_unit_test(bodies_float),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(bits_are_equal),
        cmocka_unit_test(bodies_inside_do_not_explode),
        cmocka_unit_test(fast_entry),
        cmocka_unit_test(a_body_is_removed_under_water),
        cmocka_unit_test(far_from_the_origin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
