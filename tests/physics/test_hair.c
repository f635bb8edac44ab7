// test_hair.c: strands. DFTL swings with the period of a hanging chain and FTL does not; neither stretches; strands stay
// outside of shapes, follow what carries their roots, and give the same bits on any lanes and threads.
#include "support/support.h"

// A strand that hangs from the origin, leaning by a small angle; returns its first particle.
static int add_strand(pl_world *w, int points, float length, float lean, pl_strand_solver solver, pl_id *object)
{
    static const float origin[3] = {0.0f, 0.0f, 0.0f};
    pl_hair_def d = pl_default_hair_def();
    int first, count;
    d.count = 1, d.points = points, d.length = length;
    d.roots = origin, d.lean = 0.0f;
    d.direction = (pl_vec3){lean, -1.0f, 0.0f};
    d.solver = solver;
    good(pl_add_hair(w, &d, object));
    good(pl_object_range(w, *object, &first, &count));
    return first;
}

static pl_id block_of(const pl_world *w, pl_id object)
{
    pl_id block = {0, 0};
    assert_int_equal(pl_object_blocks(w, object, &block, 1), 1);
    return block;
}

// ---- the pendulum ----------------------------------------------------------------------------------------------------

// Twice the mean time between two passes of the mean of a strand through the vertical, s; 0: fewer than `passes`.
static double period_of(pl_strand_solver solver, int points, int substeps, int passes)
{
    enum
    {
        MOST = 64,
    };
    const float dt = 1.0f / 60.0f;
    pl_world *w = make_world(substeps, 1);
    pl_id object;
    int first = add_strand(w, points, 1.0f, 0.05f, solver, &object), seen = 0;
    double before = 0.0, begin = 0.0, end = 0.0;
    float x[3 * MOST];
    for (int frame = 1; frame < 600 && seen < passes; frame++)
    {
        good(pl_world_step(w, dt));
        good(pl_get(w, PL_ATTRIBUTE_POSITION, first, points, x));
        double now = 0.0;
        for (int i = 0; i < points; i++)
            now += (double)x[3 * i];
        if (before * now < 0.0)
        {
            end = (double)dt * ((double)frame - now / (now - before));
            begin = seen++ ? begin : end;
        }
        before = now;
    }
    pl_world_destroy(w);
    return seen < passes ? 0.0 : 2.0 * (end - begin) / (passes - 1);
}

// The slowest mode of a hanging chain: omega = j01/2 sqrt(g/L), j01 the first zero of the Bessel function J0.
static double chain_period(double length)
{
    return 2.0 * 3.14159265358979 / (0.5 * 2.404825557695773 * sqrt(9.81 / length));
}

static void dftl_swings_as_a_chain(void **state)
{
    (void)state;
    static const int points[] = {16, 32, 64}, substeps[] = {2, 4, 10};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
        {
            double period = period_of(PL_STRAND_DFTL, points[i], substeps[k], 6);
            print_message("dftl, %d points, %d substeps: %.4f of the chain's period\n", points[i], substeps[k],
                          period / chain_period(1.0));
            if (points[i] <= 32 || substeps[k] > 2)
                near_to("the period over that of a chain", period / chain_period(1.0), 1.0, 0.05);
        }
}

static void ftl_does_not(void **state)
{
    (void)state;
    double period = period_of(PL_STRAND_FTL, 32, 4, 3);
    print_message("ftl: %.4f of the chain's period\n", period / chain_period(1.0));
    assert_true(period > 0.0);
    below("the period over that of a chain", period / chain_period(1.0), 0.5);
}

// ---- lengths ---------------------------------------------------------------------------------------------------------

// The roots jump about; one pass, in the one iteration of a single substep, brings every link back to its length.
static void one_pass_leaves_no_stretch(void **state)
{
    (void)state;
    for (int solver = PL_STRAND_FTL; solver <= PL_STRAND_DFTL; solver++)
    {
        pl_world *w = make_world(1, 1);
        pl_hair_def d = pl_default_hair_def();
        pl_id hair;
        pl_strands_state s;
        int first, count;
        d.count = 37, d.points = 20, d.shorten = 0.5f, d.solver = (pl_strand_solver)solver;
        good(pl_add_hair(w, &d, &hair));
        good(pl_object_range(w, hair, &first, &count));
        uint64_t seed = 5;
        for (int frame = 0; frame < 20; frame++)
        {
            float x[3 * 37];
            good(pl_get(w, PL_ATTRIBUTE_POSITION, first, 37, x));
            for (int i = 0; i < 3 * 37; i++)
                x[i] += 0.03f * dice(&seed);
            good(pl_set(w, PL_ATTRIBUTE_POSITION, first, 37, x));
            good(pl_world_step(w, 1.0f / 60.0f));
            good(pl_get_strands(w, block_of(w, hair), &s));
            below("the stretch", s.stretch_max, 2e-5);
        }
        assert_int_equal(s.count, 37);
        assert_int_equal(s.points, 37 * 20);
        pl_world_destroy(w);
    }
}

// XPBD comes closer with iterations.
static void xpbd_converges(void **state)
{
    (void)state;
    double last = 1.0;
    for (int iterations = 1; iterations <= 64; iterations *= 8)
    {
        pl_world *w = make_world(4, iterations);
        pl_id hair;
        pl_strands_state s;
        add_strand(w, 24, 0.5f, 1.0f, PL_STRAND_XPBD, &hair);
        for (int frame = 0; frame < 30; frame++)
            good(pl_world_step(w, 1.0f / 60.0f));
        good(pl_get_strands(w, block_of(w, hair), &s));
        below("the stretch with more iterations", s.stretch_mean, 0.6 * last);
        last = s.stretch_mean;
        pl_world_destroy(w);
    }
    below("the stretch with 64 iterations", last, 2e-3);
}

// The velocity of the centre of mass of a free strand whose tip is pushed, over that which the push gives it. heavier: how
// much the mass of a point grows from one to the next.
static double share_of_push(pl_strand_solver solver, float heavier)
{
    enum
    {
        POINTS = 12,
        FRAMES = 30,
    };
    pl_world *w = make_world(60, 1);
    set_gravity(w, 0.0f);
    pl_id hair;
    int first = add_strand(w, POINTS, 0.3f, 0.0f, solver, &hair);
    float v[3 * POINTS] = {0}, mass[POINTS], x[3 * POINTS];
    double all = 0.0, moved = 0.0;
    for (int i = 0; i < POINTS; i++)
        all += (double)(mass[i] = 0.001f * (1.0f + heavier * (float)(heavier < 0.0f ? i - POINTS : i)));
    good(pl_set(w, PL_ATTRIBUTE_MASS, first, POINTS, mass));
    v[3 * POINTS - 3] = 1.0f;
    good(pl_set(w, PL_ATTRIBUTE_VELOCITY, first, POINTS, v));
    for (int frame = 0; frame < FRAMES; frame++)
        good(pl_world_step(w, 1.0f / 60.0f));
    good(pl_get(w, PL_ATTRIBUTE_POSITION, first, POINTS, x));
    for (int i = 0; i < POINTS; i++)
        moved += (double)mass[i] * (double)x[3 * i];
    pl_world_destroy(w);
    return moved / ((double)mass[POINTS - 1] * FRAMES / 60.0);
}

static void dftl_keeps_momentum(void **state)
{
    (void)state;
    near_to("DFTL: the speed of the centre of mass", share_of_push(PL_STRAND_DFTL, 0.0f), 1.0, 0.01);
    near_to("DFTL, lighter below", share_of_push(PL_STRAND_DFTL, -0.05f), 1.0, 0.01);
    double ftl = share_of_push(PL_STRAND_FTL, 0.0f), heavy = share_of_push(PL_STRAND_DFTL, 0.2f);
    print_message("ftl %.4f, dftl, heavier below %.4f\n", ftl, heavy);
    assert_true(fabs(ftl - 1.0) > 0.1);
    assert_true(heavy > 0.1 && heavy < 2.0);
}

// ---- contacts --------------------------------------------------------------------------------------------------------

static void strands_stay_outside_of_shapes(void **state)
{
    (void)state;
    pl_world *w = make_world(4, 1);
    pl_shape_def ball = pl_default_shape_def();
    ball.kind = PL_SHAPE_SPHERE, ball.radius = 0.1f;
    good(pl_add_shape(w, &ball, NULL));
    pl_hair_def d = pl_default_hair_def();
    pl_id hair;
    d.count = 200, d.points = 24, d.length = 0.3f;
    d.radii = (pl_vec3){0.101f, 0.101f, 0.101f};
    good(pl_add_hair(w, &d, &hair));
    pl_strands_state s;
    float *x = malloc(3 * 200 * 24 * sizeof *x);
    assert_non_null(x);
    for (int frame = 0; frame < 90; frame++)
        good(pl_world_step(w, 1.0f / 60.0f));
    good(pl_get_strands(w, block_of(w, hair), &s));
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, 200 * 24, x));
    double deepest = 0.0, lowest = 0.0;
    for (int i = 0; i < 200 * 24; i++)
    {
        double r = sqrt((double)x[3 * i] * x[3 * i] + (double)x[3 * i + 1] * x[3 * i + 1] +
                        (double)x[3 * i + 2] * x[3 * i + 2]);
        deepest = 0.1 - r > deepest ? 0.1 - r : deepest;
        lowest = (double)x[3 * i + 1] < lowest ? (double)x[3 * i + 1] : lowest;
    }
    print_message("deepest %.3g m, lowest %.3g m, stretch %.3g\n", deepest, lowest, s.stretch_max);
    below("how deep a point is", deepest, 5e-4);
    below("the lowest point", lowest, -0.25);
    below("the stretch", s.stretch_max, 2e-5);
    free(x);
    pl_world_destroy(w);
}

// ---- roots -----------------------------------------------------------------------------------------------------------

static void roots_stay_on_the_faces_of_a_cloth(void **state)
{
    (void)state;
    pl_world *w = make_world(8, 2);
    pl_cloth_def cloth = pl_default_cloth_def();
    const int32_t pinned[2] = {0, 7};
    pl_id sheet, hair;
    cloth.columns = cloth.rows = 8, cloth.pinned = pinned, cloth.pinned_count = 2;
    good(pl_add_cloth(w, &cloth, &sheet));
    pl_hair_def d = pl_default_hair_def();
    d.on = sheet, d.count = 50, d.points = 8, d.length = 0.1f;
    good(pl_add_hair(w, &d, &hair));
    int first, count;
    good(pl_object_range(w, hair, &first, &count));
    for (int frame = 0; frame < 60; frame++)
        good(pl_world_step(w, 1.0f / 60.0f));
    // A cell is 0.143 m wide, so no place of the mesh is farther than 0.101 m from a particle while it does not stretch.
    float x[3 * 64], r[3 * 50];
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, 64, x));
    good(pl_get(w, PL_ATTRIBUTE_POSITION, first, 50, r));
    for (int i = 0; i < 50; i++)
    {
        double nearest = 1.0;
        for (int k = 0; k < 64; k++)
        {
            double a = (double)r[3 * i] - x[3 * k], b = (double)r[3 * i + 1] - x[3 * k + 1],
                   c = (double)r[3 * i + 2] - x[3 * k + 2], far = sqrt(a * a + b * b + c * c);
            nearest = far < nearest ? far : nearest;
        }
        below("the distance of a root from the cloth", nearest, 0.11);
    }
    assert_true(x[3 * 60 + 1] < -0.3f); // it has fallen
    // A strand goes when its carrier does.
    good(pl_remove(w, sheet));
    pl_strands_state s;
    pl_id block = {0, 0};
    assert_int_equal(pl_object_blocks(w, hair, &block, 1), 0);
    assert_int_equal(pl_get_strands(w, block, &s), PL_ERROR_ARGUMENT);
    good(pl_world_step(w, 1.0f / 60.0f));
    pl_world_destroy(w);
}

// The root is the weighted mean of its carriers at the end of every step.
static void carriers_carry_the_root(void **state)
{
    (void)state;
    pl_world *w = make_world(5, 2);
    pl_cloth_def cloth = pl_default_cloth_def();
    const int32_t pinned[1] = {3}, start[2] = {0, 2}, carriers[3] = {0, 1, 8};
    const float shares[3] = {0.2f, 0.3f, 0.5f};
    cloth.columns = cloth.rows = 8, cloth.pinned = pinned, cloth.pinned_count = 1;
    good(pl_add_cloth(w, &cloth, NULL));
    const int32_t points[2] = {add_one(w, 0.1f, 0.0f, 0.1f, 0.01f, NULL), add_one(w, 0.1f, -0.2f, 0.1f, 0.01f, NULL)};
    pl_strands_def d = pl_default_strands_def();
    d.count = 1, d.start = start, d.particles = points, d.carriers = carriers, d.shares = shares;
    pl_id block;
    good(pl_add_strands(w, &d, &block));
    for (int frame = 0; frame < 40; frame++)
    {
        float x[27], r[3];
        good(pl_world_step(w, 1.0f / 60.0f));
        good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, 9, x));
        good(pl_get(w, PL_ATTRIBUTE_POSITION, points[0], 1, r));
        for (int c = 0; c < 3; c++)
            near_to("the root", r[c], 0.2 * (double)x[c] + 0.3 * (double)x[3 + c] + 0.5 * (double)x[24 + c], 1e-6);
    }
    int32_t out[3];
    assert_int_equal(pl_strand_points(w, block, 0, out, 3), 2);
    assert_int_equal(out[0], points[0]);
    assert_int_equal(pl_strand_points(w, block, 1, out, 3), 0);
    good(pl_set_strands(w, block, PL_STRAND_XPBD, 0.5f));
    refused(pl_set_strands(w, block, PL_STRAND_XPBD, 2.0f), PL_ERROR_ARGUMENT, "from 0 to 1");
    good(pl_world_step(w, 1.0f / 60.0f));
    pl_world_destroy(w);
}

static void roots_follow_a_body(void **state)
{
    (void)state;
    pl_world *w = make_world(4, 1);
    pl_rigid_shape shape = pl_default_rigid_shape();
    pl_rigid_def body = pl_default_rigid_def();
    shape.kind = PL_RIGID_SPHERE, shape.radius = 0.1f;
    body.shapes = &shape, body.shape_count = 1, body.type = PL_RIGID_KINEMATIC;
    body.velocity = (pl_vec3){0.5f, 0.0f, 0.0f}, body.spin = (pl_vec3){0.0f, 3.0f, 0.0f};
    pl_id head, hair;
    good(pl_add_rigid(w, &body, &head));
    pl_hair_def d = pl_default_hair_def();
    d.count = 20, d.points = 12, d.radii = (pl_vec3){0.102f, 0.102f, 0.102f};
    good(pl_add_hair(w, &d, &hair));
    int32_t roots[20];
    for (int i = 0; i < 20; i++)
        roots[i] = i;
    pl_attach_def attach = pl_default_attach_def();
    attach.object = hair, attach.particles = roots, attach.count = 20, attach.to = head;
    good(pl_attach(w, &attach, NULL));
    int first, count;
    good(pl_object_range(w, hair, &first, &count));
    for (int frame = 0; frame < 60; frame++)
        good(pl_world_step(w, 1.0f / 60.0f));
    float x[60];
    pl_strands_state s;
    good(pl_get(w, PL_ATTRIBUTE_POSITION, first, 20, x));
    for (int i = 0; i < 20; i++)
        near_to(
            "the distance of a root from the centre of the head",
            sqrt(pow((double)x[3 * i] - 0.5, 2.0) + pow((double)x[3 * i + 1], 2.0) + pow((double)x[3 * i + 2], 2.0)),
            0.102, 1e-4);
    good(pl_get_strands(w, block_of(w, hair), &s));
    below("the stretch", s.stretch_max, 2e-5);
    pl_world_destroy(w);
}

// ---- bits ------------------------------------------------------------------------------------------------------------

static uint64_t hash_with(int threads, int lanes, bool reload)
{
    pl_world_def def = small_def(3, 2);
    pl_world *w;
    def.threads = threads, def.lanes = lanes;
    good(pl_world_create(&def, &w));
    pl_shape_def ball = pl_default_shape_def();
    ball.kind = PL_SHAPE_SPHERE, ball.radius = 0.1f;
    good(pl_add_shape(w, &ball, NULL));
    for (int solver = 0; solver < PL_STRAND_SOLVERS; solver++)
        for (int k = 0; k < 2; k++) // blocks of strands of different lengths
        {
            pl_hair_def d = pl_default_hair_def();
            d.count = 19 + 150 * k, d.points = 9 + 4 * k, d.solver = (pl_strand_solver)solver, d.shorten = 0.5f;
            d.seed = (uint32_t)(2 * solver + k), d.correction = 0.95f;
            d.radii = (pl_vec3){0.101f, 0.12f, 0.13f};
            good(pl_add_hair(w, &d, NULL));
        }
    for (int frame = 0; frame < 12; frame++)
    {
        good(pl_world_step(w, 1.0f / 60.0f));
        if (!reload || frame != 5)
            continue;
        size_t size;
        void *bytes;
        good(pl_world_save_memory(w, &bytes, &size));
        pl_world_destroy(w);
        good(pl_world_load_memory(&def, bytes, size, &w));
        pl_free(bytes);
    }
    uint64_t hash = pl_world_hash(w);
    pl_world_destroy(w);
    return hash;
}

static void bits_are_equal(void **state)
{
    (void)state;
    uint64_t wanted = hash_with(1, 1, false);
    const int *widths = pl_lane_widths();
    for (int i = 0; widths[i]; i++)
        for (int threads = 1; threads <= 3; threads += 2)
            assert_true(hash_with(threads, widths[i], false) == wanted);
    assert_true(hash_with(2, 0, true) == wanted);
}

// ---- bad input -------------------------------------------------------------------------------------------------------

static void bad_hair_is_refused(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    pl_hair_def d = pl_default_hair_def();
    d.count = 0;
    refused(pl_add_hair(w, &d, NULL), PL_ERROR_ARGUMENT, "count is 0");
    d = pl_default_hair_def(), d.points = 1;
    refused(pl_add_hair(w, &d, NULL), PL_ERROR_ARGUMENT, "points is 1");
    d = pl_default_hair_def(), d.length = -1.0f;
    refused(pl_add_hair(w, &d, NULL), PL_ERROR_ARGUMENT, "length is -1");
    d = pl_default_hair_def(), d.shorten = 1.0f;
    refused(pl_add_hair(w, &d, NULL), PL_ERROR_ARGUMENT, "shorten is 1");
    d = pl_default_hair_def(), d.correction = NAN;
    refused(pl_add_hair(w, &d, NULL), PL_ERROR_ARGUMENT, "correction is nan");
    d = pl_default_hair_def(), d.lowest = 0.99999994f;
    refused(pl_add_hair(w, &d, NULL), PL_ERROR_ARGUMENT, "lower `lowest`");
    d = pl_default_hair_def(), d.radii.y = 0.0f;
    refused(pl_add_hair(w, &d, NULL), PL_ERROR_ARGUMENT, "radii");
    int one = add_one(w, 0.0f, 0.0f, 0.0f, 1.0f, &d.on), two = add_one(w, 0.0f, 0.0f, 0.0f, 1.0f, NULL);
    d.radii.y = 0.1f;
    refused(pl_add_hair(w, &d, NULL), PL_ERROR_ARGUMENT, "no faces");

    const int32_t start[2] = {0, 2}, once[2] = {one, two}, twice[2] = {one, one}, none[2] = {one, 99};
    pl_strands_def s = pl_default_strands_def();
    s.count = 1, s.start = start, s.particles = once;
    refused(pl_add_strands(w, &s, NULL), PL_ERROR_ARGUMENT, "give `lengths`");
    s.particles = twice;
    refused(pl_add_strands(w, &s, NULL), PL_ERROR_ARGUMENT, "a point of a strand already");
    s.particles = none;
    refused(pl_add_strands(w, &s, NULL), PL_ERROR_ARGUMENT, "point 99 of strand 0 does not exist");
    const float lengths[2] = {0.0f, 0.5f};
    const int32_t carriers[3] = {one, one, one};
    const float shares[3] = {0.5f, 0.2f, 0.2f};
    s.particles = once, s.lengths = lengths, s.carriers = carriers;
    refused(pl_add_strands(w, &s, NULL), PL_ERROR_ARGUMENT, "`shares` is NULL");
    s.shares = shares;
    refused(pl_add_strands(w, &s, NULL), PL_ERROR_ARGUMENT, "is a point of a strand");
    s.carriers = NULL;
    good(pl_add_strands(w, &s, NULL));
    refused(pl_add_strands(w, &s, NULL), PL_ERROR_ARGUMENT, "in one strand, once");
    good(pl_world_step(w, 1.0f / 60.0f));
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dftl_swings_as_a_chain),
        cmocka_unit_test(ftl_does_not),
        cmocka_unit_test(one_pass_leaves_no_stretch),
        cmocka_unit_test(xpbd_converges),
        cmocka_unit_test(dftl_keeps_momentum),
        cmocka_unit_test(strands_stay_outside_of_shapes),
        cmocka_unit_test(roots_stay_on_the_faces_of_a_cloth),
        cmocka_unit_test(carriers_carry_the_root),
        cmocka_unit_test(roots_follow_a_body),
        cmocka_unit_test(bits_are_equal),
        cmocka_unit_test(bad_hair_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
